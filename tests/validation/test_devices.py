from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from accelerator_lib import data, hardware
from accelerator_lib.checks.inputs import NotAvailable
from accelerator_lib.validation import KINDS, devices

TABLE = data.parse(Path(__file__).with_suffix(".yaml"))

ROWS = [row for kind in KINDS for row in data.published(kind).values()]


@pytest.mark.parametrize("name, chip, family", TABLE["a_device_is_known_by_any_wording"])
def test_a_device_is_known_by_any_wording(name, chip, family):
    found, its = devices.named(name)
    assert (found.id, its) == (chip, family)
    assert devices.named(name.upper())[0] is found and devices.named(f"  {name.lower()} ")[0] is found


@pytest.mark.parametrize("name", TABLE["a_part_whose_rates_are_not_published_is_never_guessed"])
def test_a_part_whose_rates_are_not_published_is_never_guessed(name):
    with pytest.raises(NotAvailable) as told:
        devices.named(name)
    assert "\n" not in str(told.value) and len(str(told.value)) < 200


def test_every_published_chip_goes_by_its_own_name():
    for id in hardware.chips():
        assert devices.named(hardware.chip(id).name)[0].id == id


def test_rows_that_name_their_chip_are_taken_for_that_chip():
    found = {row["device"]: row["chip"] for row in ROWS if row.get("chip")}
    assert len(found) >= 20
    for device, id in found.items():
        named = devices.named(device)[0]
        assert named.id == id or named.id.startswith(id), (device, id)  # m2-ultra: the one with 76 cores


@given(st.text(max_size=40))
def test_any_words_are_a_chip_or_not_available(name):
    try:
        assert devices.named(name)[0].id
    except NotAvailable as told:
        assert "\n" not in str(told)


def test_parts_whose_rates_were_not_read_again_are_foretold_but_fit_nothing():
    assert all(map(devices.recalled, ("RTX 5090", "GH200", "RTX 4000 Ada 20GB")))
    assert not any(map(devices.recalled, ("A100", "H100 SXM", "MI300X", "RTX 4090", "Abacus")))


def test_own_chips_say_where_their_rates_are_from():
    facts = data.load("validation")
    for id, entry in facts["chips"].items():
        assert entry["basis"] in {"paper", "press", "derived", "recalled", "datasheet"} and entry["source"], id
        assert id not in hardware.chips()
    chips = {*hardware.chips(), *facts["chips"]}
    assert {entry["chip"] for entry in facts["devices"].values()} <= chips
    assert {id for _, id in facts["patterns"] if id} <= chips
