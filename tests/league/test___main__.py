"""python -m accelerator_course.league rank < tokens.txt"""

import io
import os
import subprocess
import sys

from accelerator_course import league
from accelerator_course.league import __main__ as command
from accelerator_lib import design

BEST = design.Design(256, 6, 64, 6, 2.4e9, 300e9, node=5)
LINE = f"green {league.token(BEST)}\n".encode()


def ran(content, *options, capsys):
    code = command.main(["rank", *options], io.BytesIO(content))
    return code, capsys.readouterr()


def test_a_class_is_ranked(capsys):
    code, said = ran(b"\xef\xbb\xbf" + LINE + b"\xff\xfe not text\r\n", capsys=capsys)
    assert code == 0 and "green" in said.out and "line 2 refused" in said.out and " 1.18 " in said.out


def test_nothing_to_rank_is_an_exit_code(capsys):
    assert ran(b"", capsys=capsys)[0] == 1
    assert ran(LINE, "--watts", "300", capsys=capsys)[0] == 1
    code, said = ran(LINE, "--watts", "nan", capsys=capsys)
    assert code == 1 and "watts is not a number" in said.err


def test_a_file_may_be_named_or_missing(tmp_path, capsys):
    file = tmp_path / "tokens.txt"
    file.write_bytes(LINE)
    assert command.main(["rank", str(file)]) == 0 and "green" in capsys.readouterr().out
    assert command.main(["rank", str(tmp_path / "none.txt")]) == 1
    assert "No such file" in capsys.readouterr().err


def test_an_endless_line_and_an_endless_file_end(capsys, monkeypatch):
    monkeypatch.setattr(command, "MOST_BYTES", 10_000)

    class Endless(io.RawIOBase):
        def readline(self, size=-1):
            return b"x" * size

    assert command.main(["rank"], Endless()) == 1 and "no list of tokens" in capsys.readouterr().err
    code, said = ran(b"y" * 9_000 + b"\n" + LINE, capsys=capsys)
    assert code == 0 and "line 1 refused: a line has at most" in said.out and "line 2" not in said.out


def test_it_runs_as_a_command():
    run = subprocess.run(
        [sys.executable, "-m", "accelerator_course.league", "rank"], input=LINE, capture_output=True, check=True
    )
    assert b"256" in run.stdout and not run.stderr


def test_it_answers_a_console_that_knows_ascii_alone_and_closes_what_it_opened(tmp_path):
    file = tmp_path / "tokens.txt"
    file.write_bytes(LINE + league.token(design.Design(512, 40, 512, 8, 2.5e9, 1.8e12)).encode())
    command = [sys.executable, "-W", "error", "-m", "accelerator_course.league", "rank", str(file)]
    run = subprocess.run(command, capture_output=True, env=os.environ | {"PYTHONIOENCODING": "ascii"})
    assert run.returncode == 0 and b"6 x 256?" in run.stdout and b"mm?, at most" in run.stdout and not run.stderr
