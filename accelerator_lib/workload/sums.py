"""Sums of products: the format that holds them, wider than the operands where these are narrow, as in hardware."""

import numpy as np


def accumulator(a, b):
    """The format of the sums of a @ b.
    Integers of 8, 16 and 32 bits add up in int32, as in a TPU's array; in int64 where k products of the largest values
    could pass 2^31, and where an operand has 64 bits. float16 adds up in float32, as in matrix units: in its own format
    a sum would end at 65,504. float32 and float64 stay. Raises ValueError where integers could pass 2^63."""
    if "f" in (a.dtype.kind, b.dtype.kind):
        return np.result_type(a, b, np.float32)
    most = largest_sum(a, b)
    if most >= 2**63:
        raise ValueError(f"sums of these integers could reach {most:.3g}, more than int64 holds; use float64")
    return np.dtype(np.int64 if most >= 2**31 or max(a.itemsize, b.itemsize) > 4 else np.int32)


def largest_sum(a, b):
    """What no operand and no sum of a @ b can exceed in magnitude; a Python number, and so no integer overflows."""
    of_a, of_b = (max(_plain(matrix.max()), -_plain(matrix.min())) for matrix in (a, b))
    return max(of_a, of_b, a.shape[1] * of_a * of_b)


def _plain(number):
    return int(number) if number.dtype.kind in "iub" else float(number)


def held(a, b):
    """`accumulator`, where its format holds the sums. Raises ValueError."""
    wide = accumulator(a, b)
    if wide.kind == "f" and (most := largest_sum(a, b)) > float(np.finfo(wide).max):
        raise ValueError(f"sums of these numbers could reach {most:.3g}, more than {wide} holds")
    return wide


def finite(name, array):
    """An array without infinity and NaN. Raises ValueError."""
    if not np.isfinite(array).all():
        raise ValueError(f"{name} must hold finite numbers, not {array[~np.isfinite(array)][0]}")
    return array
