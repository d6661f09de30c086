import numpy as np
import pytest

from accelerator_lib import hardware
from accelerator_lib.network import overlap

H100, LLAMA = hardware.chip("h100-sxm5"), "llama-2-7b"


def test_the_plans_numbers():
    assert overlap.step(LLAMA, H100, 2048, 8, 450e9).efficiency == 1
    assert overlap.step(LLAMA, H100, 2048, 64, 50e9).efficiency == pytest.approx(0.35, abs=0.005)
    assert overlap.hiding_tokens(H100, 50e9) == pytest.approx(7915, abs=1)
    assert overlap.hiding_tokens(H100, 450e9) == pytest.approx(880, abs=1)


@pytest.mark.parametrize("way", overlap.WAYS)
@pytest.mark.parametrize("model", ["llama-2-7b", "llama-3-70b"])
@pytest.mark.parametrize("link", [50e9, 450e9])
def test_the_number_of_tokens_that_hides_is_that_of_no_model(model, link, way):
    enough = overlap.hiding_tokens(H100, link)
    assert overlap.step(model, H100, round(1.01 * enough), 10**6, link, way).efficiency == pytest.approx(1)
    assert overlap.step(model, H100, round(0.95 * enough), 10**6, link, way).efficiency < 0.99


def test_an_event_loop_says_the_same():
    """Layer by layer: a gradient goes onto the link when its backward is done; the step ends with the last message."""
    layers, gpus, link, tokens = 2000, 64, 50e9, 6000
    step = overlap.step(LLAMA, H100, tokens, gpus, link)
    clock, free = step.forward, 0.0
    for _ in range(layers):
        clock += step.backward / layers
        free = max(free, clock) + step.reduced / layers
    assert max(clock, free) == pytest.approx(step.seconds, rel=1e-3)
    assert step.waited > 0


def test_dealing_out_the_weights_talks_half_as_much_again():
    ddp, fsdp = (overlap.step(LLAMA, H100, 256, 64, 50e9, way) for way in overlap.WAYS)
    assert fsdp.gathered + fsdp.reduced == pytest.approx(1.5 * ddp.reduced)
    assert fsdp.seconds > ddp.seconds


def test_arrays_and_one_chip():
    many = overlap.step(LLAMA, H100, np.array([256, 8192, 65536]), 64, 50e9)
    assert many.efficiency[0] < 0.1 and many.efficiency[1:] == pytest.approx(1)
    assert overlap.step(LLAMA, H100, 1, 1, 50e9).waited == 0


def test_bad_input():
    with pytest.raises(KeyError, match="ddp"):
        overlap.step(LLAMA, H100, 2048, 8, 450e9, "ddpp")
    with pytest.raises(ValueError, match="tokens"):
        overlap.step(LLAMA, H100, 0, 8, 450e9)


def test_experts_send_all_their_gradients_and_compute_with_few_of_them():
    step = overlap.step("mixtral-8x7b", H100, 20_000, 64, 50e9)
    dense = overlap.step(LLAMA, H100, 20_000, 64, 50e9)
    assert dense.waited == 0 < step.waited  # hides from 3.6 times as many tokens on
    assert step.reduced / step.backward == pytest.approx(46.7 / 12.9 * dense.reduced / dense.backward, rel=0.01)
