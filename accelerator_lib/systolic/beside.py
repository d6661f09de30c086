"""Beside: the tensor cores of one SM and one array of a TPU v4, each with a job of so many rows of inputs.

                                    tensor cores, instructions of m x n x k           array of edge x edge
    operand reads / multiply-add    1 / m + 1 / n                                     1 / edge + 1 / rows
    cycles to fill it               measured                                          edge to load, 2 edge - 2 to march
    busy share                      useful / rate / max(m n k / rate, bytes / 128)    rows / max(rows, edge)

Weights lie on m and on the array, loaded ahead. The rows are n: cut where they are more than an instruction takes, and
filled up to its step. Shared memory gives 128 bytes in a cycle; operands in registers wait for nothing. Ignored:
everything before shared memory, instructions that wait for each other. Facts: data/gpus.yaml, data/systolic.yaml.
"""

from dataclasses import dataclass

from accelerator_lib.checks.signature import Count, OneOf, checked
from accelerator_lib.gpu.arch import BANK_BYTES, BANKS, FACTS
from accelerator_lib.gpu.sm import RECORDS
from accelerator_lib.systolic.tpu import arrays_of

OPERAND_BYTES, GOAL = 2, 0.9  # fp16; of the peak
TABLE = {record["chip"]: record for record in FACTS["generations"] if "columns" in record}
Chips, Rows = OneOf(TABLE), Count(high=2**16)


@dataclass(frozen=True)
class Unit:
    """A matrix unit with a job: what it could do in a cycle, and what the job costs it."""

    name: str
    parts: int
    macs: int  # multiply-adds a cycle of all its parts
    fill_cycles: int | None  # until all of it multiplies, at least; None: not published
    busy: float
    reads: float  # operands for each multiply-add
    least_rows: int  # that bring 90 % of its peak


@checked
def tensor_cores(chip: Chips, rows: Rows):
    """(busy share of an SM's tensor cores, operand reads for each multiply-add) with so many rows of inputs."""
    facts, rate = TABLE[chip], RECORDS[chip]["flop_per_clock"] // 2
    (m, _, k), (step, most) = facts["instruction"], facts["columns"]
    pieces = [-(-min(most, rows - first) // step) * step for first in range(0, rows, most)]
    feed = 0 if facts["reads"] else OPERAND_BYTES * k / (BANKS * BANK_BYTES)  # cycles for a row or column of operands
    taken = sum(max(m * n * k / rate, (m + n) * feed) for n in pieces)
    return m * rows * k / rate / taken, sum(m + n for n in pieces) / (m * rows)


@checked
def units(chip: Chips, rows: Rows):
    """(Unit of the tensor cores of one SM, Unit of one array of a TPU v4), each with so many rows of inputs."""
    facts, edge, own = TABLE[chip], arrays_of("tpu-v4").edge, RECORDS[chip]
    sm, latency = f"SM ({facts['name'].partition('(')[2]}", facts.get("latency")
    ways = lambda n: tensor_cores(chip, n), lambda n: (n / max(n, edge), 1 / edge + 1 / n)
    least = [next(n for n in range(1, 1000) if way(n)[0] >= GOAL) for way in ways]
    cores = Unit(sm, own["cores"], own["flop_per_clock"] // 2, latency, *ways[0](rows), least[0])
    return cores, Unit("array of a TPU v4", 1, edge**2, 3 * edge - 2, *ways[1](rows), least[1])
