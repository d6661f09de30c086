"""Numbers in sentences."""

import pytest

from accelerator_lib import hardware
from accelerator_lib.units import quantity, sentence


@pytest.mark.parametrize(
    ("template", "values", "told"),
    [
        ("{m:row} of inputs", {"m": 1}, "1 row of inputs"),
        ("{m:row} of inputs", {"m": 4096}, "4,096 rows of inputs"),
        ("{one array:%} busy", {"one array": 0.5}, "50 % busy"),
        ("{time:s}, {rate:FLOP/s}", {"time": 4.04e-5, "rate": 1e15}, "40.4 µs, 1 PFLOP/s"),
        ("{gain:x} as fast", {"gain": 2.5}, "2.5x as fast"),
        ("{k} deep, {n:,} wide", {"k": 3276.8, "n": 8192}, "3,277 deep, 8,192 wide"),
        ("{intensity:FLOP/byte}", {"intensity": 295.34}, "295 FLOP/byte"),
        ("{name}", {"name": "weights stay"}, "weights stay"),
        ("{wait:duration}", {"wait": 7200}, "2 hours"),
    ],
)
def test_a_template_is_filled_as_people_read_numbers(template, values, told):
    assert sentence(template, **values) == told


def test_a_chip_is_told_by_its_name():
    assert sentence("on {chip}", chip=hardware.chip("tpu-v4")) == "on Google TPU v4"


def test_a_quantity_without_a_unit_is_a_plain_number():
    assert quantity(1024) == "1,024" and quantity(0.25, "%") == "25 %" and quantity(3, "cycles") == "3 cycles"


def test_a_sentence_that_asks_for_what_no_one_returns_is_answered():
    with pytest.raises(ValueError, match="the sentence asks for 'two', but the results and controls are one, m"):
        sentence("{two:%}", one=0.5, m=3)


def test_where_there_is_no_value_it_is_said():
    assert sentence("{one}", one=float("nan")) == "no value"
