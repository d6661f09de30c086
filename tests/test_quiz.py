from collections import Counter
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from refused import refused

from accelerator_course.quiz import bank, draw, grade, keys, markdown, marks, quantity
from accelerator_lib import data, roofline
from accelerator_lib.checks.inputs import UnknownName

TABLE = data.parse(Path(__file__).with_suffix(".yaml"))
RIDGE, TIME, ORDER, MATCH, CODE = (TABLE[name] for name in ("ridge", "time", "order", "match", "code"))


def asking(a, b, **more):
    """RIDGE, but with a product for an answer, and no mistake known."""
    return draw.question({**RIDGE, "answer": {"call": "product", "args": {"a": a, "b": b}}, "mistakes": [], **more}, 1)


def test_text_and_key_come_from_the_same_draw():
    q = draw.question(RIDGE, seed=7)
    ((line, value),) = q.calls
    assert q.answer == value == roofline.ridge_point(2e14, float(line.split("bandwidth=")[1].rstrip(")")))
    assert "200 TFLOP/s" in q.ask and "{" not in q.ask + q.why
    assert draw.question(RIDGE, seed=7) == q != draw.question(RIDGE, seed=8)


@given(st.integers(0, 10**6))
def test_the_right_answer_is_right_in_every_draw_and_a_modelled_mistake_is_named(seed):
    q = draw.question(RIDGE, seed)
    assert grade.numeric(q, f"{q.answer:.3g}", "FLOP/byte").right
    wrong = grade.numeric(q, repr(q.mistakes[0][0]), "FLOP/byte")
    assert not wrong.right and wrong.modelled and "this value: Upside down. " in wrong.text


def test_a_wrong_unit_is_told_apart_from_a_wrong_value_and_milliseconds_and_seconds_are_the_same_time():
    q = draw.question(RIDGE, 1)
    much, more, less = (grade.numeric(q, repr(value), "FLOP/byte").text for value in (7 * q.answer, 1.1 * q.answer, -1))
    assert "bandwidth" in grade.numeric(q, f"{q.answer}", "GB/s").text and "times too large" in much
    assert more == "Your value is too large, by less than a factor of two." and less == "The answer is positive."
    q = asking(1, 1.5e-3, unit="s")
    assert grade.numeric(q, "1.5e-3", "s").right and grade.numeric(q, "1.5", "ms").right and grade.shown(q) == "1.5 ms"
    q = draw.question(TIME, 1)
    assert all(grade.numeric(q, text, unit).right for text, unit in (("0.5", "h"), ("1800", "s"), ("1.8e6", "ms")))
    assert grade.numeric(q, "30", "h").text == "Your value is about 60 times too large."


@given(st.floats(0.01, 0.99), st.floats(1.01, 1.9), st.sampled_from([-1, 1]))
def test_an_answer_counts_up_to_its_tolerance_and_no_further(inside, outside, side):
    q = draw.question(TIME, 1)
    for target, found in ((1800, (True, False)), (30, (False, True))):  # the answer, and the mistake that is known
        near, far = (grade.numeric(q, repr(target * (1 + side * n * q.rel_tol)), "s") for n in (inside, outside))
        assert (near.right, near.modelled) == found and not (far.right or far.modelled)


@pytest.mark.parametrize("factor, said", TABLE["how far"])
def test_a_wrong_value_is_told_how_far_it_is_off(factor, said):
    verdict = grade.numeric(draw.question(TIME, 1), repr(1800 * factor), "s")
    assert not verdict.right and said in verdict.text


@pytest.mark.parametrize("value, unit, told, chosen", TABLE["natural"])
def test_a_quantity_takes_the_unit_that_leaves_a_number_one_can_read(value, unit, told, chosen):
    assert quantity.natural(value, unit) == (pytest.approx(told), chosen)


NO_NUMBER = ["", "much", "1,5", "nan", "inf", "-Infinity", "1e", "1 2 x", "__import__('os')"]
TOO_FAR = ["1" * 400, "-" + "9" * 400, "1e9999", "1e309", "1.1e30", "1e-31", "-4.9e-324"]


@pytest.mark.parametrize("text", [*NO_NUMBER, *TOO_FAR])
def test_what_is_no_number_or_beyond_all_answers_is_said_in_one_line(text):
    range = r"is out of range; write 0 or a number from 1e-30 to 1e\+30$"
    with pytest.raises(ValueError, match=range if text in TOO_FAR else "is not a number") as said:
        quantity.read(text)
    assert "\n" not in str(said.value) and len(str(said.value)) < 100


READ = {"140": 140, " 1.4e-4 ": 1.4e-4, "1,024": 1024, ".5": 0.5, "+3": 3}
READ |= {text: float(text) for text in ("1e30", "-1e30", "1e-30", "0", "0e9", "-0.0", "1" * 30)}


@pytest.mark.parametrize("text", READ)
def test_numbers_are_read_as_people_write_them_and_can_be_graded_to_the_ends_of_the_range(text):
    q = draw.question(RIDGE, 1)
    assert quantity.read(text) == READ[text]
    verdict = grade.numeric(q, text, "FLOP/byte")
    assert not verdict.right and "inf" not in verdict.text and "nan" not in verdict.text


def test_a_decimal_comma_that_looks_like_thousands_costs_no_try():
    q = asking(1, 283.375)
    with pytest.raises(ValueError, match="“283,375” is 283375; write decimals with a point"):
        grade.numeric(q, " 283,375 ", "FLOP/byte")
    assert grade.numeric(q, "283.375", "FLOP/byte").right
    assert grade.numeric(asking(1, 283375), "283,375", "FLOP/byte").right
    for other in ("283,374,000", "999,375"):  # wrong either way: nothing is given away
        assert not grade.numeric(q, other, "FLOP/byte").right
    with pytest.raises(ValueError, match="is not a number"):
        grade.numeric(q, "1283,375", "FLOP/byte")


def test_only_listed_functions_can_be_called():
    for call in ("os.system", "builtins.eval", "roofline.__class__", None):
        refused(UnknownName, "is not allowed", keys.evaluate, {"call": call, "args": {}})
    refused(UnknownName, r"parameter '\$peek' is not drawn; did you mean 'peak'", keys.evaluate, "$peek", {"peak": 1})
    near = {"name": "near", **RIDGE["answer"], "why": "x"}  # a mistake too near the truth is never drawn
    refused(ValueError, "three tolerances", draw.question, {**RIDGE, "mistakes": [near]}, 1)


NAMES = {"ratio": ("of", "to"), "difference": ("of", "less"), "product": ("a", "b")}
NESTED = [("ratio", "ratio", "8 / (4 / 2)"), ("product", "ratio", "8 * (4 / 2)")]
NESTED += [("difference", "difference", "8 - (4 - 2)")]


@pytest.mark.parametrize("outer, inner, line", NESTED)
def test_a_key_within_a_key_is_spelled_as_it_is_computed(outer, inner, line):
    within = {"call": inner, "args": dict(zip(NAMES[inner], (4, 2), strict=True))}
    key = {"call": outer, "args": dict(zip(NAMES[outer], (8, within), strict=True))}
    assert keys.spelled(key) == line and keys.evaluate(key) == eval(line)


def test_a_quiz_draws_different_items_and_a_number_and_fresh_questions_as_far_as_the_pool_allows():
    pool = bank.load("roofline")["quiz"]
    for seed in range(50):
        chosen = draw.choose(pool, 5, seed)
        first = {item["id"] for item in chosen}
        assert len(first) == 5 and any(item["type"] == "numeric" for item in chosen)
        assert len(first & {item["id"] for item in draw.choose(pool, 5, f"{seed}-again", before=[*first])}) <= 1
        about = [subject for item in chosen for subject in draw.subjects(item)]
        assert len(about) == len(set(about))


@given(st.permutations(range(4)), st.integers(0, 99))
def test_an_order_is_worth_its_pairs_corrected_for_guessing(places, seed):
    q = draw.question(ORDER, seed)
    verdict, made = grade.order(q, list(places)), marks.marks(q, {"value": list(places)})
    ranks = [q.options[place][1] for place in places]
    good = sum(a <= b for i, a in enumerate(ranks) for b in ranks[i + 1 :])
    assert verdict.points == pytest.approx(max(0, 2 * good / 6 - 1)) and verdict.right == (good == 6)
    assert "".join(mark.text for mark in made) in ("abcd", "acbd")  # closed: the right list, and where each line stood
    assert all(mark.sign == "right" for mark in made) == verdict.right
    for mark in made:
        own = [q.options[place][0] for place in places].index(mark.text) + 1
        assert mark.note == ("" if mark.sign == "right" else f"yours: place {own}")


def test_tied_items_may_stand_either_way_and_no_list_starts_in_order():
    for q in (draw.question(ORDER, seed) for seed in range(50)):
        where = {text: place for place, (text, _) in enumerate(q.options)}
        assert all(grade.order(q, [where[text] for text in words]).right for words in ("abcd", "acbd"))
        assert not grade.order(q, [0, 1, 2, 3]).right


@given(st.lists(st.integers(0, 3), min_size=3, max_size=3), st.integers(0, 99))
def test_a_match_is_worth_the_share_that_is_right_and_marks_every_pair(targets, seed):
    q = draw.question(MATCH, seed)
    verdict, given = grade.match(q, targets), [q.targets[place] for place in targets]
    right = sum(own == wanted for own, (_, wanted) in zip(given, q.options, strict=True))
    assert verdict.points == pytest.approx(right / 3) and verdict.right == (right == 3) and len(q.targets) == 4
    for mark, (left, wanted), own in zip(marks.marks(q, {"value": targets}), q.options, given, strict=True):
        assert mark.text == f"{left}: **{wanted}**"
        assert (mark.sign, mark.note) == (("right", "") if own == wanted else ("wrong", f"yours: {own}"))


def test_printed_output_counts_whatever_the_spaces_and_a_known_mistake_is_named():
    listed, q = draw.question({**CODE, "code": "print([0, 1])", "answer": "[0, 1]"}, 1), draw.question(CODE, 1)
    graded = [grade.code(listed, text).right for text in ("[0,1]", "[ 0 , 1 ]", "[0 1]", "[01]")]
    slip = grade.code(q, "4 1.0")
    assert graded == [True, True, False, False] and slip.misconception == "M1" and not slip.right
    assert grade.code(q, " 8   0.5\n").right and grade.code(q, "9").points == 0
    assert slip.text == "That would be right if strides were free. It is not, because that is stride 1."


UNFINISHED = [(ORDER, []), (ORDER, [0, 0, 1, 2]), (MATCH, [-1, 0, 1]), (MATCH, [0]), (CODE, " ")]


@pytest.mark.parametrize("item, value", UNFINISHED)
def test_an_unfinished_answer_is_no_attempt(item, value):
    with pytest.raises(ValueError, match="once|Choose a match|Type what"):
        grade.answer(draw.question(item, 1), {"value": value})


HEAD = "chapter: roofline\npredict: []\nquiz:\n"
CHOICE = HEAD + "  - id: one\n    type: choice\n    ask: Which?\n    hint: h\n    why: w\n    options: [{}]\n"
PEEK = (
    HEAD
    + "  - {id: one, type: numeric, ask: 'What is {peek}?', hint: h, why: w, unit: s, params: {peak: {choice: [1.0]}}, answer: {call: product, args: {a: $peak, b: 2}}}"
)
ODD = [(CHOICE.format(options), rf"line \d+: .*{said}") for options, said in TABLE["bad"]]
ODD += [(PEEK, r"line 4: item 'one': \{peek\} in the text is no"), ("chapter: [", "")]
ODD += [("chapter: a\nchapter: b\n", "line 2: the key 'chapter' stands twice")]


@pytest.mark.parametrize("text, said", ODD)
def test_a_bad_bank_is_refused_with_file_and_line(tmp_path, text, said):
    path = tmp_path / "99_bad.yaml"
    path.write_text(text)
    with pytest.raises(bank.BadQuiz, match=f"99_bad.yaml.*{said}"):
        bank.read(path)


def test_a_chapter_without_questions_is_said_plainly(tmp_path, monkeypatch):
    refused(UnknownName, "did you mean 'roofline'", bank.load, "rooflin")
    with monkeypatch.context() as patch:
        patch.setattr(bank, "FOLDER", tmp_path)
        refused(bank.BadQuiz, "chapter design has no questions yet", bank.load.__wrapped__, "design")
    monkeypatch.setattr(bank, "load", lambda topic: {"predict": [], "quiz": []})
    said = "chapter roofline asks for no explanation: 03_roofline.yaml has no key"
    refused(bank.BadQuiz, said, bank.explain, "roofline")


def test_all_problems_of_a_file_are_named_with_their_lines(tmp_path):
    path = tmp_path / "99_bad.yaml"
    path.write_text(TABLE["problems"])
    found = bank.inspect(path)[1]
    assert [line.partition(":")[0] for line in found] == [f"99_bad.yaml, line {n}" for n in (4, 6, 6, 7)]
    assert "parameter 'a' must be drawn from finite numbers" in found[0]
    assert "stands twice" in found[1] and "did you mean '03_roofline'" in found[2] and "'parsec' is unknown" in found[3]
    path.write_text(f"{HEAD}  - {{id: one, type: code, ask: '?', hint: h, why: w, code: x}}\n")
    assert bank.inspect(path)[1] == ["99_bad.yaml, line 4: item 'one': 'answer' is a required property"]
    assert "No such file" in bank.inspect(tmp_path / "none.yaml")[1][0]


def test_markdown_says_what_it_says():
    assert markdown.html("`a` < **b**, 2 * 3 * 4") == "<code>a</code> &lt; <strong>b</strong>, 2 * 3 * 4"
    assert markdown.html("- a\n- b").startswith("<ul>") and markdown.plain("**a** & `b < c`") == "a & b < c"
    assert 'href="03_roofline.ipynb#x"' in markdown.html("[there](03_roofline.ipynb#x)")


def test_a_closed_question_marks_what_was_chosen_and_what_is_right_in_its_unit():
    q = draw.question(bank.item("roofline", "compute-again"), 1)
    right = next(i for i, (_, option) in enumerate(q.options) if option.get("right"))
    wrong = (right + 1) % 4
    made = marks.marks(q, {"option": right}, before=[wrong])
    assert (made[right].sign, made[right].note) == ("right", "yours")
    assert (made[wrong].sign, made[wrong].note) == ("wrong", "yours")
    assert marks.marks(q)[right].note == "right" and [m.sign for m in marks.marks(q)].count("") == 3
    assert [m.sign for m in marks.tried(q, [wrong])].count("wrong") == 1
    assert "right" not in [m.sign for m in marks.tried(q, [wrong])]  # the key is not told while it is open
    yours, answer = marks.marks(asking(1, 1.5e-3, unit="s"), {"value": " 3 ", "unit": "µs"})
    assert (yours.text, yours.sign) == ("3 µs", "wrong")
    assert (answer.text, answer.sign) == ("1.5 ms = 1,500 µs", "right")
    yours, answer = marks.marks(draw.question(CODE, 1), {"value": "8   0.5"})
    assert yours.sign == answer.sign == "right" and yours.text == answer.text == "`8 0.5`"


def test_the_room_kept_for_an_answer_does_not_give_it_away_nor_is_one_asked_for_marked_as_the_learners():
    """The rows that keep the room are on the page from the start."""
    order, match, code = (draw.question(item, 1) for item in (ORDER, MATCH, CODE))
    assert len({mark.text.partition(": ")[2] for mark in marks.room(match)}) == 1
    assert [mark.text for mark in marks.room(order)] == [text for text, _ in order.options]
    assert all(mark.text == "0" for mark in marks.room(code))
    told = [mark for q in (order, match, code) for mark in marks.marks(q)]
    assert "yours" not in " ".join(mark.note for mark in told) and "wrong" not in [mark.sign for mark in told]


def test_a_review_asks_for_what_is_wanted_first_and_numbers_first():
    pool, topic = [("roofline", item) for item in bank.load("roofline")["quiz"]], bank.panels()["order-ridge"][1]
    for seed in range(20):
        drawn = draw.revisit(pool, [topic, "M1"], 3, seed)
        assert drawn[0][1]["see"] == topic and "M1" in draw.beliefs_of(drawn[1][1]) and drawn[1][1]["type"] == "numeric"
        assert len({item["id"] for _, item in drawn}) == 3
        ten = draw.revisit(pool, ["M1"], 10, seed, share=2 / 3)
        assert len({item["id"] for _, item in ten}) == 10
    assert len(draw.revisit(pool, [], 3, 1)) == 3 and len(draw.revisit(pool[:2], ["M99"], 3, 1)) == 2


NUMBERS = [(topic, item) for topic in bank.topics() for item in bank.load(topic)["quiz"] if item["type"] == "numeric"]
ABOUT = sorted({subject for _, item in NUMBERS for subject in draw.subjects(item)})


@given(st.integers(1, 30), st.integers(0, 10**6), st.sets(st.sampled_from(ABOUT), max_size=5))
def test_a_spread_asks_all_chapters_alike_and_what_was_missed_first(count, seed, missed):
    drawn = draw.spread(NUMBERS, missed, count, seed)
    assert len({item["id"] for _, item in drawn}) == len(drawn) == min(count, len(NUMBERS))
    asked = Counter(topic for topic, _ in drawn)
    assert max(asked.values()) - min(asked[topic] for topic in bank.topics()) <= 1
    for topic in asked:
        pool = [bool(missed & draw.subjects(item)) for chapter, item in NUMBERS if chapter == topic]
        wanted = sum(bool(missed & draw.subjects(item)) for chapter, item in drawn if chapter == topic)
        assert wanted == min(asked[topic], sum(pool))
    before = [item["id"] for _, item in drawn]
    again = draw.spread(NUMBERS, missed, len(bank.topics()), seed, before)
    assert count > 20 or not {item["id"] for _, item in again} & set(before)
