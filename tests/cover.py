"""Draws the picture on which 00_start_here opens: an array in the middle of a product, as chapter 6 steps through it."""

import io
from pathlib import Path

import numpy as np
from PIL import Image, ImageChops

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
    drawn = io.BytesIO()
    view.figure.savefig(drawn, dpi=150)
    picture = Image.open(drawn).convert("RGB")
    picture.crop(ImageChops.invert(picture).getbbox()).save(PICTURE, optimize=True)


if __name__ == "__main__":
    main()
