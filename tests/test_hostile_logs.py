"""Hostile logs are restored and set aside, and nothing that reads a log is stopped by one: tests/attacks/logs.py."""

import sys
from pathlib import Path

import pytest

from accelerator_course.quiz import progress, standing
from accelerator_course.widgets import progress as show_progress

sys.path.append(str(Path(__file__).parent / "attacks"))
import logs

HOSTILE = list(logs.hostile())
PANELS = logs.panels()


pytestmark = pytest.mark.usefixtures("home")  # every test here begins without progress


@pytest.mark.parametrize("text, odd", [pytest.param(text, odd, id=name) for name, text, odd in HOSTILE])
def test_a_hostile_log_costs_only_its_bad_records(text, odd):
    assert progress.restore(text)[1] == odd
    assert logs.GOOD in progress.events() and progress.left_out() == 0
    assert progress.restore(progress.save()) == (0, 0)


def test_what_was_left_out_is_said_once():
    panel = show_progress()
    for odd, text in {bool(odd): text for _, text, odd in HOSTILE}.items():
        panel.receive({"restore": text})
        assert panel.note.startswith("Restored: ") and "\n" not in panel.note
        assert ("not what this course writes" in panel.note) == odd
        panel.refresh()
        assert panel.note == ""


@pytest.mark.filterwarnings("ignore:Glyph .* missing")  # a seed in Chinese
@pytest.mark.parametrize("restored", [True, False])
def test_no_panel_is_stopped_by_all_of_them_together(home, restored):
    together = "".join(text for _, text, _ in HOSTILE)
    if restored:
        progress.restore(together)
    else:  # edited by hand
        home.mkdir()
        (home / "answers.jsonl").write_text(together, encoding="utf-8")
    assert len(HOSTILE) >= 40 and all(f'"kind": "{kind}"' in together for kind in logs.KINDS)
    assert progress.left_out() == (0 if restored else sum(odd for *_, odd in HOSTILE))
    for build in PANELS.values():
        build()
    assert logs.GOOD in progress.events()


def test_a_summary_looks_at_the_checkpoints_there_are_not_at_all_that_a_log_names(monkeypatch):
    calls, chapter = [], standing.chapter
    monkeypatch.setattr(standing, "chapter", lambda *given: calls.append(given[1]) or chapter(*given))
    progress.restore(next(text for name, text, _ in HOSTILE if name == "ten thousand checkpoints"))
    show_progress()
    assert len(calls) < 100 and "checkpoint-3" in calls
