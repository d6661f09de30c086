"""Alone: published runs that answer one user on one chip, beside the read of their weights.

    model [s a token] = bytes of the weights / bandwidth + what is lost in each step

Left out are runs whose text grows beyond 1,024 tokens (their caches count), several chips, vendors' claims, chips
whose bandwidth is not published, and weights of more than three quarters of a memory that CPU and GPU share: they are
swapped, and it is no longer that memory that is read. Facts: data/measured.yaml and data/published/decode.yaml.
"""

import re
from dataclasses import dataclass

import numpy as np

from accelerator_lib import data
from accelerator_lib.hardware import chip
from accelerator_lib.llm.published import GIB, read_bytes

ROOM = 0.75  # of a memory shared with the CPU, what a GPU of Apple's is given


@dataclass(frozen=True, eq=False)
class Runs:
    """One entry for each run; arrays of seconds."""

    rows: tuple  # as they stand in the data
    read_seconds: np.ndarray  # to read the weights once, at the bandwidth of the datasheet
    seconds: np.ndarray  # for a token, measured

    @property
    def shares(self):
        """Of the bandwidth that each reaches, 0 to 1: its MBU."""
        return self.read_seconds / self.seconds


@data.kept
def runs():
    """Runs of one user on one chip."""
    rows = tuple(row for row in data.published("decode").values() if _counts(row))
    read = [read_bytes(row) / chip(row["chip"]).bytes_per_s for row in rows]
    return Runs(rows, np.array(read), np.array([1 / row["value"] for row in rows]))


def _counts(row):
    given = row["conditions"]
    longest = given.get("generated_tokens")
    short = not isinstance(longest, int) or longest <= 1024
    counts = row["basis"] == "seen" and row["n_devices"] == 1 and bool(row["chip"]) and "claim" not in given and short
    return counts and not _swapped(row)


def _swapped(row):
    shared = re.search(r"(\d+) ?GB$", row["device"]) if chip(row["chip"]).vendor == "Apple" else None
    return bool(shared) and read_bytes(row) > ROOM * int(shared[1]) * GIB
