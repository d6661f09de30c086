"""Traces and their cures, seven versions of a product, a frame that must take 10 ms."""

from itertools import pairwise, product
from math import prod

import pytest
from hypothesis import given
from hypothesis import strategies as st

from accelerator_course.frames.codesign import improved
from accelerator_lib import roofline
from accelerator_lib.codesign import detector, traces, versions
from accelerator_lib.codesign.traces import Job

CURES = {
    "A": "four times as many loader workers",
    "B": "launches recorded and replayed",
    "C": "the host no longer waits",
    "D": "half the bytes",
}


def bound(job):
    """(seconds of a step by its slowest part alone, which that is)."""
    host, gpu = job.kernels * job.launch_s, job.kernels * job.kernel_s
    parts = {"loader": job.load_s / job.workers, "launches": host + (0.0 if job.pinned else job.copy_s)}
    waiting = host + gpu + max(0.0, job.copy_s - job.launch_s) if job.waits else 0.0
    parts |= {"copy": job.copy_s, "GPU": gpu, "waiting": waiting}
    return max(parts.values()), max(parts, key=parts.get)


@pytest.mark.parametrize("name", traces.JOBS)
def test_a_run_keeps_the_order_of_things_and_takes_what_its_slowest_part_takes(name):
    for fix in traces.FIXES:
        trace = traces.trace(name, fix)
        for lane in ("host", "copy", "GPU"):  # nobody does two things at once
            for one, other in pairwise(sorted(trace.of(lane), key=lambda span: span.start)):
                assert one.start <= one.end <= other.start + 1e-12
        kernels, launches = trace.of("GPU"), trace.of("host", "launch")
        assert len(kernels) == len(launches) == traces.STEPS * trace.job.kernels
        assert all(k.start >= one.end - 1e-12 for k, one in zip(kernels, launches, strict=True))
        for step in range(traces.STEPS):
            first = next(k for k in kernels if k.step == step)
            (copy,), (batch,) = ([s for s in trace.of(lane) if s.step == step] for lane in ("copy", "loader"))
            assert batch.end <= copy.start + 1e-12 and copy.end <= first.start + 1e-12
        exact = 1e-9 if fix == "as it is" else 0.25
        assert trace.step_seconds == pytest.approx(bound(trace.job)[0], rel=exact)


def test_which_cure_helps_and_which_does_nothing():
    for name, cure in CURES.items():
        gains = {fix: traces.gain(name, fix) for fix in traces.FIXES}
        assert max(gains, key=gains.get) == cure and gains[cure] > 1.7, name
        others = [gain for fix, gain in gains.items() if fix != cure]
        assert max(others) < gains[cure] - 0.25
    kinds = [bound(job)[1] for job in traces.JOBS.values()]
    assert kinds == ["loader", "launches", "waiting", "GPU"] and set(traces.TROUBLES) == set(traces.JOBS)
    assert traces.gain("D", "a GPU with twice the arithmetic") == pytest.approx(1)
    assert traces.gain("D", "half the bytes") == pytest.approx(2)
    busy = {name: traces.trace(name).busy for name in traces.JOBS}
    assert busy["D"] == pytest.approx(1) and max(busy[name] for name in "ABC") < 0.75
    d = traces.trace("D")
    assert d.memory_share == 1 and d.arithmetic_share < 0.3
    assert all(traces.trace(name).arithmetic_share == 1 for name in "ABC")
    assert traces.gain("C", "launches recorded and replayed") == 1


load, one, flag = st.floats(1e-4, 0.05), st.floats(1e-6, 1e-3), st.booleans()


@given(load, st.integers(1, 8), st.floats(1e-5, 0.01), flag, st.integers(1, 20), one, one, flag)
def test_no_run_is_faster_than_its_slowest_part(load, workers, copy, pinned, kernels, launch, arithmetic, waits):
    job = Job(load, workers, copy, pinned, kernels, launch, arithmetic, 1e-4, waits)
    trace = traces.record(job)
    gpu, host = kernels * job.kernel_s, kernels * launch
    loading = load * -(-traces.STEPS // workers)
    assert trace.seconds >= max(traces.STEPS * gpu, traces.STEPS * host, loading, traces.STEPS * copy) * (1 - 1e-9)
    assert trace.seconds <= traces.STEPS * (load + copy + host + gpu) * (1 + 1e-9)
    assert 0 < trace.busy <= 1 + 1e-9 and trace.window == trace.seconds


def test_pinned_memory_lets_the_host_go_on_and_a_worker_is_two_batches_ahead():
    for pinned, waits in ((True, 0), (False, traces.STEPS)):
        trace = traces.record(Job(load_s=1e-5, copy_s=0.002, pinned=pinned, launch_s=2e-4))
        assert len([s for s in trace.of("host", "wait") if s.end - s.start > 1e-3]) == waits
    run = traces.record(Job(load_s=1e-4, workers=1, arithmetic_s=1e-3, waits=True))
    batches, taken = run.of("loader"), [span.start for span in run.of("host", "launch")][:: run.job.kernels]
    assert [one.start for one in batches[:2]] == [0, pytest.approx(batches[0].end)]
    for place in (2, 3):
        assert batches[place].start == pytest.approx(max(taken[place - 2], batches[place - 1].end))
    assert batches[3].start == pytest.approx(taken[1])


def test_seven_rungs_and_their_steps():
    *_, top = improved()
    assert top.number == len(top.versions) == 7
    assert top.here.speedup == 62_806 and round(top.gain, 1) == 2.7
    assert versions.gained(1) == pytest.approx(62806 / 23224) and versions.gained(6) == 62_806
    steps = [one.gain for one in improved()]
    assert steps[0] is None and prod(steps[1:]) == pytest.approx(25_552.48 / 0.41)
    assert all(step > 2 for step in steps[1:])
    assert versions.published()[-1].peak_share == pytest.approx(337.812 / 835)
    assert len(list(improved(3))) == 3


def test_seconds_and_speedups_are_two_roads_to_one_number():
    first = versions.published()[0]
    for rung in versions.published():
        assert first.seconds / rung.seconds == pytest.approx(rung.speedup, rel=0.03)
        assert rung.flops_per_s / 1e9 == pytest.approx(rung.gflop_s, rel=0.08)
    assert all(one.seconds > other.seconds for one, other in pairwise(versions.published()))


def test_the_case_of_the_detector():
    assert detector.answer().total_ms == 30
    assert detector.answer(half=True, compiled=True).total_ms == 17.75
    assert detector.answer(True, True, True, True).total_ms == 7.75
    every = (detector.answer(*made) for made in product((False, True), repeat=4))
    found = sorted(every, key=lambda one: one.total_ms)
    assert len(found) == len({one.repairs for one in found}) == 16
    assert [one.repairs for one in found if one.in_time] == [detector.REPAIRS]
    assert found[0].total_ms == 7.75 and found[-1].total_ms == 30
    assert min(one.total_ms for one in found if len(one.repairs) == 3) == 11.75
    for name, share in (("half", 12 / 30), ("compiled", 8 / 30), ("preprocess", 7 / 30), ("boxes", 5 / 30)):
        gained = detector.answer().total_ms / detector.answer(**{name: True}).total_ms
        assert gained < roofline.amdahl(share, 1e9)
    both, one = detector.answer(True, True).stages, detector.answer(half=True).stages
    assert both["element-wise"] == one["element-wise"] / 2 == 0.75
