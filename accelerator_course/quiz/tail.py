"""Tail: a log that only grows is read once, and from then on only what was added; what is old is kept compact.

Of what is older than the last 4 MB only that stays in memory which still counts (`slot`); `everything` reads the file.
"""

import json
import time
from dataclasses import dataclass
from hashlib import blake2b
from operator import itemgetter
from threading import RLock

from accelerator_course.quiz import fields, glance

CHUNK = 4_000_000  # bytes that are read at once, and after which what was read is compacted
GUARD = 256  # bytes before the end of what was read: if they differ, somebody edited the file
ROOM = 100  # letters of a record without its text
FILES = 8  # logs that are remembered
# kind -> fields: of the records that have the same in them the last counts; of each score of a rung the last text
SLOTS = {"opened": (), "explore": ("panel",), "task": ("panel", "task"), "kept": ("panel",), "draft": ("id",)}
SLOTS |= {"predict": ("chapter", "id"), "vote": ("chapter", "item"), "explain": ("chapter",), "yours": ("what",)}
SLOTS |= {"exercise": ("id", "right"), "rung": ("id", "right", "score", "star")}
_known, _turn = {}, RLock()  # JupyterLab hands messages of widgets to more than one thread of the kernel


@dataclass(frozen=True)
class Read:
    """`records` {key: record}, in the order of the file; `odd` records were left out; the newest format's `version`."""

    records: dict
    odd: int
    version: int


def of(file):
    """The Read of a log as it stands now. Raises OSError."""
    with _turn:
        if file not in _known and len(_known) >= FILES:
            _known.clear()
        return _known.setdefault(file, Log(file)).renewed()


def everything(file):
    """Every record of a log, one after the other, twins included. Raises OSError."""
    with open(file, "rb") as log:
        for line in log:
            record, _ = glance.one(line)
            if record is not None:
                yield record


class Log:
    """What was read of one file, up to the end of its last whole line."""

    def __init__(self, file):
        self.file = file
        self._forget()

    def _forget(self):
        self.about, self.read, self.guard, self.fresh, self.held = None, 0, b"", 0, 0
        self.records, self.odd, self.version, self.last = {}, 0, 0, None

    def renewed(self):
        stat = self.file.stat()
        about = (stat.st_dev, stat.st_ino, stat.st_size, stat.st_mtime_ns)
        if about == self.about:
            return self.last
        with open(self.file, "rb") as log:
            if self.about is not None and not self._grown(about, log):
                self._forget()
            rest = self._take(log)
        records, odd, version = dict(self.records), self.odd, self.version
        if rest.strip():  # a last line without an end: perhaps somebody is just writing it
            record, strange = glance.one(rest)
            odd += strange
            if record is not None:
                records[key(rest)], version = record, max(version, format_of(record))
        self.about, self.last = about, Read(records, odd, version)
        return self.last

    def _grown(self, about, log):
        if about[:2] != self.about[:2] or about[2] <= self.about[2]:
            return False
        log.seek(self.read - len(self.guard))
        return log.read(len(self.guard)) == self.guard

    def _take(self, log):
        """Read on from where the last reading ended; returns what has no end of line yet."""
        log.seek(self.read)
        rest = b""
        while chunk := log.read(CHUNK):
            whole, end, rest = (rest + chunk).rpartition(b"\n")
            whole += end
            if not whole:
                continue
            self._add(glance.still_count([*filter(None, whole.replace(b"\r\n", b"\n").split(b"\n"))]))
            self.read += len(whole)
            self.guard = (self.guard + whole[-GUARD:])[-GUARD:]
        return rest

    def _add(self, lines):
        for line, record, odd in glance.parsed(lines):
            self.odd += odd
            if record is not None:
                self.records[key(line)] = record
                self.version = max(self.version, format_of(record))
                self.fresh += len(line)
        if self.fresh >= max(CHUNK, self.held):  # not of all that is kept with each new piece
            self.records, self.fresh = compact(self.records), 0
            self.held = _size(self.records.values())


def key(line):
    """What tells one line (bytes) from another: a retried write may leave one twice."""
    return blake2b(line.strip(), digest_size=12).digest()


def line(record):
    """A record as it is written."""
    return json.dumps(record, ensure_ascii=False).encode("utf-8", "replace")


def format_of(record):
    """The format that a record names, 0 for all but a log's first line."""
    return record.get("version", 0) if record.get("kind") == "format" else 0


def _size(records):
    texts = (record[field] for record in records for field in ("source", "text") if field in record)
    return ROOM * len(records) + sum(len(text) for text in texts if isinstance(text, str))


def in_time(records):
    """Records in the order of time. One from the future, written while a clock was wrong, gets the time before it."""
    return [record for _, record in sorted(_placed(records), key=itemgetter(0))]


def _placed(records):
    latest, before = time.time() + glance.DAY, 0
    for record in records:
        when = record.get("time", 0)
        if not fields.time(when):  # of an unknown kind it may be anything
            when = 0
        elif when > latest:
            record, when = {**record, "time": before}, before
        else:
            before = when
        yield when, record


def slot(record):
    """Of records with the same slot only the last still counts; None: each does."""
    kind, of = record.get("kind"), record.get
    if kind == "answer":
        return None if of("try") == 1 or of("misconception") else ("answer",)
    if kind not in SLOTS:
        return None
    return kind, *map(of, SLOTS[kind]), "text" in record, bool(of("source"))


def compact(records):
    """{key: record} without those that count no longer; the earliest stays, which tells one log from another."""
    keys, whens = list(records), [when for when, _ in _placed(records.values())]
    ordered = [keys[place] for place in sorted(range(len(keys)), key=whens.__getitem__)]
    kept, last = set(ordered[:1]), {}
    for key in ordered:
        where = slot(records[key])
        if where is None:
            kept.add(key)
        else:
            last[where] = key
    kept.update(last.values())
    return {key: record for key, record in records.items() if key in kept}
