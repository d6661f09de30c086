"""Every drawn question by a second road: a formula of its stem's own numbers (tests/<topic>/stems.yaml), for all draws.

So whoever computes with what the stem says is marked right. A formula of several lines leaves `answer`.
"""

import itertools
import math
from pathlib import Path

import numpy as np
import pytest

from accelerator_course.quiz import bank, keys
from accelerator_lib import data
from accelerator_lib.units import significant

DRAWN = {item["id"]: topic for topic in bank.topics() for item in bank.items(topic) if item.get("params")}
STEMS = {topic: data.parse(Path(__file__).parent / topic / "stems.yaml") for topic in bank.topics()}


def values(spec):
    """What a parameter can be; of a range a dozen."""
    if "whole" in spec:
        return sorted({int(one) for one in np.linspace(*spec["whole"], 12)})
    return spec.get("choice") or [significant(one) for one in np.geomspace(*spec["log"], 12)]


def computed(formula, parameters):
    names = vars(math) | parameters  # a stem knows nothing of the library
    if "\n" not in formula.strip():
        return eval(formula, names)
    exec(formula, names)
    return names["answer"]


@pytest.mark.parametrize("id", DRAWN)
def test_the_numbers_of_a_stem_give_its_key(id):
    _, item = bank.find(id)
    formula, near = STEMS[DRAWN[id]][id], item.get("rel_tol", 0.02) or 1e-9
    every = list(itertools.product(*map(values, item["params"].values())))
    for drawn in every[:: -(-len(every) // 120)]:
        parameters = dict(zip(item["params"], drawn, strict=True))
        found = computed(formula, parameters)
        assert found == pytest.approx(keys.evaluate(item["answer"], parameters), rel=near), parameters


def test_every_formula_belongs_to_a_question():
    assert {(topic, id) for topic, all_ in STEMS.items() for id in all_} == {(t, id) for id, t in DRAWN.items()}
    assert len(DRAWN) > 180
