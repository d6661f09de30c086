"""im2col: a window slides over an image, and every patch it sees is written down as a row.

    rows [outputs, channels x kernel^2] @ filter [channels x kernel^2] = outputs

A state is the moment in which the window lies on a patch; the row is written in the next one.
"""

from dataclasses import dataclass

import numpy as np

from accelerator_lib.inputs import table
from accelerator_lib.signature import Count, checked
from accelerator_lib.workload.conv import Conv


@dataclass(frozen=True, eq=False)
class Sliding:
    """The window lies on patch `number` of an image; the rows of the patches before are written."""

    conv: Conv
    number: int  # of the patches, as many as there are when all are written
    image: np.ndarray  # [channels, height, width]
    weights: np.ndarray  # [channels x kernel^2], of one filter
    rows: np.ndarray  # [patches, channels x kernel^2], those not yet written included
    copies: np.ndarray  # [height, width]: how often each pixel has been copied so far
    most: int  # copies of the pixel that is copied most, in the end
    outputs: np.ndarray  # [written]: rows @ weights

    @property
    def done(self):
        """Whether all patches are written."""
        return self.number == len(self.rows)

    @property
    def window(self):
        """Row and column of the image where the window begins, below zero in the padding; None when it is done."""
        if self.done:
            return None
        row, col = divmod(self.number, self.conv.out_width)
        return row * self.conv.stride - self.conv.padding, col * self.conv.stride - self.conv.padding

    @property
    def factor(self):
        """Numbers in the rows written so far, over those of the image."""
        return self.number * self.rows.shape[1] / self.image.size


@checked
def steps(image, filter, stride: Count() = 1, padding: Count(low=0) = 0):
    """Yield a Sliding for every patch and one when all are written: image [c, h, w], filter [c, kernel, kernel].

    Raises ValueError where the shapes do not belong together or the filter does not fit.
    """
    image, filter = table("image", image), table("filter", filter)
    if image.dtype.kind not in "iufb" or filter.dtype.kind not in "iufb":
        raise TypeError(f"image and filter must hold numbers, not {image.dtype} and {filter.dtype}")
    square = image.ndim == filter.ndim == 3 and filter.shape[1] == filter.shape[2]
    if not square or len(image) != len(filter):
        raise ValueError(
            f"an image [channels, h, w] needs a filter [channels, k, k]; got {image.shape} and {filter.shape}"
        )
    channels, kernel, _ = filter.shape
    conv = Conv(1, *image.shape[1:], channels, 1, kernel, stride, padding)
    return _slide(conv, image, filter)


def _slide(conv, image, filter):
    edge, reach = conv.padding, range(conv.kernel)
    padded = np.pad(image, ((0, 0), (edge, edge), (edge, edge)))
    inside = np.zeros(padded.shape[1:], int)
    corners = [(r * conv.stride, c * conv.stride) for r in range(conv.out_height) for c in range(conv.out_width)]
    rows = np.array([padded[:, r : r + len(reach), c : c + len(reach)].ravel() for r, c in corners])
    outputs, most = rows @ filter.ravel(), int(conv.pixel_copies().max())
    for number in range(len(rows) + 1):
        copies = inside[edge : edge + conv.height, edge : edge + conv.width].copy()
        yield Sliding(conv, number, image, filter.ravel(), rows, copies, most, outputs[:number])
        if number < len(rows):
            r, c = corners[number]
            inside[r : r + len(reach), c : c + len(reach)] += 1
