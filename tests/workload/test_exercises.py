"""Wrong solutions of the exercises, and their keys found again on another road."""

from itertools import pairwise

from accelerator_course.exercises import workload as exercises
from accelerator_course.exercises.slips import workload as slips
from accelerator_lib.workload import Gemm


def one_too_many(sizes, batch):
    return sum(2 * batch * a * b for a, b in pairwise(sizes)) + 1


def one_token_too_many(cfg):
    return 2 * cfg["d_model"] + 1.5 * cfg["d_ff"] + 1


WRONG = {
    "01.1": [
        (slips.macs_not_flops, "layers [784, 512, 512, 10] and batch 32"),
        (slips.last_layer_forgotten, "layers [784, 512, 512, 10] and batch 32"),
        (slips.one_row_only, "layers [784, 512, 512, 10] and batch 32"),
        (slips.biases_counted, "layers [784, 512, 512, 10] and batch 32"),
        (one_too_many, "returned 42795009; expected is 42795008"),
    ],
    "01.3": [
        (slips.two_matrices_in_the_mlp, "'d_model': 4096, 'd_ff': 11008"),
        (slips.projections_forgotten, "'d_model': 4096, 'd_ff': 11008"),
        (slips.scores_counted_once, "expected is 24704"),
        (one_token_too_many, "returned 24705"),
    ],
    "01.4": [
        (slips.groups_ignored, "You ignored the groups in K"),
        (slips.padding_forgotten, "You left out the border"),
        (slips.channels_last, "the channel changes fastest"),
        (slips.stride_of_rows_only, "Use the stride in both directions"),
        (slips.macs_of_products, "You counted multiply-accumulates"),
        (lambda *given: exercises.as_products(*given)[0], "Return two things"),
    ],
}


def test_the_recorded_flop_of_mlps_are_products_counted_row_by_row():
    for sizes, batch, want in exercises.MLPS:
        assert want == sum(Gemm(batch, outputs, inputs).flops for inputs, outputs in pairwise(sizes))
