"""Good calls of the functions that nobody was overheard to call: a few are written down, the others are guessed.

A guess takes values that others gave an argument of the same name or kind, until a call works.
"""

import contextlib
import copy
import inspect
import io
import random
import signal
import warnings
import zlib

import numpy as np
from attacks.calling import answer

GUESSES = 80  # draws for each function
PLAIN = (1, 2, 4, 16, 64, 0.5, 1e9, 1e12)


def written():
    """{function: a call of it} that no guess would find."""
    from accelerator_course import league
    from accelerator_course.league import capstone
    from accelerator_lib import workload

    mine = league.brief(2).design(128, 4, 32, 4, 1.5e9, 4e11)
    return {
        "codesign.hlo.passes": {"function": _doubled, "shapes": ((4, 4), (4, 4))},
        "codesign.hlo.traffic": {"function": _doubled, "shapes": ((4, 4), (4, 4))},
        "codesign.worksheet.fill": {"model": {"attention": (workload.Gemm(64, 64, 64), 2, 3)}},
        "league.ranking.rank": {"lines": [league.token(2, mine)]},
        "league.reports.of": {"judged": capstone.judge(2, mine)},
        "league.tokens.from_token": {"text": league.token(2, mine)},
        "energy.arrays.dataflow": {"gemm": workload.Gemm(2, 3, 4), "edge": 8, "flow": "os"},
        "llm.prefixes.visits": {"prompts": [[1, 2, 3, 4], [1, 2, 5, 6]], "block": 2, "cache": 4},
    }


def _doubled(x, y=1):
    return x * 2 + y


def pools(functions, calls):
    """({parameter: values}, {kind: values}) of all calls that are known."""
    by_name, by_kind = {}, {}
    for name, function in functions.items():
        for call in calls[name]:
            for argument, value in call.items():
                by_name.setdefault(argument, []).append(value)
                if argument in function.kinds:
                    by_kind.setdefault(repr(function.kinds[argument]), []).append(value)
    return by_name, by_kind


def complete(functions, calls, but):
    """The calls, with written and guessed ones where there was none; `but` names functions that are not called."""
    calls |= {name: [call] for name, call in written().items() if name in calls and not calls[name]}
    by_name, by_kind = pools(functions, calls)
    return {
        name: calls[name] or ([] if name in but else _guess(name, functions[name], by_name, by_kind))
        for name in functions
    }


def _guess(name, function, by_name, by_kind):
    draw, found = random.Random(zlib.crc32(name.encode())), []
    for _ in range(GUESSES):
        call = {}
        for argument, p in inspect.signature(function).parameters.items():
            if p.default is not p.empty or p.kind == p.VAR_POSITIONAL:
                continue
            kind = function.kinds.get(argument)
            known = by_kind.get(repr(kind), []) if draw.random() < 0.5 else by_name.get(argument, [])
            known = known or [*by_kind.get(repr(kind), []), *by_name.get(argument, [])]
            allowed = list(getattr(kind, "allowed", ()))
            call[argument] = copy.deepcopy(draw.choice(allowed or known or PLAIN))
        if _works(function, call):
            found.append(call)
        if len(found) == 2:
            break
    return found


def _works(function, call):
    def late(*_):
        raise TimeoutError

    before = signal.signal(signal.SIGALRM, late)
    signal.alarm(2)
    try:
        with warnings.catch_warnings(), np.errstate(all="ignore"), contextlib.redirect_stdout(io.StringIO()):
            warnings.simplefilter("ignore")
            answer(function, copy.deepcopy(call))
        return True
    except Exception:
        return False
    finally:
        signal.alarm(0)
        signal.signal(signal.SIGALRM, before)
