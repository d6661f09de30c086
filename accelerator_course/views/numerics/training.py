"""Training in few bits: a network that learns a spiral, and the scale of a tensor from its history."""

import numpy as np

from accelerator_course.views.charts import ground, key_rows, signs
from accelerator_course.views.kit import Chart, spots, words
from accelerator_course.views.numerics.written import power
from accelerator_course.views.stage import Stage, boxes, lines, paths, pick, texts
from accelerator_lib.units import counted, number, percent


class Spiral(Stage):
    """Training in few bits: left what the network takes each point for, right loss, lost gradients and loss scale.

    >>> view, run = Spiral(), list(numerics.lowbit.watch("e4m3", "e4m3", 2.0**16, dynamic=True))
    >>> view.show(run[0])
    >>> view.show(run[3])
    >>> view.show(run[30])
    >>> view.show(list(numerics.lowbit.watch("e4m3", "e4m3"))[30])
    """

    size, noun = (740, 430), "part"
    LEFT, TOP, EDGE = 12, 44, 352  # the map
    TINTS = ("memory soft", "compute soft", "good soft")
    ROLES = ("memory round", "compute round", "good round")
    FROM, TO, END = 452, 700, 732  # the charts
    CHARTS = {  # name: (title, top, floor, lowest, highest, log, {tick: its words}, role)
        "loss": ("loss", 58, 154, 10**-2.5, 10.0, "y", {0.01: "0.01", 0.1: "0.1", 1: "1", 10: "10"}, "compute"),
        "lost": ("gradients become 0", 200, 262, 0.0, 1.0, "", {0: "0 %", 0.5: "50 %", 1: "100 %"}, "bad"),
        "scale": ("loss scale (× skipped)", 310, 394, -2, 32, "", {e: power(e) for e in range(0, 33, 8)}, "memory"),
    }

    def marks(self, state):
        """`state`: lowbit.Training."""
        return [*self._map(state), *self._charts(state)]

    def _map(self, state):
        left, top, half, count = self.LEFT, self.TOP, self.EDGE / 2, len(state.arms)
        side, (places, arms) = self.EDGE / count, state.points
        x, y = np.meshgrid(side * np.arange(count), side * np.arange(count))
        ends = np.array([places[arms == arm][np.hypot(*places[arms == arm].T).argmax()] for arm in range(3)])

        def at(points):
            return left + half + points[:, 0] * half, top + half - points[:, 1] * half

        says = [f"belongs to arm {'ABC'[arm]}" for arm in arms]
        return [
            words("title", (left, 24, "what each place is taken for", "ink bold start", 14)),
            boxes("map", range(count**2), left + x, top + y, side, side, pick(self.TINTS, state.arms)),
            spots("points", range(len(arms)), *at(places), 5, pick(self.ROLES, arms), says=says),
            texts("arms", range(3), *at(0.94 * ends), [*"ABC"], "ink bold", 17),
        ]

    def _charts(self, state):
        """Axes, and loss, share lost and scale of every ten steps; the steps that were skipped."""
        made, heads, ticks, now = [], [], [], _now(state)
        loss, lost, skipped, scale = state.course if state.step else [np.zeros(0)] * 4
        course = {"loss": np.nan_to_num(loss, nan=1e3, posinf=1e3), "lost": lost, "scale": np.log2(scale)}
        x = (np.arange(len(loss)) + 0.5) * state.step / max(1, len(loss))
        for name, (title, top, floor, low, high, log, marked, role) in self.CHARTS.items():
            chart = Chart((self.FROM, self.TO), (floor, top), (0, state.planned), (low, high), log=log)
            values = course[name].clip(low, high)
            ticks += [(float(chart.y(value)), word) for value, word in marked.items()]
            heads += [(self.FROM - 40, top - 20, title, "ink bold start")]
            heads += [(self.END, top - 20, now[name], "compute bold end", 14)]
            made += [
                chart.line(f"course of {name}", x, values, f"{role} line", 2.5),
                chart.dots(f"end of {name}", range(len(x[-1:])), x[-1:], values[-1:], f"{role} round", 8),
            ]
        y, marked = zip(*ticks, strict=True)
        found = np.flatnonzero(skipped)
        says = [f"{counted(int(skipped[at]), 'step')} of ten skipped" for at in found]
        return [
            lines("grid", range(len(y)), self.FROM, y, self.TO, y, "muted faint", 1),
            texts("ticks", range(len(y)), self.FROM - 8, y, marked, "muted end", 12),
            words("heads", *heads),
            *made,
            texts("skips", found, chart.x(x[found]), chart.y(-1.2), ["×"] * len(found), "bad bold", 14, says=says),
            words(
                "steps",
                (self.FROM, 412, "0", "muted", 12),
                ((self.FROM + self.TO) / 2, 412, str(state.planned // 2), "muted", 12),
                (self.END, 412, f"{state.planned} steps", "muted end", 12),
            ),
        ]

    def say(self, state):
        if not state.step:
            return f"Before the first of {state.planned} steps: the map is chance."
        skipped = int(state.skipped.sum())
        told = f"{counted(skipped, 'step')} skipped" if skipped else "no step skipped"
        zeros = "none of the gradients" if not state.zeros else f"{percent(state.zeros)} of the gradients"
        return (
            f"Step {state.step} of {state.planned}: loss {_now(state)['loss']}; {zeros} became 0; {told}; "
            f"loss scale {_now(state)['scale']}."
        )


class Copies(Stage):
    """One network trained three times: what it draws, and each weight's update against half a code of its format.

    >>> view, run = Copies(), list(numerics.lowbit.together())
    >>> view.show(run[0])
    >>> view.show(run[4])
    >>> view.show(run[30])
    """

    size, noun = (740, 430), "part"
    EDGE, TOP, APART, LEFT = 214, 54, 240, 22  # of the maps
    FLOOR, TALL = 382, 62  # of the updates' charts
    PULLS = -20, 20  # and the octaves on them
    TITLES = {"fp32": "FP32", "bf16": "bf16, to the nearest", "bf16 stochastic": "bf16, by chance"}
    LOOKS = {"fp32": ("memory", "memory"), "bf16": ("bad", "memory"), "bf16 stochastic": ("other", "memory")}

    def marks(self, states):
        """`states`: {kind of weights: lowbit.Training}."""
        made = []
        for place, (kind, state) in enumerate(states.items()):
            made += self._copy(kind, state, self.LEFT + self.APART * place)
        return made

    def _copy(self, kind, state, left):
        count, right = len(state.arms), left + self.EDGE
        side = self.EDGE / count
        x, y = np.meshgrid(side * np.arange(count), side * np.arange(count))
        chart = Chart((left, right), (self.FLOOR, self.FLOOR - self.TALL), self.PULLS, (0, 1))
        octaves = np.arange(*self.PULLS)
        tall = self.TALL * state.pulls / max(1, state.pulls.max())
        far, near = self.LOOKS[kind]
        begin, wide = chart.x(octaves), float(chart.x(1) - chart.x(0)) - 0.5
        says = [f"{n:,} weights" for n in state.pulls]
        loss = f"loss {state.loss:.2f}"
        zero = float(chart.x(0))
        return [
            words(f"{kind} head", (left, 16, self.TITLES[kind], "ink bold start", 14),
                  (left, 37, loss, "compute bold start", 14)),
            boxes(f"{kind} map", range(count**2), left + x, self.TOP + y, side, side, pick(Spiral.TINTS, state.arms)),
            boxes(f"{kind} pulls", octaves, begin, self.FLOOR - tall, wide, tall,
                  [far if octave < 0 else near for octave in octaves], who=f"{self.TITLES[kind]}, updates", says=says),
            lines(f"{kind} base", [0], left, self.FLOOR, right, self.FLOOR, "muted", 1),
            lines(f"{kind} half", [0], zero, self.FLOOR - self.TALL - 16, zero, self.FLOOR + 4, "ink dashed", 1.5),
            words(f"{kind} ends", (zero - 6, self.FLOOR - self.TALL - 22, "too small", "muted end", 12),
                  (zero + 6, self.FLOOR - self.TALL - 22, "large enough", "muted start", 12),
                  (left, self.FLOOR + 18, power(self.PULLS[0]), "muted start", 12),
                  (zero, self.FLOOR + 18, "1", "muted", 12),
                  (right, self.FLOOR + 18, power(self.PULLS[1]), "muted end", 12),
                  ((left + right) / 2, self.FLOOR + 40, "update / half an ulp (logarithmic)", "ink", 12)),
        ]  # fmt: skip

    def say(self, states):
        first = next(iter(states.values()))
        if not first.step:
            return f"Before the first of {first.planned} steps: three equal networks."
        told = ", ".join(f"{self.TITLES[kind]} {state.loss:.2f}" for kind, state in states.items())
        return f"Step {first.step} of {first.planned}. Loss: {told}."


def _now(state):
    if not state.step:
        return {"loss": "", "lost": "", "scale": ""}
    loss = number(state.loss, 2) if np.isfinite(state.loss) else "not a number"
    return {"loss": loss, "lost": percent(state.zeros), "scale": power(state.scale_exponent)}


class History(Stage):
    """A tensor's largest magnitude after scaling, step by step, against the largest number of the format.

    >>> view = History()
    >>> view.show(numerics.amax.delayed(numerics.amax.magnitudes(16.0)))
    >>> view.show(numerics.amax.delayed(numerics.amax.magnitudes(100.0), 1))
    >>> view.show(numerics.amax.delayed(numerics.amax.magnitudes(1.0), 64, "e5m2", 2))
    """

    size, noun = (760, 430), "setting"

    def marks(self, found):
        """`found`: amax.Delayed."""
        chart = Chart((62, 738), (372, 50), (-20, 2020), (2.0**-9, 2.0**7), "y", inside=True)
        powers = [2.0**power for power in range(-8, 7, 2)]
        written = ["1/256", "1/64", "1/16", "1/4", "1", "4", "16", "64"]
        share, steps, one = found.share, np.arange(len(found.share)), float(chart.y(1))
        kept, cut = np.flatnonzero(~found.clipped), np.flatnonzero(found.clipped)
        x, y = chart.x(steps[kept]), chart.y(share[kept])
        dots = "".join(
            f"M{a - 1:.1f} {b - 1:.1f}H{a + 1:.1f}V{b + 1:.1f}H{a - 1:.1f}Z" for a, b in zip(x, y, strict=True)
        )
        (left, right), (_, top) = chart.across, chart.up
        says = [f"{number(value)} times the format's largest" for value in share[cut]]
        who = [f"step {step:,}" for step in steps[cut]]
        keys = [("kept", "memory", None, "round"), ("clipped", "bad line", None, "cross")]
        return [
            boxes("clips", [0], left, top, right - left, one - top, "bad soft faint"),
            *key_rows(keys, left, right, 16)[0],
            *ground(chart, "step", "largest magnitude, in the format's largest (log.)", y=powers, said=(None, written)),
            lines("largest", [0], left, one, right, one, "ink", 1.5, "the format's largest", "1"),
            words("where", (right - 10, top + 16, "here it is clipped", "bad bold end")),
            paths("kept", [0], [dots], role="memory", who="kept"),
            signs(chart, "cut", cut, steps[cut], np.minimum(share[cut], 100), "cross", "bad line", who, says, 0.6),
        ]

    def say(self, found):
        count = int(found.clipped.sum())
        told = (
            f"{counted(count, 'step')} clipped, the worst {number(found.worst)} times too large"
            if count
            else "nothing clipped"
        )
        return f"{told}; octaves that stay unused above the largest value: {found.idle_octaves:.2g} on average."
