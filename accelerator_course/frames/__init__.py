"""Frames: runs of the models cut into what a stepper shows, one record a picture; no drawing here."""
