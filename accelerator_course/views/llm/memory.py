"""The memory of a server: weights and caches to scale, pieces and blocks, beginnings that are shared, experts read."""

import numpy as np

from accelerator_course.views.kit import Chart, bars, below, legend, rows, words
from accelerator_course.views.stage import Stage, boxes, lines, pick
from accelerator_lib.units import counted, number, percent, si

HEAD = "ink bold start"


class Memory(Stage):
    """What fits: the memory as one bar, weights and caches in it to scale, and below it whoever has no room.

    >>> view = Memory()
    >>> view.show(llm.room.held("llama-2-7b", "a100-80gb-sxm", 32, 2048))
    >>> view.show(llm.room.held("llama-2-7b", "a100-80gb-sxm", 1, 128))
    >>> view.show(llm.room.held("llama-2-7b", "a100-80gb-sxm", 512, 131_072))
    >>> view.show(llm.room.held("llama-3-405b", "h100-sxm5", 16, 4096, n_chips=8))
    """

    size, noun = (746, 330), "setting"
    left, right, top, floor = 20, 720, 60, 144
    many, shown = 200, 40  # caches that are drawn one by one, inside and outside

    def marks(self, held):
        """`held`: llm.room.Held."""
        left, right, top, floor = self.left, self.right, self.top, self.floor
        bar = Chart((left, right), (floor, top), (0, held.capacity_bytes), (0, 1))
        roof, end, high = bar.x(held.room_bytes), bar.x(min(held.weights_bytes, held.capacity_bytes)), floor - top
        look = "bad tint dashed" if held.weights_bytes > held.room_bytes else "memory"
        cuts = np.repeat(bar.x(held.capacity_bytes / held.n_chips * np.arange(1, held.n_chips)), 2)
        ends = np.tile([top - 6, floor - 14], held.n_chips - 1)  # words stand between
        weights, chips = si(held.weights_bytes, "B"), "one chip" if held.n_chips == 1 else f"{held.n_chips} chips"
        free = {"who": "kept free", "says": "for intermediate results, the runtime, holes"}
        label = "weights" if end - left > 70 else ""
        each, role = si(held.user_bytes, "B"), "good bold start" if held.fits else "bad bold start"
        shares = f"{percent(held.kv_share)} of weights and caches · {percent(held.kv_of_capacity)} of the memory"
        said = [
            (f"weights {weights}", "memory bold start"),
            (f"caches {held.batch:,} × {each} = {si(held.kv_bytes, 'B')}", "other bold start"),
            (shares, "ink start", 14),
            (f"room for {counted(held.most, 'user')}" if held.most else "no room for one user", role),
        ]
        yield words("head", (left, 16, f"{chips}, {si(held.capacity_bytes, 'B')}, to scale", HEAD, 14))
        yield boxes("all", [0], left, top, right - left, high, "paper")
        yield boxes("spare", [0], roof, top, right - roof, high, "muted tint", **free)
        yield boxes("weights", [0], left, top, end - left, high, look, label, 14, "weights", weights)
        yield lines("chips", range(len(cuts)), cuts, ends, cuts, ends + 20, "ink", 1.5)
        yield boxes("edge", [0], left, top, right - left, high, "ink line")
        yield lines("roof", [0], roof, top - 8, roof, floor + 8, "ink dashed", 2)
        yield words("may", (roof - 6, top - 14, f"may be used: {si(held.room_bytes, 'B')}", "ink end", 12))
        yield from self._users(held, bar, each)
        yield below("said", left, 232, said, 26, HEAD, 15)

    def _users(self, held, bar, each):
        """A cache for each user who has room, one for all where they are many; below, those who have none."""
        wide, out = bar.x(held.user_bytes) - self.left, held.batch - held.inside
        apart = held.inside <= self.many and wide > 3
        n, alone = np.arange(held.inside if apart else min(held.inside, 1)), np.arange(min(out, self.shown))
        long, role = (wide - 1, "other tint") if len(n) == held.inside else (held.inside * wide, "other soft")
        who = [f"user {i + 1}" for i in n] if len(n) == held.inside else f"{held.inside} users"
        start, says = bar.x(held.weights_bytes), f"a cache of {each}"
        lost, more = f"no room for {counted(out, 'user')}" if out else "", "…" if out >= self.shown else ""
        yield boxes("users", n, start + wide * n, self.top + 14, long, 56, role, who=who, says=says)
        yield boxes("out", alone, self.left + 17 * alone, 190, 13, 18, "bad tint dashed", who="no room", says=each)
        yield words("lost", (self.left, 178, lost, "bad bold start", 14), (702, 199, more, "bad bold start", 14))

    def say(self, held):
        if not held.most:
            rest = held.weights_bytes > held.room_bytes
            why = "the weights alone need" if rest else "the weights and one cache need more than"
            much = si(held.weights_bytes if rest else held.room_bytes, "B")
            return f"Not even one user fits: {why} {much}{', more than may be used' if rest else ''}."
        return (
            f"{counted(held.batch, 'user')}: {si(held.needed_bytes, 'B')}, of which caches are "
            f"{percent(held.kv_share)}. {'It fits' if held.fits else 'It does not fit'}: there is room for "
            f"{counted(held.most, 'user')}."
        )


class Board(Stage):
    """Set aside and used: each request in one piece above, in blocks below it, and how many users fit both ways.

    >>> view = Board()
    >>> view.show(llm.room.board([37, 512, 1200, 90], slots=111_000))
    >>> view.show(llm.room.board([37, 512, 1200, 90], 8192, 2048, 111_000))
    >>> view.show(llm.room.board([37, 512, 1200, 90], 256, 1, 111_000))
    """

    size, noun = (746, 440), "setting"
    left, wide, top, lane = 112, 614, 62, 62
    user = 2.0  # pixels of a user

    def marks(self, board):
        """`board`: llm.room.Board."""
        pieces, count = f"above: one piece of {board.reserved:,} · below: blocks of {board.block:,}", len(board.lengths)
        keys = [("memory", "a token"), ("muted tint", "set aside, empty"), ("bad", "no place for it")]
        names = [f"{tokens:,} tokens" for tokens in board.lengths]
        yield from legend("keys", self.left, 19, keys)
        yield words("scale", (self.left, 44, pieces, "muted start", 12))
        yield below("names", self.left - 8, self.top + 22, names, self.lane, "ink end")
        yield from (mark for n in range(count) for mark in self._request(n, board))
        yield from self._users(board, self.top + self.lane * count)

    def _request(self, n, board):
        """One piece and its tokens; below, the blocks, as one where they are too narrow to be told apart."""
        tokens, kept, blocks = board.lengths[n], board.kept[n], board.blocks[n]
        scale = self.wide / max(board.reserved, *(many * board.block for many in board.blocks))
        left, y, lost, who = self.left, self.top + self.lane * n, tokens - kept, f"request {n + 1}"
        drawn = blocks if scale * board.block >= 3 else 1
        each, at, gap = scale * board.block * blocks / drawn, np.arange(drawn), 1 if drawn > 1 else 0
        full, many = np.clip(scale * tokens - each * at, 0, each - gap), counted(blocks, "block")
        aside, held, no = f"{board.reserved:,} set aside", f"{kept:,} tokens", f"{lost:,} tokens have no place"
        inside = f"{tokens:,} tokens in {many}"
        parts = range(3 if lost else 2)
        ends = np.array([left, left, left + scale * board.reserved])[parts]
        long = scale * np.array([board.reserved, kept, lost])[parts]
        roles, says = ("muted tint", "memory", "bad"), (aside, held, no)
        return [
            boxes(f"piece {n}", parts, ends, y, long, 18, roles[: len(parts)], who=who, says=says[: len(parts)]),
            boxes(f"blocks {n}", at, left + each * at, y + 24, each - gap, 18, "muted tint", who=who, says=many),
            boxes(f"tokens {n}", at, left + each * at, y + 24, full, 18, "memory", who=who, says=inside),
        ]

    def _users(self, board, y):
        shares, names = (board.reserved_share, board.block_share), ("one piece each", "blocks")
        used = zip(names, shares, board.users, strict=True)
        said = [f"{name}: {percent(share)} in use, room for {counted(users, 'user')}" for name, share, users in used]
        long, at = np.array(board.users) * min(self.user, self.wide / max(*board.users, 1)), rows(y + 52, 44, 2)
        yield below("said", self.left, y + 34, said, 44, HEAD, 14)
        yield from bars("fit", range(2), self.left, at, long, 16, ["other tint", "other"], who=names, says=said)
        yield lines("zero", range(2), self.left, at - 10, self.left, at + 10, "ink", 1.2)

    def say(self, board):
        cut = f" {counted(board.cut, 'request')} cannot be finished." if board.cut else ""
        return (
            f"In one piece each, {percent(board.reserved_share)} of the slots hold a token, and "
            f"{number(board.users[0])} users fit; in blocks {percent(board.block_share)}, and "
            f"{number(board.users[1])}.{cut}"
        )


class Tree(Stage):
    """A row for each prompt: the blocks that it made. Equal beginnings are kept once, in the row of whoever came first.

    `names` of the prompts; `most`: tokens of the longest one.

    >>> names, most = tuple(llm.prefixes.chats(0)), 320
    >>> view = Tree(names, most)
    >>> run = list(llm.prefixes.visits(llm.prefixes.chats(100).values(), 16, 16))
    >>> view.show(run[0]), view.show(run[1]), view.show(run[-1])
    >>> view.show(list(llm.prefixes.visits(llm.prefixes.chats(200).values(), 1, 64))[-1])
    """

    noun = "prompt"
    left, wide, top, row = 70, 540, 54, 34  # `wide`: the longest prompt
    keys = (("good", "found in the cache"), ("compute", "computed now"), ("memory tint", "kept from before"))

    def __init__(self, names, most):
        self.names, self.scale = tuple(names), self.wide / most
        self.size = (740, self.top + self.row * len(self.names) + 52)

    def marks(self, visit):
        """`visit`: prefixes.Visit."""
        yield from legend("legend", self.left, 14, self.keys)
        yield below("heads", 736, 26, ["tokens", "reused"], 16, "ink end", 12)
        # The names, the length of the prompt that is here, and what each has reused
        y, here, left, high = self._y(np.arange(len(self.names))), self._y(visit.prompt), self.left, self.row
        found, end = left + self.scale * np.array([visit.reused[-1], visit.length])
        reused = [f"{n:,}" for n in visit.reused]
        known = range(bool(visit.hits))
        yield boxes("lanes", range(len(y)), left, y - high / 2 + 4, self.wide, high - 8, "muted soft faint")
        yield boxes("here", [0], 4, here - high / 2 + 1, 732, high - 2, "ink line")
        yield below("names", left - 8, y[0], self.names, high, "ink end", 14)
        yield boxes("part", [0], found, here - high / 2 + 7, end - found, high - 14, "compute tint dashed")
        yield below("reused", 728, y[0], reused, high, "good bold end", 14)
        yield lines("known", known, left, here, found, here, "good dashed", 3)
        # Blocks in the cache, and a line from the block before to one in another row
        nodes = sorted(visit.nodes, key=lambda node: node.number)
        at, keys, wide = (
            {node.number: node for node in nodes},
            [node.number for node in nodes],
            self.scale * visit.block,
        )
        x = self.left + wide * np.array([node.depth for node in nodes])
        y = self._y([node.by for node in nodes]) - self.row / 2 + 7
        roles = ["good" if n in visit.hits else "compute" if n in visit.made else "memory tint" for n in keys]
        who, says = [f"block {n + 1}" for n in keys], [self._says(node, visit) for node in nodes]
        joints = [node for node in nodes if node.parent in at and at[node.parent].by != node.by]
        jx, numbers = self.left + wide * np.array([node.depth for node in joints]), [node.number for node in joints]
        above, under = self._y([at[node.parent].by for node in joints]), self._y([node.by for node in joints])
        gap, high = min(1, wide / 8), self.row - 14
        yield lines("joints", numbers, jx, above, jx, under, "ink", 1.5)
        yield boxes("nodes", keys, x + gap, y, wide - 2 * gap, high, roles, "", 12, who, says)
        # How full the cache is, and what was saved in all
        y, left, blocks = self.top + self.row * len(self.names) + 23, self.left, counted(visit.room, "block")
        gone = f", {len(visit.gone)} had to go" if visit.gone else ""
        said = f"cache: {len(visit.nodes)} of {blocks} of {counted(visit.block, 'token')}{gone}"
        yield boxes("room", [0], left, y - 9, 160, 18, "memory line")
        yield from bars("full", [0], left, [y], [160 * visit.full], 18, "memory tint")
        yield words("cache", (left + 170, y, said), (728, y, f"{sum(visit.reused):,} reused", "good bold end", 14))

    def say(self, visit):
        name, found = self.names[visit.prompt], visit.reused[-1]
        gone = f"; {counted(len(visit.gone), 'block has', 'blocks have')} to go" if visit.gone else ""
        return (
            f"{name} brings {counted(visit.length, 'token')}: {found:,} are in the cache, {visit.computed:,} are "
            f"computed{gone}. The cache holds {len(visit.nodes)} of {counted(visit.room, 'block')}."
        )

    def _y(self, row):
        """The middle of a row."""
        return self.top + self.row * (np.asarray(row, float) + 0.5)

    def _says(self, node, visit):
        tokens = f"tokens {node.depth * visit.block + 1} to {(node.depth + 1) * visit.block} of {self.names[node.by]}"
        if node.number in visit.hits:
            return f"{tokens}: found by {self.names[visit.prompt]}"
        return f"{tokens}: computed now" if node.number in visit.made else f"{tokens}: kept"


class Experts(Stage):
    """Experts of a layer: those that some token picked are read; beside them, arithmetic and bytes.

    >>> view = Experts()
    >>> view.show(llm.experts.route(8, 2, 1)), view.show(llm.experts.route(8, 2, 8))
    >>> view.show(llm.experts.route(256, 8, 512)), view.show(llm.experts.route(1, 1, 1))
    """

    size, noun = (746, 360), "setting"
    left, top, edge, right, wide = 20, 48, 250, 330, 330

    def marks(self, routed):
        """`routed`: llm.experts.Routed."""
        cols = int(np.ceil(routed.experts**0.5))
        cell, at = self.edge / cols, np.arange(routed.experts)
        x, y, large = self.left + cell * (at % cols), self.top + cell * (at // cols), cell > 26
        tokens, who = [f"{n:,}" if large else "" for n in routed.tokens], [f"expert {i + 1}" for i in at]
        says = [f"{counted(int(n), 'token')}" if n else "nobody picked it" for n in routed.tokens]
        roles = pick(("paper", "memory tint"), routed.tokens > 0)
        sub = "blue: read in this step" + ("; number: tokens" if large else "")
        shares, middle = np.array([routed.picked_share, routed.read_share]), rows(119, 82, 2)
        said = [
            f"arithmetic of each token: {percent(shares[0])} of the experts",
            f"bytes of the step: {percent(shares[1])} of the experts",
        ]
        each = f"tokens of an expert: {number(routed.tokens_each)} on average, the busiest {routed.busiest:,}"
        left, right, mean = self.left, self.right, f"on average {counted(routed.mean_read, 'expert')}"
        names, looks = ["arithmetic", "bytes"], ["compute", "memory"]
        yield words(
            "heads",
            (left, 16, f"{counted(routed.experts, 'expert')} of one layer", HEAD, 14),
            (left, 35, sub, "muted start", 12),
            (left, self.top + self.edge + 20, f"in this draw {routed.read} are read", "memory bold start", 14),
            (right, 94, said[0], "compute bold start", 14),
            (right, 176, said[1], "memory bold start", 14),
            (right, 228, mean),
            (right, 268, each, HEAD, 14),
        )
        yield boxes("experts", at, x, y, cell - 2, cell - 2, roles, tokens, 13, who, says)
        yield boxes("all", range(2), right, middle - 11, self.wide, 22, "paper")
        yield from bars("shares", range(2), right, middle, self.wide * shares, 22, looks, who=names, says=said)
        yield lines("zero", range(2), right, middle - 15, right, middle + 15, "ink", 1.2)

    def say(self, routed):
        return (
            f"{counted(routed.batch, 'token')}, each picks {routed.active} of {counted(routed.experts, 'expert')}:"
            f" a step reads {number(routed.mean_read)} on average, {percent(routed.read_share)}."
            f" An expert that is read works for {counted(routed.tokens_each, 'token')} on average; in this draw the"
            f" busiest for {routed.busiest:,}."
        )
