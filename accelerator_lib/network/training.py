"""Training: seconds of a token on one chip of many, part by part.
    seconds = (products + attention + traffic + talk) x (1 + idle) x late
Talk is what is not hidden behind the products; idle, stages that wait: (pp - 1) / v / m; late, the slowest of n chips.
Composed of workload.counted, overlap, parallel, stragglers; the shares of the rates are arguments, 1 by default.
"""

from dataclasses import dataclass

from accelerator_lib.checks.signature import Count, NonNegative, Number, Record, Single, checked
from accelerator_lib.hardware import AChip, Format
from accelerator_lib.network import overlap
from accelerator_lib.network.links import ring_all_reduce_seconds
from accelerator_lib.network.protocols import chips_of_a_node, way_out
from accelerator_lib.network.stragglers import node_spread, waited
from accelerator_lib.workload.counted import Token
from accelerator_lib.workload.models import AModel

Reached = Single(Number(low=1e-3, high=1.0))


@dataclass(frozen=True)
class TokenSeconds:  # chip-seconds of one token by part; idle and late are factors
    products: float
    attention: float
    traffic: float
    talk: float
    idle: float
    late: float
    seconds = property(lambda self: (self.products + self.attention + self.traffic + self.talk) * self.idle * self.late)

    @property
    def most(self):
        """The part that takes longest."""
        parts = {name: getattr(self, name) for name in ("products", "attention", "traffic", "talk")}
        parts["idle"] = sum(parts.values()) * (self.idle - 1)
        return max(parts, key=parts.get)


@checked
def wide_peak(chip: AChip):
    """Peak [FLOP/s] of the 16-bit format that a chip trains in: bf16, or fp16 where it has no other."""
    return chip.peak("bf16" if "bf16" in {**chip.matrix, **chip.vector} else "fp16")


@checked
def token_seconds(
    work: Record(Token),
    chip: AChip,
    dtype: Format = None,
    product_share: Reached = 1.0,
    attention_share: Reached = 1.0,
    traffic_share: Reached = 1.0,
    talk_seconds: Single(NonNegative) = 0.0,
    idle: Single(NonNegative) = 0.0,
    late: Single(Number(low=1)) = 1.0,
):
    """TokenSeconds; layers in `dtype`, the rest in 16 bits; `attention_share` is of `product_share`; `late`: factor."""
    wide = wide_peak(chip) * product_share
    products = work.layers / ((chip.peak(dtype) if dtype else wide_peak(chip)) * product_share) + work.head / wide
    traffic = work.moved / (chip.need("bytes_per_s") * traffic_share)
    return TokenSeconds(products, work.scores / (wide * attention_share), traffic, talk_seconds, 1 + idle, late)


@checked
def lateness(chips: Count(high=10**7)):
    """What the slowest of so many chips takes, as a multiple of the mean one: they differ as those of a node do."""
    return float(waited(chips, node_spread()))


@checked
def across_bytes_per_s(chip: AChip, chips: Count()):
    """Rate [B/s] of a chip in a message that all share: its own link, or its node's way out, if that is less."""
    node, own = chips_of_a_node(chip), chip.need("link_bytes_per_s")
    return own if chips <= node else min(own, node * way_out(chip))


@checked
def dealt_out_seconds(model: AModel, chip: AChip, tokens: Count(), chips: Count()):
    """Talk [s] of a token where weights are dealt out (fsdp): two all-gathers and a reduce-scatter for `tokens`."""
    if chips == 1:
        return 0.0
    step = overlap.one_step(model, chip, tokens, chips, across_bytes_per_s(chip, chips), "fsdp")
    return (step.gathered + step.reduced) / tokens


@checked
def tensor_seconds(model: AModel, chip: AChip, tp: Count()):
    """Talk [chip-seconds] of a token where matrices are cut tp ways: 4 all-reduces a layer of its activations."""
    if tp == 1:
        return 0.0
    return tp * 4 * model.layers * ring_all_reduce_seconds(2 * model.d_model, tp, across_bytes_per_s(chip, tp))


@checked
def expert_seconds(model: AModel, chip: AChip, ep: Count()):
    """Chip-seconds of a token's way to its experts on `ep` chips and back, both passes; one copy a node leaves."""
    if model.experts == 1 or ep == 1:
        return 0.0
    node = chips_of_a_node(chip)
    copies = model.chosen if ep <= node else min(model.chosen, -(-ep // node))
    rate = chip.need("link_bytes_per_s") if ep <= node else way_out(chip)
    layers = model.layers - model.dense_layers
    return 4 * layers * copies * 2 * model.d_model * (ep - 1) / ep / rate


@checked
def gradient_seconds(model: AModel, chip: AChip, ways: Count(), dp: Count(), tokens: Count()):
    """Talk [chip-seconds] of a token where dp copies, each on `ways` chips, add their gradients after `tokens`."""
    if dp == 1:
        return 0.0
    once = ring_all_reduce_seconds(2 * model.params / ways, dp, across_bytes_per_s(chip, ways * dp))
    return once * ways / tokens
