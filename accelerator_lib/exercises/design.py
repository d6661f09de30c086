"""Exercises of chapter 13."""

EXERCISES = []
