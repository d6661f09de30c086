"""Hosts: the search of sharded.py dealt out to the devices of several machines, through JAX's own jax.distributed.

    hosts.join("10.0.0.1:4711", 2, 0)     on the first of two machines, before anything else uses JAX
    hosts.join("10.0.0.1:4711", 2, 1)     on the second; both name the first one, and wait for each other
    explore.search(slices=520)            on both: each scores its part, and each is told the whole result

Every machine runs the same program. Where Slurm, Open MPI or a TPU pod started it, join() asks them for the rest.
"""

import re

from accelerator_lib.signature import Count, Given, checked


def _address(given):
    if given is None:
        return None
    if not isinstance(given, str):
        raise TypeError(f"need an address such as '10.0.0.1:4711', not {type(given).__name__} {given!r:.40}")
    port = re.fullmatch(r"(?:[\w.-]+|\[[\da-fA-F:]+\]):(\d{1,5})", given)
    if not port or not 0 < int(port[1]) < 1 << 16:
        raise ValueError(f"{given!r:.60} is not an address and a port, such as 10.0.0.1:4711")
    return given


AnAddress = Given("an address", _address)


@checked
def join(first: AnAddress = None, hosts: Count(high=4096) = None, host: Count(low=0, high=4095) = None):
    """Make this Python one of so many; returns how many devices they have together.

    Raises ValueError where `host` is none of 0 to hosts - 1, RuntimeError where the others did not come in time.
    """
    import jax

    if first is not None and (hosts is None or host is None or host >= hosts):
        last = (hosts or 1) - 1
        raise ValueError(f"host = {host} must be 0 to {last}: one number for each of hosts = {hosts} machines")
    jax.distributed.initialize(first, hosts, host)
    return len(jax.devices())
