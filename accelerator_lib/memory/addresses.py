"""Addresses: what a program asks for, one byte address an access. The input of every cache of this chapter."""

from itertools import islice
from operator import index

import numpy as np

from accelerator_lib.checks.inputs import affordable, described, shown, whole
from accelerator_lib.checks.signature import Count, Given, OneOf, checked

MOST = 2**24  # accesses of one trace
MOST_LISTED = 2**22  # of one that is not an array: Python looks at each
LARGEST = 2**24  # rows, columns


def whole_address(address):
    """A byte address as an int, or one clear line."""
    try:
        found = index(address)
    except TypeError:
        raise TypeError(f"addresses must be whole numbers of bytes, not {shown(address)}") from None
    if found < 0:
        raise ValueError(f"addresses are 0 or more; got {found}")
    return found


def looped(addresses):
    """An iterator over addresses, or one clear line."""
    if isinstance(addresses, (str, bytes, dict, type)) or not hasattr(addresses, "__iter__"):
        raise TypeError(f"addresses must be whole numbers in a list or an array, not {described(addresses)}")
    return iter(np.atleast_1d(addresses).ravel().tolist() if isinstance(addresses, np.ndarray) else addresses)


def trace(addresses):
    """Byte addresses as an int64 array, or one clear line."""
    if isinstance(addresses, np.ndarray) and addresses.dtype.kind in "iu":
        if addresses.ndim != 1:
            raise ValueError(f"addresses must be a row of numbers, not an array of shape {addresses.shape}")
        if addresses.size and addresses.max() >= 2**63:
            raise ValueError("addresses end at 2**63")
        found = addresses.astype(np.int64, copy=False)
    else:
        several = looped(addresses)
        known = len(addresses) if hasattr(addresses, "__len__") else 0
        affordable("addresses in a loop", known, MOST_LISTED, "their number, or give an array")
        try:
            listed = [whole_address(address) for address in islice(several, MOST_LISTED + 1)]
            affordable("addresses in a loop", len(listed), MOST_LISTED, "their number, or give an array")
            found = np.array(listed, dtype=np.int64)
        except OverflowError:
            raise ValueError("addresses end at 2**63") from None
    if found.size > MOST:
        raise ValueError(f"a trace of {found.size:,} accesses; at most {MOST:,} are replayed at once")
    if found.size and found.min() < 0:
        raise ValueError(f"addresses are 0 or more; got {found.min()}")
    return found


Trace = Given("byte addresses", trace)
Length, Order = Count(high=LARGEST), OneOf(("row", "col"))


@checked
def walk(rows: Length, cols: Length, element_bytes: Length = 4, leading: Length = None, order: Order = "row"):
    """Byte addresses of a walk over every element of a row-major matrix, row by row or column by column ("col").
    `leading` is the length of a stored row in elements: more than `cols` is padding."""
    leading = cols if leading is None else whole("leading", leading, low=cols, high=LARGEST)
    if rows * cols > MOST:
        raise ValueError(f"rows x cols = {rows:,} x {cols:,} are {rows * cols:,} accesses; at most {MOST:,} are walked")
    row = np.arange(rows, dtype=np.int64)[:, None]  # NumPy's own integers have 32 bits in a browser
    addresses = (row * leading + np.arange(cols)) * element_bytes
    return (addresses if order == "row" else addresses.T).ravel()


@checked
def sweep(kib: Count(high=2**16), stride_bytes: Count(high=2**20)):
    """Byte addresses of one pass over so many KiB in steps of so many bytes."""
    affordable("addresses of a pass", -(-kib * 1024 // stride_bytes), MOST, "kib, or take a larger stride")
    return np.arange(0, kib * 1024, stride_bytes, dtype=np.int64)
