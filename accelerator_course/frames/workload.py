"""Frames of chapter 1: im2col, a window that slides over an image; every patch it sees is written down as a row.

    rows [outputs, channels x kernel^2] @ filter [channels x kernel^2] = outputs

A state is the moment in which the window lies on a patch; the row is written in the next one.
"""

from dataclasses import dataclass

import numpy as np

from accelerator_lib.checks.inputs import affordable, table
from accelerator_lib.checks.signature import Count, checked
from accelerator_lib.workload.conv import Conv
from accelerator_lib.workload.sums import finite, held

MOST_KEPT = 2 * 10**7  # numbers of all states
STATE = 64  # numbers that would take as much room as an empty one


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
    outputs: np.ndarray  # [written]: rows @ weights, in the format of `sums.accumulator`

    done = property(lambda self: self.number == len(self.rows))  # whether all patches are written

    @property
    def window(self):
        """Row and column of the image where the window begins, below zero in the padding; None when it is done."""
        if self.done:
            return None
        row, col = divmod(self.number, self.conv.out_width)
        return row * self.conv.stride - self.conv.padding, col * self.conv.stride - self.conv.padding

    # numbers in the rows written so far, over those of the image
    factor = property(lambda self: self.number * self.rows.shape[1] / self.image.size)


@checked
def im2col(image, filter, stride: Count() = 1, padding: Count(low=0) = 0):
    """Yield a Sliding for every patch and one when all are written: image [c, h, w], filter [c, kernel, kernel].

    Raises ValueError where the shapes do not belong together, the filter does not fit, or a sum has no format.
    """
    image, filter = table("image", image), table("filter", filter)
    if image.dtype.kind not in "iufb" or filter.dtype.kind not in "iufb":
        raise TypeError(f"image and filter must hold numbers, not {image.dtype} and {filter.dtype}")
    square = image.ndim == filter.ndim == 3 and filter.shape[1] == filter.shape[2]
    if not square or len(image) != len(filter):
        given = f"{image.shape} and {filter.shape}"
        raise ValueError(f"an image [channels, h, w] needs a filter [channels, k, k]; got {given}")
    channels, kernel, _ = filter.shape
    conv = Conv(1, *image.shape[1:], channels, 1, kernel, stride, padding)
    edges = channels * (conv.height + 2 * padding) * (conv.width + 2 * padding)
    size = conv.gemm.m * (conv.gemm.k + conv.height * conv.width + STATE) + edges
    affordable("numbers of all patches and states", size, MOST_KEPT, "padding, the image or the filter")
    image, filter = _numbers("image", image), _numbers("filter", filter)
    return _slide(conv, image, filter, held(filter.reshape(1, -1), image.reshape(-1, 1)))


def _numbers(name, array):
    """Finite; True and False count as 1 and 0."""
    return finite(name, array.astype(np.uint8) if array.dtype.kind == "b" else array)


def _slide(conv, image, filter, wide):
    edge, reach = conv.padding, range(conv.kernel)
    padded = np.pad(image, ((0, 0), (edge, edge), (edge, edge)))
    inside = np.zeros(padded.shape[1:], int)
    corners = [(r * conv.stride, c * conv.stride) for r in range(conv.out_height) for c in range(conv.out_width)]
    rows = np.array([padded[:, r : r + len(reach), c : c + len(reach)].ravel() for r, c in corners])
    outputs, most = rows.astype(wide, copy=False) @ filter.ravel().astype(wide), int(conv.pixel_copies().max())
    for number in range(len(rows) + 1):
        copies = inside[edge : edge + conv.height, edge : edge + conv.width].copy()
        yield Sliding(conv, number, image, filter.ravel(), rows, copies, most, outputs[:number])
        if number < len(rows):
            r, c = corners[number]
            inside[r : r + len(reach), c : c + len(reach)] += 1
