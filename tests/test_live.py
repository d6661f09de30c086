"""What the live page runs, without a browser: cells and their needs, widgets that are their traits, one hand-over a turn."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from accelerator_course.pages.live import cells, pack
from accelerator_course.quiz import bank, draw
from accelerator_course.quiz.markdown import html

ROOT = Path(__file__).parents[1]
ROOM = """
import json, sys
from accelerator_course.pages.live import cells, headless
from accelerator_course.pages.live.room import Room
from accelerator_course import pages
headless.install()
sys.modules |= {"PIL": None, "matplotlib": None}  # as in a browser
told = []
room = Room(lambda text, buffers: told.append((json.loads(text), [len(one) for one in buffers])))
chapter = cells.chapter(pages.notebook(sys.argv[1]))
room.load(chapter["cells"], chapter["needs"])
for line in sys.stdin:
    told.clear()
    name, *given = json.loads(line)
    getattr(room, name)(*given)
    print(json.dumps(told), flush=True)
"""


@pytest.fixture(scope="module")
def room(tmp_path_factory):
    """room("show_cell", id): what the page of chapter 3 is told, in a process where the stand-ins are installed."""
    home = os.environ | {"ACCELERATOR_COURSE_HOME": str(tmp_path_factory.mktemp("home")), "PYTHONPATH": str(ROOT)}
    command = [sys.executable, "-W", "error::SyntaxWarning", "-c", ROOM, "03_roofline"]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, env=home) as process:

        def asked(*given):
            process.stdin.write(json.dumps(given) + "\n")
            process.stdin.flush()
            (said, buffers), *_ = json.loads(process.stdout.readline())
            return said | {"buffers": buffers}

        yield asked
        process.stdin.close()


def kinds(said):
    return {entry["id"]: entry for entry in said["new"]}


def test_a_cell_needs_what_made_its_names_and_what_changed_them_and_nothing_else():
    sources = "import math\nx = 1", "y = 2", "x = x + 1", "print(x)", "def f(:", "len([])"
    needs = cells.needs(dict(zip("abcdef", sources, strict=True)))
    assert needs == {"a": [], "b": [], "c": ["a"], "d": ["a", "c"], "e": [], "f": []}


def test_a_panel_opens_with_its_picture_and_a_move_hands_over_only_what_changed(room):
    first = room("show_cell", "mbu-panel")
    (part,) = first["shows"]
    made = kinds(first)
    players = [id for id, one in made.items() if one["type"] == "Player"]
    sliders = {name: made[id] for name, id in part["controls"].items()}
    assert part["widget"] in made and players and first["buffers"][0] > 100
    assert all(one["kind"] == "Slider" and len(one["state"]["labels"]) > 5 for one in sliders.values())
    one = next(iter(sliders.values()))
    said = room("turn", json.dumps({"set": {one["id"]: {"index": 0}}, "turn": 7}))
    assert said["done"] == 7 and not said["new"] and one["id"] not in said["set"]  # the page knows what it has done
    assert [id for id in players if "part" in said["set"].get(id, {})]


def test_a_guess_is_answered_and_another_page_finds_it(room):
    made = kinds(room("show_cell", "two-times"))
    (card,) = [one for one in made.values() if one["type"] == "Prediction"]
    said = room("turn", json.dumps({"msg": [card["id"], {"option": 0}], "turn": 1}))
    state = said["set"][card["id"]]
    assert state["closed"] and state["feedback"] and "failed" not in said
    chapter = cells.chapter(ROOT / "notebooks" / "03_roofline.ipynb")
    assert "two-times" in chapter["cells"] and len(chapter["needs"]["two-times"]) < 6


def test_a_line_brings_the_run_before_the_place_in_it_and_a_check_asks_what_the_page_has_asked(room):
    made = {one["type"]: id for id, one in kinds(room("show_cell", "two-times")).items()}
    room("turn", json.dumps({"set": {made["Player"]: {"position": 2}}, "turn": 1}))
    said = room("turn", json.dumps({"msg": [made["Tasks"], {"press": 0}], "turn": 2}))["set"][made["Player"]]
    assert said["position"] > 2 and list(said).index("part") < list(said).index("position")
    asked = html(draw.question(bank.find("limit-and-speed")[1], "book").ask)
    assert asked in [one["state"].get("ask") for one in kinds(room("show_cell", "roof-transfer")).values()]


def test_a_text_of_the_readers_is_run_and_what_stops_it_is_said_with_its_line(room):
    texts = "print(1)\n2 + 2", "x = 1\nx.y", "def f(:", "raise ValueError('odd')"
    shows = [room("run", "x31", text)["shows"] for text in texts]
    assert [part["html"] for part in shows[0]] == ["<pre>1</pre>", "<pre>4</pre>"]
    words = [parts[0]["html"] for parts in shows[1:]]
    assert "AttributeError" in words[0] and "(line 2)" in words[0] and "odd" in words[2]
    assert "SyntaxError" in words[1] and words[1].count("line 1") == 1


def test_a_cell_that_fails_says_so_and_the_next_one_runs(room):
    assert "KeyError" in room("show_cell", "nowhere")["failed"]
    assert room("show_cell", "mbu-transfer")["shows"]


def test_every_widget_has_its_script_and_no_file_that_a_browser_does_not_need_is_packed(tmp_path):
    assert not pack.left("pygments/styles/default.py")
    pack.scripts(tmp_path / "widgets")
    made = {path.name for path in (tmp_path / "widgets").iterdir()}
    assert {"Player.js", "Player.css", "Question.js", "Prediction.js", "Veil.js", "Card.js", "Tasks.js"} <= made
    assert "export default" in (tmp_path / "widgets" / "Prediction.js").read_text(encoding="utf-8")
    kept = "pygments/lexers/python.py", "accelerator_lib/units.py", "accelerator_course/pages/live/room.py"
    gone = "pygments/lexers/c_cpp.py", "x.dist-info/RECORD", "a/__pycache__/b.pyc"
    gone += ("accelerator_course/pages/book/table.py",)
    assert not any(map(pack.left, kept)) and all(map(pack.left, gone))


def test_only_files_that_a_browser_s_python_can_make_are_offered(room):
    made = kinds(room("show_cell", "mbu-panel"))
    (player,) = [one for one in made.values() if one["type"] == "Player"]
    assert player["state"]["saves"] == ["html", "svg"]
    for kind in player["state"]["saves"]:
        said = room("turn", json.dumps({"msg": [player["id"], {"save": kind}], "turn": 1}))
        assert said["msg"][0][1]["file"] == f"decode.{kind}" and said["buffers"][0] > 1000
