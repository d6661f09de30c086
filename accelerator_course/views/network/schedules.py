"""Schedules: who works and who waits, in a pipeline, in a step that talks, for the slowest of many, in a long run."""

from functools import lru_cache
from statistics import NormalDist

import numpy as np

from accelerator_course.views.kit import Chart, bars, below, legend, nice, pillars, rows, words
from accelerator_course.views.stage import Stage, boxes, lines, pick, texts
from accelerator_lib.units import counted, number, percent, si

ORDERS = {"gpipe": "GPipe", "1f1b": "1F1B", "interleaved": "Interleaved 1F1B"}
WAYS = {"F": ("forward", "compute"), "B": ("backward", "other")}
PLAN = "muted line dashed"


class Gantt(Stage):
    """A pipeline at work: forwards and backwards of micro-batches, and the activations that each stage keeps.

    >>> view, run = Gantt(), list(frames.network.watch("1f1b", 4, 16))
    >>> view.show(run[0]), view.show(run[20]), view.show(run[-1])
    >>> view.show(list(frames.network.watch("interleaved", 8, 16, 4))[60])
    """

    size, noun = (740, 440), "moment"
    left, right, top, floor = 132, 730, 48, 264  # of the diagram
    digit = 7.4  # pixels of it

    def marks(self, moment):  # frames.network.Moment
        made, left, right, end = moment.schedule, self.left, self.right, self.floor
        stages = _stages(made.stages)
        n, high, scale = range(made.stages), (end - self.top) / made.stages, (right - left) / made.seconds
        y, single = rows(self.top, high, made.stages), made.interleave == 1
        waits = "waits" if single else "waits; pale: every second chunk"
        key = [("compute", "forward"), ("other", "backward"), ("muted soft", waits), (PLAN, "first to last turn")]
        kind, idle = ORDERS[made.kind].replace(" 1F1B", ""), f"idle so far {percent(moment.waited)}"
        yield from legend("key", left, 19, key if single else key[:3])
        yield words("head", (8, 19, kind, "ink bold start", 14), (right, 19, idle, "ink bold end", 14))
        yield boxes("lanes", n, left, y + 2, scale * moment.clock, high - 4, "muted soft")
        # A frame for each stage, from its first forward to its last backward
        stage, starts, ends = (made.columns[name] for name in ("stage", "start", "end"))
        first, last = (np.array([one[stage == n].min() for n in range(made.stages)]) for one in (starts, -ends))
        says = [f"works from {number(one)} to {number(-other)}" for one, other in zip(first, last, strict=True)]
        place = self.left + scale * first, y + 1, -scale * (first + last), high - 2
        yield boxes("plan", range(made.stages), *place, PLAN, who=_stages(made.stages), says=says)
        yield self._spans(moment, scale, high)
        running = [moment.running.get(stage) for stage in n]
        said = [f"{span.way} {span.microbatch + 1}" if span else "–" for span in running]
        role = [f"{WAYS[span.way][1]} bold" if span else "muted" for span in running]
        yield texts("stages", n, 8, y + high / 2, stages, "ink start")
        yield texts("now", n, 98, y + high / 2, said, role, 15)
        ticks = np.arange(0, made.seconds + 1e-9, nice(max(made.seconds / 11, 1))).astype(int)
        yield lines("axis", [0], left, end, right, end, "muted", 1)
        yield texts("ticks", ticks, left + scale * ticks, end + 12, ticks, "muted", 12)
        yield words("time", (8, end + 12, "time (F = 1)", "muted start", 12))
        # activations of each stage: a pillar for those of now, a dashed line for the most of the run
        floor, slot, scale = 388, (right - left) / made.stages, 68 / max(made.microbatches, made.live)
        x, wide = rows(left + slot / 2, slot, made.stages), min(44, 0.5 * slot)
        live, peak = scale * np.array(moment.live), floor - scale * np.array(made.peaks)
        now, most = ([number(one) for one in each] for each in (moment.live, made.peaks))
        says = [f"keeps {one}, at most {other}" for one, other in zip(now, most, strict=True)]
        yield below("kept head", 8, floor - 58, ["activations", "kept, in", "micro-batches"])
        yield lines("floor", [0], left, floor, right, floor, "muted", 1.2)
        yield from pillars("kept", n, x, floor, wide, live, "memory", who=stages, says=says)
        yield lines("most", n, x - wide / 2 - 4, peak, x + wide / 2 + 4, peak, "ink dashed", 1.5)
        yield texts("kept now", n, x, floor + 13, now, "memory bold", 14)
        yield texts("kept most", n, x, floor + 32, most, "muted", 12)
        yield below("kept rows", 8, floor + 13, [("now", "memory bold start"), ("most of the run", "muted start")], 19)

    def _spans(self, moment, scale, high):
        made, (who, solid, numbers, doing, says) = moment.schedule, _fixed(moment.schedule)
        start, end, stage, batch = (made.columns[name] for name in ("start", "end", "stage", "microbatch"))
        wide = scale * (np.clip(moment.clock, start, end) - start)
        room = np.maximum(wide - (1 if scale > 4 else 0.25 * np.minimum(wide, 1)), 0)
        fits = room >= self.digit * np.array([len(str(n + 1)) for n in batch])
        roles = "paper soft", "compute", "other", "compute tint", "other tint"
        role = pick(roles, np.where(start < moment.clock, solid, 0))
        place = self.left + scale * start, self.top + high * stage + 3, room, high - 6
        said, says = pick(numbers, np.where(fits, batch + 1, 0)), pick(says, np.where(moment.here, doing, 0))
        return boxes("spans", range(len(start)), *place, role, said, 12, who, says)

    def say(self, moment):
        made = moment.schedule
        most = max(range(made.stages), key=lambda stage: moment.live[stage])
        stages, batches = counted(made.stages, "stage"), counted(made.microbatches, "micro-batch", "micro-batches")
        kept = f"stage {most + 1} keeps most, {number(moment.live[most])} micro-batch{'es' * (moment.live[most] != 1)}"
        kept = kept if any(moment.live) else "nothing is kept"
        said = f"{ORDERS[made.kind]}, {stages}, {batches}, at {number(moment.clock)} of {number(made.seconds)}: "
        return said + f"{len(moment.running)} of {stages} work; {kept}; idle so far {percent(moment.waited)}."


def _stages(count):
    return [f"stage {n + 1}" for n in range(count)]


@lru_cache(maxsize=4)
def _fixed(made):
    """What no moment changes: names, solid roles, numbers; which words say what a span does."""
    solid = np.array([1 if span.way == "F" else 2 for span in made.spans]) + 2 * (made.columns["chunk"] % 2)
    parts = [f" of chunk {span.chunk + 1}" if made.interleave > 1 else "" for span in made.spans]
    doing = [f"{WAYS[s.way][0]}{part} on stage {s.stage + 1}" for s, part in zip(made.spans, parts, strict=True)]
    says = ["", *dict.fromkeys(doing)]
    who = tuple(f"micro-batch {span.microbatch + 1}" for span in made.spans)
    place = {one: i for i, one in enumerate(says)}
    return who, solid, ["", *map(str, range(1, made.microbatches + 1))], np.array([place[one] for one in doing]), says


class Lanes(Stage):
    """Talk behind arithmetic: forward and backward of a step, the messages of each, and what is waited for.

    >>> view, step, given = Lanes(), network.overlap.one_step, ("llama-2-7b", hardware.chip("h100-sxm5"))
    >>> view.show(step(*given, 2048, 64, 50e9)), view.show(step(*given, 65536, 64, 50e9, "fsdp"))
    >>> view.show(step(*given, 256, 8, 450e9, "fsdp"))
    """

    size, noun = (740, 300), "setting"
    left, right, top, high, gap = 100, 722, 58, 62, 24

    def marks(self, step):  # network.overlap.Step
        turn, sent = step.backward_start, "weights, gradients" if step.gathered else "gradients"
        done, wait = turn + step.backward, "bad line dashed"
        parts = (  # what, who, lane, from, for so long
            ("forward", "forward", 0, 0.0, step.forward, "compute"),
            ("backward", "backward", 0, turn, step.backward, "compute tint"),
            ("gather weights", "gather weights", 1, 0.0, step.gathered, "memory"),
            (sent, sent, 1, turn, step.reduced, "other"),
            ("waits", "waits for weights", 0, step.forward, turn - step.forward, wait),
            ("waits", "waits for messages", 0, done, step.seconds - done, wait),
        )
        left, right, top, high, pitch = self.left, self.right, self.top, self.high, self.high + self.gap
        scale, foot = (right - left) / step.seconds, top + pitch + high
        there = [part for part in parts if part[4] * scale >= 0.5]
        what, who, lane, start, long, role = map(list, zip(*there, strict=True))
        x, wide, y = left + scale * np.array(start), scale * np.array(long), top + pitch * np.array(lane)
        said = [text if room > 7.3 * len(text) + 6 else "" for text, room in zip(what, wide, strict=True)]
        keys, says, time = [parts.index(part) for part in there], [si(one, "s") for one in long], si(step.seconds, "s")
        yield below("lanes", 8, top + high / 2, ["the chip", "its link"], pitch, "ink bold start", 14)
        yield boxes("parts", keys, x, y, wide, high, role, said, 14, who, says)
        yield lines("ends", range(2), [left, right], top - 10, [left, right], foot + 10, "muted", 1.2)
        yield words("time", (left, top - 22, "0", "muted"), (right, top - 22, time, "ink bold end"))
        y, said, end = foot + 51, f"{percent(step.efficiency)} of the step", left + (right - left) * step.efficiency
        beside = (end + 8, y, said, "ink bold start", 14)
        if step.efficiency > 0.5:
            beside = (end - 8, y, said, "paper bold end", 14)
        yield boxes("whole", [0], left, y - 11, right - left, 22, "muted line")
        yield boxes("useful", [0], left, y - 11, end - left, 22, "good")
        yield words("useful words", (8, y, "computes", "ink bold start", 14), beside)

    def say(self, step):
        waits = f"the chip waits for {si(step.waited, 's')}" if step.waited > 1e-12 else "all is hidden"
        said = f"{si(step.arithmetic, 's')} of arithmetic, {si(step.talk, 's')} of talk, {waits}: the chip computes "
        return said + f"for {percent(step.efficiency)} of the step."


class Slowest(Stage):
    """Stragglers: the step times of one GPU, and the slowest of all, which everyone waits for.

    >>> view, slowest = Slowest(), network.stragglers.slowest
    >>> view.show(slowest(1024, 0.03)), view.show(slowest(1024, 0.03, 16)), view.show(slowest(16384, 0.1))
    >>> view.show(slowest(8, 0.011, 16, "fixed"))
    """

    size, noun = (740, 410), "setting"

    def marks(self, slowest):  # network.stragglers.Slowest
        end = max(nice(max(slowest.drawn[-1] - 1, 0.01)), 0.01)
        chart = Chart((60, 722), (330, 80), (1 - end / 2, 1 + end), (0, 1))
        (left, right), (floor, top), (low, high) = chart.across, chart.up, chart.scales[0]
        counts, edges = np.histogram(slowest.drawn, 24, (low, high))
        there, x = np.flatnonzero(counts), chart.x(edges)
        says = [f"in {counts[i]} of {counts.sum()}: {edges[i]:.3f} to {edges[i + 1]:.3f}" for i in there]
        drawn = x[there] + (x[1] - x[0]) / 2, floor, x[1] - x[0] - 2, (floor - top) * counts[there] / counts.max()
        meet, one, digits = chart.x(min(slowest.expected, high)), chart.x(1), 3 if high - low < 0.1 else 2
        ticks = np.linspace(low, high, 7)[::2]
        said, at = [f"{tick:.{digits}f}" for tick in ticks], min(max(meet, left + 120), right - 120)
        yield lines("one", [0], one, top - 8, one, floor, "muted dashed", 1.5)
        if slowest.sigma:  # without a spread, one GPU has no curve
            normal, x = NormalDist(1, slowest.sigma), np.linspace(low, high, 161)
            own, spread = [normal.pdf(each) / normal.pdf(1) for each in x], f"spread {percent(slowest.sigma)}"
            yield chart.line("own", x, own, "memory line", 2.5, "one GPU", spread)
        yield from pillars("slowest", there, *drawn, "bad tint", who="the slowest", says=says)
        yield lines("expected", [0], meet, top - 22, meet, floor, "ink", 2.5)
        yield lines("axis", [0], left, floor, right, floor, "ink", 1.5)
        yield texts("ticks", range(4), chart.x(ticks), floor + 15, said, "muted", 12)
        yield words(
            "words",
            (at, top - 34, f"formula: {slowest.expected:.3f}", "ink bold", 14),
            (right, floor + 38, "time of a step; 1: without any spread", "ink end"),
            (left, floor + 38, "— one GPU", "memory bold start"),
            (left, floor + 60, "■ the slowest of all, drawn by chance", "bad bold start"),
        )

    def say(self, slowest):
        said = f"{counted(slowest.gpus, 'GPU')}, each with a spread of {percent(slowest.sigma)} between meetings: the "
        said += f"slowest takes {number(slowest.mean, 4)} on average of {len(slowest.drawn)} draws, "
        return said + f"{number(slowest.expected, 4)} by the formula."


class Context(Stage):
    """A long sequence on a ring of chips: which queries have met which keys, and who computes while others wait.

    >>> view, run, fair = Context(), list(frames.network.passed(4, False)), list(frames.network.passed(8, True))
    >>> view.show(run[0]), view.show(run[2]), view.show(run[-1]), view.show(fair[3])
    """

    size, noun = (746, 400), "step"
    left, top, side, right = 96, 56, 304, 520  # of the square, and where the bars begin

    def marks(self, state):  # of frames.network.passed
        done, owner, left, top, bold = state["done"], state["owner"], self.left, self.top, "ink bold start"
        chunks, chips, step, cell = np.arange(len(owner)), len(owner) // 2, max(done, 1), self.side / len(owner)
        (query, key), at, chip = np.nonzero(np.tri(len(owner))), cell * (chunks + 0.5), np.arange(chips)
        when, names = state["when"][query, key] + 1, np.array([f"chip {one + 1}" for one in chip])
        who = [f"queries of {a}, keys of {b}" for a, b in zip(names[owner[query]], names[owner[key]], strict=True)]
        look = pick(("paper soft", "compute tint", "compute"), 1 * (when <= done) + (when == done))
        place, says = (left + cell * key + 1, top + cell * query + 1), [f"step {one}" for one in when]
        yield boxes("pairs", range(len(query)), *place, cell - 2, cell - 2, look, who=who, says=says)
        yield texts("queries", chunks, left - 8, top + at, names[owner], "ink end", 12)
        yield texts("keys", chunks, left + at, top - 12, owner + 1, "ink", 12)
        work = state["work"][step - 1] * (done > 0)
        said = [f"{number(one)}, keys of {(i - step + 1) % chips + 1}" for i, one in enumerate(work)]
        role, y = pick(("compute", "bad"), (work == max(work)) & (work > min(work))), rows(92, 240 / chips, chips)
        yield from bars("work", chip, self.right, y, 24 * work, 150 / chips, role, said, who=names, names=names)
        head = (left, 20, "a row: queries; a column: keys; dark: computed in this step", bold, 14)
        time = f"time so far {number(state['seconds'])}; at best, all takes {2 * chips}"
        yield words("words", head, (460, 56, "pairs in this step", bold, 14), (460, 380, time, bold, 14))

    def say(self, state):
        chips, took = len(state["work"]), number(state["seconds"])
        said = f"Step {state['done']} of {chips}. The time so far is {took}, where a pair of chunks takes 1; "
        return said + f"shared evenly, all of it would take {2 * chips}."
