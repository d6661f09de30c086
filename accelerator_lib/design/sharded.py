"""Sharded: millions of designs dealt out to all devices there are (or simulated ones, ch. 11), and the best of them.
One function is compiled for all axes of equal lengths, sums over products behind barriers, so that the compiler does
not repeat them. In 32-bit floats values are off by less than CLOSE beside grid.py; one right at a limit may fall over.
The axis of arrays is cut into equal parts, filled up with steps of size 0, legal nowhere. Each device returns how many
of its designs are legal and its best one: the numbers are the same however many devices there are.
Several machines: join("10.0.0.1:4711", 2, 0) on the first of two, before anything else uses JAX, 1 on the second; where
Slurm, Open MPI or a TPU pod started the program, join() asks them. All machines need equally many devices.
"""

import re
import socket
import sys
import time
from functools import cache
from typing import NamedTuple

import numpy as np

from accelerator_lib import recorded
from accelerator_lib.checks import inputs
from accelerator_lib.checks.signature import Count, Single, Watts, checked
from accelerator_lib.design.grid import AXES, PES, judge, machines_of, opened, results, whole_arrays
from accelerator_lib.design.laws import on_jax
from accelerator_lib.design.machine import Design
from accelerator_lib.design.merit import AMix, score
from accelerator_lib.design.merit import mix as mixed
from accelerator_lib.recorded import or_recorded

CLOCKS = 20  # of a slice: 400,000 designs, whose arrays take some 30 MB
LOW_HZ, HIGH_HZ = 0.6e9, 2.4e9
CUT, CLOSE = 1, 1e-5  # the axis that is dealt out; relative
NODE, MOST, Slices = 5, 4096, Count(high=800)
FIRST_S, ALL_S, TRY_S = 60, 300, 5  # to look for the first machine; to wait for each other; for one look [s]


def body(weights, watts, node):
    """A function of axes (arrays of JAX that broadcast) -> (legal, value), ready to be compiled or mapped."""
    import jax
    import jax.numpy as jnp

    on = on_jax()._replace(keep=jax.lax.optimization_barrier)  # no fusion across

    def run(*axes):
        machine = machines_of(axes, node, on)
        column = lambda values: jnp.asarray(values, jnp.float32)  # noqa: E731
        found = results(machine, tuple(weights), on, np.ndim(axes[0]), column)
        legal, _, value, *_ = judge(machine, found, weights, watts, on)
        legal = legal & whole_arrays(axes)
        return legal, jnp.where(legal, value, 0.0)

    return run


def opened_floats(clocks=AXES["clock_hz"], steps=AXES["steps"]):
    """The open axes of the grid in 32 bits, with other clocks [Hz] or steps along the axis of arrays."""
    return [axis.astype(np.float32) for axis in opened({**AXES, "steps": steps, "clock_hz": clocks}.values())]


class Searched(NamedTuple):  # what a search found, and its time [s] without compiling
    designs: int
    legal: int
    best: Design
    value: float
    seconds: float
    devices: int
    per_s = property(lambda self: self.designs / self.seconds)  # designs a second


@checked
def search(slices: Slices = 52, devices: Count(high=64) = None, watts: Single(Watts) = 700.0, mix: AMix = None):
    """Searched of the grid with 20 clocks a slice, on so many devices (None: all). Raises ValueError."""
    return _search(slices, devices, watts, dict(mixed(mix)))


@or_recorded
def _search(slices, devices, watts, weights):
    import jax

    there = jax.devices()
    count = len(there) if devices is None else devices
    if count > len(there):
        raise ValueError(f"there are {len(there)} devices, not {count}; devices.run(...) of chapter 11 simulates more")
    used = [device.process_index for device in there[:count]]
    equal([used.count(host) for host in range(jax.process_count())])
    run, place = _dealt(tuple(weights.items()), watts, count)
    clocks = np.linspace(LOW_HZ, HIGH_HZ, CLOCKS * slices).reshape(CLOCKS, slices).T
    steps = np.zeros(-(-len(AXES["steps"]) // count) * count)
    steps[: len(AXES["steps"])] = AXES["steps"]
    axes = [place(opened_floats(each, steps)) for each in clocks]
    run(*axes[0])[0].block_until_ready()
    begin = time.perf_counter()
    parts = [run(*each) for each in axes]
    found = [tuple(map(_whole, part)) for part in parts]
    seconds = time.perf_counter() - begin
    legal = int(sum(part[0].sum(dtype=np.int64) for part in found))
    at = max(((each, device) for each in range(slices) for device in range(count)), key=lambda i: found[i[0]][1][i[1]])
    best = _design(at, int(found[at[0]][2][at[1]]), steps, clocks, count)
    every = slices * CLOCKS * int(np.prod([len(AXES[name]) for name in AXES if name != "clock_hz"]))
    return Searched(every, legal, best, float(found[at[0]][1][at[1]]), seconds, count)


def _whole(array):
    if array.is_fully_addressable:
        return np.asarray(array)
    from jax.experimental.multihost_utils import process_allgather

    return process_allgather(array, tiled=True)


def _design(at, flat, steps, clocks, count):
    own = np.split(steps, count)[at[1]]
    axes = {**AXES, "steps": own, "clock_hz": clocks[at[0]]}
    place = np.unravel_index(flat, [len(axis) for axis in axes.values()])
    values = {name: float(axis[i]) for (name, axis), i in zip(axes.items(), place, strict=True)}
    edge = int(values.pop("edge"))
    arrays = int(values.pop("steps")) * PES // edge**2
    return Design(edge, arrays, stacks=int(values.pop("stacks")), **values)


@cache
def _dealt(weights, watts, count):  # (the compiled search on so many devices, what puts axes where they belong)
    import jax
    import jax.numpy as jnp
    from jax.sharding import Mesh, NamedSharding, PartitionSpec

    run = body(dict(weights), watts, NODE)
    mesh = Mesh(np.array(jax.devices()[:count]), ("chips",))
    cut = [PartitionSpec(*([None] * CUT), "chips") if axis == CUT else PartitionSpec() for axis in range(len(AXES))]

    def own(*axes):
        legal, value = run(*axes)
        return jnp.sum(legal, dtype=jnp.int32)[None], jnp.max(value)[None], jnp.argmax(value)[None]

    program = jax.jit(jax.shard_map(own, mesh=mesh, in_specs=tuple(cut), out_specs=PartitionSpec("chips")))

    def place(axes):
        return [jax.device_put(axis, NamedSharding(mesh, spec)) for axis, spec in zip(axes, cut, strict=True)]

    return program, place


@checked
@or_recorded
def one_by_one(count: Count(high=100) = 100):
    """Designs a second where plain Python scores one after another, on the machine that searched."""
    clocks = np.linspace(1e9, 2e9, count)
    begin = time.perf_counter()
    for clock in clocks:
        score(Design(128, 20, 128, 6, float(clock), 300e9))
    return count / (time.perf_counter() - begin)


def join(first=None, hosts=None, host=None, patience=FIRST_S):
    """Make this Python one of so many; returns how many devices they have together.
    Raises ValueError, NotAvailable without JAX, RuntimeError where the first machine is not reached within `patience`
    [s]. Where others do not come JAX ends this process after 5 minutes. Not @checked: no question may call out."""
    fitting(first, hosts, host)
    if not recorded.here():
        raise recorded.NotRecorded
    import jax

    if first is not None and host > 0:
        _reach(first, patience)
    _say(f"Waiting for the other machines{f' at {first}' if first else ''} (up to {ALL_S // 60} minutes).")
    jax.distributed.initialize(first, hosts, host, initialization_timeout=ALL_S)
    return len(jax.devices())


def fitting(first, hosts, host):
    """Nothing, unless these do not fit together: all, or `hosts` alone, or none. Raises ValueError."""
    port = re.fullmatch(r"(?:[\w.-]+|\[[\da-fA-F:]+\]):(\d{1,5})", str(first))
    if first is not None and (not port or not 0 < int(port[1]) < 1 << 16):
        raise ValueError(f"first = {first!r:.60} is not an address and a port, such as 10.0.0.1:4711")
    if hosts is None:
        if first is not None or host is not None:
            raise ValueError("first and host need hosts: how many machines there are")
        return
    last = inputs.count("hosts", hosts, 1, MOST) - 1
    if first is None and host is not None:
        raise ValueError(f"host = {host} needs first: the address and port of the first machine")
    if first is not None and (host is None or inputs.count("host", host, 0, MOST) > last):
        raise ValueError(f"host = {host} must be 0 to {last}: one number for each of hosts = {hosts} machines")


def equal(counts):
    """Nothing, unless machines with so many devices each cannot search together. Raises ValueError."""
    fewest, most = min(counts), max(counts)
    if fewest < most:
        found = f"machine {counts.index(fewest)} searches with {fewest}, machine {counts.index(most)} with {most}"
        raise ValueError(f"every machine must have equally many devices: {found}")


def _reach(first, patience):  # Raises RuntimeError where nobody answers: JAX would try in silence, and then abort
    name, _, port = first.rpartition(":")
    _say(f"Looking for the first machine at {first} (up to {patience:g} seconds).")
    end = time.monotonic() + patience
    while True:
        try:
            socket.create_connection((name.strip("[]"), int(port)), min(TRY_S, patience)).close()
            return
        except OSError as error:
            if time.monotonic() > end:
                raise RuntimeError(f"the first machine does not answer at {first}: {error}") from None
        time.sleep(min(1, patience))


def _say(line):
    print(line, file=sys.stderr, flush=True)
