"""Wrong solutions of the exercises, and their keys found again on another road."""

import numpy as np
import pytest

from accelerator_course.exercises import numerics as exercises
from accelerator_course.exercises.slips import numerics as slips
from accelerator_lib.numerics import Format

WRONG = {
    "07.1": [
        (slips.leading_one_always, "E5M2, code 00000000: it stands for 0"),
        (slips.power_of_zero, "E5M2, code 00000001"),
        (slips.ieee_always, "E4M3, code 01111000: it stands for 256, not inf"),
        (slips.no_top, "E5M2, code 01111100: it stands for inf"),
        (slips.sign_forgotten, "E5M2, code 10000001"),
        (slips.no_subnormals, "E5M2, code 00000000: it stands for 0, not 3.05176e-05"),
        (slips.last_code_read, "E4M3, code 01111111: it stands for nan, not 480"),
        (lambda code, e, m, flavor: slips.no_top(code, e, m, flavor) * (flavor != "fn"), "E5M2, code 01111100"),
        (lambda code, e, m, flavor: str(code), "E5M2, code 00000000: it stands for 0, not '0'"),
    ],
    "07.5": [
        (slips.largest_is_clipped, "largest 7, e2m1, power of two: value 0 becomes 8, not 6"),
        (slips.scale_not_stored, "E4M3: value"),
        (slips.power_always, "E4M3: value"),
        (slips.not_back, "power of two: value 0 becomes"),
        (slips.sign_lost, "negatives, e2m1, power of two: value 0 becomes -96, not 96"),
        (slips.cut_off, "the codes of FP4, e4m3, E4M3: value 0 becomes"),
        (slips.ties_up, "ties, e2m1, power of two: value 1 becomes 0, not 0.5"),
        (lambda values, element, rule: slips.not_back(values, element, rule)[:2], "return a list of 4 values"),
    ],
}


@pytest.mark.parametrize("rule", exercises.RULES)
@pytest.mark.parametrize("name", exercises.BLOCKS)
def test_blocks_that_are_searched_are_those_of_ml_dtypes(name, rule):
    ml_dtypes = pytest.importorskip("ml_dtypes")
    block = np.array(exercises.BLOCKS[name])
    for element, dtype in (("e2m1", ml_dtypes.float4_e2m1fn), ("e4m3", ml_dtypes.float8_e4m3fn)):
        last, largest = exercises.CODES[element][-1], np.abs(block).max()
        if not largest:
            continue
        scale = 2.0 ** np.ceil(np.log2(largest / last))
        if rule == "E4M3":
            scale = float((largest / last).astype(ml_dtypes.float8_e4m3fn))
        wants = (block / scale).clip(-last, last).astype(dtype).astype(float) * scale
        assert exercises.nearest(list(block), element, rule) == pytest.approx(list(wants), rel=1e-12)


def test_codes_that_are_decoded_are_those_of_the_library():
    for format, flavor in ((Format(5, 2), "ieee"), (Format(4, 3, 7, "fn"), "fn")):
        found = [exercises.decode(code, format.exponent_bits, format.mantissa_bits, flavor) for code in range(256)]
        assert sorted({value for value in found if abs(value) < float("inf")}) == list(format.values())
