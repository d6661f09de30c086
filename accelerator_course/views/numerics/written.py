"""How numbers of few bits are written: powers of two, signs, codes."""

import numpy as np

RAISED = str.maketrans("0123456789-", "⁰¹²³⁴⁵⁶⁷⁸⁹⁻")


def power(exponent):
    """A power of two: 2⁻²⁵."""
    return "2" + str(exponent).translate(RAISED)


def signed(value, text=None):
    """A number, or the words for its size, after a minus of its width."""
    return f"−{text or -value}" if value < 0 else f"{text or value}"


def short(value):
    """A number in at most twelve digits; infinity and NaN by name."""
    if not np.isfinite(value):
        return "NaN" if np.isnan(value) else "infinity" if value > 0 else "−infinity"
    return signed(value, f"{abs(value):,.0f}" if abs(value) >= 1e4 and value == int(value) else f"{abs(value):.12g}")


def large(value):
    """A number above zero: 448; 3.4 × 10³⁸."""
    if value >= 1e6:
        digits, raised = f"{value:.3g}".split("e+")
        return f"{digits} × 10{raised.lstrip('0').translate(RAISED)}"
    return f"{value:,.10g}"
