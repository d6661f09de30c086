"""What becomes of a program elsewhere; and rules that guess what a chip can do."""

from accelerator_course.views.stage import Stage, boxes, texts
from accelerator_lib.units import percent

FATES = {"as it is": "good tint", "renamed": "memory tint", "rewritten": "bad tint"}
SIGNS = {"as it is": "✓", "renamed": "≈", "rewritten": "✗"}
LEFT, LONG, TOP, STEP = 216, 330, 62, 42


class Ledger(Stage):
    """Ledger: the lines of a program, part by part, and what becomes of them on another machine.

    >>> view = Ledger()
    >>> view.show(codesign.ledger())
    >>> view.show(codesign.ledger("a tuned engine", "a TPU, through XLA"))
    >>> view.show(codesign.ledger("a model of a course", "an AMD GPU"))
    """

    size, noun = (730, 420), "program"

    def marks(self, found):
        """`found`: codesign.porting.Ledger."""
        most = max(part.lines for part in found.parts)
        n = range(len(found.parts))
        y = [TOP + STEP * i for i in n]
        wide = [LONG * part.lines / most for part in found.parts]
        there = [part.lines > 0 for part in found.parts]
        words = [f"{part.lines:,} {SIGNS[part.fate]} {part.fate}" if part.lines else "none" for part in found.parts]
        return [
            texts("head", ["head"], 14, 24, f"{found.program}, on {found.target}", "ink bold start", 15),
            texts(
                "parts",
                n,
                LEFT - 10,
                [at + 15 for at in y],
                [part.name for part in found.parts],
                ["ink end" if seen else "muted end" for seen in there],
                13,
            ),
            boxes(
                "lines",
                n,
                LEFT,
                y,
                wide,
                30,
                [FATES[part.fate] for part in found.parts],
                who=[part.name for part in found.parts],
                says=[f"{part.fate}: {part.note}" for part in found.parts],
            ),
            texts(
                "words",
                n,
                [LEFT + w + 8 for w in wide],
                [at + 15 for at in y],
                words,
                ["ink start" if seen else "muted start" for seen in there],
                13,
            ),
            texts(
                "sum",
                ["sum"],
                14,
                376,
                "lines: " + ", ".join(f"{found.of(fate):,} {fate}" for fate in FATES),
                "ink bold start",
                15,
            ),
            texts("key", ["key"], 14, 402, "point at a bar to read why", "muted start", 12),
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
        n = range(len(found.devices))
        y = [70 + 32 * i for i in n]
        right = [said == one.fp8 for one, said in zip(found.devices, found.says, strict=True)]
        yes = {True: "yes", False: "no"}
        columns = {
            "chip": (18, [one.name for one in found.devices], "ink bold start"),
            "vendor": (150, [one.vendor for one in found.devices], "ink start"),
            "capability": (260, [".".join(map(str, one.capability)) for one in found.devices], "ink start"),
            "the rule says": (370, [yes[said] for said in found.says], "ink start"),
            "FP8": (500, [yes[one.fp8] for one in found.devices], "ink start"),
            "": (630, ["✓ right" if good else "✗ wrong" for good in right], None),
        }
        verdict = ["good bold start" if good else "bad bold start" for good in right]
        return [
            boxes(
                "rows",
                n,
                8,
                [at - 15 for at in y],
                714,
                30,
                ["muted soft" if good else "bad tint" for good in right],
                who=[one.name for one in found.devices],
            ),
            *(
                texts(f"head {name}", ["head"], x, 38, name, "muted start", 13)
                for name, (x, _, _) in columns.items()
                if name
            ),
            *(
                texts(f"column {name}", n, x, y, words, role or verdict, 14)
                for name, (x, words, role) in columns.items()
            ),
        ]

    def say(self, found):
        """How often the rule is wrong, and where."""
        if not found.wrong:
            return f"Rule: {found.rule}. Right for all {len(found.devices)} chips."
        return (
            f"Rule: {found.rule}. Wrong for {len(found.wrong)} of {len(found.devices)} chips: {', '.join(found.wrong)}."
        )
