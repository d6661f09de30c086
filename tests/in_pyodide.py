"""All live cells of all chapters as pages of the book open them, and every instruction carried out (in_pyodide.mjs).

follow(notebooks, asked, ends) prints a line for each chapter, and one for each thing that cannot be done there.
asked: {chapter: [[panel, {control: value}, what is then said, or ""]]}, and {"logits": those of tiny.START}
outside; ends: chapters whose controls are brought to both ends.
"""

import contextlib
import io
import json
import re
from pathlib import Path

from accelerator_course.pages.live import cells, headless
from accelerator_course.pages.live.room import Room

headless.install()

from accelerator_course.widgets import tasks  # noqa: E402  after its widgets have their stand-ins
from accelerator_course.widgets.controls import position, same  # noqa: E402
from accelerator_course.widgets.panel import Panel  # noqa: E402
from accelerator_lib.llm import tiny  # noqa: E402

LIVE = re.compile(
    r"(explore|step|predict|quiz|quick_check|decision|explain|kernel|workshop|warm_up|progress|checkpoint)\("
)
DEAR = ("copies", "train", "tune")  # runs of seconds: only begun, but in chapters whose ends are asked for


class Page:
    """A chapter that is open; what it is told is kept."""

    def __init__(self, path):
        self.told, self.wrong, self.cells, self.moves = [], [], 0, 0
        self.name, self.chapter = path.stem, cells.chapter(path)
        self.room = Room(lambda text, buffers: self.told.append(text))
        self.room.load(self.chapter["cells"], self.chapter["needs"])

    def does(self, act, given, where):
        """One turn; whether nothing went wrong in it."""
        self.told.clear()
        with contextlib.redirect_stderr(io.StringIO()):
            act(given)
        found = [json.loads(one).get("failed") for one in self.told if '"failed": "' in one]
        found += ["an error is shown" for one in self.told if '"wrong": true' in one]
        self.wrong += [f"{self.name} {where}: {one}" for one in found if one]
        return not found

    def shows(self):
        """What the live cells show, opened one after the other."""
        for cell, source in self.chapter["cells"].items():
            if LIVE.search(source) and "exercises.check" not in source and self.does(self.room.show_cell, cell, cell):
                self.cells += 1
                yield from list(self.room.shown)

    def moves_to(self, panel, places, where):
        """The reader brings controls, {name: place}, to places that the page has of them."""
        state = {}
        for name, at in places.items():
            one = panel.controls[name]
            state[one.model_id] = {"value": bool(at)} if one._kind == "Checkbox" else {"index": at}
        self.moves += 1
        return self.does(self.room.turn, json.dumps({"set": state, "turn": 1}), where)


def follow(notebooks, asked, ends):
    """Of every chapter."""
    logits, *_ = tiny.forward(tiny.weights(), tiny.tokens(tiny.START), *tiny.empty())
    if abs(logits - asked["logits"]).max() > 1e-4:
        print("the small model has other logits than in NumPy outside", flush=True)
    for path in sorted(Path(notebooks).glob("[0-9]*.ipynb")):
        page, wanted = Page(path), {}
        for id, values, said in asked.get(path.stem, ()):
            wanted.setdefault(id, []).append((values, said))
        for shown in page.shows():
            panel = getattr(shown, "panel", shown)
            if not isinstance(panel, Panel):
                continue
            whole = {path.stem, "all"} & {*ends}
            if whole:
                to_both_ends(page, panel)
            carry_out(page, shown, panel, wanted.pop(panel.id, ()), whole or panel.id not in DEAR)
        page.wrong += [f"{path.stem}: no panel {id} is on the page" for id in wanted]
        attempt(page)
        print(*page.wrong, f"{path.stem}: {page.cells} cells, {page.moves} moves", sep="\n", flush=True)


def attempt(page):
    """Every exercise as readers write it: right, wrong, failing. Each is judged, and a worked solution is shown."""
    for cell, source in page.chapter["cells"].items():
        for id, name in re.findall(r'exercises\.check\("(\w+\.\d)", (\w+)\)', source):
            right = f'{name} = exercises.find("{id}").solution'
            for text in (right, f"def {name}(*_): return 'odd'", f"def {name}(*_): raise ValueError('odd')"):
                page.moves += 1
                written = f'{text}\nexercises.check("{id}", {name})'
                judged = page.does(lambda given, cell=cell: page.room.run(cell, given), written, f"{cell} {text}")
                said = page.told[-1]
                if judged and ("acc-source" not in said or ("data-right>" in said) != (text == right)):
                    page.wrong.append(f"{page.name} {cell} {text}: {said[:300]}")


def to_both_ends(page, panel):
    for name, control in panel.controls.items():
        for end in (0, len(offered(control)) - 1):
            page.moves_to(panel, {name: end}, f"{panel.id} {name} {end}")


def carry_out(page, shown, panel, wanted, plays):
    """Every line below a panel, and what the text asks for: by hand, each control to the place that it has on the page."""
    lines = tasks.of(panel.id)
    if hasattr(shown, "veil"):
        page.does(page.room.turn, json.dumps({"msg": [shown.veil.model_id, {"open": True}]}), panel.id)
    start, settings = placed(panel, panel.defaults), {}
    for values, said in [*((line.set, "") for line in lines), *wanted]:
        try:
            there = start | placed(panel, values)
        except (KeyError, ValueError) as error:
            page.wrong.append(f"{page.name} {panel.id} {values}: {error}")
        else:
            settings.setdefault(json.dumps(there), []).append(said)
    for there, saids in ((json.loads(key), saids) for key, saids in settings.items()):
        page.moves_to(panel, there, f"{panel.id} {there}")
        for said in () if panel.plays else saids:
            if not re.search(said, panel.picture.sentence):
                page.wrong.append(f"{page.name} {panel.id} {there}: not {said!r} but {panel.picture.sentence}")
        for line in lines if plays else ():
            if line.at is not None and placed(panel, line.set).items() <= there.items():
                at = {panel.picture.widget.model_id: {"position": line.places(panel)[0]}}
                page.does(page.room.turn, json.dumps({"set": at}), f"{panel.id} {line.says}")
            panel.tasks.look()  # as it does when the controls rest
    left = [one.says for one, done in zip(lines, panel.tasks.done, strict=True) if not done] if lines and plays else ()
    page.wrong += [f"{page.name} {panel.id}: {says!r} is not ticked" for says in left]


def offered(control):
    """The values of all its places."""
    return [value for _, value in getattr(control, "options", (("", False), ("", True)))]


def placed(panel, values):
    """{control: which of its places a value has}. Raises KeyError, ValueError for what is not there."""
    found = {name: position(panel.controls[name], value) for name, value in values.items()}
    return {
        name: next(i for i, one in enumerate(offered(panel.controls[name])) if same(one, value))
        for name, value in found.items()
    }
