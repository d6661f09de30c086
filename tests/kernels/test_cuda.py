"""A kernel as CUDA C: expressions, statements, which lanes meet."""

import shutil
import subprocess
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from launched import PRODUCT, SUM

from accelerator_course import ladder
from accelerator_lib import data, kernels
from accelerator_lib.kernels.cuda import ALL_LANES, BEFORE, HERE

TABLE = data.parse(Path(__file__).with_suffix(".yaml"))

REDUCTION = TABLE["reduction"]
TILES = TABLE["tiles"]


def test_a_reduction_as_cuda():
    assert kernels.to_cuda(SUM, {"a": np.zeros(64), "out": np.zeros(1)}, threads=64) == REDUCTION


def test_a_tiled_product_as_cuda():
    a = np.zeros((8, 8))
    assert kernels.to_cuda(PRODUCT, {"a": a, "b": a, "out": a, "n": 8}, (8, 8), (1, 1), "product") == TILES


def test_a_launch_along_two_axes_has_its_numbers():
    names = "thread lane warp block block_size grid_size block_size_y grid_size_x"
    text = kernels.to_cuda(f"x = {' + '.join(names.split())}", {}, (8, 8), (2, 2))
    for name, value in TABLE["numbers"].items():
        assert f"    const int {name} = {value};\n" in text
    assert "thread_x" not in text
    flat = kernels.to_cuda("x = lane + warp + grid_size", {}, 64, 2)
    for said in ("lane = threadIdx.x % 32;", "warp = threadIdx.x / 32;", "grid_size = gridDim.x;"):
        assert said in flat


def test_arguments_keep_their_order_and_say_what_is_written():
    text = kernels.to_cuda(
        "k[lane] = int(a[lane])\natomic_add(h, 0, 1)",
        {"n": 3, "k": np.zeros(32, int), "a": np.zeros(32), "x": 1.5, "h": np.zeros(1, int)},
    )
    assert text.startswith("__global__ void kernel(int n, int *k, const float *a, float x, int *h) {\n")


def test_names_that_c_has_another_use_for_are_changed():
    text = kernels.to_cuda("new = double[lane] + char", {"double": np.zeros(32), "char": 2}, name="switch")
    assert "void switch_(const float *double_, int char_)" in text and "float new_ = double_[lane] + char_;" in text


def test_what_a_load_brings_has_a_name_of_its_own():
    text = kernels.to_cuda("row = 2 * lane\nx, y = load2(a[row])\na[row] = x + y", {"a": np.zeros(64)})
    assert "const float2 row_ = *reinterpret_cast<const float2 *>(&a[row]);" in text and "x = row_.x;" in text


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
SHIM = TABLE["shim"]
ALONE = TABLE["alone"]


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


GIVEN = {"a": np.zeros(64), "m": np.zeros((4, 8)), "k": np.zeros(64, int), "n": 5, "z": -2, "f": 0.5}
CASES = TABLE["cases"]


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


CASES_CSTATEMENTS = TABLE["cases_cstatements"]


@pytest.mark.parametrize(("source", "lines"), CASES_CSTATEMENTS)
def test_statements_in_c(source, lines):
    text = kernels.to_cuda(source, {"n": 4, "h": np.ones(4, int)})
    body = text[text.index("__global__") :].split("\n")[1:-2]
    assert [line[4:] for line in body if not line.strip().startswith("const int lane")] == lines


GIVEN_TOGETHER = {"a": np.zeros(64), "n": 5}
HEAD = "x = 1.0\nd = n\nj = lane\n"
ALL = TABLE["all"]
SOME = TABLE["some"]


def printed(source):
    """A kernel as CUDA, without the words above it."""
    text = kernels.to_cuda(HEAD + source, GIVEN_TOGETHER)
    return text.startswith(BEFORE["apart"]), text[text.index("__global__") :]


@pytest.mark.parametrize("source", ALL)
def test_all_lanes_are_named_where_all_are_there(source):
    apart, text = printed(source)
    assert text.count(ALL_LANES) == source.count("shuffle") and HERE not in text and not apart


@pytest.mark.parametrize("source", SOME)
def test_where_a_lane_may_have_left_those_that_are_here_are_named_and_the_text_says_why(source):
    apart, text = printed(source)
    assert HERE in text and ALL_LANES not in text and apart


CONDITIONS = ["lane < 3", "warp == 0", "n > 3", "j < 9", "d > 2", "block == 1", "a[thread] > 0", "d + j > 7"]
CHANGES = ["j = n", "d = lane", "d += 1", "j += d", "d = int(a[lane])", "x = 1.5"]
NESTS = st.recursive(
    st.sampled_from([*CHANGES, "marks += 1"]).map(lambda line: [line]),
    lambda inner: st.tuples(st.sampled_from(CONDITIONS), st.lists(inner, min_size=1, max_size=3)).map(
        lambda pair: [f"if {pair[0]}:", *("    " + line for block in pair[1] for line in block)]
    ),
    max_leaves=6,
)


@settings(max_examples=40, deadline=None)
@given(st.lists(NESTS, min_size=1, max_size=4))
def test_where_all_lanes_are_named_all_are_there(nests):
    """The machine's own lanes, line by line: each time a warp comes to a line with the full mask, 32 of them work."""
    lines = ["x = 1.0", "d = n", "j = lane", "marks = 0", *(line for nest in nests for line in nest)]
    source = "\n".join(lines).replace("marks += 1", "marks += shuffle_down(1, 0)")
    given = {"a": np.arange(128) % 3 - 1.0, "n": 5}
    made = kernels.run(source, given, 2, 64)
    body = [line.strip() for line in kernels.to_cuda(source, given, 64, 2).splitlines() if "__shfl" in line]
    asked = [number for number, line in enumerate(source.splitlines(), 1) if "shuffle" in line]
    for line, text in zip(asked, body, strict=True):
        if ALL_LANES in text and line in made.counted.lines:
            count = made.counted.lines[line]
            assert count.lanes == 32 * count.instructions


@pytest.mark.parametrize("id", ["reduction", "scan"])
def test_worked_solutions_shuffle_with_all_lanes_but_where_rows_may_end(id):
    rung = ladder.rung(id)
    text = rung.cuda(rung.worked.text)
    assert ALL_LANES in text and text.startswith(BEFORE["apart"]) == (id == "scan")
    assert [line for line in text.splitlines() if HERE in line and "//" not in line] == [
        line for line in text.splitlines() if line.strip().startswith("out[") and id == "scan"
    ]
