"""Figure -> PNG bytes, fast enough for a slider: the background is kept, only moving artists are drawn again.

Artists marked `animated` move. When anything else has changed, matplotlib marks the figure stale, and the
background is drawn afresh: nothing has to be invalidated by hand.
"""

import io

import numpy as np


class Renderer:
    """Draws one figure again and again; the layout is computed once and then frozen."""

    def __init__(self, figure):
        self.figure = figure
        self._background = None
        figure.draw_without_rendering()
        figure.set_layout_engine("none")

    def png(self):
        """The figure as it is now, as PNG bytes."""
        from PIL import Image

        canvas = self.figure.canvas
        if self._background is None or self.figure.stale:
            canvas.draw()
            self._background = canvas.copy_from_bbox(self.figure.bbox)
        else:
            canvas.restore_region(self._background)
        for artist in sorted(self._moving(), key=lambda artist: artist.get_zorder()):
            if artist.get_visible():
                (artist.axes or self.figure).draw_artist(artist)
        out = io.BytesIO()
        Image.fromarray(np.asarray(canvas.buffer_rgba())[..., :3]).save(out, "png", compress_level=1)
        return out.getvalue()

    def _moving(self):
        return [artist for ax in self.figure.axes for artist in ax.get_children() if artist.get_animated()]
