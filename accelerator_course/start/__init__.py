"""From a command to the first notebook.

needs      can this machine run the course?      folders    where the course's files lie, and where copies go
copies     the learner's own notebooks           lab        JupyterLab on them
address    the address of another notebook       unrun      a cell that is run before those it needs says so
calm       one line below a cell, of what was recorded elsewhere
"""
