"""Chips: an estimate of a whole chip beside its TDP.

    estimate = 1.2 x (bandwidth x pJ/byte + peak / 2 x pJ/MAC)

The fifth on top stands for all that has no row. The arithmetic is charged with the 7 nm table, whatever the node.
"""

from dataclasses import dataclass

from accelerator_lib.checks.signature import BytesPerS, FlopsPerS, OneOf, Positive, Share, Single, Watts, checked
from accelerator_lib.energy.costs import PJ, mac_pj
from accelerator_lib.energy.table import access
from accelerator_lib.hardware import chip

REST = 0.2  # of memory and arithmetic together
PRICES = {  # scope -> {chip: level}; the GH200's Hopper part stands for the H100, and for want of a newer one the B200
    "whole path": {"a100-80gb-sxm": "a100_hbm", "h100-sxm5": "gh200_hbm", "b200": "gh200_hbm"},
    "device alone": {"a100-80gb-sxm": "hbm2_low", "h100-sxm5": "hbm2_low", "b200": "hbm3e_skhynix"},
}
Priced, Scope, OneShare = OneOf(PRICES["whole path"]), OneOf(PRICES), Single(Share)


@dataclass(frozen=True)
@checked
class Budget:
    """Watts of a chip that moves so many bytes [pJ/bit] and does so many FLOP [pJ/MAC], beside its TDP."""

    bytes_per_s: Single(BytesPerS)
    bit_pj: Single(Positive)
    flops_per_s: Single(FlopsPerS)
    mac_pj: Single(Positive)
    tdp_w: Single(Watts)

    memory_w = property(lambda self: self.bytes_per_s * 8 * self.bit_pj * PJ)
    arithmetic_w = property(lambda self: self.flops_per_s / 2 * self.mac_pj * PJ)
    rest_w = property(lambda self: REST * (self.memory_w + self.arithmetic_w))
    watts = property(lambda self: self.memory_w + self.arithmetic_w + self.rest_w)
    verdict = property(lambda self: "within the TDP" if self.watts <= self.tdp_w else "above the TDP")

    @property
    def table(self):
        """{what: {part: W}}, as bars beside the TDP."""
        parts = {"arithmetic": self.arithmetic_w, "memory": self.memory_w, "everything else": self.rest_w}
        return {"estimate": parts, "TDP": {"TDP": self.tdp_w}}


@checked
def budget(
    id: Priced = "a100-80gb-sxm", scope: Scope = "whole path", reading: OneShare = 1.0, computing: OneShare = 1.0
):
    """Budget of a chip at these shares of its bandwidth and of its dense fp16 peak, sums in fp32."""
    one, bit, mac = chip(id), access(PRICES[scope][id]).pj_per_bit, mac_pj("fp16", accumulator="fp32")
    return Budget(reading * one.bytes_per_s, bit, computing * one.peak("fp16"), mac, one.tdp_w)
