"""A pipeline's schedule: a row for each stage, time to the right; below, what each stage keeps."""

from functools import lru_cache

import numpy as np

from accelerator_course.views.stage import Stage, boxes, lines, pick, texts
from accelerator_lib.units import counted, number, percent

LEFT, RIGHT, TOP, ROWS = 132, 730, 48, 216  # of the diagram
FLOOR, HIGH = 388, 68  # of the bars below
TURN = 7.4  # pixels of a digit
ROLES = ("paper soft", "compute", "other", "compute tint", "other tint")
NAMES = {"gpipe": "GPipe", "1f1b": "1F1B", "interleaved": "Interleaved 1F1B"}
WAYS = {"F": "forward", "B": "backward"}


class Gantt(Stage):
    """A pipeline at work: forwards and backwards of micro-batches, and the activations that each stage keeps.

    >>> view = Gantt()
    >>> run = list(network.gantt.watch("1f1b", 4, 16))
    >>> view.show(run[0])
    >>> view.show(run[20])
    >>> view.show(run[-1])
    >>> view.show(list(network.gantt.watch("interleaved", 8, 16, 4))[60])
    """

    size, noun = (740, 440), "moment"

    def marks(self, moment):
        """`moment`: network.gantt.Moment."""
        made, high = moment.schedule, ROWS / moment.schedule.stages
        scale = (RIGHT - LEFT) / made.seconds
        rows = TOP + high * np.arange(made.stages)
        return [
            *self._legend(moment),
            boxes("lanes", range(made.stages), LEFT, rows + 2, scale * moment.clock, high - 4, "muted soft"),
            self._spans(moment, scale, high),
            *self._now(moment, rows + high / 2),
            *self._axis(made, scale),
            *self._kept(moment),
        ]

    def _legend(self, moment):
        made, chunks = moment.schedule, "" if moment.schedule.interleave == 1 else "; pale: every second chunk"
        return [
            boxes("key", range(3), [LEFT, LEFT + 94, LEFT + 202], 12, 14, 14, ("compute", "other", "muted soft")),
            texts(
                "key-words",
                range(4),
                [LEFT + 20, LEFT + 114, LEFT + 222, 8],
                19,
                ["forward", "backward", f"waits{chunks}", NAMES[made.kind].replace(" 1F1B", "")],
                ("ink start", "ink start", "ink start", "ink bold start"),
                [13, 13, 13, 14],
            ),
            texts("waited", [0], RIGHT, 19, [f"idle so far {percent(moment.waited)}"], "ink bold end", 14),
        ]

    def _spans(self, moment, scale, high):
        made, (who, solid, words, doing, says) = moment.schedule, _fixed(moment.schedule)
        start, end, stage = (made.column(name) for name in ("start", "end", "stage"))
        wide = scale * (np.clip(moment.clock, start, end) - start)
        room = np.maximum(wide - (1 if scale > 4 else 0.25 * np.minimum(wide, 1)), 0)
        fits = room >= TURN * np.array([len(str(n + 1)) for n in made.column("microbatch")])
        return boxes(
            "spans",
            range(len(start)),
            LEFT + scale * start,
            TOP + high * stage + 3,
            room,
            high - 6,
            pick(ROLES, np.where(start < moment.clock, solid, 0)),
            pick(words, np.where(fits, made.column("microbatch") + 1, 0)),
            12,
            who=who,
            says=pick(says, np.where(moment.here, doing, 0)),
        )

    def _now(self, moment, middles):
        running = [moment.running.get(stage) for stage in range(moment.schedule.stages)]
        words = [f"{span.way} {span.microbatch + 1}" if span else "–" for span in running]
        roles = [{"F": "compute", "B": "other"}[span.way] + " bold" if span else "muted" for span in running]
        stages = range(len(running))
        return [
            texts("stages", stages, 8, middles, [f"stage {n + 1}" for n in stages], "ink start", 13),
            texts("now", stages, 98, middles, words, roles, 15),
        ]

    def _axis(self, made, scale):
        step = next(n for n in (1, 2, 5, 10, 20, 50, 100, 200, 500, 1000, 2000) if made.seconds / n <= 11)
        ticks = np.arange(0, made.seconds + 1e-9, step)
        end = TOP + ROWS
        return [
            lines("axis", [0], LEFT, end, RIGHT, end, "muted", 1),
            texts("ticks", ticks.astype(int), LEFT + scale * ticks, end + 12, [f"{t:g}" for t in ticks], "muted", 12),
            texts("axis-words", [0], 8, end + 12, ["time (F = 1)"], "muted start", 12),
        ]

    def _kept(self, moment):
        made, live = moment.schedule, np.array(moment.live)
        stages, slot = range(made.stages), (RIGHT - LEFT) / made.stages
        x, wide = LEFT + slot * (np.arange(made.stages) + 0.5), min(44, 0.5 * slot)
        scale, peak = HIGH / max(made.microbatches, made.live), np.array(made.peaks)
        says = [f"keeps {number(n)}, at most {number(most)}" for n, most in zip(live, peak, strict=True)]
        return [
            texts(
                "kept-head",
                range(3),
                8,
                FLOOR - HIGH + np.array([10, 28, 46]),
                ["activations", "kept, in", "micro-batches"],
                "ink start",
                13,
            ),
            lines("floor", [0], LEFT, FLOOR, RIGHT, FLOOR, "muted", 1.2),
            boxes(
                "kept",
                stages,
                x - wide / 2,
                FLOOR - scale * live,
                wide,
                scale * live,
                "memory",
                who=[f"stage {n + 1}" for n in stages],
                says=says,
            ),
            lines(
                "most",
                stages,
                x - wide / 2 - 4,
                FLOOR - scale * peak,
                x + wide / 2 + 4,
                FLOOR - scale * peak,
                "ink dashed",
                1.5,
            ),
            texts("kept-now", stages, x, FLOOR + 13, [number(n) for n in live], "memory bold", 14),
            texts("kept-most", stages, x, FLOOR + 32, [number(n) for n in peak], "muted", 12),
            texts(
                "kept-rows",
                range(2),
                8,
                FLOOR + np.array([13, 32]),
                ["now", "most of the run"],
                ("memory bold start", "muted start"),
                13,
            ),
        ]

    def say(self, moment):
        made = moment.schedule
        busy, most = len(moment.running), max(range(made.stages), key=lambda stage: moment.live[stage])
        stages, batches = counted(made.stages, "stage"), counted(made.microbatches, "micro-batch", "micro-batches")
        kept = f"stage {most + 1} keeps most, {number(moment.live[most])}" if any(moment.live) else "nothing is kept"
        return (
            f"{NAMES[made.kind]}, {stages}, {batches}, at {number(moment.clock)} of {number(made.seconds)}: {busy} of "
            f"{stages} work; {kept}; "
            f"idle so far {percent(moment.waited)}."
        )


@lru_cache(maxsize=4)
def _fixed(made):
    """What no moment changes: names, solid roles, words; which words say what a span does."""
    forward, chunk = np.array([span.way == "F" for span in made.spans]), made.column("chunk")
    solid = np.where(forward, 1, 2) + 2 * (chunk % 2)
    says, doing = [""], []
    for span in made.spans:
        part = f" of chunk {span.chunk + 1}" if made.interleave > 1 else ""
        words = f"{WAYS[span.way]}{part} on stage {span.stage + 1}"
        if words not in says:
            says.append(words)
        doing.append(says.index(words))
    who = tuple(f"micro-batch {span.microbatch + 1}" for span in made.spans)
    return who, solid, ["", *map(str, range(1, made.microbatches + 1))], np.array(doing), says
