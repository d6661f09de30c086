"""One decode step: what is read, how long that takes, and who gets a token from it."""

import numpy as np

from accelerator_course.views.stage import Stage, boxes, lines, texts
from accelerator_lib.units import counted, number, si

LEFT, MS, MOST = 20, 27.5, 25  # left end of the bars; pixels of a millisecond; the last on the axis
RATE = 0.13  # pixels of a token a second


class OneStep(Stage):
    """One step: the weights are read once, and a cache for each user; below, who gets how many tokens.

    >>> view = OneStep()
    >>> view.show(llm.reading.read("llama-2-7b", "a100-80gb-sxm", 1, 1024))
    >>> view.show(llm.reading.read("llama-2-7b", "a100-80gb-sxm", 8, 1024))
    >>> view.show(llm.reading.read("llama-2-7b", "a100-80gb-sxm", 32, 2048))
    """

    size, noun = (746, 404), "setting"

    def marks(self, reading):
        """`reading`: llm.reading.Reading."""
        users, held, each = np.arange(reading.users), reading.weights_seconds, reading.cache_seconds
        wide = 1e3 * MS * np.array([held, each, reading.step.compute_seconds])
        rest = LEFT + wide[0] + wide[1] * users
        gap = 1 if wide[1] > 4 else 0
        names, busy = [f"user {n + 1}" for n in users], si(reading.step.compute_seconds, "s")
        read = [
            texts("read", [0], LEFT, 16, "read from the chip's memory", "ink bold start", 14),
            boxes("weights", [0], LEFT, 30, wide[0], 44, "memory", "weights", 14, "weights", si(held, "s")),
            boxes(
                "caches", users, rest, 30, wide[1] - gap, 44, "memory tint" if gap else "memory soft", who=names,
                says=f"what was kept of {reading.context:,} tokens: {si(each, 's')}",
            ),
            texts(
                "long", [0], LEFT + wide[0] + wide[1] * reading.users + 8, 52, si(reading.step.seconds, "s"),
                "memory bold start", 15,
            ),
            texts("done", [0], LEFT, 100, "arithmetic, in the meantime", "ink bold start", 14),
            boxes("arithmetic", [0], LEFT, 112, wide[2], 22, "compute", who="arithmetic", says=busy),
            texts("short", [0], LEFT + wide[2] + 8, 123, busy, "compute bold start", 13),
        ]  # fmt: skip
        return [*read, *_axis(), *_users(users, names), *_rates(reading)]

    def say(self, reading):
        """How long the step takes, and what that is for one user and for all."""
        step = reading.step
        return (
            f"{counted(reading.users, 'user')} with {reading.context:,} tokens of text each: a step takes "
            f"{si(step.seconds, 's')}. Each user gets {number(1 / step.seconds)} tokens per second, all together "
            f"{number(step.tokens_per_s)}."
        )


def _axis():
    at = np.arange(0, MOST + 1, 5)
    x = LEFT + MS * at
    return [
        lines("axis", [0], LEFT, 148, LEFT + MS * MOST, 148, "muted", 1.2),
        lines("notches", at, x, 148, x, 153, "muted", 1.2),
        texts("ms", at, x, 164, [f"{one} ms" if one else "0" for one in at], "muted", 12),
    ]


def _users(users, names):
    return [
        texts("heads", [0], LEFT, 200, "users, each gets one token from this step", "ink bold start", 14),
        boxes("users", users, LEFT + 22 * users, 212, 18, 24, "other tint", who=names, says="one token"),
    ]


def _rates(reading):
    rates = np.array([1 / reading.step.seconds, reading.step.tokens_per_s])
    y = np.array([274, 328])
    words = [f"for each user: {number(rates[0])} tokens per second", f"for all: {number(rates[1])} tokens per second"]
    return [
        texts("rates", range(2), LEFT, y, words, "ink bold start", 14),
        boxes("speeds", range(2), LEFT, y + 12, RATE * rates, 18, ["other tint", "other"],
              who=["each user", "all users"], says=words),
        lines("zero", range(2), LEFT, y + 9, LEFT, y + 33, "ink", 1.2),
        texts("note", [0], LEFT, 384, "both bars at one scale", "muted start", 12),
    ]  # fmt: skip
