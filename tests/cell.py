"""Prints a cell for a hosted notebook, for the git remote of this checkout, so that forks have theirs.

python tests/cell.py            the one that measures its machine
python tests/cell.py course     the one that sets the course up
"""

import re
import sys
from pathlib import Path

import badge

CELL = """%pip install --quiet --no-deps git+{address}
!python -m accelerator_course.measure --out mine.json"""
COURSE = """%pip install --quiet --no-deps git+{address}
%pip install --quiet {lacking}
from accelerator_course import widgets
from accelerator_course.start import needs

print(needs.check())
widgets.chapters()"""
LACKING = ("anywidget", "mistune", "platformdirs")  # what hosts may not have; whatever else they have stays as it is
RANGES = (Path(__file__).parents[1] / "requirements.txt").read_text(encoding="utf-8")


def cell(remote, ref, text=CELL):
    """The text of a cell. Raises ValueError for a remote that is no address."""
    host, path = badge.parts(remote, "a hosted notebook")
    return filled(f"https://{host}/{path}.git@{ref}", text)


def filled(address, text):
    """A cell for an address, with the ranges of requirements.txt."""
    ranges = (re.search(rf"^{name}[<>=].*$", RANGES, re.M)[0] for name in LACKING)
    return text.format(address=address, lacking=" ".join(f'"{wanted}"' for wanted in ranges))


def main(which=""):
    remote = badge.git("remote", "get-url", "origin")
    try:
        if not remote:
            raise ValueError("This checkout has no git remote named origin: push it somewhere public first.")
        print(cell(remote, badge.branch(), COURSE if which == "course" else CELL))
    except ValueError as error:
        print(error)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:2]))
