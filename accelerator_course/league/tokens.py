"""Token: a design under a brief as one short line that anyone can read, copy and check; it holds no score.

    CHIP2-7_256_7_64_6_2.2e9_3e11-6be5

The seed of the brief, which says the rest of a design, and the six knobs; then a checksum, which finds typing errors
and is no secret. Equal designs under unequal briefs are unequal tokens.
"""

import binascii
import re

from accelerator_course.league.briefs import ABrief
from accelerator_course.league.briefs import brief as brief_of
from accelerator_lib.checks.inputs import described
from accelerator_lib.checks.signature import Given, Record, checked
from accelerator_lib.design.machine import Design

MARK, LONGEST = "CHIP2-", 120
KNOBS = ("edge", "arrays", "sram_mb", "stacks", "clock_hz", "link_bytes_per_s")
FIELDS = ("seed", *KNOBS)
SHAPE = re.compile(r"CHIP2-([0-9a-z._]+)-([0-9a-f]{4})")
NUMBER = re.compile(r"[0-9]{1,16}(\.[0-9]{1,17})?(e[0-9]{1,2})?")


def _text(given):
    if not isinstance(given, str):
        raise TypeError(f"a token is a text such as {MARK}..., not {described(given)}")
    return given


@checked
def token(brief: ABrief, design: Record(Design)):
    """The token of a design under a brief. Raises ValueError where another node, memory or format is meant."""
    knobs = [getattr(design, name) for name in KNOBS]
    if design != brief.design(*knobs):
        raise ValueError(
            f"{design.name} is no design of brief {brief.seed}, which has {brief.node} nm, {brief.stack}, {brief.dtype}"
        )
    body = "_".join(map(_written, (brief.seed, *knobs)))
    return f"{MARK}{body}-{_check(body)}"


@checked
def from_token(text: Given("a token", _text)):
    """(Brief, Design) of a token. Raises ValueError in one line: what is wrong, and what is allowed."""
    text = text.strip()
    if len(text) > LONGEST:
        raise ValueError(f"a token has at most {LONGEST} letters; this line has {len(text):,}")
    found = SHAPE.fullmatch(text)
    if not found:
        raise ValueError(_not_one(text))
    body, check = found.groups()
    if _check(body) != check:
        raise ValueError(f"token {_short(text)} is damaged, its checksum does not fit: was all of it copied?")
    parts = body.split("_")
    if len(parts) != len(FIELDS):
        raise ValueError(f"token {_short(text)} has {len(parts)} fields; {len(FIELDS)} are needed: {', '.join(FIELDS)}")
    seed, *knobs = (_read(name, part) for name, part in zip(FIELDS, parts, strict=True))
    try:
        brief = brief_of(seed)
        return brief, brief.design(*knobs)
    except (TypeError, KeyError) as error:  # all that is wrong with a token is one kind of error
        raise ValueError(str(error)) from None


def _written(value):
    """A number in as few letters as hold all of it, whole ones without a point."""
    whole = int(value)
    if whole != value:
        return repr(float(value))
    digits = str(whole)
    bare = digits.rstrip("0")
    if len(digits) - len(bare) < 4:
        return digits
    return f"{bare[0]}{'.' if bare[1:] else ''}{bare[1:]}e{len(digits) - 1}"


def _read(name, text):
    """A number of a token. Raises ValueError."""
    if not NUMBER.fullmatch(text):
        raise ValueError(f"{name} must be a number, not {text[:24]!r}")
    value = float(text)
    return int(value) if value.is_integer() else value


def _check(body):
    return f"{binascii.crc_hqx(body.encode(), 0):04x}"


def _not_one(text):
    """Why a text has not the shape of a token."""
    if re.match(r"CHIP[0-9]+-", text) and not text.startswith(MARK):
        return f"token {_short(text)} is of another version; this one reads {MARK}..."
    if text.startswith(MARK):
        return f"token {_short(text)} is damaged: a token is {MARK}, {len(FIELDS)} values, and four signs to check them"
    return f"there is no token in {_short(text)!r}; a token begins with {MARK}"


def _short(text):
    """The beginning of what came, fit to be printed."""
    plain = "".join(letter if letter.isprintable() else "?" for letter in text)
    return plain if len(plain) <= 28 else f"{plain[:25]}..."
