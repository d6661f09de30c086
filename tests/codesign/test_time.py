"""Traces and their cures."""

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from accelerator_lib.codesign import traces
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
