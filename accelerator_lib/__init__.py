"""Accelerator course: the models behind the notebooks.

    units, inputs, settings, data, signature     printing, checks at the door, the environment, facts as YAML
    hardware                                     Chip: what is published about 53 accelerators
    workload memory roofline tiling gpu systolic energy
                                                 a room for each chapter, in this order; machine: the reader's own
    quiz, views, exercises                       questions, pictures, tasks
    widgets                                      explore, step, predict, quiz: what a notebook calls
    environment, handout                         what is missing here; a chapter on paper

A module imports only from what stands above it. Nothing here imports matplotlib, ipywidgets or JAX until it is used.
"""
