"""Workloads: twins that take different times, networks for a phone and their front, a few that stand for many."""

from math import log10

import numpy as np

from accelerator_course.views.kit import Chart, bars, below, rows, spots, words
from accelerator_course.views.stage import Stage, lines
from accelerator_lib.units import percent, scaled, si


class Twins(Stage):
    """Twins: two runs with nearly the same multiply-adds, and how long each takes.

    >>> view = Twins()
    >>> view.show(codesign.twins()), view.show(codesign.twins("two small ones"))
    >>> view.show(codesign.twins("one network, two machines"))
    """

    size, noun = (720, 350), "pair"
    blind = False  # whether a guess comes first: the work, and no time

    def marks(self, pair):
        """`pair`: codesign.mobile.Twins."""
        who = [_fits(name) for name in (pair.devices if pair.same_network else pair.names)]
        work, times = [_millions(macs) for macs in pair.macs], [si(seconds, "s") for seconds in pair.seconds]
        yield from self._pair("multiply-adds of one image", 56, pair.macs, "compute", who, work)
        yield from self._pair("time of one image", 222, () if self.blind else pair.seconds, "memory", who, times)

    def _pair(self, head, top, values, role, who, said):
        left, y, roles = 214, rows(top + 37, 46, 2), (f"{role} tint", role)
        head = [
            words(f"{head} head", (left, top, head, "ink bold start", 15)),
            below(f"{head} names", left - 12, top + 40, who, 46, "ink end"),
        ]
        if not values:
            return head
        long = [390 * value / max(values) for value in values]
        look = "ink bold start"
        return [*head, *bars(f"{role} bars", range(2), left, y, long, 34, roles, said, look, who, said, size=14)]

    def say(self, pair):
        if pair.same_network:
            one, other = (f"{si(t, 's')} on {d}" for t, d in zip(pair.seconds, pair.devices, strict=True))
            return f"{pair.names[0]}, the same work: {one}, {other}: {pair.times:.1f} times as long."
        told = " and ".join(f"{name} {si(t, 's')}" for name, t in zip(pair.names, pair.seconds, strict=True))
        return (
            f"On one {pair.devices[0]}: {told}. Their multiply-adds differ by {percent(pair.more_work)}, "
            f"their times by {percent(pair.longer)}."
        )


def _fits(name):
    """A name that fits beside a bar."""
    return name if len(name) <= 28 else name[:27] + "…"


def _millions(macs):
    return f"{scaled(macs, 1e6)} million"


class Front(Stage):
    """A front that grows: networks arrive one by one; green is what none of the others beats.

    >>> from accelerator_course.frames import codesign as frames
    >>> view, states = Front(), list(frames.arrivals())
    >>> view.show(states[0]), view.show(states[-1])
    >>> view.show(list(frames.arrivals("multiply-adds", 20, 0, -1))[-1])
    >>> view.show(list(frames.arrivals("ms on Pixel 3", 5, -0.5, -2))[-1])
    """

    size, noun = (730, 470), "network"
    letters = {"MnasNet-A1": "A", "MobileNetV2": "2", "MobileNetV3": "3"}
    key = "A MnasNet-A1 · 2 MobileNetV2 · 3 MobileNetV3 · green: front · frame: best reward · dashed ring: newest"
    times, work = (
        Chart((62, 700), (372, 52), scale, (50, 79), log="x") for scale in ((4, 240), (2.5e7, 8e8))
    )  # ms or multiply-adds, accuracy [%]

    def marks(self, state):
        """`state`: Arrivals of frames.codesign."""
        chart, arrived, best = self.times if state.over_time else self.work, state.arrived, list(state.tied)
        x, y = chart.x(state.costs), chart.y([one.accuracy for one in arrived])
        shapes = ["" if one.family == "MobileNetV2" else " round" for one in arrived]
        roles = [("good tint" if i in state.front else "muted soft") + shape for i, shape in enumerate(shapes)]
        runs = zip(arrived, state.ms, state.rewards, strict=True)
        says = [f"{n.accuracy:g} %, {_millions(n.macs)} multiply-adds, {ms:g} ms, reward {r:.4g}" for n, ms, r in runs]
        letters, who = [self.letters[one.family] for one in arrived], [one.name for one in arrived]
        front, left = list(state.front), chart.across[0]
        stairs = chart.stairs("stairs", np.array(state.costs)[front], [arrived[i].accuracy for i in front], "good line")
        yield from self._axes(chart, state)
        yield from self._target(chart, state)
        yield stairs
        yield spots("networks", range(len(x)), x, y, 18, roles, letters, 12, who, says)
        yield spots("newest", ["newest"], x[-1:], y[-1:], 26, "ink line dashed round")
        yield spots("best", best, x[best], y[best], 24, "compute line")
        yield words("head", (left, 16, self._head(state), "ink bold start", 14))
        yield words("winner", (left, 36, self._winner(state), "compute bold start"))
        yield words("key", (left, 458, self.key, "muted start", 12))

    def _axes(self, chart, state):
        up = {"y": range(50, 80, 5), "y_words": "{:g} %", "size": 13}
        if state.over_time:
            name = state.across.replace("ms on", "ms for one image on the")
            return chart.axes((5, 10, 20, 50, 100, 200), x_name=name, **up)
        ticks = (3e7, 1e8, 3e8, 6e8)
        said = [_millions(tick).split()[0] for tick in ticks]
        return chart.axes(ticks, x_words=said, x_name="million multiply-adds", **up)

    def _target(self, chart, state):
        """The target, and all that is as good as the best; both only where the axis is time."""
        (low, high), (floor, top), said = chart.scales[1], chart.up, f"the target, {state.target:g} ms"
        if not state.over_time:
            text = f"{said}, is no place on this axis"
            yield from [words("target words", (chart.across[0], floor + 62, text, "compute start"))]
            return
        ms = np.unique(np.append(np.geomspace(*chart.scales[0], 60), (state.target, state.target * 1.0001)))
        levels, at = np.asarray(state.level(ms)), chart.x(state.target)
        seen, text = (low <= levels) & (levels <= high), f"upright dashes: {said} · dashed curve: as good as the best"
        yield lines("target", ["target"], at, top, at, floor, "compute dashed", 2)
        yield chart.line("level", ms[seen], levels[seen], "compute line dashed")
        yield words("target words", (chart.across[0], floor + 62, f"{text}, by the reward", "compute start"))

    @staticmethod
    def _head(state):
        pushed = f", and pushes {len(state.pushed)} off it" if state.pushed else ""
        return f"{len(state.arrived)} of {state.total}: {state.arrived[-1].name} {state.news}{pushed}"

    @staticmethod
    def _winner(state):
        best, tie = state.arrived[state.best], f", level with {len(state.tied) - 1} more" if state.tied[1:] else ""
        ms, reward = state.ms[state.best], state.rewards[state.best]
        return f"best reward {reward:.4g}: {best.name}, {best.accuracy:g} %, {ms:g} ms{tie}"

    def say(self, state):
        best, beside = state.arrived[state.best], f", {len(state.tied) - 1} more as good" if state.tied[1:] else ""
        return (
            f"{self._head(state)}. The front has {len(state.front)}. Target {state.target:g} ms, α {_signed(state.w)}, "
            f"β {_signed(state.beta)}: best is {best.name}, {best.accuracy:g} % in {state.ms[state.best]:g} ms{beside}."
        )


def _signed(value):
    return f"{value:g}".replace("-", "−")


class Proxies(Stage):
    """Proxies: workloads on a map of FLOP and bytes; each is tied to the one that speaks for it.

    >>> view = Proxies()
    >>> view.show(codesign.proxies.choose()), view.show(codesign.proxies.choose(1))
    >>> view.show(codesign.proxies.choose(4, "FLOP alone"))
    """

    size, noun = (730, 460), "choice"
    chart = Chart((70, 470), (400, 30), (10**8.7, 1e14), (1e7, 10**11.4), log="xy")
    key = "filled: chosen · larger: more operations · 1.0 away: a factor of ten in one number"

    def marks(self, found):
        """`found`: codesign.proxies.Choice."""
        cards, chart, n = found.cards, self.chart, range(len(found.cards))
        x, y = chart.x([card.flops for card in cards]), chart.y([card.bytes_moved for card in cards])
        names, size = [card.name for card in cards], np.array([14 + 9 * log10(card.operations) for card in cards])
        to, letters = [names.index(found.nearest[name]) for name in names], "ABCDEFGHIJ"[: len(cards)]
        picked = [name in found.chosen for name in names]
        roles = ["compute round" if one else "muted tint round" for one in picked]
        says = [f"{si(c.flops, 'FLOP')}, {si(c.bytes_moved, 'B')}, {c.operations} operations" for c in cards]
        yield from self._axes()
        yield lines("ties", n, x, y, x[to], y[to], "other", 2)
        yield spots("cards", n, x, y, size, roles, list(letters), 12, names, says)
        left, top, pitch = 500, 30, 38
        named = [f"{letter}  {name}" for letter, name in zip(letters, names, strict=True)]
        looks = ["compute bold start" if one else "ink start" for one in picked]
        away = [f"represented by {letters[t]}, {found.apart[name]:.1f} away" for name, t in zip(names, to, strict=True)]
        said = ["represents itself" if one else other for one, other in zip(picked, away, strict=True)]
        yield below("list", left, top, list(zip(named, looks, strict=True)), pitch)
        yield below("who", left + 20, top + 16, said, pitch, "muted start", 12)
        yield words("key", (70, 446, self.key, "muted start", 12))

    def _axes(self):
        across, up = 10.0 ** np.arange(9, 14), 10.0 ** np.arange(8, 12)
        said = {"x_words": [si(one, "FLOP") for one in across], "y_words": [si(one, "B") for one in up]}
        return self.chart.axes(across, up, **said)

    def say(self, found):
        far = found.farthest
        return (
            f"By {found.by}, {len(found.chosen)} chosen: {'; '.join(found.chosen)}. Worst represented: {far}, "
            f"{found.apart[far]:.1f} away from {found.nearest[far]} on the whole map."
        )
