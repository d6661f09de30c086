"""Accelerator course: the models behind the notebooks.

    units, inputs, data                      printing, checks at the door, facts as YAML        rank 0
    hardware                                 Chip: what is published about 53 accelerators           1
    workload                                 Gemm, Conv: FLOP, bytes, intensity                      1
    memory  roofline  tiling  gpu  systolic  energy      a model for each chapter, and beside it       2
                                             what it builds on (cache, wavefront, ladder ...)        2
    kernels  measure                         the same quantities on the reader's own machine         2
    quiz, exercises, views                   questions, tasks, pictures                              3
    environment, handout                     what is missing here; a chapter on paper                4
    widgets                                  explore, step, predict, quiz: what a notebook calls     4

A module imports only from a lower rank. Nothing here imports matplotlib, ipywidgets or JAX until it is used.
"""
