"""The command for a class."""

import io

import pytest

from accelerator_course import ladder
from accelerator_course.ladder import __main__ as command
from accelerator_course.ladder import tokens

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
