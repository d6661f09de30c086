"""The question files themselves: readable, computable, fair."""

import ast
import contextlib
import io
import re
from collections import Counter
from math import isfinite

import pytest

from accelerator_course.quiz import bank, draw, grade, keys
from accelerator_lib import hardware, roofline
from accelerator_lib.workload import Gemm

TOPICS = bank.topics()
ITEMS = [pytest.param(item, id=item["id"]) for topic in TOPICS for item in bank.items(topic)]
NUMERIC = [param for param in ITEMS if param.values[0]["type"] == "numeric"]
CHOICE = [param.values[0] for param in ITEMS if param.values[0]["type"] == "choice"]
PREDICTIONS = [pytest.param(entry, id=entry["id"]) for topic in TOPICS for entry in bank.load(topic)["predict"]]


@pytest.mark.parametrize("item", NUMERIC)
def test_500_draws_are_finite_sane_and_unambiguous(item):
    for seed in range(500):
        q = draw.question(item, seed)
        assert isfinite(q.answer) and 1e-15 < q.answer < 1e26
        digits = ".3g" if q.rel_tol else ".12g"  # three digits are enough, but for counts
        assert grade.numeric(q, f"{q.answer / grade.quantity.scale(q.unit):{digits}}", q.unit).right
        for wrong, _ in q.mistakes:
            assert isfinite(wrong) and abs(wrong - q.answer) > 3 * q.rel_tol * q.answer


@pytest.mark.parametrize("item", ITEMS)
def test_the_lines_that_an_explanation_offers_run_in_any_cell_and_give_what_they_say(item):
    for seed in range(8):
        q, names, values = draw.question(item, f"runnable-{seed}"), {}, []
        for line in keys.runnable(q.calls).splitlines():
            code, _, printed = line.partition("  # ")
            if line.startswith("from "):
                exec(line, names)
                continue
            value, said = eval(code, names), ast.literal_eval(printed)
            tolerance = 5.1e-4 if isinstance(value, float) else 0  # four digits; counts and names are exact
            assert value == (said if isinstance(said, str) else pytest.approx(said, rel=tolerance, abs=0)), line
            values.append(value)
        assert len(values) == len(q.calls)
        if q.type == "numeric":
            assert values[-1] == pytest.approx(q.answer, rel=1e-5)  # parameters are printed to six digits


@pytest.mark.parametrize("item", ITEMS)
def test_every_item_teaches_and_a_stored_output_is_what_its_code_prints(item):
    assert len(item["why"].split()) <= 60 and not re.search(r"\d{3}", item["hint"]) and item.get("see")
    for option in item.get("options", []):
        assert len(option["why"].split()) >= 5 and not (option.get("right") and "misconception" in option)
    if item["type"] == "code":
        with contextlib.redirect_stdout(io.StringIO()) as printed:
            exec(item["code"], {"__name__": "__main__"})
        assert printed.getvalue().split() == item["answer"].split()
        assert all(mistake["answer"].split() != item["answer"].split() for mistake in item["mistakes"])


@pytest.mark.parametrize("entry", PREDICTIONS)
def test_a_prediction_has_one_right_option_and_every_option_its_reason(entry):
    (right,) = [option for option in entry["options"] if bank.is_answer(option, entry)]
    assert "misconception" not in right and all(len(option["why"].split()) >= 3 for option in entry["options"])


@pytest.mark.parametrize("topic", TOPICS)
def test_a_pool_has_items_of_every_kind_and_a_model_answer_without_a_number_that_could_grow_old(topic):
    kinds, entry = Counter(item["type"] for item in bank.items(topic)), bank.explain(topic)
    levels = Counter(item["level"] for item in bank.load(topic)["quiz"])
    assert min(levels[level] for level in ("apply", "decide", "transfer")) >= 2, levels
    assert kinds["choice"] >= 5 and kinds["numeric"] >= 4
    assert kinds["order"] >= 2 and kinds["code"] >= 2 and kinds["match"] >= 2
    assert entry["ask"].endswith("?") and not re.search(r"\d", entry["model"])
    assert 2 <= len(re.findall(r"[.?!](?= |$)", entry["model"])) <= 5 and len(entry["model"].split()) <= 150


def choices(topic):
    """[(id, [(text, whether it is right)])] of everything that is answered by choosing among words."""
    content = bank.load(topic)
    for item in bank.items(topic):
        if item["type"] == "choice":
            yield item["id"], [(option["text"], option.get("right", False)) for option in item["options"]]
    for entry in content["predict"]:
        if all("text" in option for option in entry["options"]):
            yield entry["id"], [(option["text"], bank.is_answer(option, entry)) for option in entry["options"]]


@pytest.mark.parametrize("topic", TOPICS)
def test_the_right_option_is_no_more_often_the_longest_or_shortest_than_chance_makes_it(topic):
    longest, shortest, chance = [], [], 0.0
    for id, options in choices(topic):
        (answer,) = (len(text) for text, right in options if right)
        others = [len(text) for text, right in options if not right]
        longest += [id] * (answer > max(others))
        shortest += [id] * (answer < min(others))
        chance += 1 / len(options)
    assert len(longest) <= chance and len(shortest) <= chance, (longest, shortest, chance)


def test_the_right_option_stands_anywhere():
    counts = Counter()
    for item in CHOICE:
        for seed in range(2000 // len(CHOICE)):
            q = draw.question(item, seed)
            counts[next(i for i, (_, option) in enumerate(q.options) if option.get("right"))] += 1
    expected = sum(counts.values()) / 4
    assert sum((counts[i] - expected) ** 2 / expected for i in range(4)) < 11.34  # chi-square, 3 degrees, p > 0.01


def test_the_numbers_in_the_words_of_the_roofline_questions_are_the_librarys():
    one, h100 = roofline.place(Gemm(1, 28672, 8192), "h100-sxm5"), hardware.chip("h100-sxm5")
    assert round(one.seconds * 1e6) == 140 and round(one.utilization * 100, 1) == 0.3
    ridge = keys.evaluate({"call": "roofline.ridge_of", "args": {"chip": "h200-sxm", "dtype": "bf16"}})
    assert ridge == pytest.approx(206, abs=0.5) and roofline.critical_batch(8192, 28672, "h100-sxm5") == 310
    assert 40 * h100.bytes_per_s / h100.peak("bf16") == pytest.approx(0.14, abs=0.005)
    # a layer whose weights were read twice needs about twice the rows
    weights, per_row, activations = 2 * 8192 * 28672 * 2, 2 * 8192 * 28672 / one.ridge_point, 2 * (8192 + 28672)
    assert weights / (per_row - activations) == pytest.approx(600, rel=0.05)
    for old, new in (("a100-80gb-sxm", "h200-sxm"), ("a100-40gb-sxm", "b200")):  # decode upgrades by bandwidth
        times = [roofline.place(Gemm(1, 28672, 8192), chip).seconds for chip in (old, new)]
        rates = [hardware.chip(chip).bytes_per_s for chip in (new, old)]
        assert times[0] / times[1] == pytest.approx(rates[0] / rates[1])
