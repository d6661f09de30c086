"""Question banks for other systems: the published structure of each format, and nothing lost on the way."""

import csv
import io
import re
import zipfile
from html import unescape
from xml.etree import ElementTree as xml

import pytest

from accelerator_course.quiz import __main__ as command
from accelerator_course.quiz import bank, draw, export, qti, quantity, sheet
from accelerator_course.quiz.markdown import html

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


# Moodle XML as docs.moodle.org describes it: children of an element that must be there, and that may be.
TEXT = {"text"}
COMMON = {"name", "questiontext", "generalfeedback", "defaultgrade", "penalty", "hidden"}
MAY = {"idnumber", "hint", "tags"}
KINDS = {
    "category": ({"category"}, {"info", "idnumber"}),
    "multichoice": (COMMON | {"single", "shuffleanswers", "answernumbering", "answer"}, MAY),
    "numerical": (COMMON | {"answer", "unitgradingtype", "unitpenalty", "showunits", "unitsleft"}, MAY | {"units"}),
    "shortanswer": (COMMON | {"usecase", "answer"}, MAY),
    "matching": (COMMON | {"shuffleanswers", "subquestion"}, MAY),
}
INSIDE = {
    "category": (TEXT, set()), "name": (TEXT, set()), "questiontext": (TEXT, set()), "generalfeedback": (TEXT, set()),
    "hint": (TEXT, set()), "feedback": (TEXT, set()), "answer": (TEXT, {"feedback", "tolerance"}), "tags": (set(), {"tag"}),
    "tag": (TEXT, set()), "units": ({"unit"}, set()), "unit": ({"multiplier", "unit_name"}, set()),
    "subquestion": ({"text", "answer"}, set()),
}  # fmt: skip


def conforms(element, must, may):
    tags = [child.tag for child in element]
    assert must <= set(tags) <= must | may, (element.tag, element.attrib, tags)
    for child in element:
        if child.tag in INSIDE:
            conforms(child, *INSIDE[child.tag])


def test_moodle_xml_has_the_published_structure():
    root = xml.fromstring(export.WRITERS["moodle-xml"](FOUND).encode())
    assert root.tag == "quiz" and {child.tag for child in root} == {"question"}
    for question in root:
        conforms(question, *KINDS[question.get("type")])
        right = [a for a in question.findall("answer") if a.get("fraction") == "100"]
        assert len(right) == (1 if question.find("answer") is not None else 0)
        assert question.get("type") != "matching" or len(question.findall("subquestion")) >= 3
        for formatted in question.iter():
            assert formatted.get("format") in (None, "html", "moodle_auto_format")
    identifiers = [e.text for e in root.iter("idnumber")]
    assert len(identifiers) == len(set(identifiers)) == len(FOUND)


def test_moodle_accepts_the_right_number_in_every_unit_it_offers():
    root = xml.fromstring(export.WRITERS["moodle-xml"](FOUND).encode())
    questions = {q.findtext("name/text"): q for q in root if q.get("type") == "numerical"}
    for variant in (v for v in FOUND if v.question.type == "numeric"):
        element, q = questions[variant.name], variant.question
        value, tolerance = (float(element.findtext(f"answer/{tag}")) for tag in ("text", "tolerance"))
        first, *_ = units = element.findall("units/unit")
        assert first.findtext("multiplier") == "1" and quantity.scale(
            first.findtext("unit_name")
        ) * value == pytest.approx(q.answer, rel=1e-5)
        assert tolerance == pytest.approx(q.rel_tol * value, rel=1e-4)
        for unit in units:  # the documentation: value in this unit = value in the first one x multiplier
            own = value * float(unit.findtext("multiplier")) * quantity.scale(unit.findtext("unit_name"))
            assert own == pytest.approx(q.answer, rel=1e-4)


def test_gift_reads_back_as_it_was_written():
    blocks = [
        block for block in export.WRITERS["gift"](FOUND).strip().split("\n\n") if not block.startswith("$CATEGORY")
    ]
    assert len(blocks) == len(FOUND)

    def plain(text):
        return unescape(re.sub(r"\\([~=#{}:\\])", r"\1", text.replace("\\n", "\n")))

    for block, variant in zip(blocks, FOUND, strict=True):
        name, ask, body = re.fullmatch(r"::(.+?):: \[html\](.*?) (?<!\\)\{(.*)(?<!\\)\}", block, re.DOTALL).groups()
        assert plain(name) == variant.name and unescape(html(variant.question.ask)) in plain(ask)
        lines = [line.strip() for line in body.strip("#").strip().splitlines()]
        assert lines[-1].startswith("####") and plain(lines[-1][4:]) == unescape(html(variant.question.why))
        answers, q = lines[:-1], variant.question
        if q.type == "choice":
            assert sorted(line[0] for line in answers) == ["=", *"~" * (len(answers) - 1)]
        elif q.type == "numeric":
            value, tolerance = map(float, re.match(r"=([^#]+)", answers[0])[1].split(":"))
            assert value * quantity.scale(quantity.natural(q.answer, q.unit)[1]) == pytest.approx(q.answer, rel=1e-5)
            assert tolerance == pytest.approx(value * q.rel_tol, rel=1e-4) and all(
                a.startswith("=%0%") for a in answers[1:]
            )
        elif q.type in ("match", "order"):
            assert len(answers) >= 3 and all(" -> " in line for line in answers)
        else:
            assert plain(answers[0]).startswith(f"={q.text}#")


# QTI 1.2 (IMS, ims_qtiasiv1p2p1): what an element may hold, as far as a quiz uses it.
QTI = {
    "questestinterop": {"assessment"}, "assessment": {"qtimetadata", "section"}, "qtimetadata": {"qtimetadatafield"},
    "qtimetadatafield": {"fieldlabel", "fieldentry"}, "section": {"item"}, "itemmetadata": {"qtimetadata"},
    "item": {"itemmetadata", "presentation", "resprocessing", "itemfeedback"}, "material": {"mattext"},
    "presentation": {"material", "response_lid", "response_str"}, "response_lid": {"render_choice"},
    "response_str": {"render_fib"}, "render_choice": {"response_label"}, "render_fib": {"response_label"},
    "response_label": {"material"}, "resprocessing": {"outcomes", "respcondition"}, "outcomes": {"decvar"},
    "respcondition": {"conditionvar", "setvar", "displayfeedback"}, "itemfeedback": {"flow_mat", "material"}, "flow_mat": {"material"},
    "conditionvar": {"other", "varequal", "or", "and", "vargte", "varlte", "vargt", "not"},
    "or": {"varequal", "and"}, "and": {"vargte", "varlte", "vargt", "varequal"}, "not": {"varequal"},
}  # fmt: skip


def test_qti_has_the_published_structure():
    archive = zipfile.ZipFile(io.BytesIO(export.WRITERS["qti"](FOUND)))
    manifest = archive.read("imsmanifest.xml").decode()
    (name,) = [
        n for n in archive.namelist() if n.endswith(".xml") and "assessment_meta" not in n and n != "imsmanifest.xml"
    ]
    assert name in manifest
    root = xml.fromstring(archive.read(name))

    def check(element):
        tag = element.tag.rpartition("}")[2]
        children = {child.tag.rpartition("}")[2] for child in element}
        assert children <= QTI.get(tag, set()), (tag, children)
        for child in element:
            check(child)

    check(root)
    space = {"q": root.tag.partition("}")[0][1:]}
    items = root.findall(".//q:item", space)
    assert len({item.get("ident") for item in items}) == len(items)
    lines = sum(len(v.question.options) if v.question.type == "match" else 1 for v in FOUND)
    assert len(items) == lines
    for item in items:  # every reference to an option or a feedback leads somewhere
        labels = {e.get("ident") for e in item.findall(".//q:response_label", space)}
        feedback = {e.get("ident") for e in item.findall("q:itemfeedback", space)}
        assert {e.get("linkrefid") for e in item.findall(".//q:displayfeedback", space)} <= feedback
        if item.find(".//q:render_choice", space) is not None:
            right = [e.text for e in item.findall(".//q:varequal", space)]
            assert right and set(right) <= labels


def test_without_text2qti_the_format_says_what_to_install(monkeypatch, capsys, tmp_path):
    import sys

    monkeypatch.setitem(sys.modules, "text2qti.config", None)
    assert command.main(["export", "--format", "qti", "--output", str(tmp_path / "q.zip")]) == 1
    assert "pip install text2qti" in capsys.readouterr().err


def test_csv_has_one_line_a_question():
    rows = list(csv.DictReader(io.StringIO(export.table(FOUND))))
    assert [row["name"] for row in rows] == [v.name for v in FOUND] and list(rows[0]) == export.HEADS
    numeric = next(row for row in rows if row["name"] == "ridge-point-01")
    ridge = next(v for v in FOUND if v.name == "ridge-point-01")
    assert float(numeric["answer"]) == pytest.approx(ridge.question.answer, rel=1e-5) and numeric["unit"] == "FLOP/byte"


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
    code = command.main(list(arguments))
    return code, "".join(capsys.readouterr())


def contents(file):
    """What a file holds; of an archive its members, whose time of writing differs."""
    if not zipfile.is_zipfile(file):
        return file.read_bytes()
    archive = zipfile.ZipFile(file)
    return {name: archive.read(name) for name in archive.namelist()}


@pytest.mark.parametrize("form", export.SUFFIX)
def test_the_command_writes_every_format(form, tmp_path, capsys):
    file = tmp_path / "out"
    code, said = run(
        capsys, "export", "--format", form, "--chapters", "3", "--seed", "7", "--variants", "2", "--output", str(file)
    )
    assert code == 0 and file.stat().st_size > 5000 and "1 chapters, seed 7" in said
    again = tmp_path / "again"
    run(
        capsys,
        "export",
        "--format",
        form,
        "--chapters",
        "roofline",
        "--seed",
        "7",
        "--variants",
        "2",
        "--output",
        str(again),
    )
    assert contents(file) == contents(again)


def test_the_command_answers_mistakes_in_one_line(tmp_path, capsys):
    code, said = run(capsys, "export", "--format", "csv", "--chapters", "rooflin")
    assert code == 1 and "did you mean 'roofline'" in said and "\n" not in said.strip()
    code, said = run(capsys, "export", "--format", "csv", "--output", str(tmp_path / "no" / "folder"))
    assert code == 1 and "No such file" in said
    bad = tmp_path / "bad.yaml"
    bad.write_text("chapter: roofline\npredict: []\nquiz:\n  - {id: a}\n")
    code, said = run(capsys, "validate", str(bad), str(bank.FOLDER / "03_roofline.yaml"))
    assert code == 1 and "bad.yaml, line 4: item 'a'" in said and "03_roofline.yaml: 21 questions, all in order" in said
    with pytest.raises(SystemExit):
        command.main(["export", "--format", "csv", "--variants", "0"])
    assert "whole number from 1 to 1000" in capsys.readouterr().err


def test_an_order_whose_lines_hold_the_sign_between_them_has_four_answers_that_differ(tmp_path, capsys):
    own, made = tmp_path / "own.yaml", tmp_path / "q.zip"
    own.write_text(
        "chapter: roofline\npredict: []\nquiz:\n"
        "  - {id: a, type: order, ask: q, hint: h, why: w, items: [a, a < a, a < a < a]}\n"
    )
    code, _ = run(capsys, "export", "--format", "qti", "--bank", str(own), "--output", str(made))
    orders = qti._orders(draw.question(bank.read(own)["quiz"][0], 1))
    assert code == 0 and len(dict(orders)) == len(orders) == 4
    assert [text for text, right in orders if right] == ["(1) a, (2) a < a, (3) a < a < a"]


def test_what_lines_cannot_tell_apart_ends_too():
    """No file may ask so, but whoever makes a question of their own."""
    q = draw.Question("a", "order", "q", "h", "w", options=(("x", 0), ("x", 1), ("x", 2)))
    assert qti._orders(q) == [("x < x < x", True)]


def test_a_draw_that_fails_is_one_line(tmp_path, capsys):
    """Only the number that is drawn while the file is checked is a number."""
    own = tmp_path / "own.yaml"
    own.write_text(
        "chapter: roofline\npredict: []\nquiz:\n  - {id: a, type: numeric, ask: '{p}', hint: h, why: w, unit: s,"
        " params: {p: {choice: [1, 2, x]}}, answer: {call: product, args: {a: $p, b: 2}}}\n"
    )
    assert bank.inspect(own)[1] == []
    code, said = run(capsys, "export", "--format", "csv", "--variants", "9", "--bank", str(own))
    assert code == 1 and "a must be a number" in said and len(said.splitlines()) == 1


def test_a_bank_of_ones_own_is_exported(tmp_path, capsys):
    own = tmp_path / "own.yaml"
    own.write_text(
        "chapter: roofline\npredict: []\nquiz:\n  - {id: mine, type: code, ask: Prints?, code: print(1), answer: '1', hint: h, why: w}\n"
    )
    code, _ = run(capsys, "export", "--format", "gift", "--bank", str(own), "--output", str(tmp_path / "q.gift"))
    assert code == 0 and (tmp_path / "q.gift").read_text().count("::mine::") == 1
