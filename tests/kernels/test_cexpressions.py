import numpy as np
import pytest

from accelerator_lib import kernels

GIVEN = {"a": np.zeros(64), "m": np.zeros((4, 8)), "k": np.zeros(64, int), "n": 5, "z": -2, "f": 0.5}
CASES = {
    "n - (n - 1)": "n - (n - 1)", "n - n - 1": "n - n - 1", "(n + 1) * 2": "(n + 1) * 2", "n * 2 + 1": "n * 2 + 1",
    "n / 2": "(float)n / 2", "(n + 1) / 2": "(float)(n + 1) / 2", "f / 2": "f / 2", "n // 2 * 2": "n / 2 * 2", "n * (n // 2)": "n * (n / 2)",
    "z // 2": "floor_div(z, 2)", "n // z": "floor_div(n, z)", "(n - 1) % 3": "floor_mod(n - 1, 3)", "(n & 3) % 2": "(n & 3) % 2",
    "n + 1 << 2": "n + 1 << 2", "n + (1 << n)": "n + (1 << n)", "n >> 1 & 3": "n >> 1 & 3", "n ^ 1 | 2": "n ^ 1 | 2",
    "-n": "-n", "-(n + 1)": "-(n + 1)", "- -n": "-(-n)", "not n": "!n", "not n < 3": "!(n < 3)",
    "0 <= n < 9": "0 <= n && n < 9", "n < 3 and n > 1 or n == 7": "(n < 3 && n > 1) || n == 7", "n < 3 and (n > 1 or n == 7)": "n < 3 && (n > 1 || n == 7)",
    "(n < 3) + 1": "(n < 3) + 1", "n != 3": "n != 3", "n >= 3": "n >= 3",
    "1 if n > 3 else 2": "n > 3 ? 1 : 2", "(1 if n > 3 else 2) + 1": "(n > 3 ? 1 : 2) + 1", "1 if n > 3 else 2 if n > 1 else 3": "n > 3 ? 1 : (n > 1 ? 2 : 3)",
    "min(n, 3)": "min(n, 3)", "min(f, n)": "fminf(f, n)", "max(n, 1, 2)": "max(max(n, 1), 2)", "max(f, 0.25)": "fmaxf(f, 0.25f)",
    "abs(z)": "abs(z)", "abs(f)": "fabsf(f)", "sqrt(n)": "sqrtf(n)", "exp(-f)": "expf(-f)", "float(n)": "(float)n", "int(f * 2)": "(int)(f * 2)",
    "a[n]": "a[n]", "m[n - 4, 1]": "m[(n - 4) * m_cols + 1]", "m[1, n - 4]": "m[1 * m_cols + n - 4]", "m[0, n & 3]": "m[0 * m_cols + (n & 3)]",
    "k[n] // 2": "floor_div(k[n], 2)", "1e-05": "1e-05f", "0.1": "0.1f", "3.0": "3.0f", "-1.5": "-1.5f", "100000000.0": "1e+08f",
    "shuffle_down(n, 1)": "__shfl_down_sync(0xffffffffu, n, 1)", "shuffle_up(f, 2)": "__shfl_up_sync(0xffffffffu, f, 2)",
    "shuffle_xor(n, 4)": "__shfl_xor_sync(0xffffffffu, n, 4)", "shuffle(n, 0)": "__shfl_sync(0xffffffffu, n, 0)",
    "atomic_add(a, lane, f)": "atomicAdd(&a[lane], f)", "atomic_add(m, (0, lane % 8), f)": "atomicAdd(&m[0 * m_cols + lane % 8], f)",
}  # fmt: skip


@pytest.mark.parametrize("text", CASES)
def test_an_expression_in_c(text):
    printed = kernels.to_cuda(f"x = {text}", GIVEN)
    (line,) = [line for line in printed.splitlines() if " x = " in line]
    assert line.strip().split(" x = ")[1] == CASES[text] + ";"


def test_what_is_printed_for_c_means_what_the_machine_computes():
    """C's operators on whole numbers that are not negative are Python's; the text, read back as Python, is worth the same."""
    for text, printed in CASES.items():
        if (
            set(printed) <= set("n0123456789 +-*/%&|^<>()=!")
            and "!n" not in printed
            and "!(" not in printed
            and "&&" not in printed
            and "||" not in printed
        ):
            assert eval(printed.replace("/", "//"), {"n": 5}) == eval(text, {"n": 5}), text
