"""Exercises of chapter 7."""

EXERCISES = []
