"""The bench of a rung: drafts are kept, runs are judged, and nothing that is typed does more than be read."""

import re

import mistune
import numpy as np
import pytest
from IPython.core.formatters import DisplayFormatter
from refused import refused

from accelerator_course import ladder, views, widgets
from accelerator_course.exercises import rungs
from accelerator_course.ladder import shown as known
from accelerator_course.ladder import tokens
from accelerator_course.quiz import progress
from accelerator_course.widgets import counters
from accelerator_lib import kernels

MAP, COPY = ladder.rung("map"), ladder.rung("copy")
HOSTILE = ["</textarea><script>alert(1)</script>", "\ud800", "x" * 100_000, "((" * 5_000, "\0", "import os"]
HOSTILE += ["x = " + "-" * 9_000 + "1"]


pytestmark = pytest.mark.usefixtures("home")  # every test here begins without progress


@pytest.fixture
def shown():
    return widgets.kernel("copy")


def run(one, text):
    one.receive({"run": text})
    return one.card


@pytest.mark.parametrize("text", ["", COPY.blank, "# a remark"])
def test_at_first_there_is_the_blank_kernel_and_what_was_not_begun_is_not_wrong(shown, text):
    card = shown.card
    assert card.text == COPY.blank and not (card.verdict or card.hints or card.steps or card.others or card.token)
    assert [mark["name"] for mark in card.gauge] == ["no kernel beats", "par"] and not card.more_hints
    assert card.sketch["svg"] == "" and card.sketch["note"].startswith("Nothing is read or written yet")
    assert card.rung["specification"] == COPY.specified and COPY.section in card.rung["after"]
    sent = str({name: value for name, value in card.get_state().items() if name not in ("_esm", "_css")})
    assert not any(line.strip() in sent for line in COPY.worked.text.splitlines() if "k * THREADS" in line)
    card = run(shown, text)
    assert card.verdict["mark"] == "blank" and card.verdict["said"] == COPY.task and card.verdict["line"] is None
    assert not (card.more_steps or card.replays) and len(card.gauge) == 2


def test_a_draft_is_kept_and_found_again_and_one_that_cannot_be_stored_is_told(shown, monkeypatch):
    shown.receive({"draft": "x = 1"})
    assert shown.card.saved == "yes" and rungs.last("copy") == "x = 1"
    again = widgets.kernel("copy").card
    assert again.text == "x = 1" and again.saved == "before" and not again.verdict
    many = len(progress.events("draft"))
    shown.receive({"draft": "x = 1"})
    assert len(progress.events("draft")) == many  # nothing new, nothing written
    monkeypatch.setattr(progress, "record", lambda event: False)
    shown.receive({"draft": "x = 2"})
    assert shown.card.saved == "no" and shown.card.text == "x = 2"


def test_a_wrong_kernel_is_told_its_first_wrong_place_and_can_be_replayed(shown):
    card = run(shown, COPY.worked.text.replace("= a[i]", "= a[i] + 1"))
    said = card.verdict["said"]
    assert card.verdict["mark"] == "wrong" and "out[0] is" in said and "expected is" in said
    assert len(card.gauge) == 2 and card.replays == "fault" and card.tables and not card.more_hints and not card.token
    shown.receive({"ask": "replay"})
    state = shown.replay.states[shown.replay.position]
    assert state.step.array == "out" and state.step.index[0] == 0 and shown.place.children == (shown.replay.box,)
    assert "Here it goes wrong: out[0] is" in shown.replay.picture.sentence


def test_a_text_that_cannot_be_read_names_its_line_and_the_lanes_that_follow_typing_are_no_verdict(shown):
    shown.receive({"draw": COPY.slow.text})
    first = shown.card.sketch
    assert "32 sectors for 128 bytes" in first["svg"] and not first["stopped"] and not first["note"]
    shown.receive({"draw": "out[n] = 1.0"})
    assert "out ends at" in shown.card.sketch["note"] and shown.card.sketch["svg"] != first["svg"]
    shown.receive({"draw": "while i < 1:"})
    assert shown.card.sketch["svg"] is None and shown.card.sketch["note"].startswith("line 1, `while i < 1`: ")
    shown.receive({"draw": COPY.blank})
    assert shown.card.sketch["svg"] == ""
    assert shown.card.verdict == {} and progress.events("rung") == [] == progress.events("draft")
    card = run(shown, "i = block * 256 + thread\nwhile i < 1:")
    assert card.verdict["mark"] == "unread" and card.verdict["line"] == 2 and card.verdict["said"][:8] == "Line 2, "
    assert not card.replays and card.tables == [] and shown.made is None
    shown.receive({"ask": "replay"})
    assert "nothing to replay" in card.note and shown.replay is None


MET = [("x = a[thread]\nout[0] = x", [1, 0], "out[0]"), ("i = thread + n - 5\nout[i] = 1.0", [5], "out[2048]")]


@pytest.mark.parametrize("text, lanes, place", MET)
def test_a_fault_opens_the_replay_at_its_access_with_its_threads_marked(shown, text, lanes, place):
    card = run(shown, text)
    sketch = card.sketch
    assert card.replays == "fault" and sketch["stopped"] and "<svg" in sketch["svg"] and not sketch["note"]
    for many in (1, 2):  # each opening is told to the page
        shown.receive({"ask": "replay"})
        assert card.replayed == many
    replay = shown.replay
    assert replay.position == len(replay.states) - 1
    layers = {layer.name: layer.columns for layer in replay.picture.view.marks(replay.states[replay.position])}
    assert list(layers["threads met"]["text"]) == [f"thread {lane} of block 0" for lane in lanes]
    assert list(layers["place met"]["text"]) == [place]
    assert layers["blamed"]["key"].tolist() == sorted(lanes, reverse=True)
    assert {list(layers["lanes"]["role"])[lane] for lane in lanes} == {"bad"}
    run(shown, COPY.slow.text)
    shown.receive({"ask": "replay"})
    assert replay.position == 0 and not replay.states[0].step.fault and shown.card.replays == "run"


def test_a_slow_kernel_is_right_scored_and_hinted_one_at_a_time(shown):
    card = run(shown, COPY.slow.text)
    assert card.verdict["mark"] == "right" and card.hints == [] and card.more_hints
    assert "times the par" in card.verdict["said"]
    bars = {mark["name"]: mark["value"] for mark in card.gauge}
    assert bars["yours"] == bars["a slow one"] == COPY.score(shown.made) > bars["par"]
    assert bars["par"] == COPY.par >= bars["no kernel beats"]
    told = [hint.text for hint in shown.last.hints]
    for many in range(1, len(told) + 1):
        shown.receive({"ask": "hint"})
        assert card.hints == told[:many] and card.more_hints == (many < len(told))
    shown.receive({"ask": "hint"})
    assert card.hints == told and "32 sectors for 128 bytes" in card.hints[0]


def test_at_par_there_is_a_star_a_token_and_cuda(shown):
    card = run(shown, COPY.worked.text)
    said = card.verdict["said"]
    assert card.verdict["mark"] == "star" and "You reach the par" in said and not card.more_hints
    assert said.count("par") == 1 and "no kernel beats" in said and "times the par" in shown.last.lines[0]
    assert card.busiest.endswith(counters.busiest(shown.made)) and "Try next: ask for 4 numbers" in card.busiest
    assert sum(cause["share"] for cause in card.causes) > 0.95 and card.causes[0]["name"] == "memory bandwidth"
    run(shown, COPY.slow.text)
    assert "Foretold last time: 1.24 times as fast; got: 0.977." in card.busiest
    run(shown, COPY.worked.text)
    assert tokens.read_token(card.token)[1] == {"copy": COPY.worked.text} and "__global__" in card.others[0]["text"]
    assert [event["star"] for event in progress.events("rung")] == [True, False, True] and card.replays
    assert widgets.kernel("copy").card.token == card.token


def test_a_log_of_kernels_beyond_the_token_stops_no_bench_and_is_told():
    for id in ladder.rungs():
        text = "".join(map(chr, np.random.default_rng([*id.encode()]).integers(0x4E00, 0x9FFF, 20_000)))
        progress.record({"kind": "rung", "id": id, "right": True, "source": text, "score": 1e9, "star": True})
    card = run(widgets.kernel("copy"), COPY.worked.text)
    assert tokens.read_token(card.token)[1]["copy"] == COPY.worked.text
    assert card.left_out.startswith("It has no room for ") and "copy" not in card.left_out and "scan" in card.left_out


def test_a_run_takes_back_what_was_said_of_the_one_before_and_steps_come_only_after_a_try(shown):
    shown.receive({"ask": "step"})
    assert shown.card.steps == [] and not run(shown, COPY.blank).more_steps
    run(shown, COPY.slow.text)
    for ask in ("hint", "replay"):
        shown.receive({"ask": ask})
    card = run(shown, "x = 1")
    assert (card.hints, len(card.gauge), shown.place.children, card.verdict["number"]) == ([], 2, (), 3)
    for many in range(1, len(COPY.steps) + 1):
        assert card.more_steps
        shown.receive({"ask": "step"})
        assert [step["text"] for step in card.steps] == [step.text for step in COPY.steps[:many]]
    assert not card.more_steps and widgets.kernel("copy").card.more_steps  # the try counts next time, too
    run(shown, COPY.worked.text)
    shown.receive({"ask": "replay"})
    last = shown.replay.states[-1]
    assert last.used == 1 and last.step.length == len(shown.replay.states)


@pytest.mark.parametrize("text", HOSTILE, ids=range(len(HOSTILE)))
def test_whatever_is_typed_is_answered_and_none_of_it_is_html(shown, text):
    asked = [{"ask": ask} for ask in (text, "hint", "step", "replay")]
    for content in ({"draft": text}, {"draw": text}, {"run": text}, *asked, {}):
        shown.receive(content)
    assert shown.card.verdict["mark"] in ("unread", "wrong") and shown.card.verdict["said"]
    page = shown._repr_mimebundle_()[0]["text/html"] + (shown.card.sketch["svg"] or "")
    assert "<script" not in page and progress.left_out() == 0
    assert isinstance(widgets.kernel("copy").card.text, str)


def test_every_action_of_the_sweep_can_be_done_and_the_task_and_the_blank_kernel_are_printed(shown):
    one = widgets.kernel("map")
    for _, act in one.card.actions():
        act()
    assert one.card.verdict["mark"] == "star" and one.replay.states
    refused(KeyError, "did you mean 'map'", widgets.kernel, "maps")
    data, _ = DisplayFormatter().format(shown)  # where no widgets run
    assert data["application/vnd.jupyter.widget-view+json"]["model_id"] == shown.box.model_id
    assert "return {&quot;out&quot;: a.copy()}" in data["text/html"] and "PER_BLOCK = 2048" in data["text/html"]


@pytest.mark.parametrize("id", ladder.rungs())
def test_before_the_first_run_par_bound_and_constants_are_told(id):
    rung, card = ladder.rung(id), widgets.kernel(id).card
    told, marks = card.rung, {mark["name"]: mark["words"] for mark in card.gauge}
    words = [f"{value:,.0f} {rung.scored}" for value in (rung.bound, rung.par)]
    assert marks == {"no kernel beats": words[0], "par": words[1]}
    assert told["line"].count(". ") == 0 and told["line"].strip()[3:-4] in told["task"] and told["rest"].strip()[3:-4]
    names = dict(each.split(" = ") for each in told["constants"])
    assert [*names] == {"feed": ["EDGE", "ROOM"], "network": ["PES", "ROOM"]}.get(id, [])
    if id == "feed":
        made = rung.run(f"load(b, 0, 0)\nswap()\nrun(0, {names['EDGE']})", rung.scoring)
        assert made.edge == int(names["EDGE"]) and made.room_rows == int(names["ROOM"])
    line = counters.busiest(rung.best)  # the first of the counters
    if rung.machine == "warp":
        change, parts = rung.best.why.advice, rung.best.bound.parts
        roof = "main memory" if parts["DRAM"] > parts["issue"] else "the issue slots"
        assert f"{change.do}. Foretold: {counters.number(change.gain)} times" in line and f"the roof is {roof}" in line
    else:
        assert line.startswith("Room on the chip: " if rung.machine == "pallas" else "Busiest: ")


def test_counters_by_array_and_by_line_are_those_of_the_run():
    made = COPY.run(COPY.slow.text, COPY.scoring)
    (read, written), (line,) = counters.by_array(made), [row for row in counters.by_line(made) if row[4]]
    assert [read[0], written[0]] == ["a, read", "out, written"] and read[3] == written[3] == "8.0"
    assert int(read[1].replace(",", "")) == 4 * 16384 and line[4] == "32.0" and line[1] == "out[i] = a[i]"
    assert line[6] == counters.percent(made.why.heat[int(line[0])])
    quiet = kernels.run("x = 1", {"out": np.zeros(1)})
    assert counters.by_array(quiet) == [] and all(row[4] == row[5] == "" for row in counters.by_line(quiet))


FOLDED = re.compile(r"(<details[^>]*>)<summary[^>]*>([^<]*)</summary>\s*(.*?)\s*</details>\s*", re.DOTALL)


@pytest.mark.parametrize("printed", [False, True])
def test_what_is_said_of_a_slow_kernel_is_folded_and_open_on_paper(printed, monkeypatch):
    monkeypatch.setenv("ACCELERATOR_COURSE_PRINT", "1" if printed else "0")
    page = mistune.html(widgets.slow_one("copy", "It brings *too much*.").data)
    opening, line, inside = FOLDED.fullmatch(page).groups()
    assert (" open" in opening) == printed and line == "A slow one, and what its counters say"
    assert inside == f"<p><em>{COPY.slow.name}</em>: It brings <em>too much</em>.</p>"


def test_the_slow_score_is_computed_once_and_what_binds_is_named_where_nothing_is_busy(monkeypatch):
    for kept in (known._ran, known.score.__wrapped__):
        kept.cache_clear()
    par, slow = MAP.par, MAP.run(MAP.slow.text, MAP.scoring)
    assert known.score("map") == MAP.score(slow) and slow.bound.limit == "latency"
    assert "launch more threads" in counters.busiest(slow) and counters.busiest(None) == ""
    monkeypatch.setattr(ladder.rung("map").__class__, "run", None)
    assert known.score("map") > par


@pytest.mark.parametrize("id", [id for id, rung in ladder.rungs().items() if rung.machine != "warp"])
def test_a_rung_of_pallas_or_of_arrays_has_its_table_and_a_replay(id):
    one = widgets.kernel(id)
    card = run(one, one.rung.worked.text)
    (table,) = card.tables
    assert card.verdict["mark"] == "star" and not card.others and card.replays
    if one.rung.machine == "pallas":
        told = [int(cell.replace(",", "")) for row in table["rows"] for cell in row[1:] if cell]
        assert sum(told) == one.rung.par == one.last.score  # bytes by operand
    else:
        first = {"feed": (1, "run(first, min(first + ROOM, n))"), "network": (0, "layer 0")}[id]
        assert table["rows"][0][first[0]] == first[1] and {len(row) for row in table["rows"]} == {len(table["head"])}
    one.receive({"ask": "replay"})
    assert one.place.children == (one.replay.box,) and one.replay.picture.sentence.startswith("Step 1 of")
    if one.rung.machine != "pallas":
        card = run(one, "x = 1")
        assert not card.replays and card.tables == [] and "was never written" in card.verdict["said"]
        assert card.sketch["svg"] == "" and len(one.replay.states) > 20


PAIRS = [(rung, step) for rung in ladder.rungs().values() for step in rung.steps]
STEPS = [pytest.param(rung, step, id=f"{rung.id}, {step.name}") for rung, step in PAIRS]


@pytest.mark.parametrize("rung, step", STEPS)
def test_what_lies_behind_in_a_replay_lies_behind_in_all_of_it(rung, step):
    """The page stacks layers as they first come, so each state must have them in that order."""
    view = views.kernels.Replay() if rung.machine == "warp" else views.kernels.Blocks()
    stacked = []
    for state in ladder.replay(rung.run(step.text, rung.case(rung.visible[0]))):
        names = [layer.name for layer in view.marks(state)]
        stacked += [name for name in names if name not in stacked]
        assert names == sorted(names, key=stacked.index)
