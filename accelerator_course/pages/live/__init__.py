"""The live page: the widgets of a chapter in a static page, on Python in the reader's browser (Pyodide), in one worker.

cells       what each cell of a chapter needs to run
headless    in place of ipywidgets, anywidget and IPython: a widget is its traits
room        the cells of one page, run when they are asked for; what changed is handed over once a turn
pack        the folder live/ of the site: Python, the course, the cells of each chapter, the scripts
"""
