"""The memory of one chip or of several: weights, a cache for each user, what is left, what has no room."""

import numpy as np

from accelerator_course.views.stage import Stage, boxes, lines, texts
from accelerator_lib.units import counted, percent, si

LEFT, WIDE, TOP, HIGH = 20, 700, 60, 84


class Memory(Stage):
    """What fits: the memory as one bar, weights and caches in it to scale, and below it whoever has no room.

    >>> view = Memory()
    >>> view.show(llm.room.held("llama-2-7b", "a100-80gb-sxm", 32, 2048))
    >>> view.show(llm.room.held("llama-2-7b", "a100-80gb-sxm", 1, 128))
    >>> view.show(llm.room.held("llama-2-7b", "a100-80gb-sxm", 512, 131_072))
    >>> view.show(llm.room.held("llama-3-405b", "h100-sxm5", 16, 4096, n_chips=8))
    """

    size, noun = (746, 330), "setting"

    def marks(self, held):
        """`held`: llm.room.Held."""
        return [*self._memory(held), *self._users(held), *_told(held)]

    def _memory(self, held):
        scale = WIDE / held.capacity_bytes
        roof, inside = LEFT + scale * held.room_bytes, min(held.weights_bytes, held.capacity_bytes)
        over = held.weights_bytes > held.room_bytes
        wide = scale * inside
        cuts = LEFT + WIDE / held.n_chips * np.arange(1, held.n_chips)
        chips = "one chip" if held.n_chips == 1 else f"{held.n_chips} chips"
        return [
            texts("head", [0], LEFT, 16, f"{chips}, {si(held.capacity_bytes, 'B')}, to scale", "ink bold start", 14),
            boxes("all", [0], LEFT, TOP, WIDE, HIGH, "paper"),
            boxes("spare", [0], roof, TOP, LEFT + WIDE - roof, HIGH, "muted tint", who="kept free",
                  says="for intermediate results, the runtime, holes"),
            boxes("weights", [0], LEFT, TOP, wide, HIGH, "bad tint dashed" if over else "memory",
                  "weights" if wide > 70 else "", 14, "weights", si(held.weights_bytes, "B")),
            lines("chips", range(2 * len(cuts)), np.tile(cuts, 2), np.repeat([TOP - 6, TOP + HIGH - 14], len(cuts)),
                  np.tile(cuts, 2), np.repeat([TOP + 14, TOP + HIGH + 6], len(cuts)), "ink", 1.5),  # words between
            boxes("edge", [0], LEFT, TOP, WIDE, HIGH, "ink line"),
            lines("roof", [0], roof, TOP - 8, roof, TOP + HIGH + 8, "ink dashed", 2),
            texts("roofed", [0], roof - 6, TOP - 14, f"may be used: {si(held.room_bytes, 'B')}", "ink end", 12),
        ]  # fmt: skip

    def _users(self, held):
        scale, each = WIDE / held.capacity_bytes, held.kv_bytes / held.batch
        inside, wide = min(held.most, held.batch), WIDE / held.capacity_bytes * each
        start = LEFT + scale * held.weights_bytes
        n = np.arange(inside) if inside <= 200 and wide > 3 else np.arange(min(inside, 1))
        long = wide - 1 if len(n) == inside else inside * wide
        out = held.batch - inside
        role = "other tint" if len(n) == inside else "other soft"
        who = [f"user {i + 1}" for i in n] if len(n) == inside else f"{inside} users"
        alone = np.arange(min(out, 40))
        return [
            boxes("users", n, start + wide * n, TOP + 14, long, HIGH - 28, role, who=who,
                  says=f"a cache of {si(each, 'B')}"),
            texts("lost", alone[:1], LEFT, 178, f"no room for {counted(out, 'user')}", "bad bold start", 14),
            boxes("out", alone, LEFT + 17 * alone, 190, 13, 18, "bad tint dashed", who="no room", says=si(each, "B")),
            texts("more", alone[39:], LEFT + 17 * 40 + 2, 199, "…", "bad bold start", 14),
        ]  # fmt: skip

    def say(self, held):
        """What is needed, what of it are caches, and how many users fit."""
        if not held.most:
            rest = held.weights_bytes > held.room_bytes
            why = "the weights alone need" if rest else "the weights and one cache need more than"
            much = si(held.weights_bytes, "B") if rest else f"{si(held.room_bytes, 'B')}"
            return f"Not even one user fits: {why} {much}{', more than may be used' if rest else ''}."
        return (
            f"{counted(held.batch, 'user')}: {si(held.needed_bytes, 'B')}, of which caches are "
            f"{percent(held.kv_share)}. {'It fits' if held.fits else 'It does not fit'}: there is room for "
            f"{counted(held.most, 'user')}."
        )


def _told(held):
    each = held.kv_bytes / held.batch
    words = [
        f"weights {si(held.weights_bytes, 'B')}",
        f"caches {held.batch:,} × {si(each, 'B')} = {si(held.kv_bytes, 'B')}",
        f"{percent(held.kv_share)} of weights and caches · {percent(held.kv_of_capacity)} of the memory",
        f"room for {counted(held.most, 'user')}" if held.most else "no room for one user",
    ]
    role = "good bold start" if held.fits else "bad bold start"
    roles = ["memory bold start", "other bold start", "ink start", role]
    return [texts("told", range(4), LEFT, 232 + 26 * np.arange(4), words, roles, [15, 15, 14, 15])]
