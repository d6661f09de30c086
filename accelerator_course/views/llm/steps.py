"""A step, a prompt and an answer: what is read, how long that takes, and who gets a token from it."""

import numpy as np

from accelerator_course.views import style
from accelerator_course.views.kit import Chart, bars, below, legend, rows, words
from accelerator_course.views.roofline.roof import Roof
from accelerator_course.views.stage import Stage, boxes, lines
from accelerator_lib.units import counted, number, percent, si

HEAD = "ink bold start"


def _seconds(value):
    return si(value, "s")


def _ticks(end):
    """Round places from 0 to `end`, seven at most."""
    step = 10.0 ** np.floor(np.log10(end / 2))
    step *= next(k for k in (1, 2, 5, 10) if end / (k * step) <= 6)
    return np.arange(0, end * 1.0001, step)


class OneStep(Stage):
    """One step: the weights are read once, and a cache for each user; below, who gets how many tokens.

    >>> view = OneStep()
    >>> view.show(llm.steps.read("llama-2-7b", "a100-80gb-sxm", 1, 1024))
    >>> view.show(llm.steps.read("llama-2-7b", "a100-80gb-sxm", 8, 1024))
    >>> view.show(llm.steps.read("llama-2-7b", "a100-80gb-sxm", 32, 2048))
    """

    size, noun = (746, 404), "setting"
    left, rate = 20, 0.13  # pixels of a token a second
    time = Chart((left, 707.5), (148, 28), (0, 25e-3), (0, 1))
    ticks = np.arange(6) / 200

    def marks(self, reading):
        """`reading`: llm.steps.Reading."""
        step, users, left = reading.step, np.arange(reading.users), self.left
        held, cache, busy = self.time.x([reading.weights_seconds, reading.cache_seconds, step.compute_seconds]) - left
        end, gap = left + held + cache * users, 1 if cache > 4 else 0
        read, each, done = map(_seconds, (reading.weights_seconds, reading.cache_seconds, step.compute_seconds))
        each, look = f"what was kept of {reading.context:,} tokens: {each}", "memory tint" if gap else "memory soft"
        names, rates = [f"user {n + 1}" for n in users], [reading.user_tokens_per_s, step.tokens_per_s]
        who, roles, y = ["each user", "all users"], ["other tint", "other"], rows(295, 54, 2)
        told = [
            f"for each user: {number(rates[0])} tokens per second",
            f"for all: {number(rates[1])} tokens per second",
        ]
        return [
            *self.time.axes(self.ticks, x_words=["0", *map(_seconds, self.ticks[1:])]),
            words(
                "heads",
                (left, 16, "read from the chip's memory", HEAD, 14),
                (left, 100, "arithmetic, in the meantime", HEAD, 14),
                (left, 200, "users, each gets one token from this step", HEAD, 14),
                (left, 384, "both bars at one scale", "muted start", 12),
                (end[-1] + cache + 8, 52, _seconds(step.seconds), "memory bold start", 15),
            ),
            boxes("weights", [0], left, 30, held, 44, "memory", "weights", 14, "weights", read),
            boxes("caches", users, end, 30, cache - gap, 44, look, who=names, says=each),
            *bars(
                "arithmetic", [0], left, [123], [busy], 22, "compute", [done], "compute bold start", "arithmetic", done
            ),
            boxes("users", users, left + 22 * users, 212, 18, 24, "other tint", who=names, says="one token"),
            below("rates", left, 274, told, 54, HEAD, 14),
            *bars("speeds", range(2), left, y, self.rate * np.array(rates), 18, roles, who=who, says=told),
            lines("zero", range(2), left, y - 12, left, y + 12, "ink", 1.2),
        ]

    def say(self, reading):
        """How long the step takes, and what that is for one user and for all."""
        step = reading.step
        return (
            f"{counted(reading.users, 'user')} with {reading.context:,} tokens of text each: a step takes "
            f"{si(step.seconds, 's')}. Each user gets {number(reading.user_tokens_per_s)} tokens per second, all "
            f"together {number(step.tokens_per_s)}."
        )


class Timeline(Stage):
    """One request: its prompt is read, its tokens come one by one, and a second user waits.

    >>> view = Timeline()
    >>> view.show(llm.phases.answer("llama-2-7b", "a100-80gb-sxm", 2048, 256))
    >>> view.show(llm.phases.answer("llama-2-7b", "a100-80gb-sxm", 16, 1))
    >>> view.show(llm.phases.answer("llama-2-7b", "a100-80gb-sxm", 131_072, 2048, 0.2))
    """

    size, noun = (746, 408), "setting"
    left, right, most = 90, 710, 90  # strokes of tokens

    def marks(self, answer):
        """`answer`: llm.phases.Answer."""
        left, right = self.left, self.right
        time = Chart((left, right), (150, 46), (0, answer.next_first), (0, 1))
        first, done = time.x([answer.first, answer.done]) - left
        shown = np.arange(0, answer.output, each := -(-answer.output // self.most))
        ticks, strokes = _ticks(answer.next_first), time.x(answer.times[shown])
        thick, said = 2 if len(shown) < 60 else 1.5, [_seconds(one) for one in (answer.first, answer.done)]
        token, reads = "a token" if each == 1 else f"every {each} tokens", "the prompt is read"
        keys = [(answer.bound, reads), ("memory", token), ("muted tint dashed", "waits for the chip")]
        made = {"who": "the answer, token by token", "says": counted(answer.output, "token")}
        return [
            *legend("keys", left, 21, keys),
            *time.axes(ticks, x_words=[_seconds(one) if one else "0" for one in ticks]),
            below("names", left - 10, 68, ["user 1", "user 2"], 50, "ink bold end", 14),
            boxes("prompt", range(2), [left, left + done], [50, 100], first, 36, answer.bound, who=reads, says=said[0]),
            boxes("answer", [0], left + first, 50, done - first, 36, "memory tint", **made),
            lines("tokens", shown, strokes, 54, strokes, 82, "memory", thick),
            boxes("wait", [0], left, 100, done, 36, "muted tint dashed", who="user 2 waits", says=said[1]),
            lines("flag", [0], right, 96, right, 140, "memory", 3),
            *self._said(answer),
        ]

    def _said(self, answer):
        """The three waits, and the prompt's arithmetic: products with weights, and attention among its tokens."""
        left, wide, shares = self.left, self.right - self.left, np.array([answer.weights_share, answer.attention_share])
        named = [f"{name} {percent(one)}" for name, one in zip(("weights", "attention"), shares, strict=True)]
        gap = "no second token" if answer.output == 1 else f"from token to token {_seconds(answer.mean_gap)} (mean)"
        waits = [
            (f"user 1: first token after {_seconds(answer.first)}", f"{answer.bound} bold start"),
            (gap, "memory bold start"),
            f"user 2: first token after {_seconds(answer.next_first)}",
        ]
        least = f"no prompt is faster than one read of the weights: {_seconds(answer.read_seconds)}"
        at, roles = [left, left + wide * shares[0]], ["compute tint", "other tint"]
        return [
            below("waits", left, 202, waits, 26, HEAD, 16),
            words(
                "notes",
                (left, 282, least, "muted start"),
                (self.right, 202, "" if answer.fits else "its cache does not fit", "bad bold end", 14),
                (left, 322, "arithmetic of the prompt", HEAD, 14),
                (left, 374, named[0], "compute bold start"),
                (self.right, 374, named[1], "other bold end"),
            ),
            boxes("shares", range(2), at, 334, wide * shares, 24, roles, who=named, says="of the FLOP"),
        ]

    def say(self, answer):
        """When the first token comes, how fast the others, when the next user's first."""
        then = "" if answer.output == 1 else f", then one every {si(answer.mean_gap, 's')}"
        room = "" if answer.fits else " Its cache does not fit this chip."
        return (
            f"A prompt of {counted(answer.prompt, 'token')}: the first token comes after {si(answer.first, 's')}{then}."
            f" A second user who came at the same time sees a first token after {si(answer.next_first, 's')}.{room}"
        )


class TwoDots(Roof):
    """The prompt and one step of the answer on one roof, and the line that no number of users passes.

    >>> view = TwoDots()
    >>> view.show(llm.phases.phases("llama-2-7b", "a100-80gb-sxm", 1024, 1))
    >>> view.show(llm.phases.phases("llama-2-7b", "a100-80gb-sxm", 1024, 64))
    >>> view.show(llm.phases.phases("llama-3-8b", "h100-sxm5", 128, 512))
    >>> view.show(llm.phases.phases("llama-2-7b", "a100-80gb-sxm", 16, 16))
    """

    def __init__(self):
        super().__init__(intensity=(0.1, 1e5), flops_per_s=(1e10, 1e16))
        self.limit = style.moving(self.ax.axvline(1, color=style.OTHER, linestyle="--", linewidth=2, zorder=1))
        self.limited = style.moving(style.label(self.ax, color=style.OTHER, y=1.4e10, fontweight="bold"))
        self.dots = [style.moving(style.dot(self.ax, size=13)) for _ in range(2)]
        self.tags = [style.moving(style.label(self.ax, va="top", size=11, fontweight="bold")) for _ in range(2)]
        for text in (self.corner, *self.tags):  # the dashed line passes behind them
            text.set_bbox({"facecolor": self.ax.get_facecolor(), "edgecolor": "none", "pad": 1})

    def show(self, phases):
        """`phases`: llm.phases.Phases."""
        self.draw_roof(phases)
        steps = {"next token": phases.decode, "prompt": phases.prefill}
        near = 1 / 8 < phases.decode.intensity / phases.prefill.intensity < 8
        for (name, one), dot, tag, down in zip(steps.items(), self.dots, self.tags, (2, 7 if near else 2), strict=True):
            dot.set_data([one.intensity], [one.flops_per_s])
            dot.set(color=style.BOUND[one.bound], marker=style.MARKER[one.bound])
            side = "right" if one.intensity > 3000 else "left"
            tag.set(text=f"{name}, {si(one.seconds, 's')}", ha=side, color=style.BOUND[one.bound])
            tag.set_position((one.intensity * (1.25 if side == "right" else 1 / 1.25), one.flops_per_s / down))
        most = phases.most_intensity
        self.limit.set_xdata([most, most])
        side = "right" if most > 300 else "left"
        self.limited.set(text=f"next tokens stay left of {number(most)}", ha=side)
        self.limited.set_x(most / 1.15 if side == "right" else most * 1.15)
        room = "" if phases.fits else ", more than the memory holds"
        each = "" if phases.decode.batch == 1 else " of each"
        return (
            f"{phases.model} on {phases.chip.short_name}, {counted(phases.decode.batch, 'user')} with "
            f"{phases.context:,} tokens{room}: the next token{each} is made with {number(phases.decode.intensity)} "
            f"FLOP/byte, {phases.decode.bound}-bound; a prompt as long is read with "
            f"{number(phases.prefill.intensity)}, {phases.prefill.bound}-bound."
        )


class Batch:
    """A step and its tokens per second against the users: solid as far as the caches fit, dashed beyond.

    >>> view = Batch()
    >>> batch = Axis("batch", "users", np.array([1, 64, 512]), log=True)
    >>> curves = {"seconds": [7e-3, 2e-2, 0.14], "tokens_per_s": [146, 2500, 3600], "fits": [1, 1, 0]}
    >>> curves |= {"most": [3798] * 3, "memory_bound": [1, 1, 1]}
    >>> curves = {name: np.array(values) for name, values in curves.items()}
    >>> view.show(Along(batch, curves, {name: values[0] for name, values in curves.items()}, {"batch": 1}))
    >>> view.show(Along(batch, curves, {name: values[2] for name, values in curves.items()}, {"batch": 512}))
    """

    over = "batch"

    def __init__(self, batch=(1, 512)):
        self.figure = style.figure()
        self.axes = self.figure.subplots(2, 1, sharex=True)
        upper, lower = self.axes
        style.dress(upper, "", "time of a step [s]", style.room(*batch), (1e-3, 10), "xy")
        style.dress(lower, "users in one batch", "tokens per second", style.room(*batch), (20, 2e5), "xy")
        style.plain(lower.xaxis)
        style.plain(lower.yaxis)
        upper.tick_params(labelbottom=False)
        self.lines = [
            [style.moving(ax.plot([], [], dash, color=color, linewidth=2.5)[0]) for dash, color in LOOKS]
            for ax in self.axes
        ]
        self.most = style.moving(lower.axhline(1, color=style.OTHER, linestyle=":", linewidth=2))
        self.dots = [style.moving(style.dot(ax)) for ax in self.axes]
        self.texts = [
            style.moving(style.label(ax, x=0.015, y=0.94, va="top", fontweight="bold", transform=ax.transAxes))
            for ax in self.axes
        ]
        self.limit = style.moving(
            style.label(
                lower, x=0.985, y=0.06, color=style.OTHER, ha="right", fontweight="bold", transform=lower.transAxes
            )
        )

    def show(self, along):
        """`along`: seconds, tokens_per_s, fits, memory_bound and the most tokens a second, over the users."""
        here, fits = along.here, along.curves["fits"] > 0
        last = int(fits.sum())  # caches only grow: those that fit come first
        bound = "memory" if here["memory_bound"] else "compute"
        said = {"seconds": si(here["seconds"], "s"), "tokens_per_s": f"{number(here['tokens_per_s'])} tokens/s"}
        for (name, value), pair, dot, text in zip(said.items(), self.lines, self.dots, self.texts, strict=True):
            curve = along.curves[name]
            for line, part in zip(pair, (slice(0, last), slice(max(last - 1, 0), None)), strict=True):
                line.set_data(along.axis.values[part], curve[part])
            dot.set_data([along.at], [here[name]])
            dot.set(color=style.BOUND[bound], marker=style.MARKER[bound])
            text.set(text=value if here["fits"] else f"{value}, if it did fit", color=style.BOUND[bound])
        self.most.set_ydata([here["most"]] * 2)
        self.limit.set_text(f"dotted: never more than {number(here['most'])}, however many users")
        room = "they fit" if here["fits"] else "they do not fit (dashed)"
        return (
            f"{along.at:,} {'user' if along.at == 1 else 'users'}, {room}: a step takes {said['seconds']}, "
            f"{said['tokens_per_s']} in all; {bound}-bound."
        )


LOOKS = (("-", style.INK), ("--", style.MUTED))
