"""An address cut into tag, set and offset, above the cache that cuts it so."""

import numpy as np

from accelerator_course.views.stage import boxes, texts

PARTS = (("tag", "memory tint"), ("set", "other"), ("byte", "muted soft"))
BIT = 17  # pixels


def bits(name, watched, cache, left, top):
    """Layers: one box a bit, coloured by what it is for, and below them the three numbers."""
    split, shape = watched.split[cache], watched.caches[cache]
    of_set, of_byte = shape.sets.bit_length() - 1, shape.line_bytes.bit_length() - 1
    widths = [watched.address_bits - of_set - of_byte, of_set, of_byte]
    digits = format(watched.now.address, f"0{watched.address_bits}b")
    kinds = np.repeat(range(3), widths)
    says = [f"{value}" for value in split]
    ends = np.cumsum(widths)
    middles = left + BIT * (ends - np.array(widths) / 2)
    there = [i for i in range(3) if widths[i]]
    return [
        boxes(
            f"bits-{name}", range(len(digits)), left + BIT * np.arange(len(digits)), top, BIT - 1.5, 20,
            [PARTS[kind][1] for kind in kinds], list(digits), 13, [f"{PARTS[kind][0]} in {name}" for kind in kinds],
            [says[kind] for kind in kinds],
        ),
        texts(
            f"parts-{name}", there, middles[there], top + 31, [f"{PARTS[i][0]} {split[i]}" for i in there],
            ["other bold" if PARTS[i][0] == "set" else "ink" for i in there], 12.5,
        ),
    ]  # fmt: skip
