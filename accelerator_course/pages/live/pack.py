"""Pack: the folder live/ of the site, from which a page takes Python, the course and the code of its chapter.

here.json              what is where: {course, packages}
course-<digest>.zip    the course and the pure packages that it uses, compiled by the Python that will read them
<chapter>.json         {cells: {id: source}, needs: {id: cells before it}}
widgets/<type>.js      the script of each widget, and its style sheet
pyodide/               the runtime: a folder of Pyodide with NumPy
"""

import importlib
import json
import shutil
import subprocess
import sys
import tempfile
import zipfile
from hashlib import sha256
from importlib.metadata import files
from pathlib import Path
from pkgutil import iter_modules

from accelerator_course import pages, widgets
from accelerator_course.pages.live import cells
from accelerator_course.quiz import bank
from accelerator_course.start import folders
from accelerator_course.widgets.page import Live
from accelerator_lib import data
from accelerator_lib.data import ahead

HERE = pages.HERE / "live"
PACKAGES = ["numpy"]  # of the runtime
CARRIED = ("traitlets", "mistune", "platformdirs", "pygments", "pycparser", "pyrtl", "fsrs", "typing_extensions")
LEFT = ("labextensions", "images", "tests", "config", "__pycache__", "TEACHING.md", "book", "__main__.py")
LEFT += ("c_generator.py", "_ast_gen.py", "optimizer.py", "aes.py", "matrix.py", "prngs.py", "float")
READ = ("exercises", "specifications.py")  # what shows its source
COLOURED = ("__init__.py", "_mapping.py", "python.py", "html.py", "default.py")  # what is used of pygments
# What is there of the runtime.
RUNTIME, LIBRARY = ("pyodide.mjs", "pyodide.asm.js", "pyodide.asm.mjs", "pyodide.asm.wasm"), "python_stdlib.zip"
# What no page imports of the runtime, by name, and files for compilers: a megabyte.
SPARED = {"multiprocessing", "xmlrpc", "mailbox", "wsgiref", "imaplib", "smtplib", "nntplib", "ftplib", "cgi", "aifc"}
SPARED |= {"pdb", "trace", "modulefinder", "pstats", "pickletools", "optparse", "unittest", "doctest", "pydoc"}
SPARED |= {"pydoc_data", "sax", "dom", "_pyio", "f2py", "_pyinstaller"}
BUILT = {".pyi", ".h", ".a", ".c", ".pxd", ".pyx", ".rst"}
SOURCES = ("pyproject.toml", "setup.py", "requirements.txt", "README.md", "LICENSE")
FOLDERS = ("accelerator_lib", "accelerator_course", "notebooks", "quizzes")
RUBBISH = shutil.ignore_patterns("__pycache__", ".ipynb_checkpoints", "*.egg-info")
WHEEL = "from setuptools import build_meta; print(build_meta.build_wheel({folder!r}))"


def pack(out, names, runtime):
    """Write live/ below `out` for these chapters, with a folder's Pyodide. Raises FileNotFoundError, RuntimeError."""
    runtime, live = Path(runtime), Path(out) / "live"
    lock = json.loads((runtime / "pyodide-lock.json").read_text(encoding="utf-8"))
    shutil.rmtree(live, ignore_errors=True)
    (live / "pyodide").mkdir(parents=True)
    lock["packages"] = {name: lock["packages"][name] for name in PACKAGES}
    for file in filter(Path.exists, map(runtime.joinpath, RUNTIME)):
        shutil.copy(file, live / "pyodide")
    archive(runtime, LIBRARY, live / "pyodide")
    for record in lock["packages"].values():
        record["sha256"] = sha256(archive(runtime, record["file_name"], live / "pyodide")).hexdigest()
    write(live / "pyodide" / "pyodide-lock.json", lock)
    for name in names:
        write(live / f"{name}.json", cells.chapter(pages.notebook(name)))
    scripts(live / "widgets")
    shutil.copy(HERE / "worker.js", live)
    packed = course(runtime)
    name = f"course-{sha256(packed).hexdigest()[:12]}.zip"
    (live / name).write_bytes(packed)
    write(live / "here.json", {"course": name, "packages": PACKAGES})
    worker = (HERE / "sw.js").read_text(encoding="utf-8").replace("@VERSION@", digest(live))
    (Path(out) / "sw.js").write_text(worker, encoding="utf-8")
    return live


def digest(folder):
    """Of all files of a folder."""
    whole = sha256()
    for file in sorted(folder.rglob("*")):
        if file.is_file():
            whole.update(file.read_bytes())
    return whole.hexdigest()[:12]


def scripts(folder):
    """The script and the style sheet of every widget, by the name of its class."""
    folder.mkdir()
    for module in iter_modules(widgets.__path__, f"{widgets.__name__}."):
        importlib.import_module(module.name)
    kinds = [Live]
    for kind in kinds:
        kinds += [one for one in kind.__subclasses__() if one.__name__ != kind.__name__]  # traitlets makes such
        for ending, text in (("js", kind._esm), ("css", kind._css)) if hasattr(kind, "_esm") else ():
            text = text.read_text(encoding="utf-8") if isinstance(text, Path) else str(text)
            (folder / f"{kind.__name__}.{ending}").write_text(text, encoding="utf-8")


def course(runtime):
    """The course and what it carries as bytes of a ZIP."""
    with tempfile.TemporaryDirectory() as scratch:
        made = Path(scratch) / "made"
        with zipfile.ZipFile(wheel_of(Path(scratch))) as wheel:
            wheel.extractall(made, [name for name in wheel.namelist() if not left(name)])
        for name in CARRIED:
            for file in files(name):
                if file.suffix == ".py" and not left(str(file)):
                    (made / file).parent.mkdir(parents=True, exist_ok=True)
                    shutil.copy(file.locate(), made / file)
        compiled(runtime, made)
        return zipped(made)


def archive(runtime, name, folder):
    """An archive of the runtime as bytes of a ZIP in a folder, its modules compiled: in WebKit half of the wait."""
    with tempfile.TemporaryDirectory() as scratch:
        made = Path(scratch) / "made"
        with zipfile.ZipFile(runtime / name) as whole:
            whole.extractall(made, [file for file in whole.namelist() if not spared(file)])
        compiled(runtime, made)
        (folder / name).write_bytes(packed := zipped(made))
    return packed


def spared(name):
    """Whether a file of the runtime is of no use in a browser."""
    path = Path(name)
    return path.suffix in BUILT or not SPARED.isdisjoint([*path.parts, path.stem])


def wheel_of(scratch):
    """The wheel of this checkout, built aside, its YAML parsed ahead: nothing is left in it. Raises RuntimeError."""
    source = scratch / "source"
    for name in FOLDERS:
        shutil.copytree(folders.ROOT / name, source / name, ignore=RUBBISH)
    for name in SOURCES:
        shutil.copy(folders.ROOT / name, source / name)
    (source / ahead.LIST.relative_to(folders.PACKAGE.parent)).write_text(ahead.written(parsed()), encoding="utf-8")
    made = done([sys.executable, "-c", WHEEL.format(folder=str(scratch))], source)
    return scratch / made.splitlines()[-1]


def parsed():
    """{path: content} of all YAML that the course reads; questions are checked."""
    facts = [path for package in (data.FOLDER, folders.PACKAGE) for path in sorted(package.rglob("*.yaml"))]
    questions = [path for path in sorted(bank.FOLDER.glob("*.yaml")) if path.stem != "misconceptions"]
    read = {path: data.parse(path) for path in (*facts, bank.FOLDER / "misconceptions.yaml")}
    return read | {path: bank.read(path) for path in questions}


def left(name):
    """Whether a file of a package is of no use in a browser."""
    parts = name.split("/")
    many = parts[0] == "pygments" and len(parts) > 2
    if ".dist-info/" in name or (name.endswith(".csv.gz") and "nccl" not in parts[-1]):  # rows that constants were
        return True  # fitted to, but for those that a panel shows
    return not set(parts).isdisjoint(LEFT) or (many and parts[-1] not in COLOURED)


def compiled(runtime, folder):
    """Each module in place of its source, where Node is here to run the runtime's Python; else they stay sources."""
    if node := shutil.which("node"):
        kept = {file: file.read_bytes() for file in folder.rglob("*.py") if not set(file.parts).isdisjoint(READ)}
        done([node, str(HERE / "compile.mjs"), str(Path(runtime).resolve()), str(folder)], folder)
        for file, text in kept.items():
            file.with_suffix(".pyc").unlink()
            file.write_bytes(text)


def zipped(folder):
    """A folder as bytes of a ZIP, the same for the same content."""
    path = folder.with_suffix(".zip")
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED, compresslevel=9) as packed:
        for file in sorted(folder.rglob("*")):
            if file.is_file():
                entry = zipfile.ZipInfo(file.relative_to(folder).as_posix())
                packed.writestr(entry, file.read_bytes(), zipfile.ZIP_DEFLATED, 9)
    return path.read_bytes()


def done(command, folder):
    """What a command prints. Raises RuntimeError."""
    try:
        return subprocess.run(command, cwd=folder, check=True, capture_output=True, text=True).stdout
    except subprocess.CalledProcessError as error:
        raise RuntimeError(f"{' '.join(command[:2])} ... failed: {error.stderr.strip()[-600:]}") from None


def write(path, content):
    path.write_text(json.dumps(content, ensure_ascii=False, separators=(",", ":")), encoding="utf-8")
