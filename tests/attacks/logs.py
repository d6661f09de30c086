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
from itertools import count
from pathlib import Path

from accelerator_course.quiz import progress

GOOD = {"kind": "quiz", "time": 1.7e9, "chapter": "roofline", "points": 4, "of": 5, "passed": True, "seed": "good"}
LONG = "x" * 1_100_000
HALF = "\ud83d"  # half of a surrogate pair
KINDS = ("explore", "predict", "exercise", "answer", "quiz", "vote", "explain", "kept", "rung", "draft", "decide")


def _odd():
    """(name, records that must be left out): one field of a kind that holds what it never should."""
    nan, huge, deep = float("nan"), 10**400, [[[["a"]]]]
    yield "a panel that is a list", [{"kind": "explore", "panel": ["a"]}]
    yield "a panel that is a table", [{"kind": "explore", "panel": {"a": 1}}]
    yield "a panel of a megabyte", [{"kind": "explore", "panel": LONG}]
    yield "a panel with half a letter", [{"kind": "explore", "panel": HALF}]
    yield "a kind that is a list", [{"kind": ["explore"], "panel": "a"}]
    yield "a kind that is nothing", [{"kind": None, "panel": "a"}]
    yield "points that are no number", [{**GOOD, "points": nan}]
    yield "points without end", [{**GOOD, "points": float("inf")}]
    yield "points of 400 digits", [{**GOOD, "points": huge}]
    yield "points in words", [{**GOOD, "points": "many"}]
    yield "points below nothing", [{**GOOD, "points": -1}]
    yield "points that are a truth", [{**GOOD, "points": True}]
    yield "a quiz of no questions", [{**GOOD, "of": 0}]
    yield "a quiz of 400 digits", [{**GOOD, "of": huge}]
    yield "a quiz of half a question", [{**GOOD, "of": 0.5}]
    yield "passed in words", [{**GOOD, "passed": "yes"}]
    yield "a chapter that is a number", [{**GOOD, "chapter": 7}]
    yield "a chapter that is a list", [{**GOOD, "chapter": ["checkpoint-3"]}]
    yield "a chapter of a megabyte", [{**GOOD, "chapter": f"checkpoint-{LONG}"}]
    yield "a checkpoint with half a letter", [{**GOOD, "chapter": f"checkpoint-{HALF}"}]
    yield "a seed that is a list", [{**GOOD, "seed": ["a"]}]
    yield "a seed with half a letter", [{**GOOD, "seed": HALF}]
    yield "a seed of a megabyte", [{**GOOD, "seed": LONG}]
    for kind in KINDS:
        yield f"the time of {kind} in words", [{"kind": kind, "time": "now"}]
    yield "a time of 400 digits", [{**GOOD, "time": huge}]
    yield "a time that is no number", [{**GOOD, "time": nan}]
    yield "a time before 1970", [{**GOOD, "time": -1e9}]
    yield "a time that is a list", [{**GOOD, "time": [1]}]
    answer = {"kind": "answer", "chapter": "roofline", "item": "i", "try": 1, "right": False, "tags": ["M1"]}
    yield "tags in one word", [{**answer, "tags": "M1"}]
    yield "tags that are numbers", [{**answer, "tags": [1, 2]}]
    yield (
        "tags with signs",
        [{**answer, "tags": ["M\u00b2"]}, {**answer, "tags": ["M1$\\bad{$"]}, {**answer, "tags": [""]}],
    )
    yield "ten thousand tags", [{**answer, "tags": ["M1"] * 10_000}]
    yield "tags in tags", [{**answer, "tags": deep}]
    yield "a try that is a truth", [{**answer, "try": True}]
    yield "a try of 400 digits", [{**answer, "try": huge}]
    yield "right as a number", [{**answer, "right": 1}]
    yield "a misconception that is a list", [{**answer, "misconception": ["M1"]}]
    yield "points of an answer above all", [{**answer, "points": 1.5}]
    yield "an exercise that is a list", [{"kind": "exercise", "id": ["03.1"], "right": True}]
    yield "an exercise right in words", [{"kind": "exercise", "id": "03.1", "right": "yes"}]
    yield "the source of an exercise as a list", [{"kind": "exercise", "id": "03.1", "right": True, "source": ["a"]}]
    yield "a source of a megabyte", [{"kind": "exercise", "id": "03.1", "right": False, "source": LONG}]
    yield "a guess that is no number", [{"kind": "predict", "chapter": "llm", "id": "a", "guess": nan, "right": False}]
    yield "a guess that is a list", [{"kind": "predict", "chapter": "llm", "id": "a", "guess": [1], "right": False}]
    yield "a prediction's id that is a list", [{"kind": "predict", "chapter": "llm", "id": ["a"], "right": True}]
    yield "an explanation that is a list", [{"kind": "explain", "chapter": "roofline", "text": ["a"]}]
    yield "an explanation with half a letter", [{"kind": "explain", "chapter": "roofline", "text": HALF}]
    yield "an explanation of a megabyte", [{"kind": "explain", "chapter": "roofline", "text": LONG}]
    yield "hands that are no share", [{"kind": "vote", "chapter": "llm", "item": "i", "right": [7, nan]}]
    rung = {"kind": "rung", "id": "map", "right": True, "source": "x = 1", "score": 1.0, "star": True}
    yield "a rung that is a list", [{**rung, "id": ["map"]}, {**rung, "id": {"map": 1}}, {**rung, "id": None}]
    yield "a rung of a megabyte", [{**rung, "id": LONG}, {**rung, "source": LONG}]
    yield "a rung right in words", [{**rung, "right": "yes"}, {**rung, "star": 1}]
    yield "a score that is no number", [{**rung, "score": nan}, {**rung, "score": "1"}, {**rung, "score": [1]}]
    yield "a score of 400 digits", [{**rung, "score": huge}, {**rung, "score": -1.0}, {**rung, "score": True}]
    yield "a kernel that is a list", [{**rung, "source": ["x = 1"]}, {**rung, "source": HALF}]
    draft = {"kind": "draft", "id": "map", "source": "x = 1"}
    yield "a draft that is a list", [{**draft, "id": ["map"]}, {**draft, "source": ["x = 1"]}]
    yield "a draft of a megabyte", [{**draft, "id": LONG}, {**draft, "source": LONG}]
    yield "a draft with half a letter", [{**draft, "id": HALF}, {**draft, "source": HALF}, {**draft, "source": None}]
    decide = {"kind": "decide", "chapter": "roofline", "guess": 1.0, "low": 0.5, "high": 2.0}
    yield (
        "a decision without end",
        [{**decide, "guess": float("inf")}, {**decide, "low": nan}, {**decide, "high": huge}],
    )
    yield (
        "a decision in words",
        [{**decide, "guess": "1"}, {**decide, "low": True}, {**decide, "chapter": ["roofline"]}],
    )
    kept = {"kind": "kept", "panel": "capstone", "names": ["edge"], "values": [256]}
    yield "a workshop's panel as a list", [{**kept, "panel": ["capstone"]}]
    yield "a workshop's names as a word", [{**kept, "names": "edge"}]
    yield "a workshop's names as numbers", [{**kept, "names": [1]}]
    yield "a workshop's values as a table", [{**kept, "values": {"edge": 256}}]
    yield "a workshop's values without end", [{**kept, "values": [float("inf")]}]
    yield "a workshop's values of 400 digits", [{**kept, "values": [huge]}]
    yield "a workshop's values in lists", [{**kept, "values": deep}]
    yield "ten thousand values", [{**kept, "values": [256] * 10_000}]


def _allowed():
    """(name, records that are well formed, and yet no learner ever made them)."""
    quiz, n = {**GOOD, "chapter": "checkpoint-3"}, count(1)
    yield "a checkpoint that is no formula", [{**quiz, "chapter": "checkpoint-$\\bad{$"}]
    yield "a checkpoint of 200 letters", [{**quiz, "chapter": "checkpoint-" + "x" * 180}]
    yield "a checkpoint with control signs", [{**quiz, "chapter": "checkpoint-\0\x1b[2J\n\u202e"}]
    yield "a seed that is no formula", [{**quiz, "seed": "$\\bad{$"}, {**quiz, "seed": "\0\n\t\u4f60"}]
    yield "a seed of nothing and a number", [{**quiz, "seed": ""}, {**quiz, "seed": 10**400}]
    yield "more points than there are", [{**quiz, "points": 1000, "of": 1}]
    yield "ten thousand checkpoints", [{**quiz, "chapter": f"checkpoint-{next(n)}"} for _ in range(10_000)]
    answer = {"kind": "answer", "chapter": "nowhere", "item": "i", "try": 1, "right": False}
    yield "beliefs that nobody has", [{**answer, "tags": ["M0"], "misconception": "M0"}, {**answer, "tags": ["M9999"]}]
    yield "tags without an end of them", [{**answer, "time": t, "tags": ["M1"] * 1000} for t in range(20)]
    yield "times at both ends", [{**answer, "time": 0, "tags": ["M1"]}, {**answer, "time": 1e11, "tags": ["M1"]}]
    yield "fields that are missing", [{"kind": kind} for kind in KINDS]
    yield "a kind of tomorrow", [{"kind": "dream", "panel": ["a"], "time": "now", "chapter": ["checkpoint-3"]}]
    yield (
        "an exercise that runs",
        [{"kind": "exercise", "id": "03.1", "right": True, "source": "__import__('os').abort()"}],
    )
    yield (
        "an explanation with a script",
        [{"kind": "explain", "chapter": "roofline", "text": "</textarea><script>1</script>"}],
    )
    rung = {"kind": "rung", "id": "map", "right": True, "source": "x = 1", "score": 0.0, "star": True}
    yield "rungs that there are not", [{**rung, "id": "maps"}, {**rung, "id": ""}, {**rung, "id": "__class__"}]
    yield "a rung without a score", [{**rung, "score": None}, {"kind": "rung", "right": True, "star": True}]
    yield "a kernel that is no kernel", [{**rung, "source": "\0\u202e" + "(" * 5000}, {**rung, "source": "x" * 900_000}]
    yield "a thousand scores", [{**rung, "score": 1e30 - next(n), "source": f"x = {next(n)}"} for _ in range(1000)]
    draft = {"kind": "draft", "id": "map"}
    yield "drafts of nothing", [{**draft, "source": ""}, draft, {"kind": "draft", "source": "x = 1"}]
    yield "a draft of nowhere", [{**draft, "id": "nowhere", "source": "</textarea><script>1</script>"}]
    kept = {"kind": "kept", "panel": "capstone"}
    yield "a workshop with other controls", [{**kept, "names": ["nothing", "__class__"], "values": [1, "a"]}]
    yield "a workshop with too few values", [{**kept, "names": ["edge", "arrays", "mix"], "values": [256]}]
    yield "a workshop beyond its sliders", [{**kept, "names": ["edge", "arrays"], "values": [1e30, -1e30]}]
    yield "a workshop with words on sliders", [{**kept, "names": ["edge", "arrays", "mix"], "values": ["a", True, 7]}]
    yield "panels that were never built", [{"kind": "explore", "panel": f"p{next(n)}"} for _ in range(10_000)]


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
    from accelerator_course import exercises
    from accelerator_course.exercises import rungs
    from accelerator_course.ladder import tokens
    from accelerator_course.widgets import (
        chapter_bar,
        checkpoint,
        decision,
        explain,
        kernel,
        progress,
        quick_check,
        quiz,
        warm_up,
    )
    from accelerator_course.widgets.progress import certificate

    return {
        "progress": lambda: progress()._repr_mimebundle_(),
        "quiz": lambda: quiz("roofline")._repr_mimebundle_(),
        "quick check": lambda: quick_check("ridge-point")._repr_mimebundle_(),
        "warm-up": lambda: warm_up("design")._repr_mimebundle_(),
        "checkpoint": lambda: checkpoint(3)._repr_mimebundle_(),
        "final": lambda: checkpoint(13)._repr_mimebundle_(),
        "bar": lambda: chapter_bar("design")._repr_mimebundle_(),
        "explain": lambda: explain("roofline")._repr_mimebundle_(),
        "exercise": lambda: exercises.last("03.1"),
        "kernels": lambda: [read("map") for read in (rungs.last, rungs.tried)],
        "best kernels": lambda: [rungs.best(), rungs.stars(), tokens.read_token(rungs.token())],
        "bench": lambda: kernel("map")._repr_mimebundle_(),
        "decision": lambda: decision("roofline")._repr_mimebundle_(),
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
