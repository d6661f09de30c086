"""A printed exam over several chapters: even, repeatable, and without its key."""

import re
from collections import Counter

import pytest

from accelerator_course.quiz import __main__ as command
from accelerator_course.quiz import draw, exam, export, grade
from accelerator_course.quiz.markdown import html

BANKS = export.banks(["3", "04", "gpu"])


def run(capsys, *arguments):
    return command.main(list(arguments)), "".join(capsys.readouterr())


@pytest.mark.parametrize("items", [1, 3, 10, 12])
def test_every_chapter_asks_as_many_as_any_other_or_one_more_in_their_order(items):
    pairs = exam.chosen(BANKS, 7, items)
    counts = Counter(entry["number"] for entry, _ in pairs)
    assert len({item["id"] for _, item in pairs}) == items == sum(counts.values())
    assert max(counts.values()) - min(counts.get(number, 0) for number in (3, 4, 5)) <= 1
    assert [entry["number"] for entry, _ in pairs] == sorted(entry["number"] for entry, _ in pairs)
    assert set(Counter(item["level"] for _, item in pairs).values()) <= {items // 3, -(-items // 3)}


def test_a_paper_holds_every_question_and_no_answer_and_the_key_holds_all_answers():
    paper, key = exam.papers(BANKS, 7, 2, 9)
    assert exam.papers(BANKS, 7, 2, 9) == (paper, key) and exam.papers(BANKS, 8, 2, 9)[0] != paper
    pairs = exam.chosen(BANKS, 7, 9)
    for q in (draw.question(item, name) for name in ("7-1", "7-2") for _, item in pairs):
        assert html(q.ask) in paper and html(q.why) in key and html(grade.shown(q)) in key
        assert html(q.why) not in paper
    assert "runnable" not in paper and "accelerator_" not in paper and "Key" not in paper
    assert "<script" not in paper + key and "http" not in paper + key


def test_points_add_up_on_every_paper_and_its_key_and_numbers_run_on():
    paper, key = exam.papers(BANKS, 7, 3, 9)
    totals = [int(total) for total in re.findall(r"9 questions, (\d+) points", paper)]
    kinds = [exam.POINTS[item["type"]] for _, item in exam.chosen(BANKS, 7, 9)]
    assert totals == [sum(kinds)] * 3
    for page in (paper, key):
        assert [int(worth) for worth in re.findall(r"\[(\d+) points\]", page)] == kinds * 3
    paper, _ = exam.papers(BANKS, 7, 1, 9)
    assert re.findall(r'<ol start="(\d+)">', paper) == ["1", "4", "7"]
    assert paper.count("<ol") == paper.count("</ol>") and paper.count("<h3>") == 3


def test_the_command_writes_a_paper_and_a_key(tmp_path, capsys):
    file = tmp_path / "midterm.html"
    code, said = run(capsys, "exam", "3", "4", "gpu", "03", "--seed", "7", "--items", "9", "--output", str(file))
    assert code == 0 and "midterm-key.html: 9 questions of 3 chapters, seed 7" in said
    paper, key = exam.papers(BANKS, "7", 1, 9)
    assert file.read_text(encoding="utf-8") == paper
    assert (tmp_path / "midterm-key.html").read_text(encoding="utf-8") == key


def test_what_cannot_be_drawn_is_one_line(tmp_path, capsys):
    for wrong, named in ((["3", "--items", "500"], "500 questions are wanted; these chapters have"), (["99"], "99")):
        code, said = run(capsys, "exam", *wrong, "--output", str(tmp_path / "x.html"))
        assert code == 1 and said.startswith("quiz exam: ") and named in said and said.count("\n") == 1
    assert not list(tmp_path.iterdir())
