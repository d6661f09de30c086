"""Draws the picture on which 00_start_here opens: an array in the middle of a product, as chapter 6 steps through it."""

from itertools import islice
from pathlib import Path

import numpy as np
from PIL import ImageChops

from accelerator_course import views
from accelerator_course.frames.systolic import cycle_by_cycle
from accelerator_course.views.stage import raster

PICTURE = Path(__file__).resolve().parents[1] / "notebooks" / "images" / "start.png"
CYCLE, SCALE, ARRAY = 9, 1.5, (0, 30, 428, 320)  # of the picture, the part that holds the array


def main():
    numbers = np.random.default_rng(1)
    a, b = numbers.integers(1, 5, (5, 12)), numbers.integers(1, 5, (12, 8))
    watched = next(islice(cycle_by_cycle(a, b, 5, 8), CYCLE, None))
    picture = raster.image(views.systolic.Wavefront(), watched, SCALE, lines=0)
    picture = picture.crop([round(SCALE * side) for side in ARRAY])
    picture.crop(ImageChops.invert(picture).getbbox()).quantize(64).save(PICTURE, optimize=True)


if __name__ == "__main__":
    main()
