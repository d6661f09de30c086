"""Flow: what every level delivers, and how much must be under way to keep it busy.

    bandwidth of a level = units x bytes per clock x clock
    bytes in flight      = bandwidth x latency                         (Little's law)

Source: J. Little, "A proof for the queuing formula L = λW", Operations Research 9(3), 1961.
"""

from dataclasses import dataclass

import numpy as np

from accelerator_lib import data, hardware
from accelerator_lib.checks.signature import Bytes, BytesPerS, Hertz, Positive, Seconds, Single, Whole, checked

WARP_LANES = data.load("gpus")["common"]["warp_lanes"]
LOAD_SECONDS = data.load("memory_levels")["estimates"]["load_latency"]["seconds"]
A100 = hardware.chip("a100-80gb-sxm")


@checked
def operand_bytes_per_s(
    units: Whole(), lanes: Whole(), clock_hz: Hertz, operands: Positive = 3, operand_bytes: Positive = 4
):
    """Register reads [B/s] that keep every lane busy: each reads so many operands every clock. A lower bound."""
    return units * lanes * clock_hz * operands * operand_bytes


@checked
def level_bytes_per_s(units: Whole(), bytes_per_clock: Positive, clock_hz: Hertz):
    """Bandwidth [B/s] of a level with so many units of so many bytes per clock."""
    return units * bytes_per_clock * clock_hz


@checked
def bytes_in_flight(bytes_per_s: BytesPerS, seconds: Seconds):
    """Bytes that must be under way at every moment to sustain a bandwidth over a latency."""
    return bytes_per_s * seconds


@dataclass(frozen=True)
class Tank:
    """Little's law on a GPU: what must be in flight, and what the warps keep there."""

    needed_bytes: float
    warp_bytes: float  # of one warp on every SM
    warps: int  # on each SM

    held_bytes = property(lambda self: self.warps * self.warp_bytes)
    # share of the bandwidth that is reached, at most one
    share = property(lambda self: np.minimum(1.0, self.held_bytes / self.needed_bytes))
    # warps on each SM from which on the bandwidth is full
    warps_needed = property(lambda self: int(np.ceil(self.needed_bytes / self.warp_bytes)))


@checked
def tank(
    seconds: Single(Seconds) = LOAD_SECONDS,
    bytes_per_s: Single(BytesPerS) = A100.bytes_per_s,
    bytes_per_thread: Bytes = 4,
    warps: Whole() = 32,
    sms: Whole() = A100.units,
):
    """Tank of a chip whose warps each have one load of so many bytes a thread under way, for so many seconds."""
    return Tank(bytes_in_flight(bytes_per_s, seconds), sms * WARP_LANES * bytes_per_thread, warps)
