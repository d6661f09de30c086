"""A race of searches: four lanes to one finish, the best of all mappings; what each has found, and what it tries."""

from functools import cache
from math import isfinite, log, sqrt

from accelerator_lib.units import number, si
from accelerator_lib.views.stage import Stage, boxes, lines, texts

LEFT, FINISH, TOP, LANE = 126, 506, 74, 88  # of the lanes: start line, finish, top, height
FARTHEST = 100.0  # times the best of all: where the start line is
TICKS = (100, 30, 10, 5, 3, 2, 1.5, 1.2, 1.05)
ROLES = ("muted", "memory", "other", "compute")


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
        layers = [*_track(race.finish, race.legal)]
        for lane, runner in enumerate(race.runners):
            layers += self._lane(lane, runner, race.trials)
        what = f"{race.trials:,} of {race.budget:,} trials each"
        return [*layers, texts("trials", [0], 4, 12, [what], "ink bold start", 16)]

    def _lane(self, lane, runner, trials):
        y, role = TOP + LANE * lane, ROLES[lane]
        middle, name = y + LANE / 2, runner.strategy
        found = [_along(ratio) for _, ratio in runner.steps]
        at = found[-1] if found else LEFT
        waited = trials - runner.found_at if runner.ratio > 1 + 1e-9 else 0
        said = [_times(runner.ratio) if found else "nothing that fits yet"]
        said += [
            f"since trial {runner.found_at:,}" if found else "",
            f"no gain for {waited:,}" if found and waited else "",
        ]
        before = [f"trial {trial:,}: {_times(ratio)}" for trial, ratio in runner.steps]
        tried = _along(runner.last) if isfinite(runner.last) else LEFT - 13
        about = "does not fit" if not isfinite(runner.last) else _times(runner.last)
        first, comma, second = name.partition(", ")
        layers = [
            texts(f"lane{lane}", range(2), 4, [middle - 10, middle + 10], [first + comma.strip(), second],
                  f"{role} bold start", 14),
            boxes(f"found{lane}", range(len(found)), [x - 3 for x in found], middle - 6, 6, 12, f"{role} soft",
                  who=f"finds of {name}", says=before),
            lines(f"way{lane}", [0], LEFT, middle, at, middle, role, 3),
        ]  # fmt: skip
        if trials:
            layers.append(
                boxes(
                    f"tried{lane}",
                    [0],
                    tried - 5,
                    middle + 16,
                    10,
                    10,
                    f"{role} line round",
                    who=f"trial of {name}",
                    says=about,
                )
            )
        runs = boxes(
            f"runner{lane}",
            [0],
            at - 10,
            middle - 10,
            20,
            20,
            f"{role} round",
            who=name,
            says=", ".join(filter(None, said)),
        )
        words = [*said, *_mapping(runner.leader)]
        looks = [
            "ink bold start",
            "ink start",
            "bad start" if waited > trials / 2 else "ink start",
            "ink start",
            "ink start",
        ]
        x = FINISH + 18
        where = [y + 10 + 16.5 * row for row in range(5)]
        return [*layers, runs, texts(f"said{lane}", range(5), x, where, words, looks, [13, 12, 12, 12, 12])]

    def say(self, race):
        """Who is how far from the best of all."""
        if not race.trials:
            best = f"{race.legal:,} mappings that fit, {si(race.finish.joules, 'J')}"
            return f"Nothing tried yet. The finish is the best of {best}."
        parts = [
            f"{r.strategy} {number(r.ratio)}" if r.steps else f"{r.strategy} nothing that fits" for r in race.runners
        ]
        return f"After {race.trials:,} trials, in times the best of all: {'; '.join(parts)}."


def _times(ratio):
    return f"{number(ratio)} times the best" if ratio > 1 + 1e-9 else "the best of all"


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
def _track(finish, legal):
    """Lanes, the ticks above them, the finish."""
    x, right = [_along(tick) for tick in TICKS], FINISH + 18
    bottom, told = TOP + 4 * LANE, f"finish: {si(finish.joules, 'J')}"
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
        texts("legend", [0], 4, bottom + 18, [legend], "muted start", 12),
    ]  # fmt: skip
