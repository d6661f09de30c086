"""Devices as sources name them: which published chip is meant, and of which family it is.

One name may be several chips ("A100"): then the row's own words decide, or the most common part does, and it is said.
"""

import re
from functools import cache

from accelerator_lib import data, hardware
from accelerator_lib.checks.inputs import NotAvailable, UnknownName
from accelerator_lib.validation.record import first

SIZED = {"bytes_per_s": ("bandwidth_gb_s", 1e9), "capacity_bytes": ("capacity_gb", 1e9), "clock_hz": ("clock_mhz", 1e6)}
SIZED["link_bytes_per_s"] = "link_gb_s", 1e9  # one way
MORE = {"max", "ultra", "pro", "ti", "super", "die"}  # words that make another chip of a name


@cache
def named(device):
    """(chip, family) of a device as a source writes it. Raises NotAvailable."""
    plain = _plain(device)
    entry = _stated().get(plain)
    asked = entry["chip"] if entry else device
    try:
        chip = own().get(asked) or hardware.chip(asked)
    except UnknownName:
        chip = _patterned(plain) or _closest(plain)
    return chip, (entry or {}).get("family") or family(chip)


@cache
def _stated():
    return {_plain(name): entry for name, entry in data.load("validation")["devices"].items()}


@data.kept
def own():
    """{id: Chip} of those that stand in data/validation.yaml alone: what these measurements need of them."""
    chips = {}
    for id, facts in data.load("validation")["chips"].items():
        ways = {way: facts.get(way, {}) for way in ("matrix", "vector")}
        peaks = {way: {dtype: peak * 1e12 for dtype, peak in its.items()} for way, its in ways.items()}
        sized = {name: facts[said] * size for name, (said, size) in SIZED.items() if said in facts}
        chips[id] = hardware.Chip(id, facts["name"], vendor=facts["vendor"], units=facts.get("units"), **peaks, **sized)
    return chips


def family(chip):
    """The architecture of a chip: rows of one family share their calibration."""
    return first("families", chip.id, chip.vendor or "other")


@cache
def recalled(device):
    """Whether peak or memory rate of a device were not re-read: rows of it are foretold, but fit nothing."""
    try:
        chip = named(str(device))[0]
    except NotAvailable:
        return False
    facts = data.load("validation")["chips"].get(chip.id)
    bases = [facts["basis"]] if facts else [chip.origin.get(group, {}).get("basis") for group in ("dense", "memory")]
    return "recalled" in bases


def _plain(name):
    # 8x NVIDIA H100-SXM5 -> 8 x nvidia h100 sxm5
    bare = " ".join(re.sub(r"[^a-z0-9]+", " ", str(name).lower()).split())
    return re.sub(r"\b(\d+)x(?=[a-z ])", r"\1 x ", bare)


def _patterned(plain):
    """The chip of the first pattern that a name has, None where it has none. Raises NotAvailable."""
    for pattern, id in data.load("validation")["patterns"]:
        if re.search(pattern, plain):
            if id is None:
                raise NotAvailable(f"the rates of the device {plain[:60]!r} are not published here")
            return own().get(id) or hardware.chip(id)
    return None


def _closest(plain):
    """The one chip whose name has all words of the device's. Raises NotAvailable."""
    bare = re.sub(r"\b(\d+ core|\d+ ?gb|gpu)\b", " ", plain).split()
    if "-".join(bare) in own():
        return own()["-".join(bare)]
    words = {word for word in plain.split() if not re.fullmatch(r"\d+gb|gpu", word)}
    found = [chip for chip, _, its in _known() if words and words <= its and not (its - words) & MORE]
    exact = [chip for chip, short, _ in _known() if plain == short]
    if exact or (len(found) == 1 and re.search(r"\d", plain)):
        return (exact or found)[0]
    said = f"the device {plain[:60]!r} is none of the {len(_known())} whose rates are published here"
    raise NotAvailable(said if plain else "the row does not state a device")


@cache
def _known():
    """(chip, its short name in plain words, the words of its id and name) of every chip."""
    chips = (*hardware.chips().values(), *own().values())
    return tuple((chip, _plain(chip.short_name), frozenset(_plain(f"{chip.id} {chip.name}").split())) for chip in chips)
