"""Kernel time of every panel of every chapter: random settings of all its controls, milliseconds from set to picture.

PYTHONPATH=tests .venv/bin/python tests/benchmarks/panel_speed.py [roofline ...]
"""

import random
import sys
import time

import numpy as np
from played import TOPICS, Played, alone, choices

MOVES = 60


def main(topics):
    for topic in topics or TOPICS:
        for id, panel in sorted((id, one) for id, one in Played(topic).panels.items() if one.controls):
            with alone():
                times = [_one(panel, random.Random(n)) for n in range(MOVES)]
            median, high, most = (1e3 * np.quantile(times, q) for q in (0.5, 0.95, 1))
            print(f"{topic:<14} {id:<14} median {median:5.0f} ms   95 % {high:5.0f}   max {most:5.0f}")


def _one(panel, draw):
    values = {name: draw.choice(choices(control)) for name, control in panel.controls.items()}
    begin = time.perf_counter()
    panel.set(**values)
    return time.perf_counter() - begin


if __name__ == "__main__":
    main(sys.argv[1:])
