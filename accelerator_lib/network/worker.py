"""Worker: a second Python that is told how many devices to simulate, and runs there what it is sent.
A function travels as its compiled code, so that it may come from a notebook. The worker leaves when nothing has come
for half a minute, or when this Python ends.
"""

import atexit
import io
import marshal
import os
import pickle
import subprocess
import sys
import tempfile
import threading
import time
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from types import FunctionType

CHILD = "from accelerator_lib.network import worker; worker.serve()"
IDLE, LENGTH = 30, 8  # seconds; bytes that say how many follow


@dataclass(frozen=True)
class _Code:
    text: bytes  # of a function on its way


def ask(function, arguments, devices):
    """What the function returns there. Raises RuntimeError with the line that says what went wrong."""
    fine, result = pickle.loads(_answer(pickle.dumps((packed(function), packed(arguments))), devices))
    if not fine:
        raise RuntimeError(f"the program on simulated devices failed: {result}")
    return result


def packed(value):
    """A value with its functions as code."""
    if isinstance(value, FunctionType):
        return _Code(marshal.dumps((value.__code__, value.__defaults__)))
    if isinstance(value, (tuple, list)):
        return tuple(map(packed, value))
    return {key: packed(one) for key, one in value.items()} if isinstance(value, dict) else value


def unpacked(value):
    """A value with its code as functions again."""
    if isinstance(value, _Code):
        code, defaults = marshal.loads(value.text)
        return FunctionType(code, {"__builtins__": __builtins__}, code.co_name, defaults)
    if isinstance(value, tuple):
        return tuple(map(unpacked, value))
    return {key: unpacked(one) for key, one in value.items()} if isinstance(value, dict) else value


@cache
def _answer(program, devices):
    for again in (True, False):
        child = _hired(devices)
        try:
            _write(child.stdin, program)
            return _read(child.stdout)
        except (BrokenPipeError, EOFError):
            why = _last_words(devices)
            dismiss()
            if not again:
                raise RuntimeError(f"the program on simulated devices has ended its Python{why}") from None
        except BaseException:  # interrupted while it waits: a late answer would be taken for that of the next program
            dismiss()
            raise


_staff = {}  # one at most: {devices: (process, what it complains about)}


def _hired(devices):
    if devices not in _staff:
        dismiss()
        paths = os.pathsep.join(filter(None, [str(Path(__file__).parents[2]), os.environ.get("PYTHONPATH")]))
        there = {**os.environ, "PYTHONPATH": paths, "JAX_PLATFORMS": "cpu", "JAX_NUM_CPU_DEVICES": str(devices)}
        there.pop("XLA_FLAGS", None)
        errors = tempfile.TemporaryFile()  # noqa: SIM115
        pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE, "stderr": errors}
        _staff[devices] = subprocess.Popen([sys.executable, "-c", CHILD], env=there, **pipes), errors
    return _staff[devices][0]


def _last_words(devices):
    process, errors = _staff[devices]
    process.wait()
    errors.seek(0)
    lines = errors.read().decode(errors="replace").strip().splitlines()
    return f": {lines[-1]}" if lines else ""


@atexit.register
def dismiss():
    """Let the worker go, if there is one."""
    for process, errors in _staff.values():
        process.kill()
        process.communicate()
        errors.close()
    _staff.clear()


def serve():
    """The other side: run what comes, until nothing does."""
    requests, answers = sys.stdin.buffer, os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)  # what a program prints is no answer
    threading.Thread(target=_leave_with, args=(os.getppid(),), daemon=True).start()
    while True:
        alarm = threading.Timer(IDLE, os._exit, (0,))
        alarm.daemon = True
        alarm.start()
        try:
            program = _read(requests)
        except EOFError:
            return
        alarm.cancel()
        _write(answers, pickle.dumps(_run(program)))


def _leave_with(parent):  # a program that never ends does not outlive who asked for it
    while os.getppid() == parent:
        time.sleep(1)
    os._exit(0)


def _run(program):
    import jax
    import numpy as np

    try:
        function, arguments = map(unpacked, pickle.loads(program))
        result = function(*arguments)
        return True, jax.tree.map(lambda one: np.asarray(one) if isinstance(one, jax.Array) else one, result)
    except Exception as error:  # whatever the program does is told to who sent it
        first = str(error).strip().partition("\n")[0]
        return False, f"{type(error).__name__}: {first}"


def _write(pipe, content):
    pipe.write(len(content).to_bytes(LENGTH, "big") + content)
    pipe.flush()


def _read(pipe):  # One message. Raises EOFError
    return _exactly(pipe, int.from_bytes(_exactly(pipe, LENGTH), "big"))


def _exactly(pipe, length):
    found = io.BytesIO()
    while found.tell() < length:
        part = pipe.read(length - found.tell())
        if not part:
            raise EOFError
        found.write(part)
    return found.getvalue()
