"""Report: a design on one page: limits, what each job waits for, rejected alternatives, elasticities, assumptions.

A rejected alternative is a neighbour: one knob moved. The page ends with the token: whoever doubts a number can compute
it again.
"""

from dataclasses import dataclass, replace
from functools import cache

from accelerator_course.league import briefs
from accelerator_course.league.briefs import ABrief
from accelerator_course.league.capstone import Judged, judge
from accelerator_course.league.ranking import described
from accelerator_lib.checks.signature import Record, checked
from accelerator_lib.design.explore import KNOBS, elasticities, stepped
from accelerator_lib.design.machine import Design, facts
from accelerator_lib.design.validation import BAND, validate
from accelerator_lib.units import counted, number, percent, si

IGNORES = (
    "stalls, the network on the chip, sparsity, queues, software",
    "units of a GPU that are no arrays: its edge of 64 is fitted",
)


@dataclass(frozen=True)
class Alternative:
    """A neighbour: what is moved, the value that it holds beside the design's, and the limits it breaks."""

    moved: str
    design: Design
    value: float
    gain: float  # in value, as a share of the design's
    broken: tuple

    @property
    def why(self):
        """Why it was rejected, in words."""
        if self.broken:
            return f"breaks a limit: {self.broken[0]}"
        if 1 / briefs.bar() < 1 + self.gain < briefs.bar():
            return "a tie for this model"
        return "worth less" if self.gain < 0 else "worth more: why not this one?"


@dataclass(frozen=True, eq=False)
class Report:
    """All that stands on the page; prints as text. `pages` of it are drawn by views.design."""

    judged: Judged
    alternatives: tuple
    smooth: dict
    steps: dict

    token = property(lambda self: self.judged.token)

    @property
    def sections(self):
        """(heading, lines) in order."""
        one, jobs, ratios = self.judged, self.judged.found.results, self.judged.found.ratios
        return (
            (f"Brief {one.brief.seed}", (str(one.brief),)),
            ("What it is worth", self._worth()),
            ("Limits", tuple(_limit(limit) for limit in one.limits)),
            ("What each job waits for", tuple(_job(name, jobs[name], ratios[name]) for name in jobs)),
            ("Rejected alternatives", tuple(f"{a.moved}: value {a.value:.2f}, {a.why}" for a in self.alternatives)),
            ("More score for 1 % more of a knob (slope; from 10 % less to 10 % more)", self._knobs()),
            ("Value for each guess", _guessed(one.values)),
            ("Not in the model", (*IGNORES, _beside())),
        )

    def _worth(self):
        one = self.judged
        yields = f"score {one.found.score:.3f}, value {one.found.value:.3f} (H100: 1)"
        yields += f"; for its worst guess, {one.worst}, it holds {one.holds:.3f}"
        if one.hole:
            yields += "; a hole in the model: more than 1.5 times any published chip of the nearest node"
        money = f"${one.found.chip_usd:,.0f} to make, ${one.found.usd_per_hour:.3f} an hour"
        watts = f"{one.found.watts:,.0f} W in the job that draws most"
        sheet = f"{one.found.watts * briefs.tdp_factor():,.0f} W as a datasheet says it"
        return yields, f"{money}; {watts} ({sheet}), {one.found.area_mm2:,.0f} mm²"

    def _knobs(self):
        return tuple(f"{words}: {self.smooth[name]:.2f} %; {self.steps[name]:.2f} %" for name, words in KNOBS.items())

    def __str__(self):
        lines = [described(self.judged.design)]
        for heading, rows in self.sections:
            lines += ["", heading, *(f"  {row}" for row in rows)]
        return "\n".join([*lines, "", self.token])

    __repr__ = __str__


@checked
def report(brief: ABrief, design: Record(Design)):
    """Report of a design that a brief made."""
    judged, weights = judge(brief, design), brief.mix
    found = sorted(_neighbours(judged), key=lambda one: (bool(one.broken), -one.value))
    return Report(judged, tuple(found), elasticities(design, True, weights), stepped(design, weights))


@checked
def of(judged: Record(Judged, "what capstone.judge returns")):
    """Report of what a panel shows: the same design under the same brief."""
    return report(judged.brief, judged.design)


def _neighbours(judged):
    for moved, other in neighbours(judged.design):
        worth = min(briefs.values(judged.brief, other).values())
        gain = worth / judged.holds - 1 if judged.holds else 0.0
        broken = tuple(limit for limit in briefs.under(judged.brief, other) if limit.broken)
        yield Alternative(moved, other, worth, gain, broken)


def neighbours(design):
    """(words, Design) of designs with one knob moved, as far as there are such."""
    for words, moved in _moves(design):
        try:
            yield words, replace(design, **moved)
        except ValueError:  # beyond what a design can be
            continue


def _moves(design):
    """(words, what is moved)."""
    few = max(1, round(design.arrays / 10))
    if design.edge % 2 == 0:
        yield "arrays half as wide, four times as many", {"edge": design.edge // 2, "arrays": 4 * design.arrays}
    if design.arrays >= 4:
        yield "arrays twice as wide, a quarter as many", {"edge": 2 * design.edge, "arrays": design.arrays // 4}
    yield f"{counted(few, 'array')} more", {"arrays": design.arrays + few}
    if design.arrays > few:
        yield f"{counted(few, 'array')} fewer", {"arrays": design.arrays - few}
    for words, factor in (("twice the SRAM", 2), ("half the SRAM", 0.5)):
        yield words, {"sram_mb": max(1.0, factor * design.sram_mb)}
    yield "one stack more", {"stacks": design.stacks + 1}
    if design.stacks:
        yield "one stack less", {"stacks": design.stacks - 1}
    for words, factor in (("a clock 10 % faster", 1.1), ("a clock 10 % slower", 0.9)):
        yield words, {"clock_hz": factor * design.clock_hz}
    yield "links a third as fast", {"link_bytes_per_s": design.link_bytes_per_s / 3}


@cache
def _beside():
    """How far the model is off where it can be checked."""
    ratios = [predicted / measured for _, predicted, measured in validate()]
    good = sum(1 / BAND <= ratio <= BAND for ratio in ratios)
    return f"of {len(ratios)} published measurements, {good} predictions are within a factor of {BAND}"


def _limit(limit):
    if not limit.most and limit.unit == "of them" and not limit.value and "jobs" in limit.limit:
        return "every job fits on 1,024 chips: ok"
    sign = "BROKEN" if limit.broken else "ok"
    unit = "" if limit.unit == "of them" else f" {limit.unit}"
    return f"{limit.limit}: {number(limit.value)} of {number(limit.most)}{unit}: {sign}"


def _job(name, result, ratio):
    if not result.fits:
        return f"{name}: does not fit"
    longest = percent(getattr(result, result.bound) / result.seconds)
    chips = f"{result.chips:,.0f} chips" if result.chips > 1 else "one chip"
    took = f"{result.bound} takes {longest} of {si(result.seconds, 's')}"
    return f"{name}: {ratio:.2f} of an H100's rate; {took}, {chips}"


def _guessed(values):
    known, said = facts(), [f"{words} gives {value:.2f}" for words, value in values.items()]
    fixed = f"{known.hours:,.0f} hours, ${known.usd_per_kwh:g} per kWh, {known.defects_per_cm2:g} defects per cm²"
    return (*("; ".join(said[i : i + 3]) for i in range(0, len(said), 3)), f"for all: {fixed}")
