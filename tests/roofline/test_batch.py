import numpy as np
from hypothesis import assume, given
from hypothesis import strategies as st

from accelerator_lib import hardware, roofline
from accelerator_lib.workload import Gemm

H100 = hardware.chip("h100-sxm5")


@given(
    st.integers(16, 9000), st.integers(16, 9000), st.sampled_from(["h100-sxm5", "a100-80gb-sxm", "tpu-v5e", "tpu-v4"])
)
def test_the_critical_batch_is_where_the_time_changes_sides(d_in, d_out, chip):
    rows = roofline.critical_batch(d_in, d_out, chip)
    side = lambda m: roofline.place(Gemm(m, d_out, d_in), chip).bound  # noqa: E731
    if rows is None:
        assert side(10**9) == "memory"
    else:
        assume(rows < 10**8)
        assert side(rows + 1) == "compute"
        assert rows == 1 or side(rows - 1) == "memory"


def test_no_batch_is_enough_for_a_thin_layer():
    assert roofline.critical_batch(64, 64, H100) is None


def test_the_critical_batch_by_hand():
    spare = 2 * 4096 * 4096 / roofline.ridge_of(H100) - 2 * (4096 + 4096)  # bytes that a row leaves for the weights
    assert roofline.critical_batch(4096, 4096, H100) == np.ceil(2 * 4096 * 4096 / spare)


def test_half_the_bytes_of_a_weight_need_half_the_rows():
    assert roofline.critical_batch(8192, 28672, H100, weight_dtype="int8") == 310 / 2


def test_an_array_of_widths_holds_what_each_gives_alone():
    wide = np.array([64, 8192])
    assert list(roofline.critical_batch(wide, 8192, H100)) == [
        roofline.critical_batch(int(w), 8192, H100) for w in wide
    ]
