import numpy as np
import pytest

from accelerator_lib import kernels

CASES = [
    ("x = 1\nx += 2\nx = x * 3", ["int x = 1;", "x += 2;", "x = x * 3;"]),
    ("if lane < 3:\n    x = 1", ["int x = 0;", "if (lane < 3) {", "    x = 1;", "}"]),
    ("if lane < 3:\n    pass\nelif lane < 5:\n    x = 1\nelse:\n    x = 2.5", ["float x = 0;", "if (lane < 3) {", "} else {", "    if (lane < 5) {", "        x = 1;", "    } else {", "        x = 2.5f;", "    }", "}"]),
    ("x = 3\nx //= 2\nx %= 2\nx <<= 1", ["int x = 3;", "x = x / 2;", "x = x % 2;", "x <<= 1;"]),
    ("x = -3\nx //= 2", ["int x = -3;", "x = floor_div(x, 2);"]),
    ("x = 1\nx /= 2", ["float x = 1;", "x = x / 2;"]),
    ("for k in range(3):\n    x = k", ["int x = 0;", "#pragma unroll", "for (int k = 0; k < 3; k += 1) {", "    x = k;", "}"]),
    ("for k in range(n, 0, -2):\n    x = k // 2", ["int x = 0;", "for (int k = n; k > 0; k += -2) {", "    x = k / 2;", "}"]),
    ("for k in range(-n, n):\n    x = k // 2", ["int x = 0;", "for (int k = -n; k < n; k += 1) {", "    x = floor_div(k, 2);", "}"]),
    ("x = 2\nfor k in range(x):\n    x += 1", ["int x = 2;", "const int k_end = x;", "for (int k = 0; k < k_end; k += 1) {", "    x += 1;", "}"]),
    ("for k in range(h[0]):\n    x = 1", ["int x = 0;", "const int k_end = h[0];", "for (int k = 0; k < k_end; k += 1) {", "    x = 1;", "}"]),
    ("while lane < 0:\n    x = 1", ["int x = 0;", "while (lane < 0) {", "    x = 1;", "}"]),
    ("r = zeros(2, 3)\nr[1, 2] += 4.0\nbarrier()", ["float r[2][3] = {};", "r[1][2] += 4.0f;", "__syncthreads();"]),
    ("s = shared(4, int)\ns[0] = 1\natomic_add(s, 0, 2)", ["__shared__ int s[4];", "s[0] = 1;", "atomicAdd(&s[0], 2);"]),
    ("HALF = 0.5\nSIZE = 4\nx = HALF * SIZE", ["constexpr float HALF = 0.5f;", "constexpr int SIZE = 4;", "float x = HALF * SIZE;"]),
]  # fmt: skip


@pytest.mark.parametrize(("source", "lines"), CASES)
def test_statements_in_c(source, lines):
    text = kernels.to_cuda(source, {"n": 4, "h": np.ones(4, int)})
    body = text[text.index("__global__") :].split("\n")[1:-2]
    assert [line[4:] for line in body if not line.strip().startswith("const int lane")] == lines
