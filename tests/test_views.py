"""Every view draws the examples that stand in its docstring: one line makes the view, the others show results."""

import ast
import doctest
import inspect
import io
from importlib import import_module
from pathlib import Path
from types import SimpleNamespace

import numpy as np
import pytest
from contrasts import contrast

import accelerator_course
import accelerator_lib
from accelerator_course.views import charts, results, style
from accelerator_course.views.stage import Stage, palette, still
from accelerator_course.views.stage.reel import Reel
from accelerator_lib import hardware, roofline, workload

FOLDER = Path(accelerator_course.__file__).parent
MODELS = [path.parent.name for path in Path(accelerator_lib.__file__).parent.glob("*/__init__.py")]


def found():
    """{"systolic.Array": class} of everything in views/ that has `show`."""
    for path in sorted((FOLDER / "views").rglob("*.py")):
        dotted = ".".join(path.relative_to(FOLDER.parent).with_suffix("").parts).removesuffix(".__init__")
        for name, value in inspect.getmembers(import_module(dotted), inspect.isclass):
            if value.__module__ == dotted and hasattr(value, "show") and name[0] != "_" and value is not Stage:
                yield f"{dotted.split('.')[-2]}.{name}", value


VIEWS = dict(found())
NAMES = {name: import_module(f"accelerator_lib.{name}") for name in MODELS}
NAMES |= {name: import_module(f"accelerator_course.{name}") for name in ("ladder", "league", "measure", "quiz")}
FRAMES = sorted(path.stem for path in (FOLDER / "frames").glob("[a-z]*.py"))
NAMES["frames"] = SimpleNamespace(**{name: import_module(f"accelerator_course.frames.{name}") for name in FRAMES})
NAMES |= {name: getattr(results, name) for name in ("Across", "Along", "Axis")}
NAMES |= {"np": np, "hardware": hardware, "Gemm": workload.Gemm, "Conv": workload.Conv}
NAMES |= {
    name: import_module(f"accelerator_course.{of}.{name}") for of, name in (("quiz", "standing"), ("ladder", "glance"))
}


class Examples:
    """The lines of a docstring: those that make `view`, and those that show it a result."""

    def __init__(self, name):
        lines = [e.source.strip() for e in doctest.DocTestParser().get_examples(VIEWS[name].__doc__ or "")]
        self.names = {**NAMES, **vars(import_module(VIEWS[name].__module__)), VIEWS[name].__name__: VIEWS[name]}
        shown = [ast.parse(line, mode="eval").body for line in lines if line.startswith("view.show(")]
        self.shown = [ast.unparse(one) for call in shown for one in getattr(call, "elts", [call])]
        exec("\n".join(line for line in lines if not line.startswith("view.show(")), self.names)
        self.view = self.names["view"]
        self.reel = Reel(self.view) if isinstance(self.view, Stage) else None

    def state(self, line):
        return eval(line.removeprefix("view.show"), self.names)

    def marks(self):
        """The marks of every result, one after the other."""
        return (list(self.view.marks(self.state(line))) for line in self.shown)

    def show(self, line):
        """The sentence and the picture of one result; a page to print is its PNG."""
        sentence = eval(line, self.names)
        if self.reel:
            self.reel.add(self.state(line))  # as the page gets it: one layer of a name
            return sentence, still.svg(self.view, self.state(line)).encode()
        out = io.BytesIO()
        self.view.figure.savefig(out, format="png")
        return sentence, out.getvalue()


@pytest.mark.parametrize("name", VIEWS)
def test_every_view_carries_examples_says_one_sentence_for_each_and_comes_back_to_the_same_picture(name):
    examples = Examples(name)
    assert len(examples.shown) >= 2, f"give {name} two results or more in its docstring: >>> view.show(...)"
    sentences, pictures = zip(*(examples.show(line) for line in examples.shown), strict=True)
    for sentence in sentences:
        assert len(sentence) > 20 and sentence.endswith("."), sentence
        assert not {"nan", "inf", "None"} & set(sentence.replace(",", " ").replace(".", " ").split()), sentence
    assert len(set(sentences)) == len(sentences) and len(set(pictures)) == len(pictures)
    assert all(picture.startswith((b"\x89PNG", b"<svg")) for picture in pictures)
    same = examples.show(examples.shown[0])[1] == pictures[0]  # before it is asserted: a diff of pictures takes minutes
    assert same, "something of other results is left behind"


TICKS = ("x ticks", "y ticks")
STILL = "roofline.Roofline roofline.Kernels systolic.TpuV1 tiling.TileBudget "
STILL += "network.Misses numerics.History llm.TwoDots llm.Batch views.Map "
STILL += "views.CacheTrace views.Yours"


@pytest.mark.parametrize("name", STILL.split())
def test_axes_hold_still_while_results_change(name):
    ticks = ([layer for layer in marks if layer.name.endswith(TICKS)] for marks in Examples(name).marks())
    kept = [[(mark["x"], mark["y"], mark["text"]) for _, mark in still.rows(layers)] for layers in ticks]
    assert kept[0] and all(one == kept[0] for one in kept)


STAGES = [name for name in VIEWS if issubclass(VIEWS[name], Stage)]


@pytest.mark.parametrize("name", STAGES)
def test_bars_begin_at_zero_and_nothing_leaves_the_frame(name, monkeypatch):
    """So that twice the length is twice the number: a logarithmic axis, which has no zero, shows dots instead."""
    examples, drawn, made = Examples(name), charts.Rows.drawn, []

    def kept(self, *given, **more):
        made.append((self, drawn(self, *given, **more)))
        return made[-1][1]

    monkeypatch.setattr(charts.Rows, "drawn", kept)
    off = []
    for kind, mark in (one for marks in examples.marks() for one in still.rows(marks)):
        across, down = examples.view.size
        x, y = float(mark["x"]), float(mark["y"])
        ends = [(x, y)] if kind != "path" else []
        ends += [(x + mark["w"], y + mark["h"])] if kind == "box" else []
        ends += [(mark["x2"], mark["y2"])] if kind in ("line", "arrow") else []
        off += [(kind, dict(mark)) for a, b in ends if not (-1 <= a <= across + 1 and -1 <= b <= down + 1)]
    assert not off, off[:3]
    for rows, layers in made:
        feet = [float(mark["x"]) for kind, mark in still.rows(layers) if kind == "box"]
        chart = rows.chart
        assert not feet or ("x" not in chart.log and chart.scales[0][0] == 0), f"{name} cuts the feet off its bars"
        assert feet == pytest.approx([chart.across[0]] * len(feet))


def test_a_table_tells_the_share_of_one_value_and_every_ink_has_enough_contrast():
    axis = results.Axis("n", "n", np.array([1, 2]))
    across = results.Across(axis, axis, np.array([[1, 0.5], [0.25, 0.5]]), 1.0, {"n": 1})
    assert (across.share(1), across.share(0.5), across.share(2)) == (0.25, 0.5, 0)
    for paper in ("#ffffff", palette.mixed(palette.LIGHT["compute"], "#ffffff", 0.084)):
        for ink in (style.INK, style.MUTED, style.GOOD, style.BAD, palette.LIGHT["memory"], palette.LIGHT["compute"]):
            assert contrast(ink, paper) >= 4.5, ink


def test_meaning_never_rests_on_colour_alone():
    """Of one kernel that waits for bytes, and of one that computes."""
    view = VIEWS["roofline.Roofline"]()
    placed = [roofline.place(workload.Gemm(m, 8192, 8192), "h100-sxm5") for m in (1, 4096)]
    waits, computes = ({layer.name: layer.columns for layer in view.marks(one)} for one in placed)
    assert "dashed" in waits["flat"]["role"][0] and "dashed" not in waits["slope"]["role"][0]
    assert all(waits["dot"][name] != computes["dot"][name] for name in ("role", "text"))
