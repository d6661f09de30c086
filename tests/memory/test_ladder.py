import pytest

from accelerator_lib import hardware, memory
from accelerator_lib.memory import ladder, levels
from accelerator_lib.memory.ladder import Gap, Rung

A100 = hardware.chip("a100-80gb-sxm")


def test_the_gap_answers_the_claim_of_ten_thousand():
    assert ladder.gap("bandwidth").ratio[0] == pytest.approx(57.36, abs=0.01)
    assert ladder.gap(operands=1).ratio[0] == pytest.approx(19.1, abs=0.05)
    assert ladder.gap(operands=4).ratio[0] == pytest.approx(76.5, abs=0.05)
    assert ladder.gap("energy").ratio == (pytest.approx(33.3, abs=0.1), pytest.approx(60))
    assert ladder.gap("latency").ratio[0] > 50 and ladder.gap("capacity").ratio[0] > 1000


def test_what_is_rebuilt_is_what_is_published():
    published = {level.kind: level.bandwidth[0].value for level in levels.of("a100-80gb-sxm")}
    rebuilt = [rung.low for rung in ladder.gap().rungs]
    assert rebuilt == pytest.approx([published[kind] for kind in ("registers", "shared", "l2", "dram")], rel=1e-3)
    assert rebuilt[1] == memory.level_bytes_per_s(units=108, bytes_per_clock=128, clock_hz=1.41e9)
    assert rebuilt[2] == memory.level_bytes_per_s(units=1, bytes_per_clock=5120, clock_hz=1.41e9)
    assert rebuilt[3] == A100.bytes_per_s
    whole = ladder.gap("capacity").rungs
    assert [rung.low for rung in whole] == [27 * 2**20, 108 * 192 * 1024, 40 * 2**20, 80e9]


def test_every_rung_is_counted_in_multiples_of_the_last():
    by_hand = Gap("latency", "s", (Rung("near", 1, 2), Rung("far", 10, 30)))
    assert by_hand.ratios == ((5, 30), (1, 1)) and by_hand.ratio == (5, 30)
    faster = Gap("bandwidth", "B/s", (Rung("near", 40, 60), Rung("far", 2, 4)))
    assert faster.ratio == (10, 30)
    for quantity in levels.QUANTITIES:
        gap = ladder.gap(quantity)
        assert len(gap.ratios) == len(gap.rungs) == 4 and gap.ratios[-1] == (1, 1)
        assert all(least <= most for least, most in gap.ratios)


def test_a_faster_clock_helps_what_is_on_the_chip_and_not_the_memory():
    slow, fast = (ladder.gap("latency", clock_hz=clock) for clock in (1.41e9, 2.82e9))
    assert [a.low / b.low for a, b in zip(slow.rungs, fast.rungs, strict=True)] == pytest.approx([2, 2, 2, 1])
    slow, fast = (ladder.gap("bandwidth", clock_hz=clock) for clock in (1.41e9, 2.82e9))
    assert [b.low / a.low for a, b in zip(slow.rungs, fast.rungs, strict=True)] == pytest.approx([2, 2, 2, 1])


def test_what_lies_in_the_sms_grows_with_their_number():
    for quantity in ("capacity", "bandwidth"):  # L2 and main memory are shared: they do not
        small, large = (ladder.gap(quantity, sms=sms) for sms in (54, 108))
        assert [b.low / a.low for a, b in zip(small.rungs, large.rungs, strict=True)] == pytest.approx([2, 2, 1, 1])
    for quantity in ("latency", "energy"):
        assert ladder.gap(quantity, sms=54) == ladder.gap(quantity, sms=108)


def test_five_digits_appear_only_where_two_quantities_are_mixed():
    *alike, mixed = ladder.pairs().values()
    assert max(alike) < 10_000 < mixed == pytest.approx(1300 / 0.03)
    for quantity, told in zip(("bandwidth", "latency", "energy", "capacity"), alike, strict=True):  # at its widest
        near, *_, far = ladder.gap(quantity).rungs
        assert told == pytest.approx(near.high / far.low if quantity == "bandwidth" else far.high / near.low)


def test_other_quantities_and_sizes_are_refused():
    with pytest.raises(KeyError, match="quantity 'speed' is unknown"):
        ladder.gap("speed")
    with pytest.raises(ValueError, match="sms"):
        ladder.gap(sms=20_000)
