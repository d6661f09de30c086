"""Painted: pixels on axes, put there one by one. An image of matplotlib is resampled at every drawing, for 25 ms."""

from functools import cache

import numpy as np
from matplotlib.artist import Artist
from matplotlib.font_manager import FontProperties, findfont

from accelerator_course.views import style


class Painted(Artist):
    """A picture that fills given axes, whose place in the figure is fixed by now (style.settle); it moves."""

    def __init__(self, ax):
        super().__init__()
        self.pixels = None
        style.moving(ax.add_artist(self))

    @property
    def size(self):
        """Pixels across and down."""
        box = self.axes.get_window_extent()
        return round(box.width), round(box.height)

    def paint(self, image):
        """`image`: of PIL, of this size or smaller; a pixel becomes a rectangle."""
        if image.size != self.size:
            image = image.resize(self.size, 0)  # each pixel takes the nearest colour
        self.pixels = np.asarray(image.convert("RGBA"))[::-1]

    def draw(self, renderer):
        """Called by matplotlib."""
        if self.pixels is not None and self.get_visible():
            box, context = self.axes.get_window_extent(renderer), renderer.new_gc()
            renderer.draw_image(context, round(box.x0), round(box.y0), self.pixels)
            context.restore()


def cells(colours, size):
    """An image of PIL, of so many pixels, of [rows, columns, 3] bytes: one rectangle for each."""
    from PIL import Image

    return Image.fromarray(np.ascontiguousarray(colours)).resize(size, 0)


@cache
def font(points, bold=False, dpi=style.DPI):
    """The font of all pictures, for drawing with PIL: a number costs a tenth of what a text artist does."""
    from PIL import ImageFont

    found = findfont(FontProperties(family="DejaVu Sans", weight="bold" if bold else "normal"))
    return ImageFont.truetype(found, round(points * dpi / 72))
