"""Rung: hidden sizes are never visible ones, the worked solution is the par, nothing beats the bound."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from accelerator_course import ladder, syllabus
from accelerator_course.ladder.rung import HIDDEN
from accelerator_lib import kernels

RUNGS = ladder.rungs()
ALL = [pytest.param(rung, step, id=f"{rung.id}, {step.name}") for rung in RUNGS.values() for step in rung.steps]
BOTH = pytest.mark.parametrize("rung, step", ALL)
EACH = pytest.mark.parametrize("rung", RUNGS.values(), ids=RUNGS)


@EACH
def test_no_hidden_size_is_a_visible_or_the_scored_one(rung):
    for seed in range(50):
        cases = rung.cases(seed)
        hidden = [case.sizes for case in cases if case.hidden]
        assert len(hidden) == HIDDEN and [case.sizes for case in cases if not case.hidden] == rung.visible
        assert all(sizes not in [*rung.visible, rung.measured] for sizes in hidden)
        assert len({tuple(sizes.values()) for sizes in hidden}) == HIDDEN
    assert [case.sizes for case in rung.cases(1)] != [case.sizes for case in rung.cases(2)]
    assert [case.sizes for case in rung.cases(1)] == [case.sizes for case in rung.cases(1)]


@BOTH
def test_every_kernel_on_the_way_is_right_and_none_beats_the_bound(rung, step):
    made = rung.run(step.text, rung.scoring)
    for name, want in rung.expected(rung.scoring).items():
        assert np.allclose(made.arrays[name], want, rtol=0, atol=1e-4)
    assert rung.score(made) >= rung.bound > 0
    assert (rung.score(made) > rung.par) == (step is not rung.worked)


@EACH
def test_the_par_is_the_score_of_the_worked_solution_and_the_slow_one_is_far_from_it(rung):
    assert rung.par == rung.score(rung.run(rung.worked.text, rung.scoring))
    assert rung.score(rung.run(rung.slow.text, rung.scoring)) > 1.25 * rung.par
    assert rung.slow is not rung.worked and not rung.worked.fault and all(step.fault for step in rung.steps[:-1])


@settings(max_examples=25)
@given(st.data())
def test_no_kernel_beats_the_bound_on_any_size(data):
    rung = data.draw(st.sampled_from([rung for rung in RUNGS.values() if rung.id != "matmul"]))
    step = data.draw(st.sampled_from(rung.steps))
    case = rung.case(rung.sizes(np.random.default_rng(data.draw(st.integers(0, 2**20)))))
    made = rung.run(step.text, case)
    for name, want in rung.expected(case).items():
        assert np.allclose(made.arrays[name], want, rtol=0, atol=1e-4)
    assert rung.score(made) >= rung.least(case)


def test_bounds_by_hand():
    copy, matmul = RUNGS["copy"], RUNGS["matmul"]
    assert copy.least(copy.case({"n": 100})) == 2 * 416  # 400 bytes each way, in sectors of 32
    m, n, k = matmul.measured.values()
    assert matmul.least(matmul.case({"m": 64, "n": 64, "k": 64})) == 64**3 / 64  # 64 lanes multiply and add a cycle
    assert matmul.bound == m * n * k / 64
    transpose = RUNGS["transpose"]
    assert transpose.bound == kernels.least_cycles(2 * 4 * 128 * 128)


@EACH
def test_texts_are_commented_for_a_learner(rung):
    for text in (rung.blank, *(step.text for step in rung.steps)):
        assert text.startswith("# ") and max(map(len, text.splitlines())) <= 118
    assert "def " in rung.specified and '"""' in rung.specified


@EACH
def test_the_section_stands_in_the_notebook_of_its_chapter(rung):
    import json
    from pathlib import Path

    name = syllabus.chapters()[rung.chapter]["name"]
    notebook = Path(__file__).parents[2] / "notebooks" / f"{name}.ipynb"
    cells = json.loads(notebook.read_text(encoding="utf-8"))["cells"]
    lines = [line for cell in cells if cell["cell_type"] == "markdown" for line in "".join(cell["source"]).splitlines()]
    assert any(line.startswith("#") and rung.section in line for line in lines)
    assert rung.chapter in ("memory", "tiling", "gpu", "systolic")


@pytest.mark.parametrize("rung, step", [each for each in ALL if each.values[0].machine == "warp"])
def test_every_kernel_of_the_warp_machine_prints_as_cuda(rung, step):
    text = rung.cuda(step.text)
    assert text.count("{") == text.count("}") and f"void {rung.id}_kernel(" in text
    assert text.count("__syncthreads();") == step.text.count("barrier()")
    assert all(f"{name}" in text for name in rung.scoring.arguments)


@EACH
def test_no_text_says_that_the_lanes_of_a_warp_go_in_step(rung):
    """Since Volta they need not; a shuffle brings them together."""
    for step in rung.steps:
        assert "in step" not in step.text + step.says
