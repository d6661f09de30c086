"""Edge devices on one battery charge: how long each works, and how much it gets done."""

import numpy as np

from accelerator_course.views.stage import Stage, boxes, lines, texts
from accelerator_lib.units import duration, number, si

LEFT, TOP, ROW, TALL = 226, 74, 48, 18
TIME, WORK, LONG = LEFT, 506, 146  # left ends of both groups of bars, and their length


def millions(count):
    """13,170,732 -> 13.2 million."""
    return f"{number(count / 1e6)} million" if count >= 1e6 else number(count)


class Battery(Stage):
    """Edge devices on one charge: hours at work, and images seen in them.

    >>> view = Battery()
    >>> view.show(design.battery.devices(15, 15))
    >>> view.show(design.battery.devices(1, 2))
    >>> view.show(design.battery.devices(100, 60))
    >>> view.show(design.battery.devices(15, 0.05))
    """

    size, noun = (746, 420), "charge"

    def marks(self, found):
        """`found`: design.battery.Budget."""
        rows = found.rows
        n = len(rows)
        y = TOP + ROW * np.arange(n)
        ids = [row.record.id for row in rows]
        names = [row.record.name.partition(" (")[0].removeprefix("NVIDIA Jetson ").replace(", ", " ") for row in rows]
        fits = np.array([row.within for row in rows])
        most = max((row.hours for row in rows if row.within), default=1)
        best = max((row.images for row in rows if row.within), default=1)
        hours, images = (
            np.array([min(getattr(row, name) / top, 1) if row.within else 0 for row in rows]) * LONG
            for name, top in (("hours", most), ("images", best))
        )
        drawn = [
            f"{si(row.watts, 'W')}, {si(row.tops * 1e12, 'OP/s')}{', analog' * (row.record.kind == 'exotic')}"
            for row in rows
        ]
        times = [duration(row.hours * 3600) if row.within else f"needs {si(row.watts, 'W')}" for row in rows]
        works = [millions(row.images) if row.within else "" for row in rows]
        roles = ["ink bold end" if fit else "muted end" for fit in fits]
        head = f"{number(found.watt_hours)} Wh in the battery, at most {si(found.watts, 'W')}"
        quiet = ", ".join(row.name for row in found.silent)
        return [
            texts("head", range(3), [16, TIME, WORK], [20, 50, 50], [head, "works for", "images in that time"],
                  ["ink bold start", "ink start", "ink start"], [15, 13, 13]),
            lines("zero", range(2), [TIME, WORK], TOP - 10, [TIME, WORK], TOP + ROW * n - 8, "ink", 1.5),
            texts("names", ids, LEFT - 10, y, names, roles, 13),
            texts("drawn", ids, LEFT - 10, y + 16, drawn, "muted end", 12),
            boxes("hours", ids, TIME, y - TALL / 2 + 4, hours, TALL, "memory", "", 12, names, times),
            texts("times", ids, TIME + hours + 8, y + 4, times, ["ink start" if f else "bad start" for f in fits], 13),
            boxes("images", ids, WORK, y - TALL / 2 + 4, images, TALL, "good", "", 12, names, works),
            texts("works", ids, WORK + images + 8, y + 4, works, "ink start", 13),
            texts("silent", range(2), 16, [TOP + ROW * n + 16, TOP + ROW * n + 36],
                  [f"power not published: {quiet}" if quiet else "",
                   "Upper bounds: all units busy, nothing else switched on; "
                   f"an image takes {si(found.image_operations, 'OP')}."],
                  "muted start", 12),
        ]  # fmt: skip

    def say(self, found):
        """Who may work, for how long, and how many images."""
        head = f"{number(found.watt_hours)} Wh, at most {si(found.watts, 'W')}"
        told = [
            f"{row.record.name} {duration(row.hours * 3600)}, {millions(row.images)} images"
            for row in found.rows
            if row.within
        ]
        return f"{head}: {'; '.join(told) if told else 'no device whose power is published is that thrifty'}."
