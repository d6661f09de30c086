"""One SM as a workshop."""

from matplotlib.patches import Rectangle

from accelerator_course.views import style


class Workshop:
    """One SM as a workshop; the chosen unit is lit and explained.

    >>> view = Workshop()
    >>> view.show(("warp schedulers", gpu.sm.anatomy("a100-80gb-sxm")))
    >>> view.show(("tensor cores", gpu.sm.anatomy("h100-sxm5")))
    >>> view.show(("copy engine (TMA)", gpu.sm.anatomy("h100-sxm5")))
    """

    PLACES = (  # unit, x, y, width, height
        ("warp schedulers", 0.0, 0.84, 1.0, 0.14),
        ("register file", 0.0, 0.62, 1.0, 0.18),
        ("CUDA cores", 0.0, 0.34, 0.36, 0.24),
        ("tensor cores", 0.4, 0.34, 0.36, 0.24),
        ("load/store units", 0.8, 0.34, 0.2, 0.24),
        ("shared memory and L1", 0.0, 0.14, 0.76, 0.16),
        ("copy engine (TMA)", 0.8, 0.14, 0.2, 0.16),
        ("L2, shared by all SMs", 0.0, 0.0, 1.0, 0.09),
    )

    def __init__(self):
        self.figure = style.figure((7.2, 4.4))
        ax = style.bare(self.figure.subplots(), (-0.02, 1.02), (-0.03, 1.02))
        self.boxes, self.texts = {}, {}
        for name, x, y, width, height in self.PLACES:
            box = ax.add_patch(Rectangle((x, y), width, height, facecolor="#f4f4f4", edgecolor=style.MUTED))
            text = ax.text(x + width / 2, y + height / 2, name, ha="center", va="center", fontsize=10, color=style.INK)
            self.boxes[name], self.texts[name] = box, text
            style.moving(box, text)

    def show(self, result):
        """`result`: (chosen unit, {unit: (label, sentence)})."""
        chosen, facts = result
        for name, box in self.boxes.items():
            here = name == chosen
            box.set(facecolor="#f0b48a" if here else "#f4f4f4", linewidth=2.5 if here else 1)
            self.texts[name].set(text=facts[name][0], fontweight="bold" if here else "normal")
        return facts[chosen][1]
