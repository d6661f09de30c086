"""Another chip: what it cannot run, what becomes of a program, rules that guess; twins, a front, proxies."""

from math import log10

import numpy as np

from accelerator_course.views.kit import Chart, bars, below, rows, spots, stack, words
from accelerator_course.views.stage import Stage, lines, pick, texts
from accelerator_lib.units import percent, scaled, si


class TimeBars(Stage):
    """Coverage: the time of a job before, and on its way to a new chip, in units of the time before.

    >>> view, move = TimeBars(), frames.codesign.moving
    >>> run = list(move())
    >>> view.show(run[0]), view.show(run[7]), view.show(run[-1])
    >>> view.show(list(move(0.5, 100, 100))[-1]), view.show(list(move(1, 10, 50))[-1])
    """

    size, noun = (720, 320), "moment"
    left, long, high, before, after = 150, 500, 48, 70, 190

    def marks(self, moving):  # a Moving of frames.codesign
        found, left, high, before, after = moving.found, self.left, self.high, self.before, self.after
        scale, share, rest = self.long / max(1.25, found.time), percent(found.share), 1 - found.share
        one, look, text = left + scale, "good" if found.gain > 1 else "bad", ("not moved yet", "muted start")
        if moving.begun:
            text = f"on the chip {moving.chip:.3g} + on the host {moving.host:.3g} = {moving.time:.3g}"
            text = text, "ink bold start", 15
        verdict = f"{found.gain:.3g} times as fast as before" if moving.ended else ""
        split, who = ("what the chip can run", "the rest"), ("on the chip", "on the host")
        first = "parts", before, (found.share, rest), ["compute tint", "other tint"], split
        second = "after", after, (moving.chip, moving.host), ["compute", "bad"], who
        names = ["all on the GPU", "the new chip"]
        yield below("names", left - 12, before + high / 2, names, after - before, "ink bold end", 14)
        for name, top, parts, roles, who in (first, second):
            says = [f"{part:.3g} of the time before" for part in parts]
            yield stack(name, range(2), left, top + high / 2, scale * np.array(parts), high, roles, who=who, says=says)
        yield words(
            "words",
            (left, before + high + 18, f"what the chip can run: {share}", "compute start"),
            (left + self.long, before + high + 18, f"the rest: {percent(rest)}", "other end"),
            (left, after + high + 20, *text),
            (left, after + high + 48, verdict, f"{look} bold start", 16),
            (one, before - 34, "1: the time before", "muted end" if one > left + 380 else "muted start"),
        )
        yield lines("one", [0], one, before - 22, one, after + high, "muted dashed", 2)

    def say(self, moving):
        found = moving.found
        if not moving.begun:
            return f"All of the job runs on the GPU. The new chip can run {percent(found.share)} of it, by time."
        if not moving.ended:
            return f"The chip takes {moving.chip:.3g} of the time before, the host {moving.host:.3g}."
        whole = f"the whole job is {found.gain:.3g} times as fast as before"
        if found.break_even is None:
            return f"All of it runs on the chip: {whole}."
        limit = f"With a fallback of {found.break_even:.3g} or more there is no gain"
        rest = "as long as before" if found.fallback == 1 else f"{found.fallback:g} times as long"
        return f"The rest takes {rest}: {whole}. {limit}."


class Ledger(Stage):
    """Ledger: the lines of a program, part by part, and what becomes of them on another machine.

    >>> view = Ledger()
    >>> view.show(codesign.ledger()), view.show(codesign.ledger("a tuned engine", "a TPU, through XLA"))
    >>> view.show(codesign.ledger("a model of a course", "an AMD GPU"))
    """

    size, noun = (730, 420), "program"
    fates = {"as it is": ("good tint", "✓"), "renamed": ("memory tint", "≈"), "rewritten": ("bad tint", "✗")}

    def marks(self, found):  # codesign.porting.Ledger
        parts, left, most = found.parts, 216, max(part.lines for part in found.parts)
        y, names, keys = rows(77, 42, len(parts)), [part.name for part in parts], range(len(parts))
        said = [f"{one.lines:,} {self.fates[one.fate][1]} {one.fate}" if one.lines else "none" for one in parts]
        inks, says = ["ink" if one.lines else "muted" for one in parts], [f"{one.fate}: {one.note}" for one in parts]
        roles, long = [self.fates[one.fate][0] for one in parts], [330 * one.lines / most for one in parts]
        total = "lines: " + ", ".join(f"{found.of(fate):,} {fate}" for fate in self.fates)
        yield words("head", (14, 24, f"{found.program}, on {found.target}", "ink bold start", 15))
        yield texts("parts", keys, left - 10, y, names, [f"{ink} end" for ink in inks])
        yield from bars("lines", keys, left, y, long, 30, roles, said, [f"{ink} start" for ink in inks], names, says)
        yield words("sum", (14, 376, total, "ink bold start", 15))
        yield words("key", (14, 402, "point at a bar to read why", "muted start", 12))

    def say(self, found):
        said = f"{found.program[0].upper()}{found.program[1:]}, {found.lines:,} lines, on {found.target}: "
        said += f"{percent(found.kept)} run as they are, {found.of('renamed'):,} lines are renamed, "
        return said + f"{found.of('rewritten'):,} rewritten."


class Twins(Stage):
    """Twins: two runs with nearly the same multiply-adds, and how long each takes.

    >>> view = Twins()
    >>> view.show(codesign.twins()), view.show(codesign.twins("two small ones"))
    >>> view.show(codesign.twins("one network, two machines"))
    """

    size, noun = (720, 350), "pair"
    blind = False  # whether a guess comes first: the work, and no time

    def marks(self, pair):  # codesign.mobile.Twins
        work = ("multiply-adds of one image", "compute", 56, pair.macs)
        time = ("time of one image", "memory", 222, pair.seconds)
        names, left = pair.devices if pair.same_network else pair.names, 214
        who = [name if len(name) <= 28 else name[:27] + "…" for name in names]
        for head, role, top, values in (work, time):
            said = [_millions(one) if role == "compute" else si(one, "s") for one in values]
            y, long, look = rows(top + 37, 46, 2), [390 * value / max(values) for value in values], "ink bold start"
            yield words(f"{head} head", (left, top, head, look, 15))
            yield below(f"{head} names", left - 12, top + 40, who, 46, "ink end")
            if role == "compute" or not self.blind:
                roles = f"{role} tint", role
                yield from bars(f"{role} bars", range(2), left, y, long, 34, roles, said, look, who, said, size=14)

    def say(self, pair):
        if pair.same_network:
            one, other = (f"{si(t, 's')} on {d}" for t, d in zip(pair.seconds, pair.devices, strict=True))
            return f"{pair.names[0]}, the same work: {one}, {other}: {pair.times:.1f} times as long."
        text = " and ".join(f"{name} {si(t, 's')}" for name, t in zip(pair.names, pair.seconds, strict=True))
        said = f"On one {pair.devices[0]}: {text}. Their multiply-adds differ by {percent(pair.more_work)}, their "
        return said + f"times by {percent(pair.longer)}."


def _millions(macs):
    return f"{scaled(macs, 1e6)} million"


class Front(Stage):
    """A front that grows: networks arrive one by one; green is what none of the others beats.

    >>> view, arrive = Front(), frames.codesign.arrivals
    >>> states = list(arrive())
    >>> view.show(states[0]), view.show(states[-1]), view.show(list(arrive("multiply-adds", 20, 0, -1))[-1])
    >>> view.show(list(arrive("ms on Pixel 3", 5, -0.5, -2))[-1])
    """

    size, noun = (730, 470), "network"
    letters = {"MnasNet-A1": "A", "MobileNetV2": "2", "MobileNetV3": "3"}
    key = "A MnasNet-A1 · 2 MobileNetV2 · 3 MobileNetV3 · green: front · frame: best reward · dashed ring: newest"
    scales = {True: (4, 240), False: (2.5e7, 8e8)}  # over time [ms], over multiply-adds

    def marks(self, state):  # Arrivals of frames.codesign
        chart = Chart((62, 700), (372, 52), self.scales[state.over_time], (50, 79), log="x")  # accuracy [%]
        (left, _), (floor, top), (low, high) = chart.across, chart.up, chart.scales[1]
        arrived, best, front = state.arrived, list(state.tied), list(state.front)
        x, y = chart.x(state.costs), chart.y([one.accuracy for one in arrived])
        shapes = ["" if one.family == "MobileNetV2" else " round" for one in arrived]
        roles = [("good tint" if i in front else "muted soft") + shape for i, shape in enumerate(shapes)]
        runs = zip(arrived, state.ms, state.rewards, strict=True)
        says = [f"{n.accuracy:g} %, {_millions(n.macs)} multiply-adds, {ms:g} ms, reward {r:.4g}" for n, ms, r in runs]
        letters, who = [self.letters[one.family] for one in arrived], [one.name for one in arrived]
        axis, ticks, said = "million multiply-adds", (3e7, 1e8, 3e8, 6e8), ("30", "100", "300", "600")
        text = f"the target, {state.target:g} ms, is no place on this axis"
        if state.over_time:
            axis, ticks = state.across.replace("ms on", "ms for one image on the"), (5, 10, 20, 50, 100, 200)
            said = "{:g}"
            text = f"upright dashes: the target, {state.target:g} ms · dashed curve: as good as the best, by the reward"
        yield from chart.axes(ticks, range(50, 80, 5), axis, "", said, "{:g} %", 13)
        if state.over_time:  # the target, and all that is as good as the best
            ms = np.unique(np.append(np.geomspace(*chart.scales[0], 60), (state.target, state.target * 1.0001)))
            levels, at = np.asarray(state.level(ms)), chart.x(state.target)
            seen = (low <= levels) & (levels <= high)
            yield lines("target", ["target"], at, top, at, floor, "compute dashed", 2)
            yield chart.line("level", ms[seen], levels[seen], "compute line dashed")
        yield words("target words", (left, floor + 62, text, "compute start"))
        yield chart.stairs("stairs", np.array(state.costs)[front], [arrived[i].accuracy for i in front], "good line")
        yield spots("networks", range(len(x)), x, y, 18, roles, letters, 12, who, says)
        yield spots("newest", ["newest"], x[-1:], y[-1:], 26, "ink line dashed round")
        yield spots("best", best, x[best], y[best], 24, "compute line")
        yield words("head", (left, 16, self._head(state), "ink bold start", 14))
        one, ms, reward = (its[state.best] for its in (arrived, state.ms, state.rewards))
        tie = f", level with {len(best) - 1} more" if best[1:] else ""
        winner = f"best reward {reward:.4g}: {one.name}, {one.accuracy:g} %, {ms:g} ms{tie}"
        yield words("winner", (left, 36, winner, "compute bold start"))
        yield words("key", (left, 458, self.key, "muted start", 12))

    def _head(self, state):
        pushed = f", and pushes {len(state.pushed)} off it" if state.pushed else ""
        return f"{len(state.arrived)} of {state.total}: {state.arrived[-1].name} {state.news}{pushed}"

    def say(self, state):
        best, beside = state.arrived[state.best], f", {len(state.tied) - 1} more as good" if state.tied[1:] else ""
        said = f"{self._head(state)}. The front has {len(state.front)} networks. Target {state.target:g} ms, α "
        said += f"{_signed(state.w)}, β {_signed(state.beta)}: best is {best.name}, {best.accuracy:g} % in "
        return said + f"{state.ms[state.best]:g} ms{beside}."


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
    decades = 10.0 ** np.arange(9, 14), 10.0 ** np.arange(8, 12)
    key = "filled: chosen · larger: more operations · 1.0 away: a factor of ten in one number"

    def marks(self, found):  # codesign.proxies.Choice
        cards, chart, n = found.cards, self.chart, range(len(found.cards))
        x, y = chart.x([card.flops for card in cards]), chart.y([card.bytes_moved for card in cards])
        names, size = [card.name for card in cards], np.array([14 + 9 * log10(card.operations) for card in cards])
        to, letters = [names.index(found.nearest[name]) for name in names], "ABCDEFGHIJ"[: len(cards)]
        picked, (across, up) = [name in found.chosen for name in names], self.decades
        says = [f"{si(c.flops, 'FLOP')}, {si(c.bytes_moved, 'B')}, {c.operations} operations" for c in cards]
        ticks = [si(one, "FLOP") for one in across], [si(one, "B") for one in up]
        yield from chart.axes(across, up, "", "", *ticks)
        yield lines("ties", n, x, y, x[to], y[to], "other", 2)
        looks, roles = ("ink start", "compute bold start"), pick(("muted tint round", "compute round"), picked)
        yield spots("cards", n, x, y, size, roles, list(letters), 12, names, says)
        left, top, pitch = 500, 30, 38
        named = [f"{letter}  {name}" for letter, name in zip(letters, names, strict=True)]
        away = [f"represented by {letters[t]}, {found.apart[name]:.1f} away" for name, t in zip(names, to, strict=True)]
        said = ["represents itself" if one else other for one, other in zip(picked, away, strict=True)]
        yield below("list", left, top, zip(named, pick(looks, picked), strict=True), pitch)
        yield below("who", left + 20, top + 16, said, pitch, "muted start", 12)
        yield words("key", (70, 446, self.key, "muted start", 12))

    def say(self, found):
        far = found.farthest
        said = f"By {found.by}, {len(found.chosen)} chosen: {'; '.join(found.chosen)}. Worst represented: {far}, "
        return said + f"{found.apart[far]:.1f} away from {found.nearest[far]} on the whole map."
