"""Another chip: the time of what it cannot run, what becomes of a program, rules that guess what it can do."""

from accelerator_course.views.kit import bars, below, rows, words
from accelerator_course.views.stage import Stage, boxes, lines, texts
from accelerator_lib.units import percent


class TimeBars(Stage):
    """Coverage: the time of a job before and after, in units of the time before.

    >>> view = TimeBars()
    >>> view.show(codesign.covered())
    >>> view.show(codesign.covered(0.98, 10, 50))
    >>> view.show(codesign.covered(1, 10, 50))
    >>> view.show(codesign.covered(0.5, 100, 100))
    """

    size, noun = (720, 320), "chip"

    def marks(self, found):
        """`found`: codesign.coverage.Coverage."""
        left, long, high, (before, after) = 150, 480, 46, (72, 190)
        scale, share = long / max(1.0, found.time), percent(found.share)
        rest = f"the rest: {percent(1 - found.share)}" if found.share < 1 else "nothing else"
        host, chip = f"on the host: {found.host:.3g}" if found.host else "nothing on the host", f"{found.chip:.3g}"
        one, gained = left + scale, "good" if found.gain > 1 else "bad"
        verdict = f"the whole: {found.time:.3g} times the time before: slower"
        if found.gain >= 1:
            verdict = f"the whole: {found.time:.3g} of the time before, {found.gain:.3g} times as fast"

        def bar(name, top, parts, roles, who, says):
            wide = [scale * part for part in parts]
            return boxes(name, range(2), [left, left + wide[0]], top, wide, high, roles, who=who, says=says)

        parts, who = (found.share, 1 - found.share), ("what the chip can run", "what it cannot")
        now, where = (found.chip, found.host), ("on the chip", "on the host")
        names = [(name, "ink bold end", 14) for name in ("all on the GPU", "the new chip")]
        return [
            below("names", left - 12, before + high / 2, names, after - before),
            bar("parts", before, parts, ["compute tint", "other tint"], who, (share, rest)),
            bar("after", after, now, ["compute", "bad"], where, (chip, host)),
            words(
                "words",
                (left, before + high + 18, f"what the chip can run: {share}", "compute start"),
                (left + long, before + high + 18, rest, "other end"),
                (left, after + high + 18, f"on the chip: {chip}", "compute bold start"),
                (left + long, after + high + 18, host, "bad bold end"),
                (one, before - 34, "1: the time before", "muted end" if scale > 0.7 * long else "muted start"),
                (left, 296, verdict, f"{gained} bold start", 15),
            ),
            lines("one", range(2), one, [before - 22, after], one, [before + high, after + high], "muted dashed", 2),
        ]

    def say(self, found):
        """The gain, and when it would be none."""
        if found.break_even is None:
            return f"All of it runs on the chip, {found.speedup:g} times as fast, and so does the whole."
        rest = "as long" if found.fallback == 1 else f"{found.fallback:g} times as long"
        slower = f"slower, {found.gain:.3g} of the speed before"
        verdict = f"{found.gain:.3g} times as fast" if found.gain >= 1 else slower
        return (
            f"{percent(found.share)} of the time, {found.speedup:g} times as fast; the rest takes {rest} "
            f"as on the GPU: the whole is {verdict}. Nothing is gained from a fallback of "
            f"{found.break_even:.3g} on."
        )


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
