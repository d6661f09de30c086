"""The memory of a server: weights and caches to scale, pieces and blocks, beginnings that are shared, experts read."""

import numpy as np

from accelerator_course.views.kit import Chart, bars, below, legend, rows, words
from accelerator_course.views.stage import Stage, boxes, lines, pick
from accelerator_lib.units import counted, number, percent, si

HEAD = "ink bold start"


class Memory(Stage):
    """What fits: the memory as one bar, weights and caches in it to scale, and below it whoever has no room.

    >>> view, held, given = Memory(), llm.room.held, ("llama-2-7b", "a100-80gb-sxm")
    >>> view.show(held(*given, 32, 2048)), view.show(held(*given, 1, 128)), view.show(held(*given, 512, 131_072))
    >>> view.show(held("llama-3-405b", "h100-sxm5", 16, 4096, n_chips=8))
    """

    size, noun = (746, 330), "setting"
    left, right, top, floor = 20, 720, 60, 144
    many, shown = 200, 40  # caches that are drawn one by one, inside and outside

    def marks(self, held):  # llm.room.Held
        left, right, top, floor, high = self.left, self.right, self.top, self.floor, self.floor - self.top
        bar = Chart((left, right), (floor, top), (0, held.capacity_bytes), (0, 1))
        roof, end = bar.x(held.room_bytes), bar.x(min(held.weights_bytes, held.capacity_bytes))
        look = "bad tint dashed" if held.weights_bytes > held.room_bytes else "memory"
        cuts = np.repeat(bar.x(held.capacity_bytes / held.n_chips * np.arange(1, held.n_chips)), 2)
        ends = np.tile([top - 6, floor - 14], held.n_chips - 1)  # words stand between
        weights, chips = si(held.weights_bytes, "B"), "one chip" if held.n_chips == 1 else f"{held.n_chips} chips"
        free = ("kept free", "for intermediate results, the runtime, holes")
        label = "weights" if end - left > 70 else ""
        yield words("head", (left, 16, f"{chips}, {si(held.capacity_bytes, 'B')}, to scale", HEAD, 14))
        yield boxes("all", [0], left, top, right - left, high, "paper")
        yield boxes("spare", [0], roof, top, right - roof, high, "muted tint", "", 13, *free)
        yield boxes("weights", [0], left, top, end - left, high, look, label, 14, "weights", weights)
        yield lines("chips", range(len(cuts)), cuts, ends, cuts, ends + 20, "ink", 1.5)
        yield boxes("edge", [0], left, top, right - left, high, "ink line")
        yield lines("roof", [0], roof, top - 8, roof, floor + 8, "ink dashed", 2)
        yield words("may", (roof - 6, top - 14, f"may be used: {si(held.room_bytes, 'B')}", "ink end", 12))
        # a cache for each user who has room, one for all where they are many; below, those who have none
        wide, out, each = bar.x(held.user_bytes) - left, held.batch - held.inside, si(held.user_bytes, "B")
        apart, start = held.inside <= self.many and wide > 3, bar.x(held.weights_bytes)
        n, alone = np.arange(held.inside if apart else min(held.inside, 1)), np.arange(min(out, self.shown))
        long, role, who = held.inside * wide, "other soft", f"{held.inside} users"
        if len(n) == held.inside:
            long, role, who = wide - 1, "other tint", [f"user {i + 1}" for i in n]
        lost, more = f"no room for {counted(out, 'user')}" if out else "", "…" if out >= self.shown else ""
        yield boxes("users", n, start + wide * n, top + 14, long, 56, role, who=who, says=f"a cache of {each}")
        yield boxes("out", alone, left + 17 * alone, 190, 13, 18, "bad tint dashed", who="no room", says=each)
        yield words("lost", (left, 178, lost, "bad bold start", 14), (702, 199, more, "bad bold start", 14))
        shares = f"{percent(held.kv_share)} of weights and caches · {percent(held.kv_of_capacity)} of the memory"
        room = f"room for {counted(held.most, 'user')}" if held.most else "no room for one user"
        said = [(f"weights {weights}", "memory bold start")]
        said += [(f"caches {held.batch:,} × {each} = {si(held.kv_bytes, 'B')}", "other bold start")]
        said += [(shares, "ink start", 14), (room, "good bold start" if held.fits else "bad bold start")]
        yield below("said", left, 232, said, 26, HEAD, 15)

    def say(self, held):
        if not held.most:
            rest = held.weights_bytes > held.room_bytes
            why = "the weights alone need" if rest else "the weights and one cache need more than"
            much = si(held.weights_bytes if rest else held.room_bytes, "B")
            return f"Not even one user fits: {why} {much}{', more than may be used' if rest else ''}."
        said = f"{counted(held.batch, 'user')}: weights and caches take {si(held.needed_bytes, 'B')}. Caches "
        said += f"are {percent(held.kv_share)} of it. That {'fits' if held.fits else 'does not fit'}: there is room "
        return said + f"for {counted(held.most, 'user')}."


class Board(Stage):
    """Reserved and used: each request in one piece above, in blocks below it, and how many users fit both ways.

    >>> view, board, long = Board(), llm.room.board, [37, 512, 1200, 90]
    >>> view.show(board(long, slots=111_000)), view.show(board(long, 8192, 2048, 111_000))
    >>> view.show(board(long, 256, 1, 111_000))
    """

    size, noun = (746, 440), "setting"
    left, wide, top, lane = 112, 614, 62, 62
    user = 2.0  # pixels of a user

    def marks(self, board):  # llm.room.Board
        left, keys = self.left, [("memory", "a token"), ("muted tint", "reserved, empty"), ("bad", "no place for it")]
        pieces = f"above: one piece of {board.reserved:,} · below: blocks of {board.block:,}"
        yield from legend("keys", left, 19, keys)
        yield words("scale", (left, 44, pieces, "muted start", 12))
        yield below("names", left - 8, self.top + 22, [f"{n:,} tokens" for n in board.lengths], self.lane, "ink end")
        # one piece and its tokens; below, the blocks, as one where they are too narrow to be told apart
        scale, y = self.wide / max(board.reserved, *(many * board.block for many in board.blocks)), self.top
        for n, (tokens, kept, blocks) in enumerate(zip(board.lengths, board.kept, board.blocks, strict=True)):
            drawn, lost, who = blocks if scale * board.block >= 3 else 1, tokens - kept, f"request {n + 1}"
            each, at, gap = scale * board.block * blocks / drawn, np.arange(drawn), 1 if drawn > 1 else 0
            full, many = np.clip(scale * tokens - each * at, 0, each - gap), counted(blocks, "block")
            parts, place = slice(3 if lost else 2), (left + each * at, y + 24)
            ends, long = [left, left, left + scale * board.reserved], scale * np.array([board.reserved, kept, lost])
            says = f"{board.reserved:,} reserved", f"{kept:,} tokens", f"{lost:,} tokens have no place"
            look = ("muted tint", "memory", "bad")[parts]
            ends, long, says = ends[parts], long[parts], says[parts]
            yield boxes(f"piece {n}", range(len(look)), ends, y, long, 18, look, who=who, says=says)
            yield boxes(f"blocks {n}", at, *place, each - gap, 18, "muted tint", who=who, says=many)
            yield boxes(f"tokens {n}", at, *place, full, 18, "memory", who=who, says=f"{tokens:,} tokens in {many}")
            y += self.lane
        names, shares = ("one piece each", "blocks"), (board.reserved_share, board.block_share)
        used = zip(names, shares, board.users, strict=True)
        said = [f"{name}: {percent(share)} in use, room for {counted(users, 'user')}" for name, share, users in used]
        long, at = np.array(board.users) * min(self.user, self.wide / max(*board.users, 1)), rows(y + 52, 44, 2)
        yield below("said", left, y + 34, said, 44, HEAD, 14)
        yield from bars("fit", range(2), left, at, long, 16, ["other tint", "other"], who=names, says=said)
        yield lines("zero", range(2), left, at - 10, left, at + 10, "ink", 1.2)

    def say(self, board):
        cut = f" {counted(board.cut, 'request')} cannot be finished." if board.cut else ""
        said = f"In one piece each, {percent(board.reserved_share)} of the places hold a token, and "
        said += f"{number(board.users[0])} users fit.{cut} In blocks, {percent(board.block_share)} of them do, and "
        return said + f"{number(board.users[1])} users fit."


class Tree(Stage):
    """A row for each prompt: the blocks that it made. Equal beginnings are kept once, in the row of whoever came first.

    `names` of the prompts; `most`: tokens of the longest one.

    >>> names, most = tuple(llm.prefixes.chats(0)), 320
    >>> view, run = Tree(names, most), list(llm.prefixes.visits(llm.prefixes.chats(100).values(), 16, 16))
    >>> view.show(run[0]), view.show(run[1]), view.show(run[-1])
    >>> view.show(list(llm.prefixes.visits(llm.prefixes.chats(200).values(), 1, 64, 3, "by both"))[-1])
    """

    noun = "prompt"
    left, wide, top, row = 70, 540, 54, 34  # `wide`: the longest prompt
    keys = (("good", "found in the cache"), ("compute", "computed now"), ("memory tint", "kept from before"))

    def __init__(self, names, most):
        self.names, self.scale = tuple(names), self.wide / most
        self.size = (740, self.top + self.row * len(self.names) + 52)

    def marks(self, visit):  # prefixes.Visit
        yield from legend("legend", self.left, 14, self.keys)
        yield below("heads", 736, 26, ["tokens", "reused"], 16, "ink end", 12)
        # The names, the length of the prompt that is here, and what each has reused
        y, here, left, high = self._y(np.arange(len(self.names))), self._y(visit.prompt), self.left, self.row
        found, end = left + self.scale * np.array([visit.reused[-1], visit.length])
        reused, known = [f"{n:,}" for n in visit.reused], range(bool(visit.hits))
        yield boxes("lanes", range(len(y)), left, y - high / 2 + 4, self.wide, high - 8, "muted soft faint")
        yield boxes("here", [0], 4, here - high / 2 + 1, 732, high - 2, "ink line")
        yield below("names", left - 8, y[0], self.names, high, "ink end", 14)
        yield boxes("part", [0], found, here - high / 2 + 7, end - found, high - 14, "compute tint dashed")
        yield below("reused", 728, y[0], reused, high, "good bold end", 14)
        at = [f"server {n + 1}" for n in visit.servers] if len(visit.done) > 1 else []
        yield below("servers", left + self.wide + 8, y[0], at, high, "ink start", 12)
        yield lines("known", known, left, here, found, here, "good dashed", 3)
        # Blocks in the cache, and a line from the block before to one in another row
        nodes, wide = sorted(visit.nodes, key=lambda node: node.number), self.scale * visit.block
        at, keys = {node.number: node for node in nodes}, [node.number for node in nodes]
        x, y = left + wide * np.array([one.depth for one in nodes]), self._y([one.by for one in nodes]) - high / 2 + 7
        roles = ["good" if n in visit.hits else "compute" if n in visit.made else "memory tint" for n in keys]
        who, says = [f"block {n + 1}" for n in keys], [self._says(node, visit) for node in nodes]
        joints = [node for node in nodes if node.parent in at and at[node.parent].by != node.by]
        jx, numbers = left + wide * np.array([node.depth for node in joints]), [node.number for node in joints]
        above, under = self._y([at[node.parent].by for node in joints]), self._y([node.by for node in joints])
        gap = min(1, wide / 8)
        yield lines("joints", numbers, jx, above, jx, under, "ink", 1.5)
        yield boxes("nodes", keys, x + gap, y, wide - 2 * gap, high - 14, roles, "", 12, who, says)
        # How full the cache is, and what was saved in all
        y, blocks = self.top + high * len(self.names) + 23, counted(visit.room, "block")
        gone = f", {len(visit.gone)} had to go" if visit.gone else ""
        said = f"kept: {len(visit.nodes)} of {blocks} of {counted(visit.block, 'token')}{gone}"
        yield boxes("room", [0], left, y - 9, 160, 18, "memory line")
        yield from bars("full", [0], left, [y], [160 * visit.full], 18, "memory tint")
        yield words("cache", (left + 170, y, said), (728, y, f"{sum(visit.reused):,} reused", "good bold end", 14))

    def say(self, visit):
        name, found = self.names[visit.prompt], visit.reused[-1]
        gone = f"; {counted(len(visit.gone), 'block has', 'blocks have')} to go" if visit.gone else ""
        said = f"{name} brings {counted(visit.length, 'token')}: {found:,} are in the cache, {visit.computed:,} are "
        busy = f" The busiest of {len(visit.done)} servers has computed {number(visit.busiest)} times the mean."
        said += f"computed{gone}. {len(visit.nodes)} of {counted(visit.room, 'block')} are taken."
        return said + busy * (len(visit.done) > 1)

    def _y(self, row):
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

    def marks(self, routed):  # llm.experts.Routed
        left, right, cols, at = self.left, self.right, int(np.ceil(routed.experts**0.5)), np.arange(routed.experts)
        cell, middle, shares = self.edge / cols, rows(119, 82, 2), np.array([routed.picked_share, routed.read_share])
        x, y, large = left + cell * (at % cols), self.top + cell * (at // cols), cell > 26
        tokens, who = [f"{n:,}" if large else "" for n in routed.tokens], [f"expert {i + 1}" for i in at]
        says = [f"{counted(int(n), 'token')}" if n else "nobody picked it" for n in routed.tokens]
        roles = pick(("paper", "memory tint"), routed.tokens > 0)
        sub = "blue: read in this step" + ("; number: tokens" if large else "")
        named = zip(("arithmetic of each token", "bytes of the step"), shares, strict=True)
        said = [f"{name}: {percent(share)} of the experts" for name, share in named]
        each = f"tokens of an expert: {number(routed.tokens_each)} on average, the busiest {routed.busiest:,}"
        names, looks = ["arithmetic", "bytes"], ["compute", "memory"]
        yield words(
            "heads",
            (left, 16, f"{counted(routed.experts, 'expert')} of one layer", HEAD, 14),
            (left, 35, sub, "muted start", 12),
            (left, self.top + self.edge + 20, f"in this draw {routed.read} are read", "memory bold start", 14),
            (right, 94, said[0], "compute bold start", 14),
            (right, 176, said[1], "memory bold start", 14),
            (right, 228, f"on average {counted(routed.mean_read, 'expert')}"),
            (right, 268, each, HEAD, 14),
        )
        yield boxes("experts", at, x, y, cell - 2, cell - 2, roles, tokens, 13, who, says)
        yield boxes("all", range(2), right, middle - 11, self.wide, 22, "paper")
        yield from bars("shares", range(2), right, middle, self.wide * shares, 22, looks, who=names, says=said)
        yield lines("zero", range(2), right, middle - 15, right, middle + 15, "ink", 1.2)

    def say(self, routed):
        said = f"{counted(routed.batch, 'token')}; each picks {routed.active} of {counted(routed.experts, 'expert')}. "
        said += f"A step reads {number(routed.mean_read)} on average, {percent(routed.read_share)} of them. An expert "
        said += f"that is read works for {counted(routed.tokens_each, 'token')} on average; in this draw the busiest "
        return said + f"works for {routed.busiest:,}."
