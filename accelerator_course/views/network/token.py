"""One token on chips in a ring, and one on chips that hold experts: who talks to whom, and what that takes."""

import numpy as np

from accelerator_course.views.kit import Chart, bars, below, legend, pillars, rows, spots, words
from accelerator_course.views.stage import Stage, boxes, lines, pick, texts
from accelerator_lib.units import counted, number, percent, si


class OneToken(Stage):
    """One token: chips in a ring pass parts of a sum on; beside it what the sum costs, and what the token takes.

    >>> view, H100 = OneToken(), hardware.chip("h100-sxm5")
    >>> of = lambda n: network.decode.token("llama-3-70b", H100, n)
    >>> eight, many = (list(frames.network.around(of(n), of(8), 160, 16384, 450e9, 2e-6)) for n in (8, 32))
    >>> view.show(eight[0]), view.show(eight[5]), view.show(eight[-1]), view.show(many[40])
    """

    size, noun = (746, 430), "step"
    middle, radius = (176, 226), 138
    time = Chart((386, 732), (376, 250), (0, 0.045), (0, 1))
    parts = {"reading": ("read", "memory"), "starting": ("latency", "compute"), "bytes": ("wire", "other")}

    def marks(self, turn):
        """`turn`: frames.network.Turn."""
        n, (x, y), far = turn.token.n, self.middle, self.radius
        angle = -np.pi / 2 + 2 * np.pi * np.arange(n) / n
        side = min(34, 0.62 * 2 * np.pi * far / n)
        at = np.array([x + far * np.cos(angle), y + far * np.sin(angle)])
        near = np.array([x + (far - side) * np.cos(angle), y + (far - side) * np.sin(angle)])[:, turn.chunks_at]
        look = "good round" if turn.summed else "compute round"
        who, after = [f"chip {i + 1}" for i in range(n)], np.roll(at, -1, 1)
        slow = f"{round(turn.slowdown, -4):,.0f}"
        doing = "handing the sums on" if turn.summed else "adding up"
        said = "all have the sum" if turn.step == turn.steps else doing if turn.step else "before the first step"
        yield lines("links", range(n), *at, *after, "muted", 1.5)
        yield spots("chips", range(n), *at, side, "memory tint", "" if n > 16 else list(range(1, n + 1)), who=who)
        yield spots("chunks", range(n), *near, 0.55 * side, look, who=[f"part {i + 1} of the sum" for i in range(n)])
        yield below("middle", x, y - 12, [(f"step {turn.step} of {turn.steps}", "ink bold", 16), said], 24, "ink")
        yield words("head", (12, 20, f"one sum on {n} chips, {slow} times slower", "ink bold start", 15))
        yield from legend(
            "key", 12, 410, [("memory tint", "a chip"), ("compute round", "part"), ("good round", "its sum")]
        )
        # Starting and bytes of this sum, so far, on one scale
        left, right, y = self.time.across[0], self.time.across[1], rows(82, 42, 2)
        scale = (right - left - 66) / max(sum(turn.parts.times), 130e-6)
        so_far = np.array([turn.latency_seconds, turn.wire_seconds])
        names = ["starting: the wait for the first byte", "bytes: the numbers themselves"]
        yield words("sum head", (left, 44, "this sum so far", "ink bold start", 14))
        yield texts("sum names", range(2), left, y - 12, names, ["compute start", "other start"])
        yield from bars(
            "sum",
            range(2),
            left,
            y + 6,
            scale * so_far,
            16,
            ["compute", "other"],
            [si(one, "s") for one in so_far],
            "ink bold start",
            who=names,
            least=0.5,
        )
        # The whole token: reading, then the steps and the bytes of all its sums; above it that on eight chips
        axis, both = self.time, [turn.usual, turn.token][turn.usual.n == turn.token.n :]
        y, left, ticks = np.array([276, 336])[-len(both) :], axis.across[0], np.arange(0, 5) * 0.01
        heads = [f"{one.n} chips: {si(one.seconds, 's')}" for one in both]
        drawn = []
        for row, one in enumerate(both):
            long = np.array([getattr(one, f"{field}_seconds") for field, _ in self.parts.values()])
            x, wide = axis.x(np.cumsum(long) - long), axis.x(long) - left
            says, roles = [si(part, "s") for part in long], [role for _, role in self.parts.values()]
            names = list(self.parts)
            drawn.append(boxes(f"token{row}", range(3), x, y[row] - 11, wide, 22, roles, who=names, says=says))
        key = [(role, name) for name, (_, role) in self.parts.items()]
        yield words(
            "token head", (left, 186, f"one token: reading its weights, {turn.sums} sums", "ink bold start", 14)
        )
        yield from legend("token key", left, 212, key)
        yield from axis.axes(ticks, x_words=["0", *(si(tick, "s") for tick in ticks[1:])], x_name="time of a token")
        yield from drawn
        yield texts("token names", range(2), left, y - 22, heads, ["muted start", "ink bold start"][-len(both) :], 14)

    def place(self, axis, value, row=None):
        """A time [s] on the axis of the token."""
        (across, high), x = self.size, float(self.time.x(value))
        return [round(x / across, 5), round(x / across, 5), 250 / high, 376 / high] if x < across else None

    def say(self, turn):
        n, so_far = turn.token.n, si(turn.latency_seconds + turn.wire_seconds, "s")
        if turn.step < turn.steps:
            return f"{n} chips, step {turn.step} of {turn.steps}: this sum has taken {so_far}."
        talk = f"{turn.sums} such sums take {si(turn.token.talk_seconds, 's')}"
        return f"{n} chips: a sum takes {so_far}. {talk}, and the token {si(turn.token.seconds, 's')}."


class Routes(Stage):
    """Experts on many chips: the chips that one token visits, and how many tokens each chip gets.

    >>> view = Routes()
    >>> view.show(network.experts.routed(8, 4)), view.show(network.experts.routed(32))
    >>> view.show(network.experts.routed(128, 4, 4))
    """

    size, noun = (746, 440), "setting"
    left, top, wide = 76, 52, 330  # of the nodes
    right = 470  # where the bars begin

    def marks(self, routed):
        """`routed`: network.experts.Routed."""
        n = np.arange(routed.chips)
        node = routed.node
        nodes, pitch = -(-routed.chips // node), self.wide / node
        high = min(38, 232 / nodes)
        x, y = self.left + pitch * (n % node), self.top + high * (n // node)
        met = np.isin(n, routed.way)
        says = [f"gets {load} tokens" for load in routed.loads]
        names = [f"node {k + 1}" for k in range(nodes)] if nodes <= 8 else [f"{k + 1}" for k in range(nodes)]
        yield words("head", (self.left, 24, "way of one token: the chips with its eight experts", "ink bold start", 14))
        yield texts("nodes", range(nodes), self.left - 10, rows(self.top + high / 2, high, nodes), names, "ink end", 12)
        yield boxes(
            "chips",
            n,
            x + 2,
            y + 2,
            pitch - 4,
            high - 4,
            pick(("muted tint", "compute"), met),
            who=[f"chip {i + 1}" for i in n],
            says=says,
        )
        # A pillar for each chip: the tokens that it gets in a layer
        floor, tall, n = 400, 70, routed.chips
        slot, most = self.wide / n, routed.busiest
        x, role = self.left + slot * (np.arange(n) + 0.5), pick(("memory", "bad"), routed.loads == most)
        mean = floor - tall * routed.mean / most
        end = self.left + self.wide
        yield words("loads head", (self.left, 312, "tokens that each chip gets", "ink bold start", 14))
        yield from pillars("loads", range(n), x, floor, max(slot - 2, 1), tall * routed.loads / most, role)
        yield lines("mean", [0], self.left, mean, end, mean, "ink dashed", 1.5)
        yield words(
            "loads words",
            (end + 6, mean, f"mean {routed.mean:.0f}", "ink start", 12),
            (self.left, floor + 18, f"busiest: {most} tokens, {routed.uneven:.2f} times the mean", "bad start"),
        )
        y, left = rows(92, 62, 3), self.right
        sent = routed.token_bytes
        values = np.array([routed.visited / 8, routed.nodes / 8, sent / 12e6])
        said = [number(routed.visited), number(routed.nodes), si(sent, "B")]
        heads = ["chips that a token visits", "nodes that a token visits", f"it sends, in {routed.layers} layers"]
        yield words("mean head", (left, 48, "on average", "ink bold start", 14))
        yield texts("names", range(3), left, y - 20, heads, "ink start")
        yield from bars(
            "bars",
            range(3),
            left,
            y,
            190 * values,
            18,
            ["compute", "good", "other"],
            said,
            "ink bold start",
            who=heads,
            says=said,
        )

    def say(self, routed):
        nodes = counted(-(-routed.chips // routed.node), "node")
        return (
            f"{routed.chips} chips in {nodes}: a token visits {number(routed.visited)} chips. The busiest chip gets "
            f"{percent(routed.uneven - 1)} more tokens than the mean."
        )
