"""A loop nest as a drawing: three matrices, a box for each buffer, tiles that come and go, and the words they make."""

from accelerator_course.views.codesign.buffers import (
    BAR,
    BAR_ROLES,
    BARS,
    LONGEST,
    MEMORY,
    NAMES,
    ROLES,
    ROWS,
    ZOOM,
    bar_rows,
    bars_left,
    gauge,
    orders,
    outlines,
    places,
    spot,
    unit_of,
)
from accelerator_course.views.stage import Stage, boxes, texts

LOOPS, LINE = (12, 44), 19  # where the text of the loops begins; from one line to the next


class Nest(Stage):
    """A loop nest: tiles of A, B and C go from the memory to a buffer and back, in the order of the loops.

    >>> view = Nest()
    >>> run = list(codesign.loopnest.walk(Gemm(8, 8, 8), (2, 2, 2), "mkn", sram_words=192))
    >>> view.show(run[0])
    >>> view.show(run[5])
    >>> view.show(run[-1])
    >>> two = list(codesign.loopnest.walk(Gemm(10, 7, 5), (4, 3, 2), "mkn", (2, 2, 2), "nmk", 192, 48))
    >>> view.show(two[1])
    >>> view.show(two[6])
    >>> view.show(two[-1])
    """

    size, noun = (760, 462), "step"

    def marks(self, moment):
        """`moment`: codesign.loopnest.walk's."""
        deep = len(moment.levels)
        layers = [*places(moment.gemm, deep), *self._sums(moment)]
        for depth, level in enumerate(moment.levels):
            layers += self._loops(moment, depth, level)
            layers += [*self._tiles(moment, depth, level), self._frames(moment, depth, level)]
            layers += gauge(depth, level.name, level.need, level.room, level.tile)
            layers += self._bars(depth, level)
        return layers + (orders(moment) if deep == 1 else [])

    def _sums(self, moment):
        """Tiles of C that the memory holds, with how much of k is in them."""
        unit, (x, y), k = unit_of(moment.gemm), MEMORY[2], moment.gemm.k
        keys = [f"{row}-{col}" for row, col, _, _ in moment.sums]
        row, col, rows, cols = ([key[i] * unit for key in moment.sums] for i in range(4))
        depth = list(moment.sums.values())
        x, y = [x + left for left in col], [y + down for down in row]
        part = [high * done / k for high, done in zip(rows, depth, strict=True)]
        y = [top + high - one for top, high, one in zip(y, rows, part, strict=True)]
        who = [f"C from row {key[0] + 1}, column {key[1] + 1}" for key in moment.sums]
        says = ["finished" if done == k else f"{done} of {k} along k are in" for done in depth]
        return [boxes("sums", keys, x, y, cols, part, "compute tint", who=who, says=says)]

    def _tiles(self, moment, depth, level):
        """Of each matrix: the tile in the buffer, the one that has gone home, and the one that comes next."""
        coming = moment.coming[1] if moment.coming and moment.coming[0] == depth else (None,) * 3
        found = []
        for which, name in enumerate(NAMES):
            spots = {}  # visit: (place, what it does); a tile keeps its visit as its key, and so it glides
            home = level.home if which == 2 else None
            for piece, here, says in (
                (coming[which], False, f"comes next into the {level.name}"),
                (home, False, "has gone home"),
                (level.held[which], True, f"in the {level.name}"),
            ):
                fresh = says.startswith("comes") and which == 2 and piece and not piece.again
                if piece is not None and not fresh:  # a sum that begins at zero comes from nowhere
                    visit = piece.visit
                    spots[visit] = (self._box(moment, depth, which, piece, here), says, piece)
            where = [place for place, _, _ in spots.values()]
            says = [f"{words}: {piece.rows} × {piece.cols}" for _, words, piece in spots.values()]
            x, y, w, h = zip(*where, strict=True) if where else ((),) * 4
            who = [f"tile {visit + 1} of {name} in the {level.name}" for visit in spots]
            found.append(boxes(f"{name}{depth}", list(spots), x, y, w, h, ROLES[which], "", 13, who, says))
        return found

    def _frames(self, moment, depth, level):
        """Where the tiles in a buffer come from: a frame in each matrix, or in the tile of the SRAM."""
        there = [which for which in range(3) if level.held[which]]
        where = [self._box(moment, depth, which, level.held[which], False) for which in there]
        x, y, w, h = zip(*where, strict=True) if where else ((),) * 4
        return boxes(f"frames{depth}", [NAMES[which] for which in there], x, y, w, h, "ink line")

    def _box(self, moment, depth, which, piece, here):
        """Where a tile lies: in the buffer, or at its place one level up."""
        if here:
            level = moment.levels[depth]
            x, y, unit = *spot(depth, which), ZOOM / max(level.tile)
            return x, y, piece.cols * unit, piece.rows * unit
        x, y, unit, row, col = *MEMORY[which], unit_of(moment.gemm), piece.row, piece.col
        if depth:  # in the tile of the SRAM that it is a part of
            edges = [moment.levels[0].tile[side] for side in ((0, 2), (2, 1), (0, 1))[which]]
            x, y, unit = *spot(0, which), ZOOM / max(moment.levels[0].tile)
            row, col = row % edges[0], col % edges[1]
        return x + col * unit, y + row * unit, piece.cols * unit, piece.rows * unit

    def _loops(self, moment, depth, level):
        """The text of the loops: of each, which tile it is at."""
        deep, trips = len(moment.levels), level.trips or (0, 0, 0)
        at = level.at or (None,) * 3
        words = []
        for d in level.order:
            i = "mnk".index(d)
            here = f"{at[i] + 1}/{trips[i]}" if at[i] is not None else "–"
            words.append(f"for {d}{'′' * depth} {here}")
        x, y = LOOPS
        rows = [y + LINE * (3 * depth + i) for i in range(3)]
        indent = [x + 4 * (i + 3 * depth) for i in range(3)]
        layers = [texts(f"loops{depth}", range(3), indent, rows, words, "ink mono start", 12)]
        if depth == deep - 1:
            layers.append(
                texts("body", [0], x + 4 * (3 * deep), rows[-1] + LINE, ["C += A · B"], "compute bold mono start", 12)
            )
        return layers

    def _bars(self, depth, level):
        """Words counted, in the outline of the closed form."""
        ends = level.ends if any(level.words) else (0,) * 4  # how far each goes is told once something moves
        left, scale, y = bars_left(depth), LONGEST / max(max(ends), 1), bar_rows()
        words = [f"{n:,} of {end:,}" if any(ends) else "0" for n, end in zip(level.words, ends, strict=True)]
        between = "memory ↔ SRAM" if depth == 0 else "SRAM ↔ registers"
        total = f"words, {between}: {level.words.words:,} of {level.ends.words:,}"
        beside = [left + end * scale + 8 for end in ends]
        return [
            *outlines(depth, tuple(ends)),
            texts(f"total{depth}", [0], left - 84, BARS - 16, [total], "ink bold start", 13),
            boxes(f"words{depth}", range(4), left, y, [n * scale for n in level.words], BAR, BAR_ROLES, "", 13,
                  tuple(f"{row}, {between}" for row in ROWS), words),
            texts(f"counts{depth}", range(4), beside, [each + BAR / 2 for each in y], words, "ink start", 13),
        ]  # fmt: skip

    def say(self, moment):
        """How far it is, and what has just come."""
        names = [f"{level.words.words:,} of {level.ends.words:,}" for level in moment.levels]
        counted = f"{names[0]} words between memory and SRAM"
        if len(names) > 1:
            counted += f", {names[1]} between SRAM and registers"
        if moment.step == moment.steps:
            return f"All sums are home: {counted}, as the closed form says."
        if not moment.step:
            return f"Nothing has moved yet: {counted}."
        came = [f"{_listed(level)} the {level.name}" for level in reversed(moment.levels) if any(level.came)]
        return f"Step {moment.step:,} of {moment.steps:,}, {', '.join(came) or 'nothing comes'}: {counted}."


def _listed(level):
    """What has come into a buffer: "A and B into"."""
    names = [name for name, new in zip(NAMES, level.came, strict=True) if new]
    return f"{', '.join(names[:-1])}{' and ' if names[1:] else ''}{names[-1]} into"
