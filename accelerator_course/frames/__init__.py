"""Frames: simulations of the library cut into what a reader steps through; one module for each chapter."""
