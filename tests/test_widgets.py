import re
import time
from dataclasses import replace
from itertools import combinations

import pytest
from refused import refused

from accelerator_course import ladder, syllabus, views, widgets
from accelerator_course.quiz import bank, markdown, progress, quantity
from accelerator_course.quiz.markdown import words
from accelerator_course.widgets import progress as show_progress
from accelerator_course.widgets.catalog import exploration
from accelerator_course.widgets.progress import summary
from accelerator_lib import hardware, roofline
from accelerator_lib.machine.progress import Progress
from accelerator_lib.workload import Gemm


def dot(m=1, chip="h100-sxm5", dtype="bf16", overlap=True):
    return roofline.place(Gemm(m, 8192, 8192), chip, dtype, overlap=overlap)


@pytest.fixture
def roof():
    chips = hardware.chips("bf16")
    return widgets.explore(
        dot, views.roofline.Roofline(), m=widgets.log(1, 16384), chip=chips, dtype=["bf16", "fp8"], overlap=True
    )


def test_a_panel_starts_at_the_defaults_and_shows_picture_and_sentence(roof):
    assert roof.values == {"m": 1, "chip": hardware.chip("h100-sxm5"), "dtype": "bf16", "overlap": True}
    before = roof.picture.widget.part
    assert roof.picture.sentence.startswith("1 FLOP per byte") and before["total"] == 1 and len(before["data"]) > 300
    assert before["head"]["states"][0]["say"] == roof.picture.sentence
    bundle, _ = roof._repr_mimebundle_()  # without live widgets
    assert "<svg" in bundle["text/html"] and bundle["text/plain"] == roof.picture.sentence
    roof.controls["m"].value = 16384
    assert roof.picture.widget.part["data"] != before["data"] and "3,277 FLOP per byte" in roof.picture.sentence


def test_set_reaches_any_value_in_range_and_reset_returns(roof):
    roof.set(m=10**9)
    assert roof.values["m"] == 16384
    roof.set(m=500, chip="a100-80gb-sxm", dtype="bf16", overlap=False)
    assert roof.values["m"] == 500 and roof.controls["m"].label == "500" and roof.values["chip"].id == "a100-80gb-sxm"
    roof.reset()
    assert roof.values["m"] == 1 and roof.values["overlap"] is True
    refused(ValueError, "no control named n", roof.set, n=3)
    refused(ValueError, "'b100x' is not a choice of chip", roof.set, chip="b100x")
    roof.set(chip="tpu-v4", dtype="fp8")  # what the data cannot answer is said calmly
    note = roof.picture.widget.note
    assert "Google TPU v4 has no fp8 peak" in note["text"] and "wrong" not in note
    roof.set(dtype="bf16")
    assert roof.picture.widget.note == {} and "Google TPU v4" in roof.picture.sentence


def fragile(n=1):
    if n == 3:
        raise ZeroDivisionError("boom <i>")
    return {"a": n, "b": 2 * n}


def test_an_error_is_shown_to_the_reader_and_raised_and_the_next_value_repairs():
    panel = widgets.explore(fragile, views.Bars("time", "s", (0.1, 100)), n=(1, 5))
    with pytest.raises(ZeroDivisionError):
        panel.controls["n"].value = 3
    assert panel.picture.widget.note == {"text": "ZeroDivisionError: boom <i>", "wrong": True}
    panel.controls["n"].value = 4
    assert panel.picture.widget.note == {} and "a: 4 s" in panel.picture.sentence


def test_a_grid_holds_both_ends_the_default_and_whole_numbers():
    grid = widgets.log(1, 16384).grid(300)
    assert grid[0] == 1 and grid[-1] == 16384 and 300 in grid and 512 in grid
    assert grid == sorted(set(grid)) and all(isinstance(value, int) for value in grid) and 40 < len(grid) < 100
    assert 6.87e-3 in widgets.log(1e-4, 0.1).grid(6.87e-3)
    assert widgets.controls.Range(0.0, 1.0, 0.25).grid(0.5) == [0.0, 0.25, 0.5, 0.75, 1.0]
    assert widgets.controls.Range(2017, 2025).grid(2025) == list(range(2017, 2026))


def test_words_and_units_stand_where_they_can_be_read():
    slider = widgets.controls.control("work", widgets.log(1e-4, 0.1, unit="s", label="useful work"), 6.87e-3)
    assert slider.label == "6.87 ms" and slider.description == "useful work"
    slider = widgets.controls.control("batch", widgets.log(1, 4096, unit="tokens"), 16)
    assert slider.label == "16" and slider.description == "batch [tokens]"
    assert widgets.controls.control("year", widgets.linear(2017, 2025, unit="year"), 2020).label == "2020"
    assert widgets.controls.control("overlap", widgets.controls.switch("hidden"), True).description == "hidden"
    assert widgets.controls.control("overlap", True, False).value is False


WRONG = [
    ((1, 1000), 5, r"spans more than 100x: use log\(1, 1000\)"),
    ((5, 1), 3, "from low to high"),
    ((1, 10), 50, "lies outside its slider"),
    ((1, float("inf")), 3, "high"),
    ((0.0, 1.0, 1e-6), 0.5, "too many"),
    (["a", "b"], "c", "is not one of"),
    *((given, "a", "must be") for given in ({}, "abc", None)),
]


@pytest.mark.parametrize("given, default, message", WRONG)
def test_a_control_that_cannot_work_is_refused_in_one_line(given, default, message):
    refused((ValueError, TypeError), message, widgets.controls.control, "x", given, default)


def test_a_function_without_defaults_or_with_other_names_is_refused():
    roofline = views.roofline.Roofline
    refused(ValueError, "argument m of bare needs a default", widgets.explore, bare, roofline(), m=(1, 5))
    refused(ValueError, "dot has no argument rows; it has m, chip", widgets.explore, dot, roofline(), rows=(1, 5))


def bare(m):
    return m


def all_shown(sheet):
    """A sheet whose every answer was asked for."""
    for item in sheet.items:
        item.widget.receive({"ask": "show"})
    return sheet


def typed(item, value):
    """A number, in the unit of its dimension that has no prefix."""
    units = quantity.DIMENSIONS.get(quantity.dimension(item.question.unit), {item.question.unit: 1})
    return {"value": repr(value), "unit": next(u for u in item.question.units if units.get(u) == 1)}


def test_a_quiz_counts_the_first_answer_and_caps_a_hint(home):
    sheets = (widgets.quiz("roofline", seed=str(n)) for n in range(99))
    sheet = next(s for s in sheets if {"choice", "numeric"} <= {item.question.type for item in s.items})
    choice = next(item for item in sheet.items if item.question.type == "choice")
    choice.widget.receive({"ask": "hint"})
    choice.widget.receive(right_answer(choice))
    assert choice.points == 0.75 and choice.widget.verdict == "right"
    numeric = next(item for item in sheet.items if item.question.type == "numeric")
    numeric.widget.receive({"value": "what", "unit": numeric.question.units[0]})
    assert numeric.tries == 0 and "is not a number" in numeric.widget.said
    numeric.widget.receive(typed(numeric, numeric.question.mistakes[0][0]))
    assert numeric.points == 0 and numeric.mendable
    numeric.widget.receive({"ask": "hint"})
    assert "Not yet." in numeric.widget.said and "Hint." in numeric.widget.said, "a hint leaves the reply"
    numeric.widget.receive(right_answer(numeric))
    assert numeric.points == 0.5 and sheet.deck.note == "1.25 points so far"
    assert sorted(sheet.deck.states) == ["", "", "", "part", "right"]


def test_the_same_seed_draws_the_same_sheet_and_new_questions_another(home):
    first, second = ([item.question for item in widgets.quiz("roofline", seed="a").items] for _ in range(2))
    again = widgets.quiz("roofline", seed="a")
    again.result.receive({"ask": "again"})
    assert first == second != [item.question for item in again.items]


def test_a_finished_quiz_says_whether_it_is_passed_its_best_so_far_and_that_nothing_could_be_saved(home, monkeypatch):
    sheet = all_shown(widgets.quiz("roofline", seed="b"))
    assert "0 of 5 points. 3.5 are needed to pass" in sheet.result.said
    assert progress.events("quiz")[-1]["passed"] is False
    assert "Your best so far: 0 of 5 points." in widgets.quiz("roofline").result.said
    event = progress.events("answer")[0]  # asked for: a first answer that was not known
    assert event["right"] is False and event["try"] == 1 and event["misconception"] is None
    monkeypatch.setattr(progress, "record", lambda event: False)
    assert "could not be saved" in all_shown(widgets.quiz("roofline", seed="d")).result.said


def test_words_to_a_colleague_are_kept(home, monkeypatch):
    box = widgets.explain("roofline")
    assert box.text == "" and box.saved == "" and box.model == "" and "chat service" in box.ask
    printed, _ = box._repr_mimebundle_()
    assert "chat service" in printed["text/html"] and "border-bottom" in printed["text/html"]
    with monkeypatch.context() as patch:
        patch.setattr(progress, "record", lambda event: False)
        box.receive({"text": "Because of the bytes."})
        assert box.saved == "no"  # lost, and tried again
    box.receive({"text": "Because of the bytes."})
    box.receive({"text": "Because of the bytes."})  # the pause and the leaving: one entry
    assert box.saved == "yes" and "share each fetch of the weights" in box.model
    assert "share each fetch" not in printed["text/html"] + printed["text/plain"]
    assert [event["text"] for event in progress.events("explain")] == ["Because of the bytes."]
    again = widgets.explain("roofline")
    assert again.text == "Because of the bytes." and again.saved == "before" and again.model
    again.receive({"text": " "})
    assert again.model == "" and widgets.explain("tiling").text == ""


def test_a_question_without_live_widgets_is_still_its_text_and_watch_returns_the_last_state():
    bundle, _ = widgets.predict("roofline", "many-launches")._repr_mimebundle_()
    assert "How long does the step take?" in bundle["text/plain"] and "<li>10 ms</li>" in bundle["text/html"]
    assert widgets.watch(iter([Progress(0.5, "half"), Progress(1.0, "done")])).doing == "done"


def test_a_set_that_is_mended_is_passed_in_the_log_too_and_one_that_is_finished_is_kept_once(home):
    sheet = widgets.quiz("roofline", seed="c")
    modelled = next(item for item in sheet.items if item.question.type == "numeric" and item.question.mistakes)
    modelled.widget.receive(typed(modelled, modelled.question.mistakes[0][0]))
    for item in sheet.items:
        if item is not modelled:
            item.widget.receive(right_answer(item))
    assert progress.events("quiz")[-1]["points"] == 4
    modelled.widget.receive(right_answer(modelled))
    assert progress.events("quiz")[-1]["points"] == sheet.points == 4.5
    assert "Your best so far: 4.5 of 5" in sheet.result.said
    many, sheet = len(progress.events("quiz")), all_shown(all_shown(widgets.quiz("roofline", seed="c")))
    assert len(progress.events("quiz")) == many + 1
    sheet.deal(before=[item.question.id for item in sheet.items])
    assert "0 of 5 answered" in sheet.result.said and sheet.deck.states == [""] * 5
    assert sheet.items[0].widget.arrive and not sheet.items[1].widget.arrive


def test_a_quick_check_is_one_item_of_any_chapter_and_no_quiz(home):
    check = widgets.quick_check("ridge-point", seed="q")
    (item,), before = check.items, check.items[0].question.ask
    assert item.widget.kicker == "Quick check" and item.widget.after == [["again", "Again"]]
    item.widget.receive({"ask": "again"})  # not offered while it is open
    assert not item.widget.closed
    item.widget.receive(right_answer(item))
    assert item.widget.verdict == "right" and check.result.said == "" and not item.widget.arrive
    assert progress.events("quiz") == [] and progress.events("answer")[0]["right"]
    item.widget.receive({"ask": "again"})
    assert check.items[0].question.id == "ridge-point" and check.items[0].question.ask != before
    assert check.items[0].widget.arrive and len(check.box.children) == 1
    refused(KeyError, "did you mean 'ridge-point'", widgets.quick_check, "ridge-poin")


def right_answer(item):
    """What a learner who knows it would send."""
    q = item.question
    if q.type == "choice":
        return {"option": next(i for i, (_, option) in enumerate(q.options) if option.get("right"))}
    if q.type == "numeric":
        return typed(item, q.answer)
    if q.type == "order":
        return {"value": sorted(range(len(q.options)), key=lambda i: q.options[i][1])}
    return {"value": [q.targets.index(right) for _, right in q.options] if q.type == "match" else q.text}


def test_every_kind_of_item_can_be_answered_on_the_page_and_marks_come_with_the_reply(home):
    sheet = widgets.quiz("roofline", seed="all", items=16)
    assert {item.question.type for item in sheet.items} == {"choice", "numeric", "order", "code", "match"}
    for item in sheet.items:
        assert item.widget.marks == []
        item.widget.receive(right_answer(item))
        assert item.widget.verdict == "right" and item.points == 1, item.question
        assert {mark["sign"] for mark in item.widget.marks} <= {"right", ""} and item.widget.marks
    assert "Passed." in sheet.result.said
    sheet = widgets.quiz("roofline", seed="all", items=16)
    choice = next(item for item in sheet.items if item.question.type == "choice")
    for place, (_, option) in enumerate(choice.question.options):
        if not option.get("right"):
            choice.widget.receive({"option": place})
    assert [mark["sign"] for mark in choice.widget.marks].count("wrong") == 3 and not choice.widget.closed


def test_every_reply_of_a_quiz_leads_to_an_exploration_and_an_answer_can_be_computed(home):
    sheet = all_shown(widgets.quiz("roofline", seed="links", items=16))
    for item in sheet.items:
        kinds = [next(iter(part)) for part in item.widget.feedback]
        assert kinds[-1] == "see" and item.widget.feedback[-1]["see"]["notebook"] == "03_roofline.ipynb"
        assert ("code" in kinds) == bool(item.question.calls)
        said = [len(words(part["html"])) for part in item.widget.feedback if "html" in part]
        assert any(sum(said) <= sum(reply) and len(said) <= len(reply) for reply in item.widget.reserve)
    assert {"see", "html"} == {next(iter(part)) for part in sheet.result.feedback}
    panels = [part["see"]["panel"] for part in sheet.result.feedback if "see" in part]
    assert len(panels) == len(set(panels))  # every panel once


def test_a_closed_card_keeps_no_hint_and_no_show_and_takes_no_second_answer(home):
    item = all_shown(widgets.quiz("roofline", seed="closed")).items[0]
    said, events = item.widget.said, len(progress.events("answer"))
    for ask in ("show", "hint", "again"):
        item.widget.receive({"ask": ask})
    assert item.widget.said == said and len(progress.events("answer")) == events and item.widget.after == []


def test_a_result_names_only_beliefs_that_the_answers_showed_and_none_by_its_code(home):
    own, said = {name: f"“{entry['says']}”" for name, entry in bank.misconceptions().items()}, []
    for believers in (("slope-which-change",), ("slope-which-change", "decode-upgrade")):  # one answer may be a slip
        sheet = widgets.quiz("roofline", seed="beliefs", items=16)
        for item in (item for item in sheet.items if item.question.id in believers):
            item.widget.receive(believing(item))
            assert "That would be right if" in item.widget.said and "It is not, because" in item.widget.said
        said.append(all_shown(sheet).result.said)  # asked for: it shows no belief
        assert said[-1].count("“") < 20 and not re.search(r"\bM\d", " ".join([*said, *show_progress().review]))
    assert not any(text in said[0] for text in own.values())
    assert [name for name, text in own.items() if text in said[1]] == ["M1"]
    assert "“One token passes through a layer of … inputs and …” (chapter 3)" in said[1]
    assert {"see": exploration(bank.misconceptions()["M1"]["panel"])} in sheet.result.feedback
    assert own["M1"] in " ".join(show_progress().review)


def believing(item):
    """A wrong answer that follows from a belief."""
    q = item.question
    if q.type == "choice":
        return {"option": next(place for place, (_, option) in enumerate(q.options) if "misconception" in option)}
    return typed(item, next(wrong for wrong, mistake in q.mistakes if "misconception" in mistake))


def test_no_text_of_a_question_names_a_belief_by_its_code():
    def texts(part):
        if isinstance(part, dict):
            part = [value for key, value in part.items() if key not in ("misconception", "shows", "answer", "code")]
        return [text for value in part for text in texts(value)] if isinstance(part, list) else [str(part)]

    for topic in bank.topics():
        assert not [text for text in texts(bank.load(topic)) if re.search(r"\bM\d+\b", text)]


def test_a_printed_quiz_holds_all_its_questions_with_their_options(home):
    sheet = widgets.quiz("roofline", seed="print", items=12)
    bundle, _ = sheet._repr_mimebundle_()
    page = words(bundle["text/html"])
    assert bundle["text/html"].count('<div class="question">') == 12
    for item in sheet.items:
        for text in (item.question.ask, *(text for text, _ in item.question.options)):
            text = words(markdown.html(text))
            assert text in page and text in bundle["text/plain"]
    assert sheet.box._dom_classes == ("acc-deck",) and sheet.items[0].widget._dom_classes == ("acc-card",)


def missed(item):
    progress.record({"kind": "answer", "item": item, "try": 1, "right": False})


def test_a_warm_up_brings_back_what_was_missed_and_is_not_graded(home):
    missed("order-ridge")
    sheet = widgets.warm_up("tiling", seed="w")
    assert len(sheet.items) == 3 and sheet.items[0].item["see"] == bank.panels()["order-ridge"][1]
    assert sheet.items[0].widget.kicker == "Warm-up 1 of 3 · from chapter 3"
    all_shown(sheet)
    assert progress.events("quiz") == [] and len(progress.events("answer")) == 4


def test_one_button_begins_what_is_due(home):
    due = {"kind": "answer", "try": 1, "right": True, "time": time.time() - 9 * 86_400, "seed": "x"}
    progress._append([due | {"item": item} for item in ("gemm-flops", "ridge-point")])
    bar = widgets.chapter_bar("tiling")
    bar._asked({"ask": "due"})
    sheet = widgets.review()
    assert (bar.due, sheet.items) == (2, []) and "2 questions are due: about 2 minutes." in sheet.result.said
    sheet.result.receive({"ask": "again"})
    sheet.items[0].widget.receive({"ask": "show"})
    assert bar.due == 1 and len(sheet.items) == 2 and sheet.result.asides == []
    all_shown(sheet)
    assert bar.due == 0 and "comes back tomorrow" in sheet.result.said and sheet.result.asides == []
    assert progress.events("answer")[-1]["seed"] == "review 1" and "quiz" not in {e["kind"] for e in progress.events()}


def test_a_checkpoint_draws_from_all_chapters_so_far_two_thirds_of_it_from_what_was_missed(home, monkeypatch):
    known, own = syllabus.chapters(), bank.load("roofline")["quiz"]
    pools = {topic: [{**item, "id": f"{topic}-{item['id']}"} for item in own] for topic in known}
    monkeypatch.setattr(bank, "topics", lambda: list(known))
    monkeypatch.setattr(bank, "load", lambda topic: {"quiz": pools[topic]})
    ridge, fleet = (bank.panels()[id][1] for id in ("order-ridge", "ridge-point"))
    missed("order-ridge")
    sheet = widgets.checkpoint(3, seed="c")
    assert len(sheet.items) == 10 and sum(item.item["see"] == ridge for item in sheet.items) >= 2
    missed("ridge-point")
    final = widgets.checkpoint(13, seed="f")
    assert len(final.items) == 20 and {item.question.type for item in final.items} == {"numeric"}
    asked = {item.widget.kicker.rpartition(" ")[2] for item in final.items}
    assert asked == {entry["label"] for entry in known.values() if entry["number"] <= 13}  # and not the epilogue
    assert sum(item.item["see"] == fleet for item in final.items) >= 13  # in every chapter what was missed comes first
    all_shown(sheet)
    assert progress.events("quiz")[0]["chapter"] == "checkpoint-3" and "7 are needed" in sheet.result.said


def test_a_checkpoint_that_is_none_or_too_early_says_so(monkeypatch):
    refused(ValueError, "after chapters 3, 7, 11, 13; got 4", widgets.checkpoint, 4)
    monkeypatch.setattr(bank, "topics", lambda: list(syllabus.chapters())[:15])
    refused(bank.BadQuiz, "needs the questions of 3 more chapters: Portability", widgets.checkpoint, 13)


def test_a_lecture_shows_the_stem_first_and_the_key_last_and_goes_back_to_a_question_as_it_was_left(home):
    hall = widgets.quiz("roofline", seed="h", lecture=True)
    assert hall.step == "stem" and hall.reasons == [] and hall.first
    hall.receive({"go": "back"})
    hall.receive({"go": "options"})
    hall.receive({"votes": [3, 0, "x", -1]})
    assert hall.step == "discuss" and hall.votes == [[3, 0, 0, 0]] and hall.reasons == []
    hall.receive({"votes": [0, 5]})
    assert hall.step == "verdict" and hall.votes[1] == [0, 5, 0, 0]
    assert sum(reason["right"] for reason in hall.reasons) == 1 and len(progress.events("vote")) == 1
    first = (hall.ask, hall.place)
    hall.receive({"go": "next"})
    assert hall.step == "stem" and hall.votes == [] and (hall.ask, hall.place) != first and not hall.first
    hall.receive({"go": "nowhere"})
    assert hall.step == "stem"
    hall.receive({"go": "options"})
    second = (hall.ask, hall.place)
    hall.receive({"go": "back"})
    assert (hall.ask, hall.place) == first and hall.first
    assert (hall.step, len(hall.votes), len(hall.reasons)) == ("verdict", 2, 4)
    hall.receive({"go": "next"})
    assert (hall.ask, hall.place) == second and (hall.step, hall.votes, hall.reasons) == ("options", [], [])


def passed(chapter, points, of=5, passed=True, seed="s"):
    progress.record({"kind": "quiz", "chapter": chapter, "points": points, "of": of, "passed": passed, "seed": seed})


def rung(id, right=True, star=True):
    progress.record({"kind": "rung", "id": id, "right": right, "source": "x", "score": 1.0 * right, "star": star})


def test_the_progress_panel_downloads_restores_and_prints(home, monkeypatch):
    passed("roofline", 4)
    panel = show_progress()
    assert panel.table[3][3:] == ["80 %", "✔ passed", "–"] and panel.links[2] == "03_roofline.ipynb"
    sent = []
    monkeypatch.setattr(panel, "send", lambda content, buffers: sent.append((content["file"], buffers[0])))
    for name in ("download", "png", "pdf"):
        panel.receive({"ask": name})
    assert [content[:4] for _, content in sent] == [b'{"ki', b"\x89PNG", b"%PDF"]
    monkeypatch.setenv("ACCELERATOR_COURSE_HOME", str(home / "elsewhere"))
    panel.receive({"restore": "nonsense"})
    assert "Not restored: this is not a saved progress" in panel.note
    panel.receive({"restore": sent[0][1].decode()})
    assert "1 new entries" in panel.note and panel.table[3][3] == "80 %"


def test_kernels_and_their_stars_stand_beside_their_chapter(home):
    assert not any("Kernels" in text for text in show_progress().review)
    for given in (("feed", True, False), ("feed",), ("network", True, False), ("map", False, False), ("no such rung",)):
        rung(*given)
    panel, made = show_progress(), summary(progress.events())
    cells = dict(zip(syllabus.chapters(), (row[5] for row in panel.table[1:]), strict=False))
    assert cells["systolic"] == "2 of 2, ★ 1" and cells["roofline"] == "–"
    assert made.rungs == (2, 1, len(ladder.rungs())) and any("2 of 18 right, ★ 1" in text for text in panel.review)
    counts = [int(cell.split(" of ")[1].split(",")[0]) for cell in cells.values() if cell != "–"]
    assert sum(counts) == len(ladder.rungs())


def test_checkpoints_stand_below_the_chapters_and_the_last_one_is_the_final(home):
    passed("checkpoint-3", 9, of=10)
    passed("checkpoint-13", 12, of=20, passed=False)
    panel = show_progress()
    rows = panel.table[1 + len(syllabus.chapters()) :]
    assert [row[0] for row in rows] == [*(f"Checkpoint after chapter {n}" for n in (3, 7, 11)), "Final"]
    assert [row[3:5] for row in rows] == [["90 %", "✔ passed"], ["–", ""], ["–", ""], ["60 %", ""]]
    assert len(panel.links) == len(panel.table) - 1 and panel.links[len(syllabus.chapters())] == "03_roofline.ipynb"


def test_the_page_covers_the_course_once_every_chapter_and_the_final_are_passed(home):
    view = views.Certificate()
    course = [topic for topic, entry in syllabus.chapters().items() if entry["number"] <= 13]
    for place, name in enumerate([*course, "checkpoint-13"]):
        made = summary(progress.events())
        assert not made.complete and f"{place} of {len(course)} chapters passed" in view.show(made)
        passed(name, 4, seed=name)
    made = summary(progress.events())
    assert made.complete and made.checkpoints == (("final", 0.8),) and len(made.rows) == len(syllabus.chapters())
    assert view.show(made).startswith(f"The whole course passed: all {len(course)} chapters and the final, ")
    for name in list(syllabus.chapters())[len(course) :]:
        passed(name, 5)
    rung("feed")
    made = summary(progress.events())  # what comes after the course has a line each, and counts for nothing
    assert made.passed == len(course) and all(row.chapter.passed for row in made.rows[len(course) :])
    everything = tuple((name, 1.0) for name in ("after chapter 3", "after chapter 7", "after chapter 11", "final"))
    view.show(replace(made, checkpoints=everything, seeds=("0a1b2c3d",) * 8, token="ACC1-" + "W" * 250))
    boxes = [text.get_window_extent(view.figure.canvas.get_renderer()) for text in view.ax.texts if text.get_text()]
    assert all(view.figure.bbox.x0 <= box.x0 and box.x1 <= view.figure.bbox.x1 for box in boxes)
    assert not [(a, b) for a, b in combinations(boxes, 2) if a.padded(-1).overlaps(b.padded(-1))]


def test_a_panel_that_was_tried_is_noted_once_and_a_damaged_log_is_named(home, roof):
    roof.id = "dot"
    roof.controls["m"].value = 16
    roof.controls["m"].value = 32
    assert [event["panel"] for event in progress.events("explore")] == ["dot"]
    (home / "answers.jsonl").write_bytes(b"\x00\x01 garbage")
    assert "answers.jsonl was left aside, untouched: it is damaged" in show_progress().note
