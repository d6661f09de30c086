"""A layer over the batch: latency and throughput."""

import numpy as np

from accelerator_course.views import style
from accelerator_lib.units import number, si


class Serving:
    """Time of a step and tokens per second against batch: together at first, then they part.

    >>> view = Serving()
    >>> batch = Axis("batch", "batch [tokens]", np.array([1, 64, 4096]), log=True)
    >>> curves = {"seconds": [1e-4, 1.1e-4, 2e-3], "tokens_per_s": [1e4, 6e5, 2e6], "longer": [1, 1.1, 20]}
    >>> curves = {name: np.array(values) for name, values in curves.items()} | {"compute_bound": np.array([0, 0, 1])}
    >>> view.show(Along(batch, curves, {name: values[0] for name, values in curves.items()}, {"batch": 1}))
    >>> view.show(Along(batch, curves, {name: values[2] for name, values in curves.items()}, {"batch": 4096}))
    """

    over = "batch"

    def __init__(self, batch=(1, 4096)):
        self.figure = style.figure()
        upper, lower = self.figure.subplots(2, 1, sharex=True)
        style.dress(upper, "", "time of a step [s]", style.room(*batch), (2e-5, 2e-2), "xy")
        style.dress(lower, "batch [tokens per step]", "tokens per second", style.room(*batch), (1e3, 1e7), "xy")
        style.plain(lower.xaxis)
        upper.tick_params(labelbottom=False)
        self.axes = (upper, lower)
        self.curves = [style.moving(ax.plot([], [], color=style.INK, linewidth=2)[0]) for ax in self.axes]
        self.dots = [style.moving(style.dot(ax)) for ax in self.axes]
        self.knees = [style.moving(ax.axvline(1, color=style.MUTED, linestyle=":")) for ax in self.axes]
        self.texts = [style.moving(style.label(ax, ha="left", va="top", fontweight="bold")) for ax in self.axes]

    def show(self, along):
        """`along`: seconds and tokens_per_s over the batch, how much longer than one token alone, compute_bound."""
        here, beyond = along.here, along.axis.values[along.curves["compute_bound"] > 0]
        bound = "compute" if here["compute_bound"] else "memory"
        words = {"seconds": si(here["seconds"], "s"), "tokens_per_s": f"{number(here['tokens_per_s'])} tokens/s"}
        for i, (name, text) in enumerate(words.items()):
            self.curves[i].set_data(along.axis.values, along.curves[name])
            self.dots[i].set_data([along.at], [here[name]])
            self.dots[i].set(color=style.BOUND[bound], marker=style.MARKER[bound])
            low, high = self.axes[i].get_ylim()
            self.texts[i].set(text=text, position=(1.2, high / (high / low) ** 0.06), color=style.BOUND[bound])
            self.knees[i].set_visible(beyond.size > 0)
            self.knees[i].set_xdata([np.min(beyond, initial=along.axis.values[-1])] * 2)
        return (
            f"Batch {along.at:,}: {words['seconds']} a step ({here['longer']:.2f}x one token alone), "
            f"{number(here['tokens_per_s'])} tokens per second; {bound}-bound."
        )
