"""Hostile question files: refused in one line before they cost anything, or exported as what they say: tests/attacks."""

import csv
import io
import os
import re
import signal
import sys
import time
import zipfile
from dataclasses import replace
from html import unescape
from html.parser import HTMLParser
from pathlib import Path
from xml.etree import ElementTree as xml

import pytest

from accelerator_course import time_limit
from accelerator_course.quiz import __main__ as command
from accelerator_course.quiz import bank, export, intake, keys, markdown, sheet
from accelerator_course.syllabus import schema

sys.path.append(str(Path(__file__).parent / "attacks"))
import banks

REFUSED = [pytest.param(content, line, id=name) for name, content, line in banks.refused()]
ODD = list(banks.odd_but_right())


@pytest.fixture
def file(tmp_path):
    return tmp_path / "bank.yaml"


@pytest.mark.parametrize("content, line", REFUSED)
def test_a_hostile_file_is_answered_in_lines_that_say_what_is_wrong(file, content, line):
    file.write_bytes(content)
    said = bank.inspect(file)[1]
    assert any(line in one for one in said) and len(said) <= bank.MOST + 1 and max(map(len, said)) < 400
    assert all(one.isprintable() for one in said) and len(REFUSED) + len(ODD) >= 36


def test_a_refused_file_is_told_on_the_command_line_and_not_read(file, capsys):
    file.write_bytes(REFUSED[0].values[0])
    assert command.main(["validate", str(file)]) == 1
    said = capsys.readouterr().out
    assert REFUSED[0].values[1] in said and "bank.yaml" in said
    with pytest.raises(bank.BadQuiz):
        bank.read(file)


@pytest.mark.parametrize("ignored", [False, True])
def test_keys_that_take_too_long_are_ended_and_the_item_is_named(monkeypatch, file, ignored):
    """Where no interrupt arrives, as in a run in the background of a shell, after the key that took too long."""
    calls, begun = [], time.monotonic()
    before = signal.getsignal(signal.SIGINT)

    def slow(key, parameters=None):
        calls.append(key)
        while time.monotonic() < begun + (0.5 if ignored else 60):
            pass
        return 2.0

    monkeypatch.setattr(time_limit, "SECONDS", 0.1)
    monkeypatch.setattr(keys, "evaluate", slow)
    file.write_bytes(banks.bank(banks.NUMBER, banks.NUMBER | {"id": "f"}))
    try:
        signal.signal(signal.SIGINT, signal.SIG_IGN if ignored else before)
        (line,) = bank.inspect(file)[1]
    finally:
        signal.signal(signal.SIGINT, before)
    assert "the file's keys so far took 0.1 seconds" in line and ("'e'" in line or ignored) and len(calls) == 1


def test_what_is_no_file_is_not_read_and_the_courses_own_are_far_below_the_limits(tmp_path):
    if hasattr(os, "mkfifo"):
        os.mkfifo(tmp_path / "pipe.yaml")
        assert bank.inspect(tmp_path / "pipe.yaml")[1] == ["pipe.yaml is no file"]
    assert bank.inspect(tmp_path)[1] == [f"{tmp_path.name} is no file"]
    for path in bank.FOLDER.glob("*.yaml"):
        assert 8 * path.stat().st_size < intake.MOST_BYTES and intake.weighed(path)


def test_only_so_many_problems_are_looked_for(monkeypatch, file):
    looked, errors = [], schema.errors
    monkeypatch.setattr(schema, "errors", lambda content: (looked.append(error) or error for error in errors(content)))
    file.write_bytes(next(content for name, content, _ in banks.refused() if name == "a thousand problems"))
    assert len(bank.inspect(file)[1]) == bank.MOST + 1 and len(looked) == bank.MOST + 1


class Inert(HTMLParser):
    """A page that runs nothing and loads nothing."""

    def handle_starttag(self, tag, attributes):
        assert tag in {"p", "code", "pre", "a", "strong", "em", "br", "ul", "ol", "li", "h1", "h2", "blockquote"}, tag
        for name, value in attributes:
            assert name in {"href", "rel", "target", "class", "start"}
            assert not value.lower().startswith(("javascript", "data", "file", "/"))


@pytest.mark.parametrize("text", [*banks.LINKS, *banks.PAGES])
def test_markdown_runs_nothing_and_loads_nothing(text):
    Inert().feed(markdown.html(text))


@pytest.fixture(params=ODD, ids=[ascii(text) for text, _ in ODD])
def found(request, file):
    text, content = request.param
    file.write_bytes(content)
    made = bank.read(file)
    return text, made, export.variants([made], seed=1, count=1)


def test_spreadsheets_moodle_gift_and_sheets_are_inert(found):
    text, _, variants = found
    cells = [cell for row in csv.reader(io.StringIO(export.table(variants))) for cell in row]
    assert any(text in cell for cell in cells)  # nothing is lost
    assert not [cell for cell in cells if re.match(r"\s*[=+\-@|]", cell) and not re.fullmatch(r"[+-]?[\d.e+-]+", cell)]
    _, made, variants = found
    root = xml.fromstring(export.WRITERS["moodle-xml"](variants).encode())
    for element in root.iter():
        if element.get("format") == "html":
            Inert().feed(element.findtext("text") or "")
    gift = export.WRITERS["gift"](variants)
    assert len(re.findall(r"^::", gift, re.M)) == 4 and len(re.findall(r"(?<!\\)\{", gift)) == 4
    page = sheet.write([made], 1, 1, 4)
    assert not re.search("<(script|img|iframe|svg)", page) and page.count('<li class="question">') == 8


def test_qti_passes_no_script_and_packs_no_file_and_loses_no_word(found):
    text, _, variants = found
    archive = zipfile.ZipFile(io.BytesIO(export.WRITERS["qti"](variants)))
    assert {Path(name).suffix for name in archive.namelist() if name[-1] != "/"} == {".xml"}
    (name,) = [name for name in archive.namelist() if name[-1] != "/" and not re.search("meta|manifest", name)]
    root = xml.fromstring(archive.read(name))
    pages = [element.text or "" for element in root.iter() if element.tag.endswith("mattext")]
    for page in pages:
        Inert().feed(page)
        assert not re.search("q[0-9a-f]{32}q", page)
    assert len([e for e in root.iter() if e.tag.endswith("}item")]) == 7  # a code, a choice, an order, four pairs
    letters = re.findall(r"\w+", re.sub(r"\]\(.*?\)|http\S*", "", text))  # where a link led is left out
    assert all(word in unescape("".join(pages)) for word in letters)


def test_signs_that_xml_cannot_hold_never_reach_it():
    one = export.variants([bank.load("roofline")], seed=1, count=1)[0]
    bad = replace(one, question=replace(one.question, ask="a\0b\x1b\ud800\uffffc", why="\x08"))
    texts = zipfile.ZipFile(io.BytesIO(export.WRITERS["qti"]([bad])))
    packed = [texts.read(name) for name in texts.namelist() if name[-1] != "/"]
    for files in ([export.WRITERS["moodle-xml"]([bad]).encode()], packed):
        assert all(xml.fromstring(file) is not None for file in files) and any(b"abc" in file for file in files)
