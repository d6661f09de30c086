"""What one change is worth: bars of time."""

from accelerator_course.views.stage import Stage, boxes, texts
from accelerator_lib.units import si

LEFT, LONG, TOP, STEP = 280, 320, 40, 50


class Changes(Stage):
    """Changes: the time of a model as it is, and after each of some changes.

    >>> view = Changes()
    >>> view.show(codesign.worksheet.what_helps())
    >>> view.show(codesign.worksheet.what_helps(512, "a100-80gb-sxm"))
    >>> view.show(codesign.worksheet.what_helps(32768, "tpu-v5e", 1))
    """

    size, noun = (730, 350), "change"

    def marks(self, found):
        """`found`: {change: seconds}, the first without any."""
        names, values = list(found), list(found.values())
        best = min(names[1:], key=found.get)
        wide = [LONG * value / values[0] for value in values]
        y = [TOP + STEP * i for i in range(len(names))]
        roles = ["muted tint" if i == 0 else "good" if name == best else "memory tint" for i, name in enumerate(names)]
        words = [si(value, "s") + (" ★" if name == best else "") for name, value in found.items()]
        return [
            texts(
                "names",
                names,
                LEFT - 12,
                [at + 16 for at in y],
                names,
                ["good bold end" if name == best else "ink end" for name in names],
                13,
            ),
            boxes("bars", names, LEFT, y, wide, 32, roles, who=names, says=words),
            texts("words", names, [LEFT + w + 8 for w in wide], [at + 16 for at in y], words, "ink bold start", 14),
        ]

    def say(self, found):
        """The best change, and what the others bring."""
        (first, now), *rest = found.items()
        best, after = min(rest, key=lambda one: one[1])
        others = ", ".join(f"{name} {si(value, 's')}" for name, value in rest if name != best)
        return f"{si(now, 's')} {first}. What helps most: {best}, {si(after, 's')}. The others: {others}."
