"""Splitting: what judges a choice of tp, pp, micro-batch and chunks for 512 chips, against every choice there is."""

from functools import cache

from accelerator_course.exercises.cases import Wrong, case, shown
from accelerator_course.exercises.decisions import chosen
from accelerator_lib.hardware import chip
from accelerator_lib.network import parallel
from accelerator_lib.network.parallel import splits
from accelerator_lib.units import si
from accelerator_lib.workload.models import model

WAYS, MICROS, CHUNKS = (1, 2, 4, 8, 16), (1, 2, 4), (1, 2, 4, 5, 10, 20)  # tp and pp, sequences, chunks of a stage
CLUSTERS = ((1024, 50e9, 72e9), (256, 50e9, 72e9), (1024, 400e9, 40e9))  # sequences, B/s between nodes, B of a chip
PASS = 0.97  # score
LLAMA, H100 = model("llama-3-70b"), chip("h100-sxm5")


@cache
def _legal(sequences, outer, holds):
    """{(tp, pp, micro, chunks): Split} of all that divide and fit, the fastest first."""
    found = splits(LLAMA, H100, 512, sequences, 4096, holds, WAYS, MICROS, CHUNKS, outer_bytes_per_s=outer)
    return {(one.tp, one.pp, one.micro, one.interleave): one for one in found}


def check_choose(function):
    for machine in CLUSTERS:
        sequences, outer, holds = machine
        where = f"{sequences:,} sequences, {si(outer, 'B/s')} between nodes, {si(holds, 'B')} a chip"

        def judge(got, machine=machine, where=where):
            _judge_split(got, machine, where)

        call = lambda machine=machine: function(*machine)  # noqa: E731
        yield case(where, f"a score of {PASS} or more", call, judge)
    return (
        "three machines, three good splits. Several are nearly as good as the best, and the model is off by more than "
        "they differ. So take the simplest of those that pass."
    )


def _judge_split(got, machine, where):
    legal, (sequences, outer, holds) = _legal(*machine), machine
    tp, pp, micro, chunks = map(int, chosen(where, got, tp=WAYS, pp=WAYS, micro=MICROS, chunks=CHUNKS))
    best, mine = next(iter(legal.values())), legal.get((tp, pp, micro, chunks))
    if mine is None:
        try:
            dp = 512 // (tp * pp)
            one = parallel.split(LLAMA, H100, tp, pp, dp, sequences, 4096, micro, chunks, outer_bytes_per_s=outer)
            reason = f"a chip would hold {si(one.bytes_per_chip, 'B')}, more than {si(holds, 'B')}"
        except ValueError as error:
            reason = str(error)
        raise Wrong(f"For {where} {shown(tuple(got))} is not possible: {reason}.")
    if best.seconds / mine.seconds < PASS:
        raise Wrong(
            f"For {where} a step of {shown(tuple(got))} takes {mine.seconds:.2f} s, and {best.seconds:.2f} s is "
            f"possible: a score of {best.seconds / mine.seconds:.2f}; {PASS} passes."
        )
