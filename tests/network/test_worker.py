import pytest

from accelerator_lib.network import devices, worker


def leave():
    import os

    os._exit(3)


def test_a_worker_that_has_left_is_replaced():
    with pytest.raises(RuntimeError, match="has ended its Python"):
        devices.run(leave)
    assert devices.run(lambda: 5) == 5
    worker.dismiss()
    assert devices.run(lambda: 6) == 6 and not worker.dismiss() and not worker._staff


def test_functions_travel_inside_of_other_values():
    packed = worker.packed({"a": [lambda x: x + 1, 2]})
    function, two = worker.unpacked(packed)["a"]
    assert function(two) == 3
