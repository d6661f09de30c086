"""Glance: lines of a log that need not be parsed, as a later one in the same piece stands in their place (tail.py).

Lines of the one form that is written are told by a look at both ends; any other is left to the parser.
"""

import json
import re
import time

from accelerator_course.quiz import fields

DAY = 86_400
TOGETHER = 500  # lines that are parsed in one call
NAME = rb'"[\w .:-]{0,199}"'
LOOK = re.compile(
    rb'\{"time": (0|[1-9]\d{0,9})(\.\d{1,9})?, "kind": '
    rb'("explore", "panel": %b\}\Z|("draft", "id"|"explain", "chapter"|"exercise", "id"): %b, '
    rb'(?:"right": (?:true|false), )?"(?:source|text)": ")' % (NAME, NAME),
    re.ASCII,
)
ESCAPES = (rb"\n", rb"\"", rb"\t", rb"\r")  # a text with others is parsed
CONTROLS = bytes(range(32))
ONE = frozenset((str, int, float, bool, type(None)))


def still_count(lines):
    """The lines without those that a later line of the same slot replaces; the earliest of all stays (tail.compact)."""
    latest, newest, replaced, first = time.time() + DAY, {}, set(), None
    for place, line in enumerate(lines):
        seen = LOOK.match(line)
        if seen is None or (seen[4] and not _is_text(line, seen.end())):
            continue
        when = float(seen[1] + (seen[2] or b""))
        if when > latest:
            continue
        if first is None or when < first[0]:
            first = when, place
        before, at = newest.get(seen[3], (-1.0, None))
        if when >= before:
            newest[seen[3]] = when, place
        if when != before and at is not None:  # of two at the same instant the parser tells whether they are twins
            replaced.add(at if when > before else place)
    if first is not None:
        replaced.discard(first[1])
    return [line for place, line in enumerate(lines) if place not in replaced] if replaced else lines


def _is_text(line, begin):
    """Whether the rest of a line is a text that a record may hold, not empty, and the end of the record."""
    size = len(line) - 2 - begin
    if not 0 < size <= fields.TEXT or not line.endswith(b'"}'):
        return False
    body = line[begin:-2]
    known = [body.count(escape) for escape in ESCAPES]
    escaped = sum(known) == body.count(b"\\") and body.count(b'"') == known[1] and rb"\\" not in body
    return escaped and len(body.translate(None, CONTROLS)) == size


def parsed(lines):
    """(line, record or None, whether it is a record with an odd field) of each line (bytes), in their order."""
    for begin in range(0, len(lines), TOGETHER):
        some = lines[begin : begin + TOGETHER]
        found = _together(some)
        if found is None:  # one of them is no record: one at a time
            yield from ((line, *one(line)) for line in some)
            continue
        for line, record in zip(some, found, strict=True):
            odd = not fields.sound(record)
            yield line, None if odd else record, odd


def _together(lines):
    if not all(line[:1] == b"{" and line[-1:] == b"}" for line in lines):
        return None
    try:
        # no text goes on over a line, and a list or a table that did would hold a table, which no record does
        found = json.loads((b"[" + b",\n".join(lines) + b"]").decode("utf-8", "replace"))
    except (ValueError, RecursionError):
        return None
    whole = len(found) == len(lines) and all(type(record) is dict and _flat(record) for record in found)
    return found if whole else None


def one(line):
    """(the record of a line or None, whether the line is a record with a field that its kind does not hold)."""
    try:
        record = json.loads(line.decode("utf-8", "replace") if isinstance(line, bytes) else line)
    except (ValueError, RecursionError):
        return None, False
    if not isinstance(record, dict):
        return None, False
    return (record, False) if _flat(record) and fields.sound(record) else (None, True)


def _flat(record):
    lists = [value for value in record.values() if type(value) not in ONE]
    return all(type(value) is list and all(type(part) in ONE for part in value) for value in lists)
