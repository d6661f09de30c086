"""Exercises of chapter 12."""

from accelerator_lib.exercises import Exercise
from accelerator_lib.exercises.fusing import check_fuse
from accelerator_lib.exercises.slips import codesign as slips


def fuse(ops, outputs):
    """Greedy: an element-wise operation joins the kernel that ends with its largest input that nobody else needs."""
    sizes = {name: elements for name, _, _, elements in ops}
    ending = {}  # value: the kernel that ends with it
    for name, kind, inputs, _ in ops:
        read = {value: sum(value in needs for _, _, needs, _ in ops) for value in inputs}
        alone = [value for value in inputs if value in ending and value not in outputs and read[value] == 1]
        joins = kind == "elementwise" and alone
        ending[name] = [*(ending.pop(max(alone, key=sizes.get)) if joins else []), name]
    return list(ending.values())


EXERCISES = [
    Exercise(
        "12.2",
        "X12.2",
        "the kernels of a program: element-wise operations run where their input is made, and no value is lost.",
        "Go through the operations in order. Which kernels end with a value that only this operation reads?",
        check_fuse,
        fuse,
        (
            slips.fuses_whatever_follows,
            slips.forgets_the_outputs,
            slips.joins_products,
            slips.first_input_only,
            slips.one_step_behind_a_product,
        ),
    ),
]
