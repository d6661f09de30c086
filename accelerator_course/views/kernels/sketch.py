"""A sketch while one types: for each line that reads or writes, lanes above, sectors or banks below; or blocks."""

import numpy as np

from accelerator_course.views.kernels.moving import seen
from accelerator_course.views.kernels.traced import beyond, ringed
from accelerator_course.views.kernels.watching import WORDS, cost
from accelerator_course.views.stage import Layer, Stage, boxes, lines, pick, texts
from accelerator_lib.units import counted

LEFT, LANE, WIDE = 4, 16, 520  # where the first lane stands, pixels of one, of all
ROW, LANES, HIGH, HOMES, DEEP = 88, 20, 11, 58, 14  # of a row: how high it is; lanes and homes: from where, how high
OPERAND = 120  # how high an operand is


class Sketched(Stage):
    """Lanes and what they touch: a row for each line that reads or writes. Of blocks, how often each came.

    >>> from accelerator_course.ladder.sketch import sketch
    >>> def drawn(id, text): return sketch(ladder.rung(id), text, 10)
    >>> view = Sketched()
    >>> view.show(drawn("transpose", ladder.rung("transpose").slow.text))
    >>> view.show(drawn("transpose", ladder.rung("transpose").steps[1].text))
    >>> view.show(drawn("map", "out[thread + 9] = 1.0"))
    >>> view.show(drawn("feed", ladder.rung("feed").slow.text))
    """

    size = (WIDE, 4 * ROW)

    def high(self, drawn):
        """Pixels that a picture needs of the height."""
        return ROW * len(drawn.rows) if hasattr(drawn.rows[0], "step") else OPERAND + 54

    def marks(self, drawn):
        if not hasattr(drawn.rows[0], "step"):
            return _blocks(drawn.rows[0])
        return [_named(layer, number) for number, state in enumerate(drawn.rows) for layer in _row(state, ROW * number)]

    def say(self, drawn):
        if not hasattr(drawn.rows[0], "step"):
            return f"{'; '.join(f'{spot.name}: {_times(spot)}' for spot in drawn.rows[0].spots)}."
        return f"{'; '.join(_head(state) for state in drawn.rows)}."


def _named(layer, number):
    """The same Layer as one of a row."""
    return Layer(f"{layer.name} {number}", layer.kind, layer.columns)


def _head(state):
    step = state.step
    if step.kind == "barrier":
        return f"line {step.line}: barrier"
    head = f"line {step.line} {WORDS[step.kind]} {step.array}"
    if step.access is None:
        name, length, _ = step.fault.asked
        asked = step.index[step.mask]
        return f"{head}: {name} {asked.min():,} to {asked.max():,} of 0 to {length - 1:,}"
    return f"{head}: {cost(state)}"


def _row(state, top):
    """One access: the lanes at work filled, and lines to what they touch."""
    step, lane = state.step, np.arange(len(state.step.mask))
    layers = [
        texts("head", [0], [LEFT], [top + 9], [_head(state)], "ink bold start", 13),
        boxes("lanes", lane, LEFT + LANE * lane, top + LANES, LANE - 2, HIGH,
              pick(("muted tint dashed", "compute"), step.mask)),
    ]  # fmt: skip
    foot = top + LANES + HIGH
    if step.fault and step.fault.asked:
        found = beyond(state, LEFT, LANE, foot, top + HOMES, DEEP)
        layers += [layer for layer in found if layer.name != "place"]  # its words stand in the head
    elif step.access is not None:
        layers += _touched(state, top, foot)
    return [*layers, ringed(state, LEFT, LANE, top + LANES, HIGH)] if step.fault else layers


def _touched(state, top, foot):
    """Sectors, as broad as the lanes above where all are used; or banks."""
    if state.step.sectors:
        columns = max(len(state.touched), 4)
        wide = LANE * len(state.step.mask) / columns
        homes, width = np.arange(len(state.touched)), wide
        word = (wide - 2) / state.sector_words
        x = LEFT + wide * state.sector + word * state.within
    else:
        homes, width, word = np.arange(state.banks), LANE, LANE - 2
        x = LEFT + LANE * state.bank
    threads = lines("threads", state.lanes, LEFT + LANE * (state.lanes + 0.5) - 1, foot, x + word / 2, top + HOMES,
                    "compute", 0.8)  # fmt: skip
    cells = boxes("homes", homes, LEFT + width * homes, top + HOMES, width - 2, DEEP, "memory tint")
    lit = boxes("words", state.lanes, x, top + HOMES + 3, np.maximum(word, 1), DEEP - 6, "compute")
    return [cells, lit, threads]


def _times(spot):
    """How often blocks of an operand came: 4 blocks, 2 times each."""
    often = [times for _, times in spot.seen]
    blocks = counted(len(often), "block")
    return f"{blocks}, each once" if max(often) == 1 else f"{blocks}, up to {max(often)} times"


def _blocks(state):
    """Each operand, and how often each of its blocks came."""
    many = len(state.spots)
    column = WIDE / many
    wide, left = min(column - 14, 190), column * np.arange(many) + LEFT
    names = texts("names", range(many), left, 10, [spot.name for spot in state.spots], "ink bold start")
    memory = boxes("memory", range(many), left, 24, wide, OPERAND, "muted line")
    told = texts("times", range(many), left, OPERAND + 38, [_times(spot) for spot in state.spots], "ink start", 12)
    part = np.array([spot.at for spot in state.spots])
    now = [at for at in range(many) if state.fault]
    top, bottom, start, end = part.T
    ring = boxes("stopped", now, (left + wide * start)[now], (24 + OPERAND * top)[now], (wide * (end - start))[now],
                 (OPERAND * (bottom - top))[now], "bad line")  # fmt: skip
    return [names, memory, seen(state, left, wide, 24, OPERAND), told, ring]
