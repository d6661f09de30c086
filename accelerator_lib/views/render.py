"""Figure -> PNG bytes, fast enough for a slider: the background is kept, only moving artists are drawn again.

Artists marked `animated` move. When anything else has changed, matplotlib marks the figure stale, and the
background is drawn afresh: nothing has to be invalidated by hand.
"""

import io
import weakref
from collections import OrderedDict

import numpy as np

AWAKE = 3  # renderers that keep their pixels: a chapter has a dozen panels, and a reader moves one at a time
_awake = OrderedDict()


class Renderer:
    """Draws one figure again and again; the layout is computed once and then frozen.

    The pixels of a figure and of its background take 6 MB; only the renderers used last keep theirs.
    """

    def __init__(self, figure):
        self.figure = figure
        self._background = None
        figure.draw_without_rendering()
        figure.set_layout_engine("none")

    def png(self):
        """The figure as it is now, as PNG bytes."""
        out = io.BytesIO()
        self.image().save(out, "png", compress_level=1)
        return out.getvalue()

    def image(self):
        """The figure as it is now, as an RGB image of PIL."""
        from PIL import Image

        self._wake()
        canvas = self.figure.canvas
        if self._background is None or self.figure.stale:
            canvas.draw()
            self._background = canvas.copy_from_bbox(self.figure.bbox)
        else:
            canvas.restore_region(self._background)
        for artist in sorted(self._moving(), key=lambda artist: artist.get_zorder()):
            if artist.get_visible():
                (artist.axes or self.figure).draw_artist(artist)
        return Image.fromarray(np.asarray(canvas.buffer_rgba())[..., :3])

    def _wake(self):
        """Note that this one is in use; the one longest unused lets go of its pixels."""
        _awake[id(self)] = weakref.ref(self)
        _awake.move_to_end(id(self))
        while len(_awake) > AWAKE:
            _, reference = _awake.popitem(last=False)
            sleeper = reference()
            if sleeper is not None:
                sleeper._background = None
                type(sleeper.figure.canvas)(sleeper.figure)  # a new canvas has no buffer yet

    def _moving(self):
        return [artist for ax in self.figure.axes for artist in ax.get_children() if artist.get_animated()]
