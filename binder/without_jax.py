"""Leaves JAX, and what only JAX brings, out of a lock:  python without_jax.py < requirements.txt > smaller.txt

The lock says behind each version for what it is there ("# via"): whatever is there only for what has gone, goes too.
"""

import re
import sys

ENTRY = re.compile(r"^[a-zA-Z].*\n(?:[ \t]+.*\n)*", re.M)
GONE = {"jax"}


def name(entry):
    return re.split(r"[=\s]", entry, maxsplit=1)[0]


def via(entry):
    """For what an entry is there: names of other entries, or -r requirements.txt."""
    notes = "".join(line.strip(" #") + "\n" for line in entry.splitlines() if line.lstrip().startswith("#"))
    return set(notes.removeprefix("via").strip().splitlines())


def smaller(lock):
    """The text of the lock without them."""
    entries, gone = ENTRY.findall(lock), set(GONE)
    reasons = {}
    for entry in entries:
        reasons.setdefault(name(entry), set()).update({each.strip() for each in via(entry)})
    while more := {one for one, why in reasons.items() if one not in gone and why <= gone}:
        gone |= more
    return ENTRY.sub(lambda found: "" if name(found[0]) in gone else found[0], lock)


if __name__ == "__main__":
    sys.stdout.write(smaller(sys.stdin.read()))
