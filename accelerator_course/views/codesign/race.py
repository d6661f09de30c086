"""A race of searches: four lanes to one finish, the best of all mappings; what each has found, and what it tries."""

from functools import cache
from math import inf, isfinite, log, sqrt

from accelerator_course.views.stage import Stage, boxes, lines, texts
from accelerator_lib.units import si

LEFT, FINISH, TOP, LANE = 126, 506, 74, 88  # of the lanes: start line, finish, top, height
FARTHEST = 100.0  # times the best of all: where the start line is
TICKS = (100, 30, 10, 5, 3, 2, 1.5, 1.2, 1.05)
ROLES = ("muted", "memory", "other", "compute")
DISCS = tuple(f"{role} round" for role in ROLES)
MIDDLES = tuple(TOP + LANE * (lane + 0.5) for lane in range(4))
LINES = tuple(TOP + LANE * lane + 10 + 16.5 * row for lane in range(4) for row in range(5))


class MappingRace(Stage):
    """A race for the best mapping: four searches on the same budget, each as far from the finish as its best is.

    >>> view = MappingRace()
    >>> run = list(codesign.loopnest.race(1000, 0))
    >>> view.show(run[0])
    >>> view.show(run[20])
    >>> view.show(run[-1])
    >>> view.show(list(codesign.loopnest.race(10, 1, 2**14, 2**10))[-1])
    """

    size, noun = (760, 462), "look"

    def marks(self, race):
        """`race`: codesign.loopnest.race's."""
        runners = race.runners
        names, told = [runner.strategy for runner in runners], [_told(runner, race.trials) for runner in runners]
        at = [_along(runner.ratio) for runner in runners]
        what = f"{race.trials:,} of {race.budget:,} trials each"
        return [
            *_track(race.finish, race.legal, tuple(names)),
            texts("trials", [0], 4, 12, [what], "ink bold start", 16),
            self._finds(runners),
            lines("ways", names, LEFT, MIDDLES, at, MIDDLES, ROLES, 3),
            self._trials(runners if race.trials else ()),
            boxes("runners", names, [x - 10 for x in at], [y - 10 for y in MIDDLES], 20, 20, DISCS, "", 13, names,
                  [", ".join(filter(None, words[:3])) for words, _ in told]),
            texts("told", range(20), FINISH + 18, LINES, [word for words, _ in told for word in words],
                  [look for _, looks in told for look in looks], (13, 12, 12, 12, 12) * 4),
        ]  # fmt: skip

    def _finds(self, runners):
        """Small bars: every best so far, of all lanes."""
        finds = [(lane, *step) for lane, runner in enumerate(runners) for step in runner.steps]
        keys = [f"{lane}-{trial}" for lane, trial, _ in finds]
        x, y = [_along(ratio) - 3 for *_, ratio in finds], [MIDDLES[lane] - 6 for lane, *_ in finds]
        who = [f"finds of {runners[lane].strategy}" for lane, *_ in finds]
        says = [f"trial {trial:,}: {_times(ratio)}" for _, trial, ratio in finds]
        return boxes("finds", keys, x, y, 6, 12, [f"{ROLES[lane]} soft" for lane, *_ in finds], "", 13, who, says)

    def _trials(self, runners):
        """Rings: what each has just tried; what does not fit stands behind the start."""
        fits = [isfinite(runner.last) for runner in runners]
        x = [_along(runner.last) if fit else LEFT - 13 for runner, fit in zip(runners, fits, strict=True)]
        says = [_times(runner.last) if fit else "does not fit" for runner, fit in zip(runners, fits, strict=True)]
        names = [runner.strategy for runner in runners]
        y, rings = [m + 16 for m in MIDDLES[: len(names)]], [f"{role} line round" for role in ROLES[: len(names)]]
        who = [f"trial of {name}" for name in names]
        return boxes("tried", names, [each - 5 for each in x], y, 10, 10, rings, "", 13, who, says)

    def say(self, race):
        """Who is how far from the best of all."""
        if not race.trials:
            best = f"{race.legal:,} mappings that fit, {si(race.finish.joules, 'J')}"
            return f"Nothing tried yet. The finish is the best of {best}."
        parts = [
            f"{r.strategy} {_ratio(r.ratio)}" if r.steps else f"{r.strategy} nothing that fits" for r in race.runners
        ]
        trials = "1 trial" if race.trials == 1 else f"{race.trials:,} trials"
        return f"After {trials}, in times the best of all: {'; '.join(parts)}."


def _told(runner, trials):
    """Of a runner: five lines, and how they look."""
    waited = trials - runner.found_at if 1 + 1e-9 < runner.ratio < inf else 0
    found = f"since trial {runner.found_at:,}" if runner.steps else ""
    best = _times(runner.ratio) if runner.steps else "nothing that fits yet"
    look = "bad start" if waited > trials / 2 else "ink start"
    words = best, found, f"no gain for {waited:,}" if waited else "", *_mapping(runner.leader)
    return words, ("ink bold start", "ink start", look, "ink start", "ink start")


def _times(ratio):
    return f"{_ratio(ratio)} times the best" if ratio > 1 + 1e-9 else "the best of all"


def _ratio(ratio):
    """To the hundredth where it is small: all of a column alike."""
    return f"{ratio:,.2f}" if ratio < 100 else f"{ratio:,.0f}"


def _along(ratio):
    """Where a ratio to the best lies: the closer to the finish, the more the scale is stretched."""
    return FINISH - (FINISH - LEFT) * min(sqrt(log(max(ratio, 1.0)) / log(FARTHEST)), 1)


def _mapping(leader):
    """A mapping in two lines."""
    if leader is None:
        return "", ""
    outer, order, inner, inner_order = leader
    return f"{' × '.join(map(str, outer))}, {order}", f"inside {' × '.join(map(str, inner))}, {inner_order}"


@cache
def _track(finish, legal, names):
    """Lanes, the ticks above them, the finish."""
    x, right = [_along(tick) for tick in TICKS], FINISH + 18
    bottom, told = TOP + 4 * LANE, f"finish: {si(finish.joules, 'J')}"
    parts = [part for name in names for part in [*name.replace(", ", ",|").split("|"), ""][:2]]
    tops = [TOP + LANE * lane + 4 for lane in range(4)]
    legend = "disc: its best so far   ·   small bars: bests before   ·   ring: just tried, left of the start: unfit"
    return [
        boxes("lanes", range(4), LEFT, tops, FINISH - LEFT, LANE - 8, "muted soft faint"),
        lines("ticks", range(len(x)), x, TOP - 4, x, bottom, "muted faint", 1),
        texts("tick-words", range(len(x)), x, TOP - 14, [f"{tick:g}" for tick in TICKS], "muted", 12),
        texts("axis", [0], LEFT, TOP - 34, ["energy over that of the best of all (the scale stretches)"],
              "muted start", 12),
        lines("finish", [0], FINISH, TOP - 8, FINISH, bottom + 4, "good", 4, "finish", f"{told}, the best of all"),
        texts("finish-words", range(2), right, [12, 30], [f"{told}, the best of", f"{legal:,} that fit"],
              ["good bold start", "good start"], 13),
        texts("lanes-names", range(8), 4, [y + shift for y in MIDDLES for shift in (-10, 10)], parts,
              [f"{role} bold start" for role in ROLES for _ in range(2)], 14),
        texts("legend", [0], 4, bottom + 18, [legend], "muted start", 12),
    ]  # fmt: skip
