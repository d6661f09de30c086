from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from accelerator_lib import data, hardware, units

TABLE = data.parse(Path(__file__).with_suffix(".yaml"))
RATES, SIZES = (8.19e11, 3.35e12, 999.9e9, 4.04e-5, 0, 1e-7), (40 * 2**20, 1024, 1023, 228 * 1024, -3 * 1024)
LARGE, NUMBERS, SHARES = (
    (2**50, 2**60, 3 * 2**60),
    (3276.8, 1.0, 0.25, 31.7519, 295.34, 31.25),
    (0.0034, 0.454, 0.997, 0.99999, 1, 0.625),
)
PRINTED = [
    (lambda value: units.si(value, "B/s"), RATES, "819 GB/s|3.35 TB/s|1 TB/s|40.4 µB/s|0 B/s|100 nB/s"),
    (units.binary, SIZES, "40 MiB|1 KiB|1,023 B|228 KiB|-3 KiB"),
    (units.binary, LARGE, "1 PiB|1,024 PiB|3,072 PiB"),  # the largest keeps its prefix
    (units.number, NUMBERS, "3,277|1|0.25|31.8|295|31.3"),
    (units.percent, SHARES, "0.34 %|45 %|99.7 %|99.9 %|100 %|63 %"),  # almost is never all, half is up
]


@pytest.mark.parametrize("printed, values, told", PRINTED)
def test_a_number_is_printed_as_people_read_it(printed, values, told):
    assert [*map(printed, values)] == told.split("|") and printed(None) == "unknown"


@given(st.floats(1e-11, 1e20))
def test_a_printed_quantity_reads_back_to_three_digits(value):
    text, _, unit = units.si(value, "s").rpartition(" ")
    prefix = next(power for power, name in units.PREFIXES.items() if name == unit[:-1])
    assert abs(float(text.replace(",", "")) * 10.0**prefix - value) <= 0.0051 * value


def test_one_is_singular():
    assert units.counted(1, "token") == "1 token" and units.counted(4096, "token") == "4,096 tokens"
    assert units.counted(2, "pass", "passes") == "2 passes"


@pytest.mark.parametrize("seconds, told", TABLE["seconds"])
def test_a_duration_is_told_as_people_say_it(seconds, told):
    assert units.duration(seconds) == told


@pytest.mark.parametrize("template, values, told", TABLE["sentences"])
def test_a_template_is_filled_as_people_read_numbers(template, values, told):
    assert units.sentence(template, **values) == told


def test_a_sentence_names_chips_and_says_what_is_missing():
    assert units.sentence("on {chip}", chip=hardware.chip("tpu-v4")) == "on Google TPU v4"
    assert units.quantity(1024) == "1,024" and units.quantity(0.25, "%") == "25 %" and units.quantity(3, "m") == "3 m"
    assert units.sentence("{one}", one=float("nan")) == "no value"
    with pytest.raises(ValueError, match="the sentence asks for 'two', but the results and controls are one, m"):
        units.sentence("{two:%}", one=0.5, m=3)


ODD = {"h": 60 * 60, "kWh": 1e3 * 60 * 60, "%": 1 / 100}  # a kilowatt-hour: 1 kW for an hour


@pytest.mark.parametrize("unit", [unit for table in units.DIMENSIONS.values() for unit in table])
def test_a_unit_is_as_large_as_its_prefix_says(unit):
    table = next(table for table in units.DIMENSIONS.values() if unit in table)
    base = next(name for name, size in table.items() if size == 1)
    powers = {prefix: power for power, prefix in units.PREFIXES.items()}
    assert table[unit] == pytest.approx(ODD[unit] if unit in ODD else 10.0 ** powers[unit.removesuffix(base)])
