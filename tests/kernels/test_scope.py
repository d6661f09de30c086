import ast

import numpy as np
import pytest
from launched import ran

from accelerator_lib.kernels import language
from accelerator_lib.kernels.scope import Place, kind_of, scope


def names(source, **places):
    return scope(
        language.read(source),
        {name: Place(name, kind, (8,), "global") for name, kind in places.items()},
        {"n": 3, "f": 0.5},
    )


def test_what_a_kernel_declares():
    found = names(
        "T = 4\nHALF = T / 8\ns = shared(T, T + 1)\nc = shared(8, int)\nr = zeros(2 * T)\nx = a[0]\nb[x] = 1\natomic_add(c, 0, 1)",
        a="int",
        b="float",
    )
    assert found.constants == {"T": 4, "HALF": 0.5} and found.places["s"] == Place("s", "float", (4, 5), "shared", 3)
    assert found.places["c"] == Place("c", "int", (8,), "shared", 4) and found.places["r"] == Place(
        "r", "float", (8,), "own", 5
    )
    assert found.places["s"].size == 20 and found.written == {"b", "c"} and len(found.body) == 3


@pytest.mark.parametrize(
    ("source", "kinds"),
    [
        ("x = 1\ny = 2.0\nz = x + y\nw = x // 2", "iffi"), ("x = n\ny = f\nz = -f\nw = not f", "iffi"), ("x = i[0]\ny = g[0]\nz = x * 2\nw = x / 2", "ifif"),
        ("x = y\ny = z\nz = w\nw = 0.5", "ffff"), ("x = 0\ny = 0\nx += y\ny += g[0]", "ff"), ("x = 1 if n else 2.0\ny = 1 if f else 2", "fi"),
        ("x = min(1, f)\ny = max(1, 2)\nz = abs(f)\nw = int(f)", "fifi"), ("x = sqrt(4)\ny = exp(1)\nz = float(1)\nw = f < 1 and f", "fffi"),
        ("x = shuffle_down(f, 1)\ny = shuffle(n, 1)\nz = atomic_add(g, 0, 1)\nw = atomic_add(i, 0, 1)", "fifi"), ("for x in range(3):\n    y = x", "ii"),
    ],
)  # fmt: skip
def test_a_variable_that_is_ever_a_real_is_one(source, kinds):
    found = names(source, i="int", g="float").variables
    assert "".join(found[name][0] for name in "xyzw" if name in found) == kinds


def test_a_long_chain_of_variables_is_looked_through_once(monkeypatch):
    looked, many = [], 300
    monkeypatch.setattr("accelerator_lib.kernels.scope.kind_of", lambda *given: looked.append(given) or kind_of(*given))
    found = names("\n".join(f"v{n} = v{n + 1}" for n in range(many)) + f"\nv{many} = 0.5")
    assert set(found.variables.values()) == {"float"} and len(looked) <= 3 * many


def test_the_kind_of_an_expression_is_the_kind_of_what_it_gives():
    made = ran(
        "x = 1\ny = x\nif lane < 4:\n    x = 0.5\nout[lane] = x\nwhole[lane] = int(y)",
        out=np.zeros(32),
        whole=np.zeros(32, int),
    )
    assert made.arrays["out"].tolist() == [0.5] * 4 + [1] * 28 and set(made.arrays["whole"].tolist()) == {1}
    (statement,) = language.read("x = unknown + 1.0")
    assert kind_of(statement.value, names("y = 1")) == "float" and kind_of(ast.Constant(3), names("y = 1")) == "int"
