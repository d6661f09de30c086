"""Attention without its scores in memory: a softmax that reads them as a stream, and the blocks that pass the chip."""

from functools import cache

import numpy as np

from accelerator_course.views.kit import below, legend, tally, words
from accelerator_course.views.stage import Stage, arrows, boxes, lines, pick
from accelerator_lib.units import number, si

LEFT, WIDE = 50, 680  # of the scores
SCORES, WEIGHTS, SUMS = (34, 154), (194, 264), (312, 446)  # top and bottom of the three rows
RESULT, PITCH = 424, 38  # left edge of the result, and of one of its bars to the next


class SoftmaxStream(Stage):
    """Scores, their weights under the running maximum, the sums that are kept, and the result beside the full one.

    >>> scores, values = np.array([1.0, 3.0, -2.0, 5.0, 0.0, 4.0]), np.random.default_rng(0).standard_normal((6, 8))
    >>> states, view = list(frames.tiling.softmax(scores, values, 2)), SoftmaxStream(scores, values)
    >>> view.show(states[0]), view.show(states[1]), view.show(states[2]), view.show(states[-1])
    """

    size, noun = (740, 462), "step"

    def __init__(self, scores, values):
        self.low, self.high = min(0, *scores), max(0, *scores)
        self.largest = abs(values).max()  # no mean of the values is larger

    def marks(self, half):  # frames.tiling.Half
        step = WIDE / len(half.final)
        self.x, self.wide = LEFT + 1 + step * np.arange(len(half.final)), step - 2
        yield from (*self._scores(half), *self._weights(half), *self._kept(half), *self._result(half))
        heads = [
            (LEFT, 18, "scores, as they are read"),
            (LEFT, 180, "weights exp(score − maximum); dashed: in the end"),
            (LEFT, 298, "kept: sum l, output o"),
            (RESULT, 298, "result o / l (dashed: full)"),
        ]
        levels = zip((self._level(0), *WEIGHTS), "010", strict=True)
        yield words("titles", *((*line, "ink bold start") for line in heads))
        yield words("levels", *((LEFT - 8, y, level, "muted end", 12) for y, level in levels))

    def _level(self, score):
        top, bottom = SCORES[0] + 6, SCORES[1]
        return top + (bottom - top) * (self.high - score) / (self.high - self.low)

    def _scores(self, half):
        n, read, zero, end = len(half.all_scores), half.state.read, self._level(0), LEFT + WIDE
        at = np.arange(n)
        level = np.where(at < read, self._level(half.all_scores), zero)
        says = [f"score {s:.3g}, weight {w:.3g}" for s, w in zip(half.all_scores, half.weights, strict=False)]
        says += ["not read yet"] * (n - read)
        look, who = pick(("memory", "compute"), (at >= half.first) & (at < read)), [f"score {i + 1}" for i in at]
        top, high = np.minimum(level, zero), abs(level - zero)
        maximum = self._level(half.state.maximum)
        yield lines("zero", range(2), LEFT, [zero, WEIGHTS[1]], end, [zero, WEIGHTS[1]], "muted", 1)
        yield boxes("scores", at, self.x, top, self.wide, high, look, who=who, says=says)
        yield lines("maximum", [0], LEFT, maximum, end, maximum, "bad dashed", 2)
        yield words("so far", (end, 18, f"maximum so far: {number(half.state.maximum)}", "bad bold end"))

    def _weights(self, half):
        """exp(s - m): of this block, of those before, and outlines of what they are in the end."""
        n, (top, bottom) = len(half.final), WEIGHTS
        at, high, goal = np.arange(n), np.zeros(n), half.final * (bottom - top)
        high[: half.state.read] = half.weights * (bottom - top)
        look, who = pick(("memory tint", "compute"), at >= half.first), [f"score {i + 1}" for i in at]
        yield boxes("weights", at, self.x, bottom - high, self.wide, high, look, who=who)
        yield boxes("goals", at, self.x, bottom - goal, self.wide, goal, "ink line dashed")

    def _kept(self, half):
        """The sum and the sums of values, which the stream keeps; they shrink together."""
        count = len(half.sums)
        names, kept = ["l", *[f"o{i + 1}" for i in range(count)]], np.array([half.total, *half.sums])
        x = LEFT + np.array([0, *(56 + 34 * np.arange(count))])
        wide, roles = np.array([32, *[26] * count]), ["other", *["memory"] * count]
        y, high, middle = _columns(kept, half.most)
        says = [f"{value:.3g} kept" for value in kept]
        ends = [x[0] + wide[0] + 4, x[-1] + wide[-1] + 4]
        factor = f"× {half.state.scale:.2g}" if half.state.number and not half.added else ""
        yield lines("kept-zero", range(2), x[:2] - 4, middle, ends, middle, "muted", 1)
        yield boxes("kept", range(len(names)), x, y, wide, high, roles, who=names, says=says)
        first, rest, foot = x[0] + wide[0] / 2, (x[1] + x[-1] + wide[-1]) / 2, SUMS[1] + 8
        signs = (first, foot, "l", "other bold", 14), (rest, foot, "o", "memory bold", 14)
        yield words("kept-names", *signs, (RESULT - 50, SUMS[0] - 12, factor, "bad bold end", 15))

    def _result(self, half):
        at = np.arange(len(half.full))
        x, end = RESULT + PITCH * at, RESULT + PITCH * len(at)
        (y, high, middle), (goal_y, goal, _) = (_columns(each, self.largest) for each in (half.output, half.full))
        pairs = zip(half.output, half.full, strict=True)
        says = [f"{now:.3g} so far, {then:.3g} with all scores" for now, then in pairs]
        who = [f"component {i + 1} of the result" for i in at]
        yield lines("result-zero", [0], RESULT - 6, middle, end, middle, "muted", 1)
        yield boxes("result", at, x, y, PITCH - 8, high, "good", who=who, says=says)
        yield boxes("targets", at, x, goal_y, PITCH - 8, goal, "ink line dashed")

    def say(self, half):
        state = half.state
        block = f"Block {state.number + 1}"
        if half.added:
            return f"{block}, added: the sum is {number(half.total)}. Distance to the full result: {half.distance:.2g}."
        if not state.number:
            return f"{block}, read: the maximum is {number(state.maximum)}; nothing is summed yet."
        if state.maximum > half.before:
            rises = f"the maximum rises from {number(half.before)} to {number(state.maximum)}"
            return f"{block}, read: {rises}, so all that was summed shrinks to {state.scale:.2g} of what it was."
        return f"{block}, read: the maximum stays at {number(state.maximum)}; nothing shrinks."


def _columns(numbers, most):
    """Bars up and down from a middle line: (top of each, height of each, the line)."""
    top, bottom = SUMS
    middle = (top + bottom) / 2
    high = abs(numbers) / most * (bottom - top) / 2
    return np.where(numbers > 0, middle - high, middle), high, middle


TOP, HIGH = 58, 212  # of the operands in memory, and of all scores
COLUMNS = {"Q": (28, "memory"), "K": (78, "other"), "V": (128, "other"), "O": (178, "good")}  # left edges, roles
ACROSS, BLOCK, THIN = 34, 88, 30  # of an operand; a block of scores on the chip, and the width of what meets it
CHIP = {"S": (320, 152, BLOCK, BLOCK), "Q": (284, 152, THIN, BLOCK), "K": (320, 116, BLOCK, THIN)}  # places on the chip
CHIP |= {"V": (414, 58, THIN, BLOCK), "O": (414, 152, THIN, BLOCK)}  # of the block of scores, and of what meets it
BYTES = 110, 318, 392, 100, ("flash", "standard"), ("memory", "bad")  # of the tally
GHOST, TICK = 510, 15  # left edge of all scores; the smallest block with a tick in it
CACHE = {"K": (138, 289, 40, 14), "V": (184, 289, 40, 14)}  # where their blocks wait once a cache has caught them


class Flash(Stage):
    """Blocks of Q, K and V come to the chip and meet in a block of scores; of all scores only ticks remain.

    >>> view, run = Flash(), list(frames.tiling.attention(512, 64, 128, 128))
    >>> view.show(run[0]), view.show(run[6]), view.show(run[-1])
    >>> view.show(list(frames.tiling.attention(500, 64, 128, 96, cached=True))[9])
    """

    size, noun = (740, 384), "step"

    def marks(self, now):  # frames.tiling.Block
        return [*_places(now.blocks), *self._scores(now), *self._chip(now), *self._bytes(now)]

    def _scores(self, now):
        """The grid of all scores: not yet, now, used and gone."""
        x, y, wide, high, who = _grid(now.blocks)
        at = np.arange(len(who))
        look = (at < now.used) + 2 * (at == now.used) * (now.place is not None)
        ticks = pick(("", "✓", ""), look) if min(wide.max(), high.max()) >= TICK else ""
        roles = pick(("paper", "muted soft", "compute"), look)
        says = pick(("not computed yet", "used and gone", "on the chip"), look)
        yield boxes("ghost", at, x, y, wide, high, roles, ticks, 13, who, says)

    def _chip(self, now):
        """What is on the chip and where that lies in memory, and what comes next."""
        blocks, here, then = now.blocks, now.place, now.coming
        row = here[0] if here else None
        found = {name: [] for name in COLUMNS}  # (key, x, y, w, h, says)
        used = []  # places in memory of what is on the chip
        if here:
            second = f"block {here[1] + 1} on the chip"
            found["Q"].append((row, *CHIP["Q"], "on the chip"))
            for name in "KV":
                found[name].append((now.used, *CHIP[name], second))
            used = [_home(name, here[name in "KV"], blocks) for name in COLUMNS]
        if then:
            key, says = now.used + bool(here), f"block {then[1] + 1} comes next"
            for name in "KV":
                home = CACHE[name] if blocks.cached and then[0] else _home(name, then[1], blocks)
                found[name].append((key, *home, says))
            if then[0] != row:
                found["Q"].append((then[0], *_home("Q", then[0], blocks), "comes next"))
        finished = row if here else blocks.grid[0] if now.used else 0
        found["O"] = [(i, *_home("O", i, blocks), "written to memory") for i in range(finished)]
        if here:
            found["O"].append((row, *CHIP["O"], "sums that stay on the chip"))
        layers = []
        for name, (_, role) in COLUMNS.items():
            key, x, y, w, h, says = zip(*found[name], strict=True) if found[name] else [()] * 6
            who = [f"block {i + 1} of {name}" for i in key] if name in "QO" else f"blocks of {name}"
            letters = [name if wide >= 14 and high >= 14 else "" for wide, high in zip(w, h, strict=True)]
            layers.append(boxes(f"blocks-{name}", key, x, y, w, h, role, letters, 13, who, says))
        at = f"rows {here[0] + 1}, columns {here[1] + 1}" if here else "nothing here"
        key, who = [now.used] if here else [], "the block of scores on the chip"
        yield boxes("in-use", range(len(used)), *np.reshape(used, (-1, 4)).T, "ink line")
        yield from layers
        yield boxes("block", key, *CHIP["S"], "compute", "S", 17, who, f"{at}: computed, used, gone")
        yield below("chip-words", 280, 46, ["S = Q Kᵀ, softmax", "O += S V"], 20)
        yield words("chip-place", (371, 262, at, "compute bold"))

    def _bytes(self, now):
        ends, so_far = (now.blocks.flash_bytes, now.blocks.standard_bytes), (now.flash_bytes, now.standard_bytes)
        said = [f"{si(moved, 'B')} of {si(end, 'B')}" for moved, end in zip(so_far, ends, strict=True)]
        return tally(*BYTES, [moved / max(ends) for moved in so_far], [end / max(ends) for end in ends], said)

    def say(self, now):
        blocks = now.blocks
        flash, standard = (si(each, "B") for each in (blocks.flash_bytes, blocks.standard_bytes))
        if now.place:
            moved, then = si(now.flash_bytes, "B"), si(now.standard_bytes, "B")
            at = f"Block {now.used + 1:,} of {blocks.count:,} is on the chip"
            return f"{at}: {moved} moved so far; it would be {then} if scores were written."
        if not now.used:
            return f"Nothing has moved yet: flash will move {flash}, attention with written scores {standard}."
        more, cost = f", {number(blocks.saved)} times as much", f"; flash moves {number(blocks.cost)} times that"
        times = more if blocks.saved >= 1 else cost
        scores = f"All {blocks.count:,} blocks of scores were" if blocks.count > 1 else "The only block of scores was"
        return f"{scores} used, not written: {flash} moved. With scores written it would be {standard}{times}."


def _home(name, block, blocks):
    """Where a block lies in memory: (x, y, w, h)."""
    edge, tokens = (blocks.block_rows, blocks.rows) if name in "QO" else (blocks.block_cols, blocks.cols)
    unit = HIGH / blocks.tokens
    return COLUMNS[name][0], TOP + block * edge * unit, ACROSS, tokens(block) * unit


@cache
def _grid(blocks):
    """Places, sizes and names of all blocks of scores."""
    unit, (i, j) = HIGH / blocks.tokens, np.indices(blocks.grid).reshape(2, -1)
    wide, high = (np.array([size(n) for n in at]) * unit - 1 for size, at in ((blocks.cols, j), (blocks.rows, i)))
    who = tuple(f"scores of rows {a + 1}, columns {b + 1}" for a, b in zip(i, j, strict=True))
    return GHOST + j * blocks.block_cols * unit, TOP + i * blocks.block_rows * unit, wide, high, who


@cache
def _places(blocks):
    """The three places, and the operands in memory."""
    left, roles = zip(*COLUMNS.values(), strict=True)
    middle = GHOST + HIGH / 2
    size = f"{blocks.tokens:,} × {blocks.tokens:,} = {si(blocks.score_bytes, 'B')}"
    names = [(120, "HBM (DRAM)"), (371, "on the chip"), (middle, "scores, never stored")]
    there, caught = [0] if blocks.cached else [], "cache of K, V" if blocks.cached else ""
    soft, who = [f"{role} soft" for role in roles], [f"matrix {name}" for name in COLUMNS]
    often = "once, then from a cache" if blocks.cached else f"{blocks.grid[0]:,} times: for every block of rows"
    says = ["read once", f"read {often}", f"read {often}", "written once"]
    letters = [(x + ACROSS / 2, TOP - 15, name, f"{role} bold", 15) for name, (x, role) in COLUMNS.items()]
    return [
        boxes("cache", there, 8, 284, 224, 24, "other line"),
        words("cache-words", (16, 296, caught, "other bold start")),
        arrows("cache-way", there, 234, 294, 266, 272, "other", 2.5),
        boxes("places", range(2), [8, 268], 26, [224, 206], 254, "muted line"),
        boxes("frame", [0], GHOST - 3, TOP - 3, HIGH + 6, HIGH + 6, "muted line dashed"),
        words("place-names", *((x, 12, name, "ink bold", 14) for x, name in names)),
        arrows("ways", [0], 234, 190, 266, 190, "muted", 2.5),
        boxes("operands", range(4), left, TOP, ACROSS, HIGH, soft, who=who, says=says),
        words("operand-names", *letters),
        words("size", (middle, TOP + HIGH + 14, size, "muted")),
        *legend("next", 276, 296, [("memory", ""), ("other", "comes next")], gap=-2),
        *legend("use", 406, 296, [("ink line", "in use")]),
    ]
