"""Device: what this machine says of itself: name, clock, caches, driver, versions; None where it does not say."""

import os
import platform
import re
import subprocess
from pathlib import Path

import numpy as np

from accelerator_lib.machine import system

CPUINFO = Path("/proc/cpuinfo")
FREQUENCY = Path("/sys/devices/system/cpu/cpu0/cpufreq/cpuinfo_max_freq")  # kHz


def described():
    """The device of a file: platform, name, count, cores, clock_hz, cache_bytes, driver."""
    import jax

    first = jax.devices()[0]
    kind = first.platform if first.platform in ("cpu", "tpu") else "gpu"  # JAX calls its kinds of GPU cuda, rocm
    clock_hz, driver = (cpu_clock_hz(), None) if kind == "cpu" else _nvidia() if kind == "gpu" else (None, None)
    return {
        "platform": kind,
        "name": word(cpu_name() if kind == "cpu" else first.device_kind),
        "count": len(jax.devices()),
        "cores": cores() if kind == "cpu" else None,
        "clock_hz": clock_hz,
        "cache_bytes": system.cache_bytes() if kind == "cpu" else None,
        "driver": driver,
    }


def versions():
    """{what: version} of Python, JAX and what they stand on."""
    import jax
    import jaxlib

    runtime = getattr(jax.devices()[0].client, "platform_version", "")
    found = {"python": platform.python_version(), "jax": jax.__version__, "jaxlib": jaxlib.__version__}
    found |= {"numpy": np.__version__, "system": f"{platform.system()} {platform.machine()}", "runtime": runtime}
    return {name: word(version) for name, version in found.items() if word(version)}


def cores():
    """Cores that this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def cpu_name(path=CPUINFO):
    """The processor's name as the system gives it."""
    found = re.search(r"^model name\s*:\s*(.+)$", _read(path), re.M)
    return found[1] if found else platform.processor() or platform.machine() or "processor"


def cpu_clock_hz(path=CPUINFO, frequency=FREQUENCY):
    """The highest clock that the system reports, else the one it reports now; None where it reports none."""
    if re.fullmatch(r"\d+\s*", _read(frequency)):
        return 1e3 * float(_read(frequency))
    found = re.search(r"^cpu MHz\s*:\s*([\d.]+)$", _read(path), re.M)
    return 1e6 * float(found[1]) if found else None


def _nvidia():
    """(highest clock [Hz], driver) by nvidia-smi, (None, None) where there is none."""
    command = ["nvidia-smi", "--query-gpu=clocks.max.sm,driver_version", "--format=csv,noheader,nounits"]
    try:
        told = subprocess.run(command, capture_output=True, text=True, timeout=10, check=True).stdout
        clock, driver = told.splitlines()[0].split(",")
        return 1e6 * float(clock), word(driver)
    except (OSError, subprocess.SubprocessError, ValueError, IndexError):
        return None, None


def word(text):
    """Text on one line, as a file may hold it."""
    return re.sub(r"[\x00-\x1f<>]+", " ", str(text)).strip()[:200]


def _read(path):
    try:
        return path.read_text()
    except OSError:
        return ""
