import numpy as np
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


def test_a_worker_that_was_killed_between_two_programs_is_hired_again():
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


def test_functions_travel_inside_of_other_values():
    packed = worker.packed({"a": [lambda x: x + 1, 2]})
    function, two = worker.unpacked(packed)["a"]
    assert function(two) == 3


def test_what_went_wrong_is_one_line():
    with pytest.raises(RuntimeError, match="failed: ValueError: shard_map.*sizes:$"):
        devices.mapped(lambda x: x, np.ones((7, 3)))
