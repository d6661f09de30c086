"""Signal to noise against stored bits: every choice a dot, the front of those that no other beats."""

from accelerator_course.views import style
from accelerator_lib.units import number, percent

LOOKS = {
    "e8m0": ("o", style.MEMORY),
    "e4m3": ("s", style.COMPUTE),
    "fp16": ("^", style.OTHER),
    "fp32": ("D", style.GOOD),
}
NAMED = {"e8m0": "power of two", "e4m3": "E4M3 under FP32", "fp16": "FP16", "fp32": "FP32"}


class TradeOff:
    """Every element, block and scale: stored bits of an element and signal to noise, and one of them here.

    >>> view = TradeOff()
    >>> t = numerics.tradeoff
    >>> at = lambda e, b, s, d: (t.choice(e, b, s, d), t.choices(d), t.front(d))
    >>> view.show(at("e2m1", 16, "e4m3", "normal"))
    >>> view.show(at("int8", 1024, "fp32", "t3"))
    >>> view.show(at("int4", 8, "e8m0", "outlier channels"))
    """

    def __init__(self):
        self.figure, ax = style.axes("stored bits of an element", "signal to noise [dB]", (3.7, 12.3), (-2, 54))
        style.plain(ax.xaxis)
        self.ax = ax
        self.dots = {
            scale: ax.plot([], [], mark, color=color, markersize=5, alpha=0.75, label=f"scale: {NAMED[scale]}")[0]
            for scale, (mark, color) in LOOKS.items()
        }
        self.front = ax.plot([], [], color=style.INK, linewidth=1.6, drawstyle="steps-post", label="front")[0]
        self.here = ax.plot([], [], "o", color=style.INK, markersize=15, markerfacecolor="none", markeredgewidth=2.5)[0]
        self.word = style.label(ax, fontweight="bold", va="top", ha="left", size=11)
        ax.legend(frameon=False, fontsize=9.5, loc="lower right")
        style.moving(*self.dots.values(), self.front, self.here, self.word)

    def show(self, result):
        """`result`: (tradeoff.Choice, all of them, those of the front)."""
        here, every, front = result
        for scale, dots in self.dots.items():
            mine = [one for one in every if one.scale == scale]
            dots.set_data([one.bits for one in mine], [one.snr_db for one in mine])
        self.front.set_data([one.bits for one in front], [one.snr_db for one in front])
        self.here.set_data([here.bits], [here.snr_db])
        left = here.bits > 9
        self.word.set(
            position=(here.bits + (-0.25 if left else 0.25), here.snr_db - 1.5), ha="right" if left else "left"
        )
        self.word.set_text(f"{here.element}, {here.block}, {NAMED[here.scale]}")
        better = [one for one in every if one.beats(here)]
        place = "on the front" if not better else f"better in bits and signal: {len(better)}"
        zeros = percent(here.zero_share) if here.zero_share else "none"
        return (
            f"{here.element} in blocks of {here.block}, scale {NAMED[here.scale]}: {number(here.bits)} bits, "
            f"{here.snr_db:.1f} dB, {zeros} of the values became 0; {place}."
        )
