"""The bound: never beaten, and reached where one part decides."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from launched import PRODUCT, SUM, TRANSPOSE, programs, ran

from accelerator_lib import kernels
from accelerator_lib.kernels import chips

SM = chips.of("a100-80gb-sxm")


@settings(max_examples=60)
@given(
    programs(),
    st.integers(1, 4),
    st.sampled_from([20, 32, 128]),
    st.sampled_from(chips.KNOWN),
    st.sampled_from([32, 255]),
)
def test_no_run_beats_its_bound(source, blocks, threads, chip, registers):
    n = blocks * threads
    given = {"a": np.arange(n) % 50, "out": np.zeros(n, int), "n": n}
    made = kernels.run(source, given, blocks=blocks, threads=threads, chip=chip, registers=registers)
    assert made.timed.cycles >= made.bound.cycles - 1e-6 and made.bound.cycles > 0


@pytest.mark.parametrize("blocks", [1, 4, 40])
def test_nor_do_kernels_with_barriers_shared_memory_and_atomics(blocks):
    made = ran(SUM, blocks, 64, a=np.zeros(64 * blocks), out=np.zeros(blocks))
    assert made.bound.cycles <= made.timed.cycles < 4 * made.bound.cycles
    source = "s = shared(64, int)\ns[thread] = 0\nbarrier()\natomic_add(s, a[thread], 1)\nbarrier()\natomic_add(out, s[thread], 1)"
    made = ran(source, blocks, 64, a=np.arange(64) // 4, out=np.zeros(65, int))
    assert made.bound.cycles <= made.timed.cycles


@pytest.mark.parametrize("width", [16, 17])
def test_nor_do_tiles(width):
    a = np.zeros((64, 64))
    made = ran(TRANSPOSE.replace("WIDTH", str(width)), (4, 4), (16, 16), a=a, out=a, n=64)
    assert made.bound.cycles <= made.timed.cycles
    made = ran(PRODUCT, (8, 8), (8, 8), a=a, b=a, out=a, n=64)
    assert made.bound.cycles <= made.timed.cycles < 1.5 * made.bound.cycles


def test_each_part_is_a_closed_form_of_the_counts():
    made = ran("x = a[thread * 8]\nif x < 1.0:\n    out[thread] = x + 1.0", 1, 256, a=np.zeros(2048), out=np.zeros(256))
    sectors = 8 * 32 + 8 * 4
    parts = made.bound.parts
    assert parts["L2"] == pytest.approx(32 * sectors / SM.l2_bytes) and parts["DRAM"] == pytest.approx(
        32 * sectors / SM.dram_bytes
    )
    assert parts["issue"] == 2 * (2 + 1 + 2 + 2 + 1) and (parts["shared memory"], parts["atomics"]) == (0, 0)
    load = 2 + 2 + SM.dram_latency + 1024 / SM.dram_bytes  # the address, then the load
    assert parts["latency"] == pytest.approx(load + SM.alu_latency + SM.alu_latency + 1 - 2 + 2, abs=4)
    assert made.bound.cycles == max(parts.values()) and parts[made.bound.limit] == made.bound.cycles


def test_shared_memory_and_atomics_have_their_parts():
    made = ran(
        "s = shared(32, 32)\ns[lane, 0] = 1.0\nx = shuffle_xor(lane, 1)\natomic_add(a, 0, 1.0)", 2, 32, a=np.zeros(1)
    )
    assert made.bound.parts["shared memory"] == 2 * (32 + 1) and made.bound.parts["atomics"] == 2 * 32 * 108


def test_latency_counts_blocks_that_do_not_fit_at_a_time():
    given = {"a": np.zeros(1024)}
    few = kernels.run("x = a[thread] + 1.0", given, blocks=64, threads=1024, registers=32)
    one = kernels.run("x = a[thread] + 1.0", given, blocks=1, threads=1024, registers=32)
    assert few.occupancy.blocks == 2 and few.bound.parts["latency"] > 10 * one.bound.parts["latency"]


@pytest.mark.parametrize("source", [
    "x = lane\ny = lane", "x = lane + 1\nz = lane + 2\ny = x + 1", "x = a[lane] + 1.0\ny = lane",
    "s = shared(32)\ns[lane] = 1.0\nbarrier()\nx = s[31 - lane] + 1.0", "x = shuffle_down(lane, 1)\ny = x + 1",
])  # fmt: skip
def test_a_lone_warp_takes_its_latency(source):
    """With nobody to wait for, the latency is not a bound but the time itself."""
    made = ran(source, a=np.zeros(32))
    assert made.bound.parts["latency"] == pytest.approx(made.timed.cycles)


@given(st.integers(0, 10**9))
def test_a_floor_is_bytes_over_bytes_a_cycle(bytes_moved):
    assert kernels.least_cycles(bytes_moved) == pytest.approx(bytes_moved / SM.dram_bytes)
