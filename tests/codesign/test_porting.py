import pytest

from accelerator_lib import codesign, data, hardware
from accelerator_lib.codesign import porting


@pytest.mark.parametrize("program", porting.PROGRAMS)
@pytest.mark.parametrize("target", porting.TARGETS)
def test_a_ledger_counts_every_line_once(program, target):
    found = codesign.ledger(program, target)
    assert found.lines == sum(data.load("codesign")["porting"]["programs"][program])
    assert sum(found.of(fate) for fate in porting.FATES) == found.lines
    assert {part.fate for part in found.parts} <= set(porting.FATES)
    assert 0 < found.kept <= 1


def test_amds_way_keeps_or_renames_at_least_what_others_keep():
    for program in porting.PROGRAMS:
        amd, tpu = (codesign.ledger(program, target) for target in ("an AMD GPU", "a TPU, through XLA"))
        assert amd.of("rewritten") <= tpu.of("rewritten")


def test_the_features_of_the_chips_are_those_of_their_published_peaks():
    for row in data.load("codesign")["capability"]:
        if "chip" in row:
            assert row["fp8"] == (hardware.chip(row["chip"]).matrix.get("fp8") is not None), row


def test_rules_by_name_and_number_are_wrong_somewhere_and_the_feature_is_not():
    wrong = {rule: codesign.detect(rule).misses for rule in porting.RULES}
    assert list(wrong.values()) == [5, 2, 1, 0]
    assert codesign.detect("its capability is 9.0 or more").wrong == ["L4", "MI250X"]


def test_a_rule_of_ones_own():
    always, mine = codesign.detect(lambda chip: True), codesign.detect(lambda chip: chip.fp8)
    assert set(always.wrong) == {one.name for one in porting.devices() if not one.fp8} and mine.misses == 0
    assert always.rule == "your rule"


def test_what_is_no_program_target_or_rule_is_answered():
    for call in (
        lambda: codesign.ledger("a engine"),
        lambda: codesign.ledger(target="a GPU"),
        lambda: codesign.detect(9),
    ):
        with pytest.raises((KeyError, TypeError)):
            call()


def test_a_rule_that_fails_is_answered_with_the_chip_at_which_it_did():
    with pytest.raises(ValueError, match="^rule: for MI250X it ended with IndexError: tuple index out of range$"):
        codesign.detect(lambda chip: (True,) * 3 if chip.vendor == "NVIDIA" else chip.capability[9])
