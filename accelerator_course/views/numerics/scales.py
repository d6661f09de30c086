"""A block of values, its scale, and the codes that they are rounded to."""

import numpy as np

from accelerator_course.views.stage import Stage, boxes, lines, texts
from accelerator_lib.units import counted, number

LEFT, WIDE = 22, 696
HEAD = 20  # what a row needs above it for the words on its block
TWO_LINES = 44  # pixels that a cell needs for what it was, below what it is
LOW, HIGH = -11, 11  # powers of two on the ruler
RULER = 400  # where it stands
STEPS = ("values", "largest", "scale", "divide", "round", "back")
TRACK = ("values", "largest", "scale", "divide", "round", "back")


class OneOutlier(Stage):
    """One outlier among values in blocks: the largest sets the scale; all are divided by it, rounded, multiplied back.

    >>> from accelerator_course.frames.numerics import block_steps
    >>> view = OneOutlier()
    >>> runs = [list(block_steps(numerics.outlier(100.0, n), e, b, s)) for n, e, b, s in
    ...         ((32, "e2m1", 32, "e8m0"), (32, "int4", 8, "fp32"), (128, "e4m3", 128, "e4m3"))]
    >>> view.show(runs[0][0])
    >>> view.show(runs[0][2])
    >>> view.show(runs[0][4])
    >>> view.show(runs[0][5])
    >>> view.show(runs[1][3])
    >>> view.show(runs[1][5])
    >>> view.show(runs[2][5])
    """

    size, noun = (740, 470), "step"

    def marks(self, blocks):
        """`blocks`: frames.numerics.Blocks."""
        done = STEPS.index(blocks.step)
        return [*self._cells(blocks, done), *self._heads(blocks, done), *self._ruler(blocks, done), *self._track(done)]

    @staticmethod
    def _places(blocks):
        """(x, y of each value, x, y of the words above each block, height of a cell)."""
        count, block = blocks.values.size, blocks.block
        across, cell = _grid(count)
        row, col = np.divmod(np.arange(count), across)
        heads = row // max(1, block // across) + 1  # rows of words so far
        rows = count // across
        high = min(58.0, (262 - HEAD * heads[-1]) / rows)
        y = 8 + HEAD * heads + high * row
        first = np.arange(0, count, block)
        return LEFT + cell * col, y, LEFT + cell * col[first], y[first] - 10, high

    def _cells(self, blocks, done):
        x, y, _, _, high = self._places(blocks)
        wide = _grid(x.size)[1]
        now = self._now(blocks, done).ravel()
        lost, odd = blocks.lost.ravel() & (done >= 4), np.arange(now.size) == blocks.odd
        edge = np.argmax(np.abs(blocks.values), axis=1) + blocks.block * np.arange(len(blocks.values))
        largest = np.isin(np.arange(now.size), edge) & (done >= 1)
        roles = np.where(lost, "bad tint dashed", np.where(largest, "compute tint bold", "memory tint"))
        originals, back = blocks.values.ravel(), blocks.back.ravel()
        says = [f"{a:.4g}, in the end {b:.4g}" for a, b in zip(originals, back, strict=True)]
        who = ["the outlier" if one else f"value {i + 1}" for i, one in enumerate(odd)]
        room = done >= 3 and high >= TWO_LINES
        few = now.size * room
        return [
            boxes("cells", range(now.size), x, y, wide - 2, high - 2, list(roles), "", 12.5, who, says),
            texts("now", range(now.size), x + wide / 2 - 1, y + high / 2 - 1 - 8 * room, [_short(v) for v in now],
                  "ink bold" if room else "ink", 12 if room else 12.5),
            texts("once", range(few), x[:few] + wide / 2 - 1, y[:few] + high / 2 + 11,
                  [_short(v) for v in originals[:few]], "muted", 12),
        ]  # fmt: skip

    @staticmethod
    def _now(blocks, done):
        return (blocks.values, blocks.values, blocks.values, blocks.divided, blocks.stored, blocks.back)[done]

    def _heads(self, blocks, done):
        _, _, x, y, _ = self._places(blocks)
        most = np.abs(blocks.values).max(axis=1)
        if done == 0:
            words = [f"block {i + 1}" for i in range(len(x))]
        elif done == 1:
            words = [f"largest {_short(one)}" for one in most]
        else:
            words = [f"scale {_scale(one)}" for one in blocks.scales]
        role = "muted start" if not done else "compute bold start"
        return [texts("heads", range(len(x)), x, y, words, role, 13)]

    def _ruler(self, blocks, done):
        """Codes as ticks on a logarithmic ruler; the values over it, moved by the scale, then to the nearest code."""
        codes = blocks.codes[blocks.codes > 0]
        now = np.abs(self._now(blocks, min(done, 4))).ravel()
        zero = now == 0
        x = np.where(zero, LEFT + 10, _along(np.where(zero, 1.0, now)))
        odd = np.arange(now.size) == blocks.odd
        y = RULER - 22 - 70 * (np.arange(now.size) * 0.618 % 1)
        lost = blocks.lost.ravel() & (done >= 4)
        roles = np.where(odd, "compute", np.where(lost, "bad line", "memory"))
        labels = range(-8, 9, 4)
        spots = _along(2.0 ** np.array(labels))
        ticks = _along(codes)
        return [
            lines("codes", range(len(codes)), ticks, RULER - 10, ticks, RULER + 10, "memory", 1.5),
            boxes("zero", [0], LEFT, RULER - 11, 20, 22, "ink line", "0", 13, "zero", "what is too small goes here"),
            lines("base", [0], LEFT + 26, RULER, LEFT + WIDE, RULER, "muted", 1),
            texts("labels", labels, spots, RULER + 22, [_plain(2.0**e) for e in labels], "muted", 12),
            boxes("dots", range(now.size), x - 4, y - 4, 8, 8, list(roles + " round"),
                  who=["the outlier" if one else f"value {i + 1}" for i, one in enumerate(odd)]),
            texts("title", [0], LEFT + WIDE, 290, self._title(blocks, done), "ink end", 13),
        ]  # fmt: skip

    @staticmethod
    def _title(blocks, done):
        name = "ticks: the magnitudes that an element can have"
        return f"{name}; dots: {'the values' if done < 3 else 'values / scale' if done == 3 else 'the stored elements'}"

    @staticmethod
    def _track(done):
        roles = ["compute bold" if place == done else "muted" for place in range(6)]
        return [texts("track", range(6), LEFT + 48 + 120 * np.arange(6), 456, TRACK, roles, 13)]

    def say(self, blocks):
        return getattr(self, f"_say_{blocks.step}")(blocks)

    def _say_values(self, blocks):
        size = _short(abs(blocks.values.ravel()[blocks.odd]))
        rest = blocks.values.size - 1
        return (
            f"{counted(rest, 'value')} between 0.5 and 1, and one of {size}, in {counted(len(blocks.values), 'block')}."
        )

    def _say_largest(self, blocks):
        most = np.abs(blocks.values).max(axis=1)
        if len(most) == 1:
            return f"The largest of the block is {_short(most[0])}."
        rest = np.delete(most, blocks.hit).max()
        return (
            f"The largest of the outlier's block is {_short(most[blocks.hit])}; of the others, {_short(rest)} at most."
        )

    def _say_scale(self, blocks):
        most, scale = np.abs(blocks.values[blocks.hit]).max(), blocks.scales[blocks.hit]
        kind = {"e8m0": "a power of two", "e4m3": "stored in E4M3", "fp32": "stored in FP32", "fp16": "stored in FP16"}
        end = _short(blocks.codes[-1])
        brings = f"it brings {_short(most)} to {number(most / scale)}"
        return f"Scale {_scale(scale)}, {kind[blocks.kind]}: {brings}; the largest code is {end}."

    def _say_divide(self, blocks):
        low = blocks.others(np.abs(blocks.divided)).min()
        goes = f"half of the smallest code is {number(blocks.codes[1] / 2)}, and what is not above it goes to 0"
        return f"Divided by the scale, the smallest is {number(low)}; {goes}."

    def _say_round(self, blocks):
        lost = int(blocks.others(blocks.lost).sum())
        used = len(np.unique(np.abs(blocks.stored)))
        return f"{counted(lost, 'value')} became 0. {counted(used, 'code')} of {len(blocks.codes)} in use, signs aside."

    def _say_back(self, blocks):
        x, y = blocks.others(blocks.values), blocks.others(blocks.back)
        noise = float(np.sum((x - y) ** 2))
        ratio = "exact" if not noise else f"{10 * np.log10(np.sum(x**2) / noise):.1f} dB"
        lost = int(blocks.others(blocks.lost).sum())
        return f"Multiplied back: {lost} of the {len(x)} ordinary values are lost; their signal to noise is {ratio}."


def _grid(count):
    """(values in a row, width of a cell): few are large enough to be read on a phone."""
    across = 8 if count <= 32 else 16
    return across, WIDE / across


def _along(size):
    at = np.clip(np.log2(size), LOW, HIGH)
    return LEFT + 40 + (WIDE - 40) * (at - LOW) / (HIGH - LOW)


def _short(value):
    """A value in at most five letters and a sign."""
    size = abs(value)
    if size == 0:
        return "0"
    text = (
        f"{size:,.0f}"
        if size >= 100
        else f"{size:.1f}"
        if size >= 10
        else f"{size:.2f}"
        if size >= 0.01
        else f"{size:.3f}"
    )
    text = text.rstrip("0").rstrip(".") if "." in text else text
    return f"−{text}" if value < 0 else text


def _scale(value):
    return "0" if not value else f"{value:.4g}" if value >= 1e-3 else f"{value:.2g}"


def _plain(value):
    return f"{value:,.0f}" if value >= 1 else f"1/{1 / value:.0f}"
