"""One step as what is read."""

import pytest

from accelerator_lib import hardware
from accelerator_lib.llm import reading

A100 = hardware.chip("a100-80gb-sxm")


def test_a_step_is_the_weights_and_a_cache_for_each():
    read = reading.read("llama-2-7b", A100, 8, 1024)
    assert read.weights_seconds + 8 * read.cache_seconds == pytest.approx(read.step.seconds)
    assert read.longer == pytest.approx(1.2732851321026273)


def test_users_are_counted():
    with pytest.raises(ValueError, match="users"):
        reading.read("llama-2-7b", A100, 0, 128)
