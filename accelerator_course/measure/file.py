"""File: a session's measurements as JSON, checked where they are read. A wrong file is one line: which, where, what."""

import json
import os
import stat
from pathlib import Path

from accelerator_course.measure.mine import Measurement, Mine
from accelerator_course.measure.session import FORMAT, VERSION
from accelerator_lib.checks.inputs import described, shown

MOST_BYTES = 4_000_000  # 2,000 measurements take a fifth of this
LONGEST_PATH = 1000  # letters
RATES = 1, 1e24  # FLOP/s and B/s that a kernel can reach
COMPUTE, MOVE = ("products", "decode"), ("products", "decode", "streams")  # groups whose rates make a chip


class BadFile(ValueError):
    """A file that holds no measurements of this kind, in one line."""


def load(path):
    """Mine of a file. Raises BadFile (a ValueError), or OSError where it cannot be read, in one line."""
    where = Path(_path(path))
    about = where.stat()
    if not stat.S_ISREG(about.st_mode):  # to open a pipe would be to wait for ever
        raise BadFile(f"{where} is no file")
    if about.st_size > MOST_BYTES:
        raise BadFile(f"{where} holds {about.st_size:,} bytes; a file of measurements has at most {MOST_BYTES:,}")
    try:
        content = json.loads(where.read_bytes(), parse_constant=_refused)
    except BadFile as error:
        raise BadFile(f"{where}: {error}") from None
    except (ValueError, RecursionError) as error:
        raise BadFile(f"{where} is no JSON: {str(error)[:120]}") from None
    return read(content, str(where))


def read(content, where="measurements"):
    """Mine of what a file holds, as dicts and lists. Raises BadFile."""
    from accelerator_course.syllabus import schema

    if not isinstance(content, dict) or content.get("format") != FORMAT:
        raise BadFile(f"{where} was not written by  python -m accelerator_course.measure: it has no format {FORMAT!r}")
    if content.get("format_version") != VERSION:
        found = str(content.get("format_version"))[:20]
        raise BadFile(f"{where} has format version {found}, and this course reads {VERSION}: measure again")
    for error in schema.errors(content, "measure.schema"):
        place = ".".join(str(part) for part in error.absolute_path) or "the file"
        raise BadFile(f"{where}: {place[:80]}: {_told(error)}")
    for entry in content["measurements"]:
        if not entry["low"] <= entry["seconds"] <= entry["high"]:
            raise BadFile(f"{where}: {entry['name']}: low, seconds and high are not in this order")
        for name, groups in (("flops", COMPUTE), ("bytes_moved", MOVE)):
            rate = entry[name] / entry["seconds"]
            if (rate or entry["group"] in groups) and not RATES[0] <= rate <= RATES[1]:
                told = f"{name} = {shown(entry[name])} in {entry['seconds']:.3g} s is no rate"
                raise BadFile(f"{where}: {entry['name']}: {told}")
    device, entries = content["device"], content["measurements"]
    return Mine(
        **{"cores": None, "clock_hz": None, "cache_bytes": None, "driver": None, **device},
        date=content["date"],
        complete=content["complete"],
        versions=content["versions"],
        measurements=tuple(Measurement(**{"calls": 1, **entry}) for entry in entries),
    )


def save(content, path):
    """Write a session's content at one go: the file is whole, or it is as it was. Raises OSError."""
    path = Path(_path(path))
    beside = path.with_name(f"{path.name}.part")
    try:
        beside.write_text(json.dumps(content, indent=1, allow_nan=False) + "\n", encoding="utf-8")
        os.replace(beside, path)
    finally:
        beside.unlink(missing_ok=True)


def writable(path):
    """The path, if a file can be written there: found out before the minute of measuring. Raises OSError."""
    path = Path(_path(path))
    if path.is_dir():
        raise IsADirectoryError(f"{path} is a folder: name a file, such as {path / 'mine.json'}")
    if not path.parent.is_dir():
        raise FileNotFoundError(f"there is no folder {path.parent} to write {path.name} into")
    if not os.access(path if path.exists() else path.parent, os.W_OK):
        raise PermissionError(f"{path} cannot be written: no permission")
    return path


def _path(path):
    if not isinstance(path, (str, os.PathLike)) or not str(path) or "\0" in str(path):
        raise TypeError(f"path must name a file, such as 'mine.json', not {described(path)}")
    if len(str(path)) > LONGEST_PATH:
        raise ValueError(f"path has {len(str(path)):,} letters; at most {LONGEST_PATH:,}")
    return path


def _told(error):
    """What is wrong with the shape: what stands there in a few letters, then the whole reason."""
    given, line = repr(error.instance), error.message
    if line.startswith(given):
        short = f"a list of {len(error.instance):,}" if isinstance(error.instance, list) else shown(error.instance)
        line = short + line[len(given) :]
    line = " ".join(line.split())
    return line if len(line) <= 160 else f"{line[:60]} ... {line[-95:]}"


def _refused(constant):
    raise BadFile(f"{constant} is no measurement")
