"""Kernels in CUDA C, Numba and Triton, read: what they leave and cost, their lines and words, what is refused."""

import time
from pathlib import Path

import numpy as np
import pytest

from accelerator_course import ladder
from accelerator_course.ladder.catalog import rungs
from accelerator_course.ladder.launch import launch
from accelerator_course.widgets import kernel
from accelerator_lib import data, kernels
from accelerator_lib.checks.inputs import UnknownName

TABLE = data.parse(Path(__file__).with_suffix(".yaml"))
RUNGS = [rungs()[id] for id in TABLE["rungs"]]  # those whose CUDA C says nothing that is refused: no halves
NUMBA = [rung for rung in RUNGS if rung.numba]
STEPS = [(rung, step) for rung in RUNGS for step in rung.steps]
GIVEN = {"a": np.arange(64, dtype=np.float32), "out": np.zeros(64, np.float32), "n": 50}


def lines(text):
    return [line for line in ladder.read(text).text.splitlines() if line != "pass"]


@pytest.mark.parametrize(("rung", "step"), STEPS, ids=lambda it: getattr(it, "id", None) or it.name)
def test_what_is_printed_as_cuda_and_read_again_leaves_and_costs_the_same(rung, step):
    given = rung.scoring.arguments
    read = ladder.read(rung.cuda(step.text), arguments=given)
    assert read.language == "CUDA C" and read.name == f"{rung.id}_kernel"
    blocks, threads, own = launch(read, [rung.measured[name] for name in rung.along], rung.started)
    across = blocks if isinstance(blocks, int) else tuple(blocks)
    again, before = kernels.run(read, given, across, threads, registers=own), rung.run(step.text, rung.scoring)
    for name in before.arrays:
        assert np.array_equal(again.arrays[name], before.arrays[name])
    assert again.counted.instructions == before.counted.instructions and again.timed.cycles == before.timed.cycles
    assert (
        again.counted.global_bytes == before.counted.global_bytes and again.counted.barriers == before.counted.barriers
    )


@pytest.mark.parametrize("rung", NUMBA, ids=lambda rung: rung.id)
def test_each_worked_kernel_stands_as_numba_and_is_right(rung):
    read = rung.read(rung.numba)
    verdict = ladder.judge(rung.id, rung.numba)
    assert read.language == "Numba" and verdict.right, verdict.problem
    assert verdict.score <= 1.05 * rung.par  # what Numba's own arrays begin with is set by a loop


@pytest.mark.parametrize("case", TABLE["runs"], ids=lambda case: case["name"])
def test_a_kernel_leaves_what_numpy_computes(case):
    draw = np.random.default_rng(3)
    given = {name: draw.integers(-9, 10, shape).astype(np.float32) for name, shape in case["arrays"].items()}
    given |= case.get("numbers", {})
    want = eval(case["want"], {"np": np, **given})
    read = ladder.read(case["text"], arguments=given)
    made = kernels.run(read, given, tuple(case["blocks"]), tuple(case["threads"]))
    assert read.language == case["language"]
    assert np.allclose(made.arrays[case["out"]], want, rtol=1e-4, atol=1e-3)


@pytest.mark.parametrize(("text", "want"), TABLE["lines"])
def test_lines_in_the_courses_notation(text, want):
    assert lines(text) == want


@pytest.mark.parametrize(("text", "line", "said"), TABLE["refused"])
def test_what_is_not_read_is_refused_by_name_at_its_line(text, line, said):
    with pytest.raises(kernels.Fault) as found:
        ladder.read(text)
    assert found.value.line == line and said in str(found.value)


@pytest.mark.parametrize(("text", "line", "said"), TABLE["faults"])
def test_faults_are_told_at_the_lines_and_in_the_words_of_the_text(text, line, said):
    with pytest.raises(kernels.Fault) as found:
        kernels.run(ladder.read(text, arguments=GIVEN), GIVEN, 2, 64)
    assert found.value.line == line and said in str(found.value)
    assert found.value.text == text.split("\n")[line - 1].strip()


def test_counters_name_the_lines_of_the_text_that_was_pasted():
    text = TABLE["faults"][0][0].replace("out[i + 20]", "out[i]")
    made = kernels.run(ladder.read(text, arguments=GIVEN), GIVEN, 1, 64)
    assert made.lines == tuple(text.split("\n")) and set(made.counted.lines) <= set(range(1, len(made.lines) + 1))
    assert made.counted.lines[4].loads.accesses == 2


@pytest.mark.parametrize("text", TABLE["hostile"])
def test_hostile_texts_are_answered_at_once(text):
    begun = time.perf_counter()
    with pytest.raises(kernels.Fault):
        ladder.read(eval(text), "cuda")
    with pytest.raises(kernels.Fault):
        ladder.read(eval(text), "numba")
    with pytest.raises(kernels.Fault):
        ladder.read(eval(text), "triton")
    assert time.perf_counter() - begun < 5


def test_numbers_from_the_shape_of_an_array_come_with_it():
    text = "@cuda.jit\ndef k(a, out):\n    i = cuda.grid(1)\n    if i < a.shape[0]:\n        out[i] = a[i] + a.size"
    read = ladder.read(text)
    given = {"a": np.ones(40, np.float32), "out": np.zeros(40, np.float32)}
    assert read.parameters == ("a", "out") and "if i < a_rows:" in read.text
    assert kernels.run(read, given, 2, 32).arrays["out"].tolist() == [41] * 40


def test_names_are_bound_by_name_then_without_capitals_then_in_order():
    text = "__global__ void k(float *dst, const float *src, int N) { if (threadIdx.x < N) dst[threadIdx.x] = src[0]; }"
    read = ladder.read(text, arguments={"a": GIVEN["a"], "src": GIVEN["out"], "n": 3})
    assert read.parameters == ("a", "src", "n") and "a[thread] = src[0]" in read.text
    with pytest.raises(kernels.Fault, match="there is no array left for src among n"):
        ladder.read(text.replace("dst", "n2"), arguments={"n": 3, "b": GIVEN["a"]})


def test_what_is_no_text_and_no_kernel_is_refused():
    with pytest.raises(TypeError, match="text: a kernel is text, not int"):
        ladder.read(3)
    with pytest.raises(kernels.Fault, match="this is no kernel in CUDA C, Numba or Triton"):
        ladder.read("out[thread] = a[thread]")
    with pytest.raises(kernels.Fault, match="at most 20,000 letters"):
        ladder.read("__global__ " + " " * 20_000)
    with pytest.raises(UnknownName, match="language 'fortran' is unknown"):
        ladder.read("x", "fortran")


def test_the_bench_says_what_it_read_and_shows_both(home):
    bench = kernel("copy")
    bench.receive({"draw": bench.rung.numba})
    (other,) = bench.card.others
    assert other["name"] == "Read as Numba; in the course's notation"
    assert len(other["lines"]) >= len(other["text"].splitlines()) and "out[i] = a[i]" in other["text"]
    bench.receive({"run": bench.rung.cuda(bench.rung.worked.text)})
    assert bench.card.verdict["mark"] == "star" and bench.card.others[0]["name"].startswith("Read as CUDA C")
    bench.receive({"run": "__global__ void k(double4 *a) {}"})
    assert bench.card.verdict["mark"] == "unread" and "double4 is not read" in bench.card.verdict["said"]
    for _ in bench.rung.steps:
        bench.receive({"ask": "step"})
    assert [other["name"].split()[-1] for other in bench.card.steps[-1]["others"]] == ["C", "Numba"]
