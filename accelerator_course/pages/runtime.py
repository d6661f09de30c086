"""Runtime: the packages that a browser loads for the course, each with its version and digest, in one list.

binder/pyodide-lock.json keeps what is needed of a release of Pyodide; the site carries wheels that no release has.
Source: https://pyodide.org/en/stable/usage/loading-packages.html
"""

import json
import re
from email import message_from_bytes
from hashlib import sha256
from pathlib import Path
from zipfile import ZipFile

VERSION = "314.0.6"  # what the pinned jupyterlite-pyodide-kernel is made for
ADDRESS = f"https://cdn.jsdelivr.net/pyodide/v{VERSION}/full/"  # Pyodide's own content network
COURSE = "accelerator-course"
KERNEL = ("piplite", "micropip", "ipykernel", "comm", "pyodide-kernel", "jedi", "ipython")
LEFT_OUT = {  # what the course asks for elsewhere: no browser has JAX; JupyterLite is JupyterLab; servers, tests, paper
    *("jax", "ml-dtypes", "jupyterlab", "jupyterlab-widgets", "widgetsnbextension", "jupyterlab-slideshow"),
    *("voila", "nbval", "latex2mathml"),
}
ENVIRONMENT = {"python_version": "3.14", "python_full_version": "3.14.2", "sys_platform": "emscripten"}
ENVIRONMENT |= {"platform_system": "Emscripten", "platform_machine": "wasm32", "os_name": "posix", "extra": ""}
PURE = "-none-any.whl"


class Unresolved(ValueError):
    """A package that neither the runtime nor the site's wheels hold."""


def read(path):
    """{name: record} of a pyodide-lock.json. Raises FileNotFoundError or ValueError in one line."""
    try:
        packages = json.loads(Path(path).read_text(encoding="utf-8"))["packages"]
    except FileNotFoundError:
        raise FileNotFoundError(f"{path} is missing: a folder of Pyodide {VERSION} has it") from None
    except (ValueError, KeyError, TypeError):
        raise ValueError(f"{path} is no list of Pyodide's packages") from None
    return {_name(name): {**record, "depends": [*map(_name, record["depends"])]} for name, record in packages.items()}


def wheel(path, address):
    """The record of a wheel that the site carries. Raises ValueError where a browser could not run it."""
    path = Path(path)
    if not path.name.endswith(PURE):
        raise ValueError(f"{path.name} is not pure Python: only {PURE} runs in any browser")
    with ZipFile(path) as archive:
        files = archive.namelist()
        (about,) = (name for name in files if re.fullmatch(r"[^/]+\.dist-info/METADATA", name))
        metadata = message_from_bytes(archive.read(about))
    tops = {name.partition("/")[0].removesuffix(".py") for name in files if name.endswith(".py")}
    about = {"name": _name(metadata["Name"]), "version": metadata["Version"], "file_name": address}
    about |= {"install_dir": "site", "sha256": sha256(path.read_bytes()).hexdigest(), "package_type": "package"}
    about |= {"imports": sorted(top for top in tops if top.isidentifier()), "unvendored_tests": False}
    return about | {"depends": [*filter(None, map(_wanted, metadata.get_all("Requires-Dist", [])))]}


def needed(wheels, packages):
    """{name: record} of all that the course and the kernel need. Raises Unresolved, with everything that is missing."""
    known = packages | {record["name"]: record for record in wheels}
    found, missing, open_ = {}, [], [(name, "the site") for name in (COURSE, *KERNEL)]
    while open_:
        name, by = open_.pop()
        if name in known and name not in found:
            found[name] = known[name]
            open_ += [(other, name) for other in known[name]["depends"]]
        elif name not in known:
            missing.append(f"{name} (needed by {by})")
    if missing:
        raise Unresolved(f"neither Pyodide {VERSION} nor the site's wheels hold: {', '.join(sorted(set(missing)))}")
    return dict(sorted(found.items()))


def trimmed(path, wheels):
    """The part of a release's pyodide-lock.json that the course needs, as text: what binder/ keeps."""
    whole = json.loads(Path(path).read_text(encoding="utf-8"))
    carried = {record["name"] for record in wheels}
    kept = {name: record for name, record in needed(wheels, read(path)).items() if name not in carried}
    return json.dumps({"info": whole["info"], "packages": kept}, indent=1) + "\n"


def _wanted(line):
    """The name that a line of Requires-Dist asks for in a browser; None where that is nothing, or left out."""
    from packaging.requirements import Requirement

    wanted = Requirement(line)
    here = wanted.marker is None or wanted.marker.evaluate(ENVIRONMENT)
    return _name(wanted.name) if here and _name(wanted.name) not in LEFT_OUT else None


def _name(name):
    return re.sub(r"[-_.]+", "-", name).lower()
