"""What a text may cost: arrays count while they exist, nodes and numbers for good."""

import ast

import numpy as np
import pytest

from accelerator_lib.kernels import budget
from accelerator_lib.kernels.language import Fault

(NODE,) = ast.parse("\n\nx").body


def test_an_array_is_weighed_until_nothing_names_it():
    one = budget.Budget()
    kept, gone = np.zeros(1000), np.zeros(500, np.float32)
    one.hold(NODE, kept)
    one.hold(NODE, gone)
    one.hold(NODE, np.float32(1.0))
    one.hold(NODE, 7)
    assert one.held == kept.nbytes + gone.nbytes
    del gone
    assert one.held == kept.nbytes


def test_beyond_the_budget_a_fault_names_the_line(monkeypatch):
    monkeypatch.setattr(budget, "MOST_HELD", 2_000_000)
    one, kept = budget.Budget(), []
    with pytest.raises(Fault, match="line 3: the arrays that are kept have more than 2 MB: take smaller blocks"):
        for _ in range(3):
            kept.append(np.zeros(100_000))
            one.hold(NODE, kept[-1])
    assert len(kept) == 3
    for spent in ([budget.MOST_WORK, 1], [0] * (budget.MOST_NODES + 1)):
        one = budget.Budget()
        with pytest.raises(Fault, match="line 3: this runs for too long here"):
            for numbers in spent:
                one.spend(NODE, numbers)
        assert one.nodes == len(spent)
