"""Wrong solutions of the exercise, and its key found again by trying each batch."""

import itertools

import pytest

from accelerator_course.exercises import llm as exercises
from accelerator_course.exercises.slips import llm as slips


def attention_as_weights(model, chip, promise):
    return 96


WRONG = {
    "10.5": [
        (slips.query_heads, "a dense model, 20 ms your function returned 23; expected is 94"),
        (slips.memory_alone, "a dense model, 20 ms your function returned 104"),
        (slips.pace_alone, "a dense model, 40 ms"),
        (slips.bytes_alone, "a dense model, short texts"),
        (slips.window_forgotten, "sliding windows"),
        (slips.all_experts_read, "experts, 14 ms"),
        (slips.active_experts_stored, "experts"),
        (slips.keys_alone, "a dense model, 20 ms"),
        (slips.one_too_many, "a dense model, 20 ms your function returned 95"),
        (attention_as_weights, "expected is 94"),
        (lambda model, chip, promise: [94], "a number was expected"),
    ]
}
HARMLESS = {"10.5": ["seconds >= promise.seconds", "< chip.memory", "cache < chip.memory"]}  # no equality is drawn


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
