"""A map of workloads: arithmetic across, bytes up, size for the number of operations; and who speaks for whom."""

from math import log10

from accelerator_course.views.stage import Stage, boxes, lines, texts
from accelerator_lib.units import si

LEFT, RIGHT, TOP, FLOOR = 70, 470, 30, 400
ACROSS, UP = (8.7, 14.0), (7.0, 11.4)  # powers of ten: FLOP, bytes
LIST = 500
KEY = "filled: chosen · larger: more operations · 1.0 away: a factor of ten in one number"


class Proxies(Stage):
    """Proxies: workloads on a map of FLOP and bytes; each is tied to the one that speaks for it.

    >>> view = Proxies()
    >>> view.show(codesign.proxies.choose())
    >>> view.show(codesign.proxies.choose(1))
    >>> view.show(codesign.proxies.choose(4, "FLOP alone"))
    """

    size, noun = (730, 460), "choice"

    def marks(self, found):
        """`found`: codesign.proxies.Choice."""
        n = range(len(found.cards))
        names = [card.name for card in found.cards]
        x, y = [_x(card.flops) for card in found.cards], [_y(card.bytes_moved) for card in found.cards]
        size = [14 + 9 * log10(card.operations) for card in found.cards]
        picked = [name in found.chosen for name in names]
        to = [names.index(found.nearest[name]) for name in names]
        letters = ["ABCDEFGHIJ"[i] for i in n]
        flops, moved = range(9, 14), range(8, 12)
        apart = found.apart
        return [
            lines(
                "across",
                flops,
                [_x(10.0**p) for p in flops],
                TOP,
                [_x(10.0**p) for p in flops],
                FLOOR,
                "muted faint",
                1,
            ),
            lines(
                "up", moved, LEFT, [_y(10.0**p) for p in moved], RIGHT, [_y(10.0**p) for p in moved], "muted faint", 1
            ),
            texts(
                "x ticks",
                flops,
                [_x(10.0**p) for p in flops],
                FLOOR + 16,
                [_unit(p, "FLOP") for p in flops],
                "muted",
                12,
            ),
            texts(
                "y ticks",
                moved,
                LEFT - 6,
                [_y(10.0**p) for p in moved],
                [_unit(p, "B") for p in moved],
                "muted end",
                12,
            ),
            lines("ties", n, x, y, [x[i] for i in to], [y[i] for i in to], "other", 2),
            boxes(
                "cards",
                n,
                [at - s / 2 for at, s in zip(x, size, strict=True)],
                [at - s / 2 for at, s in zip(y, size, strict=True)],
                size,
                size,
                ["compute round" if one else "muted tint round" for one in picked],
                letters,
                12,
                who=names,
                says=[_told(card) for card in found.cards],
            ),
            texts(
                "list",
                n,
                LIST,
                [TOP + 38 * i for i in n],
                [f"{a}  {name}" for a, name in zip(letters, names, strict=True)],
                ["compute bold start" if one else "ink start" for one in picked],
                13,
            ),
            texts(
                "who",
                n,
                LIST + 20,
                [TOP + 16 + 38 * i for i in n],
                [
                    "speaks for itself" if one else f"{letters[t]} speaks for it, {apart[name]:.1f} away"
                    for name, one, t in zip(names, picked, to, strict=True)
                ],
                "muted start",
                12,
            ),
            texts("key", ["key"], LEFT, 446, KEY, "muted start", 12),
        ]

    def say(self, found):
        """The chosen, and the one that is spoken for worst."""
        far = found.farthest
        return (
            f"By {found.by}, {len(found.chosen)} chosen: {'; '.join(found.chosen)}. Spoken for worst: {far}, "
            f"{found.apart[far]:.1f} away from {found.nearest[far]} on the whole map."
        )


def _told(card):
    return f"{si(card.flops, 'FLOP')}, {si(card.bytes_moved, 'B')}, {card.operations} operations"


def _x(flops):
    return LEFT + (RIGHT - LEFT) * (log10(flops) - ACROSS[0]) / (ACROSS[1] - ACROSS[0])


def _y(moved):
    return FLOOR - (FLOOR - TOP) * (log10(moved) - UP[0]) / (UP[1] - UP[0])


def _unit(power, unit):
    prefix = {8: "100 M", 9: "1 G", 10: "10 G", 11: "100 G", 12: "1 T", 13: "10 T"}[power]
    return f"{prefix}{unit}"
