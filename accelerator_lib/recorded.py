"""Recorded: what the cells that need JAX gave on a machine that has it, for one that has not.

    @or_recorded                                    above a function: without JAX, what it gave when it was recorded
    run(function, *arguments)                       the same for a function that a notebook's cell defines
    from accelerator_lib.recorded import jax, jnp   JAX itself at the first use; nothing is imported before

A function among the arguments is known by its source, so a changed one was never recorded: NotRecorded, and how to get
JAX. `make record` runs the notebooks with JAX and writes data/recorded.
"""

import functools
import hashlib
import importlib
import importlib.util
import inspect
import json
import sys
from pathlib import Path

import numpy as np

from accelerator_lib.checks.inputs import NotAvailable

FOLDER = Path(__file__).parent / "data" / "recorded"
BROWSER = sys.platform == "emscripten"  # Python runs in a page
GET = "To run it here:  pip install jax , then restart the kernel"
GET = "No browser has it: install the course to run it" if BROWSER else GET
MISSING = f"JAX is not here, and this was not recorded with it. {GET}."
book = None  # {topic: {key: result}} while make record runs
_told = set()


def here():
    """Whether JAX is installed; it is not imported."""
    return all(importlib.util.find_spec(name) is not None for name in ("jax", "jaxlib"))


def place():
    """What to call the machine whose times are shown."""
    return "this machine" if here() else "the recorded machine"


class NotRecorded(NotAvailable):
    """JAX is not here, and nobody has recorded this: below a cell one calm line, no traceback."""

    def __init__(self):
        super().__init__(MISSING)

    def _render_traceback_(self):
        return [MISSING]


class _Later:
    """A module that is imported when something of it is used."""

    def __init__(self, name):
        self.__dict__["name"] = name

    def __getattr__(self, attribute):
        if not here():
            raise NotRecorded
        return getattr(importlib.import_module(self.name), attribute)

    def __repr__(self):
        return f"<{self.name}, imported at its first use>"


jax, jnp = _Later("jax"), _Later("jax.numpy")


def or_recorded(function):
    """The function itself with JAX, what was recorded of it without; a generator gives all its states at once."""

    @functools.wraps(function)
    def asked(*arguments, **named):
        if here() and book is None:
            return function(*arguments, **named)
        topic, name = _place(function)
        bound = inspect.signature(function).bind(*arguments, **named)
        bound.apply_defaults()
        key = f"{name}({', '.join(map(known, bound.arguments.values()))})"
        if here():
            result = function(*arguments, **named)
            result = list(result) if inspect.isgenerator(result) else result
            book.setdefault(topic, {})[key] = result
        else:
            result = look_up(topic, key)
        return iter(result) if inspect.isgeneratorfunction(function) else result

    return asked


def run(function, *arguments):
    """What a notebook's function gives, or gave; None and the calm line where neither can be had."""
    try:
        return or_recorded(function)(*arguments)
    except NotRecorded:
        tell(MISSING)
        return None


def look_up(topic, key):
    """What was recorded under a key. Raises NotAvailable."""
    content = _file(topic)
    if content is None or key not in content["results"]:
        raise NotRecorded
    where = f"{content['machine']}, {content['date']} ({content['versions']})"
    tell(f"JAX is not here: what follows was recorded on {where}. {GET}.")
    return decoded(content["results"][key], content["lines"])


def tell(line):
    """Say a line, unless it was said."""
    if line not in _told:
        _told.add(line)
        show(line)


def show(line):
    """Beside what a program prints. Where notebooks run, the course puts its own in this place."""
    print(line, file=sys.stderr)


def forget():
    """Whatever was said may be said again."""
    _told.clear()


def _place(function):
    """(topic, name) of a function: that of its chapter, or notebooks."""
    package, _, module = function.__module__.partition(".")
    own = package.startswith("accelerator_")
    return (module.split(".")[0], f"{module}.{function.__qualname__}") if own else ("notebooks", known(function))


def known(value):
    """By what an argument is found again: functions by their source whatever its spaces, arrays by their numbers."""
    if inspect.isfunction(value):
        source = inspect.getsource(value)
        source = source.strip().partition("\n")[0] if value.__name__ == "<lambda>" else source
        return f"{value.__name__} {_digest(''.join(source.split()).encode())}"
    if isinstance(value, (np.ndarray, np.generic)):
        array = np.asarray(value)
        return f"array {array.shape} {array.dtype} {_digest(array.tobytes())}"
    if isinstance(value, dict):
        return f"{{{', '.join(f'{known(key)}: {known(one)}' for key, one in value.items())}}}"
    if isinstance(value, (tuple, list)):
        return f"({', '.join(map(known, value))})"
    return repr(value)


def _digest(content):
    return hashlib.sha256(content).hexdigest()[:12]


@functools.cache
def _file(topic):
    path = FOLDER / f"{topic}.json"
    return json.loads(path.read_text(encoding="utf-8")) if path.exists() else None


def encoded(value, lines):
    """A result as JSON: records by their name, long texts as numbers of `lines`, a table that all of them share."""
    if isinstance(value, str) and value.count("\n") > 2:
        return {"text": [lines.setdefault(line, len(lines)) for line in value.split("\n")]}
    if value is None or isinstance(value, (bool, int, float, str)):
        return value
    if isinstance(value, np.generic):
        return value.item()
    if isinstance(value, np.ndarray):
        return {"array": value.tolist(), "dtype": str(value.dtype)}
    fields = getattr(value, "__dataclass_fields__", None) or getattr(value, "_fields", None)
    if fields:
        kind = type(value).__module__.removeprefix("accelerator_lib.") + ":" + type(value).__name__
        return {"record": kind, "fields": {name: encoded(getattr(value, name), lines) for name in fields}}
    if isinstance(value, dict):
        return {"table": [[encoded(key, lines), encoded(one, lines)] for key, one in value.items()]}
    if isinstance(value, (tuple, list)):
        return {"tuple" if isinstance(value, tuple) else "list": [encoded(one, lines) for one in value]}
    return encoded(np.asarray(value), lines)  # an array of JAX


def decoded(value, lines):
    """What was encoded."""
    if not isinstance(value, dict):
        return value
    kind, content = next(iter(value.items()))
    if kind == "text":
        return "\n".join(lines[place] for place in content)
    if kind == "array":
        return np.array(content, value["dtype"])
    if kind == "table":
        return {decoded(key, lines): decoded(one, lines) for key, one in content}
    if kind == "record":
        module, _, name = content.partition(":")
        made = getattr(importlib.import_module(f"accelerator_lib.{module}"), name)
        return made(**{name: decoded(one, lines) for name, one in value["fields"].items()})
    return {"tuple": tuple, "list": list}[kind](decoded(one, lines) for one in content)
