"""Laws that stand in a cell and in a tested model: both say the same."""

import numpy as np
import pytest
from laws import law

from accelerator_lib import llm, network


def test_the_run_on_twice_the_chips():
    for interleave in (1, 2, 4, 8):
        shares = law("training", "measured-run-function", "scaled")(interleave)
        assert shares["model, 16,384 GPUs"] / shares["model, 8,192 GPUs"] == network.kept(interleave)
        assert (shares["published, 8,192"], shares["published, 16,384"]) == (0.43, 0.41)


@pytest.mark.parametrize("order", ["in order", "zig-zag"])
def test_every_pair_of_chunks_is_computed_where_its_queries_are(order):
    for state in law("training", "context-function", "context")(order, 4):
        (done, owner), work = (state["done"], state["owner"]), np.zeros(4)
        for query, key in ((q, k) for q in range(8) for k in range(q + 1)):
            work[owner[query]] += (0.5 if query == key else 1) * ((owner[query] - owner[key]) % 4 < done)
        assert (work == state["work"][:done].sum(axis=0)).all()


@pytest.mark.parametrize("minutes", [0.25, 20.0, 512.0])
@pytest.mark.parametrize("gpus", [1024, 16_384, 100_000])
def test_how_often_to_save(minutes, gpus):
    here = law("training", "checkpoints-function", "checkpoints")(minutes, gpus, 60, 300)
    mtbf = 54 * 86_400 / 419 * 16_384 / gpus
    whole = mtbf * np.exp(300 / mtbf) * np.expm1((60 * minutes + 60) / mtbf)
    assert here["useful"] == pytest.approx(60 * minutes / whole) and here["hours"] == pytest.approx(mtbf / 3600)
    assert here["young"] == pytest.approx(np.sqrt(2 * 60 * mtbf) / 60)


@pytest.mark.parametrize("kind", ["GPipe", "1F1B", "interleaved, 2 chunks", "interleaved, 4 chunks"])
def test_the_names_of_the_orders(kind):
    states = list(law("training", "pipeline-function", "pipe")(kind, 4, 8))
    chunks = int(kind[13]) if kind[0] == "i" else 1
    assert states[-1].clock == 3 * (8 + 3 / chunks)
    assert states[0].schedule.live == {"GPipe": 8, "1F1B": 4}.get(kind, 4 * (1 + 3 / (4 * chunks)))


def test_how_long_a_backward_pass_takes():
    """Twice the forward's 2 FLOP for each weight and token, at 40 % of the peak."""
    ddp = law("training", "ddp-function", "ddp")
    weights = llm.param_count("llama-2-7b")
    for tokens in (256, 2048, 16384):
        state = next(iter(ddp("DDP", 8, 8, tokens)))
        assert state.backward_seconds == pytest.approx(2 * 2 * weights * tokens / (0.4 * 989.4e12))
        assert state.bytes_moved == 2 * weights
