"""Copies over a link: host to device, device to device.

    seconds = start + bytes / (share x rate)      memory.transfer_seconds; a large copy hides its start
The rate is the link's, one way; the share is what headers and acknowledgements leave. A link that two devices share
gives each half, a mesh gives a pair one link. A copy between devices is counted both ways, unless a row says otherwise.
"""

import re

from accelerator_lib.checks.inputs import NotAvailable, shown
from accelerator_lib.data import load
from accelerator_lib.memory import transfer_seconds
from accelerator_lib.memory.hostlink import START_SECONDS
from accelerator_lib.units import percent, si
from accelerator_lib.validation.devices import named
from accelerator_lib.validation.record import Estimate, free, is_number

FREE, BY_FAMILY = free("link_bandwidth")
LANES = (1, 2, 4, 8, 16, 32)
SIZES = {"kb": 1e3, "mb": 1e6, "gb": 1e9, "kib": 2**10, "mib": 2**20, "gib": 2**30, "b": 1.0}


def estimate(row, constants):
    """Estimate of a row of kind link_bandwidth [GB/s]. Raises NotAvailable."""
    if row["unit"] != "GB/s":
        raise NotAvailable(f"{row['metric']} in {row['unit']} is no bandwidth")
    (rate, said), ways = link(row), directions(row)
    share, size = constants("share"), size_of(row)
    reached, started = share * rate, ""
    if size is not None:
        reached = size / transfer_seconds(size, share * rate, START_SECONDS)
        started = f" after a start of {si(START_SECONDS, 's')}"
    counted = ", both ways counted" if ways == 2 else ""
    why = f"{percent(share)} of {said}, {si(rate, 'B/s')} each way, is payload{started}{counted}."
    return Estimate(ways * reached / 1e9, ways * rate / 1e9, "link", why)


def link(row):
    """(one way [B/s], its name) of the link that a row names. Raises NotAvailable."""
    words = f"{row['workload']} {row['conditions'].get('link', '')}".lower()
    if "pcie" in words:
        return pcie(words)
    chip, _ = named(row["device"])
    if "c2c" in words:
        sharing = load("validation")["sharing"].get(chip.id, {"devices": 1})["devices"]
        rate = next(each for each in load("memory_levels")["links"] if each["id"] == "nvlink-c2c")["bytes_per_s"]
        return rate / sharing, f"a link that {sharing} devices share" if sharing > 1 else "NVLink-C2C"
    if between(words):
        peers = load("validation")["meshes"].get(chip.id, {"peers": 1})["peers"] if row["n_devices"] in (None, 2) else 1
        return chip.need("link_bytes_per_s") / peers, "the links of a pair of devices"
    record = next((each for each in load("accelerators")["devices"] if each["id"] == chip.id), {})
    if re.search(r"host|h2d|d2h", words) and "pcie" in str(record.get("host_link", {}).get("kind")).lower():
        return pcie(record["host_link"]["kind"].lower())
    raise NotAvailable(f"{row['id']} does not name its link, such as PCIe 4.0 x16")


def pcie(words):
    """(one way [B/s], its name) of PCIe of a generation and so many lanes. Raises NotAvailable."""
    found = re.search(r"pcie[ -]*(?:gen *)?(\d)(?:\.0)?(?:[ -]*x *(\d+))?", words)
    entry = next((each for each in load("memory_levels")["links"] if found and each["id"] == f"pcie-{found[1]}"), None)
    lanes = int(found[2] or 16) if found else 0
    if entry is None or lanes not in LANES:
        raise NotAvailable(f"PCIe is named by generation and lanes, such as PCIe 4.0 x16, not by {words[:60]!r}")
    return entry["bytes_per_s"] * lanes / entry["lanes"], f"PCIe {found[1]}.0 x{lanes}"


def between(words):
    """Whether a copy goes from one device to another."""
    return bool(re.search(r"device[ -]to[ -]device|d2d|p2p|peer|nvlink|xgmi|infinity fabric|gpu[ -]to[ -]gpu", words))


def directions(row):
    """1, or 2 where both ways are added: so it is printed between devices, unless a row says otherwise."""
    stated = row["conditions"].get("direction", row["conditions"].get("directions", ""))
    words = f"{row['workload']} {stated}".lower()
    if re.search(r"unidirectional|one[ -]way|one direction|per direction", words):
        return 1
    if re.search(r"bidirectional|both|two[ -]way|duplex", words):
        return 2
    return 2 if between(words) and "c2c" not in words else 1


def size_of(row):
    """Bytes of a copy; None for a large one."""
    said = map(row["conditions"].get, ("transfer_bytes", "message_bytes", "bytes", "transfer", "size"))
    given = next((each for each in said if each is not None), "large")
    if is_number(given) and given > 0:
        return float(given)
    found = re.fullmatch(r"(\d+(?:\.\d+)?) *([kmg]?i?b)", str(given).strip().lower())
    if found:
        return float(found[1]) * SIZES[found[2]]
    if str(given).lower() in ("large", "plateau", "peak", "maximum"):
        return None
    raise NotAvailable(f"{row['id']}: transfer must be large or bytes, not {shown(given)}")
