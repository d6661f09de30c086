"""Operators: of one training step, the shares of FLOP and of time that three classes of operators take.

Products run at the peak's share, everything else at the memory's. An encoder layer of BERT-large is counted here
operator by operator, forward and backward, none fused: 8 sequences of 512 tokens, 1,024 wide, 16 heads, as in
A. Ivanov et al., "Data movement is all you need", 2021. Only the shares matter, so one layer stands for all.
"""

import re
from functools import cache

from accelerator_lib.checks.inputs import NotAvailable
from accelerator_lib.data import kept
from accelerator_lib.hardware import FORMAT_BYTES
from accelerator_lib.units import percent
from accelerator_lib.validation.devices import named
from accelerator_lib.validation.record import Estimate, free, stated
from accelerator_lib.workload import Elementwise, Gemm

FREE, BY_FAMILY = free("operator_classes")
SEQUENCES, TOKENS, WIDTH, HEADS, HIDDEN = 8, 512, 1024, 16, 4096
BACKWARD = 2  # products of the backward pass for each of the forward pass
CLASSES = {"tensor": "tensor|contraction|matmul|matrix", "normal": "statistical|normali|softmax", "element": "element"}
SLOWER = {"tensor": "arithmetic", "normal": "memory bandwidth", "element": "memory bandwidth"}


def layer():
    """{class: [work, ...]} of a training step of one encoder layer."""
    rows, pairs, per_head = SEQUENCES * TOKENS, SEQUENCES * HEADS * TOKENS * TOKENS, WIDTH // HEADS
    wide, narrow, product = rows * HIDDEN, rows * WIDTH, Gemm(rows, WIDTH, WIDTH)
    met = [Gemm(TOKENS, TOKENS, per_head), Gemm(TOKENS, per_head, TOKENS)] * (SEQUENCES * HEADS)
    forward = [product] * 4 + [Gemm(rows, HIDDEN, WIDTH), Gemm(rows, WIDTH, HIDDEN)] + met
    normal = [
        Elementwise(pairs, flops_per_element=6, reads=2, writes=2.5),  # scale and softmax, then dropout and its mask
        Elementwise(pairs, flops_per_element=5, reads=3.5, writes=2),  # the same, backwards
        *[Elementwise(narrow, flops_per_element=7, reads=1, writes=1)] * 2,  # two norms
        *[Elementwise(narrow, flops_per_element=13, reads=4, writes=1)] * 2,  # of the inputs, and of the scales
    ]
    added = [Elementwise(narrow), Elementwise(narrow, writes=1.5), Elementwise(narrow, reads=2)]  # bias, dropout, add
    element = [Elementwise(3 * narrow), Elementwise(wide), Elementwise(wide), *added * 2]  # biases; the activation
    back = [Elementwise(each.n, each.flops_per_element, each.writes, each.reads) for each in element]
    return {"tensor": forward * (1 + BACKWARD), "normal": normal, "element": element + back}


@kept
def counted():
    """{class: ((FLOP, bytes in 16 bits) of each work, ...)}"""
    return {name: tuple((each.flops, each.bytes_moved("fp16")) for each in its) for name, its in layer().items()}


@cache
def times(chip, balance):
    """(tensor, normal, element) in seconds up to a common factor."""
    peak, rate = balance * chip.peak("fp16"), chip.need("bytes_per_s")
    found = []
    for name, its in counted().items():
        found.append(sum([max(flops / peak * (name == "tensor"), moved / rate) for flops, moved in its]))
    return tuple(found)


def estimate(row, constants):
    """Estimate of a row of kind operator_classes [%]. Raises NotAvailable."""
    if not re.search(r"\bBERT.?large\b", row["workload"], re.IGNORECASE):
        raise NotAvailable(f"the operators of {row['workload'][:60]!r} are not counted here; those of BERT-large are")
    said = str(stated(row, "operator_class", "class")).lower()
    asked = next((name for name, pattern in CLASSES.items() if re.search(pattern, said)), None)
    if asked is None or row["unit"] != "%" or not re.search("flop|time", row["metric"]):
        raise NotAvailable(f"{row['metric']} of {said[:40]!r} is no share of FLOP or time of a class of operators")
    if "flop" in row["metric"]:
        found = {name: sum([flops for flops, _ in its]) for name, its in counted().items()}
        why = "Products do nearly all of the arithmetic; everything else reads, does a few FLOP and writes."
    else:
        found = dict(zip(CLASSES, times(named(row["device"])[0], constants("balance")), strict=True))
        bytes_moved = sum([moved for name in ("normal", "element") for _, moved in counted()[name]])
        why = f"What is no product moves {bytes_moved / 1e9:.1f} GB a layer, {FORMAT_BYTES['fp16']} bytes a number: "
        why += f"{percent(1 - found['tensor'] / sum(found.values()))} of the time for hardly any FLOP."
    return Estimate(100 * found[asked] / sum(found.values()), 100.0, SLOWER[asked], why)
