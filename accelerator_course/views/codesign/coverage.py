"""Two bars of time: all on the GPU, and with a new chip that lacks something."""

from accelerator_course.views.stage import Stage, boxes, lines, texts
from accelerator_lib.units import percent

LEFT, LONG, HIGH = 150, 480, 46
TOPS = (72, 190)


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
        scale = LONG / max(1.0, found.time)
        before, after = TOPS
        rest = f"the rest: {percent(1 - found.share)}" if found.share < 1 else "nothing else"
        host = f"on the host: {found.host:.3g}" if found.host else "nothing on the host"
        return [
            texts(
                "names",
                ["before", "after"],
                LEFT - 12,
                [before + HIGH / 2, after + HIGH / 2],
                ["all on the GPU", "the new chip"],
                "ink bold end",
                14,
            ),
            boxes(
                "parts",
                ["covered before", "rest before"],
                [LEFT, LEFT + scale * found.share],
                before,
                [scale * found.share, scale * (1 - found.share)],
                HIGH,
                ["compute tint", "other tint"],
                who=["what the chip can run", "what it cannot"],
                says=[percent(found.share), rest],
            ),
            boxes(
                "after",
                ["on the chip", "on the host"],
                [LEFT, LEFT + scale * found.chip],
                after,
                [scale * found.chip, scale * found.host],
                HIGH,
                ["compute", "bad"],
                who=["on the chip", "on the host"],
                says=[f"{found.chip:.3g}", host],
            ),
            texts(
                "words before",
                ["left", "right"],
                [LEFT, LEFT + LONG],
                before + HIGH + 18,
                [f"what the chip can run: {percent(found.share)}", rest],
                ["compute start", "other end"],
                13,
            ),
            texts(
                "words after",
                ["left", "right"],
                [LEFT, LEFT + LONG],
                after + HIGH + 18,
                [f"on the chip: {found.chip:.3g}", host],
                ["compute bold start", "bad bold end"],
                13,
            ),
            lines(
                "one",
                ["above", "below"],
                LEFT + scale,
                [before - 22, after],
                LEFT + scale,
                [before + HIGH, after + HIGH],
                "muted dashed",
                2,
            ),
            texts(
                "one words",
                ["one"],
                LEFT + scale,
                before - 34,
                "1: the time before",
                "muted end" if scale > 0.7 * LONG else "muted start",
                13,
            ),
            texts(
                "gain",
                ["gain"],
                LEFT,
                296,
                self._gain(found),
                "good bold start" if found.gain > 1 else "bad bold start",
                15,
            ),
        ]

    @staticmethod
    def _gain(found):
        if found.gain >= 1:
            return f"the whole: {found.time:.3g} of the time before, {found.gain:.3g} times as fast"
        return f"the whole: {found.time:.3g} times the time before: slower"

    def say(self, found):
        """The gain, and when it would be none."""
        if found.break_even is None:
            return f"All of it runs on the chip, {found.speedup:g} times as fast, and so does the whole."
        rest = "as long" if found.fallback == 1 else f"{found.fallback:g} times as long"
        verdict = (
            f"{found.gain:.3g} times as fast" if found.gain >= 1 else f"slower, {found.gain:.3g} of the speed before"
        )
        return (
            f"{percent(found.share)} of the time, {found.speedup:g} times as fast; the rest takes {rest} "
            f"as on the GPU: the whole is {verdict}. Nothing is gained from a fallback of "
            f"{found.break_even:.3g} on."
        )
