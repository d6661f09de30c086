"""The book: every chapter executed, as pages that any static host serves and that need no kernel.

python -m accelerator_course.pages.book --out build/site

kernel     in the kernel of a chapter: what a panel, a stepper, a question becomes on such a page
film       a panel as a film of one slider; a stepper as a run that the page plays
ask        questions to think about, their answers folded
chapter    the executed notebook as a source of Sphinx
building   all chapters, then Sphinx
book.js, book.css    what the pages bring along
"""
