"""Hosts: the search of sharded.py dealt out to the devices of several machines, through JAX's own jax.distributed.

    hosts.join("10.0.0.1:4711", 2, 0)     on the first of two machines, before anything else uses JAX
    hosts.join("10.0.0.1:4711", 2, 1)     on the second; both name the first one, and wait for each other
    explore.search(slices=520)            on both: each scores its part, and each is told the whole result

Every machine runs the same program. Where Slurm, Open MPI or a TPU pod started it, join() asks them for the rest.
"""

import re

from accelerator_lib import inputs

MOST = 4096


def join(first=None, hosts=None, host=None):
    """Make this Python one of so many; returns how many devices they have together.

    Raises ValueError where `host` is none of 0 to hosts - 1, RuntimeError where the others did not come in time. It is
    not @checked as the models are: what is may be called by a question's key, and no question may call out.
    """
    import jax

    if first is not None:
        _address(first)
        last = inputs.count("hosts", hosts, 1, MOST) - 1
        if host is None or inputs.count("host", host, 0, MOST) > last:
            raise ValueError(f"host = {host} must be 0 to {last}: one number for each of hosts = {hosts} machines")
    jax.distributed.initialize(first, hosts, host)
    return len(jax.devices())


def _address(given):
    """Raises ValueError for what is no address and port."""
    port = re.fullmatch(r"(?:[\w.-]+|\[[\da-fA-F:]+\]):(\d{1,5})", str(given))
    if not port or not 0 < int(port[1]) < 1 << 16:
        raise ValueError(f"first = {given!r:.60} is not an address and a port, such as 10.0.0.1:4711")
