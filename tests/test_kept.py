"""What is kept for the session and handed out to many cannot be written to, however deep it lies."""

import importlib
import inspect
from dataclasses import dataclass, fields, is_dataclass
from functools import cached_property

import numpy as np
import pytest

from accelerator_course import syllabus
from accelerator_course.league import capstone
from accelerator_course.start import address
from accelerator_lib import data, network, numerics, systolic
from accelerator_lib.design import Design, explore
from accelerator_lib.energy import table
from accelerator_lib.gpu import squares
from accelerator_lib.hardware import chip
from accelerator_lib.llm import goodput, split
from accelerator_lib.memory import hostlink
from accelerator_lib.network import pipeline, stragglers, toll
from accelerator_lib.numerics import amax, calibration, lowbit, scales, tradeoff
from accelerator_lib.roofline import measured
from accelerator_lib.silicon import yields

KEPT = {
    "samples": lambda: [tradeoff.sample(one) for one in tradeoff.DISTRIBUTIONS],
    "a product": lambda: tradeoff._product(20.0, 0),
    "samples to calibrate": lambda: [calibration.sample(one) for one in calibration.SHAPES],
    "a load": lambda: goodput.serve_load(8),
    "a split": lambda: split.split(6, 8),
    "steps of rings": lambda: network.published.ring_steps(),
    "a schedule": lambda: pipeline.schedule("1f1b", 4, 8),
    "a column of it": lambda: pipeline.schedule("1f1b", 4, 8).column("start"),
    "a tail": stragglers._tail,
    "products": lambda: measured.products(chip("h100-sxm5")),
    "no products": lambda: measured.products(chip("tpu-v2")),
    "squares": squares.published,
    "no squares": lambda: squares.published(1),
    "a grid": explore.grid,
    "a front": lambda: capstone.judge(Design(128, 16, 64, 5, 1.8e9, 450e9)).front,
    "a front of nothing": lambda: capstone._beside(capstone.ALL, 1.0, 5, "bf16"),
    "densities": lambda: [yields.densities(model) for model in ("poisson", "murphy", "seeds", "negative_binomial")],
    "where the course is from": address.source,
    "data to train on": lowbit._data,
    "the map's points": lowbit._places,
    "energies by level": table._tabulated,
    "formats": lambda: (numerics.FORMATS, numerics.ELEMENTS, numerics.INTEGERS),
    "some formats": lambda: (lowbit.TRAINED, amax.EIGHT_BITS, scales.SCALE_BITS, tradeoff.STORED, tradeoff.BITS),
    "dataflows": lambda: systolic.DATAFLOWS,
    "links": lambda: (hostlink.LINKS, toll.LINKS),
}
TOPICS = [topic for topic in syllabus.rooms() if (data.FOLDER.parent / topic).is_dir()]


def open_parts(value, name=""):
    """Names of the arrays, dicts, lists and sets in a value that can be written to."""
    if isinstance(value, np.ndarray):
        return [name] * bool(value.flags.writeable)
    if type(value) in (dict, list, set):
        return [name]
    if isinstance(value, dict):
        parts = {f"[{key!r}]": one for key, one in value.items()}
    elif isinstance(value, (list, tuple)):
        parts = {f"[{i}]": one for i, one in enumerate(value)}
    elif is_dataclass(value) and not isinstance(value, type):
        later = inspect.getmembers(type(value), lambda one: isinstance(one, cached_property))
        names = [field.name for field in fields(value)] + [one for one, _ in later]
        parts = {f".{one}": getattr(value, one) for one in names}
    else:
        return []
    return [found for part, one in parts.items() for found in open_parts(one, name + part)]


def asked_for_nothing():
    """Public functions of the topics' modules that are kept and need no arguments, by name."""
    found, folder = {}, data.FOLDER.parent
    for file in (file for topic in TOPICS for file in sorted((folder / topic).glob("[!_]*.py"))):
        module = importlib.import_module(f"accelerator_lib.{file.parent.name}.{file.stem}")
        kept = inspect.getmembers(module, lambda one: hasattr(one, "cache_info") and hasattr(one, "__wrapped__"))
        own = {
            name: one for name, one in kept if name[0] != "_" and one.__module__ == module.__name__ and name != "on_jax"
        }
        needs = {
            name: [p.default is p.empty for p in inspect.signature(one).parameters.values()]
            for name, one in own.items()
        }
        found |= {f"{module.__name__}.{name}": one for name, one in own.items() if not any(needs[name])}
    return found


@pytest.mark.parametrize("name", KEPT)
def test_nothing_that_is_kept_can_be_written_to(name):
    value = KEPT[name]()
    assert open_parts(tuple(value) if type(value) is list else value) == []


def test_nor_anything_that_a_kept_function_without_arguments_returns():
    functions = asked_for_nothing()
    assert len(functions) >= 10
    assert {name: found for name, one in functions.items() if (found := open_parts(one()))} == {}


def test_the_walk_finds_what_is_open():
    @dataclass
    class Record:
        array: np.ndarray
        table: dict

    record = Record(np.ones(2), data.frozen({"a": 1, "b": ({}, [2])}))
    assert open_parts((record, {})) == ["[0].array", "[1]"]
    assert open_parts(data.frozen((np.ones(2), {"a": [np.ones(1)]}, np.float64(1)))) == []
    assert data.frozen(record) is record and record.array.flags.writeable  # only records that are frozen are closed


def test_a_write_is_refused_and_the_next_reader_sees_what_was_there():
    before = tradeoff.sample("normal").copy()
    with pytest.raises(ValueError, match="read-only"):
        tradeoff.sample("normal")[0] = 0
    with pytest.raises(ValueError, match="read-only"):
        goodput.serve_load(8).ttft.sort()
    assert np.array_equal(tradeoff.sample("normal"), before) and (before * 2).flags.writeable
