import numpy as np

from accelerator_lib.systolic.registers import Registers, Wires, feed


def test_values_move_one_place_and_what_enters_comes_last():
    """By hand: 1 enters at the left of the first row, then 2; row 1 gets nothing."""
    wires = Registers(2, 3, int)
    wires.move(1, np.array([1, 0]), np.array([True, False]))
    wires.move(1, np.array([2, 0]), np.array([True, False]))
    assert wires.seen().filled(-1).tolist() == [[2, 1, -1], [-1, -1, -1]]
    wires.move(0)
    assert wires.seen().filled(-1).tolist() == [[-1, -1, -1], [2, 1, -1]]


def test_what_was_seen_does_not_change_later():
    wires = Registers(1, 2, int)
    wires.move(1, 7, True)
    seen = wires.seen()
    wires.move(1, 8, True)
    assert seen.filled().tolist() == [[7, 0]] and wires.seen().filled().tolist() == [[8, 7]]


def test_a_register_is_copied_where_a_mask_says_so_with_its_wave():
    one, other = Registers(1, 2, int), Registers(1, 2, int)
    other.move(1, 5, True, 3)
    other.move(1, 6, True, 4)
    one.take(other, np.array([[False, True]]))
    assert one.seen().filled(-1).tolist() == [[-1, 5]] and one.wave.tolist() == [[-1, 3]]


def test_lanes_are_fed_one_fold_after_the_other_with_pauses():
    """Two folds of 2 steps, one every 3 cycles: steps 0 1 - 0 1 -, then nothing."""
    fold, step, live = feed(np.arange(-1, 7), stream=2, pitch=3, folds=2)
    assert live.tolist() == [False, True, True, False, True, True, False, False]
    assert fold[live].tolist() == [0, 0, 1, 1] and step[live].tolist() == [0, 1, 0, 1]


def test_an_edge_is_a_part_of_the_registers():
    edge = Wires(np.array([[1, 2], [3, 4]]), np.array([[True, False], [True, True]]))[:, 0]
    assert edge.value.tolist() == [1, 3] and edge.there.all() and edge.dtype == edge.value.dtype
