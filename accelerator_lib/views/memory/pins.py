"""Memories by their data pins and their bandwidth: published ones, and one of your own."""

from accelerator_lib.views import style
from accelerator_lib.views.lines import Lines


class Pins(Lines):
    """What a function of the data pins returns, among published memories.

    >>> view = Pins(memory.pins.memories(), over="count", y="bandwidth", unit="B/s", limits=(1e9, 2e14))
    >>> count = Axis("count", "data pins", np.array([32, 1024, 16384]), log=True)
    >>> view.show(Along(count, {"yours": [8e9, 2.56e11, 4.1e12]}, {"yours": 2.56e11}, {"count": 1024}))
    >>> view.show(Along(count, {"yours": [4e9, 1.28e11, 2.05e12]}, {"yours": 4e9}, {"count": 32}))
    """

    def __init__(self, published, **more):
        super().__init__(**more)
        self.published = published

    def decorate(self, ax):
        """A diamond for each memory; where two have as many pins, the slower one's name stands below."""
        for one in self.published:
            ax.plot([one.pins], [one.bytes_per_s], "D", color=style.OTHER, markersize=7)
            below = any(one.pins == other.pins and one.bytes_per_s < other.bytes_per_s for other in self.published)
            place = "top" if below else "bottom"
            style.label(ax, f"   {one.name}", one.pins, one.bytes_per_s, style.OTHER, 9, va=place)
