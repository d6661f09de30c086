import pytest
from hypothesis import given
from hypothesis import strategies as st

from accelerator_lib import hardware, llm
from accelerator_lib.design import bands

SECONDS = st.floats(1e-4, 10)


def test_eight_billion_weights_in_20_ms_by_hand():
    found = bands.band(16e9, 16e9, 16e9, 0.02)
    assert (found.bytes_per_s, found.flops_per_s) == (8e11, 8e11)
    assert "h100-sxm5" in found.enough and "xeon-8480" not in found.enough
    assert {"groq-lpu", "ipu-gc200"} <= set(found.too_small)


@given(SECONDS, st.floats(1e9, 1e13), st.floats(1e8, 1e12))
def test_a_machine_is_enough_where_a_roofline_step_fits_the_promise(seconds, flops, held):
    """Another road: the time that a step takes on each chip."""
    found = bands.band(flops, held, held, seconds)
    for machine in found.machines:
        step = max(flops / machine.flops_per_s, held / machine.bytes_per_s)
        if abs(step / seconds - 1) > 1e-9:
            assert (machine.id in found.enough) == (step < seconds and held <= machine.capacity_bytes)


@given(SECONDS, st.floats(1.01, 10))
def test_more_time_never_loses_a_machine(seconds, more):
    one, other = (bands.band(16e9, 16e9, 16e9, time) for time in (seconds, seconds * more))
    assert set(one.enough) <= set(other.enough) and not set(one.enough) & set(one.too_small)


def test_every_machine_is_the_catalogs():
    for machine in bands.machines():
        chip = hardware.chip(machine.id)
        assert machine.flops_per_s == max(p.get(d, 0) for p in (chip.matrix, chip.vector) for d in ("bf16", "fp16"))
        assert (machine.bytes_per_s, machine.capacity_bytes) == (chip.bytes_per_s, chip.capacity_bytes)
    assert len(bands.machines()) == 38


def test_training_time_by_hand_and_its_inverse():
    run = 6 * 8.03e9 * 1e12
    assert bands.training_seconds(run, "a100-80gb-sxm", 1000, 0.4) == pytest.approx(run / (1000 * 312e12 * 0.4))
    model = llm.model("llama-3-8b")
    seconds = bands.training_seconds(6 * model.params * 1e12, "h100-sxm5", 64, 0.4)
    assert bands.tokens_for(seconds, model, "h100-sxm5", 64, 0.4) == pytest.approx(1e12)


def test_what_cannot_be():
    with pytest.raises(ValueError, match="seconds = 0 s is outside"):
        bands.band(1e9, 1e9, 1e9, 0)
    with pytest.raises(ValueError, match="mfu = 2 is outside"):
        bands.training_seconds(1e18, mfu=2)
