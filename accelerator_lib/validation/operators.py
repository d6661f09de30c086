"""Operators: of one training step, the shares of FLOP and of time that three classes of operators take.

time of a class = max(FLOP / (balance x peak), bytes / bandwidth)        as the roofline has it, class by class

Products run at the peak's share, everything else at the memory's. An encoder layer of BERT-large is counted here
operator by operator, forward and backward, none fused: 8 sequences of 512 tokens, 1,024 wide, 16 heads, as in
A. Ivanov et al., "Data movement is all you need", 2021. Only the shares matter, so one layer stands for all.
"""

import re

from accelerator_lib.checks.inputs import NotAvailable
from accelerator_lib.hardware import format_bytes
from accelerator_lib.units import percent
from accelerator_lib.validation.devices import named
from accelerator_lib.validation.record import Estimate, stated
from accelerator_lib.workload import Elementwise, Gemm

FREE = {"balance": (0.3, 1.0, 2.0)}  # share of the peak that products sustain, over the memory's share of its rate
BY_FAMILY = ()
SEQUENCES, TOKENS, WIDTH, HEADS, HIDDEN = 8, 512, 1024, 16, 4096
BACKWARD = 2  # products of the backward pass for each of the forward pass
CLASSES = {"tensor": "tensor|contraction|matmul|matrix", "normal": "statistical|normali|softmax", "element": "element"}
SLOWER = {"tensor": "arithmetic", "normal": "memory bandwidth", "element": "memory bandwidth"}


def layer(sequences=SEQUENCES, tokens=TOKENS, width=WIDTH, heads=HEADS, hidden=HIDDEN):
    """{class: [work, ...]} of a training step of one encoder layer."""
    rows, pairs, per_head = sequences * tokens, sequences * heads * tokens * tokens, width // heads
    product = Gemm(rows, width, width)
    met = [Gemm(tokens, tokens, per_head), Gemm(tokens, per_head, tokens)] * (sequences * heads)
    forward = [product] * 4 + [Gemm(rows, hidden, width), Gemm(rows, width, hidden)] + met
    norm, normed = rows * width, 2  # two norms
    normal = [
        Elementwise(pairs, flops_per_element=6, reads=2, writes=2.5),  # scale and softmax, then dropout and its mask
        Elementwise(pairs, flops_per_element=5, reads=3.5, writes=2),  # the same, backwards
        *[Elementwise(norm, flops_per_element=7, reads=1, writes=1)] * normed,
        *[Elementwise(norm, flops_per_element=13, reads=4, writes=1)] * normed,  # of the inputs, and of the scales
    ]
    wide, narrow = rows * hidden, rows * width
    element = [
        Elementwise(3 * narrow), Elementwise(wide), Elementwise(wide),  # biases; the activation
        *[Elementwise(narrow), Elementwise(narrow, writes=1.5), Elementwise(narrow, reads=2)] * 2,  # bias, dropout, add
    ]  # fmt: skip
    back = [Elementwise(each.n, each.flops_per_element, each.writes, each.reads) for each in element]
    return {"tensor": forward * (1 + BACKWARD), "normal": normal, "element": element + back}


def times(chip, balance, works, dtype="fp16"):
    """{class: seconds} up to a common factor."""
    peak, rate = balance * chip.peak(dtype), chip.need("bytes_per_s")
    return {
        name: sum(max(each.flops / peak * (name == "tensor"), each.bytes_moved(dtype) / rate) for each in its)
        for name, its in works.items()
    }


def estimate(row, constants):
    """Estimate of a row of kind operator_classes [%]. Raises NotAvailable."""
    if not re.search(r"\bBERT.?large\b", row["workload"], re.IGNORECASE):
        raise NotAvailable(f"the operators of {row['workload'][:60]!r} are not counted here; those of BERT-large are")
    said = str(stated(row, "operator_class", "class")).lower()
    asked = next((name for name, pattern in CLASSES.items() if re.search(pattern, said)), None)
    if asked is None or row["unit"] != "%" or not re.search("flop|time", row["metric"]):
        raise NotAvailable(f"{row['metric']} of {said[:40]!r} is no share of FLOP or time of a class of operators")
    works = layer()
    if "flop" in row["metric"]:
        found = {name: sum(each.flops for each in its) for name, its in works.items()}
        why = "Products do nearly all of the arithmetic; everything else reads, does a few FLOP and writes."
    else:
        chip = named(row["device"])[0]
        found = times(chip, constants("balance"), works)
        bytes_moved = sum(each.bytes_moved("fp16") for name in ("normal", "element") for each in works[name])
        why = (
            f"What is no product moves {bytes_moved / 1e9:.1f} GB a layer, {format_bytes('fp16')} bytes a number: "
            f"{percent(1 - found['tensor'] / sum(found.values()))} of the time for hardly any FLOP."
        )
    return Estimate(100 * found[asked] / sum(found.values()), 100.0, SLOWER[asked], why)
