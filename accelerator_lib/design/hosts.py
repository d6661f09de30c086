"""Hosts: the search of sharded.py dealt out to the devices of several machines, through JAX's own jax.distributed.
    hosts.join("10.0.0.1:4711", 2, 0)     on the first of two machines, before anything else uses JAX; 1 on the second
    explore.search(slices=520)            on both: each scores its part, and each is told the whole result
Where Slurm, Open MPI or a TPU pod started the program, join() asks them. All machines need equally many devices.
"""

import re
import socket
import sys
import time

from accelerator_lib import recorded
from accelerator_lib.checks import inputs

MOST = 4096
FIRST_S = 60  # how long the others look for the first machine
ALL_S = 300  # how long all of them then wait for each other
TRY_S = 5  # for one look at an address that does not even refuse


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
    if first is not None:
        _address(first)
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
        raise ValueError(
            f"every machine must have equally many devices: machine {counts.index(fewest)} searches with {fewest}, "
            f"machine {counts.index(most)} with {most}"
        )


def _reach(first, patience):
    """Raises RuntimeError where nobody answers: JAX would try in silence, and then abort."""
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


def _address(given):
    """Raises ValueError for what is no address and port."""
    port = re.fullmatch(r"(?:[\w.-]+|\[[\da-fA-F:]+\]):(\d{1,5})", str(given))
    if not port or not 0 < int(port[1]) < 1 << 16:
        raise ValueError(f"first = {given!r:.60} is not an address and a port, such as 10.0.0.1:4711")
