"""Decisions: estimates and their calibration, the card, and that every chapter's key is a measurement nobody has seen."""

import re
from pathlib import Path

import nbformat
import pytest
from hypothesis import given
from hypothesis import strategies as st

from accelerator_course import settings, syllabus
from accelerator_course.quiz import bank, progress
from accelerator_course.quiz.estimates import WANTED, Calibration, calibration, estimate
from accelerator_course.widgets import decision
from accelerator_course.widgets import progress as standing
from accelerator_course.widgets.catalog import NOTEBOOKS
from accelerator_lib import data, validation

TABLE = data.parse(Path(__file__).with_suffix(".yaml"))
LATE = {topic: entry for topic, entry in syllabus.chapters().items() if 3 <= entry["number"] <= 13}
DECIDED = [
    topic for topic, entry in LATE.items() if not entry.get("part") or "decide" in bank.load(topic)
]  # one of two halves
positive = st.floats(1e-6, 1e6)


@given(positive, positive, positive, st.floats(1, 100))
def test_too_much_and_too_little_by_one_factor_are_equally_far_off(low, high, measured, factor):
    low, high = sorted((low, high))
    middle = (low * high) ** 0.5
    made = estimate(min(max(middle, low), high), low, high, measured)
    assert made.held == (low <= measured <= high)
    assert estimate(measured * factor, measured, measured * 1000, measured).factor == pytest.approx(factor)
    assert estimate(measured / factor, measured / 1000, measured, measured).factor == pytest.approx(factor)


@pytest.mark.parametrize("guess, low, high, told", TABLE["refused"])
def test_what_is_no_estimate_is_refused_and_the_line_names_the_field(guess, low, high, told):
    with pytest.raises((TypeError, ValueError), match=told):
        estimate(guess, low, high, measured=7)


@pytest.mark.parametrize("held, word", [(2, "too narrow"), (8, "as often as they should"), (10, "narrower")])
def test_the_first_number_of_a_chapter_counts_and_the_verdict_is_about_the_intervals(held, word):
    made = calibration(TABLE["log"], {"roofline": 100.0, "tiling": 1.0, "gpu": 40.0})
    assert (made.count, made.held) == (2, 1) and made.factor == pytest.approx(3)  # a factor of 2, and one of 4
    assert 0 < WANTED < 1 and word in Calibration(10, held, 1.5).verdict
    assert "Too few" in Calibration(3, 0, 1.5).verdict


@pytest.mark.parametrize("topic", DECIDED)
def test_the_key_is_a_measurement_that_the_chapter_has_not_shown(topic):
    """Read in its source, no claim; and its digits stand nowhere in the chapter, not even in its own question."""
    row, entry = bank.decide(topic)["measured"], bank.decide(topic)
    assert row["basis"] == "seen" and "claim" not in row["conditions"] and row["value"] > 0
    digits = rf"(?<![\d.,]){row['value']:,.10g}(?![\d,]|\.\d)"
    cells = nbformat.read(NOTEBOOKS / f"{syllabus.chapters()[topic]['name']}.ipynb", as_version=4).cells
    sources = [cell.source for cell in cells]
    assert not [text for text in [entry["ask"], *sources * (row["value"] > 100)] if re.search(digits, text)]
    assert sum(f'decision("{topic}")' in source for source in sources) == 1
    assert len({bank.decide(topic)["case"] for topic in DECIDED}) == 3


def test_a_commitment_is_kept_and_shows_what_was_measured(home):
    card = decision("roofline")
    assert not card.rows and "664" not in card.said and "663.8" not in f"{card.get_state()}"
    card.receive({"low": "400", "guess": "600", "high": "700"})
    assert [row["name"] for row in card.rows][::2] == ["you", "measured"] or len(card.rows) == 2
    assert "holds" in card.said and "664 TFLOP/s" in card.said and not card.wrong
    card.receive({"low": "1", "guess": "2", "high": "3"})
    assert [event["guess"] for event in progress.events("decide")] == [600.0]
    again = decision("roofline")
    assert again.given == {"low": 400.0, "guess": 600.0, "high": 700.0} and again.rows == card.rows
    assert "1 of 1 intervals held" in " ".join(standing().review)


@pytest.mark.parametrize("low, guess, high, told", TABLE["typed"])
def test_what_cannot_be_committed_is_said_in_one_line_and_nothing_is_shown(low, guess, high, told, home):
    card = decision("gpu")
    card.receive({"low": low, "guess": guess, "high": high})
    assert told in card.wrong and "\n" not in card.wrong and not card.rows and not progress.events("decide")
    card.receive({"low": "1", "guess": "2", "high": "3"})
    assert not card.wrong and card.rows


def test_a_hall_is_asked_anew_and_what_is_shown_without_a_number_counts_for_nothing(home, monkeypatch):
    card = decision("energy")
    card.receive({"show": True})
    assert [row["name"] for row in card.rows][-1] == "measured" and card.given == {}
    card.receive({"low": "1", "guess": "40", "high": "99"})
    assert len(progress.events("decide")) == 1 and decision("energy").rows == card.rows
    assert "Decisions" not in " ".join(standing().review)
    decision("roofline").receive({"low": "400", "guess": "600", "high": "700"})
    monkeypatch.setenv(settings.HALL, "1")
    card = decision("roofline")
    assert card.rows == [] and card.given == {}
    card.receive({"show": True})
    assert card.rows and len(progress.events("decide")) == 2  # its number is no learner's


def test_a_print_asks_and_leaves_room_but_tells_nothing_and_a_chapter_without_a_decision_says_so(home):
    bundle, _ = decision("silicon")._repr_mimebundle_()
    assert "quoted at 5.3 TB/s" in bundle["text/html"] and "4,150" not in bundle["text/html"]
    with pytest.raises(ValueError, match=r"workload ends with no decision: 01_workload\.yaml"):
        decision("workload")


TOLD = r"were fitted to this row, too\. Fitted without this publisher's rows, they predict\s+([\d.,]+)\. Their\s+interval,\s+"
TOLD += r"([\d.,]+) to ([\d.,]+), ends just below"


@pytest.mark.parametrize("topic", ["llm", "network"])
def test_a_card_whose_models_saw_the_row_says_what_they_say_without_its_publisher(topic):
    entry = bank.decide(topic)
    said = [float(each.replace(",", "")) for each in re.search(TOLD, entry["why"]).groups()]
    judged = {one.id: one for one in validation.report.report()[entry["kind"]]["publisher"].counted}[entry["row"]]
    one = judged.prediction
    assert said == pytest.approx([one.value, one.low, one.high], rel=2e-3)
    assert 0.97 < one.high / entry["measured"]["value"] < 1 < validation.predict(entry["measured"]).high / one.high
