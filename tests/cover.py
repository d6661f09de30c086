"""Draws the picture on which 00_start_here opens: an array in the middle of a product, as chapter 6 steps through it."""

from pathlib import Path

import numpy as np

from accelerator_lib import systolic, views

PICTURE = Path(__file__).resolve().parents[1] / "notebooks" / "images" / "start.png"


def main():
    numbers = np.random.default_rng(1)
    a, b = numbers.integers(1, 5, (4, 12)), numbers.integers(1, 5, (12, 8))
    view = views.systolic.Wavefront()
    view.show((systolic.record(a, b, 4, 8, "os"), 7))
    _, *others = view.figure.axes
    for ax in others:
        ax.remove()
    view.figure.savefig(PICTURE, dpi=150, bbox_inches="tight", pad_inches=0.1)


if __name__ == "__main__":
    main()
