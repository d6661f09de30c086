"""What fits on one SM, and what stops more."""

from accelerator_course.views import style
from accelerator_course.views.bars import Rows
from accelerator_course.views.maps import Map
from accelerator_lib.units import counted, percent

BUCKETS = {"warps": "warps", "blocks": "blocks", "registers": "registers", "shared": "shared memory"}
NO_LIMIT = 1000  # blocks: of a resource that the launch does not use


class Buckets:
    """Four resources of an SM: how many blocks each would allow, and which of them is the limit.

    >>> view = Buckets()
    >>> view.show(gpu.occupancy("sm80", 256, 48, 0))
    >>> view.show(gpu.occupancy("sm80", 1024, 255, 0))
    >>> view.show(gpu.occupancy("sm75", 256, 48, 100 * 1024))
    >>> view.show(gpu.occupancy("sm70", 32, 16, 0))
    >>> view.show(gpu.occupancy("sm80", 32, 16, 48 * 1024))
    """

    def __init__(self):
        label = "blocks that this resource allows on one SM"
        self.figure, ax = style.axes(label, "", (0.8, NO_LIMIT), log="x", size=(7.2, 3.2))
        style.plain(ax.xaxis)
        self.rows = Rows(ax, BUCKETS.values())
        self.line = style.moving(ax.axvline(1, color=style.INK, linewidth=1.5, linestyle="--"))

    def show(self, found):
        """`found`: residency.Occupancy."""
        counts = [found.allowed[key] for key in BUCKETS]
        limiting = [word for key, word in BUCKETS.items() if key in found.limiters]
        words = [counted(count, "block") if count < NO_LIMIT else "no limit" for count in counts]
        marked = [
            f"{text} ← limits" if key in found.limiters else text for key, text in zip(BUCKETS, words, strict=True)
        ]
        self.rows.draw(counts, marked, chosen=limiting)
        self.line.set_xdata([max(found.blocks, 0.8)] * 2)
        if not found.blocks:
            why = {
                "registers": "Too many registers for so many threads.",
                "shared": "Too much shared memory for one block.",
            }
            told = " ".join(why[name] for name in found.limiters)
            return f"{found.name}: not even one block fits, the launch fails. {told}"
        return (
            f"{found.name}: {counted(found.blocks, 'block')}, {counted(found.warps, 'warp')}, "
            f"occupancy {percent(found.fraction)}. The limit: {' and '.join(limiting)}."
        )


class OccupancyMap(Map):
    """Occupancy over threads of a block and registers of a thread; your launch is framed.

    >>> view = OccupancyMap(("threads", "registers"), "occupancy", say="{threads} threads: occupancy {here:%}.")
    >>> axes = Axis("threads", "threads", np.arange(32, 1025, 32)), Axis("registers", "", np.arange(16, 249, 8))
    >>> def table(arch): return gpu.occupancy_fraction(arch, *np.meshgrid(*(axis.values for axis in axes)))
    >>> view.show(Across(*axes, table("sm80"), 0.625, {"threads": 256, "registers": 48}))
    >>> view.show(Across(*axes, table("sm89"), 0.67, {"threads": 1024, "registers": 16}))
    """

    def sentence(self, across):
        return f"{super().sentence(across)} {percent(across.share(1))} of this map's launches reach 100 %."
