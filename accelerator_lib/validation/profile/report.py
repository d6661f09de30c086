"""How far off the laws of single kernels are, as  make calibrate  last found it: a line of a table for each law."""

from accelerator_lib import data

NAMES = {
    "product": "products",
    "prompt": "attention, prompts",
    "decode": "attention, one token",
    "exchange": "collectives",
}
HEADS = ("law", "rows", "ways", "constants", "median", "90 %", "held", "in each tenth by time", "on each device")
HEADS += ("device unseen", "family unseen", "framework unseen", "bounds beaten")


def judged(law):
    """{what was judged: numbers} of a law: product, prompt, decode or exchange."""
    return data.load("kernel_times")["laws"][law]["judged"]


def table():
    """Markdown: rows that fitted nothing, medians of |log(predicted / measured)|, shares of the intervals that held."""
    lines = [HEADS, ["---", *["---:"] * (len(HEADS) - 1)]]
    for law, name in NAMES.items():
        entry, found = data.load("kernel_times")["laws"][law], judged(law)
        rows, median, most = found["seen"]
        unseen = [found.get(f"without {what}") for what in ("device", "family", "framework")]
        cells = [
            name,
            f"{rows:,}",
            f"{len(entry['ways'])}",
            f"{len(entry['constants'])} each",
            f"{median:.1%}",
            f"{most:.1%}",
        ]
        cells += [f"{found['held']:.0%}", _range(found["held_by_decile"]), _range(found["held_by_device"].values())]
        cells += [f"{each[1]:.1%}" if each else "-" for each in unseen] + [str(found["beaten"])]
        lines.append(cells)
    return "\n".join(f"| {' | '.join(cells)} |" for cells in lines)


def _range(shares):
    return f"{min(shares):.0%} to {max(shares):.0%}"
