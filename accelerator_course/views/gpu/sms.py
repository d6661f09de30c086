"""One SM and many: its four schedulers at work; what blocks take of it, and the waves in which a grid passes."""

import numpy as np

from accelerator_course.views.kit import Chart, legend, pillars, rows, words
from accelerator_course.views.stage import Stage, boxes, lines, pick, texts
from accelerator_lib.units import binary, counted, number, percent, scaled


class OneSm(Stage):
    """Four schedulers of an SM and the warps in their registers; below, the warps of the first one over the cycles.

    >>> from accelerator_course.frames.gpu import by_tick
    >>> view = OneSm()
    >>> few, many = (list(by_tick(warps, 40, 552)) for warps in (2, 15))
    >>> view.show(few[0])
    >>> view.show(few[30])
    >>> view.show(many[59])
    """

    size, noun = (740, 490), "step"
    LEFT, PITCH, TOP, WIDE, DEEP = 20, 178, 36, 164, 40  # of partitions; of 64 KiB of registers in one
    SLOTS, LANES, PARTS = 16, 16, 4  # of an A100: warps and CUDA cores of a partition, partitions
    OWN, SHARED = 64, 192  # KiB: registers of a partition, shared memory and L1 of the SM
    STATES = ("muted soft", "compute tint", "memory", "compute")
    AXIS, STRIP, ROWS, HIGH = (88, 716), 244, 264, 160  # of the cycles: where they run, and the warps below

    def marks(self, tick):
        """`tick`: frames.gpu.Tick."""
        warp = np.arange(self.SLOTS)
        state = np.where(warp < tick.warps, 1, 0) + np.isin(warp, [*tick.waiting]) + 2 * (warp == tick.issuing)
        return [*self._parts(tick, state), *self._memory(), *self._history(tick, state), *self._foot(tick)]

    def _parts(self, tick, state):
        """The partitions: scheduler, registers cut by warp, CUDA cores, tensor core."""
        part, slots = self.LEFT + self.PITCH * np.arange(self.PARTS), self.SLOTS
        inner, top, cell = part + 4, self.TOP, self.WIDE / slots
        n, cells = range(self.PARTS), range(self.PARTS * slots)
        cores = range(self.PARTS * self.LANES)
        doing = "idle" if tick.issuing is None else f"warp {tick.issuing}"
        lit = ("muted tint", "compute tint")[tick.issuing is not None]
        says = [("empty", "ready", "waits for memory", "issues")[one] for one in state]
        return [
            boxes("parts", n, part, top, self.WIDE + 8, 128, "muted line"),
            boxes("schedulers", n, inner, top + 4, self.WIDE, 20, lit, f"scheduler: {doing}", 12),
            boxes(
                "registers",
                cells,
                np.add.outer(inner, cell * np.arange(slots)).ravel(),
                top + 30,
                cell - 1,
                self.DEEP,
                pick(self.STATES, np.tile(state, self.PARTS)),
                who=[f"warp {i}" for i in range(slots)] * self.PARTS,
                says=says * self.PARTS,
            ),
            texts("of registers", n, inner, top + 79, f"{self.OWN} KiB of registers", "ink start", 12),
            boxes("cores", cores, np.add.outer(inner, 4 * np.arange(self.LANES)).ravel(), top + 89, 3, 12, lit),
            texts("of cores", n, inner + 70, top + 95, f"{self.LANES} CUDA cores", "ink start", 12),
            boxes("tensor", n, inner, top + 106, self.WIDE, 17, "muted tint", "tensor core", 12),
        ]

    def _memory(self):
        """Shared memory and L1, their area in the scale of the registers."""
        long = self.PITCH * (self.PARTS - 1) + self.WIDE + 8
        deep = self.WIDE * self.DEEP * self.SHARED / self.OWN / long
        said = f"shared memory and L1, {self.SHARED} KiB"
        key = [
            ("compute", "issues"),
            ("memory", "waits for memory"),
            ("compute tint", "ready"),
            ("muted soft", "no warp"),
        ]
        return [
            boxes("shared", [0], self.LEFT, self.TOP + 134, long, deep, "muted tint", said, 12),
            *legend("key", self.LEFT, 216, key),
        ]

    def _history(self, tick, state):
        """What the first scheduler's warps did until now, on one axis of cycles; above, whether anything was issued."""
        row = min(26, self.HIGH / tick.warps)
        chart = Chart(self.AXIS, (self.ROWS + self.HIGH, self.STRIP), (0, 1200), (0, 1))
        lanes, named = np.arange(tick.warps), np.arange(tick.warps)[:: 1 if row > 12 else 2]
        y, warp = rows(self.ROWS, row, tick.warps), np.array([burst.warp for burst in tick.bursts], dtype=int)
        begin, end, back = (
            np.array([getattr(burst, name) for burst in tick.bursts], dtype=int) for name in ("begin", "end", "back")
        )
        stop = np.minimum(end, tick.cycle)
        here, key = chart.x(tick.cycle), range(len(warp))
        wait, tall = end < tick.cycle, row - min(3, row / 5)
        pale = np.flatnonzero(wait)
        return [
            *chart.axes(range(0, 1201, 200), (), "cycles", "", "{:,}"),
            boxes("rows", lanes, self.AXIS[0], y, self.AXIS[1] - self.AXIS[0], tall, "muted faint soft"),
            boxes(
                "waits",
                pale,
                chart.x(end[wait]),
                y[warp[wait]],
                chart.x(np.minimum(back, tick.cycle)[wait]) - chart.x(end[wait]),
                tall,
                "memory tint",
            ),
            boxes("turns", key, chart.x(begin), y[warp], chart.x(stop) - chart.x(begin), tall, "compute"),
            boxes("lost", [0], self.AXIS[0], self.STRIP, here - self.AXIS[0], 14, "bad soft"),
            boxes("issued", key, chart.x(begin), self.STRIP, chart.x(stop) - chart.x(begin), 14, "compute"),
            texts("names", named, self.AXIS[0] - 8, y[named] + row / 2, [f"warp {i}" for i in named], "ink end", 12),
            words("strip", (self.AXIS[0] - 8, self.STRIP + 7, "issue", "ink bold end")),
            lines("now", [0], here, self.STRIP, here, self.ROWS + self.HIGH, "ink", 2),
        ]

    def _foot(self, tick):
        slow = f"{scaled(tick.slowdown, 1e6)} million times slower than the chip"
        busy = f"busy {percent(tick.busy)} of the cycles" if tick.cycle else ""
        return [
            words(
                "heads",
                (self.LEFT, 18, "one SM of an A100, memories to scale", "ink bold start"),
                (self.AXIS[1], 18, slow, "muted end", 12),
                (self.LEFT, 478, "the first scheduler", "ink bold start"),
                (self.AXIS[1], 478, busy, "ink bold end", 15),
            )
        ]

    def say(self, tick):
        if not tick.cycle:
            return f"Each of the four schedulers has {counted(tick.warps, 'warp')}; memory is {tick.wait} cycles away."
        doing = "no warp is ready" if tick.issuing is None else f"warp {tick.issuing} issues"
        wait = counted(len(tick.waiting), "warp")
        return f"Cycle {tick.cycle:,}: {doing}, {wait} {'waits' if len(tick.waiting) == 1 else 'wait'} for memory."


class Residents(Stage):
    """Blocks fill an SM until one of its four resources is used up; then the grid passes over all SMs in waves.

    >>> view = Residents()
    >>> view.show(gpu.launch("a100-80gb-sxm", 600, 256, 48))
    >>> view.show(gpu.launch("h100-sxm5", 1, 64, 32, 100 * 1024))
    >>> view.show(gpu.launch("t4", 4000, 1024, 255))
    >>> view.show(gpu.launch("v100-sxm2-32gb", 4000, 1024, 64))
    """

    size = (740, 424)
    LEFT, RIGHT, TOP, PITCH, TALL = 140, 500, 52, 38, 24  # of the bars: an SM's room, from one end to the other
    FLOOR, CEILING, WAVES = 380, 266, (110, 720)  # of the waves
    NAMES = {"warps": "warps", "blocks": "blocks", "registers": "registers", "shared": "shared memory"}

    def marks(self, made):
        """`made`: grid.Launch."""
        return [*self._room(made.fits), *self._waves(made)]

    def _room(self, fits):
        """A bar for each resource: what the resident blocks take, and, where it is the limit, what one more would."""
        names, y = list(self.NAMES), rows(self.TOP, self.PITCH, len(self.NAMES))
        long = self.RIGHT - self.LEFT
        made = [
            boxes("room", names, self.LEFT, y - self.TALL / 2, long, self.TALL, "muted soft"),
            texts("names", names, self.LEFT - 10, y, list(self.NAMES.values()), "ink end"),
        ]
        for place, name in enumerate(names):
            step, top = long * fits.needs[name] / fits.room[name], y[place] - self.TALL / 2
            taken, limit = np.arange(fits.blocks), name in fits.limiters
            made.append(
                boxes(name, taken, self.LEFT + step * taken, top, max(step - 1, 0.5), self.TALL, "compute tint")
            )
            left = self.LEFT + step * fits.blocks
            end = max(min(left + step, self.RIGHT + 16), self.RIGHT + 4)
            made.append(boxes(f"{name} more", [0] * limit, left, top, end - left, self.TALL, "bad line dashed"))
        used = [self._used(name, fits) for name in names]
        roles = ["bad bold start" if name in fits.limiters else "ink start" for name in names]
        return [
            *made,
            lines("full", [0], self.RIGHT, self.TOP - 20, self.RIGHT, y[-1] + 20, "ink", 1.5),
            texts("used", names, self.RIGHT + 22, y, used, roles),
            words("room of", (20, 18, f"one SM of {fits.name}: what its blocks take", "ink bold start")),
        ]

    @staticmethod
    def _used(name, fits):
        """What all resident blocks take of a resource, in words."""
        taken, room = fits.blocks * fits.needs[name], fits.room[name]
        said = binary if name == "shared" else number
        return f"{said(taken)} of {said(room)}" + " ← limit" * (name in fits.limiters)

    def _waves(self, made):
        """How many of the places of each wave a block takes."""
        first, last = self.WAVES
        wave = np.arange(made.waves)
        pitch = min(70, (last - first) / max(made.waves, 1))
        tall = (self.FLOOR - self.CEILING) * np.array(made.in_wave) / max(made.places, 1)
        said = [f"{count:,}" for count in made.in_wave] if made.waves <= 12 else ()
        title = f"waves of {made.sms} SMs × {made.fits.blocks} = {made.places:,} blocks"
        return [
            lines(
                "axes", range(2), first, [self.FLOOR, self.CEILING], last, [self.FLOOR, self.CEILING], "muted dashed", 1
            ),
            *pillars("waves", wave, first + pitch * (wave + 0.5), self.FLOOR, 0.8 * pitch, tall, "compute", said),
            words(
                "titles",
                (20, self.CEILING - 40, title, "ink bold start"),
                (first - 8, self.CEILING, "all places", "muted end"),
                (first - 8, self.FLOOR, "0", "muted end"),
                (first, self.FLOOR + 22, "wave after wave →", "muted start"),
                (last, self.FLOOR + 22, f"{percent(made.share)} of the places used", "ink bold end", 15),
            ),
        ]

    def say(self, made):
        if not made.waves:
            return f"{made.fits.name}: not even one block fits, so the launch fails. The limit: {made.limit}."
        return (
            f"{counted(made.fits.blocks, 'block')} on each SM, an occupancy of {percent(made.fits.fraction)}. "
            f"The limit: {made.limit}. The grid takes {counted(made.waves, 'wave')}."
        )
