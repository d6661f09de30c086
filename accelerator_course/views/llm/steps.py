"""Users in one batch: how long a step takes, how many tokens come out, and from where on the memory is too small."""

from accelerator_course.views import style
from accelerator_lib.units import number, si


class Batch:
    """A step and its tokens per second against the users: solid as far as the caches fit, dashed beyond.

    >>> view = Batch()
    >>> batch = Axis("batch", "users", np.array([1, 64, 512]), log=True)
    >>> curves = {"seconds": [7e-3, 2e-2, 0.14], "tokens_per_s": [146, 2500, 3600], "fits": [1, 1, 0]}
    >>> curves |= {"most": [3798] * 3, "memory_bound": [1, 1, 1]}
    >>> curves = {name: np.array(values) for name, values in curves.items()}
    >>> view.show(Along(batch, curves, {name: values[0] for name, values in curves.items()}, {"batch": 1}))
    >>> view.show(Along(batch, curves, {name: values[2] for name, values in curves.items()}, {"batch": 512}))
    """

    over = "batch"

    def __init__(self, batch=(1, 512)):
        self.figure = style.figure()
        self.axes = self.figure.subplots(2, 1, sharex=True)
        upper, lower = self.axes
        style.dress(upper, "", "time of a step [s]", style.room(*batch), (1e-3, 10), "xy")
        style.dress(lower, "users in one batch", "tokens per second", style.room(*batch), (20, 2e5), "xy")
        style.plain(lower.xaxis)
        style.plain(lower.yaxis)
        upper.tick_params(labelbottom=False)
        self.lines = [
            [style.moving(ax.plot([], [], dash, color=color, linewidth=2.5)[0]) for dash, color in LOOKS]
            for ax in self.axes
        ]
        self.most = style.moving(lower.axhline(1, color=style.OTHER, linestyle=":", linewidth=2))
        self.dots = [style.moving(style.dot(ax)) for ax in self.axes]
        self.texts = [
            style.moving(style.label(ax, x=0.015, y=0.94, va="top", fontweight="bold", transform=ax.transAxes))
            for ax in self.axes
        ]
        self.limit = style.moving(
            style.label(
                lower, x=0.985, y=0.06, color=style.OTHER, ha="right", fontweight="bold", transform=lower.transAxes
            )
        )

    def show(self, along):
        """`along`: seconds, tokens_per_s, fits, memory_bound and the most tokens a second, over the users."""
        here, fits = along.here, along.curves["fits"] > 0
        last = int(fits.sum())  # caches only grow: those that fit come first
        bound = "memory" if here["memory_bound"] else "compute"
        words = {"seconds": si(here["seconds"], "s"), "tokens_per_s": f"{number(here['tokens_per_s'])} tokens/s"}
        for (name, text), lines, dot, told in zip(words.items(), self.lines, self.dots, self.texts, strict=True):
            curve = along.curves[name]
            for line, part in zip(lines, (slice(0, last), slice(max(last - 1, 0), None)), strict=True):
                line.set_data(along.axis.values[part], curve[part])
            dot.set_data([along.at], [here[name]])
            dot.set(color=style.BOUND[bound], marker=style.MARKER[bound])
            told.set(text=text if here["fits"] else f"{text}, if it did fit", color=style.BOUND[bound])
        self.most.set_ydata([here["most"]] * 2)
        self.limit.set_text(f"dotted: never more than {number(here['most'])}, however many users")
        room = "they fit" if here["fits"] else "they do not fit (dashed)"
        return (
            f"{along.at:,} {'user' if along.at == 1 else 'users'}, {room}: a step takes {words['seconds']}, "
            f"{words['tokens_per_s']} in all; {bound}-bound."
        )


LOOKS = (("-", style.INK), ("--", style.MUTED))
