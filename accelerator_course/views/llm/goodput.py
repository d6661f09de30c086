"""200 requests as dots: how long each waited for its first token, how fast the others came; a box is the promise."""

import numpy as np

from accelerator_course.views.stage import Stage, boxes, lines, pick, texts
from accelerator_lib.units import number, percent, si

PLOT = 66, 34, 430, 300  # left, top, width, height
X, Y = (0.02, 50), (0.004, 0.1)  # ends of the axes [s], logarithmic
X_TICKS, Y_TICKS = (0.02, 0.1, 0.5, 2, 10, 50), (0.005, 0.01, 0.02, 0.05, 0.1)
BARS, BROAD, MOST, TALL = (568, 628, 688), 38, 40, 268  # middles of the bars; requests a second at their full height
FOOT = PLOT[1] + PLOT[3]


class Promised(Stage):
    """Each dot is a request: to the right, the wait for its first token; upwards, the mean time between its tokens.

    >>> view, kept = Promised(), llm.goodput.Kept
    >>> view.show(kept(llm.goodput.serve_load(24, 32, None)))
    >>> view.show(kept(llm.goodput.serve_load(24, 32, 256)))
    >>> view.show(kept(llm.goodput.serve_load(40, 256, None), 0.2, 0.03))
    """

    size, noun = (740, 400), "setting"

    def marks(self, kept):
        """`kept`: goodput.Kept."""
        return [*_frame(), *_promise(kept), *_dots(kept), *_bars(kept)]

    def say(self, kept):
        verdict = "the promise is kept for nine of ten" if kept.passes else "the promise is broken"
        grows = " The queue grows." if kept.load.growing else ""
        return (
            f"{number(kept.load.rate)} requests/s arrive ({number(kept.load.arrived)} in this draw), "
            f"{number(kept.load.throughput)} are answered, "
            f"{number(kept.goodput)} as promised ({percent(kept.share)} of the requests): {verdict}.{grows}"
        )


def _x(seconds):
    left, _, wide, _ = PLOT
    return left + wide * np.log(np.clip(seconds, *X) / X[0]) / np.log(X[1] / X[0])


def _y(seconds):
    return FOOT - PLOT[3] * np.log(np.clip(seconds, *Y) / Y[0]) / np.log(Y[1] / Y[0])


def _frame():
    left, top, wide, high = PLOT
    x, y = _x(np.array(X_TICKS)), _y(np.array(Y_TICKS))
    return [
        boxes("plot", [0], left, top, wide, high, "muted soft faint"),
        lines("x-grid", range(len(x)), x, top, x, FOOT, "paper", 1),
        lines("y-grid", range(len(y)), left, y, left + wide, y, "paper", 1),
        texts("x-ticks", range(len(x)), x, FOOT + 14, [si(tick, "s") for tick in X_TICKS], "muted", 12),
        texts("y-ticks", range(len(y)), left - 8, y, [si(tick, "s") for tick in Y_TICKS], "muted end", 12),
        texts("x-name", [0], left + wide / 2, FOOT + 36, ["time to first token (TTFT)"], "ink", 13),
        texts("y-name", [0], 8, top - 18, ["time per output token (TPOT)"], "ink start", 13),
    ]


def _promise(kept):
    left, wide = PLOT[0], _x(kept.ttft) - PLOT[0]
    top = _y(kept.tpot)
    words = f"promised: {si(kept.ttft, 's')}, {si(kept.tpot, 's')}"
    return [
        boxes("promise", [0], left, top, wide, FOOT - top, "good tint dashed"),
        texts("promise-words", [0], left + wide + 8, FOOT - 12, [words], "good bold start", 13),
    ]


def _dots(kept):
    load, good = kept.load, kept.within
    count = len(good)
    says = [f"first token after {si(a, 's')}, then one each {si(b, 's')}" for a, b in
            zip(load.ttft.tolist(), load.tpot.tolist(), strict=True)]  # fmt: skip
    return [
        boxes("requests", np.arange(count), _x(load.ttft) - 3.5, _y(load.tpot) - 3.5, 7, 7,
              pick(("bad tint round", "good round"), good), who=_names(count), says=says),
    ]  # fmt: skip


def _names(count):
    return tuple(f"request {n + 1}" for n in range(count))


def _bars(kept):
    rates = kept.load.arrived, kept.load.throughput, kept.goodput
    values, words = np.minimum(rates, MOST), [number(v) for v in rates]
    high = TALL * values / MOST
    x = np.array(BARS)
    return [
        lines("foot", [0], BARS[0] - 28, FOOT, BARS[-1] + 28, FOOT, "muted", 1.5),
        boxes("bars", range(3), x - BROAD / 2, FOOT - high, BROAD, high, ("muted", "memory", "good")),
        texts("values", range(3), x, FOOT - high - 12, words, "ink bold", 14),
        texts("bar-names", range(6), np.repeat(x, 2), [FOOT + 14, FOOT + 30] * 3,
              ["arrive", "", "answered", "", "as", "promised"], "ink", 12),
        texts("bar-unit", [0], BARS[1], PLOT[1] - 18, ["requests a second"], "ink", 13),
    ]  # fmt: skip
