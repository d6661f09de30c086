"""Lab: JupyterLab on the first notebook, on copies that are the learner's own.

python -m accelerator_lib.lab                arguments of `jupyter lab` may follow: --port=9999, --no-browser
"""

import json
import os
import sys
import warnings
from pathlib import Path

from accelerator_lib import desk

FIRST = "/lab/tree/mine/00_start_here.ipynb"
QUIET = {"@jupyterlab/apputils-extension:notification": {"fetchNews": "false", "checkForUpdates": False}}


def main(arguments):
    """Lay out the copies, then serve until Ctrl+C; the address of the first notebook is printed when it answers."""
    for line in prepare():
        print(line)
    for name in ("JUPYTER_PATH", "JUPYTER_CONFIG_PATH"):  # before whatever the reader's environment has
        os.environ[name] = os.pathsep.join(filter(None, [str(settings_folder()), os.environ.get(name)]))
    warnings.simplefilter("ignore", DeprecationWarning)  # of the server's own parts: nothing for a learner
    from jupyterlab.labapp import LabApp

    own = ["--ServerApp.ip=127.0.0.1", f"--ServerApp.root_dir={desk.ROOT}", "--Application.log_level=ERROR"]
    own += [f"--LabApp.default_url={FIRST}", f"--ServerApp.default_url={FIRST}"]
    own += ["--ServerApp.allow_root=True"] if hasattr(os, "getuid") and os.getuid() == 0 else []
    LabApp.launch_instance([*own, *arguments])


def settings_folder(folder=desk.MINE):
    """Where the settings lie that JupyterLab opens with: on JUPYTER_PATH and JUPYTER_CONFIG_PATH."""
    return Path(folder) / ".jupyter"


def prepare(folder=desk.MINE):
    """Copies to work on; a kernel that says calmly which cells to run first; no news. Returns lines to print."""
    from ipykernel.kernelspec import get_kernel_dict

    kernel = get_kernel_dict(extra_arguments=["--ext=accelerator_lib.above"])
    kernel["argv"][0] = "python"  # which Jupyter takes for its own
    _write(settings_folder(folder) / "kernels" / "python3" / "kernel.json", kernel)
    _write(settings_folder(folder) / "labconfig" / "default_setting_overrides.json", QUIET)
    return desk.lay_out(folder)


def _write(path, content):
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(json.dumps(content, indent=1) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main(sys.argv[1:])
