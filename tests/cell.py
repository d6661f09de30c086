"""Prints the cell that measures a hosted notebook's machine, for the git remote of this checkout: forks measure, too."""

import sys

import badge

CELL = """%pip install --quiet --no-deps git+{address}
!python -m accelerator_lib.measure --out mine.json"""


def cell(remote, ref):
    """The text of the cell. Raises ValueError for a remote that is no address."""
    host, path = badge.parts(remote, "a hosted notebook")
    return CELL.format(address=f"https://{host}/{path}.git@{ref}")


def main():
    remote = badge.git("remote", "get-url", "origin")
    if not remote:
        print("This checkout has no git remote named origin: push it somewhere public first.")
        return 1
    try:
        print(cell(remote, badge.git("rev-parse", "--abbrev-ref", "HEAD") or "main"))
    except ValueError as error:
        print(error)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
