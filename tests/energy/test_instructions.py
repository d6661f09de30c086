import numpy as np
import pytest

from accelerator_lib.energy import instructions
from accelerator_lib.hardware import chip

A100, H100 = chip("a100-80gb-sxm"), chip("h100-sxm5")


def test_a_thousand_operations_share_one_fetch():
    found = {each.name: each for each in instructions.published()}
    assert found["HFMA"].pj_per_operation / found["HMMA"].pj_per_operation == pytest.approx(14.4, abs=0.05)
    assert found["HFMA"].overhead_share == pytest.approx(0.952, abs=0.001)
    assert found["IMMA"].overhead_share == pytest.approx(0.158, abs=0.001)


def test_an_instruction_of_two_operations_by_hand():
    one = instructions.instruction(2, 0.75, 30.0)
    assert one.overhead_share == pytest.approx(30 / 31.5) and one.pj_per_operation == pytest.approx(15.75)


def test_the_more_operations_the_smaller_the_share_for_arrays_too():
    shares = instructions.instruction(np.array([1.0, 10, 1000]), 1.0, 30.0).overhead_share
    assert np.all(np.diff(shares) < 0) and shares[0] == pytest.approx(30 / 31)
