"""Together: a shuffle names all lanes where none can have left, and says so where one may have."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from accelerator_course import ladder
from accelerator_lib import kernels
from accelerator_lib.kernels.cexpressions import ALL_LANES, HERE
from accelerator_lib.kernels.cuda import APART

GIVEN = {"a": np.zeros(64), "n": 5}
HEAD = "x = 1.0\nd = n\nj = lane\n"
ALL = [
    "x += shuffle_down(x, 1)",
    "for k in range(5):\n    x += shuffle_down(x, 16 >> k)",
    "for k in range(n):\n    x += shuffle_xor(x, k)",
    "while d > 0:\n    x += shuffle(x, 0)\n    d //= 2",
    "if warp == 0:\n    x = shuffle(x, 0)",
    "if block < n and warp == 0:\n    x = 2.0\nelse:\n    x = shuffle_up(x, 1)",
    "if lane < 3:\n    x = 2.0\nx = shuffle(x, 0)",
    "x = shuffle(x, 0) if n > 3 else x",
    "x = 2 if shuffle(x, 0) > 1 else x",
    "if shuffle(x, 0) > 1 and lane < 3:\n    x = 2.0",
]
SOME = [
    "if lane < 3:\n    x = shuffle(x, 0)",
    "if thread < n:\n    x = 2.0\nelse:\n    x = shuffle(x, 3)",
    "if a[lane] < 1:\n    x = shuffle(x, 0)",
    "if j < 3:\n    x = shuffle(x, 0)",
    "for k in range(lane + 1):\n    x = shuffle(x, 0)",
    "for k in range(j):\n    if n > 3:\n        x = shuffle(x, 31)",
    "while j > 0:\n    j -= 1\n    x = shuffle(x, 31)",
    "while d > 0 and shuffle(x, 31) > 0 and lane > 40:\n    d -= 1",
    "if lane < 3:\n    d = 0\nif d > 0:\n    x = shuffle(x, 3)",
    "for k in range(2):\n    if d > 2:\n        x = shuffle(x, 31)\n    d += lane",
    "x = shuffle(x, 0) if lane < 3 else x",
    "if lane < 3 and shuffle(x, 0) > 1:\n    x = 2.0",
    "if 0 < lane < shuffle(x, 1):\n    x = 2.0",
]


def printed(source):
    """A kernel as CUDA, without the words above it."""
    text = kernels.to_cuda(HEAD + source, GIVEN)
    return text.startswith(APART), text[text.index("__global__") :]


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
    assert ALL_LANES in text and text.startswith(APART) == (id == "scan")
    assert [line for line in text.splitlines() if HERE in line and "//" not in line] == [
        line for line in text.splitlines() if line.strip().startswith("out[") and id == "scan"
    ]
