"""Slips of the exercises of chapter 1."""

import numpy as np

from accelerator_course.exercises.slips import changed
from accelerator_course.exercises.workload import as_products, count_flops, crossover_tokens

macs_not_flops = changed(count_flops, "2 * batch", "batch")
last_layer_forgotten = changed(count_flops, "pairwise(sizes)", "pairwise(sizes[:-1])")
biases_counted = changed(count_flops, "2 * batch * inputs", "batch * (2 * inputs + 1)")
one_row_only = changed(count_flops, "2 * batch", "2")

channels_last = changed(as_products, "2, 5, 6)", "5, 6, 2)")
padding_forgotten = changed(as_products, "(pad, pad), (pad, pad)", "(0, 0), (0, 0)")
macs_of_products = changed(as_products, "2 * patches.size", "patches.size")
stride_of_rows_only = changed(as_products, "::stride, ::stride", "::stride")


def groups_ignored(x, window, filters, stride, pad, groups):
    patches, flops = as_products(x, window, filters, stride, pad, 1)
    return np.concatenate([patches] * groups), flops


two_matrices_in_the_mlp = changed(crossover_tokens, "3 * cfg", "2 * cfg")
scores_counted_once = changed(crossover_tokens, "/ (4", "/ (2")
projections_forgotten = changed(crossover_tokens, '4 * cfg["d_model"] ** 2 + ', "")
