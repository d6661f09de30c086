"""Protocols: a library sends small messages with flags, large ones in bulk, and takes whichever is quicker.
    seconds = start + min(steps x flag step + 2 x sent / B,  steps x bulk step + sent / B)     sent, steps: of a ring
Flags: one beside every 4 bytes, half the link. Bulk: all of the link, and a longer wait at every step. In the switch
only bulk differs: (n + 1) / n of an all-reduce. Bus bandwidth: what a ring would send over the time, whatever was sent.
Facts: data/network.yaml, protocols.
"""

from dataclasses import dataclass

import numpy as np

from accelerator_lib import data
from accelerator_lib.checks.signature import Bytes, BytesPerS, OneOf, Switch, checked
from accelerator_lib.hardware import AChip
from accelerator_lib.network.links import Ranks, StepSeconds, all_reduce_counts

# collective -> (what a rank sends of the message around a ring of n, steps); bus bandwidth counts the same bytes
KINDS = {
    "all-reduce": lambda n: (2 * (n - 1) / n, 2 * (n - 1)),
    "all-gather": lambda n: ((n - 1) / n, n - 1),
    "reduce-scatter": lambda n: ((n - 1) / n, n - 1),
    "all-to-all": lambda n: ((n - 1) / n, n - 1),
    "broadcast": lambda n: (1.0 * (n > 1), n - 1),
    "reduce": lambda n: (1.0 * (n > 1), n - 1),
    "send": lambda n: (1.0 * (n > 1), 1 * (n > 1)),
}
Collective = OneOf(KINDS)


@dataclass(frozen=True)
class Sent:  # one collective by either protocol, in seconds; numbers or arrays
    flags: float
    bulk: float
    sent: float  # bytes of a ring, which the bus bandwidth counts
    seconds = property(lambda self: np.minimum(self.flags, self.bulk))  # the library takes the quicker one


@checked
def flag_share():
    """Share of the link that carries data where flags go with it."""
    return data.load("network")["protocols"]["flag_data_share"]


@checked
def collective(
    bytes_moved: Bytes,
    n: Ranks,
    bytes_per_s: BytesPerS,
    flag_step_seconds: StepSeconds = 0.0,
    bulk_step_seconds: StepSeconds = 0.0,
    kind: Collective = "all-reduce",
    switch: Switch = False,
    start_seconds: StepSeconds = 0.0,
):
    """Sent of a message between n ranks of one node; `switch`: an all-reduce that it may add up. Raises ValueError."""
    if switch and kind != "all-reduce":
        raise ValueError(f"switch adds up an all-reduce here, not a {kind}")
    share, steps = KINDS[kind](np.asarray(n) if np.ndim(n) else n)
    bulk = np.minimum(share, all_reduce_counts(n, "switch")[0]) if switch else share
    ring = share * bytes_moved / bytes_per_s
    start = start_seconds * (np.asarray(n) > 1)
    flags = start + steps * flag_step_seconds + ring / flag_share()
    return Sent(flags, start + steps * bulk_step_seconds + bulk * bytes_moved / bytes_per_s, share * bytes_moved)


@checked
def over_nodes(
    bytes_moved: Bytes,
    inner: Ranks,
    outer: Ranks,
    bytes_per_s: BytesPerS,
    outer_bytes_per_s: BytesPerS,
    flag_step_seconds: StepSeconds = 0.0,
    bulk_step_seconds: StepSeconds = 0.0,
    kind: Collective = "all-reduce",
    start_seconds: StepSeconds = 0.0,
):
    """Sent between `outer` nodes of `inner` chips: rings share the ways out; small messages climb a tree of nodes."""
    share, _ = KINDS[kind](inner * outer)
    climbs = np.ceil(np.log2(outer)) * (2 if kind == "all-reduce" else 1)
    own = data.load("network")["ring_model"]
    steps = KINDS[kind](inner)[1] + climbs * own["network_step_us"] / own["nvlink_step_us"]
    wire = share * bytes_moved / np.minimum(bytes_per_s, inner * outer_bytes_per_s)
    flags = start_seconds + steps * flag_step_seconds + wire / flag_share()
    return Sent(flags, start_seconds + steps * bulk_step_seconds + wire, share * bytes_moved)


@checked
def start_seconds():
    """What the library itself reckons before the first step [s]."""
    return data.load("network")["ring_model"]["start_us"] / 1e6


@checked
def adds_in_the_switch(chip: AChip):
    """Whether the switches between chips of this kind add up what passes through them."""
    return chip.id in data.load("network")["protocols"]["adding_switches"]


@checked
def chips_of_a_node(chip: AChip):
    """How many of these chips their own links join: a board, a rack; all of them where chips make a torus."""
    joined = data.load("network")["protocols"]["chips_of_a_node"]
    torus = {row["chip"] for row in data.load("network")["ici"]}
    return 10**7 if chip.id in torus else joined.get(chip.id, joined["others"])


@checked
def way_out(chip: AChip):
    """Rate [B/s] out of a node for each of its chips, one way, as such nodes are usually built."""
    usual = data.load("network")["outside"]["gb_per_s"]
    return usual.get(chip.id, usual["others"]) * 1e9
