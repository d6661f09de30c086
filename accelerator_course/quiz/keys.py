"""Answer keys: {call: roofline.place, args: {gemm: [m, n, k], chip: name, other: $parameter}, take: a field}.

A key may call what is @checked, but not what runs programs, measures or searches long (UNFIT).
"""

import operator
import re
from importlib import import_module

from accelerator_lib.checks.inputs import LARGEST, UnknownName, did_you_mean, real, shown, single

JOINED = {
    "ratio": (("of", "to"), "/", operator.truediv),
    "product": (("a", "b"), "*", operator.mul),
    "difference": (("of", "less"), "-", operator.sub),
}
GEMM = "workload.Gemm"
DOTTED = re.compile(r"[a-z]\w{0,39}(\.[a-z]\w{0,39}){0,3}", re.ASCII | re.IGNORECASE)
OURS = ("ladder", "league", "measure", "quiz")  # rooms of the course that compute
UNFIT = {"ladder.judge", "kernels.machine", "codesign.autotune", "codesign.kernels"}
UNFIT |= {"llm.experts", "numerics.lowbit"}


def callable_(name):
    """The function of a dotted name in a key. Raises UnknownName for one that does not check its inputs."""
    if not isinstance(name, str) or not DOTTED.fullmatch(name):
        raise UnknownName(f"call {shown(name)} is not allowed: it is no name such as roofline.ridge_point")
    *path, last = name.split(".")
    try:
        place = import_module(".".join([package(path[0]), *path])) if path else None
    except ModuleNotFoundError:
        place = None
    found = getattr(place, last, None)
    if not hasattr(found, "kinds"):
        there = vars(place).items() if place else ()
        known = [f"{'.'.join(path)}.{key}" for key, value in there if hasattr(value, "kinds")]
        raise UnknownName(f"call {name!r} is not allowed{did_you_mean(name, [*known, *JOINED])}")
    if found.__module__.partition(".")[2] in UNFIT:
        raise UnknownName(f"call {name!r} is not allowed in a key: it runs, measures or searches long")
    return found


def package(room):
    """The package of a room that keys name: the course's own rooms are few, and the library has none of that name."""
    return "accelerator_course" if room in OURS else "accelerator_lib"


def evaluate(key, parameters=None):
    """The value of a key for drawn parameters. Raises UnknownName for a call that is not allowed."""
    parameters = parameters or {}
    if isinstance(key, str) and key.startswith("$"):
        if key[1:] not in parameters:
            raise UnknownName(f"parameter {key[:60]!r} is not drawn{did_you_mean(key[1:61], parameters)}")
        return parameters[key[1:]]
    if not isinstance(key, dict):
        return key
    arguments = {name: evaluate(value, parameters) for name, value in _arguments(key).items()}
    call = key.get("call")
    if isinstance(call, str) and call in JOINED:
        return _joined(call, arguments)
    result = callable_(call)(**arguments)
    if "take" not in key:
        return result
    if not DOTTED.fullmatch(str(key["take"])):
        raise UnknownName(f"take {shown(key['take'])} is not allowed: it is no name of a field")
    return operator.attrgetter(key["take"])(result)


def _joined(call, arguments):
    """What joins two numbers; a text times a number would be a long text."""
    names, _, join = JOINED[call]
    if set(arguments) != set(names):
        raise ValueError(f"{call} takes {names[0]} and {names[1]}, nothing else")
    for name in names:
        real(name, single(name, arguments[name]), -LARGEST, LARGEST)
    return join(*(arguments[name] for name in names))


def _arguments(key):
    """The arguments of a call; a product given as [m, n, k] becomes a call of its own."""
    found = dict(key.get("args", {}))
    for name, value in found.items():
        if isinstance(value, list):
            if len(value) != 3:
                raise ValueError(f"{name[:60]}: a list in a key is a product [m, n, k]")
            found[name] = {"call": GEMM, "args": dict(zip("mnk", value, strict=True))}
    return found


def spelled(key, parameters=None):
    """The key as the line of Python that a learner can run: roofline.ridge_point(peak=2e+14, bandwidth=5e+11)."""
    parameters = parameters or {}
    if isinstance(key, str) and key.startswith("$"):
        return spelled(parameters.get(key[1:], key))
    if not isinstance(key, dict):
        return _given(key, 6)
    arguments = {name: spelled(value, parameters) for name, value in _arguments(key).items()}
    if key["call"] in JOINED:
        names, sign, _ = JOINED[key["call"]]
        given = {n: key.get("args", {}).get(n) for n in names}
        joins = {n for n in names if isinstance(given[n], dict) and given[n].get("call") in JOINED}
        return f" {sign} ".join(f"({arguments[n]})" if n in joins else arguments[n] for n in names)
    take = f".{key['take']}" if "take" in key else ""
    if key["call"] == GEMM:
        return f"workload.Gemm({', '.join(arguments.values())}){take}"
    return f"{key['call']}({', '.join(f'{a}={value}' for a, value in arguments.items())}){take}"


def runnable(calls):
    """Lines of Python that a learner can paste into any cell: the imports, then each call with what it gives."""
    text = "\n".join(line for line, _ in calls)
    topics = sorted(set(re.findall(r"(?<![\w.'\"])([a-z]\w*)(?:\.[a-z]\w*)?\.\w+\(", text)))
    found = {name: [topic for topic in topics if package(topic) == name] for name in sorted(map(package, topics))}
    lines = [f"from {name} import {', '.join(rooms)}" for name, rooms in found.items()]
    return "\n".join([*lines, *(f"{line}  # {_given(value)}" for line, value in calls)])


def _given(value, digits=4):
    return repr(value) if isinstance(value, str) else f"{value:.{digits}g}" if isinstance(value, float) else str(value)
