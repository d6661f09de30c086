"""Machine: the quantities of the models, measured on the machine that runs the notebook.

measure       its roofline                             staircase     its memory levels
kernels       what is run to measure it
"""
