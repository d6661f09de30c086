"""The keys of the exercises found again on another road."""

import numpy as np
import pytest

from accelerator_course.exercises import numerics as exercises
from accelerator_lib.numerics import Format


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
