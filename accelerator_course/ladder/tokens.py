"""Token: a learner's kernels as a line of text without a score: a checksum, which is no seal, and compressed JSON."""

import base64
import binascii
import json
import re
import zlib
from contextlib import suppress

from accelerator_course.ladder.catalog import rungs
from accelerator_lib.checks.inputs import described, shown
from accelerator_lib.kernels.language import LONGEST

MARK = "KRN1-"
SHAPE = re.compile(r"KRN\d+-[\w-]*")
MOST_LETTERS = 100_000  # of a token
MOST_UNPACKED = 2_200_000  # bytes: a text of the longest kind for each rung, in letters of several bytes
MOST_LEARNER = 2**32


def write(kernels, learner=0):
    """The token of {id of a rung: text of a kernel}; `learner` tells learners apart. Raises ValueError, TypeError."""
    if not isinstance(kernels, dict):
        raise TypeError(f"kernels must be {{id of a rung: text of a kernel}}, not {described(kernels)}")
    for id, source in kernels.items():
        _sound(id, source, f"kernel {shown(id)}")
    if type(learner) is not int or not 0 <= learner < MOST_LEARNER:
        raise ValueError(f"learner must be a whole number from 0 to {MOST_LEARNER - 1:,}, not {described(learner)}")
    content = json.dumps([learner, kernels], separators=(",", ":")).encode()
    if len(content) > MOST_UNPACKED:
        raise ValueError(f"these kernels have {len(content):,} bytes; a token holds at most {MOST_UNPACKED:,}")
    packed = zlib.compress(content, 9)
    token = MARK + _written(binascii.crc32(packed).to_bytes(4, "big") + packed)
    if len(token) > MOST_LETTERS:
        raise ValueError(f"these kernels need {len(token):,} letters; a token has at most {MOST_LETTERS:,}")
    return token


def read_token(text):
    """(learner, {id: text}) of a token. Raises ValueError in one line: what is wrong with it."""
    text = text.strip() if isinstance(text, str) else ""
    short = "".join(sign if sign.isprintable() else "?" for sign in text[:20]) + ("..." if len(text) > 20 else "")
    if not SHAPE.fullmatch(text):
        raise ValueError(f"there is no token in {short!r}; a token begins with {MARK}")
    if not text.startswith(MARK):
        raise ValueError(f"token {short} is of another version; this one reads {MARK}...")
    if len(text) > MOST_LETTERS:
        raise ValueError(f"token {short} has {len(text):,} letters; at most {MOST_LETTERS:,} are read")
    learner, kernels = _content(_unpacked(text, short), short)
    for id, source in kernels.items():
        _sound(id, source, f"token {short}")
    return learner, kernels


def fits(id, source):
    """Whether a token can hold this kernel: one of a log may be of another version of the course."""
    with suppress(ValueError):
        return _sound(id, source, "") is None
    return False


def room_for(kernels):
    """As many of {id: text} as one token holds: all of them, or those that need the fewest letters."""
    packed = {id: len(zlib.compress(json.dumps(source).encode(), 1)) for id, source in kernels.items()}
    held = {id: kernels[id] for id in sorted(packed, key=packed.get)}
    while held:
        with suppress(ValueError):
            write(held, MOST_LEARNER - 1)
            break
        held.popitem()
    return held


def _written(content):
    return base64.urlsafe_b64encode(content).decode().rstrip("=")


def _unpacked(text, short):
    body = text[len(MARK) :]
    try:
        content = base64.b64decode(body + "=" * (-len(body) % 4), altchars=b"-_", validate=True)
    except ValueError:  # a sign that is none of base64
        content = b""
    if len(content) < 5 or _written(content) != body or binascii.crc32(content[4:]).to_bytes(4, "big") != content[:4]:
        raise ValueError(f"token {short} is damaged: was all of it copied?")
    unpack = zlib.decompressobj()
    try:
        found = unpack.decompress(content[4:], MOST_UNPACKED)
    except zlib.error:
        raise ValueError(f"token {short} is not of this course: it cannot be unpacked") from None
    if not unpack.eof or unpack.unused_data:
        raise ValueError(f"token {short} is not of this course: it unpacks to more than a ladder of kernels")
    return found


def _content(found, short):
    with suppress(ValueError, TypeError, RecursionError):
        learner, kernels = json.loads(found)
        if type(learner) is int and 0 <= learner < MOST_LEARNER and isinstance(kernels, dict):
            return learner, kernels
    raise ValueError(f"token {short} is not of this course: it holds no kernels")


def _sound(id, source, where):
    if id not in rungs():
        raise ValueError(f"{where}: there is no rung {shown(id)}")
    if not isinstance(source, str) or len(source) > LONGEST:
        said = f"{len(source):,} letters" if isinstance(source, str) else type(source).__name__
        raise ValueError(f"{where}: the kernel for {id} is no text of at most {LONGEST:,} letters, but {said}")
