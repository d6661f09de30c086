"""What JAX does where arrays of host and devices meet, and that chapter 2 says so."""

import json
import os
import subprocess
import sys

import numpy as np
import pytest
from played import NOTEBOOKS

from accelerator_course.quiz import bank

jax = pytest.importorskip("jax")
SILENT = "JAX copies a NumPy array to the device at every use, without a word, unless\n`jax.transfer_guard` forbids it."
TWO_DEVICES = """
import jax, numpy as np
one, two = jax.devices()
weights, batch = jax.device_put(np.ones(3), one), jax.device_put(np.ones(3), two)
step = jax.jit(lambda w, x: w * x)
assert step(weights, np.ones(3)).devices() == {one} and step(np.ones(3), batch).devices() == {two}
for mix in (step, lambda w, x: w + x):
    try:
        mix(weights, batch)
    except ValueError as error:
        assert "incompatible devices" in str(error), error
    else:
        raise SystemExit("two committed arrays on two devices were mixed")
"""


def test_a_numpy_array_is_copied_to_the_device_without_a_word_unless_a_guard_forbids_it():
    weights, batch = jax.numpy.ones(3), np.full(3, 2, np.float32)
    step = jax.jit(lambda w, x: w * x)
    for mixed in (weights + batch, step(weights, batch)):
        assert isinstance(mixed, jax.Array) and mixed.devices() == weights.devices()
    with jax.transfer_guard("disallow"), pytest.raises(Exception, match="host-to-device"):
        step(weights, batch)
    book = json.loads((NOTEBOOKS / "02_memory.ipynb").read_text())
    assert SILENT in "".join(next(cell["source"] for cell in book["cells"] if cell["id"] == "host-claims"))


def test_arrays_that_were_put_on_two_devices_raise_an_error():
    forced = {"XLA_FLAGS": "--xla_force_host_platform_device_count=2", "JAX_PLATFORMS": "cpu"}
    run = subprocess.run([sys.executable, "-c", TWO_DEVICES], env=os.environ | forced, capture_output=True, text=True)
    assert run.returncode == 0, run.stderr[-800:] + run.stdout
    options = bank.item("memory", "device-mismatch")["options"]
    assert any("two JAX arrays were put on two devices" in option["why"] for option in options)
