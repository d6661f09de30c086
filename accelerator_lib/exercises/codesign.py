"""Exercises of chapter 12."""

EXERCISES = []
