"""Tokens: every kernel survives the way into a line and back; forged and damaged ones are one line each."""

import base64
import binascii
import json
import zlib

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from accelerator_course import ladder
from accelerator_course.ladder import tokens
from accelerator_lib.kernels.language import LONGEST

WORKED = {id: rung.worked.text for id, rung in ladder.rungs().items()}


def forged(content, packed=None):
    """A token with a right checksum and whatever in it: the checksum is no secret."""
    packed = zlib.compress(json.dumps(content).encode()) if packed is None else packed
    checked = binascii.crc32(packed).to_bytes(4, "big") + packed
    return tokens.MARK + base64.urlsafe_b64encode(checked).decode().rstrip("=")


@given(st.dictionaries(st.sampled_from(list(WORKED)), st.text(max_size=300)), st.integers(0, 2**32 - 1))
@settings(max_examples=50)
def test_kernels_come_back_as_they_were(given, learner):
    line = tokens.write(given, learner)
    assert tokens.read_token(f" {line}\n") == (learner, given) and line.isascii() and tokens.SHAPE.fullmatch(line)


def test_all_worked_solutions_fit_a_mail():
    line = tokens.write(WORKED, 3)
    assert tokens.read_token(line) == (3, WORKED) and len(line) < 8_000


@given(st.data())
@settings(max_examples=150)
def test_every_slip_in_copying_is_found(data):
    line = tokens.write({"map": WORKED["map"]})
    at = data.draw(st.integers(0, len(line) - 1))
    letter = data.draw(st.sampled_from([sign for sign in "abcXYZ019-_ .é" if sign != line[at]]))
    for wrong in (line[:at] + letter + line[at + 1 :], line[:at], line[:at] + line[at + 1 :]):
        if wrong.strip() != line:
            with pytest.raises(ValueError) as error:
                tokens.read_token(wrong)
            assert "\n" not in str(error.value) and len(str(error.value)) < 200


@pytest.mark.parametrize("token, words", [
    (None, "begins with KRN1-"), ("", "begins with KRN1-"), ("KRN1-", "damaged"), ("KRN1-abc", "damaged"),
    ("KRN2-abcdef", "another version"), ("ACC2-abc", "begins with KRN1-"), ("KRN1-" + "A" * 200_000, "at most 100,000"),
    (forged([0, {"maps": "x"}]), "there is no rung 'maps'"), (forged([0, {"map": 5}]), "but int"),
    (forged([0, {"map": "x" * (LONGEST + 1)}]), "20,001 letters"), (forged([-1, {}]), "holds no kernels"),
    (forged([True, {}]), "holds no kernels"), (forged([1.5, {}]), "holds no kernels"), (forged({}), "holds no kernels"),
    (forged([0, []]), "holds no kernels"), (forged([0]), "holds no kernels"), (forged(None), "holds no kernels"),
    (forged("ab"), "holds no kernels"), (forged(0, b"no zlib"), "cannot be unpacked"),
    (forged(0, zlib.compress(b"\xff\xfe")), "holds no kernels"),
    (forged(0, zlib.compress(b"[" * 100_000)), "holds no kernels"),
    (forged(0, zlib.compress(b" " * 50_000_000, 9)), "more than a ladder of kernels"),
    (forged(0, zlib.compress(b"[0,{}]") + b"and more"), "more than a ladder of kernels"),
    (forged(0, zlib.compress(b"[0,{}]")[:-3]), "of this course"),
])  # fmt: skip
def test_forged_tokens_are_refused_in_one_line(token, words):
    with pytest.raises(ValueError, match=words) as error:
        tokens.read_token(token)
    assert "\n" not in str(error.value) and len(str(error.value)) < 200 and str(error.value).isprintable()


@pytest.mark.parametrize("given, learner", [({"maps": "x"}, 0), ({"map": None}, 0), ({"map": "x" * 20_001}, 0),
                                            ({}, -1), ({}, 2**32), ({}, "a"), ({}, True), (5, 0), (None, 0)])  # fmt: skip
def test_what_no_token_can_hold_is_not_written(given, learner):
    with pytest.raises((ValueError, TypeError)) as error:
        tokens.write(given, learner)
    assert "\n" not in str(error.value) and len(str(error.value)) < 200


def random_text(seed):
    """20,000 letters that zlib cannot pack."""
    draw = np.random.default_rng(seed)
    return "".join(map(chr, draw.integers(0x4E00, 0x9FFF, LONGEST)))


def test_where_not_all_fit_the_short_ones_are_kept():
    large = {id: random_text(seed) for seed, id in enumerate(WORKED) if id not in ("map", "copy")}
    known = {**large, "map": WORKED["map"], "copy": WORKED["copy"]}
    held = tokens.room_for(known)
    assert {"map", "copy"} < set(held) < set(known) and tokens.read_token(tokens.write(held))[1] == held
    with pytest.raises(ValueError, match="at most 100,000"):
        tokens.write(known)
    assert tokens.room_for(WORKED) == WORKED and tokens.room_for({}) == {}


def test_what_no_reader_would_unpack_is_not_written():
    with pytest.raises(ValueError, match="at most 1,700,000"):
        tokens.write(dict.fromkeys(WORKED, "\U0001f600" * LONGEST))


def test_what_fits():
    assert tokens.fits("map", "x") and not tokens.fits("maps", "x") and not tokens.fits("map", "x" * 20_001)
