"""Every view draws the examples that stand in its docstring: one line makes the view, the others show results."""

import ast
import doctest
import inspect
import subprocess
import sys
from importlib import import_module
from pathlib import Path
from types import SimpleNamespace

import numpy as np
import pytest
from matplotlib.colors import to_rgb
from matplotlib.container import BarContainer

import accelerator_course
import accelerator_lib
from accelerator_course.views import results, style
from accelerator_course.views.render import Renderer
from accelerator_course.views.stage import Stage, still
from accelerator_course.views.stage.reel import Reel
from accelerator_lib import hardware, workload

FOLDER = Path(accelerator_course.__file__).parent
MODELS = [path.parent.name for path in Path(accelerator_lib.__file__).parent.glob("*/__init__.py")]


def found():
    """{"systolic.Array": class} of everything in views/ that has `show`."""
    for path in sorted((FOLDER / "views").rglob("*.py")):
        dotted = ".".join(path.relative_to(FOLDER.parent).with_suffix("").parts).removesuffix(".__init__")
        for name, value in vars(import_module(dotted)).items():
            if (
                inspect.isclass(value)
                and value.__module__ == dotted
                and hasattr(value, "show")
                and name[0] != "_"
                and value is not Stage
            ):
                yield f"{dotted.split('.')[-2]}.{name}", value


VIEWS = dict(found())
NAMES = {name: import_module(f"accelerator_lib.{name}") for name in MODELS}
NAMES |= {name: import_module(f"accelerator_course.{name}") for name in ("ladder", "league", "measure", "quiz")}
FRAMES = sorted(path.stem for path in (FOLDER / "frames").glob("[a-z]*.py"))
NAMES["frames"] = SimpleNamespace(**{name: import_module(f"accelerator_course.frames.{name}") for name in FRAMES})
NAMES |= {name: getattr(results, name) for name in ("Across", "Along", "Axis")}
NAMES |= {
    "standing": import_module("accelerator_course.quiz.standing"),
    "glance": import_module("accelerator_course.ladder.glance"),
    "np": np,
    "hardware": hardware,
    "Gemm": workload.Gemm,
    "Conv": workload.Conv,
}


class Examples:
    """The lines of a docstring: those that make `view`, and those that show it a result."""

    def __init__(self, name):
        lines = [e.source.strip() for e in doctest.DocTestParser().get_examples(VIEWS[name].__doc__ or "")]
        self.names = {**NAMES, **vars(import_module(VIEWS[name].__module__)), VIEWS[name].__name__: VIEWS[name]}
        shown = [ast.parse(line, mode="eval").body for line in lines if line.startswith("view.show(")]
        self.shown = [ast.unparse(one) for call in shown for one in getattr(call, "elts", [call])]
        self.renderer = self.reel = None
        exec("\n".join(line for line in lines if not line.startswith("view.show(")), self.names)

    def show(self, line):
        """The sentence and the picture of one result."""
        sentence, view = eval(line, self.names), self.names["view"]
        if isinstance(view, Stage):
            state = eval(line.removeprefix("view.show"), self.names)
            self.reel = self.reel or Reel(view)
            self.reel.add(state)  # as the page gets it: one layer of a name
            return sentence, still.svg(view, state).encode()
        figure = view.figure
        if self.renderer is None or self.renderer.figure is not figure:
            self.renderer = Renderer(figure)
        return sentence, self.renderer.png()


@pytest.mark.parametrize("name", VIEWS)
def test_every_view_carries_examples_and_says_one_sentence_for_each(name):
    examples = Examples(name)
    assert len(examples.shown) >= 2, f"give {name} two results or more in its docstring: >>> view.show(...)"
    sentences, pictures = zip(*(examples.show(line) for line in examples.shown), strict=True)
    for sentence in sentences:
        assert len(sentence) > 20 and sentence.endswith("."), sentence
        assert not {"nan", "inf", "None"} & set(sentence.replace(",", " ").replace(".", " ").split()), sentence
    assert len(set(sentences)) == len(sentences) and len(set(pictures)) == len(pictures)
    assert all(picture.startswith((b"\x89PNG", b"<svg")) for picture in pictures)


@pytest.mark.parametrize("name", VIEWS)
def test_coming_back_gives_the_same_picture(name):
    """Blitting leaves nothing behind: the first result looks the same after all others."""
    examples = Examples(name)
    _, first = examples.show(examples.shown[0])
    for line in [*examples.shown[1:], examples.shown[0]]:
        _, last = examples.show(line)
    same = last == first  # compared before it is asserted: a diff of two pictures takes minutes
    assert same


@pytest.mark.parametrize("name", VIEWS)
def test_limits_hold_still_while_results_change(name):
    """Unless a simulation brings a length of its own, and the view says so."""
    examples, limits = Examples(name), None
    if issubclass(VIEWS[name], Stage):
        return
    for line in examples.shown:
        examples.show(line)
        own = [(ax.get_xlim(), ax.get_ylim()) for ax in examples.names["view"].figure.axes]
        assert limits in (None, own)
        limits = own


@pytest.mark.parametrize("name", [name for name in VIEWS if not issubclass(VIEWS[name], Stage)])
def test_bars_begin_at_zero(name):
    """So that twice the length is twice the number: a logarithmic axis, which has no zero, shows dots instead."""
    examples = Examples(name)
    for line in examples.shown:
        examples.show(line)
        for ax in examples.names["view"].figure.axes:
            for bars in bars_of(ax):
                along = ax.get_xscale() if bars.orientation == "horizontal" else ax.get_yscale()
                assert along == "linear", f"{name} draws bars on a logarithmic axis"
            low, high = ax.get_xlim() if any(c.orientation == "horizontal" for c in bars_of(ax)) else ax.get_ylim()
            assert not bars_of(ax) or low <= 0 < high, f"{name} cuts the feet off its bars"


def bars_of(ax):
    return [container for container in ax.containers if isinstance(container, BarContainer)]


def test_a_table_tells_the_share_of_one_value():
    axis = results.Axis("n", "n", np.array([1, 2]))
    table = np.array([[1, 0.5], [0.25, 0.5]])
    across = results.Across(axis, axis, table, 1.0, {"n": 1})
    assert (across.share(1), across.share(0.5), across.share(2)) == (0.25, 0.5, 0)


def luminance(color):
    return sum(
        weight * (c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4)
        for weight, c in zip((0.2126, 0.7152, 0.0722), to_rgb(color), strict=True)
    )


@pytest.mark.parametrize("paper", ["#ffffff", *style.TINT.values()])
def test_every_ink_has_enough_contrast(paper):
    for ink in (style.INK, style.MUTED, style.MEMORY, style.COMPUTE, style.OTHER, style.GOOD):
        assert (luminance(paper) + 0.05) / (luminance(ink) + 0.05) >= 4.5, ink


def test_meaning_never_rests_on_colour_alone():
    assert len(set(style.MARKER.values())) == len(set(style.HATCH.values())) == len(style.BOUND) == 2
    roof = VIEWS["roofline.Roofline"]()
    assert roof.slope.get_linestyle() != roof.flat.get_linestyle()


def test_pictures_do_not_use_pyplot():
    code = "import sys; from accelerator_course import views; views.Lines, views.gpu; assert 'matplotlib.pyplot' not in sys.modules"
    subprocess.run([sys.executable, "-c", code], check=True)
