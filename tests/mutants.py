"""Mutation testing: change one operator or number of a model, run its topic's tests, see whether one of them fails.

    make mutants SAMPLE=300 SEED=1 TOPIC=roofline           the survivors: build/mutants.txt

The mutants run in copies of this checkout, the test module of the changed module first, the signatures and the claims of its chapter
last; the first failure ends the run, and what takes five times as long as without a mutant is timed out, which counts as killed. A
topic whose tests fail without a mutant is left out. Each place is drawn once; messages, decorators and imports are never changed.
"""

import argparse
import ast
import compileall
import io
import os
import random
import resource
import shutil
import subprocess
import sys
import tempfile
import time
import tokenize
from collections import Counter, namedtuple
from concurrent.futures import ThreadPoolExecutor
from itertools import islice
from pathlib import Path
from py_compile import PycInvalidationMode
from queue import Queue

from accelerator_course import syllabus

ROOT = Path(__file__).parents[1]
WORKERS = 2
BYTES = 4 << 30  # of one test run: a mutant may ask for an array of any size
COPIED = ("accelerator_lib", "accelerator_course", "tests", "quizzes", "notebooks", "pyproject.toml")
PYTEST = ["-m", "pytest", "-x", "-p", "no:cacheprovider", "-p", "_hypothesis_pytestplugin", "--override-ini"]
PYTEST += ["addopts=--import-mode=importlib --strict-markers", "--hypothesis-profile=mutants"]
PYTEST += ["-k", "not any_input"]  # every function of the package on odd input: minutes for a mutant of the ground
BOUNDS = "test_what_may_enter_is_checked_its_default_may_be_given_and_its_limits_can_be_said"
ROWS = {"refused": "refusals.py::test_what_cannot_be_is_one_clear_line", "claims": "claims.py::test_every_claim_holds"}
PROFILE = """from hypothesis import Phase, settings  # the first failure is enough, it need not be the smallest
settings.register_profile("mutants", derandomize=True, deadline=None, phases=[Phase.explicit, Phase.generate])
"""
OUTCOMES = ("killed", "timed out", "survived")
GROUND = {
    f"accelerator_lib/{name}.py": f"test_{name.split('/')[-1]}" for name in ("units", "checks/inputs", "hardware")
}
GROUND |= {"accelerator_lib/checks/signature.py": "test_signature", "accelerator_lib/data/__init__.py": "test_data"}
GROUND |= {f"accelerator_course/quiz/{name}.py": "test_quiz" for name in ("grade", "quantity")}
GROUND |= {"accelerator_course/exercises/rungs.py": "test_rungs"}  # {what all models stand on: its tests}
ALIKE = ("+ - * / // % **", ">> << | & ^", "== != < <= > >=", "and or", "True False", "min max")
SKIPPED = ("raise ", "@", "import ", "from ")

Mutant = namedtuple("Mutant", "topic path line change text")  # text: the module with the change


def topics(root):
    """{topic: its modules}; those on which all models stand are the topic ground."""
    package = root / "accelerator_lib"
    found = {topic: sorted((package / topic).rglob("*.py")) for topic in [*syllabus.rooms(), "machine"]}
    found["ground"] = [path for name in GROUND if (path := root / name).exists()]
    return {topic: [str(path.relative_to(root)) for path in paths] for topic, paths in found.items() if paths}


def places(source):
    """(token, what may stand in its place) of all that can be changed."""
    before = ""
    for token in tokenize.generate_tokens(io.StringIO(source).readline):
        word, sign = token.string, token.string in ("*", "**", "-", "+")
        alike = next((group.split() for group in ALIKE if word in group.split()), ())
        unary = sign and not (before[-1:].isalnum() or before[-1:] in ")]}_'\"")
        if not token.line.strip().startswith(SKIPPED) and not unary:
            if token.type == tokenize.NUMBER and word.isdigit():
                yield token, [str(int(word) + 1), *([str(int(word) - 1)] if int(word) else [])]
            elif alike and token.type in (tokenize.OP, tokenize.NAME):
                yield token, [other for other in alike if other != word]
        before = word.strip() or before


def mutants(root, chosen, seed):
    """The mutants of these topics that change a program, one of each place, in random order: the same for the same seed."""
    luck = random.Random(seed)
    sources = {path: (topic, (root / path).read_text("utf-8")) for topic in chosen for path in topics(root)[topic]}
    found = [(path, *place) for path, (_, source) in sources.items() for place in places(source)]
    for path, token, others in luck.sample(found, len(found)):
        (topic, source), other, (row, start) = sources[path], luck.choice(others), token.start
        lines = source.splitlines(keepends=True)
        lines[row - 1] = lines[row - 1][:start] + other + lines[row - 1][token.end[1] :]
        text = "".join(lines)
        try:
            if ast.dump(ast.parse(text)) != ast.dump(ast.parse(source)):
                yield Mutant(topic, path, row, f"{token.string} -> {other}:  {lines[row - 1].strip()}", text)
        except SyntaxError:
            continue


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
    own, ground, tests = GROUND.get(path, f"test_{Path(path).stem}"), topic == "ground", root / "tests"
    paths = [tests / f"{name}.py" for name in dict.fromkeys(GROUND.values()) if ground]
    paths = sorted([*paths, *sorted((tests / topic).rglob("test_*.py"))], key=lambda one: one.stem != own)
    bounds = [f"bounds.py::{BOUNDS}[accelerator_lib.{topic}]"] * (not ground and (tests / "test_bounds.py").exists())
    rows = [f"{test}[{topic}]" for name, test in ROWS.items() if (tests / topic / f"{name}.yaml").exists()]
    return [*(str(one.relative_to(root)) for one in paths), *(f"tests/test_{one}" for one in (*bounds, *rows))]


def copied(folder):
    """A copy of this checkout, in which what is changed is compiled anew."""
    for path in filter(Path.exists, (ROOT / name for name in COPIED)):
        (shutil.copytree if path.is_dir() else shutil.copy2)(path, folder / path.name)
    (folder / "tests" / "sweep_plugin.py").write_text(PROFILE)  # instead of nbval, which takes 4 s to load
    compileall.compile_dir(folder / "accelerator_lib", quiet=2, invalidation_mode=PycInvalidationMode.CHECKED_HASH)
    return folder


def run(folder, topic, path, text=None, limit=600):
    """(outcome, seconds) of the tests of a topic in a copy, with a module changed."""
    file, start = folder / path, time.perf_counter()
    own = {"CI": "true", "PYTHONPATH": str(folder), "PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1"}
    kept, command = file.read_text("utf-8"), [sys.executable, *PYTEST, *tests_of(topic, path, folder)]
    most = lambda: resource.setrlimit(resource.RLIMIT_DATA, (BYTES, BYTES))  # noqa: E731
    try:
        file.write_text(text or kept, "utf-8")
        ended = subprocess.run(
            command, cwd=folder, env=os.environ | own, capture_output=True, timeout=limit, preexec_fn=most
        )
        outcome = "killed" if ended.returncode else "survived"
    except subprocess.TimeoutExpired:
        outcome = "timed out"
    finally:
        file.write_text(kept, "utf-8")
    return outcome, time.perf_counter() - start


def tried(drawn, folders):
    """Yield (mutant, outcome) as the tests end."""
    free = Queue()
    for folder in folders:
        free.put(folder)

    def alone(*given):
        folder = free.get()
        try:
            return run(folder, *given)
        finally:
            free.put(folder)

    with ThreadPoolExecutor(len(folders)) as pool:
        plain, limits = {m.topic: pool.submit(alone, m.topic, m.path) for m in {m.topic: m for m in drawn}.values()}, {}
        for topic, (outcome, seconds) in ((topic, future.result()) for topic, future in plain.items()):
            limits |= {topic: 20 + 5 * seconds} if outcome == "survived" else {}
            if topic not in limits:
                print(f"{topic}: left out, its tests are red without a mutant", flush=True)
        sent = [(m, pool.submit(alone, m.topic, m.path, m.text, limits[m.topic])) for m in drawn if m.topic in limits]
        for mutant, (outcome, seconds) in ((mutant, future.result()) for mutant, future in sent):
            print(f"{outcome:9} {seconds:6.1f} s  {mutant.path}:{mutant.line}  {mutant.change}", flush=True)
            yield mutant, outcome


def table(counts):
    """Lines of {topic: Counter of outcomes}, and of all topics together."""
    yield f"{'':10}{'mutants':>12}{''.join(f'{name:>12}' for name in OUTCOMES)}{'share killed':>14}"
    for topic, count in {**counts, "all": sum(counts.values(), Counter())}.items():
        share = f"{1 - count['survived'] / count.total():.0%}" if count.total() else "-"
        yield f"{topic:10}{count.total():12}{''.join(f'{count[name]:12}' for name in OUTCOMES)}{share:>14}"


def main(arguments=None):
    known = topics(ROOT)
    asked, counts, survivors, start = options(arguments, known), {}, [], time.perf_counter()
    found = mutants(ROOT, [asked.topic] if asked.topic else known, asked.seed)
    drawn = list(islice(found, asked.sample))
    with tempfile.TemporaryDirectory(prefix="mutants-") as folder:
        folders = [copied(Path(folder).resolve() / str(worker)) for worker in range(WORKERS)]
        for mutant, outcome in tried(drawn, folders):
            counts.setdefault(mutant.topic, Counter())[outcome] += 1
            survivors += [f"{mutant.path}:{mutant.line}  {mutant.change}"] * (outcome == "survived")
    summary, report = "\n".join(table(dict(sorted(counts.items())))), ROOT / "build" / "mutants.txt"
    report.parent.mkdir(exist_ok=True)
    report.write_text("\n".join([f"seed {asked.seed}\n{summary}\n", *sorted(survivors)]) + "\n", encoding="utf-8")
    print(f"\n{summary}\n\n{time.perf_counter() - start:.0f} s; {len(survivors)} survivors: {report.relative_to(ROOT)}")


if __name__ == "__main__":
    main()
