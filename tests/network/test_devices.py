import sys

import numpy as np
import pytest

from accelerator_lib import network
from accelerator_lib.network import collectives, devices, hlo

SHAPES = {"x": (64, 1024), "w1": (1024, 4096), "w2": (4096, 1024)}
ROWS, COLS = ("chips", None), (None, "chips")
SPLITS = {
    "columns, then rows": {"w1": COLS, "w2": ROWS},
    "batch": {"x": ROWS, "result": ROWS},
    "batch and weights": {"x": ROWS, "w1": ROWS, "w2": ROWS, "result": ROWS},
}


def count():
    return jax.device_count()  # noqa: F821


def products(x, w1, w2):
    return jax.nn.relu(x @ w1) @ w2  # noqa: F821


def gradients(x, w1, w2):
    def loss(w1, w2):
        return ((jax.nn.relu(x @ w1) @ w2) ** 2).sum()  # noqa: F821

    return jax.grad(loss, (0, 1))(w1, w2)  # noqa: F821


def ring(x, steps):
    def body(mine):
        me, mine = jax.lax.axis_index("chips"), mine.reshape(8, -1)  # noqa: F821
        for step in range(steps):
            sent = jax.lax.ppermute(mine[(me - step) % 8], "chips", [(i, (i + 1) % 8) for i in range(8)])  # noqa: F821
            here = (me - step - 1) % 8
            mine = mine.at[here].set(sent + mine[here] if step < 7 else sent)
        return mine.reshape(1, -1)

    program = jax.jit(shard_map(body, mesh=mesh, in_specs=P("chips"), out_specs=P("chips")))  # noqa: F821
    return program(x), program.lower(x).compile().as_text()


def scatter(x):
    def body(mine):
        return jax.lax.psum_scatter(mine, "chips", scatter_dimension=1, tiled=True)  # noqa: F821

    program = jax.jit(shard_map(body, mesh=mesh, in_specs=P("chips"), out_specs=P("chips")))  # noqa: F821
    return program(x), program.lower(x).compile().as_text()


def test_collectives_of_two_products_byte_for_byte():
    found = devices.compiled(products, SHAPES, SPLITS)
    tokens, width, wide = 64, 1024, 4096
    assert found["columns, then rows"] == (hlo.Collective("all-reduce", 1, tokens * width * 4),)
    assert found["batch"] == ()
    assert found["batch and weights"] == (hlo.Collective("all-gather", 1, width * wide * 4),) * 2


def test_gradients_of_two_arrays_share_one_all_reduce():
    (one,) = devices.compiled(gradients, SHAPES, {"": {"x": ROWS}})[""]
    assert one == hlo.Collective("all-reduce", 2, 2 * 1024 * 4096 * 4)


def test_a_ring_of_permutations_ends_as_the_ring_in_numbers():
    x = np.random.default_rng(3).integers(0, 9, (8, 64)).astype("float32")
    states = list(collectives.all_reduce(x, "ring"))
    found, text = devices.run(ring, x, 14)
    assert (found == x.sum(0)).all() and (found == states[-1].buffers).all()
    assert hlo.collectives(text) == (hlo.Collective("collective-permute", 1, 64 // 8 * 4),) * 14
    half, _ = devices.run(ring, x, 7)
    assert (half == states[7].buffers).all()


def test_reduce_scatter():
    x = np.random.default_rng(3).integers(0, 9, (8, 64)).astype("float32")
    found, text = devices.run(scatter, x)
    assert (found.ravel() == x.sum(0)).all()
    assert hlo.collectives(text) == (hlo.Collective("reduce-scatter", 1, 64 // 8 * 4),)


def test_nothing_changes_here():
    """Where JAX has already counted its devices, too."""
    import jax

    before = jax.devices()
    assert devices.run(count) == 8 and devices.run(count, devices=2) == 2
    assert jax.devices() == before and "jax" in sys.modules


def test_what_cannot_run_there():
    outside = 3
    with pytest.raises(ValueError, match="<lambda> uses outside of its surroundings"):
        devices.run(lambda: outside)
    with pytest.raises(TypeError, match="need a function"):
        devices.run("ring")
    with pytest.raises(RuntimeError, match="ZeroDivisionError"):
        devices.run(lambda: 1 / 0)
    with pytest.raises(KeyError, match="names 'w3'"):
        devices.compiled(products, SHAPES, {"wrong": {"w3": ROWS}})


def test_text_of_programs():
    text = """
      %a = f32[64,1024]{1,0} all-reduce(f32[64,1024]{1,0} %dot), channel_id=1
      %b = (bf16[8]{0}, f32[2,2]{1,0}) all-reduce-start(%x, %y), channel_id=2
      %c = f32[] collective-permute(f32[] %z), source_target_pairs={{0,1}}
      ROOT %d = f32[4]{0} add(%all-reduce.1, %a)
    """
    assert hlo.collectives(text) == (
        hlo.Collective("all-reduce", 1, 64 * 1024 * 4),
        hlo.Collective("all-reduce", 2, 16 + 16),
        hlo.Collective("collective-permute", 1, 4),
    )
    with pytest.raises(ValueError, match="'c64'"):
        hlo.collectives("%a = c64[2]{0} all-reduce(%b)")
    with pytest.raises(TypeError, match="must be that of a compiled program"):
        hlo.collectives(None)


def test_the_cost_of_what_is_found():
    """What the ring of the model puts on the wire for the all-reduce that the compiler wrote."""
    seconds = network.ring_all_reduce_seconds(64 * 1024 * 4, 8, 450e9)
    assert seconds == pytest.approx(2 * 7 / 8 * 262144 / 450e9)
