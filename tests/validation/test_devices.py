import pytest
from hypothesis import given
from hypothesis import strategies as st

from accelerator_lib import data, hardware
from accelerator_lib.checks.inputs import NotAvailable
from accelerator_lib.validation import KINDS, devices

ROWS = [row for kind in KINDS for row in data.published(kind).values()]


@pytest.mark.parametrize(
    "name, chip, family",
    [
        ("NVIDIA H100 80GB HBM3", "h100-sxm5", "hopper"), ("H100 SXM5", "h100-sxm5", "hopper"),
        ("H100 PCIe 80GB", "h100-pcie", "hopper"), ("8xH100 SXM", "h100-sxm5", "hopper"),
        ("A100-SXM4-80GB", "a100-80gb-sxm", "ampere"), ("A100-SXM4-40GB", "a100-40gb-sxm", "ampere"),
        ("DGX A100", "a100-80gb-sxm", "ampere"), ("GB200 (one GPU)", "gb200", "blackwell"),
        ("B200 SXM 180GB", "b200", "blackwell"), ("TPU v5 lite", "tpu-v5e", "tpu"), ("TPU v5e", "tpu-v5e", "tpu"),
        ("TPU v6e (Trillium)", "tpu-v6e", "tpu"), ("MI300X OAM", "mi300x", "cdna"),
        ("AMD Instinct MI300X", "mi300x", "cdna"), ("RTX 4090", "rtx-4090", "ada"),
        ("NVIDIA GeForce RTX 4090 24GB", "rtx-4090", "ada"), ("Tesla V100-SXM2-16GB", "v100-sxm2-32gb", "volta"),
        ("Intel Gaudi 3", "gaudi3", "Intel"),
        ("GH200 480GB", "gh200", "hopper"), ("H100 NVL", "h100-nvl", "hopper"), ("NVIDIA A10", "a10", "ampere"),
        ("A30", "a30", "ampere"), ("L40", "l40", "ada"), ("GeForce RTX 5090 32GB", "rtx-5090", "blackwell geforce"),
        ("AMD Instinct MI210", "mi210", "cdna"), ("NVIDIA A10G", "a10g", "ampere"), ("L40S", "l40s", "ada"),
        ("Apple M4 Max", "m4-max", "apple"),
    ],
)  # fmt: skip
def test_a_device_is_known_by_any_wording(name, chip, family):
    found, its = devices.named(name)
    assert (found.id, its) == (chip, family)
    assert devices.named(name.upper())[0] is found and devices.named(f"  {name.lower()} ")[0] is found


@pytest.mark.parametrize(
    "name",
    [
        "",
        "GPU",
        "A100 PCIe 40GB",
        "H200 NVL",
        "H20",
        "RTX 3090 Ti",
        "M4",
        "RTX 5090 Laptop",
        "Quadro RTX 6000",
        "?" * 99,
        "Tesla",
    ],
)
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
