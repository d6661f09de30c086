"""Conv: a convolution, counted as the matrix product that it becomes.

    M = images x outputs of each, N = filters, K = kernel^2 x channels        of each group
    im2col factor = outputs x kernel^2 / pixels                               how often each pixel would be copied

Padding is counted as if its zeros were numbers, as most tools do. Real libraries never write the copies down.
"""

from dataclasses import dataclass

import numpy as np

from accelerator_lib.checks.inputs import MOST
from accelerator_lib.checks.signature import Whole, checked
from accelerator_lib.hardware import format_bytes
from accelerator_lib.workload.work import Gemm, Work, own_or


@dataclass(frozen=True)
@checked
class Conv(Work):
    """A 2-D convolution over [batch, in_channels, height, width]; square kernel, equal stride both ways."""

    batch: Whole()
    height: Whole()
    width: Whole()
    in_channels: Whole()
    out_channels: Whole()
    kernel: Whole()
    stride: Whole() = 1
    padding: Whole(low=0) = 0
    groups: Whole() = 1

    def __post_init__(self):
        if np.any(self.in_channels % self.groups) or np.any(self.out_channels % self.groups):
            channels = f"in_channels = {self.in_channels} and out_channels = {self.out_channels}"
            raise ValueError(f"groups = {self.groups} must divide {channels}")
        if np.any(np.minimum(self.height, self.width) + 2 * self.padding < self.kernel):
            pixels = f"{self.height} x {self.width} pixels with padding = {self.padding}"
            raise ValueError(f"kernel = {self.kernel} does not fit into {pixels}")
        pixels = np.max(np.multiply(self.batch, 1.0) * self.out_height * self.out_width)
        if pixels > MOST:
            raise ValueError(f"batch = {self.batch} makes {pixels:.3g} pixels of output; allowed are {MOST:.0e}")

    out_height = property(lambda self: (self.height + 2 * self.padding - self.kernel) // self.stride + 1)
    out_width = property(lambda self: (self.width + 2 * self.padding - self.kernel) // self.stride + 1)

    @property
    def gemm(self):
        """The product of one group that the convolution becomes: patches x filters."""
        rows = self.batch * self.out_height * self.out_width
        return Gemm(rows, self.out_channels // self.groups, self.kernel**2 * self.in_channels // self.groups)

    # work [FLOP] of all groups; products with padding zeros are counted, as most tools do
    flops = property(lambda self: self.groups * self.gemm.flops)

    @property
    def im2col_factor(self):
        """Elements of the patch matrix / elements of the input: how often im2col would copy each pixel."""
        return self.out_height * self.out_width * self.kernel**2 / (self.height * self.width)

    def bytes_moved(self, dtype="bf16", weight_dtype=None, output_dtype=None):
        """Compulsory traffic [byte]: the image, the filters and the result once each, no im2col copies."""
        image = self.batch * self.in_channels * self.height * self.width * format_bytes(dtype)
        filters = self.groups * self.gemm.k * self.gemm.n * format_bytes(own_or(weight_dtype, dtype))
        result = self.batch * self.out_channels * self.out_height * self.out_width
        return image + filters + result * format_bytes(own_or(output_dtype, dtype))

    def pixel_copies(self):
        """[height, width]: in how many patches each pixel of one channel lies, rows of patches times columns."""
        rows = _patches_over(self.height, self.out_height, self.kernel, self.stride, self.padding)
        return np.outer(rows, _patches_over(self.width, self.out_width, self.kernel, self.stride, self.padding))


def _patches_over(pixels, patches, kernel, stride, padding):
    """In how many of the patches along one edge each pixel lies."""
    first = np.arange(patches) * stride - padding
    pixel = np.arange(pixels)[:, None]
    return ((first <= pixel) & (pixel < first + kernel)).sum(axis=1)
