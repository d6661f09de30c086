"""Accelerator course: the models behind the notebooks.

    units, inputs, settings, data, signature     printing, checks at the door, the environment, facts as YAML
    limits                                       how long somebody else's code may run
    recorded                                     JAX where it is here, else what it gave elsewhere
    hardware                                     Chip: what is published about 53 accelerators
    workload, memory, roofline ...               a room for each chapter, in the order of data/chapters.yaml
    kernels                                      a kernel run, counted and timed on a model of one SM (after gpu)
    machine                                      the same quantities on the reader's own machine (after roofline)
    validation                                   every model held against published rows, through one door
    quiz, views, exercises                       questions, pictures, tasks
    measure                                      any machine in a file, and that file beside the models
    widgets                                      explore, step, predict, quiz: what a notebook calls
    environment, pages, handout                  what is missing here; a chapter for the hall; on paper

A module imports only from what stands above it. Nothing here imports matplotlib, ipywidgets or JAX until it is used.
"""
