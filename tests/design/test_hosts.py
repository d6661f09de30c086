"""Hosts: two Pythons on this machine, each with devices of its own, find what one finds."""

import os
import socket
import subprocess
import sys

import pytest

from accelerator_lib import design
from accelerator_lib.design import __main__ as command
from accelerator_lib.design import explore, hosts
from accelerator_lib.inputs import UnknownName
from accelerator_lib.quiz import keys

SEARCH = [sys.executable, "-m", "accelerator_lib.design", "search", "--slices", "1"]
ALONE = {"JAX_PLATFORMS": "cpu", "JAX_NUM_CPU_DEVICES": "1"}
PATIENCE = 120  # seconds, on a busy machine; it takes about ten


def free():
    """An address on this machine where nobody listens."""
    with socket.socket() as there:
        there.bind(("127.0.0.1", 0))
        return f"127.0.0.1:{there.getsockname()[1]}"


def test_two_machines_find_what_one_does():
    first, environment = free(), {key: value for key, value in os.environ.items() if key != "XLA_FLAGS"} | ALONE
    more = [["--first", first, "--hosts", "2", "--host", str(host)] for host in range(2)]
    pipes = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE, "text": True, "env": environment}
    running = [subprocess.Popen([*SEARCH, *each], **pipes) for each in more]
    try:
        said = [each.communicate(timeout=PATIENCE) for each in running]
    finally:
        for each in running:
            each.kill()
    assert [each.returncode for each in running] == [0, 0], said
    here = explore.search(slices=1, devices=1)
    for out, _ in said:
        assert f"{here.designs:,} designs on 2 devices of 2 machines, {here.legal:,} within 700 W" in out
        assert f"value {here.value:.3f}" in out and design.token(here.best) in out


@pytest.mark.parametrize(
    "given, said",
    [
        (("10.0.0.1", 2, 0), "first = '10.0.0.1' is not an address and a port, such as 10.0.0.1:4711"),
        (("10.0.0.1:99999", 2, 0), "is not an address and a port"),
        (("10.0.0.1:4711", 2, 2), "host = 2 must be 0 to 1: one number for each of hosts = 2 machines"),
        (("10.0.0.1:4711", 2, None), "host = None must be 0 to 1"),
        (("10.0.0.1:4711", 0, 0), "hosts = 0"),
        ((4711, 2, 0), "first = 4711 is not an address and a port"),
    ],
)
def test_what_cannot_be_joined_is_one_line(given, said):
    with pytest.raises(ValueError) as caught:
        hosts.join(*given)
    assert said in str(caught.value) and "\n" not in str(caught.value)


def test_no_question_can_call_out():
    with pytest.raises(UnknownName, match="is not allowed"):
        keys.callable_("design.hosts.join")


def test_the_command_searches_on_one_machine_and_says_what_is_wrong(capsys):
    assert command.main(["search", "--slices", "1"]) == 0
    here = explore.search(slices=1)
    told = capsys.readouterr().out
    assert f"{here.designs:,} designs on " in told and told.splitlines()[-1] == design.token(here.best)
    assert command.main(["search", "--hosts", "2", "--host", "5", "--first", "10.0.0.1:4711"]) == 1
    assert capsys.readouterr().err.startswith("design search: host = 5 must be 0 to 1")
    assert command.main(["search", "--slices", "0"]) == 1
    assert capsys.readouterr().err.startswith("design search: slices = 0")
