"""Slips of chapter 1 that are written out."""

import numpy as np

from accelerator_course.exercises.workload import as_products


def groups_ignored(x, window, filters, stride, pad, groups):
    patches, flops = as_products(x, window, filters, stride, pad, 1)
    return np.concatenate([patches] * groups), flops
