"""What a machine without JAX shows: records that come back as they were, known by their arguments, said in one line."""

import json
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from accelerator_course.start import calm
from accelerator_lib import recorded
from accelerator_lib.checks.inputs import NotAvailable
from accelerator_lib.machine.progress import Progress
from accelerator_lib.machine.timing import Timing

HERE = Path(__file__).parent
FILES = sorted(recorded.FOLDER.glob("*.json"))


@pytest.fixture
def no_jax(monkeypatch):
    monkeypatch.setitem(sys.modules, "jax", None)


def double(x):
    return x + x


def half(x):
    return x / 2


def python(code):
    return subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, cwd=HERE)


def test_jax_is_found_without_importing_it_and_in_a_browser_nobody_is_told_to_install_it():
    code = "import sys; from accelerator_lib import recorded; print(recorded.here(), 'jax' in sys.modules)"
    assert python(code).stdout.strip() == "True False"
    code = (
        "import sys, numpy; sys.platform = 'emscripten'; from accelerator_lib import recorded; print(recorded.MISSING)"
    )
    said = python(code).stdout
    assert "install the course" in said and "pip install" not in said


def test_the_stand_ins_are_jax_itself_and_with_jax_a_function_is_itself():
    import jax

    assert recorded.jax.jit is jax.jit and recorded.jnp.float32 is jax.numpy.float32
    assert repr(recorded.jnp) == "<jax.numpy, imported at its first use>"
    assert recorded.or_recorded(double)(4) == 8 and recorded.run(double, 4) == 8


VALUES = [3, 2.5, "a", None, True, (1, 2), [1, (2, 3)], {(1, 2): "x", "y": (1.5,)}]
VALUES += ["a\nb\nc\nd\na", Progress(0.5, "half")]
VALUES += [{"x": (Timing(2.0, 1.5, 3.0, 9), Timing(1.0, 1.0, 1.0, 3))}]


@pytest.mark.parametrize("value", VALUES)
def test_a_result_comes_back_as_it_was(value):
    lines = {}
    kept = json.loads(json.dumps(recorded.encoded(value, lines)))
    assert recorded.decoded(kept, list(lines)) == value
    assert len(lines) == (4 if isinstance(value, str) and "\n" in value else 0)  # a line that stands twice is kept once
    array = np.arange(6, dtype=np.float32).reshape(2, 3)
    back = recorded.decoded(recorded.encoded(array, {}), [])
    assert back.dtype == array.dtype and np.array_equal(back, array)


def test_arguments_are_told_apart():
    zero, one = np.zeros(3), np.ones(3)
    arrays = [zero, one, zero.astype(np.float32), zero.reshape(3, 1)]
    values = [double, half, *arrays, (1, 2), "1", 1, {"a": 1}, lambda x: x]
    assert len({recorded.known(value) for value in values}) == len(values)
    assert recorded.known(np.zeros(3)) == recorded.known(zero)


def test_what_was_recorded_is_shown_without_jax_and_nothing_else(tmp_path, monkeypatch, no_jax):
    key = f"{recorded.known(double)}(4)"
    head = {"machine": "a machine", "date": "1 May 2026", "versions": "JAX 9"}
    (tmp_path / "notebooks.json").write_text(json.dumps({**head, "results": {key: 9}, "lines": []}))
    monkeypatch.setattr(recorded, "FOLDER", tmp_path)
    recorded._file.cache_clear()
    said = []
    monkeypatch.setattr(recorded, "tell", said.append)
    assert recorded.run(double, 4) == 9  # 9 and not 8: the record, not the function
    assert "JAX is not here" in said[0] and "a machine, 1 May 2026 (JAX 9)" in said[0]
    assert recorded.run(double, 5) is None and said[1] == recorded.MISSING and "pip install jax" in said[1]
    with pytest.raises(recorded.NotRecorded, match="was not recorded"):
        recorded.or_recorded(half)(4)
    recorded._file.cache_clear()


def test_what_was_not_recorded_is_one_line_and_no_traceback(no_jax, capsys, monkeypatch):
    with pytest.raises(NotAvailable) as caught:
        recorded.jnp.zeros(3)
    assert caught.value._render_traceback_() == [recorded.MISSING] and "\n" not in recorded.MISSING
    assert recorded.place() == "the recorded machine"
    monkeypatch.setattr(recorded, "_told", set())
    recorded.tell("recorded then")
    recorded.tell("recorded then")  # once, beside what a program prints
    assert capsys.readouterr() == ("", "recorded then\n")


def test_a_line_is_escaped():
    told = calm.bundle("<b>")
    assert "&lt;b&gt;" in told["text/html"] and told["text/plain"] == "<b>"


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_a_record_says_where_it_comes_from_and_can_be_read(path):
    content = json.loads(path.read_text(encoding="utf-8"))
    assert content["basis"] == "measured here" and content["machine"] and content["date"]
    assert "JAX" in content["versions"] and content["results"] and path.stat().st_size < 150_000
    for value in content["results"].values():
        recorded.decoded(value, content["lines"])


EVERYTHING = """import without_jax, importlib, pkgutil, accelerator_lib, accelerator_course
both = (accelerator_lib, accelerator_course)
names = [m.name for p in both for m in pkgutil.walk_packages(p.__path__, p.__name__ + '.')]
[importlib.import_module(n) for n in names if not n.endswith('__main__') and '.nbconvert.' not in n]
print(len(names))"""


def test_the_cells_that_use_jax_run_without_it_and_every_module_can_be_imported_so(tmp_path):
    """Those and what they need; `make test-without-jax` runs all cells of all notebooks."""
    run = python(EVERYTHING)
    assert run.returncode == 0 and int(run.stdout) > 300, run.stderr[-2000:]
    run = subprocess.run([sys.executable, str(HERE / "without_jax.py"), "--touched"], capture_output=True, text=True)
    assert run.returncode == 0, run.stdout + run.stderr[-2000:]
