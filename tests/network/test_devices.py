"""Programs on eight simulated devices, in a Python of their own."""

import sys

import pytest
from refused import refused

from accelerator_lib import network
from accelerator_lib.network import devices, hlo, worker

SHAPES = {"x": (64, 1024), "w1": (1024, 4096), "w2": (4096, 1024)}
ROWS, COLS = ("chips", None), (None, "chips")
SPLITS = {
    "columns, then rows": {"w1": COLS, "w2": ROWS},
    "batch": {"x": ROWS, "result": ROWS},
    "batch and weights": {"x": ROWS, "w1": ROWS, "w2": ROWS, "result": ROWS},
}


def count():
    import jax

    return jax.device_count()


def products(x, w1, w2):
    import jax

    return jax.nn.relu(x @ w1) @ w2


def layer(x, q, k, v, o, gate, up, down):
    import jax

    def heads(a):
        return a.reshape(len(a), 8, -1).swapaxes(0, 1)

    scores = jax.nn.softmax(heads(x @ q) @ heads(x @ k).swapaxes(1, 2))
    x = x + (scores @ heads(x @ v)).swapaxes(0, 1).reshape(x.shape) @ o
    return x + (jax.nn.silu(x @ gate) * (x @ up)) @ down


def compiled(*given, **how):
    return {name: hlo.collectives(text) for name, text in devices.compiled(*given, **how).items()}


def test_collectives_of_two_products_byte_for_byte():
    found = compiled(products, SHAPES, SPLITS)
    tokens, width, wide = 64, 1024, 4096
    assert found["columns, then rows"] == (hlo.Collective("all-reduce", 1, tokens * width * 4),)
    assert found["batch"] == ()
    assert found["batch and weights"] == (hlo.Collective("all-gather", 1, width * wide * 4),) * 2
    (one,) = compiled(products, SHAPES, {"": {"x": ROWS}}, gradient=True)[""]
    assert one == hlo.Collective("all-reduce", 2, 2 * 1024 * 4096 * 4)
    # What the ring of the model puts on the wire for the all-reduce that the compiler wrote.
    seconds = network.ring_all_reduce_seconds(64 * 1024 * 4, 8, 450e9)
    assert seconds == pytest.approx(2 * 7 / 8 * 262144 / 450e9)


def test_a_layer_cut_by_columns_and_rows():
    """Two sums forward; with the gradients seven arrays, since partial sums of one array are reduced apart."""
    square, wide, tall = (256, 256), (256, 1024), (1024, 256)
    shapes = {"x": (512, 256), **dict.fromkeys("qkvo", square), "gate": wide, "up": wide, "down": tall}
    split = {"": {**dict.fromkeys(["q", "k", "v", "gate", "up"], COLS), "o": ROWS, "down": ROWS}}
    size = 512 * 256 * 4
    assert compiled(layer, shapes, split)[""] == (hlo.Collective("all-reduce", 1, size),) * 2
    both = compiled(layer, shapes, split, gradient=True)[""]
    assert {one.kind for one in both} == {"all-reduce"} and sum(one.arrays for one in both) == 7
    assert sum(one.bytes for one in both) == 7 * size


def test_nothing_changes_here():
    """Where JAX has already counted its devices, too."""
    import jax

    before = jax.devices()
    assert devices.run(count) == 8 and devices.run(count, devices=2) == 2
    assert jax.devices() == before and "jax" in sys.modules


def test_what_cannot_run_there():
    outside = 3
    refused(ValueError, "<lambda> uses outside of its surroundings", devices.run, lambda: outside)
    refused(TypeError, "need a table", devices.compiled, products, [64, 1024], SPLITS)
    refused(KeyError, "names 'w3'", devices.compiled, products, SHAPES, {"wrong": {"w3": ROWS}})


def leave():
    import os

    os._exit(3)


def test_a_worker_that_has_left_or_was_killed_is_replaced():
    refused(RuntimeError, "has ended its Python", devices.run, leave)
    assert devices.run(lambda: 5) == 5
    worker.dismiss()
    assert devices.run(lambda: 6) == 6 and not worker.dismiss() and not worker._staff
    assert devices.run(lambda: 7) == 7
    ((process, _),) = worker._staff.values()
    process.kill()
    process.wait()
    assert devices.run(lambda: 8) == 8


def test_after_an_interrupt_the_next_program_gets_its_own_answer(monkeypatch):
    def interrupted(pipe):
        raise KeyboardInterrupt

    with monkeypatch.context() as patch, pytest.raises(KeyboardInterrupt):
        patch.setattr(worker, "_read", interrupted)
        devices.run(lambda: "late")
    assert devices.run(lambda: "mine") == "mine"


def test_functions_travel_inside_of_other_values_and_what_went_wrong_is_one_line():
    packed = worker.packed({"a": [lambda x: x + 1, 2]})
    function, two = worker.unpacked(packed)["a"]
    assert function(two) == 3
