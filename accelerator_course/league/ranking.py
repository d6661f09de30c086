"""Ranking: a text of tokens becomes a table. Every design is evaluated anew; nothing that a line claims is believed.

A design counts as the share that it holds, for its worst guess, of the best that the grid holds under its own brief.
What the model's misses cannot tell from the best of a place (`bar`) shares it, in the order of the lines. Only what the
panel of chapter 13b offers is ranked (OFFERED); all else is refused, and why.
"""

import re
from dataclasses import dataclass

from accelerator_course import handed_in
from accelerator_course.league import briefs
from accelerator_course.league.briefs import Brief
from accelerator_course.league.capstone import is_hole
from accelerator_course.league.tokens import LONGEST, MARK, from_token
from accelerator_lib.checks.signature import Given, checked
from accelerator_lib.design.edges import EDGES
from accelerator_lib.design.machine import Design
from accelerator_lib.units import percent

MOST_LINES, MOST_LETTERS, MOST_DESIGNS, TOLD = 20_000, 400, 2_000, 20
NAME = 32  # letters of the words before a token that are kept
OFFERED = (  # (field, in units of, which values, in words): the panel's controls
    ("edge", 1, EDGES, ", ".join(map(str, EDGES))),
    ("arrays", 1, range(1, 2049), "1 to 2,048"),
    ("sram_mb", 1, range(8, 1025), "8 to 1,024 MB, whole ones"),
    ("stacks", 1, range(9), "0 to 8"),
    ("clock_hz", 1e8, range(5, 26), "0.5 to 2.5 GHz in steps of 0.1"),
    ("link_bytes_per_s", 1e9, range(50, 1801), "50 to 1,800 GB/s, whole ones"),
)


@dataclass(frozen=True)
class Placed:
    """A design that keeps within its brief: its place, lines and names it came with, and what the model says of it."""

    place: int
    tied: bool
    lines: tuple
    names: tuple
    brief: Brief
    design: Design
    share: float  # of what the grid's best design holds
    holds: float  # value for the worst guess
    worst: str  # that guess
    hole: bool
    copied = property(lambda self: len(self.names) > 1)  # one token under several names


@dataclass(frozen=True)
class Ranking:
    """Places, best first, ties in the order of their lines, and {line number: why it was refused}."""

    places: tuple
    refused: dict

    def __str__(self):
        return "\n".join([*self._table(), *handed_in.refusals(self.refused, TOLD)])

    __repr__ = __str__

    def _table(self):
        if not self.places:
            yield "no design keeps within its brief"
            return
        yield f"{'place':>5}  {'share':>6}  {'holds':>6}  {'brief':>5}  {'lines':<9}  design"
        for one in self.places:
            sign = "=" if one.tied else " "
            lines = ",".join(map(str, one.lines[:3])) + ("..." if len(one.lines) > 3 else "")
            words = f"  {', '.join(one.names[:3])}" if one.names else ""
            numbers = f"{one.share:>6.2f}  {one.holds:>6.2f}  {one.brief.seed:>5}"
            marks = ("  COPIES" if one.copied else "") + ("  A HOLE: name it" if one.hole else "")
            yield f"{one.place:>4}{sign}  {numbers}  {lines:<9}  {described(one.design)}{words}{marks}"
        yield "holds: value for the worst guess (H100: 1); share: of the grid's best for that brief."
        if any(one.tied for one in self.places):
            yield f"= a tie: the model misses by {percent(briefs.bar() - 1)} on such a mix; the pages decide."
        if any(one.hole for one in self.places):
            yield "A hole: score or value is above 1.5 times that of any published chip of the nearest node."


def described(design):
    """A design in words that fit a line."""
    chip = f"{design.arrays:,} x {design.edge}², {design.sram_mb:g} MB, {design.stacks} stacks"
    rates = f"{design.clock_hz / 1e9:g} GHz, link {design.link_bytes_per_s / 1e9:g} GB/s"
    return f"{chip}, {rates}, {design.node} nm, {design.dtype}, {design.stack}"


def _lines(given):
    """Lines of a text, a list of lines, or an open file, cut to a length that does no harm. Raises TypeError."""
    if isinstance(given, str):
        return given.splitlines()
    if not hasattr(given, "__iter__"):
        raise TypeError(f"need lines of text, not {type(given).__name__}")
    return given


@checked
def rank(lines: Given("lines of text", _lines)):
    """Ranking of the tokens in so many lines, each under its own brief; stops after 20,000 lines or 2,000 designs."""
    found, refused = {}, {}
    for number, line in handed_in.told(lines, MOST_LINES, refused):
        try:
            name, (brief, design) = _read(line)
            if outside := _outside(design):
                raise ValueError(f"not offered by the panel: {outside}")
            if (brief.seed, design) not in found and len(found) == MOST_DESIGNS:
                raise ValueError(f"only the first {MOST_DESIGNS:,} designs are evaluated")
        except ValueError as error:
            refused[number] = str(error)
            continue
        found.setdefault((brief.seed, design), []).append((number, name))
    return _placed(found, refused)


def _read(line):
    """(words, (Brief, Design)) of a line. Raises ValueError."""
    if len(line.strip()) > MOST_LETTERS:
        raise ValueError(f"a line has at most {MOST_LETTERS} letters; a token at most {LONGEST}")
    tokens = re.findall(r"CHIP[0-9]+-\S*", line)
    if len(tokens) > 1:
        raise ValueError(f"there are {len(tokens)} tokens; one a line is allowed")
    if not tokens:
        return "", from_token(line)  # which says what is wrong
    before = line[: line.index(tokens[0])]
    after = line[line.index(tokens[0]) + len(tokens[0]) :].strip()
    if after:
        raise ValueError(f"nothing may follow a token; words stand before it: {MARK}...")
    words = " ".join("".join(one if one.isprintable() else " " for one in before).split())
    return words[:NAME].rstrip(" ,;:"), from_token(tokens[0])


def _outside(design):
    """What the panel does not offer, and what it allows; "" for a design that could come from it."""
    found = []
    for name, unit, values, words in OFFERED:
        value = getattr(design, name)
        steps = round(value / unit)
        if steps not in values or abs(value / unit - steps) > 1e-6:
            found.append(f"{name} = {value:.6g}, allowed {words}")
    return "; ".join(found)


def _placed(found, refused):
    """Evaluate what was found, once each."""
    rated = []
    for (seed, design), came in found.items():
        brief = briefs.brief(seed)
        broken = [limit for limit in briefs.under(brief, design) if limit.broken]
        if broken:
            refused |= {number: f"outside the brief: {'; '.join(map(str, broken))}" for number, _ in came}
            continue
        values = briefs.values(brief, design)
        worst = min(values, key=values.get)
        rated.append((round(values[worst] / brief.best, briefs.DIGITS), values[worst], worst, brief, design, came))
    rated.sort(key=lambda one: -one[0])
    places, first = [], 0
    for place, (share, *_) in enumerate(rated):
        if share * briefs.bar() < rated[first][0]:
            first = place
        places.append(first)
    made, pairs = [], zip(places, rated, strict=True)
    for place, (*numbers, brief, design, came) in sorted(pairs, key=lambda one: (one[0], one[1][-1][0][0])):
        lines, names = tuple(n for n, _ in came), tuple(dict.fromkeys(w for _, w in came if w))
        about = lines, names, brief, design, *numbers, is_hole(brief, design)
        made.append(Placed(place + 1, places.count(place) > 1, *about))
    return Ranking(tuple(made), dict(sorted(refused.items())))
