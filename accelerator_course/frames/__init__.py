"""Frames: runs of models, cut into the states that a stepper shows one by one; below the views, which draw them."""
