"""Fields: what a record of the log may hold, by its kind; a log can be edited by hand, and come from anywhere.

A field may be missing; a kind that is not in the table was written by a newer version: it is kept, and not read.
"""

import re
from math import isfinite

NAME, TEXT, MANY = 200, 1_000_000, 1_000  # letters of a name, letters of a text, entries of a list: no answer has more
LATEST = 1e11  # seconds since 1970: the year 5138


def text(value):
    """What somebody wrote; half of a surrogate pair could not be sent to the page."""
    if not isinstance(value, str) or len(value) > TEXT:
        return False
    return value.isascii() or not re.search("[\ud800-\udfff]", value)


def name(value):
    """Of a chapter, a panel, an item."""
    return text(value) and len(value) <= NAME


def belief(value):
    return isinstance(value, str) and bool(re.fullmatch("M[0-9]{1,4}", value))


def truth(value):
    """True or False, nothing that only looks like it."""
    return isinstance(value, bool)


def number(low, high):
    """Finite, between two others; True and False are none."""
    return lambda value: type(value) in (int, float) and low <= value <= high  # of the parser's own types


def whole(low, high):
    return lambda value: type(value) is int and low <= value <= high


def given(value):
    """A seed or a guess: a text or any finite number."""
    return text(value) or isinstance(value, int) or (isinstance(value, float) and isfinite(value))


def several(check):
    """A list of what passes a check."""
    return lambda value: isinstance(value, list) and len(value) <= MANY and all(map(check, value))


def position(value):
    """Where a control stands: a number, a word, a truth."""
    return truth(value) or name(value) or number(-1e30, 1e30)(value)


def or_none(check):
    return lambda value: value is None or check(value)


share, time, size = number(0, 1), number(0, LATEST), number(1e-30, 1e30)

KINDS = {
    "format": {"version": whole(1, 1_000_000)},
    "opened": {},
    "explore": {"panel": name},
    "task": {"panel": name, "task": name},
    "predict": {"chapter": name, "id": name, "guess": or_none(given), "right": truth},
    "exercise": {"id": name, "right": truth, "source": text},
    "rung": {"id": name, "right": truth, "source": text, "score": or_none(number(0, 1e30)), "star": truth},
    "draft": {"id": name, "source": text},
    "answer": {"chapter": name, "item": name, "try": whole(1, 1_000_000), "right": truth, "points": or_none(share)}
    | {"misconception": or_none(belief), "tags": several(belief), "seed": given},  # tags: in logs of earlier versions
    "quiz": {"chapter": name, "points": number(0, MANY), "of": whole(1, MANY), "passed": truth, "seed": given},
    "vote": {"chapter": name, "item": name, "right": several(share)},
    "explain": {"chapter": name, "text": text},
    "decide": {"chapter": name, "guess": or_none(size), "low": size, "high": size},
    "yours": {"what": name, "text": text},
    "kept": {"panel": name, "names": several(name), "values": several(position)},
}

CHECKS = {kind: {"time": time, **checks} for kind, checks in KINDS.items()}


def sound(record):
    """Whether every field that is there holds what its kind says; of an unknown kind only its name is looked at."""
    kind = record.get("kind", "")
    if not isinstance(kind, str):
        return False
    checks = CHECKS.get(kind, {})
    return all(checks[field](value) for field, value in record.items() if field in checks)
