"""Pictures of chapter 5: one SM, what fits on it, how a product's tiles fill the chip, how loads hide the latency."""

import numpy as np
from matplotlib.patches import Rectangle

from accelerator_lib import gpu
from accelerator_lib.units import counted, number, percent
from accelerator_lib.views import style
from accelerator_lib.views.lines import Lines

NO_LIMIT = 1000  # blocks: of a resource that the launch does not use
BUCKETS = {"warps": "warps", "blocks": "blocks", "registers": "registers", "shared": "shared memory"}


class Workshop:
    """One SM as a workshop; the chosen unit is lit and explained."""

    PLACES = (  # unit, x, y, width, height
        ("warp schedulers", 0.0, 0.84, 1.0, 0.14),
        ("register file", 0.0, 0.62, 1.0, 0.18),
        ("CUDA cores", 0.0, 0.34, 0.36, 0.24),
        ("tensor cores", 0.4, 0.34, 0.36, 0.24),
        ("load/store units", 0.8, 0.34, 0.2, 0.24),
        ("shared memory and L1", 0.0, 0.14, 0.76, 0.16),
        ("copy engine (TMA)", 0.8, 0.14, 0.2, 0.16),
        ("L2, shared by all SMs", 0.0, 0.0, 1.0, 0.09),
    )

    def __init__(self):
        self.figure = style.figure((7.2, 4.4))
        ax = style.bare(self.figure.subplots(), (-0.02, 1.02), (-0.03, 1.02))
        self.boxes, self.texts = {}, {}
        for name, x, y, width, height in self.PLACES:
            box = ax.add_patch(Rectangle((x, y), width, height, facecolor="#f4f4f4", edgecolor=style.MUTED))
            text = ax.text(x + width / 2, y + height / 2, name, ha="center", va="center", fontsize=10, color=style.INK)
            self.boxes[name], self.texts[name] = box, text
            style.moving(box, text)

    def show(self, result):
        """`result`: (chosen unit, {unit: (label, sentence)})."""
        chosen, facts = result
        for name, box in self.boxes.items():
            here = name == chosen
            box.set(facecolor="#f0b48a" if here else "#f4f4f4", linewidth=2.5 if here else 1)
            self.texts[name].set(text=facts[name][0], fontweight="bold" if here else "normal")
        return facts[chosen][1]


class Buckets:
    """Four resources of an SM: how many blocks each would allow, and how full each is with the blocks that fit."""

    def __init__(self):
        self.figure, ax = style.axes("blocks that this resource allows on one SM", "", (0.8, 400), (-0.6, 3.6), log="x",
                                     size=(7.2, 3.2))  # fmt: skip
        style.plain(ax.xaxis)
        at = np.arange(4)[::-1]
        ax.set_yticks(at, BUCKETS.values())
        ax.grid(axis="y", visible=False)
        self.bars = ax.barh(at, [1] * 4, 0.6, left=0.8, edgecolor=style.INK)
        self.texts = [style.label(ax, y=y, va="center", fontweight="bold") for y in at]
        self.line = ax.axvline(1, color=style.INK, linewidth=1.5, linestyle="--")
        style.moving(*self.bars, *self.texts, self.line)

    def show(self, result):
        """`result`: (name of the compute capability, gpu.Occupancy)."""
        name, found = result
        for key, bar, text in zip(BUCKETS, self.bars, self.texts, strict=True):
            count, limits = found.allowed[key], key in found.limiters
            bar.set_width(max(count, 0.85) - 0.8)
            bar.set(facecolor=style.COMPUTE if limits else "#7fb0d2", hatch="..." if limits else "")
            told = counted(count, "block") if count < NO_LIMIT else "no limit"
            text.set(text=f" {told}" + (" ← limits" if limits else ""), x=min(max(count, 0.85), 120))
        self.line.set_xdata([max(found.blocks, 0.8)] * 2)
        if not found.blocks:
            return f"{name}: not even one block fits, the launch fails. Too many registers for so many threads."
        told = " and ".join(BUCKETS[key] for key in found.limiters)
        return (
            f"{name}: {counted(found.blocks, 'block')}, {counted(found.warps, 'warp')}, "
            f"occupancy {percent(found.fraction)}. The limit: {told}."
        )


class OccupancyMap:
    """Occupancy over threads of a block and registers of a thread; your launch is framed."""

    THREADS = tuple(range(32, 1025, 32))
    REGISTERS = tuple(range(16, 256, 8))

    def __init__(self):
        self.figure, ax = style.axes("threads of a block", "registers of a thread", size=(7.2, 4.2))
        shape = len(self.REGISTERS), len(self.THREADS)
        self.image = ax.imshow(
            np.zeros(shape), cmap="Oranges", vmin=0, vmax=1.25, aspect="auto", origin="lower", interpolation="nearest",
            extent=(16, 1040, 12, 252),
        )  # fmt: skip
        ax.set_xticks(range(128, 1025, 128))
        style.plain(ax.xaxis)
        style.plain(ax.yaxis)
        ax.grid(False)
        self.frame = ax.add_patch(Rectangle((0, 0), 32, 8, fill=False, edgecolor=style.INK, linewidth=2.5))
        bar = self.figure.colorbar(self.image, ax=ax, label="occupancy", boundaries=np.linspace(0, 1, 9))
        style.percents(bar.ax.yaxis)
        style.moving(self.image, self.frame)

    def show(self, result):
        """`result`: (compute capability, threads, registers, shared bytes)."""
        arch, threads, registers, shared = result
        table = gpu.occupancy_map(arch, self.THREADS, self.REGISTERS, shared)
        self.image.set_data(table)
        self.frame.set_xy((threads - 16, registers - registers % 8 - 4))
        own = gpu.occupancy(arch, threads, registers, shared)
        return (
            f"{threads} threads, {registers} registers, {number(shared / 1024)} KiB: occupancy {percent(own.fraction)} "
            f"on {gpu.limits(arch)['name']}. {percent(float((table == 1).mean()))} of this map's launches reach 100 %."
        )


class Sawtooth(Lines):
    """How much of the chip a square product uses, over its size."""

    def __init__(self):
        names = ["SMs with work × full tiles", "SMs with work alone"]
        super().__init__(names, "M = N", "share of the chip", (128, 8192), (0, 1.02), log="", legend="lower right")
        style.percents(self.ax.yaxis)
        self.sizes = np.arange(128, 8193, 64)

    def show(self, result):
        """`result`: (size, tile, SMs)."""
        size, tile, sms = result
        line, here = gpu.waves(self.sizes, self.sizes, tile, tile, sms), gpu.waves(size, size, tile, tile, sms)
        self.draw(self.sizes, [line.efficiency, line.wave_efficiency], size, [here.efficiency, here.wave_efficiency])
        return (
            f"{size:,} × {size:,}: {counted(here.tiles, 'tile')} in {counted(here.waves, 'wave')} on {sms} SMs; "
            f"{percent(here.efficiency)} of the chip at work."
        )


class HideLatency(Lines):
    """Share of the bandwidth over the warps of an SM, for loads of different width."""

    BYTES = (4, 16, 64)

    def __init__(self):
        names = [f"{size} B under way in each thread" for size in self.BYTES] + ["yours"]
        super().__init__(
            names,
            "warps on each SM",
            "share of the bandwidth",
            (1, 64),
            (0, 1.04),
            log="",
            legend="outside lower center",
        )
        style.percents(self.ax.yaxis)
        self.warps = np.arange(1, 65)

    def show(self, result):
        """`result`: (bandwidth [B/s], latency [s], SMs, bytes a thread has under way, warps)."""
        bandwidth, latency, sms, own, warps = result
        curves = [gpu.bandwidth_share(bandwidth, latency, sms, size, self.warps) for size in (*self.BYTES, own)]
        values = [None, None, None, gpu.bandwidth_share(bandwidth, latency, sms, own, warps)]
        self.draw(self.warps, curves, warps, values)
        needed = gpu.warps_to_saturate(bandwidth, latency, sms, own)
        enough = f"{counted(needed, 'warp')} would saturate it ({percent(needed / 64)} occupancy)"
        if needed > 64:
            enough = "no occupancy is enough: 64 warps are all there are"
        return (
            f"{counted(warps, 'warp')}, {number(own)} B under way in each thread: {percent(values[3])} of the "
            f"bandwidth; {enough}."
        )


class Divergence(Lines):
    """Efficiency of a warp over the number of lanes that go the long way."""

    def __init__(self):
        super().__init__(
            ["lanes at work"], "lanes on the long path", "lanes at work, all instructions", (0, 32), (0, 1.04), log=""
        )
        style.percents(self.ax.yaxis)
        self.lanes = np.arange(33)

    def show(self, result):
        """`result`: (lanes on the long path, its instructions, those of the short path)."""
        lanes, long, short = result
        share = lambda n: gpu.simt_efficiency([(n, long), (32 - n, short)])  # noqa: E731
        self.draw(self.lanes, [[share(int(n)) for n in self.lanes]], lanes, [share(lanes)])
        taken = gpu.simt_cycles([(lanes, long), (32 - lanes, short)])
        return (
            f"{counted(lanes, 'lane')} on the long path: the warp issues {counted(taken, 'instruction')}, "
            f"{percent(share(lanes))} of its lanes' slots work."
        )


class Grid:
    """A launch: blocks of threads over the elements; the last block is rarely full."""

    COLUMNS, MOST = 16, 64

    def __init__(self):
        self.figure = style.figure((7.2, 2.9))
        ax = style.bare(self.figure.subplots(), (0, self.COLUMNS), (self.MOST // self.COLUMNS + 0.1, -0.1))
        self.boxes, self.fills = [], []
        for place in range(self.MOST):
            row, col = divmod(place, self.COLUMNS)
            spot = {"xy": (col + 0.06, row + 0.06), "width": 0.88, "height": 0.88}
            self.boxes.append(ax.add_patch(Rectangle(**spot, facecolor="white", edgecolor=style.MUTED)))
            self.fills.append(ax.add_patch(Rectangle(**spot, facecolor="#f0b48a", edgecolor=style.COMPUTE)))
        style.moving(*self.boxes, *self.fills)

    def show(self, result):
        """`result`: (elements, gpu.Launch)."""
        elements, made = result
        for place, (box, fill) in enumerate(zip(self.boxes, self.fills, strict=True)):
            there = place < made.blocks
            share = min(1, max(0, elements - place * made.threads) / made.threads)
            box.set_visible(there)
            fill.set(visible=there and share > 0, width=0.88 * share)
        beyond = f" (the first {self.MOST} are drawn)" if made.blocks > self.MOST else ""
        lanes = f" Each block's last warp has {counted(made.empty_lanes, 'empty lane')}." if made.empty_lanes else ""
        shape = f"{counted(made.blocks, 'block')} of {counted(made.threads, 'thread')}{beyond}"
        idle = f"{counted(made.idle_threads, 'thread')} of the last block have nothing to do."
        return f"{counted(elements, 'element')} in {shape}: {idle}{lanes}"
