"""Two runs side by side: what they compute, what they take."""

from accelerator_course.views.stage import Stage, boxes, texts
from accelerator_lib.units import percent, si

LEFT, LONG, HIGH = 214, 390, 40
ROWS = {"macs": (76, 122), "seconds": (242, 288)}
HEADS = {"macs": "multiply-adds of one image", "seconds": "time of one image"}
ROLES = {"macs": "compute", "seconds": "memory"}


class Twins(Stage):
    """Twins: two runs with nearly the same multiply-adds, and how long each takes.

    >>> view = Twins()
    >>> view.show(codesign.twins())
    >>> view.show(codesign.twins("two small ones"))
    >>> view.show(codesign.twins("one network, two machines"))
    """

    size, noun = (720, 350), "pair"
    blind = False  # whether a guess comes first: the work, and no time

    def marks(self, pair):
        """`pair`: codesign.mobile.Twins."""
        found = []
        same = pair.names[0] == pair.names[1]
        for group, unit in (("macs", "MAC"), ("seconds", "s")):
            values, tops = getattr(pair, group), ROWS[group]
            found.append(texts(f"{group} head", ["head"], LEFT, tops[0] - 20, HEADS[group], "ink bold start", 15))
            for place, (value, y) in enumerate(zip(values, tops, strict=True)):
                words = f"{value / 1e6:,.0f} million" if unit == "MAC" else si(value, unit)
                wide, role = LONG * value / max(values), ROLES[group] + ("" if place else " tint")
                who = _short(pair.devices[place] if same else pair.names[place])
                found.append(texts(f"{group} name {place}", ["name"], LEFT - 12, y + HIGH / 2, who, "ink end", 13))
                if self.blind and group == "seconds":
                    continue
                found += [
                    boxes(f"{group} bar {place}", ["bar"], LEFT, y, wide, HIGH - 6, role, who=who, says=words),
                    texts(
                        f"{group} number {place}",
                        ["words"],
                        LEFT + wide + 8,
                        y + HIGH / 2 - 3,
                        words,
                        "ink bold start",
                        14,
                    ),
                ]
        return found

    def say(self, pair):
        """How far apart they are."""
        if pair.names[0] == pair.names[1]:
            one, other = (f"{si(t, 's')} on {d}" for t, d in zip(pair.seconds, pair.devices, strict=True))
            times = max(pair.seconds) / min(pair.seconds)
            return f"{pair.names[0]}, the same work: {one}, {other}: {times:.1f} times as long."
        told = " and ".join(f"{name} {si(t, 's')}" for name, t in zip(pair.names, pair.seconds, strict=True))
        return (
            f"On one {pair.devices[0]}: {told}. Their multiply-adds differ by {percent(pair.more_work)}, "
            f"their times by {percent(pair.longer)}."
        )


def _short(name):
    """A name that fits beside a bar."""
    return name if len(name) <= 28 else name[:27] + "…"
