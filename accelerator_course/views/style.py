"""One look for all pictures: white paper, dark ink, two colours that carry meaning, a marker that says it again.

Memory-bound is blue with a round marker, compute-bound orange with a square one. Every colour has at least 4.5:1
contrast on white, so it may also be text. Log axes use plain engineering labels: mathtext labels cost three times
as much per redraw.
"""

from matplotlib import patheffects
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.figure import Figure
from matplotlib.ticker import EngFormatter, FuncFormatter, LogLocator, NullLocator

from accelerator_lib import settings

INK, MUTED, GRID = "#1a1a1a", "#595959", "#dddddd"
MEMORY, COMPUTE, OTHER, GOOD = "#0066a6", "#b84a00", "#6b3fa0", "#00694e"
BOUND = {"memory": MEMORY, "compute": COMPUTE}
TINT = {"memory": "#eef5fb", "compute": "#fdf2ea"}
MARKER = {"memory": "o", "compute": "s"}
LOOKS = (
    (COMPUTE, "-", "s"),
    (MEMORY, "--", "o"),
    (OTHER, "-.", "D"),
    (GOOD, ":", "^"),
)  # of curves: colour, dash, marker
HATCH = {"memory": "///", "compute": "..."}

SIZE = (7.2, 4.3)  # inches; shown at 100 pixels an inch
DPI = 150  # half as many pixels again as are shown: sharp on a projector
LARGE_TYPE = 0.77, 200  # size and dpi for a hall: less paper around the same type, as many pixels
HALL = 3.3, 1.9  # a slide has room for so many inches in height at ticks of 24 of its 900 units; width to height


def figure(size=SIZE):
    """An empty figure without pyplot: nothing is registered, so nothing leaks."""
    scale, dpi = LARGE_TYPE if settings.hall() else (1, DPI)
    width, height = (scale * side for side in size)
    if settings.hall() and height > HALL[0]:  # many rows keep some of theirs: better smaller than one over another
        height = HALL[0] + max(0.0, height - 1.3 * HALL[0]) * 0.75
        width = max(width, HALL[1] * height)
    made = Figure([width, height], dpi=dpi, facecolor="white", layout="constrained")
    made.get_layout_engine().set(w_pad=0.08, h_pad=0.08)
    FigureCanvasAgg(made)
    return made


def axes(xlabel, ylabel, xlim=None, ylim=None, log="", size=SIZE):
    """A figure with one pair of axes: labels with units, fixed limits; `log` names the logarithmic axes ("xy")."""
    made = figure(size)
    return made, dress(made.subplots(), xlabel, ylabel, xlim, ylim, log)


def dress(ax, xlabel, ylabel, xlim=None, ylim=None, log=""):
    """Put the house style on axes."""
    for axis, name, label, limits in ((ax.xaxis, "x", xlabel, xlim), (ax.yaxis, "y", ylabel, ylim)):
        axis.set_label_text(label.removesuffix(" [s]"), color=INK, fontsize=11)  # ticks carry the unit
        if name in log:
            ax.set(**{f"{name}scale": "log"})
            axis.set_major_locator(LogLocator(numticks=9))
            axis.set_minor_locator(NullLocator())
        axis.set_major_formatter(EngFormatter(unit="s" if label.endswith("[s]") else "", sep=" "))
        if limits:
            ax.set(**{f"{name}lim": limits})
    ax.tick_params(colors=MUTED, labelsize=10, length=3)
    ax.grid(True, color=GRID, linewidth=0.7)
    ax.set_axisbelow(True)
    for side, spine in ax.spines.items():
        spine.set_visible(side in ("left", "bottom"))
        spine.set_color(MUTED)
    return ax


def bare(ax, xlim, ylim):
    """Axes that only hold a drawing: no ticks, no frame."""
    ax.set(xlim=xlim, ylim=ylim, xticks=[], yticks=[])
    ax.spines[:].set_visible(False)
    return ax


def room(low, high, share=0.02):
    """Limits a little wider than a logarithmic range, so that a dot at its end is seen whole."""
    margin = (high / low) ** share
    return low / margin, high * margin


def plain(axis):
    """Plain numbers on an axis: 1, 10, 1,000."""
    axis.set_major_formatter(FuncFormatter(lambda value, _: f"{value:,.10g}"))


def percents(axis):
    """Percent labels on an axis of shares from 0 to 1."""
    axis.set_major_formatter(FuncFormatter(lambda value, _: f"{100 * value:g} %"))


def moving(*artists):
    """Mark what changes with every step: only this is redrawn, over the kept background."""
    for artist in artists:
        artist.set_animated(True)
    return artists[0] if len(artists) == 1 else artists


def settle(figure):
    """Place the axes now and for good: for what is painted pixel by pixel."""
    figure.draw_without_rendering()
    figure.set_layout_engine("none")


def label(ax, text="", x=0, y=0, color=INK, size=10, **more):
    """Text on a picture, legible over lines."""
    made = ax.text(x, y, text, color=color, fontsize=size, **more)
    made.set_path_effects([patheffects.withStroke(linewidth=3, foreground="white")])
    return made


def dot(ax, color=INK, size=11, marker="o", **more):
    """The marker that a slider moves."""
    return ax.plot([], [], marker, color=color, markersize=size, markeredgecolor="white", zorder=6, **more)[0]
