"""Folders: where the course's files lie, in a checkout and installed (setup.py); where copies and handouts go."""

from pathlib import Path

PACKAGE = Path(__file__).resolve().parents[1]
INSTALLED = (PACKAGE / "course").is_dir()
ROOT = PACKAGE / "course" if INSTALLED else PACKAGE.parent
NOTEBOOKS, QUIZZES = ROOT / "notebooks", ROOT / "quizzes"
MINE = Path("accelerator-course") if INSTALLED else ROOT / "mine"
PRINTED = Path("handouts") if INSTALLED else ROOT / "build" / "handouts"
