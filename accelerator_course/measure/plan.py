"""Plan: which cases of a group are measured on a machine, so that they fit its memory and the seconds there are.

A first probe says how fast the machine is, roughly; the largest sizes follow from that. Products go in steps of 64:
there the sawtooth of waves is seen, where the last wave of tiles fills only part of the machine.
"""

from typing import NamedTuple

from accelerator_course import syllabus
from accelerator_course.measure import kernels
from accelerator_course.measure.kernels import ITEM, STEP

LEAST = 4 * STEP  # edge of the largest product, however slow the machine
RUNS = 5  # warming up, and the fewest repeats


class Pace(NamedTuple):
    """What the probe found: rates, and the seconds of making, compiling and repeating a case beside its long runs."""

    flops_per_s: float
    bytes_per_s: float
    around_s: float

    def seconds(self, case):
        """What measuring a case will take at least."""
        return self.around_s + RUNS * max(case.flops / self.flops_per_s, case.bytes_moved / self.bytes_per_s)


def sizes(platform):
    """The entry of data/measure.yaml for cpu, gpu or tpu."""
    return syllabus.load("measure")["sizes"][platform]


def cases(group, platform, devices, pace, seconds):
    """The cases of a group, small to large: a tuple for each size."""
    return MAKERS[group](sizes(platform), pace, seconds, devices)


def probe(platform):
    """Two small cases that tell the pace: a product and a stream."""
    dtype = sizes(platform)["dtype"]
    return kernels.product(LEAST, LEAST, LEAST, dtype), kernels.stream("triad", 2**22)


def largest_edge(size, pace, seconds):
    """The largest edge such that all products up to it, in steps of 64, fit the seconds."""
    spent, edge = 0.0, 0
    while edge < size["largest"] and 3 * ITEM[size["dtype"]] * (edge + STEP) ** 2 <= size["cap_bytes"]:
        spent += pace.seconds(kernels.product(*3 * [edge + STEP], size["dtype"]))
        if spent > seconds and edge >= LEAST:
            break
        edge += STEP
    return edge


def _products(size, pace, seconds, _):
    top = largest_edge(size, pace, seconds)
    return [(kernels.product(edge, edge, edge, size["dtype"]),) for edge in range(STEP, top + 1, STEP)]


def _streams(size, *_):
    octaves = range(14, int(size["cap_bytes"]).bit_length())
    ends = [2**each for each in octaves if 2**each < size["cap_bytes"]] + [int(size["cap_bytes"]) // 8 * 8]
    return [tuple(kernels.stream(kernel, total) for kernel in kernels.ACCESSES) for total in ends]


def _decode(size, *_):
    edge, counts = size["weights_edge"], [2**power for power in range(int(size["rows"]).bit_length())]
    return [(kernels.product(rows, edge, edge, size["dtype"], "decode"),) for rows in counts]


def _launches(size, *_):
    counts = [4**power for power in range(13) if 8 * 4**power <= size["cap_bytes"]]
    return [tuple(kernels.launch(count, queued) for queued in (False, True)) for count in counts]


def _attention(size, *_):
    made, seq = [], STEP
    while seq <= size["seq"]:
        made.append((kernels.attention(1, size["heads"], seq, 64, size["dtype"]),))
        seq *= 2
    return made


def _collectives(size, pace, seconds, devices):
    if devices < 2:
        return []
    top = size["cap_bytes"] / devices / 8 if size["dtype"] == "fp32" else 2**28  # simulated devices share a memory
    return [(kernels.all_reduce(4**power, devices),) for power in range(5, 15) if 4**power <= top]


MAKERS = {"products": _products, "streams": _streams, "decode": _decode}
MAKERS |= {"launches": _launches, "attention": _attention, "collectives": _collectives}
