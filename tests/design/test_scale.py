"""The machine to scale: every drawn area and count is a value of the library; the script draws what is in view."""

import json
import shutil
import subprocess
from pathlib import Path

import pytest

from accelerator_course import syllabus
from accelerator_course.start import folders
from accelerator_course.widgets import scale as picture
from accelerator_lib import hardware
from accelerator_lib.design import machine as designs
from accelerator_lib.design import real, scale
from accelerator_lib.memory import levels
from accelerator_lib.numerics import formats
from accelerator_lib.silicon import plans

MACHINES = [scale.machine(id) for id in scale.MACHINES]


@pytest.mark.parametrize("machine", MACHINES, ids=lambda one: one.id)
def test_what_is_drawn_adds_up_and_lies_within_its_parent(machine):
    every = [machine.root, *(one for part in machine.root.walk() for one in part.parts)]
    for part in machine.root.walk():
        wide, high = part.box[2:]
        assert (
            wide * high == pytest.approx(part.facts["mm2"].value, rel=0.01) and part.lit <= part.grid[0] * part.grid[1]
        )
        for one in part.parts:
            far = [one.box[i] + (one.grid[i] - 1) * one.step[i] + one.box[2 + i] for i in (0, 1)]
            assert min(one.box) >= 0 and far[0] <= wide * 1.0001 and far[1] <= high * 1.0001, one.id
        there = sum(one.lit for one in every if one.id == part.id)
        assert "count" not in part.facts or part.facts["count"].value == there, part.id
    assert {*machine.levels, *(id for step in machine.way for id in step[:2])} <= {*machine.parts}


def test_areas_counts_and_costs_are_the_librarys():
    gpu, tpu, lpu = (one.parts for one in MACHINES)
    chip, known, process = hardware.chip("h100-sxm5"), designs.facts(), designs.process
    mac = known.pe_flat_um2 / process(5).logic / 1e6
    wanted = {"die": chip.die_mm2, "sm": plans.UNIT_MM2, "phy": 3 * plans.INTERFACE_MM2, "mac": mac, "unit": 512 * mac}
    wanted["l2"] = 52.4288 / 2 * known.sram_mm2_per_mb / process(5).sram
    assert {id: gpu[id].facts["mm2"].value for id in wanted} == pytest.approx(wanted, rel=0.01)
    assert gpu["sm"].facts["count"].value == chip.units and gpu["hbm"].facts["count"].value == real("h100-sxm5").stacks
    assert 4 * 512 * chip.units == real("h100-sxm5").macs and 8 * 128**2 == real("tpu-v4").macs == 8 * tpu["mac"].lit
    assert lpu["slice"].facts["bytes"].value * 88 == pytest.approx(hardware.chip("groq-lpu").capacity_bytes, rel=0.01)
    assert gpu["products"].grid == tpu["products"].grid == (formats.of("bf16").mantissa_bits + 1,) * 2
    *moves, use = MACHINES[0].way  # the steps of a way are differences
    latency = sum(step.seconds for step in moves)
    assert latency == pytest.approx(levels.published("h100-sxm5", "dram", "latency").values[0].value)
    told = [f"{1e9 * latency:.0f} ns", f"{sum(step.pj for step in moves):.0f} pJ", f"{use.op_pj:.2g} pJ"]
    assert all(words in (folders.NOTEBOOKS / "00_start_here.ipynb").read_text(encoding="utf-8") for words in told)


@pytest.mark.skipif(not shutil.which("node"), reason="Node is not here to run the script")
def test_the_script_draws_each_level_to_scale_flies_there_and_is_small():
    asked = {"input": json.dumps([picture.scenes(), picture.plain("scale.js")]).encode()}
    told = json.loads(subprocess.check_output(["node", Path(__file__).with_name("drawn.js")], **asked))
    for level in told["said"]:
        assert level["area"] == pytest.approx(level["wanted"], rel=1e-6) and level["count"] < 20_000 and level["words"]
    assert told["start"]["wide"] == pytest.approx(4000) and told["end"] == {"x": 900, "y": 300, "wide": 0.02}
    assert told["way"][0] == ["Stack of HBM", "L2 cache", pytest.approx(205e-9)]
    assert len(picture.code().encode()) < 150_000


def test_each_chapter_has_a_place_in_a_machine():
    places = {topic: picture.place(topic)[0].split() for topic in syllabus.chapters()}
    assert all(part in scale.machine(id).parts for id, part in places.values()) and not picture.place(None)
