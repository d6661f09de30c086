"""One split of a training step: where its time goes, and what a chip holds."""

import numpy as np

from accelerator_course.views.stage import Stage, boxes, lines, texts
from accelerator_lib.units import counted, percent, si

PARTS = (
    ("compute", "compute", "arithmetic"),
    ("tensor", "memory", "all-reduces of tp"),
    ("pass", "good", "to the next stage"),
    ("wait", "muted", "stages wait"),
    ("gradient", "other", "gradients of dp"),
)
BAR, LONG = 160, 552


class SplitParts(Stage):
    """One split: where the time of its step goes, and what a chip must hold.

    >>> view, H100 = SplitParts(72e9), hardware.chip("h100-sxm5")
    >>> view.show(network.parallel.split("llama-3-70b", H100, 8, 1, 64, 1024, 4096))
    >>> view.show(network.parallel.split("llama-3-70b", H100, 16, 1, 32, 1024, 4096))
    >>> view.show(network.parallel.split("llama-3-70b", H100, 1, 4, 128, 1024, 4096))
    """

    size, noun = (740, 366), "setting"

    def __init__(self, capacity_bytes, most_seconds=12.0):
        self.capacity, self.most = capacity_bytes, most_seconds

    def marks(self, split):
        """`split`: network.parallel.Split."""
        seconds = np.array([getattr(split, f"{name}_seconds") for name, *_ in PARTS])
        scale = LONG / max(self.most, split.seconds)
        left = BAR + scale * np.concatenate([[0], np.cumsum(seconds)[:-1]])
        y = 62 + 27 * np.arange(5)
        words = [f"{value:.2f} s" if value >= 0.005 else "–" if not value else si(value, "s") for value in seconds]
        return [
            texts(
                "head",
                range(2),
                [8, BAR],
                20,
                ["one step", f"{split.seconds:.2f} s, MFU {percent(split.mfu)}"],
                ("ink bold start", "ink bold start"),
                15,
            ),
            boxes(
                "step",
                range(5),
                left,
                34,
                scale * seconds,
                18,
                [role for _, role, _ in PARTS],
                who=[name for *_, name in PARTS],
                says=words,
            ),
            texts("names", range(5), BAR - 10, y + 14, [name for *_, name in PARTS], "ink end", 13),
            boxes(
                "parts",
                range(5),
                BAR,
                y + 5,
                scale * seconds,
                18,
                [role for _, role, _ in PARTS],
                who=[name for *_, name in PARTS],
                says=words,
            ),
            texts("words", range(5), BAR + scale * seconds + 8, y + 14, words, "ink bold start", 13),
            lines("zero", [0], BAR, 30, BAR, 202, "muted", 1.2),
            *self._room(split),
        ]

    def _room(self, split):
        scale = LONG / max(1.3 * self.capacity, split.bytes_per_chip)
        pieces, fits = np.array([split.weight_bytes, split.activation_bytes]), split.bytes_per_chip <= self.capacity
        end = BAR + scale * self.capacity
        told = "fits" if fits else "does not fit"
        roles = ("memory", "other") if fits else ("bad", "bad tint")
        return [
            texts(
                "room-head",
                range(2),
                [8, BAR],
                232,
                ["one chip holds", f"{si(split.bytes_per_chip, 'B')}: {told}"],
                ("ink bold start", "ink bold start" if fits else "bad bold start"),
                15,
            ),
            boxes(
                "room",
                range(2),
                BAR + scale * np.array([0, pieces[0]]),
                248,
                scale * pieces,
                30,
                roles,
                who=["weights, gradients, optimiser", "activations"],
                says=[si(piece, "B") for piece in pieces],
            ),
            lines("limit", [0], end, 242, end, 288, "ink", 2.5),
            texts("limit-words", [0], end, 302, [f"limit {si(self.capacity, 'B')}"], "ink bold", 13),
            texts(
                "room-words",
                range(2),
                [BAR, BAR],
                [328, 350],
                [f"weights, gradients, optimiser {si(pieces[0], 'B')}", f"activations {si(pieces[1], 'B')}"],
                ("memory start", "other start"),
                13,
            ),
            texts(
                "copies", [0], 730, 350, [f"{split.dp} copies, {split.microbatches} micro-batches each"], "ink end", 13
            ),
        ]

    def say(self, split):
        fits = "fits" if split.bytes_per_chip <= self.capacity else "does not fit"
        return (
            f"tp {split.tp}, pp {split.pp}, {split.dp} copies, micro-batches of {split.micro}, "
            f"{counted(split.interleave, 'chunk')} a stage: {split.seconds:.2f} s a step, "
            f"{si(split.bytes_per_chip, 'B')} a chip ({fits})."
        )
