"""Building the book: the chapters run side by side, each in a kernel of its own; then Sphinx makes pages of them."""

import asyncio
import base64
import io
import os
import re
import shutil
import subprocess
import tempfile
from concurrent.futures import ThreadPoolExecutor
from hashlib import sha256
from pathlib import Path

from accelerator_course import pages, settings
from accelerator_course.pages.book import chapter, front
from accelerator_course.pages.live import pack
from accelerator_course.start import folders

FILMS = "films"
PLAIN = re.compile(r'<span class="(?:n|nn|o|p|w)">([^<]*)</span>')  # code in the colour of all: a quarter of a page
SCRIPT = re.compile(r"<script(?![^>]*\bsrc=)(?![^>]*json)[^>]*>(.*?)</script>", re.DOTALL)
POLICY = "default-src 'self'; script-src 'self' 'wasm-unsafe-eval' {scripts}; style-src 'self' 'unsafe-inline'; "
POLICY += "img-src 'self' data: blob:; object-src 'none'; base-uri 'self'; form-action 'self'"
TIMEOUT = 600  # seconds of a cell, and until a kernel answers: on a busy machine that takes more than a minute


def build(out, chapters=(), say=lambda line: None, runtime=None):
    """Write the book of these chapters, of all without any, to a folder; returns it. With the `runtime`, a folder of
    Pyodide, its pages are live.

    Raises FileNotFoundError for an unknown chapter, ValueError where a cell fails or Sphinx complains."""
    names = [pages.notebook(name).stem for name in chapters or front.all_chapters()]
    out = Path(out).resolve()
    shutil.rmtree(out / FILMS, ignore_errors=True)
    (out / FILMS).mkdir(parents=True)
    with tempfile.TemporaryDirectory() as made:
        sources = Path(made) / "source"
        (sources / "static").mkdir(parents=True)

        def one(name):
            text = _executed(name, out / FILMS / name, Path(made) / "home" / name)
            (sources / f"{name}.md").write_text(chapter.within(text, names), encoding="utf-8")
            say(f"{name} is run.")

        with ThreadPoolExecutor(max_workers=min(4, os.cpu_count() or 1)) as pool:
            list(pool.map(one, names))
        if runtime:
            pack.pack(out, names, runtime)
            say("Python is packed.")
        front.write(sources, names, out)
        shutil.copytree(folders.NOTEBOOKS / "images", out / "images", dirs_exist_ok=True)
        _sphinx(sources, out, Path(made) / "trees", bool(runtime))
    (out / ".nojekyll").touch()  # some hosts hide folders that begin with an underscore unless told so
    return out


def _executed(name, films, home):
    import nbformat
    from nbclient import NotebookClient
    from nbclient.exceptions import CellExecutionError
    from nbformat.v4 import new_code_cell

    path = pages.notebook(name)
    notebook = nbformat.read(path, as_version=4)
    given = f"{str(films)!r}, {f'{FILMS}/{name}'!r}, {chapter.named(notebook)!r}"
    first = f"from accelerator_course.pages.book import kernel\nkernel.install({given})"
    notebook.cells.insert(0, new_code_cell(first))
    home.mkdir(parents=True)
    surroundings = os.environ | {"ACCELERATOR_COURSE_HOME": str(home), settings.SHORT: "1", settings.HALL: "0"}
    given = {"timeout": TIMEOUT, "startup_timeout": TIMEOUT, "resources": {"metadata": {"path": path.parent}}}
    client = NotebookClient(notebook, **given)
    try:
        asyncio.run(client.async_execute(env=surroundings, stderr=subprocess.DEVNULL))  # in a loop that is closed again
        notebook.cells.pop(0)
        return chapter.source(notebook)
    except CellExecutionError as error:
        raise ValueError(f"{name}: {error.ename}: {error.evalue}") from error
    except ValueError as error:
        raise ValueError(f"{name}: {error}") from error


def _sphinx(sources, out, trees, alive):
    from sphinx.application import Sphinx
    from sphinx.util.console import nocolor
    from sphinx.util.docutils import docutils_namespace, patch_docutils

    nocolor()
    complaints = io.StringIO()
    with patch_docutils(), docutils_namespace():
        app = Sphinx(sources, None, out, trees, "html", front.settings(sources, alive), status=None, warning=complaints)
        app.build(force_all=True)
    for page in out.glob("*.html"):
        page.write_text(policed(PLAIN.sub(r"\1", page.read_text(encoding="utf-8"))), encoding="utf-8")
    found = [line for line in complaints.getvalue().splitlines() if line.strip()]
    if found:
        raise ValueError(f"Sphinx complains {len(found)} times, first: {found[0]}")


def policed(page):
    """A page (HTML) that runs no script but the site's own, and loads nothing from elsewhere."""
    digests = {base64.b64encode(sha256(found.encode()).digest()).decode() for found in SCRIPT.findall(page)}
    policy = POLICY.format(scripts=" ".join(f"'sha256-{digest}'" for digest in sorted(digests)))
    head, found, rest = page.partition("<head>")
    told = f'<meta http-equiv="Content-Security-Policy" content="{policy}"><link rel="icon" href="data:,">'
    return f"{head}{found}{told}{rest}"
