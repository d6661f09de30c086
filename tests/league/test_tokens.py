"""Tokens: every design survives the way into a line and back, every typing error is found."""

from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from accelerator_course import league
from accelerator_course.league.tokens import LONGEST, MARK
from accelerator_lib import design

MINE = design.Design(256, 7, 64, 6, 2.2e9, 300e9, node=5)
designs = st.builds(
    design.Design,
    edge=st.integers(1, 4096),
    arrays=st.integers(1, 10**6),
    sram_mb=st.floats(1, 1e6),
    stacks=st.integers(0, 64),
    clock_hz=st.floats(1e7, 2e10),
    link_bytes_per_s=st.floats(1e6, 1e14),
    node=st.sampled_from((7, 5)),
    dtype=st.sampled_from(("bf16", "fp8", "int8")),
    dies=st.integers(1, 64),
)


@given(designs)
def test_a_design_comes_back_as_it_was(mine):
    line = league.token(mine)
    assert league.from_token(line) == mine and len(line) <= LONGEST and line.startswith(MARK)
    assert league.from_token(f"  {line}\n") == mine


def test_it_can_be_read_by_eye_and_holds_no_score():
    assert league.token(MINE).startswith("CHIP1-256_7_64_6_2.2e9_3e11_5_bf16_1-")
    named = replace(MINE, name="mine")
    assert league.token(named) == league.token(MINE)


@given(st.data())
@settings(max_examples=300)
def test_every_slip_of_a_finger_is_found(data):
    line = league.token(MINE)
    at = data.draw(st.integers(0, len(line) - 1))
    letter = data.draw(st.sampled_from([c for c in "0123456789abcdef_.-C" if c != line[at]]))
    swapped = line[:at] + line[at + 1 : at + 2] + line[at] + line[at + 2 :]
    for wrong in (line[:at] + letter + line[at + 1 :], line[:at] + line[at + 1 :], swapped):
        if wrong != line:
            with pytest.raises(ValueError) as error:
                league.from_token(wrong)
            assert "\n" not in str(error.value) and len(str(error.value)) < 250


@pytest.mark.parametrize(
    ("text", "line"),
    [
        ("", "there is no token"),
        ("hello", "begins with CHIP1-"),
        ("ACC1-abc", "begins with CHIP1-"),
        ("CHIP2-256_7-0000", "another version"),
        ("CHIP1-256_7", "damaged"),
        ("CHIP1-256_7_64-0000", "checksum"),
        ("CHIP1-" + "1" * 500, "at most 120 letters; this line has 506"),
        ("\x00\x1b[31mred", "there is no token in '??[31mred'"),
    ],
)
def test_what_is_no_token_is_answered_in_one_line(text, line):
    with pytest.raises(ValueError) as error:
        league.from_token(text)
    assert line in str(error.value) and str(error.value).isprintable()


def forged(body):
    """A line with a right checksum and whatever in it: the checksum is no secret."""
    import binascii

    return f"CHIP1-{body}-{binascii.crc_hqx(body.encode(), 0):04x}"


@pytest.mark.parametrize(
    ("body", "line"),
    [
        ("256_7_64_6_2.2e9_3e11_5_bf16", "has 8 fields; 9 are needed"),
        ("256_7_64_6_2.2e9_3e11_5_bf16_1_9", "has 10 fields"),
        ("0_7_64_6_2.2e9_3e11_5_bf16_1", "edge = 0"),
        ("256_7.5_64_6_2.2e9_3e11_5_bf16_1", "arrays must be whole"),
        ("256_7_64_6_2.2e99_3e11_5_bf16_1", "clock_hz"),
        ("256_7_64_6_nan_3e11_5_bf16_1", "clock_hz must be a number, not 'nan'"),
        ("256_7_64_6_2.2e9_inf_5_bf16_1", "link_bytes_per_s must be a number"),
        ("256_7_64_6_2.2e9_3e11_3_bf16_1", "node"),
        ("256_7_64_6_2.2e9_3e11_5_bf17_1", "did you mean 'bf16'"),
        ("256_7_64_6_2.2e9_3e11_5_bf16_", "dies must be a number, not ''"),
        ("9999999999999999_7_64_6_2.2e9_3e11_5_bf16_1", "edge"),
    ],
)
def test_a_forged_line_is_refused_for_what_is_in_it(body, line):
    with pytest.raises(ValueError) as error:
        league.from_token(forged(body))
    assert line in str(error.value) and "\n" not in str(error.value)


def test_published_chips_and_what_is_no_text_are_refused():
    with pytest.raises(ValueError, match="brings its own memory"):
        league.token("h100-sxm5")
    with pytest.raises(TypeError, match="not int 3"):
        league.from_token(3)
