"""Drawing: an item of the bank becomes one question, its numbers and its order fixed by a seed.

Text and key are rendered from the same draw. A draw in which a modelled mistake comes within three tolerances of the
truth would punish the right answer or praise a wrong one, so it is drawn again.
"""

import hashlib
import random
import re
from dataclasses import dataclass
from math import exp, isfinite, log

from accelerator_lib import hardware
from accelerator_lib.quiz import keys, quantity
from accelerator_lib.units import number, si, significant

REDRAWS = 200


@dataclass(frozen=True)
class Question:
    """One item, drawn. `options` of a choice are (text, entry); `answer` of a numeric item is in base units."""

    id: str
    type: str
    ask: str
    hint: str
    why: str
    call: str = ""  # the line of Python that computes the answer
    see: str = ""
    options: tuple = ()
    answer: float | None = None
    unit: str = ""
    units: tuple = ()
    rel_tol: float = 0.02
    mistakes: tuple = ()  # (value in base units, entry)


def question(item, seed):
    """The Question of a bank item for a seed (any text or number): same seed, same question, on every machine."""
    draw = random.Random(int(hashlib.sha256(f"{seed}/{item['id']}".encode()).hexdigest(), 16))
    shared = {"id": item["id"], "type": item["type"], "see": item.get("see", "")}
    if item["type"] == "choice":
        options = [(option["text"], option) for option in item["options"]]
        draw.shuffle(options)
        return Question(**shared, ask=item["ask"], hint=item["hint"], why=item["why"], options=tuple(options))
    for _ in range(REDRAWS):
        parameters = {name: _value(spec, draw) for name, spec in item.get("params", {}).items()}
        answer = keys.evaluate(item["answer"], parameters)
        mistakes = tuple((keys.evaluate(_call(m), parameters), m) for m in item.get("mistakes", []))
        tolerance = item.get("rel_tol", 0.02)
        if answer is not None and isfinite(answer) and all(_apart(answer, m, tolerance) for m, _ in mistakes):
            break
    else:
        raise ValueError(f"in {REDRAWS} draws no mistake stayed three tolerances away from the answer")
    printed = {name: _print(parameters[name], spec) for name, spec in item.get("params", {}).items()}
    return Question(
        **shared,
        ask=fill(item["ask"], printed),
        hint=fill(item["hint"], printed),
        why=fill(item["why"], printed),
        call=keys.spelled(item["answer"], parameters),
        answer=float(answer),
        unit=item["unit"],
        units=tuple(quantity.menu(item["unit"])),
        rel_tol=tolerance,
        mistakes=tuple((float(value), {**m, "why": fill(m["why"], printed)}) for value, m in mistakes),
    )


def choose(items, count, seed):
    """`count` different items of a pool; at least one numeric where there is one."""
    draw = random.Random(int(hashlib.sha256(f"{seed}/choose".encode()).hexdigest(), 16))
    chosen = draw.sample(items, min(count, len(items)))
    numeric = [item for item in items if item["type"] == "numeric"]
    if numeric and not any(item["type"] == "numeric" for item in chosen):
        chosen[-1] = draw.choice(numeric)
    return chosen


def fill(text, printed):
    """Put printed parameters into {braces}. Raises ValueError for a name that is not drawn."""

    def put(match):
        if match[1] not in printed:
            raise ValueError(
                f"{{{match[1]}}} in the text is not a parameter; drawn are: {', '.join(printed) or 'none'}"
            )
        return printed[match[1]]

    return re.sub(r"\{(\w+)\}", put, text)


def _value(spec, draw):
    if "choice" in spec:
        return draw.choice(spec["choice"])
    if "whole" in spec:
        return draw.randint(*spec["whole"])
    low, high = spec["log"]
    return significant(exp(draw.uniform(log(low), log(high))))


def _print(value, spec):
    if isinstance(value, str):
        return hardware.chip(value).name if value in hardware.chips() else value
    unit = spec.get("unit", "")
    return f"{number(value)} {unit}".strip() if unit in ("", "FLOP/byte", "rows", "tokens", "%") else si(value, unit)


def _call(mistake):
    return {name: mistake[name] for name in ("call", "args", "take") if name in mistake}


def _apart(truth, mistake, tolerance):
    return mistake is None or abs(mistake - truth) > 3 * tolerance * abs(truth)
