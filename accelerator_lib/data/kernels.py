"""Kernels: tables of rows as they were timed, {column: array}.

gemm, context_attention, encoder_attention, generation_attention, nccl: the profiles of aiconfigurator. Timed for this
course, on one H100 and one H200: products, attention, reads, launches and more; no law was fitted to these, and the
programs that took them are in the file.
"""

import csv
import gzip
import json
from functools import cache

import numpy as np

from accelerator_lib import data

FOLDER = data.FOLDER / "recorded" / "kernels"
NUMBERS = {"m", "n", "k", "batch_size", "isl", "num_heads", "num_key_value_heads", "head_dim", "step", "window_size"}
NUMBERS |= {"num_gpus", "message_size", "latency_us"}


@cache
def profile(name):
    """Rows of one file of the profiles, as dicts of text."""
    with gzip.open(FOLDER / f"{name}.csv.gz", "rt", encoding="utf-8") as file:
        return tuple(row | {"file": name} for row in csv.DictReader(file))


@cache
def recorded(*names):
    """{column: array} of all rows of these files; a column that one lacks is empty there."""
    found = [row for name in names for row in profile(name)]
    table = {column: [row.get(column, "") for row in found] for column in found[0]}  # an encoder keeps no cache
    return {name: np.array([float(it or 0) for it in its] if name in NUMBERS else its) for name, its in table.items()}


@cache
def _file():
    return json.loads(gzip.decompress((FOLDER / "timed.json.gz").read_bytes()))


def timed(name, **wanted):
    """{column: array} of a table of what was timed for this course, of rows with these values. Raises KeyError."""
    tables = _file()["tables"]
    if name not in tables:
        raise KeyError(f"no table {name!r} was timed; there are {', '.join(tables)}")
    return chosen({column: np.array(its) for column, its in tables[name].items()}, **wanted)


def chosen(table, **wanted):
    """The rows of a table in which each of these columns has this value."""
    kept = np.logical_and.reduce([table[column] == value for column, value in wanted.items()], initial=True)
    return {column: its[np.broadcast_to(kept, its.shape)] for column, its in table.items()}
