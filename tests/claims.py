"""Claims: every number of a chapter's prose, bound to what the library computes.

tests/<topic>/claims.yaml maps the id of a cell, `question <id>` or `task <panel> <place>` to its claims:

    afar-title:
      - says: 16,384 or 65,536 PEs                  # each numeral of the quotation, in order,
        are: [128**2, 256**2]                       # is what an expression gives, to the digits that are shown
      - says: Play it very fast with 64 × 64.       # an instruction: the panel can be set so, as a reader would,
        panel: afar                                 # and then one of its sentences says what is seen
        set: {edge: 64}
        seen: all 4,096 PEs
      - says: 64 rows of inputs
        are: [given]                                # a number that is set, not found: code or another claim uses it

    task dot 2:                                     # the second line below a panel: what is said when it was pressed
      - seen: 2.22 ms, 100 %                        # none is needed where another claim has the same setting
      - {first: m, where: "shown.seconds > 1e-3"}   # what is to be found: of all positions of a control (of all states:
                                                    # state), the first, or last, at which it holds, and not at all

An expression may use all names of the notebook after it has run, every module of the library, `np`, `rows(kind)`,
`panel(id, **values)` (what the panel's function returns there: a record, or the list of its states) and
`sentence(id, **values)`. It gives base units, the printed number, or True for what "more than" and "under" claim.
`within: 0.05` widens a claim that says "about". Not numbers that need a claim, by rule: NUMERAL and NAMES below.
"""

import ast
import contextlib
import re
from concurrent.futures import ThreadPoolExecutor
from functools import cache, cached_property
from importlib import import_module
from pathlib import Path
from traceback import format_exception

from asked import numbers, words
from numerals import agrees, blank, numerals, places, prose
from played import Played, alone, choices, offered
from sweep import unseen

from accelerator_course.quiz import bank, keys
from accelerator_course.widgets import catalog, tasks
from accelerator_course.widgets.controls import same
from accelerator_lib import data
from accelerator_lib.checks.inputs import NotAvailable

TESTS = Path(__file__).parent
IMPERATIVE = re.compile(r"(?<![*\w])\*(?![*\s])([^*]*?[.?!][^*]*)\*(?!\*)")  # a sentence in italics asks for something


class Chapter(Played):
    """A notebook that has run, its prose, and its claims."""

    def __init__(self, topic):
        super().__init__(topic)
        file = TESTS / topic / "claims.yaml"
        self.claims = data.parse(file) or {} if file.exists() else {}
        self.constants = set().union(*(prose(c.source)[1] for c in self.cells.values() if c.cell_type == "code"))
        self.items = {item["id"]: item for item in [*bank.load(topic)["predict"], *bank.items(topic)]}

    def value(self, expression):
        return eval(expression, dict(self.names))

    @cached_property
    def texts(self):
        """{where: its prose}: cells, and questions with stem, options, reasons and hints."""
        found = {}
        for id, cell in self.cells.items():
            text = cell.source if cell.cell_type == "markdown" else prose(cell.source)[0]
            found[id] = text.partition("## Sources")[0]
        found |= {f"question {id}": "\n".join(words(item)) for id, item in self.items.items()}
        found["explain"] = "\n".join(words(bank.explain(self.topic)))
        if "decide" in bank.load(self.topic):
            found["running case"] = "\n".join(bank.decide(self.topic)[part] for part in ("ask", "why"))
        return found | {where: task.says for where, (_, task) in self.tasks.items()}

    @cached_property
    def tasks(self):
        """{"task dot 2": (id of the panel, task)} of all lines below panels."""
        known = (
            (id, place, task) for id in catalog.panels(self.path.stem) for place, task in enumerate(tasks.of(id), 1)
        )
        return {f"task {id} {place}": (id, task) for id, place, task in known}

    def settled(self, where):
        """The numbers that a text may use without a claim: what its own code, or its own question, sets or computes."""
        if where.startswith("question "):
            item = self.items[where.removeprefix("question ")]
            found = set(numbers(item))
            with contextlib.suppress(Exception):  # a key with drawn parameters
                found.add(float(keys.evaluate(item["answer"])))
            return found
        if where in self.tasks:
            return self._of_task(*self.tasks[where])
        cell = self.cells.get(where)
        if cell is None or cell.cell_type == "markdown":
            return set()
        ids = list(self.cells)
        law = self.cells[ids[max(ids.index(where) - 1, 0)]]  # the cell before one that builds a panel
        return prose(cell.source)[1] | (prose(law.source)[1] if law.cell_type == "code" else set())

    def _of_task(self, id, task):
        """Where the controls stand then, as values and in words; the place in the run."""
        one, here = self.reached(id, **task.set)
        labels = [text for name, value in here.items() for text in _labels(one.controls[name], value)]
        told = {n[2] * scale for n in numerals(" · ".join(labels)) for scale in (1, n[4])}
        return told | {*numbers([*here.values(), task.at])}

    def done(self, where):
        """What a panel says when a line was pressed; all sentences of a run that it does not stop."""
        id, task = self.tasks[where]
        one = self.panels[id]
        if not one.plays:
            return self.said(id, **task.set)
        states = list(one.function(**self.reached(id, **task.set)[1]))
        at = states if task.at is None else [states[-1 if task.at == "end" else task.at - 1]]
        return "\n".join(map(one.picture.view.say, at))

    def unfounded(self):
        """["task dot 2: what is said"] of lines that no claim holds: neither one of its own nor one at its setting."""
        missing, every = [], [c for cell, claims in self.claims.items() if cell != "invariants" for c in claims]
        for where, (id, task) in self.tasks.items():
            said, (_, here) = self.done(where), self.reached(id, **task.set)
            known = [c for c in every if c.get("panel") == id and re.search(c.get("seen", ""), said)]
            if where not in self.claims and here not in [self.reached(id, **c.get("set", {}))[1] for c in known]:
                missing.append(f"{where}: {said[:200]}")
        return missing

    def unclaimed(self):
        """["cell: ... 42 ..."]: numerals without a claim."""
        missing = []
        for where, text in self.texts.items():
            quoted = [place for claim in self.claims.get(where, ()) for place in places(claim.get("says", ""), text)]
            settled = self.settled(where)
            for one in numerals(text):
                if not any(a <= one[0] and one[1] <= b for a, b in quoted) and not any(agrees(one, s) for s in settled):
                    missing.append(f"{where}: … {' '.join(text[max(0, one[0] - 40) : one[1] + 25].split())} …")
        return missing

    def instructions(self):
        """[(cell, instruction)] in italics, that no claim with a panel covers."""
        missing = []
        for id, cell in ((id, cell) for id, cell in self.cells.items() if cell.cell_type == "markdown"):
            quoted = [p for c in self.claims.get(id, ()) if "panel" in c for p in places(c["says"], cell.source)]
            for match in IMPERATIVE.finditer(re.sub(r"```.*?```", blank, cell.source, flags=re.DOTALL)):
                if not any(match.start() <= a and b <= match.end() for a, b in quoted):
                    missing.append((id, match[1]))
        return missing

    def wrong(self, where, claim):
        """What is wrong with a claim; "" where it holds."""
        text = self.texts.get(where)
        if text is None:
            return "there is no such cell, question or line"
        if where in self.tasks and {"first", "last"} & set(claim):
            return self._elsewhere(*self.tasks[where], claim)
        if where in self.tasks and "says" not in claim:
            return self._seen(claim, self.done(where))
        if not places(claim["says"], text):
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
        return "" if self.value(claim.get("holds", "True")) else f"does not hold: {claim['holds']}"

    def _elsewhere(self, id, task, claim):
        """What a line asks to find, where that is not what it sets."""
        (one, here), name = self.reached(id, **task.set), claim.get("first") or claim["last"]
        if name == "state":
            shown = dict(enumerate(self.shown(id, **task.set), 1))
            stands = len(shown) if task.at == "end" else task.at
        else:
            shown = {v: self.shown(id, **{**task.set, name: v}) for v in choices(one.controls[name])}
            stands = here[name]
        test = compile(claim["where"], id, "eval")
        found = [v for v, result in shown.items() if eval(test, {**self.names, "shown": result, "at": v})]
        right = found and len(found) < len(shown) and found[0 if "first" in claim else -1] == stands
        return "" if right else f"{name} is to be {found} of {[*shown]}, not {stands}"

    def _seen(self, claim, said):
        if "seen" in claim and not re.search(claim["seen"], said):
            return f"{claim['seen']!r} is not seen: {said[:300]}"
        return "" if self.value(claim.get("holds", "True")) else f"does not hold: {claim['holds']}"

    def _given(self, where, one, claim):
        others = {
            float(number)
            for other in self.claims[where]
            for expression in [*other.get("are", ()), other.get("where", ""), *map(repr, other.get("set", {}).values())]
            for number in re.findall(r"\d+(?:\.\d+)?(?:e[+-]?\d+)?", str(expression).replace("_", ""))
        }
        offered = {float(v) for other in self.claims[where] if "set" in other for v in numbers(other["set"])}
        return any(agrees(one, known) for known in self.constants | self.settled(where) | others | offered)

    def _unseen(self, claim):
        try:
            sentence = self.said(claim["panel"], **claim.get("set", {}))
        except ValueError as error:
            return str(error)
        if not {"seen", "holds"} & set(claim):
            return "what is then seen?"
        if reason := self._seen(claim, sentence):
            return reason
        labels = " · ".join(value for value in claim.get("set", {}).values() if isinstance(value, str))
        known = [one[2] * scale for one in numerals(sentence) for scale in (1, one[4])]
        known += [one[2] for one in numerals(labels)]
        known += numbers([choices(control) for control in self.panels[claim["panel"]].controls.values()])
        loose = [one[2] for one in numerals(claim["says"]) if not any(agrees(one, value) for value in known)]
        return f"{loose} are neither set nor seen: {sentence[:300]}" if loose else ""

    def beyond(self, id, expression):
        """A setting at which an invariant of a panel fails, with the reason; "" where it holds everywhere."""
        test = compile(expression, id, "eval")
        for values in self.settings(id):
            _, settled = self.reached(id, **values)
            try:
                shown = self.shown(id, **values)
            except NotAvailable:
                continue
            if not eval(test, {**self.names, "shown": shown, "at": settled}):
                return f"{values}: not {expression}"
        return ""

    def unreachable(self):
        """["cell: call"] of "What you saw" that calls a panel's function where no control leads."""
        functions, missing = {one.function.__name__: one for one in self.panels.values()}, []
        seen = {id: c.source for id, c in self.cells.items() if c.cell_type == "code" and "**What you saw" in c.source}
        for id, node in ((id, node) for id, source in seen.items() for node in ast.walk(ast.parse(source))):
            if isinstance(node, ast.Call) and getattr(node.func, "id", None) in functions:
                one = functions[node.func.id]
                given = [*zip(one.values, node.args, strict=False), *((k.arg, k.value) for k in node.keywords)]
                for name, value in given:
                    if isinstance(value, ast.Constant) and not offered(one.controls.get(name), value.value):
                        missing.append(f"{id}: {name}={value.value!r} of panel {one.id}")
        return missing


def _labels(control, value):
    """What stands beside a control at a value."""
    return [text for text, option in getattr(control, "options", ()) if same(option, value)]


@cache
def chapter(topic):
    return Chapter(topic)


def check(module, test, read, **given):
    """Make a check in a notebook's kernel; in a thread, where nothing waits for a loop, as outside of a kernel."""
    with alone(), unseen(), ThreadPoolExecutor(1) as thread:
        error = thread.submit(getattr(import_module(module), test), chapter(read), **given).exception()
    if error:
        raise AssertionError(f"{test}\n{''.join(format_exception(error, limit=-1))}")
