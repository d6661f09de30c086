"""On JAX: every text of the ladder leaves in Pallas itself what it leaves here."""

import numpy as np
import pytest

from accelerator_course import ladder
from accelerator_lib import recorded
from accelerator_lib.kernels import onjax

RUNGS = [rung for rung in ladder.rungs().values() if rung.machine == "pallas"]
ALL = [pytest.param(rung, step, id=f"{rung.id}, {step.name}") for rung in RUNGS for step in rung.steps]


@pytest.mark.parametrize("rung, step", ALL)
def test_pallas_itself_agrees(rung, step):
    pytest.importorskip("jax")
    for case in rung.cases(5)[1:3]:  # ragged, seen and unseen
        found, here = onjax.run(step.text, rung.given(case), [*rung.expected(case)]), rung.run(step.text, case).arrays
        for name, want in rung.expected(case).items():
            assert np.allclose(found[name], here[name], rtol=0, atol=1e-5)
            assert np.allclose(found[name], want, rtol=0, atol=1e-4)


def test_what_a_text_does_not_leave():
    pytest.importorskip("jax")
    with pytest.raises(ValueError, match="leaves no c"):
        onjax.run("x = 1", {}, ["c"])


def test_without_jax_one_line_says_so(monkeypatch):
    monkeypatch.setattr(recorded, "here", lambda: False)
    with pytest.raises(ValueError, match="JAX is not here"):
        onjax.run("c = 1", {}, ["c"])


def test_only_a_rung_of_a_learner_executes():
    """The judge, and so the class list, never comes here."""
    from pathlib import Path

    texts = {
        path.name: path.read_text(encoding="utf-8")
        for folder in (Path(onjax.__file__).parent, Path(ladder.__file__).parent)
        for path in folder.glob("[!_]*.py")
    }
    assert {name for name, text in texts.items() if "onjax" in text} == {"pallas.py"}
    assert [name for name, text in texts.items() if "exec(" in text] == ["onjax.py"]
