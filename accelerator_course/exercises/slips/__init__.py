"""Slips: wrong solutions that learners do write, one module a chapter; most are a solution with one thing changed.

What a learner is told whose function gives the same results stands under the slip's name in syllabus/exercises.yaml.
"""
