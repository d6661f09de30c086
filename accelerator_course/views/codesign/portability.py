"""Another chip: the time of what it cannot run, what becomes of a program, rules that guess what it can do."""

from accelerator_course.views.kit import bars, below, rows, words
from accelerator_course.views.stage import Stage, boxes, lines, texts
from accelerator_lib.units import percent


class TimeBars(Stage):
    """Coverage: the time of a job before, and on its way to a new chip, in units of the time before.

    >>> from accelerator_course.frames import codesign as frames
    >>> view, run = TimeBars(), list(frames.moving())
    >>> view.show(run[0])
    >>> view.show(run[7])
    >>> view.show(run[-1])
    >>> view.show(list(frames.moving(0.5, 100, 100))[-1])
    >>> view.show(list(frames.moving(1, 10, 50))[-1])
    """

    size, noun = (720, 320), "moment"
    left, long, high, before, after = 150, 500, 48, 70, 190

    def marks(self, moving):
        """`moving`: a Moving of frames.codesign."""
        found, left, high, after = moving.found, self.left, self.high, self.after
        scale, share, rest = self.long / max(1.25, found.time), percent(found.share), 1 - found.share
        names = [(name, "ink bold end", 14) for name in ("all on the GPU", "the new chip")]
        one, now, parts = left + scale, (moving.chip, moving.host), (found.share, rest)

        def bar(name, top, parts, roles, who):
            wide = [scale * part for part in parts]
            says = [f"{part:.3g} of the time before" for part in parts]
            return boxes(name, range(2), [left, left + wide[0]], top, wide, high, roles, who=who, says=says)

        said = (
            f"on the chip {moving.chip:.3g} + on the host {moving.host:.3g} = {moving.time:.3g}",
            "ink bold start",
            15,
        )
        waits = ("not moved yet", "muted start")
        verdict = f"{found.gain:.3g} times as fast as before" if moving.ended else ""
        return [
            below("names", left - 12, self.before + high / 2, names, after - self.before),
            bar("parts", self.before, parts, ["compute tint", "other tint"], ("what the chip can run", "the rest")),
            bar("after", after, now, ["compute", "bad"], ("on the chip", "on the host")),
            words(
                "words",
                (left, self.before + high + 18, f"what the chip can run: {share}", "compute start"),
                (left + self.long, self.before + high + 18, f"the rest: {percent(rest)}", "other end"),
                (left, after + high + 20, *(said if moving.begun else waits)),
                (left, after + high + 48, verdict, f"{'good' if found.gain > 1 else 'bad'} bold start", 16),
                (one, self.before - 34, "1: the time before", "muted end" if one > left + 380 else "muted start"),
            ),
            lines("one", [0], one, self.before - 22, one, after + high, "muted dashed", 2),
        ]

    def say(self, moving):
        """What the job takes now; in the end, the gain."""
        found = moving.found
        if not moving.begun:
            return f"All on the GPU. The new chip can run {percent(found.share)} of this time."
        if not moving.ended:
            return f"On the chip {moving.chip:.3g}, on the host {moving.host:.3g} of the time before."
        whole = f"the whole job is {found.gain:.3g} times as fast as before"
        if found.break_even is None:
            return f"All of it runs on the chip: {whole}."
        limit = f"With a fallback of {found.break_even:.3g} or more there is no gain"
        rest = "as long as before" if found.fallback == 1 else f"{found.fallback:g} times as long"
        return f"The rest takes {rest}: {whole}. {limit}."


class Ledger(Stage):
    """Ledger: the lines of a program, part by part, and what becomes of them on another machine.

    >>> view = Ledger()
    >>> view.show(codesign.ledger())
    >>> view.show(codesign.ledger("a tuned engine", "a TPU, through XLA"))
    >>> view.show(codesign.ledger("a model of a course", "an AMD GPU"))
    """

    size, noun = (730, 420), "program"
    fates = {"as it is": ("good tint", "✓"), "renamed": ("memory tint", "≈"), "rewritten": ("bad tint", "✗")}

    def marks(self, found):
        """`found`: codesign.porting.Ledger."""
        parts, left, most = found.parts, 216, max(part.lines for part in found.parts)
        y, names, keys = rows(77, 42, len(parts)), [part.name for part in parts], range(len(parts))
        said = [f"{one.lines:,} {self.fates[one.fate][1]} {one.fate}" if one.lines else "none" for one in parts]
        inks, says = ["ink" if one.lines else "muted" for one in parts], [f"{one.fate}: {one.note}" for one in parts]
        roles, long = [self.fates[one.fate][0] for one in parts], [330 * one.lines / most for one in parts]
        looks = [f"{ink} start" for ink in inks]
        total = "lines: " + ", ".join(f"{found.of(fate):,} {fate}" for fate in self.fates)
        return [
            words("head", (14, 24, f"{found.program}, on {found.target}", "ink bold start", 15)),
            texts("parts", keys, left - 10, y, names, [f"{ink} end" for ink in inks]),
            *bars("lines", keys, left, y, long, 30, roles, said, looks, names, says),
            words("sum", (14, 376, total, "ink bold start", 15)),
            words("key", (14, 402, "point at a bar to read why", "muted start", 12)),
        ]

    def say(self, found):
        """The three sums."""
        return (
            f"{found.program[0].upper()}{found.program[1:]}, {found.lines:,} lines, on {found.target}: "
            f"{percent(found.kept)} run as they are, {found.of('renamed'):,} lines are renamed, "
            f"{found.of('rewritten'):,} rewritten."
        )


class Guesses(Stage):
    """Guesses: whether a chip takes FP8, by a rule, and whether that is so.

    >>> view = Guesses()
    >>> view.show(codesign.detect())
    >>> view.show(codesign.detect("its name contains “H100”"))
    >>> view.show(codesign.detect("the chip is asked for the feature"))
    """

    size, noun = (730, 400), "rule"

    def marks(self, found):
        """`found`: codesign.porting.Detected."""
        chips, yes, keys = found.devices, {True: "yes", False: "no"}, range(len(found.devices))
        verdicts = ["good bold start" if right else "bad bold start" for right in found.right]
        columns = {
            "chip": (18, [one.name for one in chips], "ink bold start"),
            "vendor": (150, [one.vendor for one in chips], "ink start"),
            "capability": (260, [".".join(map(str, one.capability)) for one in chips], "ink start"),
            "the rule says": (370, [yes[said] for said in found.says], "ink start"),
            "FP8": (500, [yes[one.fp8] for one in chips], "ink start"),
            "": (630, ["✓ right" if right else "✗ wrong" for right in found.right], verdicts),
        }
        y, behind = rows(70, 32, len(chips)), ["muted soft" if right else "bad tint" for right in found.right]
        return [
            boxes("rows", keys, 8, y - 15, 714, 30, behind, who=[one.name for one in chips]),
            words("heads", *((x, 38, name, "muted start") for name, (x, _, _) in columns.items())),
            *(texts(f"column {name}", keys, x, y, said, look, 14) for name, (x, said, look) in columns.items()),
        ]

    def say(self, found):
        """How often the rule is wrong, and where."""
        if not found.wrong:
            return f"Rule: {found.rule}. Right for all {len(found.devices)} chips."
        wrong = ", ".join(found.wrong)
        return f"Rule: {found.rule}. Wrong for {found.misses} of {len(found.devices)} chips: {wrong}."
