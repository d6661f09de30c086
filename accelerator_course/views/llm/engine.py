"""Inside the engine: the blocks of the cache and their owners, the slots, the queue."""

import numpy as np

from accelerator_course.views.stage import boxes, texts
from accelerator_lib.units import counted

BOARDS = (8, 54), (16, 27)  # blocks in a row of the board, and pixels from one to the next: for up to 16, for more
CHIPS, CHIP = 486, 32  # slots and queue: left edge, pixels from one to the next
LOOKS = {
    "reads": "compute",
    "rereads": "compute",
    "writes": "memory",
    "lost": "bad tint",
    "stalls": "muted tint dashed",
}


def name(i):
    """The letter of a request."""
    return "ABCDEFGHIJKLMNOPQRSTUVWXYZ"[i % 26]


def board(watched, top):
    """The blocks of the cache: whose they are, and how full."""
    now = watched.now
    places, (across, pitch) = np.arange(now.blocks), BOARDS[now.blocks > 16]
    edge = pitch - 4
    x, y = 14 + pitch * (places % across), top + 22 + pitch * (places // across)
    owned = [(page, i, min(now.block, max(0, now.cached[i] - j * now.block)))
             for i, pages in now.held for j, page in enumerate(pages)]  # fmt: skip
    says = ["free"] * now.blocks
    for page, i, tokens in owned:
        says[page] = f"holds {tokens} of {counted(now.block, 'token')}, of request {name(i)}"
    pages = np.array([page for page, _, _ in owned], int)
    full = np.array([tokens / now.block for *_, tokens in owned])
    names = [name(i) for _, i, _ in owned]
    title = f"cache: {now.blocks} blocks of {counted(now.block, 'token')}, {now.free} free"
    high = (edge - 2) * full
    large = pages if across == 8 else pages[:0]
    shares = [f"{tokens}/{now.block}" for *_, tokens in owned][: len(large)]
    return [
        texts("board-title", [0], 14, top + 6, [title], "ink bold start", 14),
        boxes("fill", pages, x[pages] + 1, y[pages] + edge - 1 - high, edge - 2, high, "memory soft"),
        boxes("blocks", places, x, y, edge, edge, "muted line", "", 13, _blocks(now.blocks), says),
        texts(
            "owners",
            pages,
            x[pages] + edge / 2,
            y[pages] + edge * (0.36 if across == 8 else 0.5),
            names,
            "ink bold",
            15,
        ),
        texts("shares", large, x[large] + edge / 2, y[large] + edge * 0.74, shares, "ink", 12),
    ]


def _blocks(count):
    return tuple(f"block {n + 1}" for n in range(count))


def chips(watched, top):
    """Who runs, in slots; who waits, in order."""
    now = watched.now
    slots = np.arange(now.slots)
    running, waiting = [i for i, _ in now.held], list(now.waiting)
    spots = {i: (CHIPS + CHIP * place, top + 22) for place, i in enumerate(running)}
    spots |= {i: (CHIPS + CHIP * (place % 8), top + 84) for place, i in enumerate(waiting)}
    did, shown = watched.past[-1][1], [*running, *waiting]
    roles = [LOOKS.get(did[i].rstrip("+"), "muted tint") if i in running else "muted tint" for i in shown]
    x, y = ([spots[i][axis] for i in shown] for axis in (0, 1))
    return [
        texts("slots-title", range(2), CHIPS, [top + 6, top + 68], ["slots", "queue" if waiting else "queue: empty"],
              "ink bold start", 14),
        boxes("slots", slots, CHIPS + CHIP * slots, top + 22, CHIP - 4, CHIP - 4, "ink line"),
        boxes("chips", shown, np.add(x, 3), np.add(y, 3), CHIP - 10, CHIP - 10, roles, [name(i) for i in shown], 14,
              [f"request {name(i)}" for i in shown]),
    ]  # fmt: skip
