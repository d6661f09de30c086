"""Sense: what the shape of a question file cannot say of one item, by its type."""

from math import isfinite

from accelerator_course.quiz import draw, keys, quantity


def check(entry):
    """Raises ValueError where a choice has two answers, a range no numbers, an order no order."""
    if entry["type"] in CHECKS:
        CHECKS[entry["type"]](entry)


def _check_choice(entry):
    right = sum(option.get("right", False) for option in entry["options"])
    if right != 1:
        raise ValueError(f"{right} options are marked right; it must be one")
    if len({option["text"] for option in entry["options"]}) < len(entry["options"]):
        raise ValueError("two options have the same text")


def _check_numeric(entry):
    quantity.dimension(entry["unit"])
    for name, spec in entry.get("params", {}).items():
        low, high = spec.get("log") or spec.get("whole") or (0, 1)
        numbers = [low, high, *(value for value in spec.get("choice", []) if not isinstance(value, str))]
        if not all(map(isfinite, numbers)) or not low < high:
            raise ValueError(f"parameter {name[:60]!r} must be drawn from finite numbers, the lower end first")
        if spec.get("unit") == "%" and max(numbers) <= 1:
            raise ValueError(f"parameter {name[:60]!r} is printed as it is drawn: 30 for 30 %, not 0.3")


def _check_match(entry):
    rights = [right for _, right in entry["pairs"]]
    if set(rights) & set(entry["decoys"]):
        raise ValueError("a decoy is also the right side of a pair")
    if len({left for left, _ in entry["pairs"]}) < len(rights):
        raise ValueError("a left side stands twice")


def _check_order(entry):
    """Ties name items; where the library can compute the values, they rise in the order given."""
    last = len(entry["items"]) - 1
    if any(place > last for tie in entry.get("ties", []) for place in tie):
        raise ValueError(f"ties count the items from 0 to {last}")
    if len(set(draw.ranks(entry))) == 1:
        raise ValueError("all items are tied: there is no order to ask for")
    values = [keys.evaluate(key) for key in entry.get("values", [])]
    if values and (len(values) != last + 1 or values != sorted(values)):
        raise ValueError(f"the library's values do not rise in the order given: {values}")


CHECKS = {"choice": _check_choice, "numeric": _check_numeric, "match": _check_match, "order": _check_order}
