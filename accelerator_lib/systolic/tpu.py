"""TPU: an array that is fed by a memory. Weights come tile by tile; while one is used, the next is on its way.

    tile cycles = max( m                      rows of inputs that stream through
                       rows                   shifting the next tile into the array
                       rows x cols x bytes / bandwidth x clock )

The slowest of the three sets the pace of every tile. Ignored: partly filled tiles, activations that do not fit on the
chip, vector work, waiting for the host. Beside it stands what the first TPU delivered in a data center.
Source of the measurements: N. Jouppi et al., "In-datacenter performance analysis of a tensor processing unit", 2017.
"""

import re
from dataclasses import dataclass

from accelerator_lib import data, hardware, roofline
from accelerator_lib.hardware import format_bytes
from accelerator_lib.inputs import count, real

EDGE = {"tpu-v1": 256, "tpu-v2": 128, "tpu-v3": 128, "tpu-v4": 128, "tpu-v5e": 128, "tpu-v5p": 128}


@dataclass(frozen=True)
class WeightTile:
    """One tile of weights in a steady state; times in cycles, may be fractions."""

    stream_cycles: float
    shift_cycles: float
    memory_cycles: float

    @property
    def cycles(self):
        return max(self.stream_cycles, self.shift_cycles, self.memory_cycles)

    @property
    def active(self):
        """Share of the cycles in which inputs stream through the array."""
        return self.stream_cycles / self.cycles

    @property
    def bound(self):
        """What the others wait for: "arithmetic", "shifting weights in" or "memory"."""
        names = {
            "arithmetic": self.stream_cycles,
            "shifting weights in": self.shift_cycles,
            "memory": self.memory_cycles,
        }
        return max(names, key=names.get)


def tile(m, edge, bytes_per_s, clock_hz, dtype="int8"):
    """WeightTile of edge x edge weights that m rows of inputs pass through (for convolutions: uses of a weight)."""
    edge, m = count("edge", edge, high=2**16), real("m", m, low=1, high=1e12)
    memory = edge**2 * format_bytes(dtype) / real("bytes_per_s", bytes_per_s, unit="B/s")
    return WeightTile(m, edge, memory * real("clock_hz", clock_hz, high=1e12, unit="Hz"))


@dataclass(frozen=True)
class Application:
    """One of the first TPU's workloads: what was published, and two predictions [OP/s]."""

    name: str
    batch: int
    weights: float
    uses: float  # multiply-accumulates for each byte of weights
    delivered: float  # OP/s, published
    active: float  # share of cycles in which the array was in use, published
    stalled: float  # share of cycles in which it waited for weights, published
    roofline: float
    tiled: float
    tile: WeightTile

    @property
    def filled(self):
        """Of the array's PEs, how many did useful work while it was in use: what the two published shares imply."""
        return self.delivered / (self.active * hardware.chip("tpu-v1").peak("int8"))


def applications(bandwidth=1.0, batch=1.0):
    """Applications of the first TPU, as if its memory were `bandwidth` times as fast and its batches so much larger."""
    chip = hardware.chip("tpu-v1")
    peak, rate = chip.peak("int8"), chip.bytes_per_s * real("bandwidth", bandwidth, low=0.01, high=1000)
    batch, rows = real("batch", batch, low=0.01, high=1000), data.rows("tpu_v1")
    found = []
    for id, row in rows.items():
        if not re.fullmatch(r"tpu1_(mlp|lstm|cnn)\d_tops", id):
            continue
        conditions, key = row["conditions"], id.removesuffix("_tops")
        uses = conditions["macs_per_weight_byte"] * batch
        own = tile(max(uses, 1), EDGE["tpu-v1"], rate, chip.clock_hz)
        found.append(
            Application(
                row["workload"], conditions["batch"], float(conditions["weights"].removesuffix("M")) * 1e6, uses,
                row["value"] * 1e12, rows[f"{key}_active"]["value"] / 100, rows[f"{key}_stall"]["value"] / 100,
                float(roofline.attainable(2 * uses, peak, rate)), own.active * peak, own,
            )
        )  # fmt: skip
    return tuple(found)


def rebuilt():
    """[(chip, what, PEs, clock [Hz], rebuilt peak, published peak)] of the TPUs whose clock is published."""
    found = []
    for record in data.load("accelerators")["devices"]:
        if record["id"].startswith("tpu-"):
            for entry in record.get("units_x_clock", []):
                clock, dtype = entry["clock_ghz"] * 1e9, entry["peak"].removeprefix("dense.")
                chip = hardware.chip(record["id"])
                peak = hardware.peak_from_units(entry["units"], entry["flop_per_clock"], clock)
                found.append((chip, entry["what"], entry["units"], clock, peak, chip.peak(dtype)))
    return found
