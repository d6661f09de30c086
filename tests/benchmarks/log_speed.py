"""Seconds of processor time and megabytes of memory that the first read of a long log takes, by what it holds.

.venv/bin/python tests/benchmarks/log_speed.py [megabytes, 100]
"""

import os
import random
import resource
import sys
import tempfile
import time
from pathlib import Path

from accelerator_course.quiz import progress, tail

TEXT = 'for tile in range(0, n, 32):\n    shared[thread] = a[tile + thread]  # "coalesced"\n    barrier()\n' * 20
KINDS = {  # (kind, share of the records) of each log
    "answers, each its first": {"answer": 1},
    "moves of sliders": {"explore": 1},
    "texts kept in every pause": {"draft": 3, "explain": 2, "exercise": 1, "rung": 1},
    "a bit of all": {"answer": 30, "explore": 60, "draft": 4, "explain": 2, "exercise": 1, "rung": 1, "kept": 5},
}


def event(kind, draw):
    """A record as the course writes it."""
    n, right = draw.randrange(40), draw.random() < 0.6
    text = TEXT[: draw.randrange(200, len(TEXT))]
    answer = {"chapter": "roofline", "item": f"item-{n}", "try": 1, "right": right, "points": float(right)}
    return {
        "answer": answer | {"misconception": None, "tags": [f"M{1 + n % 30}"]},
        "explore": {"panel": f"panel-{n}"},
        "draft": {"id": f"rung-{n % 12}", "source": text},
        "explain": {"chapter": f"chapter-{n % 14}", "text": text},
        "exercise": {"id": f"03.{n % 9}", "right": right, "source": text},
        "rung": {"id": f"rung-{n % 12}", "right": right, "source": text, "score": 100.0 + n, "star": n == 0},
        "kept": {"panel": f"panel-{n}", "names": ["edge", "arrays", "mix"], "values": [256, n, "even"]},
    }[kind]


def written(file, shares, size):
    """Fill a log with so many bytes."""
    draw, when = random.Random(1), 1.6e9
    with open(file, "wb") as log:
        log.write(tail.line(progress.FORMAT) + b"\n")
        while log.tell() < size:
            (kind,) = draw.choices([*shares], [*shares.values()])
            when = round(when + draw.uniform(0, 60), 3)
            log.write(b"\n%b\n" % tail.line({"time": when, "kind": kind, **event(kind, draw)}))


def main(megabytes=100):
    for name, shares in KINDS.items():
        with tempfile.TemporaryDirectory() as home:
            file = Path(home) / "answers.jsonl"
            written(file, shares, 1e6 * float(megabytes))
            if os.fork() == 0:  # the peak of memory is a process's own
                before, begun = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss, time.process_time()
                read = tail.of(file)
                took, most = time.process_time() - begun, resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before
                print(f"{name:<26} {took:6.2f} s {most / 1024:7.0f} MB {len(read.records):9,} records", flush=True)
                os._exit(0)
            os.wait()


if __name__ == "__main__":
    main(*sys.argv[1:])
