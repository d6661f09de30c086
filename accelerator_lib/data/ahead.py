"""Ahead: the course's own YAML, parsed and checked when it was packed for the browser, where both are slow.

    written(paths)      the content of files as text, each with a digest of what it was made from
    content(path)       what was parsed ahead of one file; NOTHING where none was, or the file is another since

A checkout and the wheel that pip installs hold no such list: there YAML is read as it stands.
"""

import json
from functools import cache
from hashlib import sha256
from pathlib import Path

LIST = Path(__file__).parent / "ahead.json"  # {digest of a file: its content}
PAIRS = "=pairs"
NOTHING = object()  # None is what an empty file holds


def content(path):
    """What was parsed ahead of a file; NOTHING where that was not done."""
    known = _known()
    return known.get(_digest(path), NOTHING) if known else NOTHING


def written(contents):
    """{path: parsed content} as the text of LIST; what JSON would change is left out."""
    texts = {path: json.dumps(_paired(content), default=str, ensure_ascii=False) for path, content in contents.items()}
    read = {path: json.loads(text, object_hook=_unpaired) for path, text in texts.items()}
    kept = [path for path, content in contents.items() if _same(read[path], content)]
    return f"{{{', '.join(f'{json.dumps(_digest(path))}: {texts[path]}' for path in kept)}}}"


def _paired(value):
    """A dict whose keys are no words as pairs: JSON would make words of them."""
    if isinstance(value, dict):
        pairs = [[key, _paired(one)] for key, one in value.items()]
        return dict(pairs) if all(isinstance(key, str) for key in value) else {PAIRS: pairs}
    return list(map(_paired, value)) if isinstance(value, list) else value


def _unpaired(value):
    return dict(value[PAIRS]) if PAIRS in value else value


@cache
def _known():
    return json.loads(LIST.read_text(encoding="utf-8"), object_hook=_unpaired) if LIST.exists() else {}


def _digest(path):
    return sha256(Path(path).read_bytes()).hexdigest()


def _same(one, other):
    """Whether two contents are equal, their types and the order of their keys too."""
    if type(one) is not type(other):
        return False
    if isinstance(one, dict):
        return list(one) == list(other) and all(_same(one[key], other[key]) for key in one)
    if isinstance(one, list):
        return len(one) == len(other) and all(map(_same, one, other))
    return one == other
