"""The course: what its notebooks show and ask, on the models of accelerator_lib.

    syllabus                    chapters, routes, tasks, texts of rungs
    settings                    what the environment says
    time_limit, handed_in       how long somebody else's code may run, and how much of a text is read
    quiz, exercises, ladder     questions; functions and kernels to write, and who judges them
    frames                      runs of the models, cut into what a stepper shows
    league, measure             a class's designs, ranked; any machine in a file, and that file beside the models
    views, widgets              pictures; explore, step, predict, quiz: what a notebook calls
    pages, start                a chapter for the hall, on paper, in a book; from a command to the first notebook

It imports the library, never the reverse. Nothing here imports matplotlib, ipywidgets or JAX until it is used.
"""
