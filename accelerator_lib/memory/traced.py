"""Traced: measure the loop that you wrote.

x = Traced(np.ones((64, 64)))
total = sum(x[row, col] for col in range(64) for row in range(64))
hits = sum(replay(x.trace, Cache(sets=1, ways=16, line_bytes=64)))
"""

import numpy as np

from accelerator_lib.checks.signature import Count, checked
from accelerator_lib.memory.addresses import MOST


class Traced:
    """An array that notes the byte address of every element read or written, in a trace that arrays may share.

    It starts at address `start`, row-major. Only single elements are read: x[row, col]."""

    @checked
    def __init__(self, array, start: Count(low=0) = 0, trace=None):
        self.array = np.ascontiguousarray(array)
        self.start = start
        self.trace = [] if trace is None else trace

    @property
    def shape(self):
        return self.array.shape

    @property
    def end(self):
        """The first address behind it: where the next array may start."""
        return self.start + self.array.nbytes

    def __len__(self):
        return len(self.array)

    def __getitem__(self, place):
        self._note(place)
        return self.array[place]

    def __setitem__(self, place, value):
        self._note(place)
        self.array[place] = value

    def _note(self, place):
        index = place if isinstance(place, tuple) else (place,)
        whole_numbers = all(isinstance(i, (int, np.integer)) and not isinstance(i, bool) for i in index)
        if len(index) != self.array.ndim or not whole_numbers:
            raise TypeError(f"name one element of the {self.array.shape} array, such as x[0, 1]; got x[{place!r}]")
        for i, size in zip(index, self.array.shape, strict=True):
            if not -size <= i < size:
                raise IndexError(f"x[{place!r}] lies outside the {self.array.shape} array")
        if len(self.trace) >= MOST:
            raise ValueError(f"more than {MOST:,} accesses: make the loop smaller")
        wrapped = [i % size for i, size in zip(index, self.array.shape, strict=True)]
        self.trace.append(self.start + sum(i * s for i, s in zip(wrapped, self.array.strides, strict=True)))
