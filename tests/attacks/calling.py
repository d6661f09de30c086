"""How a function is called with {argument: value}, and the numbers in what it gives."""

import inspect
import itertools

import numpy as np

TAKEN = 10**6  # elements that are taken of an iterator


def numbers_in(result, depth=0):
    """Every number a result holds or computes, properties included."""
    if isinstance(result, np.ndarray) and result.dtype == object:
        yield from numbers_in([part for part in result.flat if part is not None], depth)
    elif isinstance(result, (int, float, np.number)) or (
        isinstance(result, np.ndarray) and result.dtype.kind in "iufb"
    ):
        yield result
    elif isinstance(result, (list, tuple)):
        for part in result:
            yield from numbers_in(part, depth)
    elif isinstance(result, dict):
        yield from numbers_in(list(result.values()), depth)
    elif depth < 2 and type(result).__module__.startswith("accelerator_"):
        for name in dir(result):
            if not name.startswith("_") and not callable(getattr(result, name)):
                yield from numbers_in(getattr(result, name), depth + 1)


def answer(function, arguments):
    """What a call gives, iterators taken whole."""
    result = function(*_positional(function, arguments), **_named(function, arguments))
    if hasattr(result, "__next__"):
        result = list(itertools.islice(result, TAKEN))
    return result


def starred(function):
    """The name of its *arguments, or None."""
    kinds = inspect.signature(function).parameters.values()
    return next((p.name for p in kinds if p.kind == p.VAR_POSITIONAL), None)


def _positional(function, arguments):
    star = starred(function)
    if star is None:
        return ()
    names = list(inspect.signature(function).parameters)
    before = [arguments[name] for name in names[: names.index(star)] if name in arguments]
    return (*before, *arguments.get(star, ()))


def _named(function, arguments):
    star = starred(function)
    names = list(inspect.signature(function).parameters)
    gone = names[: names.index(star) + 1] if star else ()
    return {name: value for name, value in arguments.items() if name not in gone}


def same(one, other):
    """Do two results hold the same numbers, to the accuracy of another order of the same sums?"""
    first, second = ([np.asarray(n, dtype=float) for n in numbers_in(result)] for result in (one, other))
    return len(first) == len(second) and all(
        a.shape == b.shape and np.allclose(a, b, rtol=1e-5, atol=0, equal_nan=True)
        for a, b in zip(first, second, strict=True)
    )
