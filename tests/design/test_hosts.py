"""Hosts: two Pythons on this machine, each with devices of its own, find what one finds."""

import os
import socket
import subprocess
import sys
import threading

import pytest
from refused import refused

from accelerator_course import league
from accelerator_course.league import __main__ as command
from accelerator_course.quiz import keys
from accelerator_lib import recorded
from accelerator_lib.checks.inputs import UnknownName
from accelerator_lib.design import explore
from accelerator_lib.design import sharded as hosts

SEARCH = [sys.executable, "-m", "accelerator_course.league", "search", "--slices", "1"]
ALONE = {"JAX_PLATFORMS": "cpu"}
PATIENCE = 120  # seconds, on a busy machine; it takes about ten


def free():
    """An address on this machine where nobody listens."""
    with socket.socket() as there:
        there.bind(("127.0.0.1", 0))
        return f"127.0.0.1:{there.getsockname()[1]}"


def searched(*devices):
    """The address and, of each machine with so many devices, (exit code, stdout, stderr); they search together."""
    first, environment = free(), {key: value for key, value in os.environ.items() if key != "XLA_FLAGS"} | ALONE
    pipes = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE, "text": True}
    running = []
    try:
        for host, count in enumerate(devices):
            line = [*SEARCH, "--first", first, "--hosts", str(len(devices)), "--host", str(host)]
            own = environment | {"JAX_NUM_CPU_DEVICES": str(count)}
            running.append(subprocess.Popen(line, env=own, **pipes))
        said = [each.communicate(timeout=PATIENCE) for each in running]
    finally:
        for each in running:
            each.kill()
    return first, [(each.returncode, *both) for each, both in zip(running, said, strict=True)]


def test_two_machines_find_what_one_does():
    first, ran = searched(1, 1)
    assert [code for code, _, _ in ran] == [0, 0], ran
    here = explore.search(slices=1, devices=1)
    for _, out, err in ran:
        assert f"Waiting for the other machines at {first} (up to 5 minutes).\n" in err
        assert f"{here.designs:,} designs on 2 devices of 2 machines, {here.legal:,} within 700 W" in out
        assert f"value {here.value:.3f}" in out and league.token(here.best) in out


def test_machines_with_different_numbers_of_devices_are_refused_in_a_sentence():
    for code, _, err in searched(2, 1)[1]:
        assert code == 1 and "Traceback" not in err
        assert "every machine must have equally many devices: machine 1 searches with 1, machine 0 with 2\n" in err


def test_a_first_machine_that_does_not_answer_is_one_line(capsys, monkeypatch):
    first = free()
    monkeypatch.setattr(hosts.join, "__defaults__", (None, None, None, 0.1))
    assert command.main([*SEARCH[3:], "--first", first, "--hosts", "2", "--host", "1"]) == 1
    looks, said = capsys.readouterr().err.splitlines()
    assert looks == f"Looking for the first machine at {first} (up to 0.1 seconds)."
    assert said.startswith(f"design search: the first machine does not answer at {first}: ")


def test_a_first_machine_that_answers_late_is_reached():
    with socket.socket() as there:
        there.bind(("127.0.0.1", 0))
        late = threading.Timer(0.2, there.listen)
        late.start()
        hosts._reach(f"127.0.0.1:{there.getsockname()[1]}", 20)
        late.join()


def test_without_jax_machines_do_not_wait_and_a_record_is_called_one(capsys, monkeypatch):
    monkeypatch.setitem(sys.modules, "jax", None)
    monkeypatch.setattr(recorded, "_told", set())
    together = ["--first", "127.0.0.1:4711", "--hosts", "2", "--host", "0"]
    assert command.main(["search", "--slices", "3", *together]) == 1
    assert capsys.readouterr().err == f"design search: {recorded.MISSING}\n"
    assert command.main(["search", "--slices", "52"]) == 0
    said = capsys.readouterr()
    assert said.err.startswith("JAX is not here: what follows was recorded on ") and said.err.count("\n") == 1
    assert " designs on 1 device of 1 machine" in said.out


def test_no_question_can_call_out():
    refused(UnknownName, "is not allowed", keys.callable_, "design.sharded.join")


def test_the_command_searches_on_one_machine_and_says_what_is_wrong(capsys):
    assert command.main(["search", "--slices", "1"]) == 0
    here = explore.search(slices=1)
    told = capsys.readouterr().out
    assert f"{here.designs:,} designs on " in told and told.splitlines()[-1] == league.token(here.best)
    assert command.main(["search", "--slices", "0"]) == 1
    assert capsys.readouterr().err.startswith("design search: slices = 0")


@pytest.mark.parametrize(
    "given, said",
    [
        ("--hosts -2", "hosts = -2"),
        ("--hosts 0", "hosts = 0"),
        ("--first 10.0.0.1:4711", "first and host need hosts: how many machines there are"),
        ("--host 1", "first and host need hosts: how many machines there are"),
        ("--first nonsense", "first = 'nonsense' is not an address and a port"),
        ("--hosts 2 --host 1", "host = 1 needs first"),
        ("--hosts 2 --host 5 --first 10.0.0.1:4711", "host = 5 must be 0 to 1"),
        ("--hosts 1 --host 1 --first 10.0.0.1:4711", "host = 1 must be 0 to 0"),
    ],
)
def test_the_command_refuses_what_does_not_fit_together(given, said, capsys):
    with pytest.raises(SystemExit) as ended:
        command.main(["search", *given.split()])
    line = capsys.readouterr().err.splitlines()[-1]
    assert ended.value.code == 2 and f"search: error: {said}" in line
