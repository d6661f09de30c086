"""Pictures of chapter 5: a warp at work, what it touches, one SM, and the waves in which a grid passes over all."""

import numpy as np

from accelerator_course.views.kit import Chart, bars, kernel, legend, pillars, rows, ticks, words
from accelerator_course.views.stage import Stage, arrows, boxes, lines, paths, pick, texts
from accelerator_lib.units import binary, counted, number, percent, scaled


class Sectors(Stage):
    """Sectors fly from the memory into the load unit; what lanes asked for is orange in them, and flies to the lanes.

    >>> view = Sectors()
    >>> def states(stride): return list(frames.gpu.by_sector(gpu.access.strided(stride)))
    >>> view.show(states(1)[0]), view.show(states(0)[1]), view.show(states(33)[20])
    """

    size, noun = (740, 472), "step"
    LEFT, WIDE = 20, 704
    RIBBON, FLAT = 30, 22  # the memory: where it lies, how high it is
    GAUGE, SCALE = 84, 1024  # the gauge of bytes; what it holds where not more are brought
    STORE, DEEP = 156, 200  # where the sectors lie that have been brought
    LANES, LANE = 398, 22

    def marks(self, fetched):  # frames.gpu.Fetched
        access, left, flat = fetched.access, self.LEFT, self.FLAT
        first, last, size = int(access.sectors[0]), int(access.sectors[-1]), access.sector_bytes
        self.unit, self.first = min(22, self.WIDE / (last - first + 1)), first
        holes = (f"M{x:.5g} 0H{x + self.unit:.5g}V{flat}H{x:.5g}Z" for x in self._ribbon(fetched.order) - left)
        span, key = self.unit * (last - first + 1), (("memory tint", "sectors brought"), ("compute", "asked for"))
        numbers, y = np.array([fetched.bytes_brought, fetched.bytes_asked]), self.GAUGE + np.array([-6, 16])
        long = 400 / max(self.SCALE, access.bytes_brought) * numbers
        said, names = [f"{value:,} B" for value in numbers], ["brought", "asked for"]
        share = f"{percent(fetched.efficiency)} used" if fetched.count else ""
        yield boxes("ribbon", [0], left, self.RIBBON, span, flat, "muted soft")
        yield paths("holes", [0], "".join(holes), left, self.RIBBON, "muted tint")
        yield from bars("gauge", range(2), 118, y, long, 16, ("memory", "compute"), said, "ink bold start", names=names)
        yield words(
            "titles",
            (left, 16, f"memory, bytes {size * first:,} to {size * last + size - 1:,}", "ink bold start"),
            (left, self.LANES + 62, "lanes of the warp, with what they asked for", "ink bold start"),
            (left + self.WIDE, self.GAUGE + 4, share, "ink bold end", 18),
        )
        yield from legend("key", left, self.STORE - 14, key)
        # Sectors that fly from the ribbon to their rows; lanes, the words that fly to them, and who is served now
        order, size, unit, addresses = fetched.order, fetched.access.sector_bytes, self.unit, fetched.access.addresses
        came, now = np.arange(len(order)) < fetched.count, np.arange(len(order)) == fetched.count - 1
        rank, columns = np.searchsorted(fetched.access.sectors, order), 4 if len(order) <= 32 else 8
        wide, high = self.WIDE / columns - 8, min(56, self.DEEP / -(-len(order) // columns) - 5)
        own_x, own_y = self.LEFT + (wide + 8) * (rank % columns), self.STORE + (high + 5) * (rank // columns)
        x, y = np.where(came, own_x, self._ribbon(order)), np.where(came, own_y, self.RIBBON)
        w, h = np.where(came, wide, unit), np.where(came, high, self.FLAT)
        lit = [_lit(row, byte, tall) for row, byte, tall in zip(fetched.asked, w / size, h, strict=True)]
        text = zip(np.where(came, "brought", "still in memory"), fetched.asked.sum(1), order * size, strict=True)
        says = [f"{where}: {n} of its bytes, from {at:,} on, are asked for" for where, n, at in text]
        sector = {"who": [f"sector {n:,}" for n in order], "says": says}
        lane, served, serving = np.arange(len(fetched.served)), fetched.served, np.flatnonzero(fetched.serving)
        wait = f"waits for {'byte' if addresses.shape[1] == 1 else 'bytes'} from"
        got = f"has its {addresses.shape[1]} bytes"
        says = [got if done else f"{wait} {own[0]:,} on" for own, done in zip(addresses, served, strict=True)]
        own = {"who": [f"lane {i}" for i in lane], "says": says}
        begin, even, top = self.LEFT + self.LANE * lane, lane[::2], self.LANES
        byte = (addresses[serving, 0] - (fetched.sector or 0) * size).clip(0, size - 1) + min(addresses.shape[1], 4) / 2
        start = own_x[now] + byte / size * wide, own_y[now] + high * 5 / 6
        left = np.where(served, begin + 3, self._ribbon(addresses[:, 0] / size))
        down = np.where(served, top + 4, self.RIBBON + self.FLAT / 6)
        broad = np.where(served, self.LANE - 8, max(1.5, unit * addresses.shape[1] / size))
        yield boxes("sectors", rank, x, y, w, h, "memory tint", **sector)
        yield paths("asked", rank, lit, x, y, "compute", **sector)
        yield boxes("frame", range(now.sum()), own_x[now] - 2, own_y[now] - 2, wide + 4, high + 4, "ink line")
        yield boxes("lanes", lane, begin, top, self.LANE - 2, 30, "muted tint", **own)
        yield lines("serves", serving, *start, begin[serving] + self.LANE / 2 - 1, top, "compute", 1.5)
        yield boxes("words", lane, left, down, broad, np.where(served, 22, self.FLAT * 2 / 3), "compute", **own)
        yield texts("lane", even, begin[even] + self.LANE / 2 - 1, top + 42, even.astype(str), "muted", 12)

    def _ribbon(self, sector):
        return self.LEFT + self.unit * (np.asarray(sector) - self.first)

    def say(self, fetched):
        total, lanes = len(fetched.order), np.flatnonzero(fetched.serving)
        if not fetched.count:
            asked, size = counted(fetched.asked.sum(), "byte"), fetched.access.sector_bytes
            return f"{len(fetched.served)} lanes ask for {asked}, in {counted(total, 'sector')} of {size} bytes each."
        together = lanes[-1] - lanes[0] == len(lanes) - 1
        named = f"lanes {lanes[0]} to {lanes[-1]}" if together else f"{len(lanes)} lanes"
        return (
            f"Sector {fetched.count} of {total} serves {f'lane {lanes[0]}' if len(lanes) == 1 else named}. "
            f"So far memory has brought {fetched.bytes_brought:,} bytes; {percent(fetched.efficiency)} were asked for."
        )


def _lit(asked, byte, high):
    """The words of a sector of which something is asked for, as a path."""
    runs = [np.flatnonzero(word) + 4 * i for i, word in enumerate(asked.reshape(-1, 4)) if word.any()]
    top, gap = high / 6, byte / 3
    spots = [(run[0] * byte + gap, (run[-1] + 1) * byte - gap) for run in runs]
    return "".join(f"M{a:.4g} {top:.4g}H{b:.4g}V{high - top:.4g}H{a:.4g}Z" for a, b in spots)


class OneSm(Stage):
    """Four schedulers of an SM and the warps in their registers; below, the warps of the first one over the cycles.

    >>> view = OneSm()
    >>> few, many = (list(frames.gpu.by_tick(warps, 40, 552)) for warps in (2, 15))
    >>> view.show(few[0]), view.show(few[30]), view.show(many[59])
    """

    size, noun = (740, 490), "step"
    LEFT, PITCH, TOP, WIDE, DEEP = 20, 178, 36, 164, 40  # of partitions; of 64 KiB of registers in one
    SLOTS, LANES, PARTS = 16, 16, 4  # of an A100: warps and CUDA cores of a partition, partitions
    OWN, SHARED = 64, 192  # KiB: registers of a partition, shared memory and L1 of the SM
    STATES = {"muted soft": "no warp", "compute tint": "ready", "memory": "waits for memory", "compute": "issues"}
    AXIS, STRIP, ROWS, HIGH = (88, 716), 244, 264, 160  # of the cycles: where they run, and the warps below

    def marks(self, tick):  # frames.gpu.Tick
        slow = f"{scaled(tick.slowdown, 1e6)} million times as slow as the chip"
        busy = f"busy {percent(tick.busy)} of the cycles" if tick.cycle else ""
        # The partitions: scheduler, registers cut by warp, CUDA cores, tensor core; memory to the same scale
        warp, part, wide, top = np.arange(self.SLOTS), rows(self.LEFT, self.PITCH, self.PARTS), self.WIDE, self.TOP
        state = np.where(warp < tick.warps, 1, 0) + np.isin(warp, [*tick.waiting]) + 2 * (warp == tick.issuing)
        n, inner, cell = range(self.PARTS), part + 4, wide / self.SLOTS
        cores, core = range(self.PARTS * self.LANES), np.add.outer(inner, 2.5 * np.arange(self.LANES)).ravel()
        slots, slot = range(self.PARTS * self.SLOTS), np.add.outer(inner, cell * warp).ravel()
        look = pick(self.STATES, np.tile(state, self.PARTS))
        doing, lit = ("idle", "muted tint") if tick.issuing is None else (f"warp {tick.issuing}", "compute tint")
        says = [("empty", "ready", "waits for memory", "issues")[one] for one in state]
        hover = {"who": [f"warp {i}" for i in warp] * self.PARTS, "says": says * self.PARTS}
        long, shared = part[-1] - part[0] + wide + 8, f"shared memory and L1, {self.SHARED} KiB"
        deep = wide * self.DEEP * self.SHARED / self.OWN / long
        yield boxes("parts", n, part, top, wide + 8, 128, "muted line")
        yield boxes("schedulers", n, inner, top + 4, wide, 20, lit, f"scheduler: {doing}", 12)
        yield boxes("registers", slots, slot, top + 30, cell - 1, self.DEEP, look, **hover)
        yield texts("of registers", n, inner, top + 79, f"{self.OWN} KiB of registers", "ink start", 12)
        yield boxes("cores", cores, core, top + 89, 2, 12, lit)
        yield texts("of cores", n, inner + 46, top + 95, f"{self.LANES} CUDA cores", "ink start", 12)
        yield boxes("tensor", n, inner, top + 106, wide, 17, "muted tint", "tensor core", 12)
        yield boxes("shared", [0], self.LEFT, top + 134, long, deep, "muted tint", shared, 12)
        yield from legend("key", self.LEFT, 216, [*self.STATES.items()][::-1], gap=60)
        # What the first scheduler's warps did until now, on one axis of cycles; above, whether anything was issued
        (left, right), floor, row = self.AXIS, self.ROWS + self.HIGH, min(26, self.HIGH / tick.warps)
        chart, y = Chart(self.AXIS, (floor, self.STRIP), (0, 1200), (0, 1)), rows(self.ROWS, row, tick.warps)
        lanes, tall, here = np.arange(tick.warps), row - min(3, row / 5), chart.x(tick.cycle)
        named = lanes[:: 1 if row > 12 else 2]
        found = np.array([(b.warp, b.begin, b.end, b.back) for b in tick.bursts], int).reshape(-1, 4)
        warp, (begin, end, back) = found[:, 0], chart.x(np.minimum(found[:, 1:], tick.cycle)).T
        key, wait = range(len(warp)), np.flatnonzero(found[:, 2] < tick.cycle)
        yield from chart.axes(range(0, 1201, 200), (), "cycles", x_words="{:,}")
        yield boxes("rows", lanes, left, y, right - left, tall, "muted faint soft")
        yield boxes("waits", wait, end[wait], y[warp[wait]], back[wait] - end[wait], tall, "memory tint")
        yield boxes("turns", key, begin, y[warp], end - begin, tall, "compute")
        yield boxes("lost", [0], left, self.STRIP, here - left, 14, "bad soft")
        yield boxes("issued", key, begin, self.STRIP, end - begin, 14, "compute")
        yield texts("names", named, left - 8, y[named] + row / 2, [f"warp {i}" for i in named], "ink end", 12)
        yield lines("now", [0], here, self.STRIP, here, floor, "ink", 2)
        yield words(
            "heads",
            (self.LEFT, 18, "one SM of an A100, memories to scale", "ink bold start"),
            (self.AXIS[1], 18, slow, "muted end", 12),
            (self.LEFT, 478, "the first scheduler", "ink bold start"),
            (self.AXIS[0] - 8, self.STRIP + 7, "issue", "ink bold end"),
            (self.AXIS[1], 478, busy, "ink bold end", 15),
        )

    def say(self, tick):
        if not tick.cycle:
            return f"Each of the four schedulers has {counted(tick.warps, 'warp')}; memory is {tick.wait} cycles away."
        doing = "no warp is ready" if tick.issuing is None else f"warp {tick.issuing} issues"
        wait = counted(len(tick.waiting), "warp")
        return f"Cycle {tick.cycle:,}: {doing}, {wait} {'waits' if len(tick.waiting) == 1 else 'wait'} for memory."


class Generations(Stage):
    """A tile's way through one SM: who copies, who multiplies, who waits; below, the same over the cycles.

    >>> view, runs = Generations(), {name[:5]: gpu.generations.play(name) for name in gpu.generations.TABLE}
    >>> volta, ampere, hopper = (list(frames.gpu.by_event(runs[name])) for name in ("Volta", "Amper", "Hoppe"))
    >>> view.show(volta[5]), view.show(ampere[3]), view.show(hopper[8]), view.show(hopper[-1])
    """

    size, noun = (740, 470), "moment"
    MEMORY, BUFFERS, CORES, SUMS, TOP = 20, 196, 356, 548, 64  # left edges of the parts, and where they begin
    WARPS, AXIS, ROWS, HIGH, LAST = 174, (112, 716), 254, 24, 418  # the warps; the cycles, and the rows below them
    STATES = {"muted soft": "waits", "compute": "issues products", "other": "issues copies"}
    NAMES, COPIES = ("copies", "instructions", "tensor cores", "warps wait"), {"ask": "ask for", "store": "store"}

    def marks(self, fed):  # frames.gpu.Fed
        run, facts, top, at = fed.run, fed.run.feeding.facts, self.TOP, fed.now("multiply")
        # Tiles: in memory, on their way, in a buffer until they are multiplied
        begun, came, done = fed.tiles("ask", False), fed.tiles("copy", True), fed.tiles("multiply", True)
        tile = np.array([i for i in range(run.tiles) if i not in done], int)
        state = np.array([(i in begun) + (i in came) for i in tile], int)
        slot, there = rows(top, 26, run.buffers), [("in memory", "on its way", "in a buffer")[one] for one in state]
        x = np.where(state == 2, self.BUFFERS, np.where(state == 1, 136, self.MEMORY + 24 * (tile % 3)))
        y = np.where(state > 0, slot[tile % run.buffers], top + 26 * (tile // 3))
        look = pick(("memory tint", "memory", "memory", "compute"), state + (tile == at))
        name, role, flow = ("idle", "muted soft", "muted") if at is None else (f"tile {at + 1}", "compute", "compute")
        flows = ["muted" if fed.now("copy") is None else "memory", flow, flow]
        sums, own = facts["sums"], "shared" if facts["through_registers"] and run.buffers > 1 else "shared memory"
        kept, looks = ["registers: no sums", f"{sums}: the sums"], ["muted soft", "compute tint"]
        only = sums == "registers"  # then nothing else is there to keep them
        text, who = [str(i + 1) for i in tile], [f"tile {i + 1}" for i in tile]
        yield boxes("slots", range(run.buffers), self.BUFFERS, slot, 96, 22, "muted line dashed")
        yield arrows("flows", range(3), [100, 298, 492], top + 11, [130, 350, 542], top + 11, flows, 3)
        yield boxes("tiles", tile, x, y, np.where(state == 2, 96, 22), 22, look, text, 12, who, there)
        yield boxes("cores", [0], self.CORES, top, 130, 58, role, name, 15)
        yield boxes("kept", range(only, 2), self.SUMS, rows(top, 32, 2 - only), 168, 26, looks[only:], kept[only:], 12)
        warp, doing = np.arange(facts["warps"]), fed.warps
        says, warps = [[*self.STATES.values()][one] for one in doing], self.MEMORY + 30 * warp
        who = [f"warp {i}" for i in warp]
        yield boxes("warps", warp, warps, self.WARPS, 26, 24, pick(self.STATES, doing), who=who, says=says)
        yield from legend("key", 396, self.WARPS + 12, [*self.STATES.items()][::-1], gap=16, size=12)
        yield from self._cycles(fed)
        busy = f"tensor cores busy {percent(fed.busy)}" if fed.cycle else ""
        size = " × ".join(map(str, facts["instruction"]))
        each = f"{facts['warps']} warps of the block, {run.feeding.instructions} instructions for a tile"
        yield words(
            "heads",
            (self.MEMORY, 18, f"{facts['name']}: {facts['copies']}", "ink bold start"),
            (self.MEMORY, top - 14, "memory"),
            (self.BUFFERS, top - 14, own + ", registers" * (own == "shared")),
            (self.CORES, top - 14, "tensor cores"),
            (self.CORES, top + 72, f"{size}, by {facts['hand']}", "ink start", 12),
            (self.MEMORY, self.WARPS - 14, each),
            (self.AXIS[1], self.ROWS - 24, busy, "ink bold end", 15),
        )

    def _cycles(self, fed):
        """What the SM did until now: copies, instructions issued, products, and when the multiplying warps waited."""
        way, (left, _), high, floor = fed.run.feeding, self.AXIS, self.HIGH, self.LAST
        chart, y = Chart(self.AXIS, (floor, self.ROWS), (0, fed.run.cycles), (0, 1)), rows(self.ROWS, 40, 4) + 24
        used = high * (way.read + way.product) / way.multiply  # of a scheduler's slots, while its tensor core works
        spans = [("copy", 0, high, "memory"), ("multiply", 2, high, "compute"), ("multiply", 1, used, "compute")]
        spans += [("ask", 1, high, "other"), ("store", 1, high * way.ask / max(way.store, 1), "other")]
        yield from chart.axes(ticks(0, fed.run.cycles), (), "cycles", x_words="{:,.0f}")
        yield texts("names", range(4), left - 8, y - high / 2, self.NAMES, "ink end", 12.5)
        begin, end = chart.x(np.array(fed.waits).reshape(-1, 2)).T
        yield boxes("waits", range(len(begin)), begin, y[3] - high, end - begin, high, "bad soft")
        for what, row, tall, role in spans:
            tile, begin, end = np.array(fed.until(what)).reshape(-1, 3).T
            text, long = [f"{i + 1:.0f}" for i in tile], np.maximum(chart.x(end) - chart.x(begin), 1.5)
            who, says = [f"{what}, tile {i}" for i in text], [f"{n:,.0f} cycles" for n in end - begin]
            own, place = "" if row == 1 else text, (chart.x(begin), y[row] - tall, long, tall)
            yield boxes(f"{what} {row}", text, *place, role, own, 12, who, says)
        yield lines("now", [0], chart.x(fed.cycle), self.ROWS, chart.x(fed.cycle), floor, "ink", 2)

    def say(self, fed):
        run, facts, cycle = fed.run, fed.run.feeding.facts, f"{fed.cycle:,.0f}"
        if fed.cycle == run.cycles:
            return f"{cycle} cycles for {run.tiles} tiles: the tensor cores were busy in {percent(fed.busy)} of them."
        copied, asked, s = fed.now("copy"), fed.now("ask"), "s" * (facts["starters"] == 1)
        idle = ", and the tensor cores idle" * (fed.now("multiply") is None)
        verbs = {"multiply": f"issue{s} the products of", **({} if facts["apart"] else self.COPIES)}
        here = [f"{verb} tile {fed.now(what) + 1}" for what, verb in verbs.items() if fed.now(what) is not None]
        doing = " and ".join(here) or f"wait{s} for tile {len(fed.tiles('multiply', False)) + 1}"
        comes = "nothing is copied" if copied is None else f"tile {copied + 1} is on its way"
        comes += f"; another warp asks for tile {asked + 1}" if facts["apart"] and asked is not None else ""
        who = "one thread" if s else counted(facts["starters"], "warp")
        return f"Cycle {cycle}: {who} {doing}{idle}; {comes}. The sums are in {facts['sums']}."


class Residents(Stage):
    """Blocks fill an SM until one of its four resources is used up; then the grid passes over all SMs in waves.

    >>> view = Residents()
    >>> view.show(gpu.launch("a100-80gb-sxm", 600, 256, 48)), view.show(gpu.launch("h100-sxm5", 1, 64, 32, 100 * 1024))
    >>> view.show(gpu.launch("v100-sxm2-32gb", 4000, 1024, 64))
    """

    size = (740, 424)
    LEFT, RIGHT, TALL = 140, 440, 24  # of the bars: an SM's room, from one end to the other
    NAMES = {"warps": "warps", "blocks": "blocks", "registers": "registers", "shared": "shared memory"}

    def marks(self, made):  # grid.Launch
        # A bar for each resource: what the resident blocks take, and, where it is the limit, what one more would
        fits = made.fits
        names, y, left, right, tall = list(self.NAMES), rows(52, 38, 4), self.LEFT, self.RIGHT, self.TALL
        taken, layers, used, looks = np.arange(fits.blocks), [], [], []
        for name, top in zip(names, y - tall / 2, strict=True):
            step, limit = (right - left) * fits.needs[name] / fits.room[name], name in fits.limiters
            begin = left + step * fits.blocks
            more, said = np.clip(begin + step, right + 4, right + 16) - begin, binary if name == "shared" else number
            layers.append(boxes(name, taken, left + step * taken, top, max(step - 1, 0.5), tall, "compute tint"))
            layers.append(boxes(f"{name} more", [0] * limit, begin, top, more, tall, "bad line dashed"))
            room, taken_up = said(fits.room[name]), said((fits.blocks or 1) * fits.needs[name])
            told = f"{taken_up.removesuffix(' KiB') if room.endswith('KiB') else taken_up} of {room}"
            used.append(told + (" ← limit" if fits.blocks else ": does not fit") * limit)
            looks.append("bad bold start" if limit else "ink start")
        yield boxes("room", names, left, y - tall / 2, right - left, tall, "muted soft")
        yield texts("names", names, left - 10, y, list(self.NAMES.values()), "ink end")
        yield from layers
        yield lines("full", [0], right, y[0] - 20, right, y[-1] + 20, "ink", 1.5)
        yield texts("used", names, right + 22, y, used, looks)
        yield words("room of", (20, 18, f"one SM of {fits.name}: what its blocks take", "ink bold start"))
        system = f"of which {binary(fits.reserved)} a block is the system's" if fits.reserved else ""
        yield words("system", (left, y[-1] + 26, system, "muted start", 12))
        # How many of the places of each wave a block takes
        first, last, floor, top = 110, 720, 380, 266
        wave, pitch = np.arange(made.waves), min(70, (last - first) / max(made.waves, 1))
        tall = (floor - top) * np.array(made.in_wave) / max(made.places, 1)
        said = [f"{count:,}" for count in made.in_wave] if made.waves <= 12 else ()
        title = f"waves of {made.sms} SMs × {made.fits.blocks} = {made.places:,} blocks"
        yield lines("axes", range(2), first, [floor, top], last, [floor, top], "muted dashed", 1)
        yield from pillars("waves", wave, first + pitch * (wave + 0.5), floor, 0.8 * pitch, tall, "compute", said)
        yield words(
            "titles",
            (20, top - 40, title, "ink bold start"),
            (first - 8, top, "all places", "muted end"),
            (first - 8, floor, "0", "muted end"),
            (first, floor + 22, "wave after wave →", "muted start"),
            (last, floor + 22, f"{percent(made.share)} of the places used", "ink bold end", 15),
        )

    def say(self, made):
        if not made.waves:
            return f"{made.fits.name}: not even one block fits, so the launch fails. The limit: {made.limit}."
        said = f"{counted(made.fits.blocks, 'block')} on each SM, an occupancy of {percent(made.fits.fraction)}. The "
        return said + f"limit: {made.limit}. The grid takes {counted(made.waves, 'wave')}."


class WarpSteps(Stage):
    """A kernel and the lanes that run it: lanes that work step up, those that are masked stay behind.

    >>> view, kernels = WarpSteps(), gpu.simt.kernels()
    >>> short, long = (list(frames.gpu.by_instruction(kernels[name])) for name in ("if and else", "Collatz"))
    >>> view.show(short[0]), view.show(short[2]), view.show(long[90])
    """

    size, noun = (740, 462), "instruction"
    ROWS, ROW, LETTERS = 12, 21, 30  # of the kernel: rows shown, pixels of one, letters to a row
    LANE, FIRST = 22, 18  # pixels of a lane, and where the first one stands
    LEFT, TOP, WIDE, THIN = 380, 30, 352, 7  # of the roll; pixels of a lane in it
    WINDOW, BROAD, PAGE = 58, 70, 20  # instructions on the roll, how broad one may be, by how many the roll moves on

    def marks(self, executed):  # frames.gpu.Executed
        now, share, left, wide = executed.now, executed.now.efficiency, 300, 360  # of the share of the lanes' slots
        says = [_doing(now, lane) for lane in range(len(now.mask))]
        own = {"who": [f"lane {lane}" for lane in range(len(now.mask))], "says": says}
        yield from kernel(executed.code, now.line, self.ROWS, self.LETTERS, self.WIDE, self.TOP, self.ROW)
        yield from self._roll(executed, own)
        # The instruction, the lanes that take it, and what it gives in each; long values have no room over one
        lanes, works, working = np.arange(len(now.mask)), now.mask, np.flatnonzero(now.mask)
        x = self.FIRST + self.LANE * lanes
        middle, names = x[working] + 10, np.where(works | (lanes % 2 == 0), lanes.astype(str), "")
        y, high = np.where(works, 318, 338), np.where(works, 36, 24)
        given = [word if len(word) <= 4 else "…" for word in (_result(now, lane) for lane in working)]
        hover = {name: [column[lane] for lane in working] for name, column in own.items()}
        what = f"{now.target or 'does the condition hold?'} in each lane that works"
        yield boxes("issued", [0], self.FIRST, 284, self.LANE * len(lanes) - 2, 24, "compute tint", [now.text], 14)
        yield lines("stems", working, middle, 308, middle, 318, "compute", 2)
        look = pick(("muted tint dashed", "compute"), works)
        yield boxes("lanes", lanes, x, y, self.LANE - 2, high, look, names, 12, **own)
        yield texts("given", working, middle, 370 + 18 * (working % 2), given, "ink", 12, **hover)
        yield words("what", (self.FIRST, 409, what, "muted start", 12))
        yield boxes("track", [0], left, 432, wide, 20, "muted soft")
        yield from bars("fill", [0], left, [442], [wide * share], 20, "compute")
        yield words("slots", (self.FIRST, 442, "lanes' slots that worked"))
        yield words("share", (left + wide + 8, 442, percent(share), "ink bold start"))

    def _roll(self, executed, own):
        """Who worked in the instructions so far: a column for each, a row for each lane."""
        (done, lanes), left, top, thin = executed.masks.shape, self.LEFT, self.TOP, self.THIN
        columns = min(executed.length, self.WINDOW)
        step, begin = min(self.BROAD, self.WIDE / columns), max(0, -(-(done - columns) // self.PAGE) * self.PAGE)
        at, broad, tall, masks = np.arange(begin, done), step - min(2, step / 6), thin * lanes, executed.masks[begin:]
        x, every = left + step * (at - begin), next(n for n in (1, 2, 5, 10, 20, 50) if n >= 26 / step)
        named = at[((at + 1) % every == 0) | (every <= 2) & (at == 0)] + 1  # so far apart that they have room
        hover = {"who": [f"instruction {i + 1}" for i in at], "says": [_at_work(mask) for mask in masks]}
        work = [_column(mask, broad, thin) for mask in masks]
        ahead = left + step * len(at), top - 2, step * (columns - len(at)) + 2, tall + 3
        yield boxes("rows", range(lanes), left, rows(top, thin, lanes), step * columns, thin - 1, "muted soft", **own)
        yield boxes("ahead", [0], *ahead, "paper")
        yield paths("worked", at, work, x, top, "compute", **hover)
        yield boxes("now", [0], x[-1:] - 2, top - 3, broad + 4, tall + 5, "ink line")
        yield texts("ticks", named, x[named - 1 - begin] + broad / 2, top + tall + 14, named.astype(str), "muted", 12)
        ends = (left - 6, top + 4, "0", "muted end"), (left - 6, top + tall - 6, str(lanes - 1), "muted end")
        yield words("roll", (left, 14, "lanes ↓  instructions so far →", "ink bold start"), *ends)

    def say(self, executed):
        now = executed.now
        said = f"Instruction {now.number} of {executed.length}, line {now.line}: {_at_work(now.mask)}. So far "
        return said + f"{percent(now.efficiency)} of the lanes' slots worked."


def _doing(now, lane):
    if now.mask[lane]:
        return f"{now.text.rstrip(':')} → {_result(now, lane)}"
    kept = [f"{name} = {values[lane]}" for name, values in now.values.items() if name not in ("lane", "a")]
    return ", ".join(["masked", *kept])


def _result(now, lane):
    return f"{now.result[lane]}" if now.target else "yes" if now.result[lane] else "no"


def _column(mask, broad, thin):
    """A rectangle for each run of neighbours that worked, as a path."""
    ends = np.flatnonzero(np.diff(mask.astype(int), prepend=0, append=0)).reshape(-1, 2) * thin
    return "".join(f"M0 {first}H{broad:.4g}V{last - 1}H0Z" for first, last in ends)


def _at_work(mask):
    return f"{int(mask.sum())} of {len(mask)} lanes {'works' if mask.sum() == 1 else 'work'}"
