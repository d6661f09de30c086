"""Requests in memory: one long piece for each, or blocks; full slots, empty ones, and users who then fit."""

import numpy as np

from accelerator_course.views.stage import Stage, boxes, lines, texts
from accelerator_lib.units import counted, number, percent

LEFT, WIDE, TOP, LANE = 112, 614, 62, 62
USER = 2.0  # pixels of a user


class Board(Stage):
    """Set aside and used: each request in one piece above, in blocks below it, and how many users fit both ways.

    >>> view = Board()
    >>> view.show(llm.boards.board([37, 512, 1200, 90], slots=111_000))
    >>> view.show(llm.boards.board([37, 512, 1200, 90], 8192, 2048, 111_000))
    >>> view.show(llm.boards.board([37, 512, 1200, 90], 256, 1, 111_000))
    """

    size, noun = (746, 440), "setting"

    def marks(self, board):
        """`board`: llm.boards.Board."""
        longest = max(board.reserved, *(n * board.block for n in board.blocks))
        scale, marks = WIDE / longest, []
        for n, (tokens, kept, blocks) in enumerate(zip(board.lengths, board.kept, board.blocks, strict=True)):
            marks += self._request(n, board, scale, tokens, kept, blocks)
        rows = range(len(board.lengths))
        words = [f"{tokens:,} tokens" for tokens in board.lengths]
        y = TOP + LANE * np.arange(len(board.lengths))
        at = np.array([LEFT, LEFT + 100, LEFT + 260])
        keys = ["a token", "set aside, empty", "no place for it"]
        return [
            boxes("keys", range(3), at, 12, 14, 14, ["memory", "muted tint", "bad"]),
            texts("key words", range(3), at + 20, 19, keys, "ink start", 13),
            texts("scale", [0], LEFT, 44, f"above: one piece of {board.reserved:,} · below: blocks of {board.block:,}",
                  "muted start", 12),
            texts("names", rows, LEFT - 8, y + 22, words, "ink end", 13),
            *marks,
            *self._users(board),
        ]  # fmt: skip

    def _request(self, n, board, scale, tokens, kept, blocks):
        y, piece = TOP + LANE * n, scale * board.reserved
        who, lost = f"request {n + 1}", tokens - kept
        drawn = blocks if scale * board.block >= 3 else 1
        each = scale * board.block * blocks / drawn
        at = np.arange(drawn)
        gap = 1 if drawn > 1 else 0
        full = np.clip(scale * tokens - each * at, 0, each - gap)
        return [
            boxes(f"piece {n}", [0], LEFT, y, piece, 18, "muted tint", who=who, says=f"{board.reserved:,} set aside"),
            boxes(f"kept {n}", [0], LEFT, y, scale * kept, 18, "memory", who=who, says=f"{kept:,} tokens"),
            boxes(f"lost {n}", [0] if lost else [], LEFT + piece, y, scale * lost, 18, "bad", who=who,
                  says=f"{lost:,} tokens have no place"),
            boxes(f"blocks {n}", at, LEFT + each * at, y + 24, each - gap, 18, "muted tint", who=who,
                  says=counted(blocks, "block")),
            boxes(f"tokens {n}", at, LEFT + each * at, y + 24, full, 18, "memory", who=who,
                  says=f"{tokens:,} tokens in {counted(blocks, 'block')}"),
        ]  # fmt: skip

    def _users(self, board):
        y = TOP + LANE * len(board.lengths) + np.array([34, 78])
        shares, names = (board.reserved_share, board.block_share), ("one piece each", "blocks")
        words = [f"{n}: {percent(s)} in use, room for {counted(u, 'user')}" for n, s, u in
                 zip(names, shares, board.users, strict=True)]  # fmt: skip
        long = np.array(board.users) * min(USER, WIDE / max(*board.users, 1))
        return [
            texts("told", range(2), LEFT, y, words, "ink bold start", 14),
            boxes("fit", range(2), LEFT, y + 10, long, 16, ["other tint", "other"], who=names, says=words),
            lines("zero", range(2), LEFT, y + 8, LEFT, y + 28, "ink", 1.2),
        ]

    def say(self, board):
        """What share of what is set aside is in use, and how many users that leaves room for."""
        cut = f" {counted(board.cut, 'request')} cannot be finished." if board.cut else ""
        return (
            f"In one piece each, {percent(board.reserved_share)} of the slots hold a token, and "
            f"{number(board.users[0])} users fit; in blocks {percent(board.block_share)}, and "
            f"{number(board.users[1])}.{cut}"
        )
