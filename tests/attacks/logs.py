"""Hostile logs: what an edited file, a broken disk or a stranger's “progress” may hold.

    python tests/attacks/logs.py      restore each into a fresh folder, build every panel that reads the log, and time it

`hostile()` yields (name, text, how many records must be left out). Each text begins like a saved progress and ends with
one good record, which must survive its neighbours.
"""

import json
import os
import sys
import tempfile
import time
from pathlib import Path

from accelerator_course.quiz import progress
from accelerator_lib import data

LONG = "x" * 1_100_000
HALF = "\ud83d"  # half of a surrogate pair
HUGE = 10**400


def _whole(value):
    """What stands in logs.yaml, with its long and odd values."""
    if isinstance(value, str):
        return HUGE if value == "HUGE" else value.replace("LONG", LONG).replace("HALF", HALF)
    if isinstance(value, dict):
        return {name: _whole(each) for name, each in value.items()}
    return [_whole(each) for each in value] if isinstance(value, list) else value


TABLE = _whole(data.parse(Path(__file__).with_suffix(".yaml")))
KINDS, GOOD = TABLE["good"], TABLE["good"]["quiz"]


def _changed(rows):
    for name, (kind, *changes) in rows.items():
        yield name, [KINDS[kind] | change for change in changes]


def _odd():
    """(name, records that must be left out): one field of a kind that holds what it never should."""
    yield from _changed(TABLE["odd"])
    for kind in KINDS:
        yield f"the time of {kind} in words", [{"kind": kind, "time": "now"}]
    yield "ten thousand tags", [KINDS["answer"] | {"tags": ["M1"] * 10_000}]
    yield "ten thousand values", [KINDS["kept"] | {"values": [256] * 10_000}]


def _allowed():
    """(name, records that are well formed, and yet no learner ever made them)."""
    yield from _changed(TABLE["allowed"])
    answer, rung, tags = KINDS["answer"] | {"chapter": "nowhere"}, KINDS["rung"], ["M1"] * 1000
    yield "ten thousand checkpoints", [GOOD | {"chapter": f"checkpoint-{n}"} for n in range(1, 10_001)]
    yield "tags without an end of them", [answer | {"time": t, "tags": tags} for t in range(20)]
    yield "fields that are missing", [{"kind": kind} for kind in KINDS]
    yield "a rung without a score", [rung | {"score": None}, {"kind": "rung", "right": True, "star": True}]
    yield "a kernel that is no kernel", [rung | {"source": odd} for odd in ("\0\u202e" + "(" * 5000, "x" * 900_000)]
    yield "a thousand scores", [rung | {"score": 1e30 - n, "source": f"x = {n}"} for n in range(1, 2001, 2)]
    yield "drafts of nothing", [{"kind": "draft", **more} for more in ({"id": "map", "source": ""}, {"id": "map"})]
    yield "drafts of no rung", [{"kind": "draft", "source": "x = 1"}]
    yield "panels that were never built", [{"kind": "explore", "panel": f"p{n}"} for n in range(1, 10_001)]


def _broken():
    """(name, lines that are no record at all)."""
    yield "a bracket a hundred thousand times", "[" * 100_000
    yield "tables a hundred thousand deep", '{"a":' * 100_000
    yield "a megabyte without an end", LONG
    yield "zeros", "\0" * 10_000
    yield "a number of a million digits", '{"kind": "quiz", "points": ' + "9" * 1_000_000 + "}"
    yield "a key twice", '{"kind": "quiz", "kind": "explore", "panel": "a"}'
    yield "separators of other lands", "\u2028\u2029\x85\x0b\x0c"
    yield "a byte order mark in the middle", "\ufeff{}"


def hostile():
    """(name, text of a log, how many of its records must be left out)."""
    for name, records in _odd():
        yield name, _text(*map(json.dumps, records)), len(records)
    for name, records in _allowed():
        yield name, _text(*map(json.dumps, records)), 0
    for name, line in _broken():
        yield name, _text(line), 0


def _text(*lines):
    return "\n".join([json.dumps(progress.FORMAT), *lines, json.dumps(GOOD)]) + "\n"


def panels():
    """{name: what builds and shows it} of everything that reads the log."""
    from accelerator_course import exercises, widgets
    from accelerator_course.exercises import rungs
    from accelerator_course.ladder import tokens
    from accelerator_course.widgets.progress import certificate

    return {
        "progress": lambda: widgets.progress()._repr_mimebundle_(),
        "quiz": lambda: widgets.quiz("roofline")._repr_mimebundle_(),
        "quick check": lambda: widgets.quick_check("ridge-point")._repr_mimebundle_(),
        "warm-up": lambda: widgets.warm_up("design")._repr_mimebundle_(),
        "checkpoint": lambda: widgets.checkpoint(3)._repr_mimebundle_(),
        "final": lambda: widgets.checkpoint(13)._repr_mimebundle_(),
        "bar": lambda: widgets.chapter_bar("design")._repr_mimebundle_(),
        "explain": lambda: widgets.explain("roofline")._repr_mimebundle_(),
        "exercise": lambda: exercises.last("03.1"),
        "kernels": lambda: [read("map") for read in (rungs.last, rungs.tried)],
        "best kernels": lambda: [rungs.best(), rungs.stars(), tokens.read_token(rungs.token())],
        "bench": lambda: widgets.kernel("map")._repr_mimebundle_(),
        "decision": lambda: widgets.decision("roofline")._repr_mimebundle_(),
        "workshop": _capstone(),
        "certificate": certificate,
    }


def _capstone():
    """What builds the workshop of the last chapter, from the cells of its notebook."""
    from accelerator_course import league, views, widgets
    from accelerator_lib import design

    cells = json.loads((Path(__file__).parents[2] / "notebooks" / "13b_capstone.ipynb").read_text(encoding="utf-8"))[
        "cells"
    ]
    sources = {cell["id"]: "".join(cell["source"]) for cell in cells}
    known = {**vars(widgets), "design": design, "league": league, "views": views}
    exec(sources["capstone-function"], known)
    return lambda: exec(sources["capstone"], known)


def main():
    built, tried, failed = panels(), 0, 0
    for name, text, odd in hostile():
        with tempfile.TemporaryDirectory() as home:
            os.environ[progress.HOME] = home
            begun, said = time.perf_counter(), []
            _, left_out = progress.restore(text)
            if left_out != odd:
                said.append(f"{left_out} records were left out, not {odd}")
            for panel, build in built.items():
                tried += 1
                try:
                    build()
                except Exception as error:
                    said.append(f"{panel}: {type(error).__name__}: {str(error)[:80]}")
            failed += len(said)
            print(f"{time.perf_counter() - begun:6.2f} s  {name}{''.join(f'; {line}' for line in said)}")
    print(f"{tried} panels built, {failed} failures")
    return min(failed, 1)


if __name__ == "__main__":
    sys.exit(main())
