"""A chip whose links are at work: what they take of its memory, and of its power."""

from accelerator_course.views.stage import Stage, arrows, boxes, texts
from accelerator_lib.units import percent, si

LEFT, LONG = 196, 420  # the bars
ROWS = {"memory": 166, "power": 276}
HIGH = 44


class Toll(Stage):
    """Toll: what a chip's links take of its memory's bandwidth and of its power while they are busy.

    >>> view = Toll()
    >>> view.show(network.toll.talking("h100-sxm5"))
    >>> view.show(network.toll.talking("a100-80gb-sxm", 0.5, 5))
    >>> view.show(network.toll.talking("b200", 0.0, 3))
    """

    size, noun = (720, 360), "chip"

    def marks(self, found):
        """`found`: network.toll.Toll."""
        width = 1 + 5 * found.link_bytes_per_s / 9e11  # of the arrows, by the rate
        sent = si(found.link_bytes_per_s, "B/s")
        link = [
            boxes("chip", ["chip", "memory"], [280, 24], 30, [156, 76], 76, ["muted tint", "memory tint"],
                  [found.chip.short_name, "memory"], 14),
            arrows("link", ["out", "in"], [442, 690], [52, 86], [690, 442], [52, 86], "other", width, "the links",
                   [f"send {sent}", f"receive {sent}"]),
            arrows("memory", ["out", "in"], [106, 274], [52, 86], [274, 106], [52, 86], "memory", width, "the memory",
                   [f"{si(found.memory_bytes_per_s, 'B/s')} for the links"] * 2),
            texts("memory rate", ["at"], 190, 34, si(found.memory_bytes_per_s, "B/s"), "memory", 13),
            texts("rates", ["out", "in"], 566, [34, 106], [f"sends {sent}", f"receives {sent}"], "other", 13),
        ]  # fmt: skip
        chip = found.chip
        left = f"{si(found.left_bytes_per_s, 'B/s')} left" if found.left_bytes_per_s else "nothing left"
        watts = f"{found.watts:,.0f} W of {chip.tdp_w:,.0f} W"
        return [
            *link,
            *self._bar("memory", "bandwidth", min(found.share, 1), "memory", f"links: {percent(found.share)}", left),
            *self._bar("power", "power", found.power_share, "compute", f"links: {percent(found.power_share)}", watts),
        ]

    def _bar(self, row, name, share, role, words, rest):
        """A bar that is all of it, the links' part filled; words under it, so that no part is too narrow for them."""
        y = ROWS[row]
        return [
            texts(f"{row} name", ["name"], LEFT - 14, y + HIGH / 2, name, "ink bold end", 15),
            boxes(f"{row} whole", ["all"], LEFT, y, LONG, HIGH, "muted tint"),
            boxes(f"{row} taken", ["part"], LEFT, y, LONG * share, HIGH, role, who=name, says=words),
            texts(f"{row} words", ["taken", "rest"], [LEFT, LEFT + LONG], y + HIGH + 18, [words, rest],
                  [f"{role} bold start", "muted end"], 14),
        ]  # fmt: skip

    def say(self, found):
        """The two shares, and what else waits."""
        if not found.link_bytes_per_s:
            return f"The links of the {found.chip.short_name} rest and take nothing."
        slower = (
            f"a memory-bound kernel beside them takes {found.slowdown:.2f} times as long"
            if found.slowdown
            else "nothing else gets at the memory"
        )
        return (
            f"{found.chip.short_name}, {si(found.link_bytes_per_s, 'B/s')} each way: the links take "
            f"{percent(found.share)} of the bandwidth, so {slower}, and about {found.watts:,.0f} W, "
            f"{percent(found.power_share)} of the chip’s power."
        )
