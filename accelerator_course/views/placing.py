"""Placing: where a value lies on a picture, for marks that the page puts over it.

    spot(ax, x=0.39)  ->  [left, right, top, bottom], shares of the picture's width and height from its top left corner

A view that can place its values has `place(axis, value, row=None)`, true of what it showed last.
"""


def spot(ax, x=None, y=None):
    """Data coordinates as shares of the figure, whose layout is fixed by now.

    Each may be a number or (from, to); without one, the spot runs the whole length of that axis. What lies beyond an
    axis is put at its end.
    """
    (left, right), (bottom, top) = (_ends(given, limits) for given, limits in ((x, ax.get_xlim()), (y, ax.get_ylim())))
    corners = ax.transData.transform([(left, bottom), (right, top)])
    (left, bottom), (right, top) = ax.figure.transFigure.inverted().transform(corners)
    return [round(float(share), 5) for share in (left, right, 1 - top, 1 - bottom)]


def _ends(given, limits):
    """(from, to) within the limits."""
    if given is None:
        return limits
    low, high = sorted(limits)
    ends = given if isinstance(given, tuple) else (given, given)
    return tuple(min(max(float(end), low), high) for end in ends)
