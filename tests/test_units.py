import pytest
from hypothesis import given
from hypothesis import strategies as st

from accelerator_lib import units


def test_a_quantity_takes_the_prefix_that_keeps_three_digits():
    printed = [units.si(value, "B/s") for value in (8.19e11, 3.35e12, 999.9e9, 4.04e-5, 0, 1e-7)]
    assert printed == ["819 GB/s", "3.35 TB/s", "1 TB/s", "40.4 µB/s", "0 B/s", "100 nB/s"]


def test_capacities_count_in_powers_of_1024():
    assert [units.binary(v) for v in (40 * 2**20, 1024, 1023, 228 * 1024)] == ["40 MiB", "1 KiB", "1,023 B", "228 KiB"]


def test_the_largest_capacity_keeps_its_prefix():
    assert [units.binary(v) for v in (1024**5, 1024**6, 3 * 1024**6)] == ["1 PiB", "1,024 PiB", "3,072 PiB"]
    assert units.binary(-3 * 1024) == "-3 KiB"


def test_plain_numbers_keep_their_size_and_group_digits():
    assert [units.number(v) for v in (3276.8, 1.0, 0.25, 31.7519, 295.34)] == ["3,277", "1", "0.25", "31.8", "295"]


def test_almost_everything_is_never_rounded_up_to_all_of_it():
    assert [units.percent(v) for v in (0.0034, 0.454, 0.997, 0.99999, 1.0)] == [
        "0.34 %",
        "45 %",
        "99.7 %",
        "99.9 %",
        "100 %",
    ]


def test_what_is_not_known_is_printed_as_unknown():
    assert {units.si(None, "W"), units.binary(None), units.number(None), units.percent(None)} == {"unknown"}


@given(st.floats(1e-11, 1e20))
def test_a_printed_quantity_reads_back_to_three_digits(value):
    text, _, unit = units.si(value, "s").rpartition(" ")
    prefix = next(power for power, name in units.PREFIXES.items() if name == unit[:-1])
    assert abs(float(text.replace(",", "")) * 10.0**prefix - value) <= 0.0051 * value


def test_one_is_singular():
    assert units.counted(1, "token") == "1 token" and units.counted(4096, "token") == "4,096 tokens"
    assert units.counted(2, "pass", "passes") == "2 passes"


@pytest.mark.parametrize(
    ("seconds", "told"),
    [(4e-5, "40 µs"), (59, "59 s"), (60, "1 minute"), (2400, "40 minutes"), (7200, "2 hours"), (86400 * 4, "4 days"),
     (86400 * 365 * 3, "3 years"), (None, "unknown"), (59.9, "59.9 s"), (90 * 60, "90 minutes"),
     (90 * 60 + 36, "1.51 hours"), (72 * 3600, "72 hours"), (72 * 3600 + 864, "3.01 days"), (1000 * 86400, "1,000 days"),
     (1000 * 86400 + 1, "2.74 years"), (3600 * 365 * 24 * 1e6, "1,000,000 years")],
)  # fmt: skip
def test_a_duration_is_told_as_people_say_it(seconds, told):
    assert units.duration(seconds) == told


ODD = {"h": 60 * 60, "kWh": 1e3 * 60 * 60, "%": 1 / 100}  # a kilowatt-hour: 1 kW for an hour


@pytest.mark.parametrize("unit", [unit for table in units.DIMENSIONS.values() for unit in table])
def test_a_unit_is_as_large_as_its_prefix_says(unit):
    table = next(table for table in units.DIMENSIONS.values() if unit in table)
    base = next(name for name, size in table.items() if size == 1)
    powers = {prefix: power for power, prefix in units.PREFIXES.items()}
    assert table[unit] == pytest.approx(ODD[unit] if unit in ODD else 10.0 ** powers[unit.removesuffix(base)])
