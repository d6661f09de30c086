"""Causes: made-up measurements, each printed in one of six ways, and what judges who finds out which."""

from accelerator_course.exercises.cases import Wrong, case, shown
from accelerator_lib.units import counted, si

WORDS = ("fine", "GiB", "both ways", "mask", "one", "all chips")
ROWS = (  # way, what it is, chips, predicted, what was really measured (off by the model's own error)
    ("fine", "product", 1, 600e12, 571e12),
    ("one", "product", 1, 600e12, 640e12),
    ("one", "product", 1, 100e12, 136e12),
    ("mask", "attention", 1, 350e12, 331e12),
    ("fine", "attention", 1, 350e12, 300e12),
    ("one", "attention", 1, 350e12, 372e12),
    ("GiB", "stream", 1, 1800e9, 1812e9),
    ("fine", "stream", 1, 1800e9, 1829e9),
    ("fine", "link", 1, 380e9, 371e9),
    ("both ways", "link", 1, 380e9, 402e9),
    ("GiB", "link", 1, 55e9, 54.6e9),
    ("all chips", "product", 8, 600e12, 545e12),
    ("all chips", "product", 2, 600e12, 560e12),
    ("all chips", "link", 4, 380e9, 350e9),
    ("both ways", "link", 1, 380e9, 300e9),
    ("mask", "attention", 1, 350e12, 280e12),
    ("both ways", "link", 4, 380e9, 420e9),
    ("fine", "stream", 8, 3000e9, 3100e9),
)
PRINTED = {"fine": 1, "GiB": 1e9 / 2**30, "both ways": 2, "mask": 2, "one": 0.5}  # of what was really measured


def rows():
    """Yield (way, row) of every made-up measurement; the figure in the row is printed in that way."""
    for way, what, chips, predicted, real in ROWS:
        printed = real * PRINTED.get(way, chips)
        yield way, {"what": what, "chips": chips, "predicted": predicted, "printed": printed}


def check_causes(function):
    for way, row in rows():
        unit = "FLOP/s" if row["what"] in ("product", "attention") else "B/s"
        figures = f"{si(row['predicted'], unit, 4)} predicted, {si(row['printed'], unit, 4)} printed"
        where = f"{row['what']}, {counted(row['chips'], 'chip')}: {figures}"

        def judge(got, way=way, where=where):
            if not isinstance(got, str) or got not in WORDS:
                raise Wrong(f"For {where}, return one of {', '.join(WORDS)}; you returned {shown(got)}.")
            if got != way:
                raise Wrong(f"For {where}, you found {got!r}; it was {way!r}.")

        yield case(where, shown(way), lambda row=row: function(dict(row)), judge)
    return f"right for {len(ROWS)} rows: what cannot apply is not tried, and what is nearest by a factor is the cause."
