"""Claims: every number of a chapter's prose, bound to what the library computes.

tests/<topic>/claims.yaml maps the id of a cell, or `question <id>`, to its claims:

    afar-title:
      - says: 16,384 or 65,536 PEs                  # each numeral of the quotation, in order,
        are: [128**2, 256**2]                       # is what an expression gives, to the digits that are shown
      - says: Play it very fast with 64 × 64.       # an instruction: the panel can be set so, as a reader would,
        panel: afar                                 # and then one of its sentences says what is seen
        set: {edge: 64}
        seen: all 4,096 PEs
      - says: 64 rows of inputs
        are: [given]                                # a number that is set, not found: code or another claim uses it

An expression may use all names of the notebook after it has run, every module of the library, `np`, `rows(kind)`,
`panel(id, **values)` (what the panel's function returns there: a record, or the list of its states) and
`sentence(id, **values)`. It gives base units, the printed number, or True for what "more than" and "under" claim.
`within: 0.05` widens a claim that says "about". Not numbers that need a claim, by rule: NUMERAL and NAMES below.
"""

import ast
import contextlib
import io
import math
import os
import random
import re
from functools import cache, cached_property
from importlib import import_module
from pathlib import Path
from pkgutil import walk_packages

import nbformat
import numpy as np
from sweep import unseen

import accelerator_lib
from accelerator_lib import data
from accelerator_lib.quiz import bank, keys
from accelerator_lib.widgets import panel as panels

TESTS = Path(__file__).parent
NOTEBOOKS = TESTS.parent / "notebooks"

OTHERS = r"“[^”]*”"  # somebody's words, which the text then corrects
FORMULAS = OTHERS + r"|```.*?```|``[^`]*``|`[^`]*`|\$\$.*?\$\$|\$[^$\n]+\$|\]\([^)]*\)|<[^>]+>|https?://\S+"
PARTS = (
    "chapters?|ch\\.|parts?|steps?|questions?|sections?|tables?|figures?|equations?|pages?|exercises?|panels?|slides?|"
    "versions?|generations?|levels?|cycle 1|Llama|GPT|PCIe|NVLink|TPU|CUDA|Pascal|Gemma|Mixtral|Gemini|Ethos|LPDDR"
)
MONTHS = "January|February|March|April|May|June|July|August|September|October|November|December"
NAMES = re.compile(  # parts of the course and of documents, products, versions, dates, the time a part takes
    rf"\b(?:{PARTS})\s\d+(?:\.\d+)?(?:(?:, | and | or | to |–|-)\d+(?:\.\d+)?)*\b|^\s*\d+\.\s|\d+\.\d+\.\d+"
    rf"|^#+ \d+ ·|\(\d+\)|(?<=[\w*)\}}\]])\s[-+−]\s\d+\b|\b(?:{MONTHS})\s\d+|\b(?:19[4-9]|20[0-4])\d\b(?!\s?(?:%|[pnµmkMGTP]?i?(?:B|s|W|J|Hz|FLOP)\b|bytes|rows|tokens|columns|lines|cycles))"
    r"|\b\d+(?:[ -]|\sto\s\d+\s)minutes?\b|\b\d+D\b",
    re.MULTILINE | re.IGNORECASE,
)
RAISED = str.maketrans("⁰¹²³⁴⁵⁶⁷⁸⁹⁻", "0123456789-")
NUMERAL = re.compile(  # not within a word, so not H100, fp16, A-100 or ResNet-50
    r"(?<![\w.,/^])(?<![A-Za-z]-)(?P<digits>\d{1,3}(?:,\d{3})+(?:\.\d+)?|\d+(?:\.\d+)?)(?P<below>/\d+)?(?P<raised>[⁻⁰¹²³⁴-⁹]+)?"
    r"(?=[^\w]|x\b|[kMGTP]?i?B\b|$)"
)
PREFIX = {"p": 1e-12, "n": 1e-9, "µ": 1e-6, "m": 1e-3, "k": 1e3, "K": 2**10, "M": 1e6, "G": 1e9, "T": 1e12, "P": 1e15}
PREFIX |= {"Ki": 2**10, "Mi": 2**20, "Gi": 2**30, "Ti": 2**40, "million": 1e6, "billion": 1e9, "thousand": 1e3}
UNIT = re.compile(
    r"[\s-]?(?:(?P<share>%|per\s?cent)|(?P<word>million|billion|thousand)|(?P<prefix>[pnµmkKMGTP]i?)(?:B|s|b|W|J|Hz|FLOP|OP|TOPS)\b|[MGTP](?=OPS))"
)
JOINS = re.compile(r"\s*(?:,|–|-|,?\s(?:to|and|or|against|instead of|of|not))\s*$")
IMPERATIVE = re.compile(
    r"(?<![*\w])\*(?![*\s])([^*]*?[.?!][^*]*)\*(?!\*)"
)  # a sentence in italics asks for something to be done


def numerals(text):
    """[(start, end, number, decimals, scale)] of what a text states; scale is that of the unit behind, 1 where none."""
    plain = NAMES.sub(_blank, re.sub(FORMULAS, _blank, text, flags=re.DOTALL))
    found = []
    for match in NUMERAL.finditer(plain):
        digits = match["digits"].replace(",", "")
        value, decimals = float(digits), len(digits.partition(".")[2])
        if match["below"]:
            value, decimals = value / float(match["below"][1:]), 9
        if match["raised"] and digits == "10":
            value = 10.0 ** int(match["raised"].translate(RAISED))
        unit = UNIT.match(plain, match.end())
        factor = 1.0
        if unit:
            factor = 0.01 if unit["share"] else PREFIX.get(unit["word"] or unit["prefix"] or unit[0].strip(), 1.0)
        found.append([match.start(), match.end(), value, decimals, factor])
    for one, after in zip(found[-2::-1], found[:0:-1], strict=True):  # "0.4 to 0.8 TB/s"
        if one[4] == 1 and JOINS.fullmatch(plain[one[1] : after[0]]):
            one[4] = after[4]
    return [tuple(one) for one in found]


def _blank(match):
    return re.sub(r"\S", " ", match[0])


def agrees(shown, computed, within=0.0):
    """Whether a numeral of a text prints what was computed."""
    _, _, value, decimals, factor = shown
    if isinstance(computed, (bool, np.bool_)):
        return bool(computed)
    computed = float(computed)
    slack = max(0.5000001 * 10.0**-decimals, within * abs(value), 1e-9 * abs(value))
    return any(abs(computed / scale - value) <= slack for scale in {1.0, factor})


def prose(source):
    """The words that a code cell shows: its strings that hold a space, and the numbers its code computes with."""
    words, constants = [], set()
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Constant):
            if isinstance(node.value, str) and " " in node.value.strip():
                words.append(re.sub(r"\{[^}]*\}", "{}", node.value))
            elif isinstance(node.value, (int, float)) and not isinstance(node.value, bool):
                constants.add(float(node.value))
    return "\n".join(words), constants


class Chapter:
    """A notebook whose code cells have run in this process, its prose, and its claims."""

    def __init__(self, topic):
        self.topic, self.path = topic, NOTEBOOKS / f"{data.chapters()[topic]['name']}.ipynb"
        self.cells = {cell.id: cell for cell in nbformat.read(self.path, as_version=4).cells}
        file = TESTS / topic / "claims.yaml"
        self.claims = data.parse(file) or {} if file.exists() else {}
        self.constants = set().union(*(prose(c.source)[1] for c in self.cells.values() if c.cell_type == "code"))

    @cached_property
    def names(self):
        """What a cell could name after the whole notebook has run, and every module of the library."""
        before, known = set(panels.LIVE), {}
        short = _environment(ACCELERATOR_COURSE_SHORT="1")
        with contextlib.redirect_stdout(io.StringIO()), short, unseen():
            for cell in self.cells.values():
                if cell.cell_type == "code":
                    exec(compile(cell.source, f"{self.path.stem}/{cell.id}", "exec"), known)
        self._kept = known  # panels live as long as somebody holds them
        self._panels = {one.id: one for one in panels.LIVE if one not in before and one.id}
        self._kept |= {"__panels__": list(self._panels.values())}
        modules = {name: import_module(f"accelerator_lib.{name}") for name in _modules() if "." not in name}
        own = {"np": np, "rows": data.rows, "panel": self.shown, "sentence": self.said, "data": data, "math": math}
        return {**modules, **known, **own}

    def reached(self, id, **values):
        """(panel, the values of all its controls) as a reader would set it. Raises ValueError where none offers a value."""
        _ = self.names
        if id not in self._panels:
            raise ValueError(f"no panel {id!r}; there are {', '.join(self._panels)}")
        one = self._panels[id]
        unknown = set(values) - set(one.controls)
        if unknown:
            raise ValueError(f"panel {id} has no control {', '.join(unknown)}; there are {', '.join(one.controls)}")
        settled = dict(one.defaults)
        for name, value in values.items():
            offered = _offered(one.controls[name], value)
            if not offered:
                raise ValueError(f"{id}: {name} cannot be set to {value}")
            settled[name] = offered[0]
        return one, settled

    def shown(self, id, **values):
        """What the panel's function returns there, nothing drawn."""
        one, settled = self.reached(id, **values)
        result = one.function(**settled)
        return list(result) if one.plays else result

    def said(self, id, **values):
        """What the panel says there; all sentences of a run, a line each."""
        one, settled = self.reached(id, **values)
        if one.plays:
            return "\n".join(one.picture.view.say(state) for state in one.function(**settled))
        with unseen():
            one.set(**settled)
            sentence = one.picture.sentence
            one.reset()
        return sentence

    def value(self, expression):
        return eval(expression, dict(self.names))

    def texts(self):
        """{where: its prose}: cells, and questions with stem, options, reasons and hints."""
        found = {}
        for id, cell in self.cells.items():
            text = cell.source if cell.cell_type == "markdown" else prose(cell.source)[0]
            found[id] = text.partition("## Sources")[0]
        for item in self._items():
            found[f"question {item['id']}"] = "\n".join(_words(item))
        found["explain"] = "\n".join(_words(bank.explain(self.topic)))
        return found

    def _items(self):
        content = bank.load(self.topic)
        return [*content["predict"], *bank.items(self.topic)]

    def settled(self, where):
        """The numbers that a text may use without a claim: what its own code, or its own question, sets or computes."""
        if where.startswith("question "):
            return self._of_question(where.removeprefix("question "))
        cell = self.cells.get(where)
        if cell is None or cell.cell_type == "markdown":
            return set()
        return prose(cell.source)[1] | self._of_law(where)

    def _of_law(self, where):
        """Numbers of the cell before one that builds a panel: its law."""
        ids = list(self.cells)
        before = self.cells[ids[max(ids.index(where) - 1, 0)]]
        return prose(before.source)[1] if before.cell_type == "code" else set()

    def _of_question(self, id):
        item = next(item for item in self._items() if item["id"] == id)
        found = set(_numbers(item))
        with contextlib.suppress(Exception):  # a key with drawn parameters
            found.add(float(keys.evaluate(item["answer"])))
        return found

    def unclaimed(self):
        """["cell: ... 42 ..."]: numerals without a claim."""
        missing = []
        for where, text in self.texts().items():
            quoted = [place for claim in self.claims.get(where, ()) for place in _places(claim["says"], text)]
            settled = self.settled(where)
            for one in numerals(text):
                start, end = one[:2]
                if not any(a <= start and end <= b for a, b in quoted) and not any(agrees(one, s) for s in settled):
                    missing.append(f"{where}: … {' '.join(text[max(0, start - 40) : end + 25].split())} …")
        return missing

    def instructions(self):
        """[(cell, instruction)] in italics, that no claim with a panel covers."""
        missing = []
        for id, cell in self.cells.items():
            if cell.cell_type != "markdown":
                continue
            quoted = [p for c in self.claims.get(id, ()) if "panel" in c for p in _places(c["says"], cell.source)]
            for match in IMPERATIVE.finditer(re.sub(r"```.*?```", _blank, cell.source, flags=re.DOTALL)):
                if not any(match.start() <= a and b <= match.end() for a, b in quoted):
                    missing.append((id, match[1]))
        return missing

    def given_away(self):
        """["question: ..."]: quick checks whose right answer stands in the text between their heading and them."""
        ids, found = list(self.cells), []
        for id in ids:
            asked = re.search(r'quick_check\("([^"]+)"', self.cells[id].source)
            if not asked:
                continue
            before = ids[: ids.index(id)]
            heading = max(i for i, other in enumerate(before) if re.match("#{2,3} ", self.cells[other].source))
            above = "\n".join(self.texts()[other] for other in before[heading:])
            for answer in _right(bank.item(self.topic, asked[1], "quick")):
                if _places(answer, above):
                    found.append(f"{asked[1]}: “{answer}” stands above it")
        return found

    def wrong(self, where, claim):
        """What is wrong with a claim; "" where it holds."""
        text = self.texts().get(where)
        if text is None:
            return "there is no such cell or question"
        if not _places(claim["says"], text):
            return "the text no longer says so"
        if "panel" in claim:
            return self._unseen(claim)
        stated = numerals(claim["says"])
        if len(stated) != len(claim["are"]):
            return f"{len(stated)} numerals, {len(claim['are'])} expressions"
        for one, expression in zip(stated, claim["are"], strict=True):
            if expression == "given":
                if not self._given(where, one, claim):
                    return f"{one[2]:g} is given, but neither code nor another claim of this cell uses it"
            elif not re.search("[A-Za-z(*/+-]", str(expression)):
                return f"{expression} is a number, not a computation"
            elif not agrees(one, value := self.value(str(expression)), claim.get("within", 0.0)):
                return f"says {one[2]:g}, but {expression} is {value}"
        return ""

    def _given(self, where, one, claim):
        others = {
            float(number)
            for other in self.claims[where]
            for expression in [*other.get("are", ()), *map(repr, other.get("set", {}).values())]
            for number in re.findall(r"\d+(?:\.\d+)?(?:e[+-]?\d+)?", str(expression).replace("_", ""))
        }
        offered = {float(v) for other in self.claims[where] if "set" in other for v in _numbers(other["set"])}
        return any(agrees(one, known) for known in self.constants | self.settled(where) | others | offered)

    def _unseen(self, claim):
        try:
            sentence = self.said(claim["panel"], **claim.get("set", {}))
        except ValueError as error:
            return str(error)
        if "seen" in claim and not re.search(claim["seen"], sentence):
            return f"{claim['seen']!r} is not seen: {sentence[:300]}"
        holds = claim.get("holds")
        return "" if holds is None or self.value(holds) else f"does not hold: {holds}"

    def settings(self, id, seed=1, joint=20):
        """Settings of a panel as the sweep tries them: every control at its positions, then random joint ones."""
        one, _ = self.reached(id)
        for name, control in one.controls.items():
            options = [value for _, value in control.options] if hasattr(control, "options") else [True, False]
            for value in options if len(options) <= 12 else options[:: max(1, len(options) // 6)] + options[-1:]:
                yield {name: value}
        draw = random.Random(seed)
        for _ in range(joint if one.controls else 0):
            yield {n: draw.choice([v for _, v in c.options] if hasattr(c, "options") else [True, False]) for n, c in one.controls.items()}  # fmt: skip

    def beyond(self, id, expression):
        """A setting at which an invariant of a panel fails, with the reason; "" where it holds everywhere."""
        test = compile(expression, id, "eval")
        for values in self.settings(id):
            _, settled = self.reached(id, **values)
            try:
                shown = self.shown(id, **values)
            except accelerator_lib.inputs.NotAvailable:
                continue
            if not eval(test, {**self.names, "shown": shown, "at": settled}):
                return f"{values}: not {expression}"
        return ""

    def unreachable(self):
        """["cell: call"] of "What you saw" that calls a panel's function where no control leads."""
        _ = self.names
        functions = {one.function.__name__: one for one in self._panels.values()}
        missing = []
        for id, cell in self.cells.items():
            if cell.cell_type != "code" or "**What you saw" not in cell.source:
                continue
            for node in ast.walk(ast.parse(cell.source)):
                if isinstance(node, ast.Call) and getattr(node.func, "id", None) in functions:
                    one = functions[node.func.id]
                    given = [*zip(one.values, node.args, strict=False), *((k.arg, k.value) for k in node.keywords)]
                    for name, value in given:
                        if isinstance(value, ast.Constant) and not _offered(one.controls.get(name), value.value):
                            missing.append(f"{id}: {name}={value.value!r} of panel {one.id}")
        return missing


@contextlib.contextmanager
def _environment(**values):
    before = {name: os.environ.get(name) for name in values}
    os.environ.update(values)
    try:
        yield
    finally:
        for name, value in before.items():
            if value is None:
                del os.environ[name]
            else:
                os.environ[name] = value


@cache
def _modules():
    return tuple(m.name.removeprefix("accelerator_lib.") for m in walk_packages(accelerator_lib.__path__, "accelerator_lib."))  # fmt: skip


@cache
def chapter(topic):
    return Chapter(topic)


def _same(option, value):
    if isinstance(option, (int, float)) and isinstance(value, (int, float)):
        return math.isclose(option, value, rel_tol=1e-9)
    return option == value


def _offered(control, value):
    """[the value] that a control has for what a claim or a call names, by itself, its label or its id; [] where none."""
    if not hasattr(control, "options"):
        return [value]
    named = [option for label, option in control.options if value in (label, getattr(option, "id", None))]
    return [option for _, option in control.options if _same(option, value)] or named


def _places(quotation, text):
    """Where a text says something; its line breaks do not matter."""
    pattern = r"\s+".join(map(re.escape, quotation.split()))
    return [match.span() for match in re.finditer(pattern, text)]


def _words(item):
    """What a question tells a learner; a wrong option may say what it likes, its reason may not."""
    tells = ("ask", "why", "hint", "model", *(["text"] if item.get("right") else []))
    for key, value in item.items():
        if key in tells and isinstance(value, str):
            yield value
        elif isinstance(value, list):
            for one in value:
                if isinstance(one, dict):
                    yield from _words(one)
                elif isinstance(one, str) and key in ("items", "decoys"):
                    yield one


def _right(item):
    """What a right answer says, where it is words or one printed number."""
    if item["type"] == "choice":
        yield from (option["text"] for option in item["options"] if option.get("right"))
    elif item["type"] == "match":
        yield from (f"{left} {right}" for left, right in item["pairs"])
    elif not item.get("params") and isinstance(item["answer"], str):
        yield item["answer"].strip()


def _numbers(value):
    """All numbers in a piece of YAML, and those written in its parameters."""
    if isinstance(value, bool):
        return
    if isinstance(value, (int, float)):
        yield float(value)
    elif isinstance(value, dict):
        for one in value.values():
            yield from _numbers(one)
    elif isinstance(value, (list, tuple)):
        for one in value:
            yield from _numbers(one)
