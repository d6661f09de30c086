"""Whether words can be read: the contrast of two colours, as WCAG counts it."""

import numpy as np
from matplotlib.colors import to_rgb


def luminance(colour):
    linear = [c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in to_rgb(colour)]
    return np.dot((0.2126, 0.7152, 0.0722), linear)


def contrast(a, b):
    high, low = sorted((luminance(a), luminance(b)), reverse=True)
    return (high + 0.05) / (low + 0.05)
