"""Caches in a row, one access at a time."""

import numpy as np
from matplotlib.colors import ListedColormap

from accelerator_lib.units import number
from accelerator_lib.views import style


class CacheSteps:
    """Caches in a row after one access: their lines by set, the one just used ringed, and what it cost.

    >>> own = (memory.Cache(2, 2, 16), memory.Cache(4, 2, 16))
    >>> steps = list(memory.chain(range(0, 400, 24), own))
    >>> view = CacheSteps(own)
    >>> view.show(steps[0])
    >>> view.show(steps[1])
    >>> view.show(steps[-1])
    """

    def __init__(self, caches, names=("L1", "L2")):
        self.caches, self.names = tuple(caches), names
        self.figure = style.figure((7.2, 4.4))
        axes = np.atleast_1d(self.figure.subplots(1, len(self.caches), width_ratios=[c.ways for c in self.caches]))
        paper = ListedColormap(["white", "#dcebf5"])
        self.images, self.texts, self.rings = [], [], []
        for ax, cache, name in zip(axes, self.caches, names, strict=False):
            self.images.append(ax.imshow(np.zeros((cache.sets, cache.ways)), cmap=paper, vmin=0, vmax=1, aspect="auto"))
            ax.set_xticks(range(cache.ways))
            ax.set_yticks(range(cache.sets))
            ax.set_xlabel("way: last used first", color=style.INK, fontsize=11)
            ax.set_ylabel(f"{name}: set", color=style.INK, fontsize=11)
            ax.tick_params(colors=style.MUTED, labelsize=10, length=0)
            cells = [
                [style.label(ax, "", w, s, ha="center", va="center") for w in range(cache.ways)]
                for s in range(cache.sets)
            ]
            self.texts.append(cells)
            self.rings.append(ax.plot([], [], "s", markersize=30, markerfacecolor="none", markeredgewidth=3)[0])
        style.moving(*self.images, *self.rings, *[t for cells in self.texts for row in cells for t in row])

    def show(self, access):
        """`access`: memory.hierarchy.Access."""
        for i, (image, cells, ring) in enumerate(zip(self.images, self.texts, self.rings, strict=True)):
            table = access.contents[i]
            image.set_data((table >= 0).astype(float))
            for row, lines in zip(cells, table, strict=True):
                for text, line in zip(row, lines, strict=True):
                    text.set_text(str(line) if line >= 0 else "")
            own_set, line = access.places[i]
            where = np.flatnonzero(table[own_set] == line)
            shown = i <= access.level and len(where)
            ring.set_data([where[0]] if shown else [], [own_set] if shown else [])
            ring.set_markeredgecolor(style.GOOD if i == access.level else style.COMPUTE)
        found = self.names[access.level] if access.level < len(self.caches) else "memory"
        gone = ", ".join(f"line {line} leaves {self.names[cache]}" for cache, line in access.evicted)
        return (
            f"Access {access.number + 1}, address {access.address}, line {access.places[0][1]}: found in {found}"
            f"{'; ' + gone if gone else ''}. {access.hits} of {access.number + 1} hit; "
            f"{number(access.time)} cycles so far."
        )
