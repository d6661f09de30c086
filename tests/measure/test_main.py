import json
import os
import signal
import subprocess
import sys
import time

import pytest

from accelerator_course import measure
from accelerator_course.measure import __main__ as command


def test_a_file_is_written_and_progress_is_told_on_stderr(simulated, tmp_path, capsys):
    session, _ = simulated(10)
    assert command.main(["--out", str(tmp_path / "mine.json")], lambda seconds: session) == 0
    told = capsys.readouterr()
    assert told.out == "" and "measuring simulated cores (cpu)" in told.err and "100%  done" in told.err
    assert measure.load(tmp_path / "mine.json").complete


def test_an_interrupted_run_keeps_what_it_has(simulated, tmp_path, capsys):
    session, machine = simulated(60)
    timed = machine.timer

    def timer(case, **given):
        if len(machine.run) == 12:
            raise KeyboardInterrupt
        return timed(case, **given)

    session.timer = timer
    assert command.main(["--out", str(tmp_path / "mine.json")], lambda seconds: session) == 0
    assert len(measure.load(tmp_path / "mine.json").measurements) == 10  # two were the probe's
    assert "the rest was not waited for" in capsys.readouterr().err


def test_an_interruption_before_anything_is_measured_writes_nothing(simulated, tmp_path, capsys):
    session, _ = simulated(10)

    def timer(*_, **__):
        raise KeyboardInterrupt

    session.timer = timer
    assert command.main(["--out", str(tmp_path / "mine.json")], lambda seconds: session) == 130
    assert not (tmp_path / "mine.json").exists() and "Traceback" not in capsys.readouterr().err


@pytest.mark.parametrize("out, said", [("none/mine.json", "there is no folder"), (".", "is a folder")])
def test_a_place_where_nothing_can_be_written_is_one_line_before_measuring(simulated, tmp_path, capsys, out, said):
    def never(seconds):
        raise AssertionError("measured all the same")

    assert command.main(["--out", str(tmp_path / out)], never) == 1
    err = capsys.readouterr().err
    assert said in err and err.count("\n") == 1


@pytest.mark.parametrize(
    "error, said",
    [
        (ModuleNotFoundError("No module named 'jax'", name="jax"), "jax is not installed: pip install jax"),
        (
            RuntimeError("Unable to initialize backend 'cuda':\nno device"),
            "Unable to initialize backend 'cuda': no device",
        ),
    ],
)
def test_a_machine_that_cannot_be_measured_is_one_line(tmp_path, capsys, error, said):
    def failing(seconds):
        raise error

    assert command.main(["--out", str(tmp_path / "mine.json")], failing) == 1
    assert capsys.readouterr().err.splitlines()[1:] == [f"measure: {said}"]


def test_ctrl_c_in_a_real_run_keeps_what_is_measured(tmp_path):
    out = tmp_path / "mine.json"
    arguments = [sys.executable, "-m", "accelerator_course.measure", "--out", str(out), "--seconds", "60"]
    with subprocess.Popen(arguments, stderr=subprocess.PIPE, text=True, env=os.environ) as run:
        seen = 0
        for line in run.stderr:
            seen += "products:" in line
            if seen == 3:
                break
        run.send_signal(signal.SIGINT)
        begin = time.monotonic()
        rest = run.stderr.read()
        assert run.wait(120) == 0 and time.monotonic() - begin < 120  # what XLA has begun to compile is not cut off
    assert "measurements are in" in rest and "Traceback" not in rest
    content = json.loads(out.read_text())
    assert not content["complete"] and len(measure.load(out).measurements) >= 2
