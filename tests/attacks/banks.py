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

HEAD = "chapter: roofline\npredict: []\nquiz:\n"
CODE = {"id": "a", "type": "code", "ask": "Prints?", "code": "print(1)", "answer": "1", "hint": "h", "why": "w"}
CHOICE = {"id": "b", "type": "choice", "ask": "Which?", "hint": "h", "why": "w",
          "options": [{"text": "x", "why": "w", "right": True}, {"text": "y", "why": "w"}, {"text": "z", "why": "w"}]}  # fmt: skip
ORDER = {"id": "c", "type": "order", "ask": "Order?", "hint": "h", "why": "w", "items": ["x", "y", "z"]}
MATCH = {"id": "d", "type": "match", "ask": "Pairs?", "hint": "h", "why": "w",
         "pairs": [["x", "1"], ["y", "2"], ["z", "3"]], "decoys": ["4"]}  # fmt: skip
NUMBER = {"id": "e", "type": "numeric", "ask": "What is {p}?", "hint": "h", "why": "w", "unit": "s",
          "params": {"p": {"log": [1, 10]}}, "answer": {"call": "product", "args": {"a": "$p", "b": 2}}}  # fmt: skip
BOMB = "a: &a [x, x, x, x, x, x, x, x, x]\n" + "".join(
    f"{b}: &{b} [{', '.join([f'*{a}'] * 9)}]\n" for a, b in zip("abcdefgh", "bcdefghi", strict=True)
)

BARRED = {
    "ladder.judge": {"rung": "feed", "source": "t = (1, 1)"},
    "kernels.machine.run": {"kernel": "feed"},
    "network.devices.run": {"function": "print"},
    "codesign.autotune.run": {},
    "codesign.kernels.kernel": {"name": "attention"},
    "codesign.kernels.recorded_kernel": {"name": "attention"},
    "llm.tiny_xla.xla_flops": {"width": 4096},
    "llm.experts.route": {"experts": 4096, "active": 4096, "batch": 100_000},
    "numerics.lowbit.train": {},
    "design.sharded.search": {"slices": 800},
}
LONG = 900_000
ANSWERS = {
    "a text of a petabyte": ("product", {"a": "x" * 10, "b": 10**15}, "a must be a number"),
    "one number": ("product", {"a": 1, "c": 1}, "product takes a and b, nothing else"),
    "a name of 5,000 parts": ("a." * 5000 + "b", {}, "is not allowed"),
    "a name of 900 kB": ("a" * LONG, {}, "is not allowed"),
    "a list as a name": ("product", {"a": {"call": [1]}, "b": 1}, "call [1] is not allowed"),
    "a list that is no product": (
        "workload.intensity",
        {"gemm": [1, 2]},
        "gemm: a list in a key is a product [m, n, k]",
    ),
    "an argument of 900 kB": ("hardware.chip", {"name": "h" * LONG}, "is unknown"),
    "a long argument's name": ("hardware.chip", {"n" * 1000: 1}, "unexpected keyword argument"),
    "a parameter of 900 kB": ("hardware.chip", {"name": "$" * LONG}, "is not drawn"),
}


def bank(*items, **more):
    """The text of a question file; JSON is YAML."""
    return json.dumps({"chapter": "roofline", "predict": [], "quiz": list(items), **more}).encode()


def refused():
    """(name, content, part of the line that must be said)."""
    yield "nothing", b"", "is empty"
    yield "a comment", b"# nothing\n", "is empty"
    yield "a number", b"7", "is not of type 'object'"
    yield "a list", b"[1, 2]", "is not of type 'object'"
    yield "a picture", b"\x89PNG\r\n\x1a\n\x00\x00", "is no text in UTF-8"
    yield "UTF-16", "chapter: roofline".encode("utf-16"), "is no text in UTF-8"
    yield "zeros", b"\0" * 1000, "control characters are not allowed"
    yield "two documents", b"a: 1\n---\nb: 2\n", "expected a single document"
    yield "five megabytes", b"x" * 5_000_000, "has 5 MB; a question file at most 1"
    yield "100,000 brackets", b"[" * 100_000, "more than 16 levels"
    yield "100,000 tables", b"{a: " * 100_000, "more than 16 levels"
    yield "100,000 dashes", b"- " * 100_000, "more than 16 levels"
    yield "100,000 question marks", b"? " * 100_000, "more than 16 levels"
    yield "deep by its indentation", b"".join(b" " * n + b"a:\n" for n in range(300)), "more than 16 levels"
    yield "400,000 parts", b"a: [" + b"1," * 400_000 + b"]", "more than 100,000 parts"
    yield "a bomb of lists", BOMB.encode(), "an alias (*a) is not allowed"
    yield "a list that holds itself", b"a: &a [*a]", "an alias (*a) is not allowed"
    yield "a table merged into itself", b"a: &a {<<: *a}", "an alias (*a) is not allowed"
    yield "a command as a tag", b"!!python/object/apply:os.system [echo]", "a tag (tag:yaml.org,2002:python"
    yield "a number that is none", b"a: !!int ''", "a tag (tag:yaml.org,2002:int"
    yield "a day that is none", b"a: 2026-99-99", "month must be in 1..12"
    yield "a number of 5,000 digits", b"a: " + b"9" * 5000, "4300 digits"
    yield "a hexadecimal number of 5,000 digits", b"a: 0x" + b"f" * 5000, "a number must be finite"
    yield "a number in minutes and seconds", b"a: 1" + b":59" * 3000, "a number must be finite"
    yield "no number", b"a: .nan", "a number must be finite"
    yield "a list as a key", b"[a]: b", "a key must be a name, not a list or table"
    yield "a table as a key", b"{a: b}: c", "a key must be a name, not a list or table"
    yield "a number as a key", b"1: a", "a key must be a name, not 1"
    yield "a key twice", b"chapter: a\nchapter: b", "the key 'chapter' stands twice"
    yield "an unknown chapter", bank(CODE, chapter="nowhere"), "line 1: chapter 'nowhere' is unknown"
    yield "a chapter that is a list", bank(CODE, chapter=["roofline"]), "is not of type 'string'"
    yield "a control sign", bank(CODE | {"ask": "a\x00b"}), "the sign U+0000 is not allowed"
    yield "half a letter", bank(CODE | {"why": "a\ud800"}), "invalid Unicode character escape"
    yield "no sign of XML", bank(CODE | {"hint": "a\uffff"}), "the sign U+FFFF is not allowed"
    yield "a control sign as a key", bank(CODE | {"\x1b[2J": 1}), "Additional properties"
    yield "all lines tied", bank(ORDER | {"ties": [[0, 1], [0, 2]]}), "all items are tied"
    yield "all lines tied in a chain", bank(ORDER | {"ties": [[0, 1], [1, 2]]}), "all items are tied"
    yield "ties beyond the list", bank(ORDER | {"ties": [[0, 9**9]]}), "ties count the items from 0 to 2"
    yield "forty options", bank(CHOICE | {"options": CHOICE["options"] * 14}), "item 'b': [{"
    yield "a range of nothing", bank(NUMBER | {"params": {"p": {"log": [10, 1]}}}), "the lower end first"
    yield "a range without end", bank(NUMBER | {"params": {"p": {"whole": [1, 10**40]}}}), "a number must be finite"
    yield "a choice of tables", bank(NUMBER | {"params": {"p": {"choice": [{"a": 1}]}}}), "item 'e'"
    yield (
        "a division by zero",
        bank(NUMBER | {"answer": {"call": "ratio", "args": {"of": "$p", "to": 0}}}),
        "division by zero",
    )
    yield (
        "a call of the system",
        bank(NUMBER | {"answer": {"call": "os.system", "args": {"command": "echo"}}}),
        "is not allowed",
    )
    yield "a call of a call's own", bank(NUMBER | {"answer": {"call": "product", "args": {"a": 1}}}), "item 'e'"
    yield "a field of a field", bank(NUMBER | {"answer": {"call": "roofline.ridge_of", "args": {"chip": "tpu-v5e", "dtype": "bf16"}, "take": "__class__.__mro__"}}), "item 'e'"  # fmt: skip
    yield "a unit of another world", bank(NUMBER | {"unit": "parsec"}), "unit 'parsec' is unknown"
    yield "a parameter that is not drawn", bank(NUMBER | {"ask": "{__class__}"}), "is not a parameter"
    for call, args in BARRED.items():
        yield (
            f"a call of {call}",
            bank(NUMBER | {"answer": {"call": call, "args": args}}),
            "not allowed in a key: it runs, measures or",
        )
    for name, (call, args, line) in ANSWERS.items():
        yield name, bank(NUMBER | {"answer": {"call": call, "args": args}}), line
    nothing = {"call": "hardware.chip", "args": {"name": "tpu-v5e"}}
    yield "a key that gives nothing", bank(NUMBER | {"answer": nothing | {"take": "tdp_w"}}), "a number, not nothing"
    yield "a private field", bank(NUMBER | {"answer": nothing | {"take": "__init__.__globals__"}}), "no name of a field"
    for name, more, line in (
        ("unit", {"unit": "A" * LONG}, "is unknown; allowed"),
        ("noun", {"unit": "s" * LONG}, "is unknown; allowed"),
        ("type", {"type": "s" * LONG}, "is not one of"),
        ("id", {"id": "s" * LONG}, "is too long"),
    ):
        yield f"a {name} of 900 kB", bank(NUMBER | more), line
    yield "a key of 900 kB", b"? " + b"s" * LONG + b"\n: 1", "Additional properties are not allowed"
    yield "a long key twice", (b"? " + b"s" * (LONG // 2) + b"\n: 1\n") * 2, "stands twice"
    yield "an id with a line break", bank(CODE | {"id": "a\n"}), "does not match"
    yield "a thousand problems", (HEAD + "  - {id: a}\n" * 1000).encode(), "more problems"


SIGNS = ['=HYPERLINK("http://x")', "+1+cmd|' /C calc'!A0", "-2+3", "@SUM(A1)", "\t=1", "|x", " =1"]
PAGES = ["<script>alert(1)</script>", "![a](/etc/passwd)", "![a](http://x/a.png)", "<img src=/etc/passwd onerror=alert(1)>",
         "<iframe src=x></iframe>", "[a](javascript:alert(1))", "\\![a](/etc/passwd)", "<svg/onload=alert(1)>",
         "```{.python .run}\nprint(1)\n```", "$\\bad{$", "COMMENT\n\nEND_COMMENT", "Title: x\n\n2.  y\n*a) z\n", "]]>", "::x:: {=a}",
         "&lt;script&gt;alert(1)&lt;/script&gt;"]  # fmt: skip

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
        yield text, bank(
            CODE | told | {"code": text, "answer": text, "mistakes": [{"answer": f"{text}x", "why": text}]},
            CHOICE | told | {"options": [{"text": f"{text}{n}", "why": text, **({"right": True} if n == 1 else {})} for n in range(8)]},
            ORDER | told | {"items": [f"{text}{n}" for n in range(4)]},
            MATCH | told | {"pairs": [[f"{text}{n}", f"{text}{n}"] for n in range(4)], "decoys": [text] * 6},
        )  # fmt: skip


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
