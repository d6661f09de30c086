"""Lite: the course in JupyterLite, a folder that any static host serves; Python runs in the learner's browser.

The notebooks, the course as a wheel (its YAML parsed ahead), and packages that the kernel loads before its first cell;
progress lies on the drive that the browser keeps. Needs binder/site-requirements.txt and, once, PyPI.
"""

import argparse
import json
import re
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

from accelerator_course.pages import runtime
from accelerator_course.quiz import bank
from accelerator_course.start import folders
from accelerator_course.start.lab import QUIET
from accelerator_lib import data
from accelerator_lib.data import ahead

PINNED = folders.ROOT / "binder" / "pyodide-lock.json"
LOCK = folders.ROOT / "binder" / "requirements.txt"
CARRIED = ("ipywidgets", "anywidget", "psygnal", "comm", "mistune")  # pure Python that Pyodide does not carry
PATIENCE = folders.PACKAGE / "pages" / "nbconvert" / "templates" / "course" / "patience.js"
HOME = "/drive/progress"  # below /drive the browser keeps what is written
SOURCES = ("pyproject.toml", "setup.py", "requirements.txt", "README.md", "LICENSE")
FOLDERS = ("accelerator_lib", "accelerator_course", "notebooks", "quizzes")
RUBBISH = shutil.ignore_patterns("__pycache__", ".ipynb_checkpoints", "*.egg-info")
PLUGIN = "@jupyterlite/pyodide-kernel-extension:kernel"
EXTENSION = "extensions/@jupyterlite/pyodide-kernel-extension/static/pypi"  # the wheels of JupyterLite's kernel
SHELL = folders.PACKAGE / "labextensions" / "accelerator-course"  # the button that waits for Python
UNUSED = ["@voila-dashboards/jupyterlab-preview", "jupyterlab-slideshow"]  # of the extensions that are installed here
LOOKS = QUIET | {"@jupyterlab/docmanager-extension:plugin": {"autosaveInterval": 10}}  # seconds: a tab is soon closed
ANYWHERE = ["--only-binary=:all:", "--platform=any", "--implementation=py", "--abi=none", "--python-version=3.14"]
WHEEL = "from setuptools import build_meta; print(build_meta.build_wheel({folder!r}))"


def build(out, folder=None, release=None):
    """Write the site below `out`, with the Pyodide of a folder; of a `release` what is needed is pinned anew."""
    out = Path(out).resolve()
    listed = PINNED if folder is None else Path(folder) / "pyodide-lock.json"
    runtime.read(release or listed)  # what cannot be read is said at once
    with tempfile.TemporaryDirectory(prefix="lite-") as scratch:
        wheels = [course_wheel(Path(scratch)), *carried(folders.ROOT / "build" / "wheels")]
        shutil.rmtree(out, ignore_errors=True)
        jupyterlite(out, Path(scratch))
        (out / "wheels").mkdir()
        copies = [Path(shutil.copy(path, out / "wheels" / path.name)) for path in wheels]
        records = [runtime.wheel(path, _address(path, out)) for path in copies]
    records += [runtime.wheel(path, _address(path, out)) for path in sorted((out / EXTENSION).glob("*.whl"))]
    if release:
        PINNED.write_text(runtime.trimmed(release, records), encoding="utf-8")
    found = runtime.needed(records, runtime.read(listed))
    for name in found.keys() - {record["name"] for record in records}:
        file = found[name]["file_name"]
        found[name] = found[name] | {"file_name": runtime.ADDRESS + file if folder is None else f"../pyodide/{file}"}
    if folder is not None:
        shutil.copytree(folder, out / "pyodide")
    lock = {"info": json.loads(PINNED.read_text(encoding="utf-8"))["info"], "packages": found}
    _write(out / "wheels" / "pyodide-lock.json", lock)
    shutil.copytree(SHELL, out / "extensions" / SHELL.name)
    _configure(out / "jupyter-lite.json", settings("./pyodide/" if folder else runtime.ADDRESS))
    size = sum(path.stat().st_size for path in out.rglob("*") if path.is_file())
    origin = f"Pyodide {runtime.VERSION} from {folder or runtime.ADDRESS}"
    return f"{out}: {size / 1e6:.0f} MB, {len(found)} packages, {origin}"


def settings(address):
    """What the kernel is told: where Pyodide lies, what to load before the first cell, where progress is kept."""
    options = {"lockFileURL": "./wheels/pyodide-lock.json", "packages": [*runtime.KERNEL, runtime.COURSE]}
    options["env"] = {"ACCELERATOR_COURSE_HOME": HOME}
    return {"pyodideUrl": f"{address}pyodide.mjs", "loadPyodideOptions": options}


def course_wheel(scratch):
    """The wheel of this checkout, built aside: nothing is left in it. Raises RuntimeError."""
    source = scratch / "source"
    for name in FOLDERS:
        shutil.copytree(folders.ROOT / name, source / name, ignore=RUBBISH)
    for name in SOURCES:
        shutil.copy(folders.ROOT / name, source / name)
    (source / ahead.LIST.relative_to(folders.PACKAGE.parent)).write_text(ahead.written(_parsed()), encoding="utf-8")
    made = _run([sys.executable, "-c", WHEEL.format(folder=str(scratch))], source)
    return scratch / made.splitlines()[-1]


def _parsed():
    """{path: content} of all YAML that the course reads; questions are checked."""
    facts = [path for package in (data.FOLDER, folders.PACKAGE) for path in sorted(package.rglob("*.yaml"))]
    questions = [path for path in sorted(bank.FOLDER.glob("*.yaml")) if path.stem != "misconceptions"]
    read = {path: data.parse(path) for path in (*facts, bank.FOLDER / "misconceptions.yaml")}
    return read | {path: bank.read(path) for path in questions}


def carried(folder):
    """Wheels of CARRIED in the versions of the lock, their digests compared; fetched where they are not there yet."""
    blocks = [pinned(name) for name in CARRIED]
    folder.mkdir(parents=True, exist_ok=True)
    wanted = folder / "requirements.txt"
    if not wanted.exists() or wanted.read_text(encoding="utf-8") != "\n".join(blocks):
        for path in folder.glob("*.whl"):
            path.unlink()
        asked = folder / "asked.txt"
        asked.write_text("\n".join(blocks), encoding="utf-8")
        pip = [sys.executable, "-m", "pip", "download", "--quiet", "--no-deps", "--require-hashes", *ANYWHERE]
        _run([*pip, "--requirement", str(asked), "--dest", str(folder)], folder)
        asked.rename(wanted)
    return sorted(folder.glob("*.whl"))


def pinned(name):
    """The lines of binder/requirements.txt that pin a package."""
    found = re.search(rf"^{name}==.*\n(?:    --hash=.*\n?)+", LOCK.read_text(encoding="utf-8"), re.M)
    if found is None:
        raise KeyError(f"binder/requirements.txt pins no {name}")
    return found[0].replace(" \\\n    --hash", " --hash").strip()


def jupyterlite(out, scratch):
    """JupyterLite with the notebooks in it. Raises RuntimeError."""
    desk = scratch / "desk"
    shutil.copytree(folders.NOTEBOOKS, desk / "files", ignore=RUBBISH)
    for path in (desk / "files").glob("*.ipynb"):
        path.write_text(trusted(path.read_text(encoding="utf-8")), encoding="utf-8")
    _write(desk / "overrides.json", LOOKS)
    told = {"appName": "AI accelerators", "disabledExtensions": UNUSED, "exposeAppInBrowser": True}
    _write(desk / "jupyter-lite.json", {"jupyter-lite-schema-version": 0, "jupyter-config-data": told})
    command = [sys.executable, "-m", "jupyterlite_core", "build", "--lite-dir", str(desk), "--output-dir", str(out)]
    apps = [word for app in ("lab", "notebooks", "edit", "tree") for word in ("--apps", app)]
    _run([*command, *apps, "--contents", str(desk / "files"), "--no-sourcemaps", "--no-unused-shared-packages"], desk)
    for page in (out / "lab" / "index.html", out / "notebooks" / "index.html"):
        page.write_text(patient(page.read_text(encoding="utf-8")), encoding="utf-8")


def trusted(text):
    """A notebook (JSON) whose button may run it: in a browser nobody signs it, and JupyterLab would ask."""
    notebook = json.loads(text)
    for cell in notebook["cells"]:
        if cell["cell_type"] == "code":
            cell["metadata"]["trusted"] = True
    return json.dumps(notebook, ensure_ascii=False, indent=1)


def patient(page):
    """A page (HTML) that gives widgets a minute to begin, from its first script on."""
    head, body = page.split("<head>", 1)
    return f"{head}<head><script>\n{PATIENCE.read_text(encoding='utf-8')}</script>{body}"


def _address(path, out):
    return f"../{path.relative_to(out).as_posix()}"


def _configure(path, kernel):
    content = json.loads(path.read_text(encoding="utf-8"))
    shell = json.loads((SHELL / "package.json").read_text(encoding="utf-8"))["jupyterlab"]["_build"]
    told = content["jupyter-config-data"]
    told.setdefault("litePluginSettings", {})[PLUGIN] = kernel
    told.setdefault("federated_extensions", []).append({"name": SHELL.name, **shell})
    _write(path, content)


def _write(path, content):
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(json.dumps(content, indent=1) + "\n", encoding="utf-8")


def _run(command, folder):
    try:
        return subprocess.run(command, cwd=folder, check=True, capture_output=True, text=True).stdout
    except subprocess.CalledProcessError as error:
        raise RuntimeError(f"{' '.join(command[1:4])} ... failed: {error.stderr.strip()[-600:]}") from None


def main(arguments):
    """Build or pin, as the command line says. Exits with one line where it cannot."""
    parser = argparse.ArgumentParser(prog="python -m accelerator_course.pages.lite", description=__doc__.split("\n")[0])
    parser.add_argument("--out", help="folder to write the site to; what is in it goes")
    parser.add_argument("--runtime", metavar="DIR", help=f"folder of Pyodide {runtime.VERSION}, to be copied")
    parser.add_argument("--pin", metavar="FILE", help="pyodide-lock.json of a release to pin")
    asked = parser.parse_args(arguments)
    if folders.INSTALLED or not asked.out:
        parser.error("--out is needed" if not asked.out else "the site is built from a checkout")
    try:
        print(build(asked.out, asked.runtime, asked.pin))
    except (OSError, ValueError, KeyError, RuntimeError) as error:
        sys.exit(f"lite: {error.args[0] if isinstance(error, KeyError) else error}")


if __name__ == "__main__":
    main(sys.argv[1:])
