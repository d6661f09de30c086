"""Code: a kernel's text on a stage, the line that runs lit in it."""

import textwrap

import numpy as np

from accelerator_course.views.stage import boxes, texts

LEAST = 12  # letters of a row that are left to a line, however far it is indented


def kernel(code, now, shown, letters, wide, top, row, head="the kernel, one for all lanes"):
    """Layers: `shown` rows around line `now`, which is lit; a line longer than `letters` goes on in the next row."""
    rows = []
    for number, line in enumerate(code, 1):
        indent = len(line) - len(line.lstrip())
        for part, words in enumerate(textwrap.wrap(line.strip(), max(LEAST, letters - indent)) or [""]):
            rows.append((number, part, indent + 2 * (part > 0), words))
    places = [place for place, each in enumerate(rows) if each[0] == now]
    at = max(0, min(places[0] - shown // 2, len(rows) - shown))
    seen = rows[at : at + shown]
    high = top + row * np.arange(len(seen))
    lit = len([place for place in places if place < at + shown])
    yield boxes("lit", [0], [2], [top + row * (places[0] - at)], wide - 2, row * lit, "compute tint")
    keys, x = [f"{number}.{part}" for number, part, *_ in seen], [30 + 8 * indent for *_, indent, _ in seen]
    yield texts("code", keys, x, high + row / 2, [words for *_, words in seen], "ink mono start")
    first = [i for i, each in enumerate(seen) if not each[1]]
    numbers = [seen[i][0] for i in first]
    yield texts("numbers", numbers, 22, high[first] + row / 2, map(str, numbers), "muted end", 12)
    yield texts("kernel", [0], [2], [top - 16], [head], "ink bold start")
