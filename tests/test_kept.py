"""What is kept for the session and handed out to many cannot be written to, however deep it lies."""

import importlib
import inspect
from dataclasses import dataclass, fields, is_dataclass
from functools import cached_property
from pathlib import Path

import numpy as np
import pytest
from laws import valued

from accelerator_course import syllabus
from accelerator_lib import data
from accelerator_lib.design import Design
from accelerator_lib.hardware import chip
from accelerator_lib.llm import goodput
from accelerator_lib.numerics import tradeoff

MODULES = data.parse(Path(__file__).with_suffix(".yaml"))
KEPT = [(module, one) for module, expressions in MODULES.items() for one in expressions]
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
        for name, one in inspect.getmembers(module, lambda one: hasattr(one, "cache_info")):
            own = name[0] != "_" and one.__module__ == module.__name__
            if own and all(p.default is not p.empty for p in inspect.signature(one).parameters.values()):
                found[f"{module.__name__}.{name}"] = one
    return found


@pytest.mark.parametrize("module, expression", KEPT)
def test_nothing_that_is_kept_can_be_written_to(module, expression):
    value = valued(module, expression, chip=chip, Design=Design)
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
    before = tradeoff._product(20.0, 0)[0].copy()
    with pytest.raises(ValueError, match="read-only"):
        tradeoff._product(20.0, 0)[0][0] = 0
    with pytest.raises(ValueError, match="read-only"):
        goodput.serve_load(8).ttft.sort()
    assert np.array_equal(tradeoff._product(20.0, 0)[0], before) and (before * 2).flags.writeable
