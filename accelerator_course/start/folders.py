"""Folders: where the course's files lie, in a checkout and in an installed package; and where copies of them go.

NOTEBOOKS, QUIZZES    at the top of a checkout; an installed package has them inside, in course/ (setup.py)
MINE                  the learner's copies: mine/ in a checkout, else accelerator-course/ in the folder one stands in
PRINTED               handouts, likewise
"""

from pathlib import Path

PACKAGE = Path(__file__).resolve().parents[1]
INSTALLED = (PACKAGE / "course").is_dir()
ROOT = PACKAGE / "course" if INSTALLED else PACKAGE.parent
NOTEBOOKS, QUIZZES = ROOT / "notebooks", ROOT / "quizzes"
MINE = Path("accelerator-course") if INSTALLED else ROOT / "mine"
PRINTED = Path("handouts") if INSTALLED else ROOT / "build" / "handouts"
