"""Hostile question files: what a file of one's own, or of a stranger, may hold.

    python tests/attacks/banks.py     validate each in a process of its own, a minute at most, and count what fails

`refused()` yields (name, bytes, what the line says); `odd_but_right()` files that are in order, whose texts are none
that an export may pass on as they are.
"""

import json
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from accelerator_lib import data

TABLE = data.parse(Path(__file__).with_suffix(".yaml"))
HEAD = "chapter: roofline\npredict: []\nquiz:\n"
CODE, CHOICE, ORDER, MATCH, NUMBER = TABLE["good"].values()
BOMB = "a: &a [x, x, x, x, x, x, x, x, x]\n" + "".join(
    f"{b}: &{b} [{', '.join([f'*{a}'] * 9)}]\n" for a, b in zip("abcdefgh", "bcdefghi", strict=True)
)

LONG = 900_000
LEVELS = "more than 16 levels"


def bank(*items, **more):
    """The text of a question file; JSON is YAML."""
    return json.dumps({"chapter": "roofline", "predict": [], "quiz": list(items), **more}).encode()


def refused():
    """(name, content, part of the line that must be said)."""
    for name, (text, line) in TABLE["texts"].items():
        yield name, text.encode(), line
    yield "a picture", b"\x89PNG\r\n\x1a\n\x00\x00", "is no text in UTF-8"
    yield "UTF-16", "chapter: roofline".encode("utf-16"), "is no text in UTF-8"
    yield "zeros", b"\0" * 1000, "control characters are not allowed"
    yield "five megabytes", b"x" * 5_000_000, "has 5 MB; a question file at most 1"
    for name, sign in {"brackets": b"[", "tables": b"{a: ", "dashes": b"- ", "question marks": b"? "}.items():
        yield f"100,000 {name}", sign * 100_000, LEVELS
    yield "deep by its indentation", b"".join(b" " * n + b"a:\n" for n in range(300)), LEVELS
    yield "400,000 parts", b"a: [" + b"1," * 400_000 + b"]", "more than 100,000 parts"
    yield "a bomb of lists", BOMB.encode(), "an alias (*a) is not allowed"
    yield "a number of 5,000 digits", b"a: " + b"9" * 5000, "4300 digits"
    yield "a hexadecimal number of 5,000 digits", b"a: 0x" + b"f" * 5000, "a number must be finite"
    yield "a number in minutes and seconds", b"a: 1" + b":59" * 3000, "a number must be finite"
    yield "an unknown chapter", bank(CODE, chapter="nowhere"), "line 1: chapter 'nowhere' is unknown"
    yield "a chapter that is a list", bank(CODE, chapter=["roofline"]), "is not of type 'string'"
    yield "half a letter", bank(CODE | {"why": "a\ud800"}), "invalid Unicode character escape"
    yield "no sign of XML", bank(CODE | {"hint": "a\uffff"}), "the sign U+FFFF is not allowed"
    yield "forty options", bank(CHOICE | {"options": CHOICE["options"] * 14}), "item 'b': [{"
    for name, (kind, change, line) in TABLE["items"].items():
        yield name, bank(TABLE["good"][kind] | change), line
    answers = {name: tuple(asked) for name, asked in TABLE["answers"].items()} | {
        "a name of 5,000 parts": ("a." * 5000 + "b", {}, "is not allowed"),
        "a name of 900 kB": ("a" * LONG, {}, "is not allowed"),
        "an argument of 900 kB": ("hardware.chip", {"name": "h" * LONG}, "is unknown"),
        "a long argument's name": ("hardware.chip", {"n" * 1000: 1}, "unexpected keyword argument"),
        "a parameter of 900 kB": ("hardware.chip", {"name": "$" * LONG}, "is not drawn"),
    }
    for call, args in TABLE["barred"].items():
        answers[f"a call of {call}"] = call, args, "not allowed in a key: it runs, measures or"
    for name, (call, args, line) in answers.items():
        yield name, bank(NUMBER | {"answer": {"call": call, "args": args}}), line
    yield "a unit of 900 kB that is no plural", bank(NUMBER | {"unit": "A" * LONG}), "is unknown; allowed"
    lines = {"unit": "is unknown; allowed", "type": "is not one of", "id": "is too long"}
    for name, line in lines.items():
        yield f"a {name} of 900 kB", bank(NUMBER | {name: "s" * LONG}), line
    yield "a key of 900 kB", b"? " + b"s" * LONG + b"\n: 1", "Additional properties are not allowed"
    yield "a long key twice", (b"? " + b"s" * (LONG // 2) + b"\n: 1\n") * 2, "stands twice"
    yield "an id with a line break", bank(CODE | {"id": "a\n"}), "does not match"
    yield "a thousand problems", (HEAD + "  - {id: a}\n" * 1000).encode(), "more problems"


SIGNS, PAGES = TABLE["signs"], TABLE["pages"]

LINKS = r"""![a](http://example.org/a.png)
![a"><script>alert(1)</script>](x)
[a](JaVaScRiPt:alert(1))
[a](data:text/html,<script>alert(1)</script>)
[a](https://example.org/"onmouseover="alert(1))
<a href='javascript:alert(1)'>a</a>
`<svg/onload=alert(1)>`
<javascript:alert(1)>""".splitlines()
LINKS += ["[a]: javascript:alert(1)\n[a]", "```<style>\n@import 'http://example.org'\n```"]


def odd_but_right():
    """(text, content of a question file) with that text wherever an author may write."""
    for text in [*SIGNS, *PAGES]:
        told = {"ask": text, "hint": text, "why": text}
        code = {"code": text, "answer": text, "mistakes": [{"answer": f"{text}x", "why": text}]}
        options = [{"text": f"{text}{n}", "why": text} | ({"right": True} if n == 1 else {}) for n in range(8)]
        four = [f"{text}{n}" for n in range(4)]
        pairs = {"pairs": [[each, each] for each in four], "decoys": [text] * 6}
        items = CODE | code, CHOICE | {"options": options}, ORDER | {"items": four}, MATCH | pairs
        yield text, bank(*(item | told for item in items))


def main():
    failed, files = 0, [*refused(), *((text, content, "all in order") for text, content in odd_but_right())]
    for name, content, line in files:
        with tempfile.TemporaryDirectory() as folder:
            file, begun = Path(folder, "bank.yaml"), time.perf_counter()
            file.write_bytes(content)
            command = [sys.executable, "-W", "error", "-m", "accelerator_course.quiz", "validate", str(file)]
            try:
                run = subprocess.run(command, capture_output=True, text=True, timeout=60)
                good = line in run.stdout and "Traceback" not in run.stderr
            except subprocess.TimeoutExpired:
                good = False
            failed += not good
            print(f"{time.perf_counter() - begun:6.2f} s  {'' if good else 'FAILED: '}{name!r}")
    print(f"{len(files)} files, {failed} failures")
    return min(failed, 1)


if __name__ == "__main__":
    sys.exit(main())
