"""Slips: wrong solutions that learners do write, one module a chapter.

The docstring of each is what a learner is told whose function gives the same results in every case; the tests refuse
every one of them.
"""
