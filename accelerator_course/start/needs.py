"""Needs: can this machine run the course? Needs nothing but Python itself to answer."""

import importlib.util
import platform
from importlib.metadata import PackageNotFoundError, version

from accelerator_course.start import folders

NEEDED = {"numpy": "every model", "yaml": "the data", "platformdirs": "keeping your progress"}
NEEDED |= {"matplotlib": "pages to print, and what you plot yourself", "PIL": "every picture"}
NEEDED |= {"ipywidgets": "every slider", "pycparser": "kernels in CUDA C", "fsrs": "questions that come back"}
NEEDED |= dict.fromkeys(("anywidget", "jsonschema", "mistune"), "predictions and quizzes")
PACKAGES = {"yaml": "PyYAML", "PIL": "pillow"}  # where pip calls it otherwise
OLDEST = "7.6"  # of ipywidgets: what anywidget can work with
SHOWN = ("numpy", "matplotlib", "ipywidgets")


def check():
    """What is here, or what is missing and how to get it, as lines of text."""
    missing = {name: use for name, use in NEEDED.items() if importlib.util.find_spec(name) is None}
    told = "{} is missing ({}): run  pip install {}  and restart the kernel."
    if missing:
        return "\n".join(told.format(name, use, _asked(name)) for name, use in missing.items())
    if _number(_version("ipywidgets")) < _number(OLDEST):
        here = f"ipywidgets {_version('ipywidgets')} is too old for the panels"
        return f'{here}: run  pip install "ipywidgets>={OLDEST}"  and restart the kernel.'
    from accelerator_course.quiz import progress
    from accelerator_lib import recorded

    if not progress.record({"kind": "opened"}):
        return f"Ready, but progress cannot be kept: {progress.path().parent} is not writable."
    with_jax = recorded.here()
    shown = ", ".join(f"{name} {_version(name)}" for name in (*SHOWN, *["jax"] * with_jax))
    line = f"Ready: Python {platform.python_version()}, {shown}."
    return line if with_jax else f"{line} JAX is not here: what needs it shows a record. {recorded.GET}."


def _asked(name):
    """What to ask pip for: all of it in a checkout, one package where the course was installed."""
    return PACKAGES.get(name, name) if folders.INSTALLED else "-r requirements.txt -e ."


def _number(version):
    """The first two parts of a version, to be compared; one that is no number is as new as can be."""
    parts = version.split(".")[:2]
    return tuple(map(int, parts)) if all(part.isdigit() for part in parts) else (1000,)


def _version(name):
    try:
        return version(name)
    except PackageNotFoundError:
        return "of unknown version"
