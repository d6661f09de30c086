"""Ladders: on a kind that is small enough to climb here, and on one of rows made by hand."""

from math import exp, log

import pytest

from accelerator_lib import data
from accelerator_lib.validation import adding
from accelerator_lib.validation.fitting import fit


@pytest.fixture(scope="module")
def streams():
    return adding.Ladder("memory_bandwidth", list(data.published("memory_bandwidth").values()))


def test_what_is_stored_is_what_climbing_finds_today(streams):
    today, stored = streams.climb(), data.load("validation_steps")["memory_bandwidth"]
    assert today["steps"] == stored["steps"] and today["off"] == stored["off"]


def test_as_good_as_can_be_is_the_fast_end_of_every_range(streams):
    free = streams.module.FREE
    assert streams.best == {"share": free["share"][2], "turning": free["turning"][0]}


def test_one_source_with_one_number_is_met_exactly_and_another_is_off_by_its_own():
    """A memory that reaches half of its rate in one source, and a quarter in the other; one kind of kernel."""
    rows = [row(f"{source}{i}", source, share * 3350) for source, share in (("a", 0.9), ("b", 0.6)) for i in range(3)]
    made = adding.Ladder("memory_bandwidth", rows)
    made.climb()
    last = made.steps[-1]
    assert made.steps[-2][0] == adding.OWN and made.steps[-2][3] == pytest.approx(0, abs=5e-3)
    assert exp(last[4]) == pytest.approx(0.9 / 0.6, rel=0.02)
    assert made.off["a0"][0] == pytest.approx(log(1 / 0.9), abs=2e-3)


def test_one_more_constant_never_fits_worse(monkeypatch):
    """Even where the search for three of them ends in a bad place, and where one alone is too few."""
    names = ("share", "bandwidth", "launch_us")
    made = adding.Ladder("gemm", [each for each in data.published("gemm").values() if each["unit"] == "TFLOP/s"])
    least = {name: low for name, (low, _, _) in made.module.FREE.items()}
    good = made.best | {"share": 0.7, "bandwidth": 0.85}
    monkeypatch.setattr(made, "_fitted", lambda chosen, *_: good if tuple(chosen) == names[:2] else least)
    assert made._fit(list(names)) == made._fit(list(names[:2])) == good != made._fit(list(names[:1]))


def row(id, source, value):
    return {"id": id, "kind": "memory_bandwidth", "device": "H100 SXM", "n_devices": 1, "workload": "read", "unit": "GB/s",
            "conditions": {"kernel": "read"}, "metric": "bandwidth", "value": value, "source": source, "basis": "seen"}  # fmt: skip


def test_all_constants_free_fit_as_well_as_calibration_does(streams):
    rows = list(data.published("memory_bandwidth").values())
    whole = fit("memory_bandwidth", rows)
    common = {name: value for name, value in whole.items() if "." not in name}
    made = streams._fit(list(streams.module.FREE))
    wrong = [sum(map(abs, streams._errors(each).values())) for each in (made, common)]
    assert wrong[0] <= wrong[1] + 1e-6


def test_every_constant_has_words():
    asked = {name for kind in adding.KINDS for name, *_ in data.load("validation_steps")[kind]["steps"]}
    fixed = {adding.BOUND, adding.IDEAL, adding.FAMILIES, adding.OWN, adding.STRANGE}
    assert asked - fixed <= set(adding.WORDS)
    from accelerator_lib.validation.door import model_of

    assert {name for kind in adding.KINDS for name in model_of(kind).FREE} <= set(adding.WORDS)
