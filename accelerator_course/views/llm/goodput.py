"""What was promised to users: 200 requests as dots beside their promise, and four ways to use eight chips."""

import numpy as np

from accelerator_course.views.kit import Chart, bars, below, pillars, rows, words
from accelerator_course.views.stage import Stage, arrows, boxes, lines, pick, texts
from accelerator_lib.units import counted, number, percent, si

HEAD = "ink bold start"


def _seconds(value):
    return si(value, "s")


class Promised(Stage):
    """Each dot is a request: to the right, the wait for its first token; upwards, the mean time between its tokens.

    >>> view, kept = Promised(), llm.goodput.Kept
    >>> view.show(kept(llm.goodput.serve_load(24, 32, None)))
    >>> view.show(kept(llm.goodput.serve_load(24, 32, 256)))
    >>> view.show(kept(llm.goodput.serve_load(40, 256, None), 0.2, 0.03))
    """

    size, noun = (740, 400), "setting"
    plot = Chart((66, 496), (334, 34), (0.02, 50), (0.004, 0.1), log="xy")
    ticks, up = (0.02, 0.1, 0.5, 2, 10, 50), (0.005, 0.01, 0.02, 0.05, 0.1)
    pillar, most, tall = np.array([568, 628, 688]), 40, 268  # middles; requests a second at their full height

    def marks(self, kept):
        """`kept`: goodput.Kept."""
        yield from self._frame()
        # The promise as a box, and a dot for each request; one beyond the axes lies at their end
        plot, load, good = self.plot, kept.load, kept.within
        x, y = plot.x(np.clip(load.ttft, *plot.scales[0])), plot.y(np.clip(load.tpot, *plot.scales[1]))
        left, floor, right, top = plot.across[0], plot.up[0], plot.x(kept.ttft), plot.y(kept.tpot)
        promised = f"promised: {_seconds(kept.ttft)}, {_seconds(kept.tpot)}"
        waits = zip(load.ttft.tolist(), load.tpot.tolist(), strict=True)
        says = [f"first token after {_seconds(wait)}, then one each {_seconds(gap)}" for wait, gap in waits]
        roles, who = pick(("bad tint round", "good round"), good), tuple(f"request {n + 1}" for n in range(len(good)))
        yield boxes("promise", [0], left, top, right - left, floor - top, "good tint dashed")
        yield words("promised", (right + 8, floor - 12, promised, "good bold start"))
        yield boxes("requests", range(len(good)), x - 3.5, y - 3.5, 7, 7, roles, who=who, says=says)
        rates, x, floor = (kept.load.arrived, kept.load.throughput, kept.goodput), self.pillar, self.plot.up[0]
        tall, looks = self.tall * np.minimum(rates, self.most) / self.most, ("muted", "memory", "good")
        named = [(x[0], "arrive"), (x[1], "answered"), (x[2], "as")]
        yield lines("foot", [0], x[0] - 28, floor, x[-1] + 28, floor, "muted", 1.5)
        yield from pillars(
            "rates", range(3), x, floor, 38, tall, looks, [number(one) for one in rates], "ink bold", size=14
        )
        yield words("names", *((at, floor + 14, name, "ink", 12) for at, name in named))
        yield words("unit", (x[2], floor + 30, "promised", "ink", 12), (x[1], 16, "requests a second", "ink"))

    def _frame(self):
        names = {
            "x_name": "time to first token (TTFT), logarithmic",
            "y_name": "time per output token (TPOT), logarithmic",
        }
        across, up = map(_seconds, self.ticks), map(_seconds, self.up)
        return self.plot.axes(self.ticks, self.up, x_words=list(across), y_words=list(up), **names)

    def say(self, kept):
        verdict = "the promise is kept for nine of ten" if kept.passes else "the promise is broken"
        grows = " The queue grows." if kept.load.growing else ""
        return (
            f"{number(kept.load.rate)} requests/s arrive ({number(kept.load.arrived)} in this draw), "
            f"{number(kept.load.throughput)} are answered, "
            f"{number(kept.goodput)} as promised ({percent(kept.share)} of the requests): {verdict}.{grows}"
        )


class Ways(Stage):
    """What nine of ten users see, in four ways to use eight chips.

    >>> view = Ways()
    >>> view.show(llm.split.ways(6, 22)), view.show(llm.split.ways(7, 20)), view.show(llm.split.ways(2, 24))
    """

    size, noun = (740, 400), "setting"
    left, chip, pitch, apart = 36, 52, 64, 68  # of the chips; `apart`: between readers and writers
    names, top, row = 164, 196, 44  # right end of the names
    scales = {  # left end, all of it [s], what was promised [s]
        "ttft": ("wait for the first token", 176, 0.2, 0.1),
        "tpot": ("time between tokens", 470, 0.03, 0.012),
    }
    wide = 180

    def marks(self, ways):
        """`ways`: a split.Way of each, the one that splits the chips last."""
        y = rows(self.top + 16, self.row, len(ways))
        slow = [n for n, way in enumerate(ways) if way.growing]
        yield from self._chips(ways[-1].readers)
        yield below("ways", self.names, y[0], [way.name for way in ways], self.row, "ink end")
        yield from (mark for name in self.scales for mark in self._scale(name, ways, y))
        yield words("grows", *((self.names, y[n] + 17, "its queue grows", "bad bold end", 12) for n in slow))

    def _chips(self, readers, count=8):
        """The chips of the last way."""
        place = np.arange(count)
        reads = place < readers
        x, middle = self.left + self.pitch * place + self.apart * ~reads, 40 + self.chip / 2
        begin, end = x[readers - 1] + self.chip + 4, x[readers] - 6
        roles, does = (
            np.where(reads, *pair).tolist() for pair in (("compute tint", "memory tint"), ("reads", "writes"))
        )
        who, says = [f"chip {n + 1}" for n in place], ["reads prompts" if one else "writes answers" for one in reads]
        title = f"{counted(readers, 'chip')} for prompts, {count - readers} for answers"
        yield words("title", (self.left, 18, title, HEAD, 14), ((begin + end) / 2, 106, "caches move", "ink", 12))
        yield boxes("chips", place, x, 40, self.chip, self.chip, roles, does, 14, who, says)
        yield arrows("move", [0], begin, middle, end, middle, "ink", 2.5)

    def _scale(self, name, ways, y):
        """A bar for each way beside what was promised; one beyond the scale is cut, and an arrow says so."""
        title, left, most, promised = self.scales[name]
        values = np.array([getattr(way, name) for way in ways])
        scale = Chart((left, left + self.wide), (self.top + self.row * len(ways), self.top), (0, most), (0, 1))
        limit, floor, top = scale.x(promised), scale.up[0], scale.up[1]
        said = [f"{_seconds(value)}{' →' if value > most else ''}" for value in values]
        roles, who = ["other" if way.readers else "memory" for way in ways], [way.name for way in ways]
        long = scale.x(np.minimum(values, most)) - left
        return [
            words(name, (left, top - 36, title, HEAD), (limit, top - 18, f"promised {_seconds(promised)}", "good", 12)),
            lines(f"{name} limit", [0], limit, top - 10, limit, floor, "good dashed", 2),
            lines(f"{name} foot", [0], left, top - 8, left, floor, "muted", 1.5),
            *bars(f"{name} bars", range(len(ways)), left, y, long, 20, roles, who=who, says=said),
            texts(f"{name} words", range(len(ways)), left + self.wide + 8, y, said, HEAD),
        ]

    def say(self, ways):
        waits = (f"{way.name} {_seconds(way.ttft)} and {_seconds(way.tpot)}" for way in ways)
        told = [f"{said} (its queue grows)" if way.growing else said for way, said in zip(ways, waits, strict=True)]
        return f"First token and time between tokens, for nine of ten users at most: {'; '.join(told)}."
