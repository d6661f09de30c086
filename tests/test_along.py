"""One function for the point and the curve."""

import numpy as np
import pytest

from accelerator_course import views
from accelerator_course.widgets import explore, log
from accelerator_course.widgets.along import MOST
from accelerator_lib import systolic
from accelerator_lib.workload import Gemm


def by_array(x=2.0, factor=3.0):
    return {"product": x * factor, "square": x**2}


def by_point(x=2.0, factor=3.0):
    return {"larger": x if x > factor else factor, "none below": None if x < factor else x}


def lines(**more):
    return views.Lines(over="x", y="value", limits=(0.01, 1000), **more)


WIDE = {"x": log(0.1, 10.0), "factor": log(1.0, 10.0)}


def test_the_dot_lies_on_the_curve_and_the_curve_is_the_function():
    shown = explore(by_array, lines(), **WIDE)
    along = shown.evaluate(shown.values)
    assert along.at == 2 and along.here == {"product": 6, "square": 4} and shown.evaluate.by_array
    assert np.allclose(along.curves["product"], along.axis.values * 3) and 2.0 in along.axis.values
    shown = explore(by_point, lines(), **WIDE)  # a function that decides is asked point by point, and gaps stay gaps
    along = shown.evaluate(shown.values)
    assert not shown.evaluate.by_array and along.curves["none below"][-1] == 10
    assert np.array_equal(along.curves["larger"], np.maximum(along.axis.values, 3))
    assert np.isnan(along.here["none below"]) and np.isnan(along.curves["none below"][0])


def test_moving_along_the_curve_does_not_compute_it_again():
    calls = []

    def counted(x=2.0, factor=3.0):
        calls.append(np.size(x))
        return x * factor

    shown = explore(counted, lines(), **WIDE)
    first = len(calls)
    shown.set(x=5)
    assert calls[first:] == [1]
    shown.set(factor=4)
    assert len([size for size in calls[first:] if size > 1]) == 1


def lone(x=1.0):
    return x


def test_a_lone_number_is_a_curve_without_a_name_and_a_long_slider_gives_its_ends_and_between():
    shown = explore(lone, lines(), x=log(0.1, 10.0))
    assert shown.evaluate(shown.values).here == {"": 1.0} and shown.picture.sentence == "x 1: 1."
    long = explore(lambda x=5: x + 0.0, views.Lines(over="x", y="y", limits=(0, 400)), x=(0, 300))
    values = long.evaluate.axes[0].values
    assert len(values) <= MOST and values[0] == 0 and values[-1] == 300


def busy(m=64, edge=128):
    return systolic.cycles(Gemm(m, 512, 512), edge, edge, "ws").utilization


def test_a_map_is_the_function_over_two_menus_and_the_frame_is_where_they_stand():
    m, edge = {str(v): v for v in (1, 8, 64)}, {f"{e} x {e}": e for e in (64, 128)}
    shown = explore(busy, views.Map(over=("m", "edge"), label="busy"), m=m, edge=edge)
    across = shown.evaluate(shown.values)
    assert across.table.shape == (2, 3) and "128 x 128" in shown.picture.sentence
    assert across.table[1, 2] == across.here == pytest.approx(busy())
    assert across.table[0, 1] == pytest.approx(busy(8, 64))


def broken(x=1.0):
    raise ValueError("out of range")


def test_a_view_that_names_no_control_is_refused_and_an_error_is_not_taken_for_a_no_to_arrays():
    with pytest.raises(ValueError, match="no control is named 'y'.* there are x"):
        explore(by_array, views.Lines(over="y", y="value", limits=(0, 1)), x=log(0.1, 10.0))
    with pytest.raises(ValueError, match="give the limits"):
        views.Lines(over="x", y="value")
    with pytest.raises(ValueError, match="out of range"):
        explore(broken, lines(), x=log(0.1, 10.0))


def test_more_curves_than_looks_are_drawn_all_the_same():
    def many(x=1.0):
        return {f"curve {place}": x + place for place in range(6)}

    shown = explore(many, lines(), x=log(0.1, 10.0))
    drawn = [layer.name for layer in shown.picture.view.marks(shown.picture.states[-1])]
    assert [f"curve {place}" for place in range(6)] == [n for n in drawn if n.startswith("curve")]
    assert "curve 5" in shown.picture.sentence


def test_marks_may_follow_the_controls_and_a_switch_hides_them():
    def marks(y, seen, **_):
        return {"measured": ([2.0, 4.0], [y, 2 * y])} if seen else {}

    def line(x=1.0, y=3.0, seen=False):
        return {"model": x * y}

    view = views.Lines(over="x", y="value", limits=(0.01, 1000), marks=marks)
    shown = explore(line, view, x=log(1.0, 10.0), y=log(1.0, 10.0), seen=True)

    def measured():
        layers = {layer.name: layer.columns for layer in view.marks(shown.picture.states[-1])}
        high = layers["mark measured"]["y"] if "mark measured" in layers else None
        return "measured" in layers.get("key words", {"text": ()})["text"], high

    assert measured() == (False, None)  # it gets its place in the legend when it is seen
    shown.set(seen=True)
    named, high = measured()
    assert named and np.allclose(high, [view.chart.y(3), view.chart.y(6)], atol=0.1)
    shown.set(y=1.0)
    assert np.allclose(measured()[1], [view.chart.y(1), view.chart.y(2)], atol=0.1)
    shown.set(seen=False)
    assert measured() == (False, None)
