"""Pictures of caches: a trace counted by kind of miss, one access at a time, hits over every capacity."""

import numpy as np
from matplotlib.colors import ListedColormap

from accelerator_lib.units import binary, number, percent
from accelerator_lib.views import style

KINDS = (
    ("hits", "hits", style.GOOD, ""),
    ("compulsory", "first use", "#8c8c8c", "++"),
    ("capacity", "capacity misses", style.MEMORY, "///"),
    ("conflict", "conflict misses", style.COMPUTE, "xx"),
)
COLUMNS = 64


class CacheTrace:
    """Above, the accesses by kind; below, every line of the array, dark where it hits once the walk has settled."""

    def __init__(self):
        self.figure = style.figure((7.2, 4.2))
        top, self.map_ax = self.figure.subplots(2, 1, height_ratios=[1, 2.2])
        style.dress(top, "share of all accesses", "", (0, 1), (-0.6, 0.6))
        style.percents(top.xaxis)
        top.set_yticks([])
        self.bars = [top.barh([0], [0.25], 0.7, color=c, hatch=h, edgecolor="white")[0] for _, _, c, h in KINDS]
        self.texts = [style.label(top, y=0, ha="center", va="center", fontweight="bold") for _ in KINDS]
        style.moving(*self.bars, *self.texts)
        names = [name for _, name, *_ in KINDS]
        self.figure.legend(self.bars, names, loc="outside lower center", ncols=4, frameon=False, fontsize=10)
        self.image = self.map_ax.imshow(np.zeros((4, COLUMNS)), cmap="Greens", vmin=0, vmax=1.4, aspect="auto")
        self.map_ax.set(xticks=[], yticks=[])
        self.map_ax.set_xlabel(
            "the lines of the array in order; green: found in the cache", color=style.INK, fontsize=11
        )
        style.moving(self.image)

    def show(self, result):
        """`result`: (Cache, Census, hits of each line of the array in a settled pass: 0 to 1)."""
        cache, census, lines = result
        left = 0.0
        for bar, text, (field, *_) in zip(self.bars, self.texts, KINDS, strict=True):
            share = getattr(census, field) / census.accesses
            bar.set(x=left, width=share)
            text.set(x=left + share / 2, text=percent(share) if share > 0.08 else "")
            left += share
        rows = -(-len(lines) // COLUMNS)
        grid = np.full(rows * COLUMNS, np.nan)
        grid[: len(lines)] = lines
        self.image.set_data(np.ma.masked_invalid(grid.reshape(rows, COLUMNS)))
        worst = max(KINDS[1:], key=lambda kind: getattr(census, kind[0]))
        blame = f"Most misses: {worst[1]} ({getattr(census, worst[0]):,})." if census.misses else "No misses."
        return (
            f"{census.hits:,} of {census.accesses:,} accesses hit ({percent(census.hit_rate)}) in "
            f"{binary(cache.capacity_bytes)}, {cache.sets:,} sets x {cache.ways} ways. {blame}"
        )


class CacheSteps:
    """Caches in a row after one access: their lines by set, the one just used ringed, and what it cost."""

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

    def show(self, step):
        for i, (image, cells, ring) in enumerate(zip(self.images, self.texts, self.rings, strict=True)):
            table = step.contents[i]
            image.set_data((table >= 0).astype(float))
            for row, lines in zip(cells, table, strict=True):
                for text, line in zip(row, lines, strict=True):
                    text.set_text(str(line) if line >= 0 else "")
            own_set, line = step.places[i]
            where = np.flatnonzero(table[own_set] == line)
            shown = i <= step.level and len(where)
            ring.set_data([where[0]] if shown else [], [own_set] if shown else [])
            ring.set_markeredgecolor(style.GOOD if i == step.level else style.COMPUTE)
        found = self.names[step.level] if step.level < len(self.caches) else "memory"
        gone = ", ".join(f"line {line} leaves {self.names[cache]}" for cache, line in step.evicted)
        hits = sum(step.found[:-1])
        return (
            f"Access {step.number + 1}, address {step.address}, line {step.places[0][1]}: found in {found}"
            f"{'; ' + gone if gone else ''}. {hits} of {step.number + 1} hit; {number(step.time)} cycles so far."
        )
