"""Address: where another notebook is opened: beside this one, else on the web where pip has kept it (PEP 610)."""

import json
import sys
from contextlib import suppress
from importlib.metadata import PackageNotFoundError, distribution
from pathlib import Path
from re import fullmatch

from accelerator_course.start.folders import NOTEBOOKS
from accelerator_lib.data import kept

COURSE = "accelerator-course"
COLAB = "https://colab.research.google.com/github/{path}/blob/{commit}/notebooks/"
PAGES = {
    "github.com": "https://github.com/{path}/blob/{commit}/notebooks/",
    "gitlab.com": "https://gitlab.com/{path}/-/blob/{commit}/notebooks/",
}


def of(name):
    """Where a notebook leads to, by its file name."""
    return away() + name


def away():
    """What stands before the file name of a notebook; "" for one in this folder."""
    here = any(Path(path.name).exists() for path in NOTEBOOKS.glob("*.ipynb"))
    return "" if here else pages(source(), "google.colab" in sys.modules)


def pages(origin, colab=False):
    """Address of the notebooks of what pip was given, {url, vcs_info}; "" where it was not a public repository."""
    found = fullmatch(r"(?:git\+)?https://(?:[^@/]+@)?([^/:]+)/(.+?)(?:\.git)?/?", origin.get("url", ""))
    commit = origin.get("vcs_info", {}).get("commit_id", "")
    if not found or not commit or found[1] not in PAGES:
        return ""
    page = COLAB if colab and found[1] == "github.com" else PAGES[found[1]]
    return page.format(path=found[2], commit=commit)


@kept
def source():
    """What pip was given to install the course, as it has kept it; {} where it was not pip, or came from an index."""
    with suppress(PackageNotFoundError, ValueError):
        found = json.loads(distribution(COURSE).read_text("direct_url.json") or "{}")
        return found if isinstance(found, dict) else {}
    return {}
