"""Machine: the quantities of the models, measured on the machine that runs the notebook.

measure       its roofline                             kernels       what is run to measure it
timing        the clock, and XLA's counts              system        the caches that it reports
progress      how far a measurement is
"""
