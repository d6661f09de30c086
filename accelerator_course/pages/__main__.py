"""Serve a chapter in the browser: `present` it in a hall, or `read` it.

python -m accelerator_course.pages present 06_systolic [options of Voila]
python -m accelerator_course.pages present 06_systolic --cut=15        the title, and what a lecture of 15 minutes shows
python -m accelerator_course.pages read 03_roofline --no-browser --port=8866
python -m accelerator_course.pages read 03_roofline --preheat_kernel=True --pool_size=2    two readers need not wait

The notebook is only read. Ctrl+C ends the server and its kernel. Where others may come, --Voila.ip=0.0.0.0 or preheated
kernels, each page has answers of its own: no other page finds them, nor the same one loaded again, and their files are
deleted when the server ends. Else answers are kept with the progress.
"""

import os
import shutil
import sys
import tempfile
from pathlib import Path
from typing import NamedTuple

from accelerator_course import pages, settings, syllabus
from accelerator_course.pages import still

TEMPLATES = {"present": "hall", "read": "course"}
OWN = ("localhost", "127.0.0.1", "::1")  # addresses that only this machine reaches
UNUSED = ["jupyterlab-slideshow"]  # of JupyterLab's extensions: it needs a notebook around it


def drawn(handler, notebook, cwd):
    """Draw the formulas of a notebook that is about to be served: the page then needs no script for them."""
    for cell in notebook.cells:
        if cell.cell_type == "markdown":
            cell.source = still.drawn(cell.source)


class Heard(NamedTuple):
    """What the options come to."""

    shared: bool  # more than one may read
    preheated: bool  # kernels run before anybody asks


def heard(options):
    """Heard, as Voila takes its options: it knows several spellings, and files."""
    from voila.app import Voila
    from voila.configuration import VoilaConfiguration

    app = Voila(log_level="CRITICAL")  # it will say again what it thinks of them
    app.parse_command_line(list(options))
    app.load_config_file("voila", path=app.config_file_paths)
    before = VoilaConfiguration(parent=app).preheat_kernel
    return Heard(before or app.ip not in OWN, before)


def copied(path, folder):
    """A copy with its formulas drawn, and its pictures: what is preheated has run before `drawn` could be asked."""
    import nbformat

    notebook = nbformat.read(path, as_version=4)
    drawn(None, notebook, None)
    shutil.copytree(path.parent / "images", Path(folder) / "images")
    copy = Path(folder) / path.name
    nbformat.write(notebook, copy)
    return copy


def _minutes(text):
    if text and not (text.isdecimal() and int(text) <= 300):
        raise ValueError(f"--cut takes whole minutes, such as 15; got {text!r}")
    return int(text or 0)


def main(way, name, *options):
    """Start Voila on a chapter. Raises KeyError, ValueError or FileNotFoundError."""
    from traitlets.config import Config
    from voila.app import Voila
    from voila.shutdown_kernel_handler import VoilaShutdownKernelHandler

    # a page that goes has no token to show; the id of its kernel is secret enough
    VoilaShutdownKernelHandler.check_xsrf_cookie = lambda handler: None
    path = pages.notebook(name)
    live = {"extension_denylist": UNUSED, "strip_sources": way == "present"}
    known = os.environ.get("JUPYTER_PATH", "")
    os.environ["JUPYTER_PATH"] = os.pathsep.join(filter(None, [str(pages.HERE), known]))
    os.environ[settings.HALL] = "1" if way == "present" else "0"
    cuts = [option for option in options if option.startswith("--cut=")]
    options = [option for option in options if option not in cuts]
    minutes = _minutes(cuts[-1].partition("=")[2]) if cuts else 0
    asked = heard(options)
    with tempfile.TemporaryDirectory() as folder:
        if asked.shared:
            os.environ[settings.APART] = os.path.join(folder, "readers")
        if asked.preheated:
            path = copied(path, folder)
        else:
            live["prelaunch_hook"] = drawn
        topic = path.stem.partition("_")[2]
        shown = {"cut": minutes, "panels": " ".join(syllabus.load("chapters")["lectures"].get(topic, ()))}
        config = Config({"VoilaConfiguration": {"template": TEMPLATES[way], "resources": shown, **live}})
        Voila.launch_instance([str(path), *options], config=config)


if __name__ == "__main__":
    if len(sys.argv) < 3 or sys.argv[1] not in TEMPLATES:
        sys.exit((__doc__ or "").strip())
    try:
        main(*sys.argv[1:])
    except (FileNotFoundError, ValueError) as error:
        sys.exit(f"{sys.argv[1]}: {error}")
