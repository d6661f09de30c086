"""Mutation testing: the same sample for the same seed, clear refusals, and one mutant from place to report."""

import shutil
import subprocess
import sys
from itertools import islice
from pathlib import Path

import mutants
import mutations
import pytest
import test_bounds

ROOT = Path(__file__).parents[1]
SOURCE = '''"""Twice 2."""
from functools import cache


@cache
def twice(x):
    if x < 0:
        raise ValueError(f"{x + 1}")
    return 1e30 * x
'''


def test_a_seed_draws_the_same_mutants_in_the_same_order_and_no_place_twice():
    places = [("costs.py", line, [("Add", line), ("Sub", line)]) for line in range(50)]
    drawn = list(mutations.draw(places, seed=1))
    assert drawn == list(mutations.draw(places, seed=1)) != list(mutations.draw(places, seed=2))
    assert sorted(line for _, line, _, _ in drawn) == list(range(50))
    assert {operator for _, _, operator, _ in drawn} == {"Add", "Sub"}


def test_every_topic_has_modules_and_the_test_of_the_changed_one_runs_first():
    topics = mutations.topics(ROOT)
    assert "accelerator_lib/energy/costs.py" in topics["energy"] and "accelerator_lib/units.py" in topics["ground"]
    assert {f"{name}.py" for name in mutations.GROUND} == set(topics["ground"])
    for topic, path, own in (
        ("energy", "accelerator_lib/energy/costs.py", "test_costs"),
        ("ground", "accelerator_lib/checks/inputs.py", "test_inputs"),
        ("ground", "accelerator_course/quiz/grade.py", "test_quiz"),
    ):
        tests = mutants.tests_of(topic, path, ROOT)
        assert Path(tests[0]).stem == own and len(tests) == len(set(tests)) > 3
        assert all(
            hasattr(test_bounds, one.split("::")[1].partition("[")[0]) for one in tests if "test_bounds.py::" in one
        )
        assert topic == "ground" or any("test_bounds.py::" in one for one in tests)


@pytest.mark.parametrize(
    "arguments, line",
    [
        (["sistolic"], "mutants: there is no topic 'sistolic'; there are: workload, memory"),
        (["--sample", "0"], "mutants: a sample of 0 is none, ask for 1 or more"),
        (["--sample", "many"], "mutants: argument --sample: invalid int value: 'many'"),
    ],
)
def test_a_bad_option_is_one_clear_line(arguments, line):
    with pytest.raises(SystemExit) as refused:
        mutants.main(arguments)
    assert str(refused.value).startswith(line) and "\n" not in str(refused.value)


def test_messages_caches_and_equal_numbers_are_no_mutants(tmp_path):
    pytest.importorskip("cosmic_ray", reason="make mutants installs Cosmic Ray")
    assert {line for line, _ in mutations.places(SOURCE)} == {7, 9}
    (tmp_path / "accelerator_lib" / "energy").mkdir(parents=True)
    (tmp_path / "accelerator_lib" / "energy" / "law.py").write_text(SOURCE)
    drawn = [list(islice(mutations.mutants(tmp_path, ["energy"], seed), 2)) for seed in (1, 1, 2)]
    assert drawn[0] == drawn[1] != drawn[2]
    everything = [m for seed in range(20) for m in mutations.mutants(tmp_path, ["energy"], seed)]
    assert {m.operator.split("_")[1] for m in everything if m.line == 9} == {"Mul"}


def test_a_mutant_that_no_test_sees_is_reported_and_the_checkout_stays_as_it_is(tmp_path):
    pytest.importorskip("cosmic_ray", reason="make mutants installs Cosmic Ray")
    files = {
        "accelerator_lib/__init__.py": "",
        "accelerator_lib/energy/law.py": "def twice(x):\n    return x * 2\n",
        "tests/energy/test_law.py": "from accelerator_lib.energy import law\n\ndef test_law():\n    law.twice(2)\n",
        "tests/conftest.py": "import sweep_plugin\n",
        "pyproject.toml": '[tool.pytest.ini_options]\npythonpath = ["tests"]\n',
    }
    for name, text in files.items():
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text(text)
    for name in ("mutants.py", "mutations.py"):
        shutil.copy(ROOT / "tests" / name, tmp_path / "tests")
    command = [sys.executable, tmp_path / "tests" / "mutants.py", "--sample", "1", "energy"]
    run = subprocess.run(command, capture_output=True, text=True, timeout=120)
    assert run.returncode == 0, run.stderr
    assert "survived" in run.stdout and run.stdout.rstrip().endswith("1 survivors: build/mutants.txt")
    report = (tmp_path / "build" / "mutants.txt").read_text()
    assert "accelerator_lib/energy/law.py:2  " in report and "    -    return x * 2\n    +    return x" in report
    assert all((tmp_path / name).read_text() == text for name, text in files.items())
