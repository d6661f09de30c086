"""The keys of the exercises found again on another road."""

from itertools import pairwise

from accelerator_course.exercises import workload as exercises
from accelerator_lib.workload import Gemm


def test_the_recorded_flop_of_mlps_are_products_counted_row_by_row():
    for sizes, batch, want in exercises.MLPS:
        assert want == sum(Gemm(batch, outputs, inputs).flops for inputs, outputs in pairwise(sizes))
