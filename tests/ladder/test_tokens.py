"""Kernels as lines: tokens, a class's list, the command."""

import base64
import binascii
import io
import json
import zlib
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from accelerator_course import ladder
from accelerator_course.ladder import __main__ as command
from accelerator_course.ladder import listing, tokens
from accelerator_lib import data
from accelerator_lib.kernels.language import LONGEST

TABLE = data.parse(Path(__file__).with_suffix(".yaml"))

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


UNPACKED = {  # what is packed into a token, and what its line says
    b"no zlib": "cannot be unpacked",
    zlib.compress(b"\xff\xfe"): "holds no kernels",
    zlib.compress(b"[" * 100_000): "holds no kernels",
    zlib.compress(b" " * 50_000_000, 9): "more than a ladder of kernels",
    zlib.compress(b"[0,{}]") + b"and more": "more than a ladder of kernels",
    zlib.compress(b"[0,{}]")[:-3]: "of this course",
}
FORGED = [(forged(0, packed), words) for packed, words in UNPACKED.items()]
FORGED += [(forged(content), words) for content, words in TABLE["forged"]]
FORGED += [(forged([0, {"map": "x" * (LONGEST + 1)}]), "20,001 letters")]
FORGED += [("KRN1-" + "A" * 200_000, "at most 100,000"), *TABLE["damaged"]]


@pytest.mark.parametrize("token, words", FORGED)
def test_forged_tokens_are_refused_in_one_line(token, words):
    with pytest.raises(ValueError, match=words) as error:
        tokens.read_token(token)
    assert "\n" not in str(error.value) and len(str(error.value)) < 200 and str(error.value).isprintable()


@pytest.mark.parametrize(
    "given, learner", [*TABLE["what_no_token_can_hold_is_not_written"], ({"map": "x" * 20_001}, 0)]
)
def test_what_no_token_can_hold_is_not_written(given, learner):
    with pytest.raises((ValueError, TypeError)) as error:
        tokens.write(given, learner)
    assert "\n" not in str(error.value) and len(str(error.value)) < 200


def random_text(seed):
    """20,000 letters that zlib cannot pack."""
    return "".join(map(chr, np.random.default_rng(seed).integers(0x4E00, 0x9FFF, LONGEST)))


def test_where_not_all_fit_the_short_ones_are_kept():
    large = {id: random_text(seed) for seed, id in enumerate(WORKED) if id not in ("map", "copy")}
    known = {**large, "map": WORKED["map"], "copy": WORKED["copy"]}
    held = tokens.room_for(known)
    assert {"map", "copy"} < set(held) < set(known) and tokens.read_token(tokens.write(held))[1] == held
    with pytest.raises(ValueError, match="at most 100,000"):
        tokens.write(known)
    assert tokens.room_for(WORKED) == WORKED and tokens.room_for({}) == {}


def test_what_no_reader_would_unpack_is_not_written():
    with pytest.raises(ValueError, match="at most 2,200,000"):
        tokens.write(dict.fromkeys(WORKED, "\U0001f600" * LONGEST))


def test_what_fits():
    assert tokens.fits("map", "x") and not tokens.fits("maps", "x") and not tokens.fits("map", "x" * 20_001)


RUNGS = ladder.rungs()
GOOD, SLOW = ({id: getattr(RUNGS[id], step).text for id in ("map", "transpose")} for step in ("worked", "slow"))


def test_a_class_is_listed_and_bad_lines_are_refused_one_by_one():
    lines = [
        "# our class",
        "",
        f"Ada: {tokens.write(GOOD, 1)}",
        f"Bob   Bobson {tokens.write(SLOW, 2)}",
        "Cleo KRN1-damaged",
        f"Dan {tokens.write({'map': 'out[0] = 1000000.0'}, 4)}",
        "KRN1-a KRN1-b",
        f"{tokens.write(GOOD, 1)} and more",
        "hello",
    ]
    found = listing.listing(lines)
    names = ["Ada", "Ada", "Bob Bobson", "Bob Bobson", "Dan"]
    assert [row.learner for row in found.rows] == names and [row.star for row in found.rows] == [True] * 2 + [False] * 3
    assert [row.rung for row in found.rows] == ["map", "transpose", "map", "transpose", "map"]
    assert [row.score for row in found.rows[:2]] == [RUNGS["map"].par, RUNGS["transpose"].par]
    assert found.rows[2].score == ladder.judge("map", SLOW["map"]).score and found.rows[4].score is None
    assert "a race" in str(found.rows[4]) and list(found.refused) == [5, 7, 8, 9]
    text = str(found)
    assert text.count("★") == 2 and "line 5 refused: token KRN1-damaged is damaged" in text and "line 7 refused" in text
    assert max(map(len, text.splitlines())) < 300


def test_of_several_kernels_of_one_learner_the_best_one_counts():
    lines = [f"Ada {tokens.write({'map': text}, 1)}" for text in (SLOW["map"], GOOD["map"], "x = 1", SLOW["map"])]
    (row,) = listing.listing(lines).rows
    assert row.star and row.score == RUNGS["map"].par


def test_two_learners_of_one_name_are_two_and_one_without_a_name_has_a_number():
    lines = [f"Ada {tokens.write({'map': GOOD['map']}, learner)}" for learner in (1, 2)]
    lines.append(tokens.write({"map": GOOD["map"]}, 255))
    names = [row.learner for row in listing.listing(lines).rows]
    assert names == ["Ada (00000001)", "Ada (00000002)", "(000000ff)"]


def test_a_text_that_many_sent_is_run_once(monkeypatch):
    asked = []
    monkeypatch.setattr(listing, "judge", lambda *given: asked.append(given) or ladder.judge(*given))
    rows = listing.listing([f"L{n} {tokens.write({'map': GOOD['map']}, n)}" for n in range(30)], seed=5).rows
    assert len(rows) == 30 and asked == [("map", GOOD["map"], 5)]


def test_one_kernel_takes_no_other_row_with_it(monkeypatch):
    lone = f"{GOOD['map']}\ry = 1"  # a line of its own to Python
    lines = [f"L{n} {tokens.write({'map': source}, n)}" for n, source in enumerate((GOOD["map"], lone, "i = 0"))]
    good, also, bad = listing.listing(lines).rows
    assert good.score < also.score and bad.score is None
    broken = lambda id, source, seed: 1 / 0 if source == lone else ladder.judge(id, source, seed)  # noqa: E731
    monkeypatch.setattr(listing, "judge", broken)
    rows = listing.listing(lines).rows
    assert rows[0] == good and "cannot be judged: ZeroDivisionError" in str(rows[1]) and rows[2] == bad


def test_there_are_limits(monkeypatch):
    monkeypatch.setattr(listing, "MOST_LINES", 3)
    monkeypatch.setattr(listing, "MOST_KERNELS", 1)
    found = listing.listing([tokens.write({"map": GOOD["map"]}, n) for n in range(5)])
    assert len(found.rows) == 1 and "only the first 1 kernels are run" in found.refused[2]
    assert "only the first 3 lines are read" in found.refused[4] and 5 not in found.refused
    many = listing.Listing((), dict.fromkeys(range(50), "x"))
    assert str(many).endswith("30 further lines refused") and "nobody has sent a kernel" in str(many)
    with pytest.raises(TypeError, match="line 1 must be text"):
        listing.listing([b"KRN1-"])


def test_names_of_control_signs_do_no_harm():
    (row,) = listing.listing(["\x1b[31m\u202eEve\t" + "x" * 100 + tokens.write({"map": GOOD["map"]}, 1)]).rows
    assert row.learner.isprintable() and len(row.learner) <= listing.NAME


MAP = ladder.rung("map")


def test_a_list_is_printed_from_a_file_or_from_standard_input(tmp_path, capsys):
    text = f"Ada {tokens.write({'map': MAP.worked.text}, 1)}\nBob KRN1-x\n".encode()
    file = tmp_path / "class.txt"
    file.write_bytes(text)
    assert command.main(["list", str(file)]) == 0
    printed = capsys.readouterr().out
    assert "Ada" in printed and "★" in printed and "line 2 refused: token KRN1-x is damaged" in printed
    seed = printed.split("--seed ")[1].split()[0]
    assert command.main(["list", "--seed", seed], io.BytesIO(text)) == 0 and capsys.readouterr().out == printed


def test_what_a_list_is_run_on_is_drawn(monkeypatch, capsys):
    """Who knew the sizes and numbers could write them down instead of a kernel."""
    drawn = iter((3, 5))
    monkeypatch.setattr(command.secrets, "randbelow", lambda most: next(drawn))
    for seed in (3, 5):
        assert command.main(["list"], io.BytesIO(tokens.write({"map": MAP.worked.text}, 1).encode())) == 0
        assert f"--seed {seed} draws the same" in capsys.readouterr().out


def test_one_kernel_is_judged(capsys):
    assert command.main(["judge", "map"], io.BytesIO(MAP.worked.text.encode())) == 0
    assert "★ You reach the par." in capsys.readouterr().out
    assert command.main(["judge", "map"], io.BytesIO(b"x = \xff")) == 1
    assert "line 1" in capsys.readouterr().out


def test_a_kernel_of_the_second_machine_is_judged_and_listed(capsys):
    product = ladder.rung("product")
    assert command.main(["judge", "product"], io.BytesIO(product.slow.text.encode())) == 0
    assert "a comes 8 times" in capsys.readouterr().out
    token = tokens.write({"product": product.worked.text, "map": MAP.worked.text}, 1)
    assert command.main(["list"], io.BytesIO(f"Ada {token}\n".encode())) == 0
    assert capsys.readouterr().out.count("★") == 2


def test_what_cannot_be_read_is_one_line(tmp_path, capsys, monkeypatch):
    assert command.main(["list", str(tmp_path / "none.txt")]) == 1
    assert capsys.readouterr().err.startswith("kernels list: ")
    assert command.main(["list"], io.BytesIO(b"\xff\xfe nothing\n" * 3)) == 1
    assert "there is no token" in capsys.readouterr().out
    monkeypatch.setattr(command, "MOST_BYTES", 1_000_000)
    assert command.main(["list"], io.BytesIO(b"KRN1-" + b"A" * 2_000_000)) == 1
    assert "that is no list of tokens" in capsys.readouterr().err
    with pytest.raises(SystemExit):
        command.main(["judge", "maps"])
