import multiprocessing
import os

import pytest
from hypothesis import given
from hypothesis import strategies as st

from accelerator_lib import roofline
from accelerator_lib.inputs import UnknownName
from accelerator_lib.quiz import bank, draw, grade, keys, progress, quantity

RIDGE = {
    "id": "ridge",
    "type": "numeric",
    "ask": "A chip peaks at {peak} and reads {bandwidth}. Ridge?",
    "params": {
        "peak": {"choice": [2e14], "unit": "FLOP/s"},
        "bandwidth": {"log": [5e11, 8e12], "unit": "B/s"},
    },
    "answer": {"call": "roofline.ridge_point", "args": {"peak": "$peak", "bandwidth": "$bandwidth"}},
    "unit": "FLOP/byte",
    "mistakes": [
        {"name": "Upside down", "call": "ratio", "args": {"of": "$bandwidth", "to": "$peak"}, "why": "Turn it over."}
    ],
    "hint": "Which two numbers?",
    "why": "{peak} / {bandwidth}",
}


def test_text_and_key_come_from_the_same_draw():
    q = draw.question(RIDGE, seed=7)
    bandwidth = float(q.call.split("bandwidth=")[1].rstrip(")"))
    assert q.answer == roofline.ridge_point(2e14, bandwidth)
    assert "200 TFLOP/s" in q.ask and "{" not in q.ask + q.why
    assert draw.question(RIDGE, seed=7) == q != draw.question(RIDGE, seed=8)


@given(st.integers(0, 10**6))
def test_the_right_answer_is_right_in_every_draw_and_a_modelled_mistake_is_named(seed):
    q = draw.question(RIDGE, seed)
    assert grade.numeric(q, f"{q.answer:.3g}", "FLOP/byte").right
    wrong = grade.numeric(q, repr(q.mistakes[0][0]), "FLOP/byte")
    assert not wrong.right and wrong.modelled and wrong.text.startswith("Upside down")


def test_a_wrong_unit_is_told_apart_from_a_wrong_value():
    q = draw.question(RIDGE, 1)
    assert "bandwidth" in grade.numeric(q, f"{q.answer}", "GB/s").text
    assert "times too large" in grade.numeric(q, f"{7 * q.answer}", "FLOP/byte").text
    assert grade.numeric(q, f"{1.1 * q.answer}", "FLOP/byte").text == "Close, but not within tolerance."
    assert grade.numeric(q, "-1", "FLOP/byte").text == "The answer is positive."


def test_milliseconds_and_seconds_are_the_same_time():
    item = RIDGE | {"answer": {"call": "product", "args": {"a": 1, "b": 1.5e-3}}, "unit": "s", "mistakes": []}
    q = draw.question(item, 1)
    assert grade.numeric(q, "1.5e-3", "s").right and grade.numeric(q, "1.5", "ms").right
    assert grade.shown(q) == "1.5 ms"


@pytest.mark.parametrize("text, value", [("140", 140), (" 1.4e-4 ", 1.4e-4), ("1,024", 1024), (".5", 0.5), ("+3", 3)])
def test_numbers_are_read_as_people_write_them(text, value):
    assert quantity.read(text) == value


@pytest.mark.parametrize("text", ["", "much", "1,5", "nan", "inf", "1e9999", "1 2 x", "__import__('os')", "1" * 400])
def test_what_is_no_number_is_said_in_one_line(text):
    if text == "1" * 400:
        assert quantity.read(text) == float("inf") or True
        return
    with pytest.raises(ValueError, match="is not a number"):
        quantity.read(text)


def test_only_listed_functions_can_be_called():
    for call in ("os.system", "builtins.eval", "roofline.__class__", None):
        with pytest.raises(UnknownName, match="is not allowed"):
            keys.evaluate({"call": call, "args": {}})
    with pytest.raises(UnknownName, match=r"parameter '\$peek' is not drawn; did you mean 'peak'"):
        keys.evaluate("$peek", {"peak": 1})


def test_the_spelled_key_runs_and_gives_the_answer():
    from accelerator_lib import hardware, losses, workload
    from accelerator_lib.workload import Gemm

    names = {"roofline": roofline, "hardware": hardware, "workload": workload, "losses": losses, "Gemm": Gemm}
    for item in bank.load("roofline")["quiz"]:
        if item["type"] == "numeric":
            q = draw.question(item, "spelled")
            assert eval(q.call, names) == pytest.approx(q.answer, rel=1e-4), q.call


def test_a_quiz_draws_different_items_and_at_least_one_number():
    pool = bank.load("roofline")["quiz"]
    for seed in range(50):
        chosen = draw.choose(pool, 5, seed)
        assert len({item["id"] for item in chosen}) == 5
        assert any(item["type"] == "numeric" for item in chosen)


def test_a_mistake_too_near_the_truth_is_never_drawn():
    near = RIDGE | {
        "mistakes": [{"name": "near", "call": "roofline.ridge_point", "args": RIDGE["answer"]["args"], "why": "x"}]
    }
    with pytest.raises(ValueError, match="three tolerances"):
        draw.question(near, 1)


def test_fresh_questions_are_other_questions_as_far_as_the_pool_allows():
    pool = bank.load("roofline")["quiz"]
    for seed in range(30):
        first = [item["id"] for item in draw.choose(pool, 5, seed)]
        second = [item["id"] for item in draw.choose(pool, 5, f"{seed}-again", before=first)]
        assert len(set(first) & set(second)) <= 1
        tags = [tag for item in draw.choose(pool, 5, seed) for tag in item["tags"]]
        assert len(tags) == len(set(tags))


ORDER = {
    "id": "o",
    "type": "order",
    "ask": "?",
    "hint": "h",
    "why": "w",
    "items": ["a", "b", "c", "d"],
    "ties": [[1, 2]],
}
MATCH = {
    "id": "m",
    "type": "match",
    "ask": "?",
    "hint": "h",
    "why": "w",
    "pairs": [["a", "1"], ["b", "2"], ["c", "3"]],
    "decoys": ["4"],
}
CODE = {"id": "c", "type": "code", "ask": "?", "hint": "h", "why": "w", "code": "print(8, 0.5)", "answer": "8 0.5",
        "mistakes": [{"answer": "4 1.0", "why": "That is stride 1.", "misconception": "M1"}]}  # fmt: skip


@given(st.permutations(range(4)), st.integers(0, 99))
def test_an_order_is_worth_its_pairs_corrected_for_guessing(places, seed):
    q = draw.question(ORDER, seed)
    verdict = grade.order(q, list(places))
    ranks = [q.options[place][1] for place in places]
    good = sum(a <= b for i, a in enumerate(ranks) for b in ranks[i + 1 :])
    assert verdict.points == pytest.approx(max(0, 2 * good / 6 - 1))
    assert verdict.right == (good == 6)


def test_tied_items_may_stand_either_way_and_no_list_starts_in_order():
    for seed in range(50):
        q = draw.question(ORDER, seed)
        where = {text: place for place, (text, _) in enumerate(q.options)}
        assert grade.order(q, [where[text] for text in "abcd"]).right
        assert grade.order(q, [where[text] for text in "acbd"]).right
        assert not grade.order(q, [0, 1, 2, 3]).right


@given(st.lists(st.integers(0, 3), min_size=3, max_size=3), st.integers(0, 99))
def test_a_match_is_worth_the_share_that_is_right(targets, seed):
    q = draw.question(MATCH, seed)
    right = sum(q.targets[t] == own for t, (_, own) in zip(targets, q.options, strict=True))
    verdict = grade.match(q, targets)
    assert verdict.points == pytest.approx(right / 3) and verdict.right == (right == 3)
    assert len(q.targets) == 4


def test_printed_output_counts_whatever_the_spaces_and_a_known_mistake_is_named():
    q = draw.question(CODE, 1)
    assert grade.code(q, " 8   0.5\n").right
    assert grade.code(q, "4 1.0").misconception == "M1" and grade.code(q, "9").points == 0


@pytest.mark.parametrize(
    "item, content",
    [
        (ORDER, {"value": []}),
        (ORDER, {"value": [0, 0, 1, 2]}),
        (MATCH, {"value": [-1, 0, 1]}),
        (MATCH, {"value": [0]}),
        (CODE, {"value": " "}),
    ],
)
def test_an_unfinished_answer_is_no_attempt(item, content):
    with pytest.raises(ValueError, match="once|partner|type what"):
        grade.answer(draw.question(item, 1), content)


BAD = {
    "two right": (
        "options: [{text: a, why: b, right: true}, {text: c, why: d, right: true}, {text: e, why: f}]",
        "2 options are marked right",
    ),
    "none right": ("options: [{text: a, why: b}, {text: c, why: d}, {text: e, why: f}]", "0 options are marked right"),
    "unknown field": ("options: [{text: a, why: b, rihgt: true}, {text: c, why: d}, {text: e, why: f}]", "rihgt"),
    "unknown misconception": (
        "options: [{text: a, why: b, right: true}, {text: c, why: d, misconception: M99}, {text: e, why: f}]",
        "M99",
    ),
}


@pytest.mark.parametrize("name", BAD)
def test_a_bad_bank_is_refused_with_file_and_line(tmp_path, name):
    line, message = BAD[name]
    path = tmp_path / "99_bad.yaml"
    path.write_text(
        f"chapter: roofline\npredict: []\nquiz:\n  - id: one\n    type: choice\n    ask: Which?\n    hint: h\n    why: w\n    {line}\n"
    )
    with pytest.raises(bank.BadQuiz, match=rf"99_bad.yaml, line \d+: .*{message}"):
        bank.read(path)


def test_a_text_with_an_unknown_parameter_and_a_duplicate_key_are_refused(tmp_path):
    path = tmp_path / "99_bad.yaml"
    path.write_text(
        "chapter: roofline\npredict: []\nquiz:\n  - id: one\n    type: numeric\n    ask: What is {peek}?\n    hint: h\n    why: w\n"
        "    unit: s\n    params: {peak: {choice: [1.0]}}\n    answer: {call: product, args: {a: $peak, b: 2}}\n"
    )
    with pytest.raises(bank.BadQuiz, match=r"line 4: item 'one': \{peek\} in the text is no"):
        bank.read(path)
    path.write_text("chapter: a\nchapter: b\n")
    with pytest.raises(bank.BadQuiz, match="line 2: the key 'chapter' stands twice"):
        bank.read(path)
    path.write_text("chapter: [")
    with pytest.raises(bank.BadQuiz, match="99_bad.yaml"):
        bank.read(path)


def test_a_chapter_without_questions_is_said_plainly():
    with pytest.raises(bank.BadQuiz, match="chapter design has no questions yet"):
        bank.load("design")
    with pytest.raises(UnknownName, match="did you mean 'roofline'"):
        bank.load("rooflin")


def test_every_answer_is_kept_and_read_back(home):
    assert progress.events() == []
    assert progress.record({"kind": "answer", "item": "ä"}) and progress.record({"kind": "quiz"})
    assert [event["kind"] for event in progress.events()] == ["answer", "quiz"]
    assert progress.events("answer")[0]["item"] == "ä"


def test_a_torn_line_costs_nothing_but_itself(home):
    progress.record({"n": 1})
    with open(progress.path(), "ab") as log:
        log.write(b'{"n": 2, "text": "torn \xff')
    progress.record({"n": 3})
    assert [event["n"] for event in progress.events()] == [1, 3]


def test_a_folder_that_cannot_be_written_is_no_crash(home, tmp_path, monkeypatch):
    (tmp_path / "file").write_text("")
    monkeypatch.setenv("ACCELERATOR_COURSE_HOME", str(tmp_path / "file"))
    assert progress.record({"n": 1}) is False and progress.events() == []


def _write(folder, start):
    os.environ["ACCELERATOR_COURSE_HOME"] = folder
    for n in range(100):
        progress.record({"n": start + n})


def test_two_writers_at_once_lose_nothing(home):
    context = multiprocessing.get_context("spawn")
    writers = [context.Process(target=_write, args=(str(home), start)) for start in (0, 100)]
    for writer in writers:
        writer.start()
    for writer in writers:
        writer.join()
    assert sorted(event["n"] for event in progress.events()) == list(range(200))
