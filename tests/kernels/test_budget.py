"""What a text may cost: arrays count while they exist, nodes and numbers for good."""

import ast

import numpy as np
import pytest

from accelerator_lib.kernels import budget, pallas
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


@pytest.mark.parametrize("line, reads", [
    ("t = jnp.sum(x)", 4096), ("t = x.max()", 4096), ("t = jnp.min(x, axis=0)", 4096), ("t = x % 2.0", 40_960),
    ("o[...] = 1.0", 4096),
])  # fmt: skip
def test_what_is_read_or_filled_counts_as_well_as_what_is_made(line, reads, monkeypatch):
    monkeypatch.setattr(budget, "MOST_WORK", 20 * reads)
    text = "def k(o):\n    x = jnp.zeros((64, 64))\n    for i in range({}):\n        {}\n"
    text += "c = pl.pallas_call(k, out_shape=jax.ShapeDtypeStruct((64, 64), jnp.float32))()"
    with pytest.raises(Fault, match="line 4, .* too long"):
        pallas.run(text.format(25, line), {}, {}, 10**6)
    pallas.run(text.format(2, line), {}, {}, 10**6)
