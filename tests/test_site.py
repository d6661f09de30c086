"""The book of `make site`: pages, tables, runs, folded answers and a search, which load nothing from elsewhere."""

import json
import re
import shutil
from html import escape, unescape
from pathlib import Path

import badge
import booked
import nbformat
import numpy as np
import pytest
import toy_guesses
import yaml
from nbformat.v4 import new_code_cell, new_notebook, new_output
from packaging.requirements import Requirement

from accelerator_course import ladder, pages, views
from accelerator_course.frames.systolic import cycle_by_cycle
from accelerator_course.pages.book import __main__, ask, building, chapter, controls, front, table
from accelerator_course.quiz import bank
from accelerator_course.start import folders
from accelerator_course.widgets import bench, catalog, explore, log, step, tasks

ROOT = Path(__file__).parents[1]
pytestmark = booked.NEEDED
CALLED = re.compile(r"""<(?:script|img|link|iframe|source)[^>]*?\s(?:src|href)=["']([^"']+)""")


@pytest.fixture(scope="module")
def site(tmp_path_factory):
    return booked.build(tmp_path_factory.mktemp("book"))


@pytest.fixture(scope="module")
def page(site):
    return (site / "03_roofline.html").read_text(encoding="utf-8")


def handed(site, name, of="films/03_roofline"):
    """What the script of a figure hands to the page."""
    text = (site / of / f"{name}.js").read_text(encoding="utf-8")
    return json.loads(text.removeprefix(f'accTake("{name}",').rstrip().removesuffix(");").replace("<\\/", "</"))


def figure(page, name):
    return re.search(rf'<figure [^>]*id="panel-{name}".*?</figure>', page, re.DOTALL)[0]


def said(made, name):
    """What a table says at each place of a control: of a state, or why there is none."""
    states = made["head"]["states"]
    return [seen if isinstance(seen, str) else states[seen]["say"] for seen in made["controls"][name]["shown"]]


def test_a_panel_has_all_its_controls_and_a_table_of_every_place_of_each(site, page):
    from PIL import Image

    shown, made = figure(page, "dot"), handed(site, "dot")
    fields = re.findall(r'<label class="acc-control acc-(\w+)" data-control="(\w+)">(.*?)</label>', shown)
    assert [(name, kind) for kind, name, _ in fields] == [("m", "slider"), ("n", "slider"), ("chip", "menu")]
    assert "Held fixed" not in page and len(re.findall(" disabled[ >]", shown)) == 8  # with Reset and four lines
    for _, name, inner in fields:
        told, texts = made["controls"][name], re.findall("<option[^>]*>([^<]*)</option>", inner)
        assert told["places"] == list(range(len(told["stops"]))) and len(told["shown"]) == len(told["stops"])
        assert texts == told["stops"] if texts else f'max="{len(told["stops"]) - 1}" value="{told["begin"]}"' in inner
        assert said(made, name)[told["begin"]] == unescape(re.search('alt="([^"]*)"', shown)[1])
    assert made["controls"]["m"]["stops"][-1] == "16,384" and len(set(said(made, "m"))) == len(said(made, "m"))
    with Image.open(site / re.search('src="([^"]*)"', shown)[1]) as picture:
        assert picture.format == "WEBP" and len(picture.convert("RGB").getcolors(256)) <= 32


def test_a_table_says_what_the_panel_says_and_a_large_one_keeps_what_is_named(tmp_path, monkeypatch):
    def works(m=100, n=64):
        return next(iter(march(1 + (m + n) % 7)))

    panel = explore(works, views.systolic.Wavefront(), id="works", m=log(1, 16384), n=log(1, 16384))
    known, begin = panel.controls["m"].options, controls.place(panel.controls["m"], 100)
    monkeypatch.setattr(table, "MOST", 2500)
    shown = table.Tables(tmp_path, "films", {"works": [known[11][0]]}).panel(panel)
    places = (made := handed(tmp_path, "works", ""))["controls"]["m"]["places"]
    assert panel.values == panel.defaults and len(places) < len(known) // 2
    assert {0, 11, begin, len(known) - 1} <= {*places}
    for place, sentence in zip(places, said(made, "m"), strict=True):
        panel.set(m=known[place][1])
        assert panel.picture.sentence == sentence
    assert f'max="{len(places) - 1}" value="{places.index(begin)}"' in shown


def lines_of(shown):
    found = re.findall(r'<button type="button" data-set="([^"]*)"(?: data-at="(\d+) \d+")? disabled>([^<]*)<', shown)
    return [(json.loads(unescape(there)), at, says) for there, at, says in found]


def test_every_line_below_a_picture_says_which_controls_it_moves_and_where_in_a_run_it_is(
    site, page, tmp_path, monkeypatch
):
    made, lines = handed(site, "dot"), lines_of(figure(page, "dot"))
    assert [says for *_, says in lines] == [line["says"] for line in toy_guesses.TOY["lines"]]
    stops = [{name: made["controls"][name]["stops"][at] for name, at in there.items()} for there, *_ in lines]
    assert stops[:2] == [{"m": "338"}, {"m": "16,384"}] and [*stops[2]] == ["m", "chip"] and "40" in stops[2]["chip"]
    known = [{"says": "Seventh", "at": 7}, {"says": "Last", "set": {"k": 4}, "at": "end"}]
    monkeypatch.setattr(tasks, "_known", lambda: {"march": [*known, {"says": "More", "set": {"k": 5}, "at": 2}]})
    run = step(march, views.systolic.Wavefront(), id="march", k=(1, 8)).finish()
    shown = table.Tables(tmp_path, "films", {}).run(run)
    last = str(len(run.states) - 1)
    assert lines_of(shown) == [({}, "6", "Seventh"), ({"k": 3}, last, "Last"), ({"k": 4}, "", "More")]
    assert handed(tmp_path, "march", "")["controls"]["k"]["stops"] == [str(k) for k in range(1, 9)]


def test_what_the_live_page_can_take_over_says_of_which_cell_it_is(site, page):
    makes = r"(?m)^(warm_up|predict|explore|quick_check|quiz|explain|decision)\(|exercises\.check\("
    notebook = nbformat.read(site.parent / "notebooks" / "03_roofline.ipynb", 4)
    cells = [cell.id for cell in notebook.cells if re.search(makes, cell.source)]
    assert re.findall(r'<div class="acc-live" data-cell="([^"]+)"', page) == cells and len(cells) == 9


def march(k=4):
    return cycle_by_cycle(np.ones((4, k), int), np.ones((k, 4), int), 4, 4)


def test_a_table_says_where_there_is_nothing_to_show_and_a_panel_without_controls_has_none(site, page):
    made = handed(site, "halted")
    cycle, late = (made["controls"][name]["shown"] for name in ("cycle", "late"))
    assert cycle[:7] == [1, 2, 0, 3, 4, 5, 6] and cycle[7:] == ["nobody watched that long."] * 2
    assert late[0] == 0 and said(made, "late")[1].startswith("Cycle 8 of 14")
    assert made["head"]["states"][0]["say"] in unescape(figure(page, "halted"))
    alone = figure(page, "alone")  # a panel without a control is a picture
    assert "<img" in alone and "range" not in alone and "data-film" not in alone


def test_a_run_is_there_whole_and_a_still_stands_for_it_and_a_long_one_is_thinned(site, monkeypatch):
    made, page = handed(site, "array", "films/00_start_here"), (site / "00_start_here.html").read_text(encoding="utf-8")
    said = [state["say"] for state in made["head"]["states"]]
    assert len(said) == made["run"]["total"] == 14 and said[0].startswith("Cycle 1 of 14")
    assert unescape(re.search('alt="([^"]*)"', figure(page, "array"))[1]) == said[7]
    assert '<div class="acc-scaled" data-place="h100 rack">' in (site / "index.html").read_text(encoding="utf-8")
    states = list(march())
    whole, every = table._wound(views.systolic.Wavefront(), states)
    assert every == 1 and len(whole.head["states"]) == len(states)
    monkeypatch.setattr(table, "RUN_BYTES", whole.bytes * 2 // 3)
    thin, every = table._wound(views.systolic.Wavefront(), states)
    assert every > 1 and len(thin.head["states"]) == -(-len(states) // every) and thin.bytes <= table.RUN_BYTES


def test_a_prediction_gives_every_option_its_reason_and_covers_what_answers_it_until_there_is_a_guess(page):
    entry, cards = toy_guesses.GUESSES[0], re.findall('<section class="acc-ask">.*?</section>', page, re.DOTALL)
    card = next(part for part in cards if "140 µs" in part)
    options = re.findall('<details class="acc-option".*?</details>', card, re.DOTALL)
    assert len(options) == len(entry["options"]) and sum("✔" in option for option in options) == 1
    for option, kept in zip(options, entry["options"], strict=True):
        assert kept["why"] in unescape(option) and ("✔" in option) == bank.is_answer(kept, entry)
    assert entry["why"] in unescape(card) and 'class="acc-still"' in card and "<details open" not in page
    covers = re.findall(r'<details class="acc-fold acc-cover"><summary>(.*?)</summary>(.*?)</details>', page, re.DOTALL)
    assert [summary for summary, _ in covers] == ["The panel, once you have guessed", "What you saw"]
    assert 'id="panel-dot"' in covers[0][1] and "quokkaword" in covers[1][1]
    bare = re.sub("<details.*?</details>", "", page, flags=re.DOTALL)
    assert "quokkaword" not in bare and 'id="panel-alone"' in bare and 'id="panel-halted"' in bare
    assert bare.index("dot-waits.webp") < bare.index("140 µs")  # where the panel begins stands above its question


GONE = ["import numpy", "explore(", "Run it", "For instructors", "Previous:", "chapter_bar", "VBox(", "widget-view"]


def test_the_law_is_read_and_plumbing_is_not_and_answers_of_the_quiz_are_folded(page):
    words = unescape(re.sub("<[^>]+>", "", page))
    assert "def dot(m=1" in words and "printed 2" in words and "What you saw." in words
    assert not [gone for gone in GONE if gone in words] and page.count("<math") == 3 and "$" not in words
    assert page.count("Question 1 of 5") == 1 and page.count("Question 5 of 5") == 1
    open_ = re.sub("<details.*</details>", "", page[page.index("Question 1 of 5") : page.index("Question 5 of 5")])
    assert "✔" not in open_ and bank.explain("roofline")["model"].split(".")[0] in words
    assert "What was measured" in page and "Measured:" in page and "Warm-up: questions from earlier chapters" in page


def test_an_exercise_says_where_it_is_checked_and_a_kernel_leads_to_where_it_runs(page, home):
    note = re.search('<div class="acc-exercise-note">.*?</div>', page, re.DOTALL)[0]
    assert "make lab" in note and "<summary>Hint</summary>" in note
    assert "kernel_time" in page and "Not started" not in page
    sheet, rung = ask.bench(bench.Bench("map")), ladder.rung("map")
    assert escape(rung.blank) in sheet and rung.title in sheet
    assert sheet.count("<pre>") == 2


ABROAD = re.compile(r"""(@import|url\(|from|fetch\()\s*["']?(https?:)?//""")


def test_pages_load_nothing_from_elsewhere_and_all_that_they_load_is_there(site):
    for file in site.glob("*.html"):
        for address in CALLED.findall(file.read_text(encoding="utf-8")):
            assert not re.match(r"(https?:)?//", address), f"{file.name} asks for {address}"
            if not address.startswith(("data:", "#")):
                assert (site / address.partition("?")[0].partition("#")[0]).exists(), f"{file.name}: {address}"
    for file in [*site.rglob("*.css"), *(site / "_static").glob("book.js")]:
        assert not ABROAD.search(file.read_text(encoding="utf-8")), file
    all_lead_somewhere(site)


@pytest.fixture(scope="module")
def words(tmp_path_factory):
    """The words of all chapters, without what their code shows."""

    def read(name, *_):
        notebook = nbformat.read(folders.NOTEBOOKS / f"{name}.ipynb", 4)
        notebook.cells = [cell for cell in notebook.cells if cell.cell_type == "markdown"]
        return chapter.source(notebook)

    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(building, "_executed", read)
        return building.build(tmp_path_factory.mktemp("words"))


def test_links_between_any_two_chapters_lead_to_their_headings_and_promise_nothing_that_is_only_live(words):
    files = {file.name: file.read_text(encoding="utf-8") for file in words.glob("[0-9]*.html")}
    assert len(files) == len(front.all_chapters())
    assert 'href="15b_blocks.html#rung-9-tiled-product"' in files["04_tiling.html"]
    all_lead_somewhere(words)
    said = " ".join(map(unescape, files.values()))
    written = " ".join(path.read_text(encoding="utf-8") for path in folders.NOTEBOOKS.glob("*.ipynb"))
    for there, here in chapter.LIVE_ONLY.items():
        assert there in written and there not in said and here in said


def all_lead_somewhere(site):
    pages_ = {file.name: file.read_text(encoding="utf-8") for file in site.glob("*.html")}
    for name, text in pages_.items():
        for target, _, place in (a.partition("#") for a in re.findall(r'<a [^>]*href="([^":?]*)"', text)):
            known = [f"panel-{id}" for id in catalog.panels(Path(target or name).stem)]  # this book holds only some
            assert (target or name) in pages_, f"{name}: {target}"
            assert not place or place in known or f'id="{place}"' in pages_[target or name], f"{name}: {target}#{place}"


def test_no_page_knows_the_machine_that_built_it_and_little_is_loaded_before_the_first_picture(site, page):
    for file in (one for one in site.rglob("*") if one.suffix in (".html", ".js", ".css", ".inv", ".txt")):
        text = file.read_text(encoding="utf-8", errors="ignore")
        assert not any(place in text for place in (str(site), str(ROOT), f"{Path.home()}/")), file
    names = re.findall(r'\sid="([^"]+)"', page)
    assert len(names) == len(set(names)) and "panel-dot" in names
    for file in site.glob("[0-9i]*.html"):
        text = file.read_text(encoding="utf-8")
        asked = {a.partition("?")[0] for a in CALLED.findall(text) if re.search(r"\.(css|js)(\?|$)", a)}
        assert len(asked) > 4 and len(text.encode()) + sum((site / one).stat().st_size for one in asked) < 300_000


def test_there_is_a_search_a_page_for_teachers_and_an_order(site, page):
    index = (site / "searchindex.js").read_text(encoding="utf-8")
    assert all(word in index for word in ("quokkaword", "ridg", "rooflin", "multipli"))
    text = (site / "TEACHING.html").read_text(encoding="utf-8")
    assert "Teaching with this course" in text and text.count("<table") > 5 and '.ipynb"' not in text
    assert "| week |" not in text and re.search('class="prev-page" href="00_start_here.html"', page)
    assert '<html class="no-js" lang="en"' in page and "width=device-width" in page and (site / ".nojekyll").exists()
    assert sorted(front.all_chapters()) == sorted(path.stem for path in folders.NOTEBOOKS.glob("*.ipynb"))
    assert all(pages.notebook(name).exists() for name in front.all_chapters())


def test_a_second_build_leaves_what_others_put_there(site, tmp_path):
    site = shutil.copytree(site, tmp_path / "site")
    kept, old = site / "kept", site / "films" / "old.js"
    kept.touch()
    old.touch()
    with booked.notebooks(tmp_path / "again"):
        building.build(site, ["00_start_here"])
    assert kept.exists() and not old.exists()


def test_a_chapter_that_fails_and_one_that_does_not_exist_are_one_line(capsys, tmp_path):
    assert __main__.main(["--out", str(tmp_path), "99_nothing"]) == 1
    assert capsys.readouterr().out.startswith("book: there is no chapter '99_nothing'; there are: ")
    wrong = new_output("error", ename="ZeroDivisionError", evalue="division by zero")
    for output, said in (
        (wrong, "ZeroDivisionError: division by zero"),
        (new_output("display_data", {"application/x-odd": "1"}), "the book cannot show application/x-odd"),
    ):
        with pytest.raises(ValueError, match=said):
            chapter.source(new_notebook(cells=[new_code_cell("x", outputs=[output])]))


def ranges(file):
    lines = (ROOT / file).read_text(encoding="utf-8").splitlines()
    return {Requirement(line).name: line for line in lines if re.match("[a-zA-Z]", line)}


def test_the_workflow_builds_the_site_and_publishes_the_folder_at_the_address_of_a_fork():
    needed, tested = ranges("binder/site-requirements.in"), ranges("tests/requirements.txt")
    for name in ("sphinx", "furo", "myst-parser"):
        assert needed[name] == tested[name] and "<" in needed[name] and ">=" in needed[name]
    flow = yaml.safe_load((ROOT / ".github" / "workflows" / "site.yml").read_text(encoding="utf-8"))
    steps = flow["jobs"]["build"]["steps"]
    assert {"run": "make site"} in steps and steps[-1]["with"]["path"] == "build/site"
    publishing = {"pages": "write", "id-token": "write"}  # no build step can publish
    assert (flow["permissions"], flow["jobs"]["publish"]["permissions"]) == ({"contents": "read"}, publishing)
    assert badge.site("https://github.com/Someone/course.git") == "https://someone.github.io/course/"
    assert badge.site("git@github.com:someone/someone.github.io.git") == "https://someone.github.io/"
    with pytest.raises(ValueError, match=r"example.org runs no workflow"):
        badge.site("https://example.org/a/b.git")
