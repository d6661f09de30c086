"""A wheel is the whole course: built, installed where no checkout is, and used from another folder."""

import json
import os
import re
import shutil
import subprocess
import sys
import sysconfig
import tarfile
from hashlib import sha256
from pathlib import Path
from zipfile import ZipFile

import cell
import pytest

ROOT = Path(__file__).parents[1]
FILES = ("pyproject.toml", "setup.py", "requirements.txt", "README.md", "LICENSE")
FOLDERS = ("accelerator_lib", "accelerator_course", "notebooks", "quizzes")
DATA = "accelerator_course-0.1.0.data/data"
MOST_BYTES = 5_000_000  # a browser downloads it
USED = """
import json, re
from accelerator_course import widgets
from accelerator_course.start import folders, needs
cells = json.loads((folders.NOTEBOOKS / "03_roofline.ipynb").read_text(encoding="utf-8"))["cells"]
code = ["".join(cell["source"]) for cell in cells if cell["cell_type"] == "code"]
scope = {}
for source in code[: next(i for i, source in enumerate(code) if "predict(" in source and "explore(" in source) + 1]:
    exec(source, scope)
card = widgets.predict("roofline", "batch-128")
card.commit({"option": card.right})
print(json.dumps({
    "from": widgets.__file__,
    "check": needs.check(),
    "chapters": widgets.chapters().data,
    "questions": [item.widget.ask for item in widgets.quiz("roofline").items],
    "verdict": card.verdict,
}))
"""


def ended(command, **more):
    """What a command prints, which must end well."""
    run = subprocess.run(command, capture_output=True, text=True, **more)
    assert run.returncode == 0, run.stderr[-2000:]
    return run.stdout


def build(source, kind, folder):
    """Build a `sdist` or `wheel` as pip does, with the setuptools that is here; returns its path."""
    code = f"from setuptools import build_meta; print(build_meta.build_{kind}({str(folder)!r}))"
    return folder / ended([sys.executable, "-c", code], cwd=source).splitlines()[-1]


@pytest.fixture(scope="module")
def source(tmp_path_factory):
    """What a checkout holds, without what running it has left there."""
    copy = tmp_path_factory.mktemp("source") / "course"
    left = shutil.ignore_patterns("__pycache__", ".ipynb_checkpoints")
    for folder in FOLDERS:
        shutil.copytree(ROOT / folder, copy / folder, ignore=left)
    for name in FILES:
        shutil.copy(ROOT / name, copy / name)
    return copy


@pytest.fixture(scope="module")
def wheel(source, tmp_path_factory):
    """Built where an earlier build has left a module that the course has no more."""
    left = source / "build" / "lib" / "accelerator_lib" / "left.py"
    left.parent.mkdir(parents=True)
    left.touch()
    return build(source, "wheel", tmp_path_factory.mktemp("wheel"))


def digest(content):
    """A few letters instead of megabytes, which a failing comparison would print."""
    return sha256(content).hexdigest()[:12]


def content(wheel):
    """{name: digest} of what a wheel installs."""
    with ZipFile(wheel) as archive:
        return {name: digest(archive.read(name)) for name in archive.namelist() if ".dist-info/" not in name}


def test_a_wheel_holds_every_file_of_the_course_and_is_small_and_pure(source, wheel):
    files = [path for folder in FOLDERS for path in (source / folder).rglob("*") if path.is_file()]
    taken = {path.relative_to(source).as_posix(): digest(path.read_bytes()) for path in files}
    inside = {
        name if name[:12] == "accelerator_" else f"accelerator_course/course/{name}": d for name, d in taken.items()
    }
    shell = {name: d for name, d in inside.items() if "/labextensions/" in name}  # and where JupyterLab looks for it
    shared = {name.replace("accelerator_course", f"{DATA}/share/jupyter"): d for name, d in shell.items()}
    assert len(shell) == 5 and content(wheel) == inside | shared
    assert wheel.name.endswith("-py3-none-any.whl") and wheel.stat().st_size < MOST_BYTES


def test_learning_needs_jax_and_no_test_tool(wheel):
    with ZipFile(wheel) as archive:
        (metadata,) = (name for name in archive.namelist() if name.endswith(".dist-info/METADATA"))
        lines = archive.read(metadata).decode().splitlines()
    needs = [line.partition(": ")[2] for line in lines if line.startswith("Requires-Dist") and "extra ==" not in line]
    wanted = [line.partition("#")[0].strip() for line in (ROOT / "requirements.txt").read_text().splitlines()]
    needed, asked = ({re.match(r"[\w-]+", line)[0].lower() for line in each if line} for each in (needs, wanted))
    assert asked - needed == {"nbval"} and {"jax", "numpy", "jupyterlab"} <= needed


def test_a_source_distribution_builds_the_same_wheel(source, wheel, tmp_path):
    with tarfile.open(build(source, "sdist", tmp_path)) as archive:
        archive.extractall(tmp_path, filter="data")
    (unpacked,) = (path for path in tmp_path.iterdir() if path.is_dir())
    assert content(build(unpacked, "wheel", tmp_path)) == content(wheel)


@pytest.fixture(scope="module")
def installed(wheel, tmp_path_factory):
    """run(*command) in a fresh environment that has the wheel."""
    return fresh(tmp_path_factory.mktemp("installed"), wheel)


def fresh(folder, *wheels):
    """run(*command) in a fresh environment that has these wheels, and what is installed here, from an empty folder."""
    here = folder / "env"
    subprocess.run([sys.executable, "-m", "venv", "--without-pip", here], check=True)
    paths = {"base": str(here), "platbase": str(here)}
    library, scripts = (Path(sysconfig.get_path(name, "venv", vars=paths)) for name in ("purelib", "scripts"))
    around = ascii(sysconfig.get_path("purelib"))  # a path of any letters, also where the locale is C
    (library / "around.pth").write_text(
        f"import sys; sys.path.append({around})\n"
    )  # without its .pth files: no checkout
    pip = [sys.executable, "-m", "pip", "--python", scripts / "python", "install", "--quiet", "--no-deps", "--no-index"]
    (folder / "desk").mkdir()
    own = {"PIP_NO_INDEX": "1", "IPYTHONDIR": str(folder / "ipython")}
    own |= {"ACCELERATOR_COURSE_HOME": str(folder / "home"), "JUPYTER_DATA_DIR": str(folder / "data")}
    left = ("PYTHONPATH", "PYTHONWARNINGS")  # pip itself warns
    surroundings = {name: value for name, value in os.environ.items() if name not in left} | own
    for wheel in wheels:
        subprocess.run([*pip, wheel], check=True, env=surroundings)

    def run(name, *arguments):
        return ended([scripts / name, *arguments], cwd=folder / "desk", env=surroundings)

    run.folder = folder
    return run


CELL = """
from IPython.core.interactiveshell import InteractiveShell
ran = InteractiveShell.instance().run_cell({cell!r})
ran.raise_error()
from accelerator_course import widgets
panel = widgets.predict("roofline", "batch-128")
print(widgets.__file__, ran.result.data, panel.get_state()["ask"])
"""


def test_one_cell_sets_the_course_up_in_a_hosted_notebook(tmp_path, wheel):
    """The cell of the README, with the wheel in the place of the repository."""
    run = fresh(tmp_path)
    said = run("python", "-c", CELL.format(cell=cell.filled("", cell.COURSE).replace("git+", str(wheel))))
    assert "Ready: Python 3." in said and str(run.folder / "env") in said
    assert "[Roofline: which limit binds?](03_roofline.ipynb)" in said and "planned" not in said


def test_an_installed_course_has_its_chapters_questions_and_panels(installed):
    said = json.loads(installed("python", "-c", USED).splitlines()[-1])
    assert Path(said["from"]).is_relative_to(installed.folder / "env")
    assert said["check"].startswith("Ready") and said["verdict"] == "right"
    assert said["questions"] and all(said["questions"])
    notebooks = [path.name for path in (ROOT / "notebooks").glob("*.ipynb") if not path.name.startswith("00")]
    assert all(name in said["chapters"] for name in notebooks) and "planned" not in said["chapters"]


def test_its_command_lays_the_notebooks_out_where_one_stands(installed):
    assert "accelerator-course" in installed("accelerator-course", "--version")
    there = installed.folder / "desk" / "accelerator-course"
    assert {p.name for p in there.glob("*.ipynb")} == {p.name for p in (ROOT / "notebooks").glob("*.ipynb")}
    assert (there / "images" / "start.png").exists() and (there / "TEACHING.md").exists()
