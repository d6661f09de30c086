"""The key of the exercise found again by trying each batch."""

import itertools

import pytest

from accelerator_course.exercises import llm as exercises


@pytest.mark.parametrize("where, given, want", exercises.GIVEN)
def test_the_given_keys_are_found_by_trying_each_batch(where, given, want):
    model, chip, promise = given
    texts = [promise.context] * (model.layers - model.windowed) + [min(promise.context, model.window)] * model.windowed
    cache = sum(texts) * 2 * 2 * model.kv_heads * model.head_dim

    def late(users):
        met = model.experts * (1 - (1 - model.active / model.experts) ** users)
        read = 2 * (model.shared + model.expert * met) + users * cache
        work = 2 * (model.shared + model.active * model.expert) * users
        full = 2 * (model.shared + model.experts * model.expert) + users * cache > chip.memory
        return full or read / chip.bytes_per_s > promise.seconds or work / chip.peak > promise.seconds

    assert next(users for users in itertools.count(1) if late(users)) - 1 == want == exercises.most(*given), where
