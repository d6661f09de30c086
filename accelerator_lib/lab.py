"""Lab: JupyterLab on the first notebook, on copies that are the learner's own, with the settings in jupyter/.

python -m accelerator_lib.lab                arguments of `jupyter lab` may follow: --port=9999, --no-browser
"""

import os
import sys

from accelerator_lib import desk

SETTINGS = desk.ROOT / "jupyter"  # a kernel that says calmly what to run, no news prompt
FIRST = "/lab/tree/work/00_start_here.ipynb"


def main(arguments):
    """Lay out the copies, then serve until Ctrl+C; the address of the first notebook is printed when it answers."""
    for line in desk.lay_out():
        print(line)
    for name in ("JUPYTER_PATH", "JUPYTER_CONFIG_PATH"):  # before whatever the reader's environment has
        os.environ[name] = os.pathsep.join(filter(None, [str(SETTINGS), os.environ.get(name)]))
    from jupyterlab.labapp import LabApp

    own = ["--ServerApp.ip=127.0.0.1", f"--ServerApp.root_dir={desk.ROOT}", "--Application.log_level=WARN"]
    own += [f"--LabApp.default_url={FIRST}", f"--ServerApp.default_url={FIRST}"]
    own += ["--ServerApp.allow_root=True"] if hasattr(os, "getuid") and os.getuid() == 0 else []
    LabApp.launch_instance([*own, *arguments])


if __name__ == "__main__":
    main(sys.argv[1:])
