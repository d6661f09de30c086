"""predict: a question and its panel are one; what is said, kept, shown and marked."""

from types import SimpleNamespace

import numpy as np
import pytest
import toy_guesses
from refused import refused
from sweep import beside_the_picture, ends, meets

from accelerator_course import views
from accelerator_course.frames.systolic import cycle_by_cycle
from accelerator_course.quiz import bank, progress
from accelerator_course.views.results import Across, Along, Axis
from accelerator_course.widgets import explore, log, predict, step, veil
from accelerator_course.widgets.predict import apart
from accelerator_lib import hardware, memory, roofline
from accelerator_lib.workload import Gemm


@pytest.fixture(autouse=True)
def guesses(monkeypatch):
    """Two guesses on a roof, whatever the chapter asks."""
    toy_guesses.install(monkeypatch.setattr)


def dot(m=1, n=8192, k=8192, chip="h100-sxm5", dtype="bf16"):
    return roofline.place(Gemm(m, n, k), chip, dtype)


def roof(id="dot"):
    sizes = {"m": log(1, 16384), "n": log(256, 32768), "k": log(256, 32768)}
    return explore(dot, views.roofline.Roofline(), id=id, chip=hardware.chips("bf16"), dtype=["bf16"], **sizes)


def asked():
    """Two predictions on one panel."""
    return predict("roofline", "batch-128", "upgrade", roof())


@pytest.fixture
def two(home):
    return asked()


def test_a_guess_is_told_what_it_would_need_and_sets_the_panel(two, monkeypatch):
    card = two.cards[0]
    assert two.veil.state == "asked" and "acc-veiled" in two.box._dom_classes and two.panel.values["m"] == 1
    card.receive({"option": 0})
    assert two.veil.state == "committed" and card.verdict == "wrong" and card.closed
    assert "It is 143 µs, not 18 ms. That would be right if each of the 128 tokens took its own 140 µs." in card.said
    assert (two.panel.values["m"], two.panel.values["n"]) == (128, 28672)
    monkeypatch.setattr(veil, "ASKED", set())  # another kernel finds the guess
    again = asked()
    first, second = again.cards
    assert first.guesses == [0] and first.closed and not second.closed
    assert again.questions.children == (first, second) and (again.veil.at, again.veil.state) == (1, "asked")
    second.receive({"ask": "show"})
    monkeypatch.setattr(veil, "ASKED", set())
    whole = asked()
    assert whole.veil.state == "shown" and "acc-veiled" not in whole.box._dom_classes and whole.veil.marks == {}
    assert whole.panel.values == whole.panel.defaults and len(progress.events("predict")) == 2


def test_one_guess_is_one_event_and_a_cell_run_again_may_be_answered_again(two):
    card = two.cards[0]
    for content in ({"option": 3}, {"ask": "show"}, {"option": 0}, {"ask": "again"}):
        card.receive(content)
    assert ["show", "Show me without predicting"] not in card.after
    event = {"kind": "predict", "chapter": "roofline", "id": "batch-128", "guess": 143e-6, "right": True, "time": 0}
    (kept,) = progress.events("predict")
    kept.pop("log")  # drawn with the first record
    assert kept | {"time": 0} == event and card.verdict == "right"
    asked().cards[0].receive({"ask": "show"})
    assert [kept["guess"] for kept in progress.events("predict")] == [143e-6, None]


def test_the_guess_is_marked_where_its_time_lies_and_the_truth_on_the_dot(two):
    two.cards[0].receive({"option": 1})
    view, marks, turn = two.panel.picture.view, two.veil.marks, two.veil.turn
    placed = two.panel.picture.states[-1]
    (spotted,) = (layer.columns for layer in view.marks(placed) if layer.name == "dot")
    (wide, high), spot = view.size, marks["truth"]["spot"]
    assert marks["truth"]["text"] == "143 µs" and spot == view.place("y", placed.flops_per_s)
    assert spot[::2] == pytest.approx((spotted["x"][0] / wide, spotted["y"][0] / high), abs=1e-4)
    guess, slower = marks["guesses"][0], placed.flops_per_s * dot(128, 28672, 8192).seconds / 1.1e-3
    assert guess["text"] == "your guess: 1.1 ms" and guess["spot"] == view.place("y", slower)
    assert guess["spot"][2] > marks["truth"]["spot"][2]  # slower lies lower
    two.panel.controls["m"].value = 16
    assert two.veil.marks == {}  # the reader moves on
    two.cards[0].receive({"ask": "again"})
    assert two.veil.marks == marks and two.veil.turn == turn + 1 and two.panel.values["m"] == 128


def test_two_predictions_on_one_panel_are_asked_one_after_the_other_and_keep_their_own_marks(two):
    first, second = two.cards
    assert list(two.questions.children) == [first]
    first.receive({"option": 1})
    assert [label for _, label in first.after] == ["Next prediction", "Show my guess again"]
    first.receive({"ask": "next"})
    assert list(two.questions.children) == [first, second] and first.after == []
    assert (two.veil.at, two.veil.state, two.veil.marks) == (1, "asked", {}) and two.panel.values["m"] == 1
    second.receive({"ask": "show"})
    assert two.veil.state == "shown" and two.panel.values["chip"].id == "a100-80gb-sxm"
    assert two.veil.marks == {"guesses": [], "truth": {"text": "x1.64", "spot": None}, "gap": ""}
    first.receive({"ask": "again"})
    assert two.panel.values["m"] == 128 and two.veil.marks["guesses"][0]["text"] == "your guess: 1.1 ms"
    assert [card.after[0][1] for card in two.cards] == ["Show my guess again", "Show the answer again"]


def test_a_share_is_offered_in_percent():
    assert predict("network", "which-tier").texts == ["11 %", "53 %", "90 %"]


def test_a_prediction_never_locks(two):
    two.cards[0].receive({"ask": "show"})
    assert two.cards[0].verdict == "told" and "The answer is 143 µs." in two.cards[0].said
    assert two.veil.state == "shown" and two.veil.marks["guesses"] == []
    bundle, _ = two._repr_mimebundle_()  # printed, where no widgets live
    assert "<li>143 µs</li>" in bundle["text/html"] and "<li>x1.64</li>" in bundle["text/html"]
    assert "<svg" in bundle["text/html"] and "How many times as fast" in bundle["text/plain"]


def test_the_hands_of_a_hall_are_marked_and_nobody_is_recorded(two):
    said = [text.split("**")[1] for text in list(two.cards[0]._reasons())[:4]]
    assert said == ["A · 18 ms", "B · 1.1 ms", "C · 280 µs", "D · 143 µs"]
    two.cards[0].vote([12, 20, 0, 8])
    texts = [guess["text"] for guess in two.veil.marks["guesses"]]
    assert texts == ["1.1 ms: 20 of 40 hands", "18 ms: 12 of 40 hands", "143 µs: 8 of 40 hands"]
    assert two.veil.state == "committed" and progress.events("predict") == []
    two.cards[0].vote([1, 0, 0, 0])
    assert len(two.veil.marks["guesses"]) == 3


def test_a_prediction_needs_the_panel_that_its_question_file_names(home, monkeypatch):
    said = "'batch-128' is shown on the panel 'dot', not on 'other'"
    refused(ValueError, said, predict, "roofline", "batch-128", roof("other"))
    refused(ValueError, "takes ids of predictions, then their panel", predict, "roofline", roof())
    refused(KeyError, "did you mean 'batch-128'", predict, "roofline", "batch-12", roof())
    monkeypatch.setenv("ACCELERATOR_COURSE_OPEN", "1")  # nothing is covered
    bare = predict("roofline", "batch-128", roof())
    assert bare.veil.uncovered and "acc-veiled" not in bare.box._dom_classes and bare.veil.offered == []


def march(rows=4, cols=4, k=4, dataflow="os"):
    return cycle_by_cycle(np.ones((rows, k), int), np.ones((k, cols), int), rows, cols, dataflow)


def test_a_simulation_may_wait_for_a_guess_too(home):
    panel = step(march, views.systolic.Wavefront(), id="march", rows=(2, 16), cols=(2, 16), k=(1, 64), dataflow=["os"])
    shown = predict("systolic", "array-once", panel)
    shown.cards[0].receive({"option": 0})
    assert panel.values["rows"] == 8 and shown.veil.marks == {
        "guesses": [{"text": "your guess: 100 %", "spot": None}],
        "truth": {"text": "34 %", "spot": None},
        "gap": "your guess is 3 times too much",
        "to": len(panel.states) - 1,
    }
    tick, panel.tasks = [], SimpleNamespace(look=lambda: tick.append(panel.position), soon=lambda: None)
    panel.position = len(panel.states) - 1
    assert tick == [len(panel.states) - 1] and shown.veil.plays, "a line is ticked where the film has come to it"
    run = panel.picture.widget.part["number"]
    shown.cards[0].receive({"ask": "again"})
    assert panel.picture.widget.part["number"] == run  # the run that is there is played again


def test_what_an_option_says_reads_as_a_sentence_and_gaps_are_told_where_options_are_their_values(home):
    said, gaps = {}, {}
    for topic, id in ((of, entry["id"]) for of in bank.topics() for entry in bank.load(of)["predict"]):
        card = predict(topic, id)
        gaps[id] = [card.gap(option) for option in range(len(card.texts))]
        assert gaps[id][card.right] == "as you guessed"
        card.receive({"option": (card.right + 1) % len(card.texts)})
        said[id] = card.said.split(" A common belief")[0]
    assert said["bigger-array"].startswith("It is “it halves”, not “it doubles”.")
    assert said["small-share"].startswith("It is 39 %, not 0.2 %.")
    assert gaps["cyclic"][:3] == ["it is 80 points less", "it is 72 points less", "it is 40 points less"]
    assert gaps["ring-of-32"][0] == "it is 8.5 times your guess"
    assert gaps["within-five"][2] == "your guess is 32 times too much"
    words = {"double-memory": 0, "occupancy-race": 0, "gptq-weights": 0, "bigger-array": 2}
    assert {gaps[id][option] for id, option in words.items()} == {""}


def test_each_guess_lies_on_the_picture_that_is_asked_about_and_the_right_one_is_not_set_off(two):
    view, offered = two.panel.picture.view, two.veil.offered
    assert [one["text"] for one in offered] == ["18 ms", "1.1 ms", "280 µs", "143 µs"]
    assert two.panel.values["m"] == 1 and "M, rows of inputs: 1 · " in two.veil.waits + " · "
    spots = [one["spot"] for one in offered]
    assert len({spot[0] for spot in spots}) == 1 and spots == sorted(spots, key=lambda spot: -spot[2])
    two.cards[0].receive({"option": 0})
    assert spots[0] == two.veil.marks["guesses"][0]["spot"]
    assert spots[3] != two.veil.marks["truth"]["spot"] and view.at > 1  # an option is rounded


def test_one_key_opens_all_and_what_comes_next_does_not_wait(two, monkeypatch):
    assert beside_the_picture(two) == ""
    two.veil._handle_custom_msg({"open": True}, [])
    assert two.veil.uncovered and two.panel.values == two.panel.defaults
    two.cards[0].receive({"option": 0})
    two.cards[0].receive({"ask": "next"})
    assert two.veil.state == "asked" and two.panel.values == two.panel.defaults
    monkeypatch.setattr(views.roofline.Roofline, "place", lambda view, *_: [0.1, 0.1, 0.1, 0.1])
    assert "marks the truth of 'batch-128'" in beside_the_picture(two), "the sweep sees a mark that lies on nothing"


def test_a_gap_is_a_ratio_from_two_on_and_a_difference_below():
    assert apart(32, 128) == "it is 4 times your guess" and apart(0, 3) == ""
    assert apart(18e-3, 143e-6) == "your guess is 126 times too much"
    assert apart(280e-6, 143e-6 * 1.5) == "it is 23 % less" and apart(100, 130) == "it is 30 % more"
    assert apart(0.8, 0.0, share=True) == "it is 80 points less"
    assert apart(0.5, 0.335, share=True) == "it is 16 points less"


def ended(view, result):
    """Where something ends on a view that shows a result, as a panel does."""
    view.marks(result)
    return list(ends(view, SimpleNamespace(states=[result])))


def touches(spot, points):
    return any(meets(spot, point) for point in points)


def test_a_value_of_either_axis_of_curves_is_placed_where_the_dot_is():
    axis, view = Axis("m", "M", np.array([1.0, 10.0, 100.0]), log=True), views.Lines(over="m", y="share", unit="%")
    points = ended(view, Along(axis, {"one": np.array([0.1, 0.5, 0.9])}, {"one": 0.5}, {"m": 10.0}))
    spot, upright = view.place("y", 0.5), view.place("x", 10.0)
    assert spot[0] == upright[0] == upright[1] and upright[2] < spot[2] == spot[3] < upright[3]
    assert touches(spot, points) and not touches(view.place("y", 0.7), points)


def test_a_value_on_a_bar_is_placed_at_its_end():
    result, view = {"one": 0.01, "another": 1.0}, views.Bars("time", "s", (1e-3, 10))
    points = ended(view, result)
    for name, value in result.items():
        placed = view.place("x", value, name)
        assert placed[0] == placed[1] and touches(placed, points)
    assert view.place("x", 1.0, "one")[3] < view.place("x", 1.0, "another")[2]
    assert view.place("x", 1e9, "one") == view.place("x", 10, "one")  # beyond the axis: at its end


def test_a_share_of_a_bar_a_cell_of_a_map_and_a_walk_through_a_cache_are_placed():
    shares = views.Shares("share", of="one")
    points = ended(shares, {"FLOP": {"a": 0.9, "b": 0.1}, "time": {"a": 0.6, "b": 0.4}})
    assert touches(shares.place("x", 0.6, "time"), points)
    m, edge = Axis("m", "rows", np.array([1, 2, 4])), Axis("edge", "edge", np.array([64, 128]))
    table, map = np.array([[0.1, 0.2, 0.4], [0.05, 0.1, 0.2]]), views.Map(over=("m", "edge"))
    ended(map, Across(m, edge, table, 0.4, {"m": 4, "edge": 64}))
    (x, _, y, _), (other, _, same, _) = map.place("x", 4), map.place("x", 1)
    assert map.place("y", 64) == map.place("x", 4) and other < x and same == y
    own, walk, trace = memory.Cache(64, 8, 64), memory.sweep(8, 4), views.memory.CacheTrace()
    walked = memory.cache.Walked(own, memory.census(walk, own, 10), memory.cache.settled(walk, own))
    points = ended(trace, walked)
    assert touches(trace.place("x", walked.census.hit_rate), points)
