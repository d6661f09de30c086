"""Painted: pixels on axes, put there one by one. An image of matplotlib is resampled at every drawing, for 25 ms."""

import numpy as np
from matplotlib.artist import Artist

from accelerator_lib.views import style


class Painted(Artist):
    """A picture that fills given axes, whose place in the figure is fixed by now; it moves."""

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
        """`image`: of PIL, of any size; its pixels become squares."""
        if image.size != self.size:
            image = image.resize(self.size, image.Resampling.NEAREST if hasattr(image, "Resampling") else 0)
        self.pixels = np.asarray(image.convert("RGBA"))[::-1]

    def draw(self, renderer):
        """Called by matplotlib."""
        if self.pixels is not None and self.get_visible():
            box, context = self.axes.get_window_extent(renderer), renderer.new_gc()
            renderer.draw_image(context, round(box.x0), round(box.y0), self.pixels)
            context.restore()
