"""Every view draws the examples that stand in its docstring: one line makes the view, the others show results."""

import ast
import doctest
import inspect
import io
import subprocess
import sys
from importlib import import_module
from pathlib import Path
from types import SimpleNamespace

import numpy as np
import pytest
from matplotlib.colors import to_rgb

import accelerator_course
import accelerator_lib
from accelerator_course.views import charts, results, style
from accelerator_course.views.stage import Stage, palette, still
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
        self.reel = None
        exec("\n".join(line for line in lines if not line.startswith("view.show(")), self.names)

    def show(self, line):
        """The sentence and the picture of one result; a page to print is its PNG."""
        sentence, view = eval(line, self.names), self.names["view"]
        if isinstance(view, Stage):
            state = eval(line.removeprefix("view.show"), self.names)
            self.reel = self.reel or Reel(view)
            self.reel.add(state)  # as the page gets it: one layer of a name
            return sentence, still.svg(view, state).encode()
        out = io.BytesIO()
        view.figure.savefig(out, format="png")
        return sentence, out.getvalue()


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
    """Nothing is left behind: the first result looks the same after all others."""
    examples = Examples(name)
    _, first = examples.show(examples.shown[0])
    for line in [*examples.shown[1:], examples.shown[0]]:
        _, last = examples.show(line)
    same = last == first  # compared before it is asserted: a diff of two pictures takes minutes
    assert same


TICKS = ("x ticks", "y ticks")
STILL = [
    "roofline.Roofline",
    "roofline.Kernels",
    "roofline.Amdahl",
    "systolic.TpuV1",
    "systolic.Padding",
    "systolic.Mapped",
    "tiling.TileBudget",
    "network.Misses",
    "numerics.TradeOff",
    "numerics.History",
    "llm.TwoDots",
    "llm.Batch",
    "views.Stairs",
    "views.Map",
    "views.Stages",
    "views.XlaCounts",
    "views.Transfer",
    "views.Pins",
    "views.CacheTrace",
    "views.Yours",
]


@pytest.mark.parametrize("name", STILL)
def test_axes_hold_still_while_results_change(name):
    examples, kept = Examples(name), []
    for line in examples.shown:
        state = eval(line.removeprefix("view.show"), examples.names)
        layers = [one for one in examples.names["view"].marks(state) if one.name.endswith(TICKS)]
        kept.append([(mark["x"], mark["y"], mark["text"]) for _, mark in still.rows(layers)])
    assert kept[0] and all(one == kept[0] for one in kept)


STAGES = [name for name in VIEWS if issubclass(VIEWS[name], Stage)]


@pytest.mark.parametrize("name", STAGES)
def test_bars_begin_at_zero(name, monkeypatch):
    """So that twice the length is twice the number: a logarithmic axis, which has no zero, shows dots instead."""
    examples, drawn, made = Examples(name), charts.Rows.drawn, []
    monkeypatch.setattr(
        charts.Rows, "drawn", lambda self, *a, **k: made.append((self, drawn(self, *a, **k))) or made[-1][1]
    )
    for line in examples.shown:
        list(examples.names["view"].marks(eval(line.removeprefix("view.show"), examples.names)))
    for rows, layers in made:
        feet = [float(mark["x"]) for kind, mark in still.rows(layers) if kind == "box"]
        chart = rows.chart
        assert not feet or ("x" not in chart.log and chart.scales[0][0] == 0), f"{name} cuts the feet off its bars"
        assert feet == pytest.approx([chart.across[0]] * len(feet))


@pytest.mark.parametrize("name", STAGES)
def test_nothing_leaves_the_frame(name):
    """Places of all marks, and the ends of words, whose width is guessed."""
    examples = Examples(name)
    for line in examples.shown:
        state, view = eval(line.removeprefix("view.show"), examples.names), examples.names["view"]
        marks = list(view.marks(state))
        (across, down), off = view.size, []
        for kind, mark in still.rows(marks):
            x, y = float(mark["x"]), float(mark["y"])
            ends = [(x, y)] if kind != "path" else []
            ends += [(x + mark["w"], y + mark["h"])] if kind == "box" else []
            ends += [(mark["x2"], mark["y2"])] if kind in ("line", "arrow") else []
            off += [(kind, dict(mark)) for a, b in ends if not (-1 <= a <= across + 1 and -1 <= b <= down + 1)]
        assert not off, off[:3]


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


@pytest.mark.parametrize("paper", ["#ffffff", palette.mixed(palette.LIGHT["compute"], "#ffffff", 0.084)])
def test_every_ink_has_enough_contrast(paper):
    for ink in (style.INK, style.MUTED, style.GOOD, style.BAD, palette.LIGHT["memory"], palette.LIGHT["compute"]):
        assert (luminance(paper) + 0.05) / (luminance(ink) + 0.05) >= 4.5, ink


def test_meaning_never_rests_on_colour_alone():
    layers = {layer.name: layer.columns for layer in _roofs()[0]}
    assert "dashed" in layers["flat"]["role"][0] and "dashed" not in layers["slope"]["role"][0]
    waits, computes = ({layer.name: layer.columns for layer in one}["dot"] for one in _roofs())
    assert waits["role"] != computes["role"] and waits["text"] != computes["text"]


def _roofs():
    """The marks of one kernel that waits for bytes, and of one that computes."""
    from accelerator_lib import roofline

    view = VIEWS["roofline.Roofline"]()
    return [view.marks(roofline.place(workload.Gemm(m, 8192, 8192), "h100-sxm5")) for m in (1, 4096)]


def test_panels_are_drawn_without_matplotlib():
    code = "import sys; from accelerator_course import views; views.Lines, views.gpu, views.roofline; assert 'matplotlib' not in sys.modules"
    subprocess.run([sys.executable, "-c", code], check=True)
