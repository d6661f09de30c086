"""Hurry: a run ends as soon as its time is over, and nothing of it stays."""

import pytest

from accelerator_course import ladder
from accelerator_lib.kernels.hurry import Late, hurry, look

TEXTS = {  # of each machine one that takes long
    "map": "i = 0\nwhile i < 10000:\n    i += 1",
    "product": ladder.rung("product").slow.text,
    "feed": "for i in range(0, 10000):\n    load(a, 0, 0)\n    swap()",
}


@pytest.mark.parametrize("id", TEXTS)
def test_a_run_without_time_is_late_and_the_next_has_all_time(id):
    rung = ladder.rung(id)
    case = rung.case(rung.visible[0])
    with pytest.raises(Late), hurry(0):
        rung.run(TEXTS[id], case)
    assert rung.run(rung.worked.text, case)


def test_late_is_no_fault_and_there_is_time_unless_it_is_said():
    assert not issubclass(Late, ValueError)
    look()
    with hurry(60):
        look()
