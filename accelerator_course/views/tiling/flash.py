"""Flash attention: a block of scores appears on the chip, is used and is gone; beside it the scores never written."""

from functools import cache

import numpy as np

from accelerator_course.views.stage import Stage, arrows, boxes, pick, texts
from accelerator_course.views.tally import Tally
from accelerator_lib.units import number, si

TOP, HIGH = 58, 212  # of the operands in memory, and of all scores
COLUMNS = {"Q": (28, "memory"), "K": (78, "other"), "V": (128, "other"), "O": (178, "good")}  # left edges, roles
WIDE, BLOCK, THIN = 34, 88, 30  # of an operand; a block of scores on the chip, and the width of what meets it
Q_AT, K_AT, S_AT, V_AT, O_AT = (284, 152), (320, 116), (320, 152), (414, 58), (414, 152)  # corners on the chip
BYTES = Tally(110, 318, 392, 100, ("flash", "standard"), ("memory", "bad"))
GHOST, TICK = 510, 15  # left edge of all scores; the smallest block with a tick in it
CACHE = {"K": (138, 289, 40, 14), "V": (184, 289, 40, 14)}  # where their blocks wait once a cache has caught them


class Flash(Stage):
    """Blocks of Q, K and V come to the chip and meet in a block of scores; of all scores only ticks remain.

    >>> view, run = Flash(), list(tiling.flash.walk(512, 64, 128, 128))
    >>> view.show(run[0])
    >>> view.show(run[6])
    >>> view.show(run[-1])
    >>> view.show(list(tiling.flash.walk(500, 64, 128, 96, cached=True))[9])
    """

    size, noun = (740, 384), "step"

    def marks(self, moment):
        """`moment`: flash.Moment."""
        return [
            *_places(moment.blocks),
            *self._scores(moment),
            *self._chip(moment),
            *self._bytes(moment),
        ]

    def _scores(self, moment):
        """The grid of all scores: not yet, now, used and gone."""
        x, y, wide, high, who = _grid(moment.blocks)
        at = np.arange(len(who))
        look = (at < moment.used) + 2 * (at == moment.used) * (moment.place is not None)
        small = min(wide.max(), high.max()) < TICK
        return [
            boxes(
                "ghost", at, x, y, wide, high, pick(("paper", "muted soft", "compute"), look),
                "" if small else pick(("", "✓", ""), look), 13, who,
                pick(("not computed yet", "used and gone", "on the chip"), look),
            ),
        ]  # fmt: skip

    def _chip(self, moment):
        """What is on the chip, and what comes next, still in memory."""
        blocks, here, then = moment.blocks, moment.place, moment.coming
        row = here[0] if here else None
        found = {name: [] for name in COLUMNS}  # (key, x, y, w, h, says)
        if here:
            found["Q"].append((row, *Q_AT, THIN, BLOCK, "on the chip"))
            found["K"].append((moment.used, *K_AT, BLOCK, THIN, f"block {here[1] + 1} on the chip"))
            found["V"].append((moment.used, *V_AT, THIN, BLOCK, f"block {here[1] + 1} on the chip"))
        if then:
            key, says = moment.used + bool(here), f"block {then[1] + 1} comes next"
            for name in "KV":
                home = CACHE[name] if blocks.cached and then[0] else _home(name, then[1], blocks)
                found[name].append((key, *home, says))
            if then[0] != row:
                found["Q"].append((then[0], *_home("Q", then[0], blocks), "comes next"))
        finished = row if here else blocks.grid[0] if moment.used else 0
        found["O"] = [(i, *_home("O", i, blocks), "written to memory") for i in range(finished)]
        if here:
            found["O"].append((row, *O_AT, THIN, BLOCK, "sums that stay on the chip"))
        layers = []
        for name, (_, role) in COLUMNS.items():
            key, x, y, w, h, says = zip(*found[name], strict=True) if found[name] else [()] * 6
            who = [f"block {i + 1} of {name}" for i in key] if name in "QO" else f"blocks of {name}"
            words = [name if wide >= 14 and high >= 14 else "" for wide, high in zip(w, h, strict=True)]
            layers.append(boxes(f"blocks-{name}", key, x, y, w, h, role, words, 13, who, says))
        told = f"rows {here[0] + 1}, columns {here[1] + 1}" if here else "nothing here"
        return [
            *layers,
            boxes(
                "block", [moment.used] if here else [], *S_AT, BLOCK, BLOCK, "compute", "S", 17,
                "the block of scores on the chip", "computed, used, gone",
            ),
            texts(
                "chip-words", range(3), [280, 280, 371], [46, 66, 262], ["S = Q Kᵀ, softmax", "O += S V", told],
                ["ink start", "ink start", "compute bold"], 13,
            ),
        ]  # fmt: skip

    def _bytes(self, moment):
        ends = moment.blocks.flash_bytes, moment.blocks.standard_bytes
        so_far = moment.flash_bytes, moment.standard_bytes
        words = [f"{si(now, 'B')} of {si(end, 'B')}" for now, end in zip(so_far, ends, strict=True)]
        return BYTES.marks([now / max(ends) for now in so_far], [end / max(ends) for end in ends], words)

    def say(self, moment):
        blocks, (down, across) = moment.blocks, moment.blocks.grid
        flash, standard = (si(each, "B") for each in (blocks.flash_bytes, blocks.standard_bytes))
        if moment.place:
            now, then = si(moment.flash_bytes, "B"), si(moment.standard_bytes, "B")
            at = f"Block {moment.used + 1:,} of {down * across:,} is on the chip"
            return f"{at}: {now} moved so far, {then} if scores were written."
        if not moment.used:
            return f"Nothing has moved yet: flash will move {flash}, attention that writes its scores {standard}."
        times = blocks.standard_bytes / blocks.flash_bytes
        less = f"{number(times)} times less than" if times >= 1 else f"{number(1 / times)} times as much as"
        scores = f"All {down * across:,} blocks of scores were" if down * across > 1 else "The only block of scores was"
        used = f"{scores} used, none was written"
        return f"{used}: {flash} moved, {less} the {standard} with scores written."


def _home(name, block, blocks):
    """Where a block lies in memory: (x, y, w, h)."""
    edge, tokens = (blocks.block_rows, blocks.rows) if name in "QO" else (blocks.block_cols, blocks.cols)
    unit = HIGH / blocks.tokens
    return COLUMNS[name][0], TOP + block * edge * unit, WIDE, tokens(block) * unit


@cache
def _grid(blocks):
    """Places, sizes and names of all blocks of scores."""
    down, across = blocks.grid
    unit, (i, j) = HIGH / blocks.tokens, np.indices((down, across)).reshape(2, -1)
    wide, high = (np.array([size(n) for n in at]) * unit - 1 for size, at in ((blocks.cols, j), (blocks.rows, i)))
    who = tuple(f"scores of rows {a + 1}, columns {b + 1}" for a, b in zip(i, j, strict=True))
    return GHOST + j * blocks.block_cols * unit, TOP + i * blocks.block_rows * unit, wide, high, who


@cache
def _places(blocks):
    """The three places, and the operands in memory."""
    left, roles = zip(*COLUMNS.values(), strict=True)
    names, middle = ["HBM (DRAM)", "on the chip", "scores, never stored"], GHOST + HIGH / 2
    size = f"{blocks.tokens:,} × {blocks.tokens:,} = {si(blocks.score_bytes, 'B')}"
    soft, bold = ([f"{role} {how}" for role in roles] for how in ("soft", "bold"))
    who = [f"matrix {name}" for name in COLUMNS]
    there = [0] if blocks.cached else []
    return [
        boxes("cache", there, 8, 284, 224, 24, "other line"),
        texts("cache-words", there, 16, 296, "cache of K, V", "other bold start", 13),
        arrows("cache-way", there, 234, 294, 266, 272, "other", 2.5),
        boxes("places", range(2), [8, 268], 26, [224, 206], 254, "muted line"),
        boxes("frame", [0], GHOST - 3, TOP - 3, HIGH + 6, HIGH + 6, "muted line dashed"),
        texts("place-names", range(3), [120, 371, middle], 12, names, "ink bold", 14),
        arrows("ways", [0], 234, 190, 266, 190, "muted", 2.5),
        boxes("operands", range(4), left, TOP, WIDE, HIGH, soft, who=who),
        texts("operand-names", range(4), [x + WIDE / 2 for x in left], TOP - 15, list(COLUMNS), bold, 15),
        texts("size", [0], middle, TOP + HIGH + 14, size, "muted"),
    ]
