"""A step, a prompt and an answer: what is read, how long that takes, and who gets a token from it."""

import numpy as np

from accelerator_course.views.charts import ground, signs
from accelerator_course.views.kit import Chart, below, legend, over, shares, stack, words
from accelerator_course.views.limits import LIMITS
from accelerator_course.views.roofline.roof import Roof
from accelerator_course.views.stage import Stage, boxes, lines, pick
from accelerator_lib.units import counted, in_seconds, number, percent, si

HEAD, TOKENS = "ink bold start", "the answer, token by token"


def _ticks(end):
    """Round places from 0 to `end`, seven at most."""
    step = 10.0 ** np.floor(np.log10(end / 2))
    step *= next(k for k in (1, 2, 5, 10) if end / (k * step) <= 6)
    return np.arange(0, end * 1.0001, step)


class OneStep(Stage):
    """One step: a read head sweeps over the weights, then over each user's notes; lamps show whom it serves.

    >>> view = OneStep()
    >>> one, many = (list(frames.llm.sweep(llm.steps.read("llama-2-7b", "a100-80gb-sxm", n, 1024))) for n in (1, 16))
    >>> view.show(one[0]), view.show(one[3]), view.show(one[-1]), view.show(many[-2]), view.show(many[-1])
    """

    size, noun = (750, 300), "moment"
    left, top, high, lamp = 20, 44, 62, 44
    time = Chart((left, 730), (top + high + 6, top - 12), (0, 16e-3), (0, 1))
    ticks = np.arange(9) / 500

    def marks(self, now):  # frames.llm.Sweep
        reading, left, top, high, users = now.reading, self.left, self.top, self.high, np.arange(now.reading.users)
        held, cache, here = self.time.x([reading.weights_seconds, reading.cache_seconds, now.seconds]) - left
        gap, start = (1 if cache > 4 else 0), left + held + cache * users
        kept = [f"{si(reading.weights_bytes, 'B')} of weights", f"notes of a user: {si(reading.cache_bytes, 'B')}"]
        names, heard = [f"user {n + 1}" for n in users], np.clip(here - held - cache * users, 0, cache - gap)
        lit, y = pick(("paper", "other"), now.served), top + high + 88
        signs = ["+1"] * reading.users if now.done else [str(n + 1) for n in users]
        lamps = "lit" if now.done else ["lit" if one else "dark" for one in now.served]
        said = "read for everybody" if held > 130 else ""
        marked = ["0", *map(in_seconds, self.ticks[1:])]
        yield from self.time.axes(self.ticks, x_words=marked, x_name="time on the chip")
        yield words(
            "heads",
            (left, 16, kept[0], "memory bold start", 15),
            (left + held + 8, 16, kept[1], "other bold start", 15),
            (left, y - 18, "users: a lamp is lit while the chip reads for them", HEAD, 14),
            (left, 286, f"The picture runs {number(now.slowdown)} times slower than the chip.", "muted start", 12),
        )
        yield boxes("weights", [0], left, top, held, high, "memory tint", said, 14, "weights", kept[0])
        yield boxes("notes", users, start, top, cache - gap, high, "other tint", who=names, says=kept[1])
        yield boxes("swept", [0], left, top, min(here, held), high, "memory", who="weights", says="read")
        yield boxes("heard", users, start, top, heard, high, "other", who=names, says="read")
        yield lines("head", [0], left + here, top - 8, left + here, top + high + 8, "ink", 4)
        yield boxes("lamps", users, left + self.lamp * users, y, 38, 24, lit, signs, 13, names, lamps)
        # where the time stands; when the sweep is over, a token for each
        time = si(now.seconds, "s")
        said = f"step done: {time}" if now.done else f"{time} now" if now.seconds else ""
        each = f"one token more for each: {number(reading.user_tokens_per_s)} tokens per second" if now.done else ""
        whole = f"for all: {number(reading.step.tokens_per_s)} per second" if now.done else ""
        yield words("now", (730, 16, said, "ink bold end", 15))
        yield words("rates", (left, y + 46, each, HEAD, 14), (left + 420, y + 46, whole, HEAD, 14))

    def place(self, axis, value, row=None):
        """A time [s] on the axis, over the memory; nothing beyond its end."""
        x = self.time.x(value)
        return shares(self.size, x, self.top, self.top + self.high + 6) if x < self.size[0] else None

    def say(self, now):
        reading, here = now.reading, si(now.seconds, "s")
        who = f"{counted(reading.users, 'user')} with {reading.context:,} tokens of text{' each' * (reading.users > 1)}"
        if now.done:
            alone = "" if reading.users == 1 else f", {percent(reading.more)} longer than for one user"
            return f"{who}: a step takes {here}{alone}."
        if not now.seconds:
            return f"{who}: {si(reading.bytes_moved, 'B')} to read. Reading begins with the weights."
        if now.at_weights:
            return f"{who}: after {here} the chip reads weights, for everybody."
        return f"{who}: after {here} the chip reads the notes of user {now.reader + 1}, for nobody else."


class Timeline(Stage):
    """One request: its prompt is read, its tokens come one by one, and a second user waits.

    >>> view, answer, given = Timeline(), llm.phases.answer, ("llama-2-7b", "a100-80gb-sxm")
    >>> view.show(answer(*given, 2048, 256)), view.show(answer(*given, 16, 1))
    >>> view.show(answer(*given, 131_072, 2048, 0.2))
    """

    size, noun = (746, 408), "setting"
    left, right, most = 90, 710, 90  # strokes of tokens

    def marks(self, answer):  # llm.phases.Answer
        left, right, wide, least = self.left, self.right, self.right - self.left, in_seconds(answer.read_seconds)
        time = Chart((left, right), (150, 46), (0, answer.next_first), (0, 1))
        first, done = time.x([answer.first, answer.done]) - left
        shown = np.arange(0, answer.output, each := -(-answer.output // self.most))
        ticks, strokes, made = _ticks(answer.next_first), time.x(answer.times[shown]), counted(answer.output, "token")
        thick, said = 2 if len(shown) < 60 else 1.5, [in_seconds(one) for one in (answer.first, answer.done)]
        token, reads = "a token" if each == 1 else f"every {each} tokens", "the prompt is read"
        x, look = [left, left + done], LIMITS[answer.bound].role
        keys = [(look, reads), ("memory", token), ("muted tint dashed", "waits for the chip")]
        yield from legend("keys", left, 21, keys)
        yield from time.axes(ticks, x_words=[in_seconds(one) if one else "0" for one in ticks])
        yield below("names", left - 10, 68, ["user 1", "user 2"], 50, "ink bold end", 14)
        yield boxes("prompt", range(2), x, [50, 100], first, 36, look, who=reads, says=said[0])
        yield boxes("answer", [0], left + first, 50, done - first, 36, "memory tint", "", 13, TOKENS, made)
        yield lines("tokens", shown, strokes, 54, strokes, 82, "memory", thick)
        yield boxes("wait", [0], left, 100, done, 36, "muted tint dashed", who="user 2 waits", says=said[1])
        yield lines("flag", [0], right, 96, right, 140, "memory", 3)
        # the three waits, and the prompt's arithmetic: products with weights, and attention among its tokens
        gap = "no second token" if answer.output == 1 else f"from token to token {in_seconds(answer.mean_gap)} (mean)"
        waits = [(f"user 1: first token after {said[0]}", f"{look} bold start"), (gap, "memory bold start")]
        waits += [f"user 2: first token after {in_seconds(answer.next_first)}"]
        parts, roles = [answer.weights_share, answer.attention_share], ["compute tint", "other tint"]
        named = [f"{name} {percent(one)}" for name, one in zip(("weights", "attention"), parts, strict=True)]
        long = wide * np.array(parts)
        yield below("waits", left, 202, waits, 26, HEAD, 16)
        yield words(
            "notes",
            (left, 282, f"no prompt is faster than one read of the weights: {least}", "muted start"),
            (right, 202, "" if answer.fits else "its cache does not fit", "bad bold end", 14),
            (left, 322, "arithmetic of the prompt", HEAD, 14),
            (left, 374, named[0], "compute bold start"),
            (right, 374, named[1], "other bold end"),
        )
        yield stack("shares", range(2), left, 346, long, 24, roles, who=named, says="of the FLOP")

    def say(self, answer):
        then = "" if answer.output == 1 else f", then one every {si(answer.mean_gap, 's')}"
        room = "" if answer.fits else " Its cache does not fit this chip."
        said = f"A prompt of {counted(answer.prompt, 'token')}: the first token comes after "
        said += f"{si(answer.first, 's')}{then}. A second user who came at the same time sees a first token after "
        return said + f"{si(answer.next_first, 's')}.{room}"


class TwoDots(Stage):
    """The prompt and one step of the answer on one roof, and the line that no number of users passes.

    >>> view, phases, given = TwoDots(), llm.phases.phases, ("llama-2-7b", "a100-80gb-sxm")
    >>> view.show(phases(*given, 1024, 1)), view.show(phases(*given, 1024, 64)), view.show(phases(*given, 16, 16))
    >>> view.show(phases("llama-3-8b", "h100-sxm5", 128, 512))
    """

    size, noun = (760, 424), "setting"

    def __init__(self):
        self.roof = Roof((0.1, 1e5), (1e10, 1e16))

    def marks(self, phases):  # llm.phases.Phases
        chart, steps = self.roof.chart, {"next token": phases.decode, "prompt": phases.prefill}
        near = 1 / 8 < phases.decode.intensity / phases.prefill.intensity < 8
        tags = []
        for (name, one), down in zip(steps.items(), (18, 44 if near else 18), strict=True):
            x, y = float(chart.x(one.intensity)), float(chart.y(one.flops_per_s))
            side, place = ("end", x + 12) if one.intensity > 3000 else ("start", x - 12)
            height = y + down
            if near and tags and abs(height - tags[0][1]) < 20:
                height = tags[0][1] + 20
            tags.append((place, height, f"{name}, {si(one.seconds, 's')}", f"{LIMITS[one.bound].role} bold {side}", 14))
        limit, (floor, top) = float(chart.x(phases.most_intensity)), chart.up
        most = f"next tokens stay left of {number(phases.most_intensity)}"
        late = phases.most_intensity > 300
        text = (limit + (-8 if late else 8), floor - 14, most, f"other bold {'end' if late else 'start'}")
        yield lines("limit", [0], limit, top, limit, floor, "other dashed", 2, "next tokens", f"{most} FLOP/byte")
        yield from self.roof.marks(phases, put=over)
        yield self.roof.dots("dots", list(steps.values()), list(steps), phases.dtype)
        yield from over("tags", *tags)
        yield words("limited", text)

    def say(self, phases):
        room = "" if phases.fits else ", more than the memory holds"
        said = f"{phases.model}, {counted(phases.decode.batch, 'user')} with {phases.context:,} tokens{room}: the next "
        said += f"token does {number(phases.decode.intensity)} FLOP/byte and is {phases.decode.bound}-bound; a prompt "
        return said + f"of this length does {number(phases.prefill.intensity)} and is {phases.prefill.bound}-bound."


class Batch(Stage):
    """A step and its tokens per second against the users: solid as far as the caches fit, dashed beyond.

    >>> view, batch = Batch(), Axis("users", "users", np.array([1, 64, 512]), log=True)
    >>> curves = {"seconds": [7e-3, 2e-2, 0.14], "tokens_per_s": [146, 2500, 3600], "fits": [1, 1, 0]}
    >>> curves |= {"dollars": [6.5, 0.38, 0.26], "most": [3798] * 3, "memory_bound": [1, 1, 1]}
    >>> curves = {name: np.array(values) for name, values in curves.items()}
    >>> view.show(Along(batch, curves, {name: values[0] for name, values in curves.items()}, {"users": 1}))
    >>> view.show(Along(batch, curves, {name: values[2] for name, values in curves.items()}, {"users": 512}))
    """

    size, noun, over = (760, 470), "setting", "users"

    def __init__(self, batch=(1, 512)):
        x, across = (batch[0] / 1.15, batch[1] * 1.15), (78, 738)
        above = Chart(across, (212, 40), x, (1e-3, 10), "xy", True, "above")
        self.charts = {"seconds": above, "tokens_per_s": Chart(across, (418, 256), x, (20, 2e5), "xy", True)}

    def marks(self, along):  # seconds, tokens_per_s, fits, memory_bound and the most tokens a second, over the users
        here, bound = along.here, LIMITS[_batch_bound(along.here)]
        last = int((along.curves["fits"] > 0).sum())  # caches only grow: those that fit come first
        most = f"never more than {number(here['most'])}"
        above, below_ = self.charts.values()
        limit, (left, right) = float(below_.y(here["most"])), below_.across
        yield from ground(above, "", "time of a step, logarithmic", ("", "s"), said=("", None))
        yield from ground(below_, "users in one batch, logarithmic", "tokens per second, logarithmic")
        yield lines("most", [0], left, limit, right, limit, "other dotted", 2, "the memory", f"{most} tokens/s")
        yield words("limit", (right - 6, below_.up[0] - 14, f"dotted: {most}, however many users", "other bold end"))
        for (name, chart), said in zip(self.charts.items(), _batch_said(here), strict=True):
            values = along.axis.values, along.curves[name]
            who, parts = name.replace("_per_s", ""), (slice(0, last), slice(max(last - 1, 0), None))
            for part, look, at in zip(("fits", "beyond"), ("ink line", "muted dashed line"), parts, strict=True):
                yield chart.line(f"{name} {part}", *(one[at] for one in values), look, 2.5, who)
            x, value = [along.at], [here[name]]
            yield signs(chart, f"{name} dot", [0], x, value, bound.sign, bound.role, "here", said, 1.1)
            text, look = said if here["fits"] else f"{said}, if it did fit", f"{bound.role} bold start"
            yield words(f"{name} said", (chart.across[0] + 12, chart.up[1] + 14, text, look, 14))

    def say(self, along):
        here = along.here
        seconds, tokens = _batch_said(here)
        room = "whose caches fit" if here["fits"] else "whose caches do not fit (dashed)"
        said = f"{counted(along.at, 'user')}, {room}: a step takes {seconds}, {tokens}; "
        return said + f"the step is {_batch_bound(here)}-bound."


def _batch_bound(here):
    return "memory" if here["memory_bound"] else "compute"


def _batch_said(here):
    price = f", ${number(here['dollars'], 2)} a million" if here["dollars"] > 0 else ""  # NaN: nobody lends it
    return si(here["seconds"], "s"), f"{number(here['tokens_per_s'])} tokens/s in all{price}"
