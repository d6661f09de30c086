"""Published runs beside their bounds: how much of what the roofline allows was reached."""

from accelerator_lib.units import number, si
from accelerator_lib.views import style

ROWS = 9  # the most that one picture holds
LEFT, RIGHT = -1.42, 2.15  # room for names and words beside bars that end at 1
MOST = 1.12  # a bar that goes beyond its bound is cut here


class Published:
    """Each run as a bar inside the frame of its bound; hatched and crossed out where the bound's state does not fit.

    >>> view = Published()
    >>> view.show(llm.published.one_user())
    >>> view.show(llm.published.first_token())
    >>> view.show(llm.published.longer_answer())
    >>> view.show(llm.published.offline("fp8"))
    >>> view.show(llm.published.offline("fp16"))
    """

    def __init__(self):
        self.figure = style.figure((8.4, 4.4))
        ax = style.bare(self.figure.subplots(), (LEFT, RIGHT), (-0.6, ROWS + 0.25))
        at = [ROWS - 1 - place for place in range(ROWS)]
        for x, text in ((0, "0"), (1, "the bound")):
            ax.plot([x, x], [-0.5, ROWS - 0.4], color=style.MUTED, linewidth=1, linestyle=":" if x else "-")
            style.label(ax, text, x, ROWS - 0.3, style.MUTED, 10, ha="center", va="bottom")
        self.frames = ax.barh(at, [0] * ROWS, 0.62, facecolor="none", edgecolor=style.MUTED, linewidth=1.2)
        self.bars = ax.barh(at, [0] * ROWS, 0.62, facecolor=style.MEMORY, edgecolor="white", linewidth=0)
        self.names = [style.label(ax, "", -0.03, y, ha="right", va="center", size=10) for y in at]
        self.words = [style.label(ax, "", 1.15, y, ha="left", va="center", size=10) for y in at]
        for text in (*self.names, *self.words):
            text.set_path_effects([])  # nothing lies behind them
            text.set_in_layout(False)  # the axes hold still, however long a name is
        style.moving(*self.frames, *self.bars, *self.names, *self.words)

    def show(self, runs):
        """`runs`: llm.published.Beside, nine at most."""
        for place in range(ROWS):
            self._draw(place, runs[place] if place < len(runs) else None)
        best, worst = min(runs, key=_ratio), max(runs, key=_ratio)
        off = [one for one in runs if not one.fits]
        said = f"{len(runs)} published runs: {best.ratio:.2f} to {worst.ratio:.2f} times slower than their bounds; "
        said += f"farthest off is {worst.what}: {_measured(worst)}."
        if off:
            said += " Crossed out, since weights and caches would not fit: " + "; ".join(map(_needs, off)) + "."
        return said

    def _draw(self, place, one):
        frame, bar, name, word = self.frames[place], self.bars[place], self.names[place], self.words[place]
        frame.set(width=1, visible=one is not None)
        bar.set(width=min(1 / one.ratio, MOST) if one else 0, visible=one is not None)
        name.set_text(one.what if one else "")
        word.set_text(_words(one) if one else "")
        fits = one is None or one.fits
        bar.set(facecolor=style.MEMORY if fits else "white", hatch="" if fits else "xxx")
        bar.set_edgecolor("white" if fits else style.COMPUTE)
        word.set_color(style.INK if fits else style.COMPUTE)


def _ratio(one):
    return one.ratio


def _measured(one):
    if one.unit == "s":
        return f"{si(one.measured, 's')}, bound {si(one.bound, 's')}"
    return f"{number(one.measured)} of {number(one.bound)} {one.unit}"


def _words(one):
    if one.fits:
        return f"{one.ratio:.2f}x   {_measured(one)}"
    return f"{one.ratio:.2f}x   no room for {si(one.needed_bytes, 'B')}"


def _needs(one):
    return f"{one.what} ({si(one.needed_bytes, 'B')} of {si(one.capacity_bytes, 'B')}, {one.ratio:.2f}x)"
