"""What was promised: 200 requests as dots, four ways to use eight chips."""

import numpy as np

from accelerator_course.views.kit import Chart, bars, below, pillars, rows, words
from accelerator_course.views.stage import Stage, arrows, boxes, lines, pick, texts
from accelerator_lib.units import counted, in_seconds, number, percent

HEAD = "ink bold start"


class Promised(Stage):
    """Each dot is a request: to the right, the wait for its first token; upwards, the mean time between its tokens.

    >>> view, load = Promised(), llm.goodput.serve_load
    >>> view.show(load(24, 32, None)), view.show(load(24, 32, 256))
    >>> view.show(load(40, 256, None, 1, "reasoning"))
    """

    size, noun = (740, 400), "setting"
    plot = Chart((66, 496), (334, 34), (0.005, 50), (0.003, 0.1), log="xy")
    ticks = {"x": (0.005, 0.02, 0.1, 0.5, 2, 10, 50), "y": (0.005, 0.01, 0.02, 0.05, 0.1)}
    names = {"x_name": "time to first token (TTFT), logarithmic"}
    names |= {"y_name": "time per output token (TPOT), logarithmic"}
    pillar, most, tall = np.array([568, 628, 688]), 40, 268  # middles; requests a second at their full height

    def marks(self, load):  # goodput.Load
        plot, good, (first, gap) = self.plot, load.within, load.promise
        said = {f"{axis}_words": [in_seconds(tick) for tick in ticks] for axis, ticks in self.ticks.items()}
        yield from plot.axes(**self.ticks, **said, **self.names)
        # the promise as a box, and a dot for each request; one beyond the axes lies at their end
        x, y = plot.x(np.clip(load.ttft, *plot.scales[0])), plot.y(np.clip(load.tpot, *plot.scales[1]))
        left, floor, right, top = plot.across[0], plot.up[0], plot.x(first), plot.y(gap)
        promised = f"promised: {in_seconds(first)}, {in_seconds(gap)}"
        waits = zip(load.ttft.tolist(), load.tpot.tolist(), strict=True)
        says = [f"first token after {in_seconds(wait)}, then one every {in_seconds(gap)}" for wait, gap in waits]
        roles, who = pick(("bad tint round", "good round"), good), tuple(f"request {n + 1}" for n in range(len(good)))
        yield boxes("promise", [0], left, top, right - left, floor - top, "good tint dashed")
        yield words("promised", (right + 8, floor - 12, promised, "good bold start"))
        yield boxes("requests", range(len(good)), x - 3.5, y - 3.5, 7, 7, roles, who=who, says=says)
        rates, x = (load.arrived, load.throughput, load.goodput), self.pillar
        tall, said = self.tall * np.minimum(rates, self.most) / self.most, [number(one) for one in rates]
        looks, named = ("muted", "memory", "good"), zip(x, ("arrive", "answered", "as"), strict=True)
        yield lines("foot", [0], x[0] - 28, floor, x[-1] + 28, floor, "muted", 1.5)
        yield from pillars("rates", range(3), x, floor, 38, tall, looks, said, "ink bold", size=14)
        yield words("names", *((at, floor + 14, name, "ink", 12) for at, name in named))
        yield words("unit", (x[2], floor + 30, "promised", "ink", 12), (x[1], 16, "requests a second", "ink"))

    def say(self, load):
        verdict = "the promise is kept for at least nine of ten" if load.passes else "the promise is broken"
        grows = " The queue grows." if load.growing else ""
        said = f"{number(load.rate)} requests/s arrive ({number(load.arrived)} in this draw), "
        said += f"{number(load.throughput)} are answered, and {number(load.goodput)} as promised "
        return said + f"({percent(load.share)} of those answered): {verdict}.{grows}"


class Ways(Stage):
    """What nine of ten users see, in four ways to use eight chips.

    >>> view = Ways()
    >>> view.show(llm.split.ways(6, 22)), view.show(llm.split.ways(7, 20)), view.show(llm.split.ways(2, 24))
    """

    size, noun = (740, 400), "setting"
    left, chip, pitch, apart = 36, 52, 64, 68  # of the chips; `apart`: between readers and writers
    names, top, row, wide = 164, 196, 44, 180  # right end of the names; of the bars
    scales = {"ttft": ("wait for the first token", 176, 0.2, 0.1)}  # left end, all of it [s], what was promised [s]
    scales |= {"tpot": ("time between tokens", 470, 0.03, 0.012)}

    def marks(self, ways):  # a split.Way of each, the one that splits the chips last
        y, slow = rows(self.top + 16, self.row, len(ways)), [n for n, way in enumerate(ways) if way.growing]
        readers, place = ways[-1].readers, np.arange(8)
        reads = place < readers
        x, middle = self.left + self.pitch * place + self.apart * ~reads, 40 + self.chip / 2
        begin, end = x[readers - 1] + self.chip + 4, x[readers] - 6
        roles, does = pick(("memory tint", "compute tint"), reads), pick(("writes", "reads"), reads)
        who, says = [f"chip {n + 1}" for n in place], pick(("writes answers", "reads prompts"), reads)
        title = f"{counted(readers, 'chip')} for prompts, {len(place) - readers} for answers"
        yield words("title", (self.left, 18, title, HEAD, 14), ((begin + end) / 2, 106, "caches move", "ink", 12))
        yield boxes("chips", place, x, 40, self.chip, self.chip, roles, does, 14, who, says)
        yield arrows("move", [0], begin, middle, end, middle, "ink", 2.5)
        yield below("ways", self.names, y[0], [way.name for way in ways], self.row, "ink end")
        for name in self.scales:
            # A bar for each way beside what was promised; one beyond the scale is cut, and an arrow says so
            title, left, most, promised = self.scales[name]
            values, n = np.array([getattr(way, name) for way in ways]), range(len(ways))
            scale = Chart((left, left + self.wide), (self.top + self.row * len(ways), self.top), (0, most), (0, 1))
            limit, floor, top = scale.x(promised), scale.up[0], scale.up[1]
            said = [f"{in_seconds(value)}{' →' if value > most else ''}" for value in values]
            roles, who = ["other" if way.readers else "memory" for way in ways], [way.name for way in ways]
            long = scale.x(np.minimum(values, most)) - left
            asked = f"promised {in_seconds(promised)}"
            yield words(name, (left, top - 36, title, HEAD), (limit, top - 18, asked, "good", 12))
            yield lines(f"{name} limit", [0], limit, top - 10, limit, floor, "good dashed", 2)
            yield lines(f"{name} foot", [0], left, top - 8, left, floor, "muted", 1.5)
            yield from bars(f"{name} bars", n, left, y, long, 20, roles, who=who, says=said)
            yield texts(f"{name} words", n, left + self.wide + 8, y, said, HEAD)
        yield words("grows", *((self.names, y[n] + 17, "its queue grows", "bad bold end", 12) for n in slow))

    def say(self, ways):
        names = [f"{way.name}: its queue grows, and so do these waits" if way.growing else way.name for way in ways]
        waits = [f"{in_seconds(way.ttft)} and {in_seconds(way.tpot)} ({names[n]})" for n, way in enumerate(ways)]
        return f"Nine of ten users wait no longer than this, for first token and between tokens: {'; '.join(waits)}."
