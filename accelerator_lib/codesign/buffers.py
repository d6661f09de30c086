"""A buffer of a walk through a loop nest: the tiles that lie in it, what comes, what goes home, the words counted."""

from dataclasses import dataclass

from accelerator_lib.codesign.nest import Traffic, tile_words

SIDES = ((0, 2), (2, 1), (0, 1))  # of A, B, C: which of m, n, k its rows and its columns are


@dataclass(frozen=True)
class Piece:
    """A tile of a matrix, in elements; `visit` counts how many of that matrix came into the buffer before it."""

    row: int
    col: int
    rows: int
    cols: int
    visit: int
    again: bool = False  # a sum that was here before, and comes back with what it holds

    @property
    def words(self):
        return self.rows * self.cols


@dataclass(frozen=True)
class Level:
    """One buffer: its loops and where they stand, the tiles of A, B and C in it, and the words that went in and out."""

    name: str
    tile: tuple  # along m, n, k
    order: str
    room: int | None  # words; None: not asked
    at: tuple  # which tile along m, n, k; empty while nothing lies here
    trips: tuple
    held: tuple  # Pieces of A, B, C; None where there is none
    came: tuple  # of A, B, C: whether it has just come
    home: Piece | None  # the tile of C that has just gone home
    words: Traffic  # so far
    ends: Traffic  # in the end, by the closed form

    @property
    def need(self):
        """Words that its tiles take."""
        return tile_words(self.tile)


class Buffer:
    """What a level holds while it is walked: the one thing here that changes; each `level()` is a frozen copy."""

    def __init__(self, name, tile, order, room, ends):
        self.name, self.tile, self.order, self.room, self.ends = name, tile, order, room, ends
        self.held, self.visits, self.words, self.begun = [None] * 3, [0] * 3, [0] * 4, set()
        self.at = self.trips = ()
        self.quiet()

    def quiet(self):
        self.came, self.home = (False,) * 3, None

    def level(self):
        return Level(
            self.name, self.tile, self.order, self.room, self.at, self.trips, tuple(self.held), self.came, self.home,
            Traffic(*self.words), self.ends,
        )  # fmt: skip

    def coming(self, plan):
        """(level, Pieces that a plan brings), None for those that are there already."""
        return plan[0], tuple(self._piece(which, plan[3]) for which in range(3))

    def _piece(self, which, spans):
        (row, rows), (col, cols) = (spans[side] for side in SIDES[which])
        here = self.held[which]
        if here and (here.row, here.col) == (row, col):
            return None
        return Piece(row, col, rows, cols, self.visits[which], which == 2 and (row, col) in self.begun)

    def go(self, plan):
        """Fetch what is missing; the tile of C that goes home, if one does."""
        _, self.at, self.trips, spans = plan
        new, self.home = [self._piece(which, spans) for which in range(3)], None
        self.came = tuple(piece is not None for piece in new)
        for which, piece in enumerate(new):
            if piece is None:
                continue
            self.visits[which] += 1
            if which < 2:
                self.words[which] += piece.words
            else:
                self.home = self.held[2]
                self.words[2] += self.home.words if self.home else 0
                self.words[3] += piece.words if piece.again else 0
                self.begun.add((piece.row, piece.col))
            self.held[which] = piece
        return self.home

    def leave(self):
        """All goes: the sums home, the rest is dropped."""
        self.home = self.held[2]
        self.words[2] += self.home.words if self.home else 0
        self.held, self.begun, self.came, self.at = [None] * 3, set(), (False,) * 3, ()
        return self.home
