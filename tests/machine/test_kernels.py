import jax
import jax.numpy as jnp
import pytest

from accelerator_lib.machine import kernels


def shapes_of(make):
    """The function and the shapes of its arrays; nothing is allocated."""
    function, found = None, []

    def arrays():
        nonlocal function
        function, *made = make()
        return made

    found = jax.eval_shape(arrays)
    return function, found


def test_the_arrays_of_a_kernel_hold_at_most_64_megabytes():
    made = [make for make, _ in [*kernels.streams().values(), *kernels.operations(1024).values()]]
    for make in [*made, *(make for make, _ in kernels.products(1024).values())]:
        _, arrays = shapes_of(make)
        assert 0 < sum(4 * array.size for array in arrays) <= kernels.TOTAL_BYTES


def test_a_stream_moves_every_array_once_and_its_result():
    for make, moved in kernels.streams().values():
        function, arrays = shapes_of(make)
        result = jax.eval_shape(function, *arrays)
        assert moved == 4 * (sum(array.size for array in arrays) + result.size)


def test_operations_give_what_their_names_say():
    made = {name: make for name, (make, _) in kernels.operations(64).items()}
    row = jnp.array([[1.0, 2.0, 3.0, 6.0]])
    (relu, _), (norm, _), (softmax, _) = made["ReLU"](), made["layer norm"](), made["softmax"]()
    assert relu(-row).max() == 0 and softmax(row).sum() == pytest.approx(1)
    assert norm(row).mean() == pytest.approx(0, abs=1e-6) and norm(row).var() == pytest.approx(1, rel=1e-3)


def test_the_model_counts_the_product_that_is_run():
    for edge, (make, flops) in kernels.products(64).items():
        function, arrays = shapes_of(make)
        assert jax.eval_shape(function, *arrays).shape == (edge, edge) and flops == 2 * edge**3
