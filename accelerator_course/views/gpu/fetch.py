"""A warp's load from memory: sectors fly in, the bytes asked for are lit in them, lanes get theirs."""

import numpy as np

from accelerator_course.views.stage import Stage, boxes, lines, paths, pick, texts
from accelerator_lib.units import counted, percent

LEFT, WIDE = 20, 704
RIBBON, FLAT = 30, 22  # the memory: where it lies, how high it is
GAUGE, SCALE = 84, 1024  # the gauge of bytes; what it holds where not more are brought
STORE, DEEP = 156, 200  # where the sectors lie that have been brought
LANES, LANE = 398, 22


class Sectors(Stage):
    """Sectors fly from the memory into the load unit; what lanes asked for is orange in them, and flies to the lanes.

    >>> from accelerator_course.frames.gpu import by_sector
    >>> view = Sectors()
    >>> def states(name): return list(by_sector(gpu.access.touched(*gpu.access.PATTERNS[name])))
    >>> view.show(states("a[lane]")[0])
    >>> view.show(states("a[lane]")[2])
    >>> view.show(states("a[0]")[1])
    >>> view.show(states("column, rows padded to 33")[20])
    """

    size, noun = (740, 472), "step"

    def marks(self, fetched):
        place = _Places(fetched)
        return [*_memory(fetched, place), *_gauge(fetched), *_sectors(fetched, place), *_lanes(fetched, place)]

    def say(self, fetched):
        total, size = len(fetched.order), fetched.access.sector_bytes
        if not fetched.count:
            asked = counted(fetched.asked.sum(), "byte")
            return f"{len(fetched.served)} lanes ask for {asked}, in {counted(total, 'sector')} of {size} bytes each."
        return (
            f"Sector {fetched.count} of {total} serves {_named(np.flatnonzero(fetched.serving))}. "
            f"{fetched.bytes_brought:,} bytes brought so far, {percent(fetched.efficiency)} of them asked for."
        )


def _named(lanes):
    """Lanes 0 to 7; lane 5; 12 lanes."""
    if len(lanes) == 1:
        return f"lane {lanes[0]}"
    if lanes[-1] - lanes[0] == len(lanes) - 1:
        return f"lanes {lanes[0]} to {lanes[-1]}"
    return f"{len(lanes)} lanes"


class _Places:
    """Where a sector stands: in the ribbon, to scale, and in the store, in rows."""

    def __init__(self, fetched):
        sectors = fetched.access.sectors
        self.first, self.last = int(sectors[0]), int(sectors[-1])
        self.unit = min(22, WIDE / (self.last - self.first + 1))
        self.rank = np.searchsorted(sectors, fetched.order)
        columns = 4 if len(sectors) <= 32 else 8
        self.wide, self.high = WIDE / columns - 8, min(56, DEEP / -(-len(sectors) // columns) - 5)
        self.x = LEFT + WIDE / columns * (self.rank % columns)
        self.y = STORE + (self.high + 5) * (self.rank // columns)

    def ribbon(self, sector):
        """From the left; a sector is a number, which may have a fraction."""
        return LEFT + self.unit * (np.asarray(sector) - self.first)


def _memory(fetched, place):
    """The memory between the first byte and the last, with holes where sectors have gone."""
    size = fetched.access.sector_bytes
    ribbon = boxes("ribbon", [0], [LEFT], [RIBBON], WIDE, FLAT, "muted soft")
    holes = "".join(f"M{x:.5g} 0H{x + place.unit:.5g}V{FLAT}H{x:.5g}Z" for x in place.ribbon(fetched.order) - LEFT)
    spots = paths("holes", [0], [holes], LEFT, RIBBON, "muted tint")
    title = f"memory, bytes {size * place.first:,} to {size * place.last + size - 1:,}"
    kept = "brought; orange is what was asked for"
    return [ribbon, spots, texts("titles", range(2), LEFT, [16, STORE - 12], [title, kept], "ink bold start", 13)]


def _gauge(fetched):
    """Bytes brought and bytes asked for, both from zero."""
    brought, asked = fetched.bytes_brought, fetched.bytes_asked
    left, pixel = 118, 400 / max(SCALE, fetched.access.bytes_brought)
    y = np.array([GAUGE - 14, GAUGE + 8])
    wide = pixel * np.array([brought, asked])
    bars = boxes("gauge", range(2), left, y, wide, 16, pick(("memory", "compute"), [0, 1]))
    names = texts("names", range(2), left - 8, y + 8, ["brought", "asked for"], "ink end")
    values = texts("values", range(2), left + wide + 8, y + 8, [f"{brought:,} B", f"{asked:,} B"], "ink bold start")
    share = f"{percent(fetched.efficiency)} used" if brought else ""
    return [bars, names, values, texts("share", [0], [LEFT + WIDE], [GAUGE + 4], [share], "ink bold end", 18)]


def _sectors(fetched, place):
    """Boxes that fly from the ribbon to their places, and the bytes asked for in them."""
    size, came = fetched.access.sector_bytes, np.arange(len(fetched.order)) < fetched.count
    x, y = np.where(came, place.x, place.ribbon(fetched.order)), np.where(came, place.y, RIBBON)
    wide, high = np.where(came, place.wide, place.unit), np.where(came, place.high, FLAT)
    numbers, counts = fetched.order.tolist(), fetched.asked.sum(axis=1)
    who = [f"sector {n:,}" for n in numbers]
    says = [
        f"{'brought' if there else 'still in memory'}: {count} of its bytes, from {n * size:,} on, are asked for"
        for n, count, there in zip(numbers, counts, came, strict=True)
    ]
    cells = boxes("sectors", place.rank, x, y, wide, high, "memory tint", who=who, says=says)
    lit = [_lit(row, w / size, h) for row, w, h in zip(fetched.asked, wide, high, strict=True)]
    found = [cells, paths("asked", place.rank, lit, x, y, "compute", who=who, says=says)]
    if fetched.count:
        now = fetched.count - 1
        frame = place.x[now] - 2, place.y[now] - 2, place.wide + 4, place.high + 4
        found.append(boxes("frame", [0], *([value] for value in frame), "ink line"))
    return found


def _lit(asked, byte, high):
    """The words of a sector of which something is asked for, as a path."""
    runs = [np.flatnonzero(word) + 4 * i for i, word in enumerate(asked.reshape(-1, 4)) if word.any()]
    top, gap = high / 6, byte / 3
    spots = [(run[0] * byte + gap, (run[-1] + 1) * byte - gap) for run in runs]
    return "".join(f"M{a:.4g} {top:.4g}H{b:.4g}V{high - top:.4g}H{a:.4g}Z" for a, b in spots)


def _lanes(fetched, place):
    """Lanes, what each asked for on its way to it, and lines from the sector that serves them."""
    lane, served, serving = np.arange(len(fetched.served)), fetched.served, np.flatnonzero(fetched.serving)
    size, addresses = fetched.access.sector_bytes, fetched.access.addresses
    x = LEFT + LANE * lane
    who = [f"lane {i}" for i in lane]
    says = [
        f"has its {len(own)} bytes" if done else f"waits for {'byte' if len(own) == 1 else 'bytes'} from {own[0]:,} on"
        for own, done in zip(addresses, served, strict=True)
    ]
    found = [boxes("lanes", lane, x, LANES, LANE - 2, 30, "muted tint", who=who, says=says)]
    if fetched.count:
        now = fetched.count - 1
        byte = (addresses[serving, 0] - fetched.sector * size).clip(0, size - 1) + min(addresses.shape[1], 4) / 2
        start = place.x[now] + byte / size * place.wide, place.y[now] + place.high - place.high / 6
        found.append(lines("serves", serving, start[0], start[1], x[serving] + LANE / 2 - 1, LANES, "compute", 1.5))
    here = place.ribbon(addresses[:, 0] / size)
    broad = max(1.5, place.unit * addresses.shape[1] / size)
    left, top = np.where(served, x + 3, here), np.where(served, LANES + 4, RIBBON + FLAT / 6)
    wide, high = np.where(served, LANE - 8, broad), np.where(served, 22, FLAT * 2 / 3)
    found.append(boxes("words", lane, left, top, wide, high, "compute", who=who, says=says))
    even, title = lane[::2], "lanes of the warp, with what they asked for"
    names = texts("lane", even, x[even] + LANE / 2 - 1, LANES + 42, even.astype(str), "muted", 12)
    return [*found, names, texts("warp", [0], [LEFT], [LANES + 62], [title], "ink bold start", 13)]
