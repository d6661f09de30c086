"""One look for pages to print: white paper, dark ink; every colour has at least 4.5:1 contrast on white."""

from accelerator_course.views.stage.palette import LIGHT

INK, MUTED, GOOD, BAD, GRID = LIGHT["ink"], LIGHT["muted"], LIGHT["good"], LIGHT["bad"], "#dddddd"
PAGE = (8.27, 11.69)  # A4, inches


def page():
    """(figure, axes) of one empty page, from 0 to 1 both ways; without pyplot: nothing is registered, nothing leaks."""
    from matplotlib.backends.backend_agg import FigureCanvasAgg
    from matplotlib.figure import Figure

    made = Figure(PAGE, dpi=150, facecolor="white")
    FigureCanvasAgg(made)
    ax = made.add_axes((0, 0, 1, 1))
    ax.set(xlim=(0, 1), ylim=(0, 1))
    ax.axis("off")
    return made, ax
