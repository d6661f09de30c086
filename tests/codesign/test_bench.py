import numpy as np
import pytest

from accelerator_lib.codesign import bench
from accelerator_lib.codesign.bench import Device


def runs(device, n, flush=True):
    seconds = []
    for _ in range(n):
        if flush:
            device.flush()
        begin = device.clock()
        device.launch()
        device.wait()
        seconds.append(device.clock() - begin)
    return np.array(seconds)


def test_the_truth_is_what_four_thousand_runs_find():
    for seed in range(3):
        device = Device(0.01, 0.4, 0.5, seed)
        assert np.median(runs(device, 4000)[bench.RAMP :]) == pytest.approx(bench.truth(device), rel=2e-3)


def test_the_clock_goes_on_only_while_something_is_done():
    device = Device()
    assert device.clock() == device.clock() == 0
    device.launch()
    asked = device.clock()
    assert asked == pytest.approx(0.5 + bench.ASK)  # compiled, and asked for; not run
    device.wait()
    assert device.clock() - asked > 0.01
    done = device.clock()
    device.wait()
    assert device.clock() == done
    device.launch()
    assert device.clock() - done == pytest.approx(bench.ASK)


def test_warm_caches_and_warm_devices_are_faster():
    cold, warm = runs(Device(seed=3), 800), runs(Device(seed=3), 800, flush=False)
    assert np.median(warm[100:]) / np.median(cold[100:]) == pytest.approx(0.6, rel=0.01)
    assert np.median(cold[1:20]) > 1.5 * np.median(cold[100:])
    assert cold[100:].mean() > 1.15 * np.median(cold[100:])


def test_launches_queue_up():
    one, many = Device(seed=2), Device(seed=2)
    for _ in range(50):
        many.launch()
    many.wait()
    assert many.clock() == pytest.approx(0.5 + runs(one, 50, flush=False).sum() - 0.5, rel=0.01)


def test_the_same_seed_is_the_same_device():
    assert np.array_equal(runs(Device(seed=9), 30), runs(Device(seed=9), 30))


def test_bad_input_and_no_end():
    with pytest.raises(ValueError, match="seconds = 0 s is outside the allowed range"):
        Device(0)
    device = Device(seed=1)
    with pytest.raises(RuntimeError, match="launches are enough"):
        runs(device, bench.MOST + 1, flush=False)


def test_only_a_device_has_a_truth():
    with pytest.raises(TypeError, match="device must be a Device, not "):
        bench.truth(0.01)
