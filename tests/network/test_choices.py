from itertools import product

import numpy as np
import pytest

from accelerator_lib import hardware
from accelerator_lib.network import choices, parallel
from accelerator_lib.workload import models
from accelerator_lib.workload.transformer import params

H100, LLAMA = hardware.chip("h100-sxm5"), models.model("llama-3-70b")
WAYS = (1, 2, 4, 8, 16)
EVERY = {"micros": (1, 2, 4), "interleaves": (1, 2, 4, 5, 10, 20)}


def test_every_legal_choice_was_tried():
    found = choices.splits(LLAMA, H100, 512, 1024, 4096, 72e9, WAYS, **EVERY)
    best = found[0]
    assert len(found) == 142 and (best.tp, best.pp, best.micro, best.interleave) == (2, 16, 1, 5)
    shares = np.array([best.seconds / one.seconds for one in found])
    assert (shares >= 0.97).sum() == 9 and (shares >= 0.98).sum() == 6
    legal = set()
    for tp, pp, micro, v in product(WAYS, WAYS, (1, 2, 4), (1, 2, 4, 5, 10, 20)):
        dp = 512 // (tp * pp)
        if 1024 % (dp * micro) or 80 % (pp * v) or (v > 1 and (pp == 1 or 1024 // dp // micro % pp)):
            continue
        if parallel.split(LLAMA, H100, tp, pp, dp, 1024, 4096, micro, v).bytes_per_chip <= 72e9:
            legal.add((tp, pp, micro, v))
    assert legal == {(one.tp, one.pp, one.micro, one.interleave) for one in found}


def test_useful_arithmetic_is_the_same_however_it_is_split():
    for one in choices.splits(LLAMA, H100, 512, 1024, 4096, 72e9, WAYS, **EVERY):
        flops = one.mfu * one.seconds * 512 * H100.peak("bf16")
        assert flops == pytest.approx(1024 * (6 * params(LLAMA) * 4096 + 6 * 80 * 8192 * 4096**2))
        assert 0 < one.mfu <= parallel.EFFICIENCY


def test_nothing_fits_into_too_little():
    assert choices.splits(LLAMA, H100, 512, 1024, 4096, 1e9) == ()


@pytest.mark.parametrize("capacity", [30e9, 72e9])
def test_the_map_shows_the_best_of_each_cell(capacity):
    found = choices.table(LLAMA, H100, 512, 1024, 4096, capacity, WAYS, WAYS, (1, 2, 5))
    tried = choices.splits(LLAMA, H100, 512, 1024, 4096, capacity, WAYS, (1,), (1, 2, 5))
    for (tp, pp), (split, fits) in found.items():
        own = [one for one in tried if (one.tp, one.pp) == (tp, pp)]
        assert fits == bool(own)
        assert (split == own[0]) if own else (split is None or split.bytes_per_chip > capacity)


def test_a_map_without_a_choice_begins_with_no_split_and_doubles():
    doubled = [2**n for n in range(7)]
    assert set(choices.table(LLAMA, H100, 512, 1024, 4096, 72e9)) == set(product(doubled, doubled[:5]))


def test_the_map_says_where_nothing_divides():
    found = choices.table(LLAMA, H100, 24, 1024, 4096, 72e9, WAYS, WAYS)
    assert found[16, 1] == (None, False) and found[8, 1] == (None, False)  # 24 / 16; 1,024 on 3 copies
    assert choices.table(LLAMA, H100, 512, 1024, 4096, 72e9, (1,), (1,), (2,))[1, 1] == (None, False)
