"""Many designs:a map of score and cost; a front that grows; what each knob is worth."""

import numpy as np

from accelerator_course.views.kit import Chart, bars, below, legend, rows, spots, words
from accelerator_course.views.stage import Stage, arrows, boxes, lines, paths, pick, texts
from accelerator_lib.units import counted, number, percent, si

COSTS = {"dollars": ("usd_per_hour", "$ {} an hour", ".3f", ".2f"), "watts": ("watts", "{} W", ".0f", ".0f")}


def short(name):
    """A published chip's name, as it stands beside its dot."""
    return {"A100 80GB SXM4": "A100", "H100 SXM5 80GB": "H100"}.get(name, name)


class Map(Chart):
    """Cost to the right, score upwards: a front, published chips, one's own; what lies outside is drawn at the edge."""

    def __init__(self, across, up, cost, over="dollars"):
        super().__init__(across, up, cost, (0, 2.5), inside=True)
        self.field, self.unit, self.fine, self.coarse = COSTS[over]

    def frame(self, parts, x_name, y_name):
        """Axes with so many parts across."""
        x, y = np.round(np.linspace(*self.scales[0], parts + 1), 6), np.linspace(*self.scales[1], 6)
        (left, right), (floor, top), look = self.across, self.up, ("ink start", 12)
        yield from self.axes(x, y)
        yield words("names", (left - 30, top - 15, y_name, *look), (right, floor + 30, x_name, "ink end", 12))

    def front(self, cost, score, name, role="good", key="front", step=9):
        """A front as a staircase: no design of it is beaten by another; every so many can be pointed at."""
        if len(cost):
            x, y = self.x(cost), self.y(score)
            stairs = "".join(f"H{a:.1f}V{b:.1f}" for a, b in zip(x[1:], y[1:], strict=True))
            some = np.unique(np.append(np.arange(0, len(cost), step), len(cost) - 1))
            says = [f"score {number(score[i])} at ${cost[i]:.3f} an hour" for i in some]
            yield paths(key, [0], f"M{x[0]:.1f} {y[0]:.1f}{stairs}", role=f"{role} line", size=2)
            yield spots(f"{key} dots", some, x[some], y[some], 5, f"{role} round", who=name, says=says)

    def published(self, chips, own=None):
        cost = [getattr(chip, self.field) for chip in chips]
        x, y, names = self.x(cost), self.y([chip.score for chip in chips]), [short(chip.name) for chip in chips]
        down = np.array([11 if name == "TPU v4" else 3 for name in names])
        price = [self.unit.format(f"{one:{self.coarse}}") for one in cost]
        its = zip(chips, price, strict=True)
        says = [f"score {number(chip.score)}, value {number(chip.value)}, {one}" for chip, one in its]
        yield spots("chips", names, x, y, 10, "ink", who=names, says=says)
        at = (self.x(own.usd_per_hour), self.y(own.score)) if own else (np.inf, np.inf)
        covered = (abs(at[0] - x - 30) < 30) & (abs(at[1] - y - down) < 16)  # by one's own design: then to the left
        side = pick(("ink start", "ink end"), covered)
        yield texts("chip names", names, x + np.where(covered, -10, 10), y + down, names, side, 12)

    def own(self, dot, legal, chips):
        """One's own design:round, a dashed square where it is not legal; outside, an arrow and numbers."""
        x, y = float(self.x(dot.usd_per_hour)), float(self.y(dot.score))
        far, high = dot.usd_per_hour > self.scales[0][1], dot.score > self.scales[1][1]
        role, score, price = "good" if legal else "bad", number(dot.score), number(dot.usd_per_hour)
        if far or high:
            said = f"yours: {score} at ${price}"
            yield arrows("mine off", [0], x - 14 * far, y + 14 * high, x, y, role, 3)
            yield words("mine said", (self.across[1], self.up[1] - 15, said, f"{role} bold end"))
        else:
            says, look = f"score {score}, value {number(dot.value)}, ${price} an hour", "good round"
            look = look if legal else "bad tint dashed"
            a, b, end = self._free(x, y, chips)
            yield spots("mine", [0], x, y, 16, look, who="your design", says=says)
            yield words("mine said", (a, b, "yours", f"{role} bold {end}"))

    def _free(self, x, y, chips):
        """(x, y, anchor) of a short word beside a dot, off the frame's numbers and, if it can be, off chips' names."""
        taken = [(float(self.x(dot.usd_per_hour)), float(self.y(dot.score))) for dot in chips]
        beside = [(x + far, y + up, end) for up in (-14, 16, 0) for far, end in ((-12, "end"), (12, "start"))]
        (left, _), (floor, top) = self.across, self.up
        inside = [a for a in beside if top < a[1] < floor - 6 and (a[2] == "start" or x - 54 > left)]
        begins = [(one, one[0] - 42 * (one[2] == "end")) for one in inside]
        meets = lambda at, b, x, y: at < x + 48 and x - 6 < at + 42 and abs(b - y - 4) < 17  # noqa: E731
        free = [one for one, at in begins if not any(meets(at, one[1], *chip) for chip in taken)]
        return (free or inside)[0]


def triangle(judged, left, right, top):
    """What the die is spent on: arrays, SRAM, memory interfaces; published chips beside one's own."""
    base, middle, others = top + 158, (left + right) / 2, judged.others
    corners = np.array([[middle, top + 4], [left, base], [right, base]])  # arrays, SRAM, memory
    shares, names = [dot.shares for dot in (*others, judged.dot)], [*(short(dot.name) for dot in others), "yours"]
    says = [f"arrays {percent(a)}, SRAM {percent(s)}, memory {percent(m)}" for a, s, m in shares]
    size, at = np.array([8] * len(others) + [14]), np.array(shares) @ corners
    x, y = at[-1]
    high, far = y < top + 40, x > right - 40  # beside the words of the corners above and to the right
    colour, mine = ("good", "good round") if judged.legal else ("bad", "bad tint dashed")
    yield lines("sides", range(3), *corners[[1, 2, 0]].T, *corners[[2, 0, 1]].T, "muted", 1.5)
    yield words(
        "triangle",
        (left - 6, base + 15, "all SRAM", "ink start", 12),
        (right + 6, base + 15, "all memory interfaces", "ink end", 12),
        (middle + 12, top + 4, "all arrays", "ink start", 12),
        (left - 6, top + 8, "the die", "ink bold start", 12),
        (left - 6, top + 26, "■ published", "muted start", 12),
        (x + 11 - 22 * far, y + 15 if high else y - 11, "yours", f"{colour} bold {'end' if far else 'start'}"),
    )
    yield spots("shares", names, *at.T, size, ["ink"] * len(others) + [mine], who=names, says=says)


SIDE, RANGES = 540, {"dollars": ((0.1, 0.4), "$ an hour", 6), "watts": ((0, 1000), "W", 5)}
CALLED = {"random": "at random", "grid": "a coarse grid", "evolution": "evolution"}


class Front(Stage):
    """The front grows: designs tried, those that are legal, and those that no other beats.

    `chips`: published chips, capstone.Dot with watts.

    >>> view, run = Front(league.capstone.real_dots()), list(design.explore.fronts("evolution", seed=2))
    >>> view.show(run[0]), view.show(run[12]), view.show(run[-1])
    >>> view.show(list(design.explore.fronts("grid", "watts"))[-1])
    """

    size, noun = (760, 470), "dozen"

    def __init__(self, chips=()):
        self.chips = chips

    def marks(self, found):  # design.explore.Explored
        span, unit, parts = RANGES[found.over]
        chart = Map((62, 502), (400, 70), span, found.over)
        ours = found.cost[found.front], found.score[found.front]
        yield from chart.frame(parts, unit, "score on the five jobs (H100: 1)")
        yield from chart.front(*found.all_front, "the front of the whole grid", "muted", "all front", 400)
        yield from chart.front(*ours, "", "good", "front", 1000)
        # Legal designs as dots; those on the front large and green, the newest with an edge
        show, last = np.flatnonzero(found.legal), len(found.tried) - found.fresh
        look = np.where(np.isin(show, found.front), 0, np.where(show >= last, 1, 2))
        roles, cost = np.array(["good round", "compute round", "muted round"])[look], found.cost
        end = [": on the front", ": beaten", ": beaten"]
        price = [chart.unit.format(f"{cost[i]:{chart.fine}}") for i in show]
        says = [f"score {found.score[i]:.2f}, {p}{end[k]}" for i, p, k in zip(show, price, look, strict=True)]
        who = [f"design {i + 1}: {_words(found.design(i))}" for i in show]
        x, y = chart.x(cost[show]), chart.y(found.score[show])
        yield spots("tried", show, x, y, np.array([9, 8, 4])[look], roles, who=who, says=says)
        yield from chart.published(self.chips)
        y, bar, roles = rows(96, 52, 5), rows(96, 52, 5)[[0, 1, 3, 4]] + 16, ["muted", "compute", "good", "good"]
        said = [f"{len(found.tried)} of {found.budget} designs tried"]
        said += [f"{found.legal_count} legal: {percent(found.legal_share)}"]
        said += [f"{counted(len(found.front), 'design')} on the front", f"area below it: {percent(found.grown)} of all"]
        said += [f"best value: {percent(found.share)} of all"]
        shares = np.array([found.spent, found.legal_share, found.grown, found.share])
        key = [("● on the front", "good start"), ("● new, beaten", "compute start"), "● beaten"]
        key += [("■ published chips", "ink start"), "— front of all designs"]
        yield words("way", (SIDE, 64, CALLED[found.strategy], "ink bold start", 15))
        yield below("counted", SIDE, y[0], said, 52)
        yield boxes("scale", range(4), SIDE, bar - 5, 200, 10, "muted line")
        yield from bars("bars", range(4), SIDE, bar, 200 * np.minimum(shares, 1), 10, roles, least=0.5)
        yield below("key", SIDE, 366, key, 19, "muted start", 12)

    def say(self, found):
        tried, way = len(found.tried), CALLED[found.strategy]
        if not found.legal_count:
            return f"{tried} designs tried, {way}: not one is legal yet."
        said = f"{tried} designs tried, {way}: {found.legal_count} legal, {len(found.front)} on the front; below it "
        said += f"{percent(found.grown)} of the area that the whole grid reaches; the best value is "
        return said + f"{number(found.best_value)}, {percent(found.share)} of the grid's."


def _words(one):
    return f"{one.arrays:,} × {one.edge}², {one.sram_mb:g} MB, {one.stacks} stacks, {si(one.clock_hz, 'Hz')}"


KNOBS = {"edge": "edge of an array", "arrays": "arrays", "sram_mb": "SRAM", "stacks": "stacks", "clock_hz": "clock"}
KNOBS |= {"link_bytes_per_s": "links"}


class Worth(Stage):
    """What each knob is worth: the slope where the design stands, and a step from ten percent below to ten above.

    >>> view, d = Worth(), design.Design(128, 20, 128, 6, 1.5e9, 300e9)
    >>> view.show((d, True, design.explore.elasticities(d), design.explore.stepped(d)))
    >>> view.show((d, False, design.explore.elasticities(d, False), design.explore.stepped(d)))
    >>> none = design.Design(512, 1, 16, 0, 1e9, 3e11)
    >>> view.show((none, True, design.explore.elasticities(none), design.explore.stepped(none)))
    """

    size, noun = (740, 430), "design"

    def marks(self, found):  # (design, smooth, {knob: slope}, {knob: percent for a percent, between two steps})
        _, smooth, slopes, steps = found
        n, y = range(len(KNOBS)), rows(107, 50, len(KNOBS))
        chart = Chart((200, 530), (y[-1] + 27, 82), (0, 1), (0, 1))
        (zero, unit), (end, top) = chart.across, chart.up
        colour, ticks = "compute" if smooth else "other", np.array([0, 0.25, 0.5, 0.75, 1.0])
        names = list(KNOBS.values())
        kind = "slope, rounding left out" if smooth else "slope, rounded up as it is built"
        step = "from 10 % less to 10 % more"
        yield from chart.axes(x=ticks, x_words=[f"{tick:g} %" for tick in ticks])
        many = [("slopes", slopes, -8, "slope", f"{colour} bold start", colour)]
        many += [("steps", steps, 10, step, "muted start", "muted tint")]
        for name, values, down, what, look, role in many:
            value = np.array([values[knob] for knob in KNOBS])
            left, right = chart.x(np.clip(value, -0.5, 0)), chart.x(np.clip(value, 0, 1.3))
            says = [f"{what}: {one:.3f} %" for one in value]
            yield from bars(name, n, left, y + down, right - left, 15, role, who=names, says=says, least=0.4)
            yield texts(f"{name} values", n, right + 8, y + down + 0.5, [_number(v) for v in value], look)
        yield lines("zero", [0], zero, top, zero, end, "ink", 1.5)
        yield words("axis", (unit, end + 34, "more score for 1 % more of a knob", "ink end"))
        yield texts("names", n, zero - 14, y + 2, names, "ink end", 14)
        yield from legend("key", 20, 29, [(colour, kind), ("muted tint", f"{step}, as it is built")], 24)

    def say(self, found):
        design, smooth, slopes, steps = found
        first = max(slopes, key=slopes.get)
        kind = "rounding left out" if smooth else "as built"
        what = f"{design.arrays:,} arrays of {design.edge} × {design.edge}, {kind}"
        if slopes[first] <= 0:
            return f"{what}: no knob changes the score here."
        said = f"{what}: 1 % more {KNOBS[first]} brings {slopes[first]:.2f} % of score, 1 % more arrays "
        return said + f"{_number(slopes['arrays'])} %; in steps of 10 % arrays bring {_number(steps['arrays'])} %."


def _number(value):
    return "0" if value == 0 else f"{value:.3f}" if abs(value) < 0.01 else f"{value:.2f}"
