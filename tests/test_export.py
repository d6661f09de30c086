"""Question banks for other systems: the published structure of each format, and nothing lost on the way."""

import csv
import io
import re
import sys
import zipfile
from html import unescape
from pathlib import Path
from xml.etree import ElementTree as xml

import pytest

from accelerator_course.quiz import __main__ as command
from accelerator_course.quiz import bank, cards, draw, export, qti, quantity, sheet
from accelerator_course.quiz.markdown import html
from accelerator_lib import data

BANKS = [bank.load(topic) for topic in bank.topics()]
FOUND = export.variants(BANKS, seed=7, count=3)


def test_items_with_numbers_come_in_variants_and_others_once():
    names = [variant.name for variant in FOUND]
    assert len(set(names)) == len(names) and "ridge-point-03" in names and "honest-metric" in names
    drawn = [v.question.ask for v in FOUND if v.item["id"] == "ridge-point"]
    assert len(set(drawn)) == 3
    few = export.variants([bank.load("workload")], seed=7, count=100)
    assert len({v.question.ask for v in few if v.item["id"] == "gemm-flops"}) == 18  # no more can be drawn
    assert export.variants(BANKS, seed=7, count=3) == FOUND != export.variants(BANKS, seed=8, count=3)


ALLOWED = data.parse(Path(__file__).with_suffix(".yaml"))


def conforms(element, must, may):
    tags = [child.tag for child in element]
    assert {*must} <= {*tags} <= {*must, *may}, (element.tag, element.attrib, tags)
    for child in element:
        if child.tag in ALLOWED["inside"]:
            conforms(child, *ALLOWED["inside"][child.tag])


def test_moodle_xml_has_the_published_structure():
    root = xml.fromstring(export.WRITERS["moodle-xml"](FOUND).encode())
    assert root.tag == "quiz" and {child.tag for child in root} == {"question"}
    for question in root:
        conforms(question, *ALLOWED["moodle"][question.get("type")])
        right = [a for a in question.findall("answer") if a.get("fraction") == "100"]
        assert len(right) == (question.find("answer") is not None)
        assert question.get("type") != "matching" or len(question.findall("subquestion")) >= 3
        assert {part.get("format") for part in question.iter()} <= {None, "html", "moodle_auto_format"}
    identifiers = [e.text for e in root.iter("idnumber")]
    assert len(identifiers) == len(set(identifiers)) == len(FOUND)
    questions = {q.findtext("name/text"): q for q in root if q.get("type") == "numerical"}
    for variant in (v for v in FOUND if v.question.type == "numeric"):  # that the number is right: test_answers.py
        element, q = questions[variant.name], variant.question
        value, tolerance = (float(element.findtext(f"answer/{tag}")) for tag in ("text", "tolerance"))
        assert element.findtext("units/unit/multiplier") == "1" and tolerance == pytest.approx(
            q.rel_tol * value, rel=1e-4
        )


def plain(text):
    return unescape(re.sub(r"\\([~=#{}:\\])", r"\1", text.replace("\\n", "\n")))


def test_gift_reads_back_as_it_was_written():
    blocks = [b for b in export.WRITERS["gift"](FOUND).strip().split("\n\n") if not b.startswith("$CATEGORY")]
    for block, variant in zip(blocks, FOUND, strict=True):
        name, ask, body = re.fullmatch(r"::(.+?):: \[html\](.*?) (?<!\\)\{(.*)(?<!\\)\}", block, re.DOTALL).groups()
        assert plain(name) == variant.name and unescape(html(variant.question.ask)) in plain(ask)
        *answers, last = [line.strip() for line in body.strip("#").strip().splitlines()]
        assert last.startswith("####") and plain(last[4:]) == unescape(html(variant.question.why))
        q = variant.question
        if q.type == "choice":
            assert sorted(line[0] for line in answers) == ["=", *"~" * (len(answers) - 1)]
        elif q.type == "numeric":
            value, tolerance = map(float, re.match(r"=([^#]+)", answers[0])[1].split(":"))
            assert value * quantity.scale(quantity.natural(q.answer, q.unit)[1]) == pytest.approx(q.answer, rel=1e-5)
            assert tolerance == pytest.approx(value * q.rel_tol, rel=1e-4)
            assert all(answer.startswith("=%0%") for answer in answers[1:])
        elif q.type in ("match", "order"):
            assert len(answers) >= 3 and all(" -> " in line for line in answers)
        else:
            assert plain(answers[0]).startswith(f"={q.text}#")


def test_qti_has_the_published_structure():
    archive = zipfile.ZipFile(io.BytesIO(export.WRITERS["qti"](FOUND)))
    (name,) = [n for n in archive.namelist() if n.endswith(".xml") and not re.search("assessment_meta|imsmanifest", n)]
    assert name in archive.read("imsmanifest.xml").decode()
    root = xml.fromstring(archive.read(name))
    for element in root.iter():
        children = {child.tag.rpartition("}")[2] for child in element}
        assert children <= {*ALLOWED["qti"].get(element.tag.rpartition("}")[2], ())}, (element.tag, children)
    space = {"q": root.tag.partition("}")[0][1:]}
    items = root.findall(".//q:item", space)
    lines = sum(len(v.question.options) if v.question.type == "match" else 1 for v in FOUND)
    assert len({item.get("ident") for item in items}) == len(items) == lines
    for item in items:  # every reference to an option or a feedback leads somewhere
        labels = {e.get("ident") for e in item.findall(".//q:response_label", space)}
        feedback = {e.get("ident") for e in item.findall("q:itemfeedback", space)}
        assert {e.get("linkrefid") for e in item.findall(".//q:displayfeedback", space)} <= feedback
        if item.find(".//q:render_choice", space) is not None:
            right = [e.text for e in item.findall(".//q:varequal", space)]
            assert right and set(right) <= labels


def test_without_text2qti_the_format_says_what_to_install(monkeypatch, capsys, tmp_path):
    monkeypatch.setitem(sys.modules, "text2qti.config", None)
    code, said = run(capsys, "export", "--format", "qti", "--output", str(tmp_path / "q.zip"))
    assert code == 1 and "pip install text2qti" in said


def test_csv_has_one_line_a_question():
    rows = list(csv.DictReader(io.StringIO(export.table(FOUND))))
    assert [row["name"] for row in rows] == [v.name for v in FOUND] and list(rows[0]) == export.HEADS
    (row, ridge), *_ = ((row, v) for row, v in zip(rows, FOUND, strict=True) if v.name == "ridge-point-01")
    assert float(row["answer"]) == pytest.approx(ridge.question.answer, rel=1e-5) and row["unit"] == "FLOP/byte"


def test_a_printed_sheet_and_its_key_follow_from_the_seed():
    page = sheet.write(BANKS, 7, 2, 5)
    assert page == sheet.write(BANKS, 7, 2, 5) != sheet.write(BANKS, 8, 2, 5)
    assert page.count('<section class="sheet">') == 4 and page.count('<li class="question">') == 20
    assert "Key of sheet 7-2" in page and "<script" not in page and "http" not in page
    pool = [item for content in BANKS for item in content["quiz"]]
    for item in draw.choose(pool, 5, "7-1"):
        q = draw.question(item, "7-1")
        assert html(q.ask) in page and html(q.why) in page


def run(capsys, *arguments):
    return command.main(list(arguments)), "".join(capsys.readouterr())


def contents(file):
    """What a file holds; of an archive its members, whose time of writing differs."""
    if not zipfile.is_zipfile(file):
        return file.read_bytes()
    archive = zipfile.ZipFile(file)
    return {name: archive.read(name) for name in archive.namelist()}


@pytest.mark.parametrize("form", export.SUFFIX)
def test_the_command_writes_every_format(form, tmp_path, capsys):
    for chapter, file in (("3", tmp_path / "out"), ("roofline", tmp_path / "again")):
        asked = f"export --format {form} --chapters {chapter} --seed 7 --variants 2 --output"
        code, said = run(capsys, *asked.split(), str(file))
        assert code == 0 and file.stat().st_size > 5000 and "1 chapters, seed 7" in said
    assert contents(tmp_path / "out") == contents(tmp_path / "again")


def own(tmp_path, item):
    """A question file with one item."""
    file = tmp_path / "own.yaml"
    file.write_text(f"chapter: roofline\npredict: []\nquiz:\n  - {{{item}}}\n")
    return file


def test_the_command_answers_mistakes_in_one_line(tmp_path, capsys):
    code, said = run(capsys, "export", "--format", "csv", "--chapters", "rooflin")
    assert code == 1 and "did you mean 'roofline'" in said and "\n" not in said.strip()
    code, said = run(capsys, "export", "--format", "csv", "--output", str(tmp_path / "no" / "folder"))
    assert code == 1 and "No such file" in said
    code, said = run(capsys, "validate", str(own(tmp_path, "id: a")), str(bank.FOLDER / "03_roofline.yaml"))
    assert code == 1 and "own.yaml, line 4: item 'a'" in said and "03_roofline.yaml: 21 questions, all in order" in said
    with pytest.raises(SystemExit):
        command.main(["export", "--format", "csv", "--variants", "0"])
    assert "whole number from 1 to 1000" in capsys.readouterr().err


def test_an_order_whose_lines_hold_the_sign_between_them_has_four_answers_that_differ(tmp_path, capsys):
    file = own(tmp_path, "id: a, type: order, ask: q, hint: h, why: w, items: [a, a < a, a < a < a]")
    code, _ = run(capsys, "export", "--format", "qti", "--bank", str(file), "--output", str(tmp_path / "q.zip"))
    orders = qti._orders(draw.question(bank.read(file)["quiz"][0], 1))
    assert code == 0 and len(dict(orders)) == len(orders) == 4
    assert [text for text, right in orders if right] == ["(1) a, (2) a < a, (3) a < a < a"]
    # no file may ask so, but whoever makes a question of their own
    q = draw.Question("a", "order", "q", "h", "w", options=(("x", 0), ("x", 1), ("x", 2)))
    assert qti._orders(q) == [("x < x < x", True)]


def test_a_draw_that_fails_is_one_line(tmp_path, capsys):
    """Only the number that is drawn while the file is checked is a number."""
    item = "id: a, type: numeric, ask: '{p}', hint: h, why: w, unit: s, params: {p: {choice: [1, 2, x]}}"
    file = own(tmp_path, item + ", answer: {call: product, args: {a: $p, b: 2}}")
    assert bank.inspect(file)[1] == []
    code, said = run(capsys, "export", "--format", "csv", "--variants", "9", "--bank", str(file))
    assert code == 1 and "a must be a number" in said and len(said.splitlines()) == 1


def test_a_bank_of_ones_own_is_exported(tmp_path, capsys):
    file = own(tmp_path, "id: mine, type: code, ask: Prints?, code: print(1), answer: '1', hint: h, why: w")
    code, _ = run(capsys, "export", "--format", "gift", "--bank", str(file), "--output", str(tmp_path / "q.gift"))
    assert code == 0 and (tmp_path / "q.gift").read_text().count("::mine::") == 1


def test_cards_for_anki_are_rows_of_five_fields_that_keep_their_names_and_the_printed_ones_say_the_same():
    found = export.variants(export.banks(["3", "5"]), 7, 2)
    text = export.WRITERS["anki"](found)
    head, body = text[: len(cards.HEAD)], text[len(cards.HEAD) :]
    rows = list(csv.reader(io.StringIO(body), delimiter="\t"))
    assert head == cards.HEAD and len(rows) == len(found) and {len(row) for row in rows} == {5}
    assert len({row[0] for row in rows}) == len(rows) and {row[3] for row in rows} == {
        "AI accelerators::03_roofline",
        "AI accelerators::05_gpu",
    }
    printed = export.WRITERS["cards"](found)
    for row, variant in zip(rows, found, strict=True):
        assert row[1] in printed and row[2] in printed and sheet.known(variant.question) == row[2]
        assert " " not in row[4]  # blanks part tags
