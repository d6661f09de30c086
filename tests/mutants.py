"""Mutation testing: change one operator or number of a model, run its topic's tests, see whether one of them fails.

    make mutants SAMPLE=300 SEED=1 TOPIC=roofline           the survivors: build/mutants.txt

    share killed = (killed + timed out) / (mutants - incompetent)

The mutants run in copies of this checkout, those of mutations.py in random order. The test module of the changed module
runs first, the signatures and the claims of its chapter last; the first failure ends the run. Timed out is what takes
five times as long as the tests without a mutant; incompetent what does not compile. A topic whose tests fail without a
mutant is left out.
"""

import argparse
import compileall
import multiprocessing
import os
import re
import resource
import shlex
import shutil
import subprocess
import sys
import tempfile
import time
from collections import Counter
from concurrent.futures import ProcessPoolExecutor
from itertools import islice
from pathlib import Path
from py_compile import PycInvalidationMode

import mutations

ROOT = Path(__file__).parents[1]
WORKERS = 2
BYTES = 4 << 30  # of one test run: a mutant may ask for an array of any size
COPIED = ("accelerator_lib", "accelerator_course", "tests", "quizzes", "notebooks", "pyproject.toml")
PYTEST = ["-m", "pytest", "-x", "-p", "no:cacheprovider", "-p", "_hypothesis_pytestplugin", "--override-ini"]
PYTEST += ["addopts=--import-mode=importlib --strict-markers", "--hypothesis-profile=mutants"]
PYTEST += ["-k", "not any_input"]  # every function of the package on odd input: minutes for a mutant of the ground
BOUNDS = ("whatever_says_what_may_enter_checks_it", "a_default_may_be_given", "a_limit_is_a_number_that_one_can_say")
CLAIMS = "tests/test_claims.py::test_every_claim_holds"  # what the chapter says; last, for its notebook is run
REFUSED = "tests/test_refusals.py::test_what_cannot_be_is_one_clear_line"
PROFILE = """from hypothesis import Phase, settings  # the first failure is enough, it need not be the smallest
settings.register_profile("mutants", derandomize=True, deadline=None, phases=[Phase.explicit, Phase.generate])
"""
OUTCOMES = ("killed", "timed out", "survived", "incompetent")


def options(arguments, known):
    """What the command line asks for; anything wrong ends in one line."""
    parser = argparse.ArgumentParser(prog="mutants")
    parser.error = lambda message: sys.exit(f"mutants: {message}")
    parser.add_argument("topic", nargs="?", default="")
    parser.add_argument("--sample", type=int, default=300)
    parser.add_argument("--seed", type=int, default=1)
    asked = parser.parse_args(arguments)
    if asked.topic not in ["", *known]:
        parser.error(f"there is no topic {asked.topic!r}; there are: {', '.join(known)}")
    if asked.sample < 1:
        parser.error(f"a sample of {asked.sample} is none, ask for 1 or more")
    return asked


def tests_of(topic, path, root):
    """The test modules of a topic, that of the changed module first."""
    ground = {f"{module}.py": f"test_{test}" for module, test in mutations.GROUND.items()}
    paths = [root / "tests" / f"{name}.py" for name in dict.fromkeys(ground.values()) if topic == "ground"]
    paths += sorted((root / "tests" / topic).rglob("test_*.py"))
    own = ground.get(path, f"test_{Path(path).stem}")
    bounds = BOUNDS if topic != "ground" and (root / "tests" / "test_bounds.py").exists() else ()
    claims = [f"{CLAIMS}[{topic}]"] if (root / "tests" / topic / "claims.yaml").exists() else []
    refused = [f"{REFUSED}[{topic}]"] if (root / "tests" / topic / "refused.yaml").exists() else []
    own = [str(p.relative_to(root)) for p in sorted(paths, key=lambda p: p.stem != own)]
    return [*own, *(f"tests/test_bounds.py::test_{name}[{topic}]" for name in bounds), *refused, *claims]


def copies(folder):
    """The names of WORKERS copies of this checkout, all of the same moment."""
    first = folder / "0"
    for path in filter(Path.exists, (ROOT / name for name in COPIED)):
        (shutil.copytree if path.is_dir() else shutil.copy2)(path, first / path.name)
    (first / "tests" / "sweep_plugin.py").write_text(PROFILE)  # instead of nbval, which takes 4 s to load
    stale = PycInvalidationMode.CHECKED_HASH  # by content: a mutant may be as long and as old as what it replaces
    compileall.compile_dir(first / "accelerator_lib", quiet=2, invalidation_mode=stale)
    return [first, *(shutil.copytree(first, folder / str(worker)) for worker in range(1, WORKERS))]


def settle(folders):
    """A worker moves into its copy, from which its tests then import."""
    os.chdir(folders.get())
    os.environ |= {"CI": "true", "PYTHONPATH": os.getcwd(), "PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1"}
    resource.setrlimit(resource.RLIMIT_DATA, (BYTES, BYTES))
    command = [sys.executable, "-c", "import accelerator_lib; print(accelerator_lib.__file__)"]
    imported = subprocess.run(command, cwd="/", capture_output=True, text=True, check=True).stdout
    assert Path(imported).is_relative_to(Path.cwd()), f"the tests would import {imported}"


def run(topic, path, operator="core/NoOp", occurrence=0, limit=600):
    """(outcome, changed lines, seconds) of a mutant in this worker's copy; without an operator nothing is changed."""
    from cosmic_ray.mutating import mutate_and_test
    from cosmic_ray.work_item import MutationSpec

    start, tests = time.perf_counter(), tests_of(topic, path, Path.cwd()) or [f"tests/{topic}"]
    change = MutationSpec(path, operator, occurrence, (1, 0), (1, 1))
    result = mutate_and_test([change], shlex.join([sys.executable, *PYTEST, *tests]), limit)
    lines = [line for line in (result.diff or "").split("\n") if re.match(r"[-+](?!--|\+\+)\s*\S", line)]
    outcome = "timed out" if result.output == "timeout" else result.test_outcome.value
    return outcome, lines, time.perf_counter() - start


def tried(drawn, folders):
    """Yield (mutant, outcome, changed lines) as the tests end."""
    names = multiprocessing.SimpleQueue()
    for folder in folders:
        names.put(str(folder))
    with ProcessPoolExecutor(len(folders), initializer=settle, initargs=[names]) as pool:
        plain = {m.topic: pool.submit(run, m.topic, m.path) for m in {m.topic: m for m in drawn}.values()}
        limits = {}
        for topic, (outcome, _, seconds) in ((topic, future.result()) for topic, future in plain.items()):
            limits |= {topic: 20 + 5 * seconds} if outcome == "survived" else {}
            if topic not in limits:
                print(f"{topic}: left out, its tests are red without a mutant", flush=True)
        green = [m for m in drawn if m.topic in limits]
        sent = {m: pool.submit(run, m.topic, m.path, m.operator, m.occurrence, limits[m.topic]) for m in green}
        for mutant, (outcome, lines, seconds) in ((mutant, future.result()) for mutant, future in sent.items()):
            outcome = outcome if mutant.compiles else "incompetent"
            print(f"{outcome:11} {seconds:6.1f} s  {mutant}", flush=True)
            yield mutant, outcome, lines


def table(counts):
    """Lines of {topic: Counter of outcomes}, and of all topics together."""
    rows = {**counts, "all": sum(counts.values(), Counter())}
    yield f"{'':10}{'mutants':>12}{''.join(f'{name:>12}' for name in OUTCOMES)}{'share killed':>14}"
    for topic, count in rows.items():
        fit = count.total() - count["incompetent"]
        share = f"{1 - count['survived'] / fit:.0%}" if fit else "-"
        yield f"{topic:10}{count.total():12}{''.join(f'{count[name]:12}' for name in OUTCOMES)}{share:>14}"


def main(arguments=None):
    known = mutations.topics(ROOT)
    asked = options(arguments, known)
    counts, survivors, start = {}, [], time.perf_counter()
    with tempfile.TemporaryDirectory(prefix="mutants-") as folder:
        folders = copies(Path(folder).resolve())
        found = mutations.mutants(folders[0], [asked.topic] if asked.topic else known, asked.seed)
        for mutant, outcome, lines in tried(list(islice(found, asked.sample)), folders):
            counts.setdefault(mutant.topic, Counter())[outcome] += 1
            survivors += [(mutant.path, mutant.line, "\n    ".join([str(mutant), *lines]))] * (outcome == "survived")
    summary, report = "\n".join(table(dict(sorted(counts.items())))), ROOT / "build" / "mutants.txt"
    report.parent.mkdir(exist_ok=True)
    listed = [text for _, _, text in sorted(survivors)]
    report.write_text("\n\n".join([f"seed {asked.seed}\n{summary}", *listed]) + "\n", encoding="utf-8")
    print(f"\n{summary}\n\n{time.perf_counter() - start:.0f} s; {len(listed)} survivors: {report.relative_to(ROOT)}")


if __name__ == "__main__":
    main()
