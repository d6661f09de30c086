"""What stands around the package: README, Make targets, Binder, licence."""

import json
import os
import re
import shutil
import subprocess
import sys
from itertools import product
from pathlib import Path
from urllib.parse import parse_qs

import badge
import cell
import layout
import pytest
import readme
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

ROOT = Path(__file__).parents[1]
README, INSTALL, CONTRIBUTING = (
    (ROOT / f"{name}.md").read_text(encoding="utf-8") for name in ("README", "INSTALL", "CONTRIBUTING")
)


def test_the_readme_lists_the_chapters_that_exist():
    assert readme.with_table(README) == README and readme.with_misses(CONTRIBUTING) == CONTRIBUTING, "run  make readme"
    assert len(README.splitlines()) <= 110, "what is longer belongs into INSTALL.md or CONTRIBUTING.md"
    assert all(alt.strip() for alt in re.findall(r"!\[([^]]*)\]", README)), "pictures have a text alternative"


@pytest.mark.parametrize("topic, path", list(readme.notebooks()))
def test_every_notebook_is_laid_out_and_leads_to_its_neighbours(topic, path):
    text = path.read_text(encoding="utf-8")
    assert layout.laid_out(text, topic) == text, "run  make readme"


@pytest.mark.parametrize("text", [README, INSTALL, CONTRIBUTING], ids=["README", "INSTALL", "CONTRIBUTING"])
def test_every_link_leads_somewhere(text):
    for target in (target for target in re.findall(r"\]\(([^)]+)\)", text) if not target.startswith("http")):
        file, _, place = target.partition("#")
        page = (ROOT / file).read_text(encoding="utf-8") if file.endswith(".md") else text
        heads = {
            re.sub(r"[^a-z -]", "", head.lower()).replace(" ", "-") for head in re.findall(r"^## (.*)$", page, re.M)
        }
        assert (ROOT / file).exists() and (not place or place in heads), target


REMOTE = "git@github.com:someone/course.git"
PLACES = {
    "https://github.com/someone/course.git": "gh/someone/course/main",
    REMOTE: "gh/someone/course/main",
    "https://gitlab.com/group/sub/course": "gl/group%2Fsub%2Fcourse/main",
    "ssh://git@git.example.org:2222/a/b.git": "git/https%3A%2F%2Fgit.example.org%2Fa%2Fb.git/main",
}
HUBS = {f"https://hub.example.org{end}": "https://hub.example.org" for end in ("", "/", "/hub", "/hub/")}
HUBS |= {"http://hub": "http://hub", "http://hub/hub": "http://hub"}
HUBS |= {"https://example.org/class/hub/": "https://example.org/class"}


def test_the_badge_leads_to_the_remote_of_the_checkout():
    for remote, place in PLACES.items():
        assert (
            badge.link(remote, "main") == f"https://mybinder.org/v2/{place}?urlpath=lab/tree/mine/00_start_here.ipynb"
        )
    with pytest.raises(ValueError, match="is not an address that Binder could reach"):
        badge.link("/srv/course", "main")


def test_the_link_of_a_class_fetches_the_remote_of_the_checkout_and_opens_the_first_notebook():
    for hub, home in HUBS.items():  # named with its last part or without
        page, _, query = badge.class_link(hub, REMOTE, "main").partition("?")
        assert page == f"{home}/hub/user-redirect/git-pull"
    asked = {name: value for name, (value,) in parse_qs(query).items()}
    assert asked["repo"] == "https://github.com/someone/course.git" and asked["branch"] == "main"
    assert asked["urlpath"] == "lab/tree/course/notebooks/00_start_here.ipynb"
    with pytest.raises(ValueError, match="'my hub' is not the address of a hub, such as https://"):
        badge.class_link("my hub", REMOTE, "main")


def make(*arguments, folder=ROOT):
    return subprocess.run(["make", *arguments], capture_output=True, text=True, cwd=folder)


def module(*arguments):
    return subprocess.run([sys.executable, "-m", *arguments], capture_output=True, text=True)


def test_a_link_for_a_class_needs_its_hub(capsys):
    assert badge.main("") == 1
    (line,) = capsys.readouterr().out.splitlines()
    run = make("-s", "class-link", HERE)
    assert "HUB=https://" in line and run.returncode and run.stdout == f"{line}\n"


def test_a_checkout_that_stands_on_no_branch_names_one_of_its_remote(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    badge.git("init", "--initial-branch=lesson")
    badge.git("-c", "user.name=a", "-c", "user.email=a@b", "commit", "--allow-empty", "-m", "first")
    badge.git("remote", "add", "origin", REMOTE)
    assert badge.branch() == "lesson"
    badge.git("checkout", "--detach")
    assert badge.branch() == "main"
    badge.git("symbolic-ref", "refs/remotes/origin/HEAD", "refs/remotes/origin/spring")
    assert badge.branch() == "spring"
    assert badge.main("https://hub.example.org") == 0 and "&branch=spring&" in capsys.readouterr().out


def test_the_cells_for_a_hosted_notebook_install_the_remote_of_the_checkout():
    for remote in list(PLACES)[:2]:
        written = cell.cell(remote, "main")
        assert written == cell.CELL.format(address="https://github.com/someone/course.git@main")
    with pytest.raises(ValueError, match="is not an address that a hosted notebook could reach"):
        cell.cell("/srv/course", "main")
    told = INSTALL.replace("\n    ", "\n")
    assert cell.CELL.format(address="ADDRESS") in told and cell.filled("ADDRESS", cell.COURSE) in told
    written = cell.cell(REMOTE, "main", cell.COURSE)
    assert written.startswith("%pip install --quiet --no-deps git+https://github.com/someone/course.git@main\n")
    command = cell.CELL.splitlines()[1].removeprefix("!python -m ").split()
    known = module(command[0], "--help").stdout.replace(",", " ").split()
    assert {word for word in command if word.startswith("--")} <= set(known)


def test_binder_builds_the_package_and_opens_the_first_notebook(tmp_path):
    home, copy = tmp_path / "home", tmp_path / "course"
    for folder in ("accelerator_lib", "accelerator_course", "notebooks", "binder"):
        shutil.copytree(ROOT / folder, copy / folder)
    pip = tmp_path / "bin" / "python"  # which installs nothing into the environment of the tests
    program(pip, f'[ "$1 $2" = "-m pip" ] && echo "$*" >> {tmp_path}/pip && exit\nexec "{sys.executable}" "$@"')
    path = f"{pip.parent}:{Path(sys.executable).parent}:/usr/bin:/bin"
    environment = {"HOME": str(home), "PATH": path, "PYTHONPATH": str(copy)}
    subprocess.run(["bash", "binder/postBuild"], check=True, env=environment, cwd=copy)
    assert (tmp_path / "pip").read_text() == "-m pip install --no-cache-dir --no-deps -e .\n"
    config = json.loads((home / ".jupyter" / "jupyter_server_config.json").read_text())
    opened = config["ServerApp"]["default_url"].removeprefix("/lab/tree/")
    assert (copy / opened).exists()
    told = subprocess.run(["bash", "binder/start", "env"], capture_output=True, text=True, env=environment, cwd=copy)
    own, shell = re.search(r"^JUPYTER_PATH=(.*)$", told.stdout, re.M)[1].split(":")
    assert (Path(own) / "kernels" / "python3" / "kernel.json").exists()
    assert (Path(shell) / "labextensions" / "accelerator-course" / "package.json").exists()
    command = [sys.executable, "-m", "repo2docker", "--no-build", "--debug", str(ROOT)]
    calm = {name: value for name, value in os.environ.items() if name != "PYTHONWARNINGS"}  # repo2docker itself warns
    run = subprocess.run(command, capture_output=True, text=True, env=calm)
    assert run.returncode == 0, run.stderr[-1000:]
    dockerfile = run.stdout + run.stderr
    assert '-r "binder/requirements.txt"' in dockerfile and "binder/postBuild" in dockerfile


LOCK = (ROOT / "binder" / "requirements.txt").read_text()


def test_the_lock_holds_one_version_within_every_range_with_a_digest_and_nothing_that_no_range_asks_for():
    """On the machines that the course is for; `make lock` writes it."""
    pins = [Requirement(line.rstrip(" \\")) for line in re.findall(r"^[a-zA-Z].*$", LOCK, re.M)]
    blocks = re.findall(r"^[a-zA-Z].*\\\n +--hash=sha256:[0-9a-f]{64}", LOCK, re.M)
    assert len(pins) == len(blocks) > 100 and "://" not in LOCK and "index" not in LOCK
    named = re.findall(r"^([\w.-]+)==.*\n(?: +--hash.*\n)+((?: +#.*\n)+)", LOCK, re.M)
    asked = {canonicalize_name(name) for name, via in named if "-r requirements.txt" in via}
    lines = [line for line in (ROOT / "requirements.txt").read_text().splitlines() if line and line[0] != "#"]
    assert all(">=" in line and ("<" in line or line.startswith("pillow")) for line in lines), "pinned on both sides"
    ranges = {canonicalize_name(wanted.name): wanted for wanted in map(Requirement, lines)}
    assert asked == set(ranges), "run  make lock"
    for python, system in product(("3.11", "3.12", "3.13", "3.14"), ("linux", "darwin", "win32")):
        here = {"python_version": python, "python_full_version": f"{python}.9", "sys_platform": system}
        fit = [pin for pin in pins if pin.marker is None or pin.marker.evaluate(here)]
        for name, wanted in ranges.items():
            (pin,) = (pin for pin in fit if canonicalize_name(pin.name) == name)
            assert wanted.specifier.contains(next(iter(pin.specifier)).version), f"{pin}: run  make lock"


def test_a_wrong_python_is_one_clear_line():
    told = {"/bin/false": "/bin/false is not Python 3.11 or newer", "": "No Python 3.11 or newer was found"}
    for python, said in told.items():
        run = make("-s", "binder-badge", f"PYTHON={python}")
        assert run.returncode and said in run.stdout


def fresh(folder, pip):
    """A checkout that Make sets up, with a Python that notes what it is asked and then does as told."""
    (folder / "binder").mkdir()
    for name in ("Makefile", "requirements.txt", "pyproject.toml", "binder/requirements.txt"):
        (folder / name).write_text((ROOT / name).read_text())
    program(folder / ".venv" / "bin" / "python", f'echo "python $*" >> {folder}/asked\n{pip}')
    return folder / "asked"


def program(path, text):
    path.parent.mkdir(parents=True)
    path.write_text(f"#!/bin/sh\n{text}\n")
    path.chmod(0o755)


LOCKED, ITSELF = "--require-hashes -r binder/requirements.txt", "--no-deps -e ."
QUIET = "--disable-pip-version-check"
HERE = f"PYTHON={sys.executable}"  # so that Make need not look for one


@pytest.mark.parametrize("refused, asked", [("", [LOCKED, ITSELF]), (LOCKED, [LOCKED, "-r requirements.txt", ITSELF])])
def test_the_tested_versions_are_installed_and_the_ranges_where_they_cannot_be_had(tmp_path, refused, asked):
    said = fresh(tmp_path, f'case "$*" in *"{refused or "never"}") exit 1;; esac')
    subprocess.run(["make", "-s", ".venv/.ready", "UV=", HERE], check=True, cwd=tmp_path)
    assert said.read_text().splitlines() == [f"python -m pip install {QUIET} {what}" for what in asked]


DIFFERS = ["ERROR: THESE PACKAGES DO NOT MATCH THE HASHES FROM THE REQUIREMENTS FILE.", "Hash mismatch for `anyio`"]
FAILS = {f"echo '{said}' >&2; exit 1": "its digest differs" for said in DIFFERS} | {
    "exit 1": "is there a network connection?"
}


@pytest.mark.parametrize("pip", FAILS)
def test_a_package_with_another_digest_is_not_replaced_and_no_network_is_one_clear_line(pip, tmp_path):
    """A pip that fails stands in for a network that is not there."""
    asked, said = fresh(tmp_path, pip), FAILS[pip]
    run = make("lab", "UV=", HERE, folder=tmp_path)
    assert run.returncode and said in run.stdout and ("network" in run.stdout) == ("network" in said)
    first, *more = asked.read_text().splitlines()
    assert first == f"python -m pip install {QUIET} {LOCKED}" and bool(more) == ("network" in said)
    assert not (tmp_path / ".venv" / ".ready").exists()


def test_uv_installs_where_it_is_there(tmp_path):
    said, uv = fresh(tmp_path, "exit 1"), tmp_path / "bin" / "uv"
    program(uv, f'echo "uv $*" >> {said}')
    surroundings = {name: value for name, value in os.environ.items() if name != "UV"}
    surroundings["PATH"] = f"{uv.parent}{os.pathsep}{os.environ['PATH']}"
    subprocess.run(["make", "-s", ".venv/.ready", HERE], check=True, cwd=tmp_path, env=surroundings)
    first, second = lines = said.read_text().splitlines()
    assert all(line.startswith("uv pip install ") and "--python .venv/bin/python" in line for line in lines)
    assert first.endswith(LOCKED) and second.endswith(ITSELF)


def test_a_chapter_that_is_not_there_is_one_clear_line():
    for name, *command in (("handout", ".handout"), ("present", "", "present")):
        run = module(f"accelerator_course.pages{command[0]}", *command[1:], "99_none")
        said = f"{name}: there is no chapter '99_none'; there are: 00_start_here"
        assert run.returncode and run.stderr.startswith(said)
    run = module("accelerator_course.pages", "perform")
    assert run.returncode and "present 06_systolic" in run.stderr


def test_the_tests_leave_nothing_in_the_systems_folder_for_temporary_files(tmp_path):
    command = [sys.executable, "-m", "pytest", "-p", "no:cacheprovider", "-n", "1", "--basetemp", str(tmp_path / "own")]
    environment = os.environ | {"TMPDIR": str(tmp_path), "TEMP": str(tmp_path)}
    run = subprocess.run([*command, "tests/test_units.py"], capture_output=True, text=True, cwd=ROOT, env=environment)
    assert run.returncode == 0, run.stdout[-500:]
    assert {path.name for path in tmp_path.iterdir()} <= {"own"}
