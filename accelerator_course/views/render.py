"""Figure -> PNG bytes, fast enough for a slider: the background is kept, only moving artists are drawn again.

Artists marked `animated` move. When anything else has changed, matplotlib marks the figure stale, and the
background is drawn afresh: nothing has to be invalidated by hand.
"""

import struct
import weakref
import zlib
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
        return packed(self.image())

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
        return Image.frombuffer("RGBA", canvas.get_width_height(), canvas.buffer_rgba()).convert("RGB")

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


def packed(image):
    """An RGB image of PIL as PNG bytes, rows unfiltered: half the time that choosing a filter for each row takes."""
    wide, high = image.size
    rows = np.zeros((high, 1 + 3 * wide), np.uint8)
    rows[:, 1:] = np.frombuffer(image.tobytes(), np.uint8).reshape(high, -1)
    chunks = (
        (b"IHDR", struct.pack(">IIBBBBB", wide, high, 8, 2, 0, 0, 0)),
        (b"IDAT", zlib.compress(rows, 1)),
        (b"IEND", b""),
    )
    framed = (
        struct.pack(">I", len(body)) + name + body + struct.pack(">I", zlib.crc32(name + body)) for name, body in chunks
    )
    return b"\x89PNG\r\n\x1a\n" + b"".join(framed)
