"""AI accelerators as numbers: sourced facts, models, and checks of what enters them. NumPy in, frozen records out.

    units, settings                              numbers for people, the environment
    checks                                       checks at the door, in the signature
    data                                         facts as YAML, each with its source
    recorded                                     JAX where it is here, else what it gave elsewhere
    hardware                                     Chip: what is published about 53 accelerators
    workload, memory, roofline ...               a room for each chapter of the course
    kernels                                      a kernel run, counted and timed on a model of one SM (after gpu)
    rtl                                          arrays as wires, gates and registers (after systolic)
    machine                                      the same quantities on the reader's own machine (after roofline)
    validation                                   every model held against published rows, through one door

A module imports only from what stands above it. Nothing here imports JAX until it is used, nothing draws, and nothing
knows of the course (accelerator_course).
"""
