import shutil
import subprocess

import numpy as np
import pytest
from launched import PRODUCT, SUM

from accelerator_lib import kernels

REDUCTION = """\
__global__ void kernel(const float *a, float *out) {
    const int thread = threadIdx.x;
    const int block = blockIdx.x;
    const int block_size = blockDim.x;
    __shared__ float s[64];
    s[thread] = a[block * block_size + thread];
    __syncthreads();
    int d = block_size / 2;
    while (d > 0) {
        if (thread < d) {
            s[thread] += s[thread + d];
        }
        __syncthreads();
        d = d / 2;
    }
    if (thread == 0) {
        out[block] = s[0];
    }
}
"""
TILES = """\
__global__ void product(const float *a, int a_cols, const float *b, int b_cols, float *out, int out_cols, int n) {
    const int thread_x = threadIdx.x;
    const int thread_y = threadIdx.y;
    const int block_x = blockIdx.x;
    const int block_y = blockIdx.y;
    constexpr int T = 8;
    __shared__ float A[8][8];
    __shared__ float B[8][8];
    int x = block_x * T + thread_x;
    int y = block_y * T + thread_y;
    float total = 0.0f;
    for (int t = 0; t < n / T; t += 1) {
        A[thread_y][thread_x] = a[y * a_cols + t * T + thread_x];
        B[thread_y][thread_x] = b[(t * T + thread_y) * b_cols + x];
        __syncthreads();
        #pragma unroll
        for (int k = 0; k < T; k += 1) {
            total += A[thread_y][k] * B[k][thread_x];
        }
        __syncthreads();
    }
    out[y * out_cols + x] = total;
}
"""


def test_a_reduction_as_cuda():
    assert kernels.to_cuda(SUM, {"a": np.zeros(64), "out": np.zeros(1)}, threads=64) == REDUCTION


def test_a_tiled_product_as_cuda():
    a = np.zeros((8, 8))
    assert kernels.to_cuda(PRODUCT, {"a": a, "b": a, "out": a, "n": 8}, (8, 8), (1, 1), "product") == TILES


def test_a_launch_along_two_axes_has_its_numbers():
    text = kernels.to_cuda(
        "x = thread + lane + warp + block + block_size + grid_size + block_size_y + grid_size_x", {}, (8, 8), (2, 2)
    )
    for line in [
        "const int lane = (threadIdx.y * blockDim.x + threadIdx.x) % 32;", "const int warp = (threadIdx.y * blockDim.x + threadIdx.x) / 32;",
        "const int thread = threadIdx.y * blockDim.x + threadIdx.x;", "const int block = blockIdx.y * gridDim.x + blockIdx.x;",
        "const int block_size = blockDim.x * blockDim.y;", "const int grid_size = gridDim.x * gridDim.y;",
        "const int block_size_y = blockDim.y;", "const int grid_size_x = gridDim.x;",
    ]:  # fmt: skip
        assert f"    {line}\n" in text
    assert "thread_x" not in text
    flat = kernels.to_cuda("x = lane + warp + grid_size", {}, 64, 2)
    assert (
        "lane = threadIdx.x % 32;" in flat and "warp = threadIdx.x / 32;" in flat and "grid_size = gridDim.x;" in flat
    )


def test_arguments_keep_their_order_and_say_what_is_written():
    text = kernels.to_cuda(
        "k[lane] = int(a[lane])\natomic_add(h, 0, 1)",
        {"n": 3, "k": np.zeros(32, int), "a": np.zeros(32), "x": 1.5, "h": np.zeros(1, int)},
    )
    assert text.startswith("__global__ void kernel(int n, int *k, const float *a, float x, int *h) {\n")


def test_names_that_c_has_another_use_for_are_changed():
    text = kernels.to_cuda("new = double[lane] + char", {"double": np.zeros(32), "char": 2}, name="switch")
    assert "void switch_(const float *double_, int char_)" in text and "float new_ = double_[lane] + char_;" in text


@pytest.mark.parametrize("name", ["", "1x", "a b", "x;y", None, "ü"])
def test_the_name_is_one_in_c(name):
    with pytest.raises(ValueError, match="name: the kernel's name in C"):
        kernels.to_cuda("x = 1", {}, name=name)


def test_a_kernel_that_does_not_run_is_not_printed():
    with pytest.raises(kernels.Fault, match="line 2, `y = z`: z has no value yet"):
        kernels.to_cuda("x = 1\ny = z", {})


def test_division_of_what_may_be_negative_has_a_function_of_its_own():
    text = kernels.to_cuda("x = lane - 3\ny = x // 2\nz = x % 5", {})
    assert text.startswith("__device__ int floor_div(int a, int b) {") and "__device__ int floor_mod(" in text
    assert "int y = floor_div(x, 2);" in text and "int z = floor_mod(x, 5);" in text
    assert "floor_" not in kernels.to_cuda("x = lane + 3\ny = x // 2\nz = x % 5", {})


COMPILER = shutil.which("g++")
SHIM = """#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
using std::abs; using std::max; using std::min;
#define __global__ static
#define __device__ static
struct Three { int x, y, z; };
static Three threadIdx, blockIdx, blockDim, gridDim;
"""
ALONE = [
    "i = block * block_size + thread\nif i < n:\n    x = (a[i] - 9) // 4 * 3 % -5\n    out[i] = x if x < lane else -x",
    "i = block * block_size + thread\nx = 0\nfor k in range(lane % 5, 9, 2):\n    x += a[(i + k) % n] % (1 + abs(k - 3))\nif i < n:\n    out[i] = x",
    "i = block * block_size + thread\nd = 9\nwhile d > 0 and i < n:\n    d //= 2\n    out[i] += min(d, warp, 3) << 2 | a[i] & 7 ^ d\n    d -= 1",
    "T = 3\ni = block * block_size + thread\nr = zeros(T, int)\nfor k in range(T):\n    r[k] = a[k] * lane\nif 2 <= i < n or i == 0:\n    out[i] = r[0] - r[2] - (not r[1] > 4)",
    "i = block * block_size + thread\nx = 1\nm = 3\nfor k in range(m):\n    m -= 1\n    x *= k + 2\nif i < n:\n    out[i] = int(x / 4 * 2.0) + int(sqrt(i))",
]


@pytest.mark.skipif(not COMPILER, reason="there is no C++ compiler")
def test_compiled_text_leaves_what_the_machine_leaves(tmp_path):
    """C's compiler stands in for CUDA's, one thread after the other: for kernels whose threads do not meet."""
    n = 70
    a, text, calls = np.arange(n) * 37 % 81 - 40, SHIM, ""
    for number, source in enumerate(ALONE):
        printed = kernels.to_cuda(source, {"a": a, "out": a, "n": n}, threads=40, blocks=2, name=f"k{number}")
        text += f"namespace n{number} {{\n{printed}}}\n"
        calls += f"{{ int o[{n}] = {{}}; for (int t = 0; t < 80; t++) {{ blockIdx.x = t / 40; threadIdx.x = t % 40; n{number}::k{number}(a, o, {n}); }}"
        calls += f' for (int i = 0; i < {n}; i++) printf("%d ", o[i]); puts(""); }}\n'
    text += f"int main() {{ blockDim.x = 40; gridDim.x = 2; int a[] = {{{', '.join(map(str, a))}}};\n{calls}}}\n"
    (tmp_path / "kernels.cpp").write_text(text, encoding="utf-8")
    subprocess.run(
        [COMPILER, "-w", "-o", tmp_path / "kernels", tmp_path / "kernels.cpp"], check=True, capture_output=True
    )
    lines = subprocess.run([tmp_path / "kernels"], check=True, capture_output=True, text=True).stdout.splitlines()
    for source, line in zip(ALONE, lines, strict=True):
        given = {"a": a, "out": np.zeros(n, int), "n": n}
        assert [int(each) for each in line.split()] == kernels.run(source, given, blocks=2, threads=40).arrays[
            "out"
        ].tolist()
