"""The rungs: what each asks, its bound, its par; kernels of the course; all at a glance."""

from math import gcd
from pathlib import Path

import beside_chips
import numpy as np
import pytest
from benchmarks import rungs as measured
from hypothesis import given, settings
from hypothesis import strategies as st

from accelerator_course import ladder, syllabus
from accelerator_course.ladder import catalog, glance, shown
from accelerator_course.ladder import specifications as asked
from accelerator_course.ladder.rung import HIDDEN
from accelerator_course.ladder.shown import score
from accelerator_lib import data, gpu, kernels, systolic
from accelerator_lib.tiling import io_lower_bound_words
from accelerator_lib.workload import Gemm

TABLE = data.parse(Path(__file__).with_suffix(".yaml"))


def test_there_are_eighteen_and_every_text_is_one_of_them():
    assert list(ladder.rungs()) == [*catalog.MADE] and len(ladder.rungs()) == 18
    assert {path.stem for path in catalog.FOLDER.glob("*.yaml")} == set(ladder.rungs())
    for id, rung in ladder.rungs().items():
        assert rung.id == id and rung.scored in ("cycles", "bytes") and rung.chapter in syllabus.chapters()
        assert rung.machine in ("warp", "pallas", "array") and type(rung) is catalog.MADE[id][0]
        assert set(getattr(rung, "along", ())) <= set(rung.measured) and ladder.rung(id) is rung is ladder.rung(rung)


@pytest.mark.parametrize("id", ["maps", "", None, 7, ["map"], "x" * 1000])
def test_a_rung_that_is_none_is_one_line(id):
    with pytest.raises((ValueError, KeyError, TypeError)) as found:
        ladder.rung(id)
    assert "rung" in str(found.value) and "\n" not in str(found.value) and len(str(found.value)) < 200


def test_a_slip_of_the_finger_is_mended():
    with pytest.raises(KeyError, match="did you mean 'transpose'"):
        ladder.rung("transpos")


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


RUNGS_WARPS = [rung for rung in ladder.rungs().values() if rung.machine == "warp"]


def test_cost_is_in_cycles_bytes_are_whole_sectors_and_no_barrier_is_spare():
    copy = ladder.rung("copy")
    assert copy.scored == "bytes" and copy.cost(copy.best) == copy.best.timed.cycles != copy.score(copy.best)
    assert len(RUNGS_WARPS) == 12 and all(rung.cost(rung.best) == rung.best.timed.cycles for rung in RUNGS_WARPS)
    for rung in RUNGS_WARPS:
        case, spare = rung.cases()[1], [change for change in rung.best.why.changes if change.rule == "barriers"]
        read = sum(
            min(4, value.itemsize) * value.size for name, value in case.arguments.items() if hasattr(value, "size")
        )
        assert rung.least_bytes(case) % 32 == 0 and rung.least_bytes(case) >= read and not spare


RUNGS_TILES = {id: rung for id, rung in ladder.rungs().items() if rung.machine == "pallas"}


def test_bounds_by_hand_of_tiles():
    product, softmax = RUNGS_TILES["product"], RUNGS_TILES["softmax"]
    words = product.room_bytes / 4
    assert product.bound == 4 * io_lower_bound_words(Gemm(256, 256, 256), words) > 3 * 4 * 256 * 256
    assert product.least(product.case({"m": 8, "n": 8, "k": 8})) == 3 * 4 * 64
    assert softmax.bound == 2 * 4 * 32 * 1024 and RUNGS_TILES["attention"].bound == 4 * 4 * 256 * 32
    assert RUNGS_TILES["fused"].bound == 4 * (2 * 256 * 64 + 256 + 256 * 256)


def test_pars_by_hand():
    """m n (k / BN + k / BM + 1) numbers for the product; two passes in and one out for softmax."""
    assert RUNGS_TILES["product"].par == 4 * 256**2 * (256 / 64 + 256 / 64 + 1)
    assert RUNGS_TILES["fused"].par == 4 * (256**2 * (64 / 64 + 64 / 64 + 1) + 4 * 256)
    assert RUNGS_TILES["softmax"].par == 3 * 4 * 32 * 1024
    assert RUNGS_TILES["attention"].par == 4 * 32 * (2 * 256 + 2 * (64 + 128 + 192 + 256))


def test_no_blocks_of_the_product_in_this_room_move_fewer_bytes():
    """Every block of sums with the thinnest blocks of a and b; bytes as ragged blocks move them."""
    rung, side = RUNGS_TILES["product"], 256
    best = min(
        side * side * (-(-side // bm) + -(-side // bn) + 1)
        for bm in range(1, side + 1)
        for bn in range(1, side + 1)
        if 2 * 4 * (bm * bn + bm + bn) <= rung.room_bytes
    )
    assert rung.par == 4 * best


def test_rows_of_the_softmax_do_not_fit():
    rung = RUNGS_TILES["softmax"]
    text = rung.worked.text.replace("ROWS, COLS = 8, 32", "ROWS, COLS = 1, 1024")
    verdict = ladder.judge(rung, text)
    assert "twice its blocks and its scratch are 16,392 bytes; the chip has room for 8,192" in verdict.problem


def test_who_goes_back_and_forth_beats_the_par_of_softmax():
    """Pass 1 begins where pass 0 ended: its first block is still there."""
    text = RUNGS_TILES["softmax"].worked.text
    for old, new in TABLE["back_and_forth"]:
        text = text.replace(old, new)
    verdict = ladder.judge("softmax", text)
    assert verdict.right and verdict.beaten and verdict.par - verdict.score == 32 * 32 * 4, verdict.problem


@pytest.mark.parametrize("id, change, line, words", TABLE["a_wrong_text_is_refused_at_its_line"])
def test_a_wrong_text_is_refused_at_its_line(id, change, line, words):
    import re

    text = RUNGS_TILES[id].worked.text.replace(*change)
    assert text != RUNGS_TILES[id].worked.text
    verdict = ladder.judge(id, text)
    assert not verdict.right and re.search(words, verdict.problem), verdict.problem
    if line is not None:
        assert text.splitlines()[verdict.line - 1].strip().startswith(line), verdict.problem


FEED, NETWORK = ladder.rung("feed"), ladder.rung("network")


def test_bounds_by_hand_of_arrays():
    assert FEED.bound == 16 + 94 * 81 * 4 / 16 + 30
    assert FEED.least(FEED.case({"m": 16, "n": 1, "k": 17})) == 16 + 2 + 30
    layers = Gemm(3136, 32, 27), Gemm(784, 64, 288), Gemm(4, 100, 3136)
    assert NETWORK.work(**NETWORK.measured) == layers
    first, _, third = layers
    assert NETWORK.bound == first.bytes_moved("bf16") / 64 + 784 * 64 * 288 / 1024 + third.bytes_moved("bf16") / 64


def test_the_par_of_the_feed_is_the_better_of_both_closed_forms():
    gemm, edge = Gemm(**FEED.measured), FEED.edge
    assert FEED.par == systolic.cycles(gemm, edge, edge, "is", True).total
    assert FEED.par < systolic.cycles(gemm, edge, edge, "ws", True).total


@pytest.mark.parametrize("rung", [FEED, NETWORK], ids=lambda rung: rung.id)
def test_each_step_is_better_than_the_one_before(rung):
    scores = [rung.score(rung.run(step.text, rung.scoring)) for step in rung.steps]
    assert scores == sorted(scores, reverse=True) and scores[-1] == rung.par >= rung.bound
    assert rung.machine == "array" and rung.scored == "cycles"


def test_nothing_else_that_stays_in_these_blocks_beats_the_par_of_the_network():
    lines = NETWORK.worked.text.splitlines()
    for at, line in enumerate(lines):
        for stays in ("OUTPUTS", "WEIGHTS", "INPUTS") if line.startswith("layer(") else ():
            head, _, _, *rest = line.split(", ")
            for kept in ("OUTPUTS", "WEIGHTS", "INPUTS"):
                other = ", ".join([head, stays, kept, *rest])
                made = NETWORK.run("\n".join([*lines[:at], other, *lines[at + 1 :]]), NETWORK.scoring)
                assert made.cycles >= NETWORK.par


A = np.array([[1.0, 2, 3], [4, 5, 6]])


def test_what_is_asked_by_hand():
    assert asked.map_(A[0])["out"].tolist() == [3, 5, 7]
    assert asked.copy(A[0])["out"].tolist() == [1, 2, 3]
    assert asked.transpose(A)["out"].tolist() == [[1, 4], [2, 5], [3, 6]]
    assert asked.reduction(A[0])["out"].tolist() == [6]
    assert asked.scan(A)["out"].tolist() == [[1, 3, 6], [4, 9, 15]]
    assert asked.matmul(A, A.T)["c"].tolist() == [[14, 32], [32, 77]]
    counts = asked.histogram(np.array([63, 0, 63]))["counts"]
    assert len(counts) == 64 and counts[0] == 1 and counts[63] == 2 and counts.sum() == 3
    assert asked.product(A, A.T)["c"].tolist() == [[14, 32], [32, 77]]
    assert asked.fused(A, A.T, np.array([-20.0, 1]))["out"].tolist() == [[0, 33], [12, 78]]
    shares = asked.softmax(A)["out"]
    assert np.allclose(shares.sum(axis=1), 1) and np.allclose(shares[:, 1] / shares[:, 0], np.e)
    a = np.ones(3)
    asked.copy(a)["out"][0] = 7
    assert a[0] == 1


def test_a_convolution_adds_up_nine_neighbours_and_zeros_beyond_the_ends():
    draw = np.random.default_rng(1)
    a, w = draw.integers(1, 9, 20), draw.integers(1, 9, 9)
    for i, got in enumerate(asked.convolution(a, w)["out"]):
        assert got == sum(w[k] * a[i + k - 4] for k in range(9) if 0 <= i + k - 4 < 20)


def test_a_token_sees_itself_and_those_before_it():
    draw = np.random.default_rng(2)
    q, k, v = (draw.standard_normal((5, 3)) for _ in range(3))
    for row, got in enumerate(asked.attention(q, k, v)["out"]):
        weights = np.exp([q[row] @ k[col] / 3**0.5 for col in range(row + 1)])
        assert np.allclose(got, weights @ v[: row + 1] / weights.sum())


STEPS = [(id, place) for id, rung in ladder.rungs().items() for place in range(len(rung.steps))]
QUICK = [(id, place) for id, place in STEPS if id not in ("matmul", "reduction", "product")]


@settings(max_examples=20, deadline=None)
@given(st.integers(0, 32))
def test_a_stride_brings_the_sectors_that_chapter_5_counts(stride):
    made = shown.strided(stride)
    assert made.counted.loads["a"].sectors == gpu.sectors(stride) and made.counted.stores["out"].sectors == 4
    assert list(made.arrays["out"][:32]) == [stride * lane for lane in range(32)]


@settings(max_examples=20, deadline=None)
@given(st.integers(1, 64))
def test_a_column_takes_the_turns_of_the_common_divisor(words):
    made = shown.column(words)
    assert made.counted.shared_turns == gcd(words, 32) == gpu.access.strided(words).turns


@pytest.mark.parametrize("places", [1, 2, 3, 8, 31, 32])
def test_lanes_queue_for_the_fullest_counter(places):
    assert shown.counting(places).counted.atomic_turns == -(-32 // places)


def test_a_transpose_moves_more_and_lasts_as_long_as_its_stores_of_whole_lines():
    copy, turned = shown.moved("copy", 64), shown.moved("transpose", 64)
    assert (turned.arrays["out"] == copy.arrays["out"].T).all()
    assert turned.counted.global_bytes == 4.5 * copy.counted.global_bytes  # 4 sectors and 32, not 4 and 4
    assert turned.counted.dram_bytes == copy.counted.dram_bytes and 3 < turned.timed.cycles / copy.timed.cycles < 5


def test_more_warps_hide_more_of_the_latency_until_the_bandwidth_is_used():
    cycles = [shown.streamed(warps).timed.cycles for warps in (1, 2, 4, 32)]
    assert cycles == sorted(cycles, reverse=True) and cycles[0] == pytest.approx(2 * cycles[1], rel=0.02)
    assert kernels.least_cycles(8 * shown.STREAM) < cycles[-1] < 1.6 * kernels.least_cycles(8 * shown.STREAM)


@pytest.mark.parametrize("id, place", QUICK)
def test_a_step_scores_what_its_run_says_and_is_blamed_for_its_fault(id, place):
    rung = ladder.rung(id)
    assert shown.score(id, place) == pytest.approx(rung.score(rung.run(rung.steps[place].text, rung.scoring)))
    blamed = shown.blamed(id, place)
    assert (blamed.counter if blamed else "") == rung.steps[place].fault


def test_a_step_beyond_the_last_is_the_last_and_a_run_is_made_once():
    assert shown.ran("copy", 9) is shown.ran("copy", 1) and shown.score("copy", 9) == ladder.rung("copy").par


@pytest.mark.parametrize("call", [lambda: shown.ran("maps"), lambda: shown.moved("swap"), lambda: shown.column(0)])
def test_what_is_not_shown_is_one_line(call):
    with pytest.raises((ValueError, KeyError)) as found:
        call()
    assert "\n" not in str(found.value)


def test_machine_and_chips_have_the_spare_column_before_the_tile_and_that_before_the_straight_one():
    """Second road: the printed times and rates, divided by hand."""
    machine, page, h100 = shown.beside().values()
    assert page == pytest.approx({"straight": 3.14, "tile": 1.77, "padded": 1.10}, abs=0.01)
    assert h100 == pytest.approx({"straight": 6.18, "tile": 1.87, "padded": 1.05}, abs=0.01)
    assert machine == pytest.approx({"straight": 3.92, "tile": 1.90, "padded": 1.06}, abs=0.01)
    for ways in (machine, page, h100):
        assert ways["straight"] > ways["tile"] > ways["padded"]


@pytest.mark.parametrize("name, most", TABLE["misses_of_what_was_timed"])
def test_the_machine_is_as_near_what_was_timed_as_we_say(name, most):
    for seen in {chosen for _, chosen, _ in beside_chips.judged([name])}:
        good, pairs, miss = beside_chips.figures(
            [its for _, chosen, its in beside_chips.judged([name]) if chosen == seen]
        )
        assert good >= 0.95 * pairs > 0 and miss < most


def test_every_rung_has_its_place_and_ones_own_best_beside_it():
    places = glance.glance({}, set())
    assert [place.id for place in places] == list(ladder.rungs())
    assert [place.number for place in places] == list(range(1, len(places) + 1))
    for place in places:
        assert place.bound <= place.par < place.slow == score(place.id)
        assert place.mine is None and not place.star and place.times(None) is None
        assert place.times(place.bound) == 1 < place.times(place.slow)
    par = ladder.rung("copy").par
    found = {place.id: place for place in glance.glance({"copy": par, "map": 2e4, "unknown": 1.0}, {"copy"})}
    assert (found["copy"].mine, found["copy"].star) == (par, True) and found["copy"].times(par) == 1
    assert (found["map"].mine, found["map"].star) == (2e4, False) and found["scan"].mine is None


def test_rungs_say_honest_minutes_and_the_chapter_says_their_sum():
    first = list(RUNGS)[:7]
    assert catalog.minutes(first) == 90 and catalog.minutes() <= 6 * 60
    assert all(5 <= rung.minutes <= 40 for rung in RUNGS.values())
    text = (Path(__file__).parents[2] / "notebooks" / "15_kernels.ipynb").read_text(encoding="utf-8")
    assert (
        f"take about {catalog.minutes(first)} minutes together; all {len(RUNGS)} take about {catalog.minutes()}."
        in text
    )


def test_a_tensor_core_multiplies_sixteen_times_as_many_as_the_lanes():
    flop = gpu.sm.RECORDS["a100-80gb-sxm"]["flop_per_clock"]
    tensor = RUNGS["tensor"]
    assert flop / 2 / gpu.arch.LIMITS["sm80"]["cuda_cores"] == 16
    assert tensor.work(16, 16, 16) == 16**3 / 16 and RUNGS["online"].bound == 2 * 64 * 64 * 8 / 64


def test_who_nearly_reaches_the_par_is_told_which_counts_are_above_it():
    worked = RUNGS["shares"].worked.text
    verdict = ladder.judge(
        "shares", worked.replace("    total = 0.0\n", "    total = 0.0\n    top = top + 0.0 * lane\n")
    )
    assert verdict.right and 1 < verdict.score / verdict.par < 1.01 and verdict.hints[0].counter == "near"
    assert "instructions of warps (par: " in verdict.hints[0].text and "barriers" not in verdict.hints[0].text


def test_steps_beside_an_h100():
    """Wrong: the compiler moves loads up, the machine takes them in the order of the text."""
    rows, moved = measured.RECORDED["rows"], TABLE["loads_moved_up"]
    steps = list(zip(rows["rung"], rows["step"], rows["registers"], strict=True))
    made = [measured.cycles(RUNGS[id], at, own) for id, at, own in steps]
    assert made == pytest.approx(rows["cycles"], abs=0.1)
    found = [[(cycles / each[-1][1], us / each[-1][0]) for us, cycles in each] for each in shown.on_silicon().values()]
    right, pairs, miss = beside_chips.figures([dict(enumerate(each)) for each in found])
    assert (right, pairs) == (35, 37) and miss < 0.25  # the bar of 95 % is not reached
    for id, at, own in (each for each in steps if each[0] in moved and not each[1]):
        assert measured.cycles(RUNGS[id], at, own, moved[id]) < made[steps.index((id, at, own)) + 1]
    assert all(f"says “{RUNGS[id].slow.name}” takes" in shown.beside_silicon(RUNGS[id]) for id in rows["rung"])
    assert shown.beside_silicon(ladder.rung("product")) == ""
    assert "“straight across” took 6.76 times as long as the" in shown.beside_silicon(ladder.rung("transpose"))
    assert "the worked kernel took 1.17 times as long as “nine" in shown.beside_silicon(ladder.rung("convolution"))
