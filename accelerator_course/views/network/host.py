"""Two links to the processor's memory: as wide as they are fast."""

from accelerator_course.views.stage import Stage, boxes, texts
from accelerator_lib.units import si

MIDDLES = {"pcie": 96, "coherent": 218}
PX_PER_GB_S = 0.15
BAR, FEET, LONG = 190, (336, 380), 400  # the bars of time
SAYS = {
    "printed": "by the numbers of the data sheets",
    "one way": "by the rates of one direction",
    "measured": "by the rates of a measured copy",
}


class HostLinks(Stage):
    """Host links: what lies in the processor's memory, read over PCIe and over a coherent link.

    >>> view = HostLinks()
    >>> view.show(network.host.reading(1.4e11, "printed"))
    >>> view.show(network.host.reading(1.4e11, "one way"))
    >>> view.show(network.host.reading(1e9, "measured"))
    """

    size, noun = (720, 420), "link"

    def marks(self, read):
        """`read`: network.host.Reading."""
        ends = boxes("end", ["host", "gpu"], [24, 560], 44, 136, 256, ["memory tint", "compute tint"])
        named = texts(
            "named", range(3), [92, 92, 628], [162, 182, 172], ["processor’s", "memory", "GPU"], "ink bold", 15
        )
        layers = [ends, named]
        longest = max(read.seconds)
        for place, (name, link) in enumerate((("pcie", read.pcie), ("coherent", read.coherent))):
            rate, seconds = link.rate(read.kind), read.seconds[place]
            high, middle = max(rate / 1e9 * PX_PER_GB_S, 2), MIDDLES[name]
            role, label = ("memory", "PCIe 5.0") if name == "pcie" else ("good", "coherent")
            told = f"{si(rate, 'B/s')}, {read.kind}"
            y, length = FEET[place], max(LONG * seconds / longest, 1)
            top = middle - high / 2
            layers += [
                boxes(f"link {name}", [name], 160, top, 400, high, f"{role} tint", who=link.name, says=told),
                texts(f"told {name}", [name], 360, top - 12, f"{link.name}: {told}", "ink", 14),
                texts(f"bar name {name}", [name], BAR - 10, y + 12, label, "ink end", 14),
                boxes(f"bar {name}", [name], BAR, y, length, 24, role, who=link.name, says=f"takes {si(seconds, 's')}"),
                texts(f"time {name}", [name], BAR + length + 8, y + 12, si(seconds, "s"), "ink bold start", 14),
            ]
        return layers

    def say(self, read):
        """Both times, and their ratio."""
        pcie, coherent = (si(seconds, "s") for seconds in read.seconds)
        return (
            f"{si(read.bytes_moved, 'B')} {SAYS[read.kind]}: {pcie} over PCIe 5.0, {coherent} over the coherent link, "
            f"{read.ratio:.1f} times faster."
        )
