"""Drawing: an item of the bank becomes one question, its numbers and its order fixed by a seed; text and key agree."""

import hashlib
import random
import re
from collections import Counter
from dataclasses import dataclass, replace
from math import exp, isfinite, log
from numbers import Real

from accelerator_course.quiz import keys, quantity
from accelerator_lib import hardware
from accelerator_lib.checks.inputs import described
from accelerator_lib.units import number, si, significant

REDRAWS = 200


@dataclass(frozen=True)
class Question:
    """One item, drawn. `options`, shuffled, are (text, entry) of a choice, (text, rank) of an order (equal ranks are
    ties), (left, right) of a match; `mistakes` (value or printed text, entry); an answer is in base units."""

    id: str
    type: str
    ask: str
    hint: str
    why: str
    calls: tuple = ()  # (line of Python, what it gives) of what computes the answer
    see: str = ""
    options: tuple = ()
    answer: float | None = None
    unit: str = ""
    units: tuple = ()
    rel_tol: float = 0.02
    mistakes: tuple = ()
    code: str = ""
    text: str = ""  # what the code prints
    targets: tuple = ()  # of a match: every right and the decoys, shuffled
    seed: str = ""


def question(item, seed):
    """The Question of a bank item for a seed (any text or number): same seed, same question, on every machine."""
    return replace(DRAWERS[item["type"]](item, _seeded(f"{seed}/{item['id']}")), seed=str(seed))


def _seeded(text):
    """A generator from a text; Python's own hash would differ from run to run."""
    return random.Random(int(hashlib.sha256(text.encode()).hexdigest(), 16))


def _shared(item):
    return {"id": item["id"], "type": item["type"], "see": item.get("see", "")}


def _plain(item):
    shown = item.get("values") or ([item["shows"]] if "shows" in item else [])
    calls = tuple((keys.spelled(key), keys.evaluate(key)) for key in shown)
    return {**_shared(item), "ask": item["ask"], "hint": item["hint"], "why": item["why"], "calls": calls}


def _choice(item, draw):
    options = [(option["text"], option) for option in item["options"]]
    draw.shuffle(options)
    return Question(**_plain(item), options=tuple(options))


def ranks(item):
    """The place of every item of an order, as listed; ties share one."""
    found = list(range(len(item["items"])))
    for a, b in item.get("ties", []):
        found[b] = found[a]
    return found


def _order(item, draw):
    options = list(zip(item["items"], ranks(item), strict=True))
    while [rank for _, rank in options] == sorted(ranks(item)):  # a list that is already in order asks nothing
        draw.shuffle(options)
    return Question(**_plain(item), options=tuple(options))


def _code(item, draw):
    mistakes = tuple((mistake["answer"], mistake) for mistake in item.get("mistakes", []))
    return Question(**_plain(item), code=item["code"].rstrip(), text=item["answer"], mistakes=mistakes)


def _match(item, draw):
    options = [tuple(pair) for pair in item["pairs"]]
    targets = sorted({right for _, right in options} | set(item["decoys"]))
    draw.shuffle(options)
    draw.shuffle(targets)
    return Question(**_plain(item), options=tuple(options), targets=tuple(targets))


def _drawn(item, draw):
    """(parameters, answer, mistakes) of a numeric item: drawn again until no mistake comes near the answer."""
    draws = REDRAWS if item.get("params") else 1  # nothing is drawn: the next draw would be the same
    for _ in range(draws):
        parameters = {name: _value(spec, draw) for name, spec in item.get("params", {}).items()}
        answer = keys.evaluate(item["answer"], parameters)
        if not isinstance(answer, Real):
            raise TypeError(f"the answer's key must give a number, not {described(answer)}")
        mistakes = tuple((keys.evaluate(m, parameters), m) for m in item.get("mistakes", []))  # a call, and words
        near = 3 * item.get("rel_tol", 0.02) * abs(answer)
        if isfinite(answer) and all(m is None or abs(m - answer) > near for m, _ in mistakes):
            return parameters, answer, mistakes
    raise ValueError(f"in {draws} draws no mistake stayed three tolerances away from the answer")


def outcome(item, seed):
    """Which case a draw is: what the item's `outcome` gives; of a number, whether it is at least 1."""
    found = keys.evaluate(item["outcome"], _drawn(item, _seeded(f"{seed}/{item['id']}"))[0])
    return found >= 1 if isinstance(found, Real) and not isinstance(found, bool) else found


def _numeric(item, draw):
    parameters, answer, mistakes = _drawn(item, draw)
    printed = {name: spoken(parameters[name], spec) for name, spec in item.get("params", {}).items()}
    told = {name: fill(item[name], printed) for name in ("ask", "hint", "why")}
    told |= {"calls": ((keys.spelled(item["answer"], parameters), answer),), "answer": float(answer)}
    told |= {"unit": item["unit"], "units": tuple(quantity.menu(item["unit"])), "rel_tol": item.get("rel_tol", 0.02)}
    slips = tuple((float(value), {**m, "why": fill(m["why"], printed)}) for value, m in mistakes)
    return Question(**_shared(item), **told, mistakes=slips)


DRAWERS = {"choice": _choice, "numeric": _numeric, "order": _order, "code": _code, "match": _match}


def beliefs_of(item):
    """The misconceptions from which a wrong answer of an item, or of a prediction, follows."""
    parts = (*item.get("options", ()), *item.get("mistakes", ()))
    return {part["misconception"] for part in parts if "misconception" in part}


def subjects(item):
    """What an item is about: the panel to which it leads, and the beliefs from which its wrong answers follow."""
    return beliefs_of(item) | ({item["see"]} if "see" in item else set())


def choose(items, count, seed, before=()):
    """`count` items, one numeric at least; where the pool allows it no two about the same, none of `before` (ids)."""
    draw = _seeded(f"{seed}/choose")
    pool = draw.sample(items, len(items))
    pool.sort(key=lambda item: item["id"] in before)  # stable: what was not asked last time comes first
    chosen = [item for item in pool if item["type"] == "numeric"][: min(count, 1)]
    for fresh in (True, False):
        for item in pool:
            seen = {subject for other in chosen for subject in subjects(other)}
            if len(chosen) < count and item not in chosen and not (fresh and seen & subjects(item)):
                chosen.append(item)
    return draw.sample(chosen, len(chosen))


def revisit(pool, wanted, count, seed, before=(), share=1):
    """`count` (chapter, item) pairs: up to `share` about the `wanted`, round and round, the rest as `choose` does."""
    rest = _seeded(f"{seed}/revisit").sample(pool, len(pool))
    rest.sort(key=lambda pair: (pair[1]["id"] in before, pair[1]["type"] != "numeric"))
    chosen, most, before_round = [], min(count, round(share * count)), -1
    while before_round < len(chosen) < most:
        before_round = len(chosen)
        for subject in wanted:
            pair = next((pair for pair in rest if subject in subjects(pair[1])), None)
            if pair and len(chosen) < most:
                chosen.append(pair)
                rest.remove(pair)
    others = choose([item for _, item in rest], count - len(chosen), seed, before)
    return [*chosen, *(pair for pair in rest if pair[1] in others)]


def spread(pool, wanted, count, seed, before=()):
    """`count` (chapter, item) pairs, evenly over chapters: not asked `before`, about the `wanted`, of a rare level."""
    draw, taken, chosen = _seeded(f"{seed}/spread"), Counter(), []
    rest, wanted = draw.sample(pool, len(pool)), set(wanted)

    def turn(pair):
        return taken[pair[0]], pair[1]["id"] in before, not wanted & subjects(pair[1]), taken[pair[1].get("level")]

    while rest and len(chosen) < count:
        chosen.append(min(rest, key=turn))
        rest.remove(chosen[-1])
        taken.update((chosen[-1][0], chosen[-1][1].get("level")))
    return draw.sample(chosen, len(chosen))


def _value(spec, draw):
    if "choice" in spec:
        return draw.choice(spec["choice"])
    if "whole" in spec:
        return draw.randint(*spec["whole"])
    low, high = spec["log"]
    return significant(exp(draw.uniform(log(low), log(high))))


def fill(text, printed):
    """Put printed parameters into {braces}. Raises ValueError for a name that is not drawn."""

    def put(match):
        if match[1] not in printed:
            drawn = ", ".join(printed) or "none"
            raise ValueError(f"{{{match[1][:60]}}} in the text is not a parameter; drawn are: {drawn}")
        return printed[match[1]]

    return re.sub(r"\{(\w+)\}", put, text)


def spoken(value, spec):
    """A drawn value as the text says it: a chip by its name, a number with its unit."""
    if isinstance(value, str):
        return hardware.chip(value).name if value in hardware.chips() else value
    unit = spec.get("unit", "")
    return si(value, unit) if unit in ("s", "FLOP/s", "B/s", "B", "FLOP", "Hz") else f"{_counted(value)} {unit}".strip()


def _counted(value):
    for name, size in (("trillion", 1e12), ("billion", 1e9)):
        if value >= size:
            return f"{number(value / size)} {name}"
    return number(value)
