"""Flow: what every level delivers, and how much must be under way to keep it busy.

    bandwidth of a level = units x bytes per clock x clock
    bytes in flight      = bandwidth x latency                         (Little's law)

Source: J. Little, "A proof for the queuing formula L = λW", Operations Research 9(3), 1961.
"""

from dataclasses import dataclass

import numpy as np

from accelerator_lib.inputs import real, whole

LANES = 32  # threads of a warp


def operand_bytes_per_s(units, lanes, clock_hz, operands=3, operand_bytes=4):
    """Register reads [B/s] that keep every lane busy: each reads so many operands every clock. A lower bound."""
    lanes = whole("units", units) * whole("lanes", lanes)
    return lanes * real("clock_hz", clock_hz) * real("operands", operands) * real("operand_bytes", operand_bytes)


def level_bytes_per_s(units, bytes_per_clock, clock_hz):
    """Bandwidth [B/s] of a level with so many units of so many bytes per clock."""
    return whole("units", units) * real("bytes_per_clock", bytes_per_clock) * real("clock_hz", clock_hz)


def bytes_in_flight(bytes_per_s, seconds):
    """Bytes that must be under way at every moment to sustain a bandwidth over a latency."""
    return real("bytes_per_s", bytes_per_s) * real("seconds", seconds)


@dataclass(frozen=True)
class Tank:
    """Little's law on a GPU: what must be in flight, and what the warps keep there."""

    needed_bytes: float
    held_bytes: float
    warps_needed: int  # for each SM

    @property
    def share(self):
        """Share of the bandwidth that is reached, at most one."""
        return min(1.0, self.held_bytes / self.needed_bytes)


def tank(seconds=284e-9, bytes_per_s=2.039e12, bytes_per_thread=4, warps=32, sms=108):
    """Tank of a chip whose warps each have one load of so many bytes a thread under way."""
    needed = bytes_in_flight(bytes_per_s, seconds)
    one = whole("sms", sms) * LANES * real("bytes_per_thread", bytes_per_thread)
    return Tank(needed, whole("warps", warps) * one, int(np.ceil(needed / one)))
