"""Beside: the tensor cores of one SM and one array of a TPU v4, each with a job of so many rows of inputs.

                                    tensor cores, m weights with n rows        array of edge x edge
    operand reads / multiply-add    1 / m + 1 / n                              1 / edge + 1 / rows
    cycles from inputs to sums      measured                                   2 edge - 1
    busy share                      useful / max(m n, rate (m + n) 2 / 128)    rows / max(rows, edge)

Depth by depth, a tensor core (or an SM's together) reads m weights and n rows from shared memory, which gives 128 bytes
in a cycle; an array loads its weights ahead. Rows are cut where they are more than n may be, and filled up to its step.
Ignored: what comes before shared memory, sums, instructions that wait for each other. Facts: gpus.yaml, systolic.yaml.
"""

from dataclasses import dataclass

from accelerator_lib.checks.signature import Count, OneOf, checked
from accelerator_lib.gpu.arch import BANK_BYTES, BANKS, FACTS
from accelerator_lib.gpu.sm import RECORDS
from accelerator_lib.systolic.tpu import arrays_of

OPERAND_BYTES, GOAL = 2, 0.9  # fp16; of the peak
TABLE = {record["chip"]: record for record in FACTS["generations"] if "held" in record}
Chips, Rows = OneOf(TABLE), Count(high=2**16)


@dataclass(frozen=True)
class Unit:
    """A matrix unit with a job: what it could do in a cycle, and what the job costs it."""

    name: str
    parts: int
    macs: int  # multiply-adds a cycle of all its parts
    latency: int | None  # cycles from inputs to sums, at least; None: not published
    busy: float
    reads: float  # operands for each multiply-add
    least_rows: int  # that bring 90 % of its peak


@checked
def tensor_cores(chip: Chips, rows: Rows):
    """(busy share of an SM's tensor cores, operand reads for each multiply-add) with so many rows of inputs."""
    facts, rate = TABLE[chip], RECORDS[chip]["flop_per_clock"] // 2
    m, step, most = facts["held"]
    pieces = [-(-min(most, rows - first) // step) * step for first in range(0, rows, most)]
    taken = sum(max(m * n / rate, (m + n) * OPERAND_BYTES / (BANKS * BANK_BYTES)) for n in pieces)
    return m * rows / rate / taken, sum(m + n for n in pieces) / (m * rows)


@checked
def units(chip: Chips, rows: Rows):
    """(Unit of the tensor cores of one SM, Unit of one array of a TPU v4), each with so many rows of inputs."""
    facts, edge, own = TABLE[chip], arrays_of("tpu-v4").edge, RECORDS[chip]
    sm, latency = f"SM ({facts['name'].partition('(')[2]}", facts.get("latency")
    ways = lambda n: tensor_cores(chip, n), lambda n: (n / max(n, edge), 1 / edge + 1 / n)
    least = [next(n for n in range(1, 1000) if way(n)[0] >= GOAL) for way in ways]
    cores = Unit(sm, own["cores"], own["flop_per_clock"] // 2, latency, *ways[0](rows), least[0])
    return cores, Unit("array of a TPU v4", 1, edge**2, 2 * edge - 1, *ways[1](rows), least[1])
