import numpy as np
import pytest

from accelerator_lib import hardware, memory
from accelerator_lib.memory import flow

A100 = hardware.chip("a100-80gb-sxm")


def test_the_ladder_of_an_a100_is_derived_not_quoted():
    registers = memory.operand_bytes_per_s(units=108, lanes=64, clock_hz=1.41e9)
    shared = memory.level_bytes_per_s(units=108, bytes_per_clock=128, clock_hz=1.41e9)
    assert registers == pytest.approx(116.95104e12) and registers / A100.bytes_per_s == pytest.approx(
        57.357057381069154
    )
    assert shared == pytest.approx(19.49184e12) and shared / A100.bytes_per_s == pytest.approx(9.559509563511526)


def test_littles_law_by_hand():
    tank = memory.bytes_in_flight(A100.bytes_per_s, 400 / 1.41e9)
    assert tank == pytest.approx(578_439.7163120568) and tank / 108 == pytest.approx(5355.923299185711)
    assert memory.tank().warps_needed == 42 and memory.tank(bytes_per_thread=64).warps_needed == 3
    assert memory.tank(warps=1).share == pytest.approx(0.024, abs=0.001) and memory.tank(warps=64).share == 1


def test_a_tank_is_filled_by_what_one_warp_holds():
    tank = memory.tank(warps=32)
    assert tank.held_bytes == 32 * 108 * 32 * 4
    assert tank.share == pytest.approx(tank.held_bytes / tank.needed_bytes)
    full, short = (memory.tank(warps=tank.warps_needed - less) for less in (0, 1))
    assert full.share == 1 and short.share < 1
    assert memory.tank(warps=np.array([1, 64])).share == pytest.approx([0.024, 1], abs=0.001)


def test_the_defaults_are_those_of_the_data():
    assert (A100.bytes_per_s, A100.units) == (flow.A100.bytes_per_s, 108)
    assert pytest.approx(400 / 1.41e9, rel=0.002) == flow.LOAD_SECONDS
    assert flow.WARP_LANES == 32


def test_a_queue_that_is_simulated_needs_what_littles_law_says():
    """Requests of 64 bytes enter whenever a slot is free and leave after the latency: throughput = slots x 64 / latency."""
    latency, slots = 50, 20
    leaving, done = [], 0
    for clock in range(10_000):
        done += sum(t == clock for t in leaving)
        leaving = [t for t in leaving if t > clock]
        leaving += [clock + latency] * (slots - len(leaving))
    assert memory.bytes_in_flight(64 * done / 10_000, latency) == pytest.approx(slots * 64, rel=0.01)


def test_nothing_under_way_is_refused():
    with pytest.raises(ValueError, match="seconds = 0"):
        memory.bytes_in_flight(1e12, 0)
    with pytest.raises(ValueError, match="units must be whole"):
        memory.level_bytes_per_s(1.5, 128, 1e9)
