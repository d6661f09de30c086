"""Intake: a question file is weighed before it is parsed, and nothing odd in it gets further.

A few lines of YAML can mean gigabytes; the stream of its events is as long as the file, and is read first.
"""

import io
import stat

from accelerator_lib.checks.inputs import shown

MOST_BYTES, MOST_PARTS, DEEPEST = 1_000_000, 100_000, 16  # the course's own files: 40 kB, 4,000 parts, 7 levels
LARGEST = 1e30  # of a number
LEVEL = {"MappingStartEvent": 1, "SequenceStartEvent": 1, "MappingEndEvent": -1, "SequenceEndEvent": -1}


def weighed(path):
    """The text of a question file. Raises OSError, or ValueError with file and line."""
    about = path.stat()
    if not stat.S_ISREG(about.st_mode):
        raise ValueError(f"{path.name} is no file")
    if about.st_size > MOST_BYTES:
        raise ValueError(f"{path.name} has {about.st_size / 1e6:.3g} MB; a question file at most {MOST_BYTES / 1e6:g}")
    try:
        text = path.read_text(encoding="utf-8")
    except UnicodeDecodeError as error:
        byte = f"byte {error.start} is {error.object[error.start]:#04x}"
        raise ValueError(f"{path.name} is no text in UTF-8: {byte}") from None
    _weigh(text, path.name)
    return text


def stream(text, name):
    """A text as a file that knows its name, for the messages of a parser."""
    made = io.StringIO(text)
    made.name = name
    return made


def loader():
    """PyYAML's fast reader where it was built, else the slow one."""
    import yaml

    return getattr(yaml, "CSafeLoader", yaml.SafeLoader)


def _weigh(text, name):
    import yaml

    depth = 0
    for count, event in enumerate(yaml.parse(stream(text, name), loader())):
        kind, line = type(event).__name__, event.start_mark.line + 1
        depth += LEVEL.get(kind, 0)
        if depth > DEEPEST:
            raise ValueError(f"{name}, line {line}: more than {DEEPEST} levels, one within the other")
        if count > MOST_PARTS:
            raise ValueError(f"{name}, line {line}: more than {MOST_PARTS:,} parts")
        if kind == "AliasEvent":
            raise ValueError(f"{name}, line {line}: an alias (*{event.anchor:.20}) is not allowed: write it out")
        if getattr(event, "tag", None) not in (None, "!"):
            raise ValueError(f"{name}, line {line}: a tag ({event.tag:.40}) is not allowed: write the value alone")


def odd(content, where=()):
    """(where, message) of every key, text and number that no question needs."""
    if isinstance(content, dict):
        for key, value in content.items():
            if not isinstance(key, str):
                yield [*where], f"a key must be a name, not {shown(key)}"
            yield from odd(value, (*where, key))
    elif isinstance(content, list):
        for place, value in enumerate(content):
            yield from odd(value, (*where, place))
    elif isinstance(content, str):
        signs = [sign for sign in content if not printable(sign)]
        if signs:
            yield [*where], f"the sign U+{ord(signs[0]):04X} is not allowed in a text"
    elif isinstance(content, (int, float)) and not abs(content) <= LARGEST:
        yield [*where], f"a number must be finite, and at most {LARGEST:g}"


def printable(sign):
    """Whether XML and a page can hold a sign: no control sign but tab and line break, no half of a pair."""
    code = ord(sign)
    odd = code < 0x20 or 0x7F <= code < 0xA0 or 0xD800 <= code < 0xE000 or code & 0xFFFE == 0xFFFE
    return sign in "\t\n" or not odd
