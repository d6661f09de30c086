"""Lab: JupyterLab on copies of the notebooks: python -m accelerator_course.start.lab [folder] [its own options]"""

import contextlib
import json
import os
import sys
import warnings
from pathlib import Path

from accelerator_course.start import copies, folders

START = "00_start_here.ipynb"
WATCH = {"KernelRestarter": {"time_to_dead": 1.0}}  # seconds between two looks at whether Python is alive
QUIET = {
    "@jupyterlab/apputils-extension:notification": {"fetchNews": "false", "checkForUpdates": False},
    "@jupyterlab/notebook-extension:tracker": {"windowingMode": "none"},  # cells have their height: a heading is found
}


def main(arguments=None):
    """Lay out the copies, then serve until Ctrl+C; the address of the first notebook is printed when it answers."""
    folder, options = split(sys.argv[1:] if arguments is None else arguments)
    try:
        lines = prepare(folder)
    except OSError as error:
        sys.exit(f"lab: the notebooks cannot be copied to {folder}: {error.strerror or error}")
    print("\n".join([*lines, f"Your copies of the notebooks: {folder}"]))
    ours = str(settings_folder(folder))
    for name, first in (("JUPYTER_PATH", [ours, str(folders.PACKAGE)]), ("JUPYTER_CONFIG_PATH", [ours])):
        os.environ[name] = os.pathsep.join(filter(None, [*first, os.environ.get(name)]))  # before the reader's own
    with contextlib.suppress(ImportError):
        import voila  # noqa: F401  (asks for the warnings of traitlets: before they are turned off, not after)
    warnings.simplefilter("ignore", DeprecationWarning)  # of the server's own parts: nothing for a learner
    from jupyterlab.labapp import LabApp

    root, first = opened(folder)
    own = ["--ServerApp.ip=127.0.0.1", f"--ServerApp.root_dir={root}", "--Application.log_level=ERROR"]
    own += [f"--LabApp.default_url={first}", f"--ServerApp.default_url={first}"]
    own += ["--ServerApp.allow_root=True"] if hasattr(os, "getuid") and os.getuid() == 0 else []
    LabApp.launch_instance([*own, *options])


def split(arguments):
    """(folder of the copies, options of JupyterLab) of a command line."""
    named = [Path(word) for word in arguments[:1] if not word.startswith("-")]
    inside = folders.INSTALLED and Path.cwd().name == folders.MINE.name  # the second time one may stand in it
    return (named or [Path() if inside else copies.MINE])[0].resolve(), arguments[len(named) :]


def opened(folder):
    """(what JupyterLab shows, the address of its first notebook): the whole checkout around mine/, else the copies."""
    root = folders.ROOT if folder == folders.MINE else folder
    return root, f"/lab/tree/{(folder / START).relative_to(root).as_posix()}"


def settings_folder(folder=copies.MINE):
    """Where the settings lie that JupyterLab opens with: on JUPYTER_PATH and JUPYTER_CONFIG_PATH."""
    return Path(folder) / ".jupyter"


def prepare(folder=copies.MINE):
    """Copies to work on; a kernel that says which cells to run first, and is watched; no news. The lines to print."""
    from ipykernel.kernelspec import get_kernel_dict

    kernel = get_kernel_dict(extra_arguments=["--ext=accelerator_course.start.unrun"])
    kernel["argv"][0] = "python"  # which Jupyter takes for its own
    _write(settings_folder(folder) / "kernels" / "python3" / "kernel.json", kernel)
    _write(settings_folder(folder) / "jupyter_server_config.json", WATCH)
    _write(settings_folder(folder) / "labconfig" / "default_setting_overrides.json", QUIET)
    return copies.lay_out(folder)


def _write(path, content):
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(json.dumps(content, indent=1) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main(sys.argv[1:])
