"""A cache that evicts beside a store that keeps."""

from accelerator_course.views import style
from accelerator_course.views.lines import Lines


class CacheOrScratchpad(Lines):
    """Hit rates over the size of an array, and a line where the store ends: what {name: share} along `over` returns.

    >>> view = CacheOrScratchpad(32, over="array", y="hit rate", unit="%")
    >>> array = Axis("array", "array [KiB]", np.array([4, 32, 64, 1024]), log=True)
    >>> curves = {"LRU cache": [0.9, 0.9, 0, 0], "scratchpad": [0.9, 0.9, 0.45, 0.03]}
    >>> view.show(Along(array, curves, {"LRU cache": 0.0, "scratchpad": 0.45}, {"array": 64}))
    >>> view.show(Along(array, curves, {"LRU cache": 0.9, "scratchpad": 0.9}, {"array": 4}))
    """

    def __init__(self, capacity_kib, **more):
        super().__init__(**more, legend="upper right")
        self.capacity_kib = capacity_kib

    def decorate(self, ax):
        ax.axvline(self.capacity_kib, color=style.MUTED, linewidth=1.2)
        text = f"capacity {self.capacity_kib} KiB "
        style.label(ax, text, self.capacity_kib, 0.03, style.MUTED, ha="right")
