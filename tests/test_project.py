"""What stands around the package: README, Make targets, Binder, licence."""

import json
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import badge
import cell
import layout
import pytest
import readme

ROOT = Path(__file__).parents[1]
README = (ROOT / "README.md").read_text(encoding="utf-8")


def test_the_readme_lists_the_chapters_that_exist():
    assert readme.with_table(README) == README, "run  make readme"


@pytest.mark.parametrize("topic, path", list(readme.notebooks()))
def test_every_notebook_is_laid_out_and_leads_to_its_neighbours(topic, path):
    text = path.read_text(encoding="utf-8")
    assert layout.laid_out(text, topic) == text, "run  make readme"


def test_every_link_of_the_readme_leads_somewhere():
    headings = {re.sub(r"[^a-z -]", "", h.lower()).replace(" ", "-") for h in re.findall(r"^## (.*)$", README, re.M)}
    for target in re.findall(r"\]\(([^)]+)\)", README):
        if target.startswith("#"):
            assert target[1:] in headings
        else:
            assert target.startswith("http") or (ROOT / target).exists(), target


def test_pictures_have_a_text_alternative():
    assert all(alt.strip() for alt in re.findall(r"!\[([^]]*)\]", README))


@pytest.mark.parametrize(
    "remote, place",
    [
        ("https://github.com/someone/course.git", "gh/someone/course/main"),
        ("git@github.com:someone/course.git", "gh/someone/course/main"),
        ("https://gitlab.com/group/sub/course", "gl/group%2Fsub%2Fcourse/main"),
        ("ssh://git@git.example.org:2222/a/b.git", "git/https%3A%2F%2Fgit.example.org%2Fa%2Fb.git/main"),
    ],
)
def test_the_badge_leads_to_the_remote_of_the_checkout(remote, place):
    assert badge.link(remote, "main") == f"https://mybinder.org/v2/{place}?urlpath=lab/tree/mine/00_start_here.ipynb"


def test_a_remote_that_binder_cannot_reach_is_said():
    with pytest.raises(ValueError, match="is not an address that Binder could reach"):
        badge.link("/srv/course", "main")


@pytest.mark.parametrize("remote", ["https://github.com/someone/course.git", "git@github.com:someone/course.git"])
def test_the_cell_for_a_hosted_notebook_installs_the_remote_of_the_checkout(remote):
    written = cell.cell(remote, "main")
    assert written == cell.CELL.format(address="https://github.com/someone/course.git@main")
    assert cell.CELL.format(address="ADDRESS") in README.replace("\n    ", "\n")
    with pytest.raises(ValueError, match="is not an address that a hosted notebook could reach"):
        cell.cell("/srv/course", "main")


def test_the_cell_measures_with_what_its_options_are():
    command = cell.CELL.splitlines()[1].removeprefix("!python ").split()
    run = subprocess.run([sys.executable, *command[:2], "--help"], capture_output=True, text=True, check=True)
    assert {word for word in command if word.startswith("--")} <= set(run.stdout.replace(",", " ").split())


def test_binder_builds_the_package_and_opens_the_first_notebook(tmp_path):
    home, copy = tmp_path / "home", tmp_path / "course"
    for folder in ("accelerator_lib", "notebooks", "binder"):
        shutil.copytree(ROOT / folder, copy / folder)
    path = f"{Path(sys.executable).parent}:/usr/bin:/bin"
    environment = {"HOME": str(home), "PATH": path, "PYTHONPATH": str(copy)}
    subprocess.run(["bash", "binder/postBuild"], check=True, env=environment, cwd=copy)
    config = json.loads((home / ".jupyter" / "jupyter_server_config.json").read_text())
    opened = config["ServerApp"]["default_url"].removeprefix("/lab/tree/")
    assert (copy / opened).exists()
    told = subprocess.run(["bash", "binder/start", "env"], capture_output=True, text=True, env=environment, cwd=copy)
    folder = re.search(r"^JUPYTER_PATH=(.*)$", told.stdout, re.M)[1]
    assert (Path(folder) / "kernels" / "python3" / "kernel.json").exists()
    command = [sys.executable, "-m", "repo2docker", "--no-build", "--debug", str(ROOT)]
    run = subprocess.run(command, capture_output=True, text=True)
    assert run.returncode == 0, run.stderr[-1000:]
    dockerfile = run.stdout + run.stderr
    assert '-r "binder/requirements.txt"' in dockerfile and "binder/postBuild" in dockerfile
    wanted = (ROOT / "binder" / "requirements.txt").read_text()
    assert "-r ../requirements.txt" in wanted and "-e ." in wanted and "tests/" not in wanted


def test_ranges_are_pinned_on_both_sides_except_where_stable():
    for line in (ROOT / "requirements.txt").read_text().splitlines():
        if line and not line.startswith("#"):
            assert ">=" in line and ("<" in line or line.startswith("pillow")), line


def test_a_wrong_python_is_one_clear_line():
    run = subprocess.run(["make", "-s", "binder-badge", "PYTHON=/bin/false"], capture_output=True, text=True, cwd=ROOT)
    assert run.returncode and "/bin/false is not Python 3.11 or newer" in run.stdout
    run = subprocess.run(["make", "-s", "binder-badge", "PYTHON="], capture_output=True, text=True, cwd=ROOT)
    assert run.returncode and "No Python 3.11 or newer was found" in run.stdout


def test_no_network_is_one_clear_line(tmp_path):
    """A pip that fails stands in for a network that is not there."""
    for name in ("Makefile", "requirements.txt", "pyproject.toml"):
        (tmp_path / name).write_text((ROOT / name).read_text())
    python = tmp_path / ".venv" / "bin" / "python"
    python.parent.mkdir(parents=True)
    python.write_text("#!/bin/sh\nexit 1\n")
    python.chmod(0o755)
    run = subprocess.run(["make", "lab"], capture_output=True, text=True, cwd=tmp_path)
    assert run.returncode and "is there a network connection?" in run.stdout
    assert not (tmp_path / ".venv" / ".ready").exists()


def test_the_handout_of_a_chapter_that_is_not_there_is_one_clear_line():
    run = subprocess.run([sys.executable, "-m", "accelerator_lib.handout", "99_none"], capture_output=True, text=True)
    assert run.returncode and run.stderr.startswith("handout: there is no chapter '99_none'; there are: 00_start_here")


def test_what_is_served_to_a_hall_is_one_clear_line_where_there_is_none():
    run = subprocess.run(
        [sys.executable, "-m", "accelerator_lib.pages", "present", "99_none"], capture_output=True, text=True
    )
    assert run.returncode and run.stderr.startswith("present: there is no chapter '99_none'; there are: 00_start_here")
    run = subprocess.run([sys.executable, "-m", "accelerator_lib.pages", "perform"], capture_output=True, text=True)
    assert run.returncode and "present 06_systolic" in run.stderr


def test_the_tests_leave_nothing_in_the_systems_folder_for_temporary_files(tmp_path):
    command = [sys.executable, "-m", "pytest", "-p", "no:cacheprovider", "-n", "1", "--basetemp", str(tmp_path / "own")]
    environment = os.environ | {"TMPDIR": str(tmp_path), "TEMP": str(tmp_path)}
    run = subprocess.run([*command, "tests/test_units.py"], capture_output=True, text=True, cwd=ROOT, env=environment)
    assert run.returncode == 0, run.stdout[-500:]
    assert {path.name for path in tmp_path.iterdir()} <= {"own"}
