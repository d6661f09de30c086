"""Slips of the exercises of chapter 13."""
