"""What a question tells a learner, what answers it, and the numbers in it."""


def words(item):
    """What a question tells a learner; a wrong option may say what it likes, its reason may not."""
    tells = ("ask", "why", "hint", "model", *(["text"] if item.get("right") else []))
    for key, value in item.items():
        if key in tells and isinstance(value, str):
            yield value
        elif isinstance(value, list):
            for one in value:
                if isinstance(one, dict):
                    yield from words(one)
                elif isinstance(one, str) and key in ("items", "decoys"):
                    yield one


def right(item):
    """What a right answer says, where it is words or one printed number."""
    if item["type"] == "choice":
        yield from (option["text"] for option in item["options"] if option.get("right"))
    elif item["type"] == "match":
        yield from (f"{left} {right}" for left, right in item["pairs"])
    elif not item.get("params") and isinstance(item["answer"], str):
        yield item["answer"].strip()


def numbers(value):
    """All numbers in a piece of YAML, and those written in its parameters."""
    if isinstance(value, bool):
        return
    if isinstance(value, (int, float)):
        yield float(value)
    elif isinstance(value, dict):
        for one in value.values():
            yield from numbers(one)
    elif isinstance(value, (list, tuple)):
        for one in value:
            yield from numbers(one)
