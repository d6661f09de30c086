"""Mutation testing: the same sample for the same seed, clear refusals, and one mutant from place to report."""

import shutil
import subprocess
import sys
from itertools import islice
from pathlib import Path

import mutants
import pytest
import test_bounds
from refused import refused

ROOT = Path(__file__).parents[1]
SOURCE = '''"""Twice 2."""
@cache
def twice(x):
    if x < -0.5:
        raise ValueError(f"{x + 1}")
    return 1e30 * x
'''
REFUSED = {
    "sistolic": "mutants: there is no topic 'sistolic'; there are: workload, memory",
    "--sample=0": "mutants: a sample of 0 is none, ask for 1 or more",
    "--sample=many": "mutants: argument --sample: invalid int value: 'many'",
}


def test_every_topic_has_modules_and_the_test_of_the_changed_one_runs_first():
    topics, energy, grade = mutants.topics(ROOT), "accelerator_lib/energy/costs.py", "accelerator_course/quiz/grade.py"
    assert energy in topics["energy"] and set(mutants.GROUND) == set(topics["ground"])
    for topic, path, own in (("energy", energy, "test_costs"), ("ground", grade, "test_quiz")):
        tests = mutants.tests_of(topic, path, ROOT)
        assert Path(tests[0]).stem == own and len(tests) == len(set(tests)) > 3
        bounds = [one.split("::")[1].partition("[")[0] for one in tests if "test_bounds.py::" in one]
        assert all(hasattr(test_bounds, name) for name in bounds) and bool(bounds) == (topic != "ground")


@pytest.mark.parametrize("option", REFUSED)
def test_a_bad_option_is_one_clear_line(option):
    refused(SystemExit, f"^{REFUSED[option]}[^\n]*$", mutants.main, [option])


def test_a_seed_draws_the_same_mutants_and_messages_and_decorators_are_none():
    assert [(token.string, token.start[0]) for token, _ in mutants.places(SOURCE)] == [("<", 4), ("*", 6)]
    drawn = [[one[:4] for one in islice(mutants.mutants(ROOT, ["energy"], seed), 50)] for seed in (1, 1, 2)]
    assert drawn[0] == drawn[1] != drawn[2] and len({one[1:3] for one in drawn[0]}) > 20


def test_a_mutant_that_no_test_sees_is_reported_and_the_checkout_stays_as_it_is(tmp_path):
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
    shutil.copy(ROOT / "tests" / "mutants.py", tmp_path / "tests")
    command = [sys.executable, tmp_path / "tests" / "mutants.py", "--sample", "1", "energy"]
    run = subprocess.run(command, capture_output=True, text=True, timeout=120)
    assert run.returncode == 0, run.stderr
    assert "survived" in run.stdout and run.stdout.rstrip().endswith("1 survivors: build/mutants.txt")
    assert "accelerator_lib/energy/law.py:2  " in (tmp_path / "build" / "mutants.txt").read_text()
    assert all((tmp_path / name).read_text() == text for name, text in files.items())
