"""The stage: marks, what is sent to the page, stills, films."""

import base64
import io
import json
import re
import xml.etree.ElementTree as ET

import numpy as np
import pytest
from contrasts import contrast
from PIL import Image
from refused import refused

from accelerator_course import views
from accelerator_course.frames.systolic import cycle_by_cycle
from accelerator_course.views.stage import Stage, arrows, boxes, film, lines, palette, paths, pick, still, texts
from accelerator_course.views.stage.reel import Reel

TYPES = {"f": np.float32, "i": np.int32, "b": np.uint8, "h": np.uint16}


class Walk(Stage):
    """One of everything: a box that walks from place to place, what stays, what comes and goes."""

    size, noun = (200, 100), "hop"

    def marks(self, at):
        return [
            boxes("tile", [7], [10 * at], [20], 10, 10, "memory tint", str(at), 6, "tile 7", f"at {at}"),
            lines("floor", [0], 0, 40, 200, 40, "ink dashed"),
            arrows("wind", [0], 0, 60, 50, 60, "compute"),
            paths("hill", [0], "M0 90L50 70H80V90Z", role="good soft"),
            *([texts("word", ["hello"], 100, 80, "hello & <you>", "ink start")] if at == 1 else []),
        ]

    def say(self, at):
        return f"Hop {at}, 1 < 2."


def decoded(reel):
    """States as the player reads them: {layer: {column: list}}; the second road to what was sent."""
    data, current, states = reel.data(), {}, []
    for packed in reel.head["states"]:
        current = {place: dict(layer) for place, layer in current.items()}
        for place, column, kind, offset, length in packed["columns"]:
            values = np.frombuffer(data, TYPES[kind], length, offset)
            current.setdefault(place, {})[column] = values
        states.append({reel.head["layers"][place][0]: layer for place, layer in current.items()})
    return states


@pytest.fixture
def reel():
    reel = Reel(Walk())
    assert [reel.add(at) for at in range(3)] == [f"Hop {at}, 1 < 2." for at in range(3)]
    return reel


def test_what_is_sent_can_be_read_back(reel):
    strings, states = reel.head["strings"], decoded(reel)
    for at, tile in enumerate(state["tile"] for state in states):
        assert tile["key"].tolist() == [7] and tile["x"].tolist() == [10 * at]
        words = [strings[tile[name][0]] for name in ("role", "text", "who", "says")]
        assert words == ["memory tint", str(at), "tile 7", f"at {at}"]
    assert [len(state["word"]["key"]) if "word" in state else None for state in states] == [None, 1, 0]
    key = states[1]["word"]["key"][0]
    assert key < 0 and strings[-1 - key] == "hello"


def test_what_does_not_change_is_sent_once(reel):
    states, layers = [s["columns"] for s in reel.head["states"]], reel.head["layers"]
    names = [[(layers[place][0], column) for place, column, *_ in columns] for columns in states]
    assert ("floor", "x") in names[0] and not any(layer == "floor" for layer, _ in names[1] + names[2])
    assert {("tile", "x"), ("tile", "text"), ("tile", "says")} <= {*names[2]}
    assert all(offset % 4 == 0 for columns in states for *_, offset, _ in columns)


def test_a_run_of_a_large_array_is_small_and_is_what_the_model_says():
    ones = np.ones((16, 20), int)
    states, large = list(cycle_by_cycle(ones, ones.T, 16, 16)), Reel(views.systolic.Wavefront())
    for state in states:
        large.add(state)
    for state, sent in zip(states, decoded(large), strict=True):
        busy = [large.head["strings"][code].startswith("compute") for code in sent["pe"]["role"]]
        assert np.array_equal(busy, state.now.active.ravel())
        high = sent["busy"]["h"][: len(state.busy)]
        assert high == pytest.approx(state.busy * 100, rel=1e-6)  # pixels of a full array
    assert large.bytes < 1_000_000


def test_the_letters_of_an_array_stay_and_numbers_go_where_they_do_not_fit():
    text = lambda state, name: [word for layer in views.systolic.Wavefront().marks(state) if layer.name == name for word in layer.columns["text"]]  # noqa: E731  # fmt: skip
    ones = np.ones((16, 64), int)
    assert text(next(iter(cycle_by_cycle(ones[:15], ones.T[:, :2], 15, 2))), "matrix") == ["A →", "B ↓"]
    assert not any(text([*cycle_by_cycle(9 * ones[:8], ones.T[:, :8], 8, 8)][-1], "c"))


def test_a_token_keeps_its_key_from_cell_to_cell():
    a, b = np.arange(12).reshape(3, 4) + 1, np.arange(12).reshape(4, 3) + 1
    view, places = views.systolic.Wavefront(), {}
    for state in cycle_by_cycle(a, b, 3, 3):
        layer = next(layer for layer in view.marks(state) if layer.name == "right")
        for key, x, y, value in zip(*(layer.columns[name] for name in ("key", "x", "y", "text")), strict=True):
            places.setdefault(key, []).append((x, y, value))
    assert len(places) == a.size
    for march in places.values():
        steps = np.diff([x for x, _, _ in march])
        assert np.allclose(steps, steps[0]) and steps[0] > 0, "it moves right by one cell a cycle"
        assert len({(y, value) for _, y, value in march}) == 1, "in its row, and stays the same number"


WRONG = [
    (lambda: boxes("a", [1, 1], 0, 0), "a key names one mark"),
    (lambda: boxes("a", ["x", "x"], 0, 0), "a key names one mark"),
    (lambda: boxes("a", [1, 2, 3], [0, 1], 0), "3 keys, but x has 2 values"),
    (lambda: boxes("a", [1], [np.nan], 0), "x must be finite"),
    (lambda: pick(("a", "b"), [0, 2]), "there are 2 choices; got index 2"),
]


@pytest.mark.parametrize(("make", "problem"), WRONG)
def test_marks_that_cannot_be_drawn_are_refused(make, problem, monkeypatch):
    refused(ValueError, problem, make)
    for role in ("red", "memory tinted", "", "tint memory"):
        monkeypatch.setattr(Walk, "marks", lambda self, at, role=role: [boxes("a", [1], 0, 0, role=role)])
        refused(ValueError, "a role is one of ink, muted", Reel(Walk()).add, 0)


@pytest.mark.parametrize(("colours", "theme"), [(palette.LIGHT, "light"), (palette.DARK, "dark")])
def test_words_can_be_read_on_every_fill_of_both_themes(colours, theme):
    for name, colour in colours.items():
        tint = palette.mixed(colour, colours["paper"], palette.TINT[theme])
        if name != "paper":
            assert tint not in (colour, colours["paper"])
            assert contrast(colour, colours["paper"]) >= 4.5, f"{name} as text"
            assert contrast(colours["ink"], tint) >= 4.5, f"ink on {name} tint"


def test_a_still_is_an_svg_with_its_sentence_and_every_mark():
    root, name = ET.fromstring(still.svg(Walk(), 1)), "{http://www.w3.org/2000/svg}"
    assert root.get("role") == "img" and root.get("aria-label") == root.find(f"{name}title").text == "Hop 1, 1 < 2."
    tile, *_, word = marks = root.findall(f"{name}g")
    assert len(marks) == 5 and [tile.find(f"{name}{one}").text for one in ("text", "title")] == ["1", "tile 7: at 1"]
    assert "translate(10 20)" in tile.get("transform") and word.find(f"{name}text").text == "hello & <you>"


def test_a_page_holds_the_player_and_the_run_and_needs_no_network(reel):
    text = film.page(Walk(), [0, 1, 2], caption="a & b </script>")
    assert "<title>One of everything</title>" in text and "<p>a &amp; b &lt;/script&gt;</p>" in text
    assert not re.search(r"https?://(?!www\.w3\.org)", text) and "@" not in re.sub(r"@media|@[a-z]", "", text)
    head = json.loads(re.search(r", head = (\{.*\});\n", text)[1])
    assert [state["say"] for state in head["states"]] == [f"Hop {at}, 1 < 2." for at in range(3)]
    assert base64.b64decode(re.search(r'atob\("([^"]*)"\)', text)[1]) == reel.data()
    words = ("systolic", "cache", "warp", "cycle", "kernel", "tensor", "memory", "compute")  # what it plays: unknown
    assert not [word for word in words if re.search(rf"\b{word}\b", re.sub(r"//.*", "", film.script()))]


def frames(content):
    """(a film, its frames as arrays, how long each stands)."""
    film, found, times = Image.open(io.BytesIO(content)), [], []
    for frame in range(film.n_frames):
        film.seek(frame)
        times.append(film.info["duration"])
        found.append(np.asarray(film.convert("RGB")))
    return film, found, times


def test_a_gif_shows_every_state_and_rests_on_the_last():
    picture, shown, times = frames(film.gif(Walk(), [0, 1, 2, 3], seconds=0.2))
    assert picture.format == "GIF" and len(shown) == 4 and set(times[:-1]) == {200} and times[-1] == 600
    top = round(1.5 * (10 + 22))  # the sentence stands above, the tile has moved by ten
    assert not np.array_equal(shown[0][:top], shown[1][:top])
    assert np.array_equal(shown[0][top + 30 : top + 32, 1:14], shown[1][top + 30 : top + 32, 16:29])
    floor = shown[0][top + 60, 30:].mean(1) < 128  # a dashed line: many ends, five ninths of it drawn
    assert np.diff(floor).sum() > 30 and 0.45 < floor.mean() < 0.65
    (long, many, _), (last, *_) = frames(film.gif(Walk(), list(range(16)), most=5)), frames(film.gif(Walk(), [14, 15]))
    assert len(many) <= 6 and long.size == last.size  # a long film keeps its last state
    refused(ValueError, "seconds", film.gif, Walk(), [0, 1], seconds=0)
