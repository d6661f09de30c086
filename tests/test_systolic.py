import csv
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from accelerator_lib import systolic
from accelerator_lib.workload import Gemm

sizes = st.integers(1, 9)


def test_the_check_block_of_the_curriculum():
    draw = np.random.default_rng(0)
    a, b = draw.integers(-3, 4, (4, 7)), draw.integers(-3, 4, (7, 4))
    states = list(systolic.simulate(a, b))
    assert np.array_equal(states[-1][2], a @ b) and len(states) == 13 == systolic.fold_cycles(4, 4, 7)
    assert sum(int(active.sum()) for _, active, _ in states) == 4 * 4 * 7


@given(sizes, sizes, sizes, st.integers(0, 1000))
def test_the_array_multiplies_matrices_in_the_time_the_formula_says(rows, cols, k, seed):
    draw = np.random.default_rng(seed)
    a, b = draw.integers(-9, 10, (rows, k)), draw.integers(-9, 10, (k, cols))
    *_, (cycle, _, sums) = systolic.simulate(a, b)
    assert np.array_equal(sums, a @ b)
    assert cycle + 1 == systolic.fold_cycles(rows, cols, k)


def test_an_earlier_state_is_not_changed_by_a_later_one():
    states = list(systolic.simulate(np.ones((2, 3)), np.ones((3, 2))))
    assert states[0][2].sum() == 1


def test_shapes_that_do_not_meet_are_refused():
    with pytest.raises(ValueError, match=r"shapes \(2, 3\) and \(2, 3\) cannot be multiplied"):
        next(systolic.simulate(np.ones((2, 3)), np.ones((2, 3))))


def golden():
    lines = (Path(__file__).parent / "golden" / "scalesim.csv").read_text().splitlines()
    return list(csv.DictReader(line for line in lines if not line.startswith("#")))


@pytest.mark.parametrize(
    "row", golden(), ids=lambda row: f"{row['dataflow']}-{row['array_rows']}x{row['array_cols']}-{row['M']}"
)
def test_cycles_are_those_of_the_recorded_simulator(row):
    """SCALE-Sim prints the index of the last cycle: the duration is one more."""
    gemm = Gemm(int(row["M"]), int(row["N"]), int(row["K"]))
    found = systolic.cycles(gemm, int(row["array_rows"]), int(row["array_cols"]), row["dataflow"])
    assert found.total == int(row["compute_cycles"]) + 1


def test_the_closed_form_of_the_curriculum():
    assert systolic.cycles(Gemm(4, 4, 4), 4, 4, "os").total == 10
    c = systolic.cycles(Gemm(128, 128, 128), 128, 128, "os")
    assert c.total == 382 and c.utilization == pytest.approx(0.33507853403141363)
    c = systolic.cycles(Gemm(512, 128, 128), 128, 128, "ws")
    assert c.total == 894 and c.utilization == pytest.approx(0.5727069351230425)
    assert systolic.cycles(Gemm(8, 128, 128), 128, 128, "ws").utilization == pytest.approx(0.020512820512820513)
    large = Gemm(4096, 4096, 4096)
    assert systolic.cycles(large, 128, 128, "ws").total == 4_585_472
    assert systolic.cycles(large, 128, 128, "ws", overlap=True).total == 4_194_686


def test_a_map_of_shapes_is_computed_at_once():
    m, edge = np.meshgrid([1, 64, 4096], [16, 128, 512])
    table = systolic.cycles(Gemm(m, 4096, 4096), edge, edge, "ws", overlap=True).utilization
    for i in range(3):
        for j in range(3):
            one = systolic.cycles(Gemm(int(m[i, j]), 4096, 4096), int(edge[i, j]), int(edge[i, j]), "ws", overlap=True)
            assert table[i, j] == pytest.approx(one.utilization)
    assert table[1, 1] == pytest.approx(0.499, abs=0.001) and table[1, 0] == pytest.approx(0.008, abs=0.0005)
