"""Bytes in flight: Little's tank."""

from accelerator_course.views import style
from accelerator_course.views.bars import Rows
from accelerator_lib.units import counted, percent, si


class Tank:
    """How full the tank between the memory and the SMs is.

    >>> view = Tank()
    >>> view.show(memory.tank())
    >>> view.show(memory.tank(warps=1))
    >>> view.show(memory.tank(bytes_per_thread=64, warps=64))
    """

    def __init__(self):
        self.figure, ax = style.axes("bytes in flight", "", (1e3, 1e8), log="x", size=(7.2, 2.6))
        colors = [style.MUTED, style.MEMORY]
        self.rows = Rows(ax, ["needed", "held by\nthe warps"], color=colors, hatches=("", "///"))

    def show(self, tank):
        """`tank`: memory.flow.Tank."""
        needed, held = si(tank.needed_bytes, "B"), si(tank.held_bytes, "B")
        self.rows.draw([tank.needed_bytes, tank.held_bytes], [needed, held])
        return (
            f"{needed} must be under way; {held} are. {percent(tank.share)} of the bandwidth is reached; "
            f"full from {counted(tank.warps_needed, 'warp')} on each SM."
        )
