"""Training and weights in few bits: a network that learns a spiral, a tensor's scale, GPTQ."""

import numpy as np

from accelerator_course.views.charts import ground, key_rows, signs
from accelerator_course.views.kit import Chart, legend, rows, spots, words
from accelerator_course.views.stage import Stage, boxes, lines, paths, pick, texts
from accelerator_lib.units import counted, number, percent, power, signed

TINTS = ("memory soft", "compute soft", "good soft")  # of the arm that a place gets


def _map(name, arms, left, top, edge):
    side, (row, column) = edge / len(arms), np.indices(arms.shape).reshape(2, -1)
    return boxes(name, range(arms.size), left + side * column, top + side * row, side, side, pick(TINTS, arms))


class Spiral(Stage):
    """Training in few bits: left the arm that each place gets, right loss, lost gradients and loss scale.

    >>> view, run = Spiral(), list(numerics.lowbit.watch("e4m3", "e4m3", 2.0**16, dynamic=True))
    >>> view.show(run[0]), view.show(run[30]), view.show(list(numerics.lowbit.watch("e4m3", "e4m3"))[30])
    """

    size, noun = (740, 430), "part"
    LEFT, TOP, EDGE = 12, 44, 352  # the map
    FROM, TO, END = 452, 700, 732  # the charts
    CHARTS = {  # name: (title, top, floor, lowest, highest, log, {tick: its words}, role)
        "loss": ("loss", 58, 154, 10**-2.5, 10.0, "y", {0.01: "0.01", 0.1: "0.1", 1: "1", 10: "10"}, "compute"),
        "lost": ("zero gradients", 200, 262, 0.0, 1.0, "", {0: "0 %", 0.5: "50 %", 1: "100 %"}, "bad"),
        "scale": ("loss scale (× skipped)", 310, 394, -2, 32, "", {e: power(e) for e in range(0, 33, 8)}, "memory"),
    }

    def marks(self, state):  # lowbit.Training
        left, top, half, (places, arms) = self.LEFT, self.TOP, self.EDGE / 2, state.points
        ends = np.array([places[arms == arm][np.hypot(*places[arms == arm].T).argmax()] for arm in range(3)])

        def at(points):
            return left + half + points[:, 0] * half, top + half - points[:, 1] * half

        says, looks = [f"belongs to arm {'ABC'[arm]}" for arm in arms], ("memory round", "compute round", "good round")
        yield words("title", (left, 24, "the arm that each place gets", "ink bold start", 14))
        yield _map("map", state.arms, left, top, self.EDGE)
        yield spots("points", range(len(arms)), *at(places), 5, pick(looks, arms), says=says)
        yield texts("arms", range(3), *at(0.94 * ends), [*"ABC"], "ink bold", 17)
        # Axes, and loss, share lost and scale of every ten steps; the steps that were skipped
        heads, now, left, right = [], _now(state), self.FROM, self.TO
        loss, lost, skipped, scale = state.course if state.step else [np.zeros(0)] * 4
        course = {"loss": np.nan_to_num(loss, nan=1e3, posinf=1e3), "lost": lost, "scale": np.log2(scale)}
        x = (np.arange(len(loss)) + 0.5) * state.step / max(1, len(loss))
        for name, (title, top, floor, low, high, log, marked, role) in self.CHARTS.items():
            chart = Chart((left, right), (floor, top), (0, state.planned), (low, high), log=log)
            values, y = course[name].clip(low, high), chart.y(list(marked))
            heads += [(left - 40, top - 20, title, "ink bold start")]
            yield lines(f"grid of {name}", range(len(y)), left, y, right, y, "muted faint", 1)
            yield texts(f"ticks of {name}", range(len(y)), left - 8, y, list(marked.values()), "muted end", 12)
            yield chart.line(f"course of {name}", x, values, f"{role} line", 2.5)
            yield chart.dots(f"end of {name}", range(len(x[-1:])), x[-1:], values[-1:], f"{role} round", 8)
            yield words(f"now of {name}", (self.END, top - 20, now[name], "compute bold end", 14))
        found = np.flatnonzero(skipped)
        says = [f"{counted(int(skipped[at]), 'step')} of ten skipped" for at in found]
        yield texts("skips", found, chart.x(x[found]), chart.y(-1.2), ["×"] * len(found), "bad bold", 14, says=says)
        heads += [(left, 412, "0", "muted", 12), ((left + right) / 2, 412, str(state.planned // 2), "muted", 12)]
        yield words("heads", *heads, (self.END, 412, f"{state.planned} steps", "muted end", 12))

    def say(self, state):
        if not state.step:
            return f"Before the first of {state.planned} steps: the map is random."
        skipped, now = int(state.skipped.sum()), _now(state)
        text = f"{counted(skipped, 'step')} skipped" if skipped else "no step skipped"
        zeros = f"{percent(state.zeros) if state.zeros else 'none'} of recent gradients"
        done = f"Step {state.step} of {state.planned}"
        return f"{done}: loss {now['loss']}; {zeros} became 0; {text}; loss scale {now['scale']}."


def _now(state):
    if not state.step:
        return {"loss": "", "lost": "", "scale": ""}
    loss = number(state.loss, 2) if np.isfinite(state.loss) else "not a number"
    return {"loss": loss, "lost": percent(state.zeros), "scale": power(state.scale_exponent)}


class Copies(Stage):
    """One network trained three times: what it draws, and each weight's update against half a code of its format.

    >>> view, run = Copies(), list(numerics.lowbit.together())
    >>> view.show(run[0]), view.show(run[30])
    """

    size, noun = (740, 430), "part"
    EDGE, TOP, FLOOR, TALL = 214, 54, 382, 62  # of the maps; of the updates' charts
    PULLS = -20, 20  # and the octaves on them
    TITLES = {"fp32": "FP32", "bf16": "bf16, to the nearest", "bf16 stochastic": "bf16, at random"}
    LOOKS = {"fp32": "memory", "bf16": "bad", "bf16 stochastic": "other"}  # of updates that are too small

    def marks(self, states):  # {kind of weights: lowbit.Training}
        for (kind, state), left in zip(states.items(), rows(22, 240, len(states)), strict=True):
            right, floor, top, octaves = left + self.EDGE, self.FLOOR, self.FLOOR - self.TALL, np.arange(*self.PULLS)
            chart = Chart((left, right), (floor, top), self.PULLS, (0, max(1, state.pulls.max())))
            tall, begin, zero = floor - chart.y(state.pulls), chart.x(octaves), float(chart.x(0))
            hover = {"who": f"{self.TITLES[kind]}, updates", "says": [f"{n:,} weights" for n in state.pulls]}
            wide, looks = begin[1] - begin[0] - 0.5, pick(("memory", self.LOOKS[kind]), octaves < 0)
            yield _map(f"{kind} map", state.arms, left, self.TOP, self.EDGE)
            yield boxes(f"{kind} pulls", octaves, begin, floor - tall, wide, tall, looks, **hover)
            yield lines(f"{kind} base", [0], left, floor, right, floor, "muted", 1)
            yield lines(f"{kind} half", [0], zero, top - 16, zero, floor + 4, "ink dashed", 1.5)
            yield words(
                f"{kind} words",
                (left, 16, self.TITLES[kind], "ink bold start", 14),
                (left, 37, f"loss {state.loss:.2f}", "compute bold start", 14),
                (zero - 6, top - 22, "too small", "muted end", 12),
                (zero + 6, top - 22, "large enough", "muted start", 12),
                (left, floor + 18, power(self.PULLS[0]), "muted start", 12),
                (zero, floor + 18, "1", "muted", 12),
                (right, floor + 18, power(self.PULLS[1]), "muted end", 12),
                ((left + right) / 2, floor + 40, "update ÷ half an ulp (log.)", "ink", 12),
            )

    def say(self, states):
        first = next(iter(states.values()))
        if not first.step:
            return f"Before the first of {first.planned} steps: three equal networks."
        text = ", ".join(f"{state.loss:.2f} ({self.TITLES[kind]})" for kind, state in states.items())
        return f"Step {first.step} of {first.planned}. Loss: {text}."


class History(Stage):
    """A tensor's largest magnitude after scaling, step by step, against the largest number of the format.

    >>> view = History()
    >>> view.show(numerics.amax.delayed(numerics.amax.magnitudes(16.0)))
    >>> view.show(numerics.amax.delayed(numerics.amax.magnitudes(100.0), 1))
    >>> view.show(numerics.amax.delayed(numerics.amax.magnitudes(1.0), 64, "e5m2", 2))
    """

    size, noun = (760, 430), "setting"

    def marks(self, found):  # amax.Delayed
        chart = Chart((62, 738), (372, 50), (-20, 2020), (2.0**-9, 2.0**7), "y", inside=True)
        powers = [2.0**power for power in range(-8, 7, 2)]
        written = ["1/256", "1/64", "1/16", "1/4", "1", "4", "16", "64"]
        share, steps, one = found.share, np.arange(len(found.share)), float(chart.y(1))
        kept, cut = np.flatnonzero(~found.clipped), np.flatnonzero(found.clipped)
        dots = np.unique(np.rint([chart.x(steps[kept]) / 2, chart.y(share[kept]) / 2]).T.astype(int), axis=0) * 2 - 1
        moves = np.diff(dots, axis=0, prepend=0)
        dots = "M0 0" + "".join(f"m{a} {b}h2v2h-2Z" for a, b in moves)
        (left, right), (_, top) = chart.across, chart.up
        says = [f"{number(value)} times the format's largest" for value in share[cut]]
        who = [f"step {step:,}" for step in steps[cut]]
        keys = [("kept", "memory", None, "round"), ("clipped", "bad line", None, "cross")]
        yield boxes("clips", [0], left, top, right - left, one - top, "bad soft faint")
        yield from key_rows(keys, left, right, 16)[0]
        yield from ground(chart, "step", "largest magnitude ÷ format's largest (log.)", y=powers, said=(None, written))
        yield lines("largest", [0], left, one, right, one, "ink", 1.5, "the format's largest", "1")
        yield words("where", (right - 10, top + 16, "clipped here", "bad bold end"))
        yield paths("kept", [0], [dots], role="memory", who="kept")
        yield signs(chart, "cut", cut, steps[cut], np.minimum(share[cut], 100), "cross", "bad line", who, says, 0.6)

    def say(self, found):
        count = int(found.clipped.sum())
        worst = f"{counted(count, 'step')} clipped, at worst {number(found.worst)} times the format's largest"
        text = worst if count else "nothing clipped"
        return f"{text}; over all steps, {found.idle_octaves:.2g} octaves stay unused on average."


class Compensation(Stage):
    """GPTQ, input by input: the weights as they drift from where they began; signal to noise of weights and output.

    >>> view, run = Compensation(), list(numerics.gptq_steps(*numerics.gptq.example(0.7)))
    >>> view.show(run[0]), view.show(run[20])
    """

    size, noun = (740, 452), "input"
    LEFT, TOP, WIDE, HIGH = 54, 46, 10.4, 6.4  # of the weights; of one
    LOOKS = {"muted soft": "up to 0.5", "memory soft": "up to 1", "memory": "up to 2", "other": "more"}

    def marks(self, state):  # gptq.Rounded
        moved, left, top = np.abs(state.moved).T, self.LEFT, self.TOP
        outputs, inputs = moved.shape
        row, column = np.indices(moved.shape).reshape(2, -1)
        right, low, done = left + self.WIDE * inputs, top + self.HIGH * outputs, max(self.WIDE * state.done, 0.1)
        place, looks = (left + self.WIDE * column, top + self.HIGH * row), np.digitize(moved, (0.5, 1.0, 2.0))
        yield boxes("weights", range(moved.size), *place, self.WIDE - 0.7, self.HIGH - 0.7, pick(self.LOOKS, looks))
        yield boxes("rounded", [0], left - 2, top - 3, done + 2, low - top + 5, "compute line")
        yield from legend("legend", left + 170, low + 19, self.LOOKS.items(), size=12, gap=50)
        # Both signal-to-noise ratios so far, and where plain rounding ends
        across = (left, right)
        up = (418, 308)
        chart, ticks = Chart(across, up, (0, len(state.first)), (-10.0, 50.0), inside=True), np.arange(-10.0, 51, 10)
        plain = chart.y([state.plain_weight_snr_db, state.plain_output_snr_db])
        weights, outputs = np.array(state.course).reshape(-1, 2).T
        x, ends = np.arange(1, len(weights) + 1), range(min(1, len(weights)))
        yield from chart.axes(y=ticks, y_words=[signed(tick, f"{abs(tick):g}") for tick in ticks])
        yield lines("plain", range(2), across[0], plain, across[1], plain, ("memory dashed", "compute"), 1.2)
        yield chart.line("weights' course", x, weights, "memory line dashed", 2.5)
        yield chart.line("output's course", x, outputs, "compute line", 2.5)
        yield chart.dots("weights' end", ends, x[-1:], weights[-1:], "memory round", 8)
        yield chart.dots("output's end", ends, x[-1:], outputs[-1:], "compute", 8)
        yield words(
            "words",
            (left, 20, "weights: one column per input", "ink bold start", 14),
            (right, 20, f"framed: {state.done} of {inputs} rounded", "compute bold end", 14),
            (left, low + 19, "steps moved:", "muted start", 12),
            (left, 308 - 14, "signal to noise [dB]; thin: plain rounding", "ink bold start"),
            (left, 418 + 16, "0", "muted", 12),
            (right, 418 + 16, f"{inputs} inputs", "muted end", 12),
            (left + 150, 418 + 16, "■ output", "compute bold start", 12),
            (left + 330, 418 + 16, "● weights (dashed)", "memory bold start", 12),
        )

    def say(self, state):
        if not state.done:
            return f"Nothing is rounded yet: {counted(len(state.first), 'input')}, {state.first.shape[1]} outputs."
        ratios = state.weight_snr_db, state.output_snr_db, state.plain_weight_snr_db, state.plain_output_snr_db
        weights, output, *plain = (f"{ratio:.1f} dB".replace("-", "−") for ratio in ratios)
        rounded = f"{counted(state.done, 'input')} rounded: the weights' signal to noise is {weights}"
        return f"{rounded}, the output's {output}. By plain rounding: {' and '.join(plain)}."
