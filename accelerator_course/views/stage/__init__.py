"""Stage: a mechanism as marks that the browser moves.

    class March(Stage):
        size, noun = (720, 420), "cycle"
        def marks(self, state): return [boxes("pe", key=..., x=..., y=..., role=..., who=..., says=...), ...]
        def say(self, state): return "Cycle 3 of 10: 6 of 16 PEs multiply."

A state is a frozen record of a model. Its view lists marks, in layers: boxes, texts, lines, arrows, paths, each with a
key that says which mark is the same thing in the next state. The player (paint.js, player.js) lets them glide from
place to place. The same marks make stills (still.py), films (film.py) and what is sent to the page (reel.py).
"""

from functools import wraps

from accelerator_course.views.stage.marks import Layer, arrows, boxes, lines, paths, pick, texts
from accelerator_course.views.stage.palette import BASES, MODIFIERS

__all__ = ["BASES", "MODIFIERS", "Layer", "Stage", "arrows", "boxes", "lines", "paths", "pick", "texts"]


class Stage:
    """The base of such views: `size` in pixels at full width, `noun` of a state, `marks(state)` and `say(state)`.

    `title` heads what is saved; without one it is the first words of the view's docstring.
    """

    size, noun, title = (720, 420), "step", ""
    follows = False  # whether a thing can be followed by its name where there is but one state, too

    def __init_subclass__(cls):
        words = (cls.__doc__ or cls.__name__).strip().splitlines()[0]
        cls.title = cls.__dict__.get("title") or words.partition(":")[0].rstrip(".")
        if "marks" in cls.__dict__:
            cls.marks = _listed(cls.marks)

    def marks(self, state):
        """A list of the Layers of a state, those behind first; a generator of them is made into one.

        What they leave on the view, such as its size, or where a state lies for `place`, is there when they are."""
        raise NotImplementedError(f"{type(self).__name__} must list its marks")

    def say(self, state):
        """One sentence: what this state shows; title, caption and text alternative in one."""
        raise NotImplementedError(f"{type(self).__name__} must say what it shows")

    def show(self, state):
        """The sentence, as every view gives it."""
        return self.say(state)


def _listed(marks):
    @wraps(marks)
    def listed(view, state):
        return list(marks(view, state))

    return listed
