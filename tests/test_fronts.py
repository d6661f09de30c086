"""Other front ends: what ipywidgets 7 has not, what a page refuses, and links where no notebook lies beside."""

import sys
from types import ModuleType, SimpleNamespace

import ipywidgets
import pytest
from host import Count, count
from IPython.core.formatters import DisplayFormatter

from accelerator_course import views, widgets

VIEW, HTML = "application/vnd.jupyter.widget-view+json", "text/html"


def twice(n=2):
    return {"time": 2.0 * n}


def panel():
    return widgets.explore(twice, views.Bars("time", "s", (0.1, 100)), id="dot", n=(1, 5))


SHOWN = {
    "explore": panel,
    "step": lambda: widgets.step(count, Count(), upto=(1, 5)),
    "quick check": lambda: widgets.quick_check("ridge-point"),
    "checkpoint": lambda: widgets.checkpoint(3),
    "predict": lambda: widgets.predict("roofline", "batch-128"),
    "kernel": lambda: widgets.kernel("transpose"),
    "progress": widgets.progress,
    "review": widgets.review,
}
OF_CHAPTER = (widgets.quiz, widgets.warm_up, widgets.decision, widgets.explain, widgets.chapter_bar)
SHOWN |= {make.__name__: lambda make=make: make("roofline") for make in OF_CHAPTER}


@pytest.fixture
def seven(monkeypatch, home):
    """Widgets as in ipywidgets 7: displayed by a method of their own, without a bundle."""
    displayed = []
    monkeypatch.delattr(ipywidgets.Widget, "_repr_mimebundle_")
    monkeypatch.setattr(ipywidgets.Widget, "_ipython_display_", displayed.append, raising=False)
    return displayed


@pytest.mark.parametrize("name", SHOWN)
def test_ipywidgets_7_shows_the_live_view_and_keeps_the_print(seven, name):
    data, _ = DisplayFormatter().format(SHOWN[name]())
    assert data[VIEW]["model_id"] and HTML in data and not seven
    assert name != "step" or "<svg" in data[HTML]


@pytest.mark.parametrize("name", SHOWN)
def test_a_host_with_a_widget_manager_of_its_own_is_told_with_every_panel(monkeypatch, home, name):
    """Colab draws widgets that are not its own only where the output says by which manager."""
    manager, output = "https://example.org/manager.js", ModuleType("google.colab.output")
    output._widgets = SimpleNamespace(_installed_url=manager)
    output.enable_custom_widget_manager = lambda: None
    monkeypatch.setitem(sys.modules, "google.colab.output", output)
    _, metadata = DisplayFormatter().format(SHOWN[name]())
    assert metadata[VIEW] == {"colab": {"custom_widget_manager": {"url": manager}}}
