"""progress: where you stand, and your answers as a file; restoring adds what is missing, and takes nothing away."""

import io
import time
from functools import partial

import traitlets

from accelerator_course import ladder, syllabus
from accelerator_course.quiz import bank, beliefs, estimates, schedule, standing, token
from accelerator_course.quiz import progress as log
from accelerator_course.quiz.markdown import html
from accelerator_course.views import Certificate
from accelerator_course.widgets.catalog import NOTEBOOKS, contents, exploration
from accelerator_course.widgets.page import Leading, files, script
from accelerator_course.widgets.review import CHECKPOINTS, FINAL
from accelerator_lib.units import number, percent

FILE = "accelerator-course-progress.jsonl"
PAGES = {"png": "image/png", "pdf": "application/pdf"}


class ProgressPanel(Leading):
    """A table, what to revisit, download and restore, a token, a page to print."""

    _esm = script("progress.js")
    table = traitlets.List([]).tag(sync=True)  # rows of cells, text; the first is the heading
    links = traitlets.List([]).tag(sync=True)  # notebook of each row, or ""
    review = traitlets.List([]).tag(sync=True)  # paragraphs, HTML
    token = traitlets.Unicode("").tag(sync=True)
    note = traitlets.Unicode("").tag(sync=True)
    files = traitlets.List(files(pdf="matplotlib", png="matplotlib")).tag(sync=True)

    def __init__(self):
        super().__init__()
        self.refresh()
        self.on_msg(lambda _, content, __: self.receive(content))

    def refresh(self, note=""):
        """Read the log and show it."""
        events = log.events()
        made = summary(events)
        with self.hold_sync():
            head = ["chapter", "panels tried", "exercises", "best quiz", "passed", "kernels"]
            self.table = [head, *map(_cells, made.rows), *(_checkpoint(events, after) for after in CHECKPOINTS)]
            ends = {entry["number"]: topic for topic, entry in syllabus.chapters().items()}  # its last half
            self.links = [_notebook(topic) for topic in (*syllabus.chapters(), *map(ends.get, CHECKPOINTS))]
            right, stars, there = made.rungs
            kernels = [f"**Kernels:** {right} of {there} right, ★ {stars} at par or better."] if right else []
            self.review = [html(text) for text in (*_review(events), *kernels)]
            self.token = made.token
            self.note = note or " ".join(_troubles())

    def receive(self, content):
        """Handle what the page sent: {"ask": "download" | "png" | "pdf" | "refresh"}, {"restore": text}."""
        if "restore" in content:
            self.refresh(_restored(content["restore"]))
        elif content["ask"] == "download":
            self._give(FILE, "application/x-ndjson", log.save().encode("utf-8", "replace"))
        elif content["ask"] in PAGES:
            self._give(f"summary-of-progress.{content['ask']}", PAGES[content["ask"]], certificate(content["ask"]))
        else:
            self.refresh()

    def _give(self, name, kind, content):
        self.send({"file": name, "type": kind}, buffers=[content])
        self.note = f"{name}: {len(content) / 1e3:,.1f} kB handed to your browser."

    def _repr_mimebundle_(self, **more):
        live, metadata = super()._repr_mimebundle_(**more) or ({}, {})
        plain = "\n".join("  ".join(row) for row in self.table)
        return {**live, "text/html": f"<pre>{plain}</pre>", "text/plain": plain}, metadata

    def actions(self):
        """(name, callable) of everything a reader can do here: for the sweep of the notebooks."""
        sent = [{"ask": ask} for ask in ("download", "png", "refresh")]
        for content in (*sent, {"restore": "no progress"}, {"restore": log.save()}):
            yield f"progress {str(content)[:30]}", partial(self.receive, content)


def summary(events):
    """standing.Summary of a log as of now."""
    rows = []
    for topic, entry in syllabus.chapters().items():
        panels, exercises = contents(topic)
        rungs = [id for id, rung in ladder.rungs().items() if rung.chapter == topic]
        done = standing.chapter(events, topic, panels, exercises, rungs)
        there = len(panels), len(exercises)
        rows.append(standing.Row(entry["label"], entry["title"], *there, done, entry["number"] > FINAL, len(rungs)))
    called = {after: f"after chapter {after}" for after in CHECKPOINTS} | {FINAL: "final"}
    bests = [(name, standing.chapter(events, f"checkpoint-{after}").best) for after, name in called.items()]
    passed = [e for e in events if e.get("kind") == "quiz" and e.get("passed") and isinstance(e.get("seed"), str)]
    seeds = dict.fromkeys(e["seed"][:12] for e in passed)
    checkpoints = tuple((name, best) for name, best in bests if best is not None)
    final = standing.chapter(events, f"checkpoint-{FINAL}").passed
    today = time.strftime("%Y-%m-%d")
    return standing.Summary(today, tuple(rows), checkpoints, tuple(seeds)[-8:], token.write(events), final)


def certificate(kind="pdf"):
    """The one-page summary as bytes of a PNG or a PDF."""
    view, out = Certificate(), io.BytesIO()
    view.show(summary(log.events()))
    view.figure.savefig(out, format=kind)
    return out.getvalue()


def _cells(row):
    def of(done, there):
        return f"{done} of {there}" if there else "–"

    best = "–" if row.chapter.best is None else percent(row.chapter.best)
    done = of(row.chapter.explored, row.panels), of(row.chapter.solved, row.exercises)
    stars = f", ★ {row.chapter.stars}" if row.chapter.stars else ""
    passed = "✔ passed" if row.chapter.passed else ""
    return [f"{row.label} {row.title}", *done, best, passed, of(row.chapter.right, row.rungs) + stars]


def _checkpoint(events, after):
    done = standing.chapter(events, f"checkpoint-{after}")
    name = "Final" if after == FINAL else f"Checkpoint after chapter {after}"
    best = "–" if done.best is None else percent(done.best)
    return [name, "–", "–", best, "✔ passed" if done.passed else "", "–"]


def _notebook(topic):
    name = f"{syllabus.chapters()[topic]['name']}.ipynb"
    return name if (NOTEBOOKS / name).exists() else ""


def _review(events):
    if not standing.scores(events):
        return ["Nothing answered yet. The quiz at the end of a chapter is a good start.", *_estimates(events)]
    lines = []
    for name, items in beliefs.diagnosed(events).items():
        see = bank.misconceptions()[name]["panel"]
        where = f"See “{exploration(see)['heading']}” in chapter {bank.explored(see)[2]}."
        lines.append(f"{beliefs.told(name, items)} {where}")
    missed = len(standing.missed(events))
    if missed:
        topics = "one topic" if missed == 1 else f"{missed} topics"
        lines.append(f"**Worth another look:** {topics} whose last question you did not answer right at first.")
    elif not lines:
        lines = ["Nothing stands open: your last answer to everything was right."]
    return [*lines, f"**Coming back:** {schedule.told(events, time.time()) or 'nothing yet.'}", *_estimates(events)]


def _estimates(events):
    asked = [topic for topic in bank.topics() if "decide" in bank.load(topic)]
    measured = {topic: bank.decide(topic)["measured"]["value"] for topic in asked}
    made = estimates.calibration(events, measured)
    if made.count:
        held = f"**Decisions:** {made.held} of {made.count} intervals held what was measured (of ten, eight should)"
        yield f"{held}; your numbers are typically off by a factor of {number(made.factor, 3)}. {made.verdict}"


def _troubles():
    for file, reason in log.set_aside():
        yield f"{file.name} was left aside, untouched: {reason}. It lies in {file.parent}."
    if log.left_out():
        yield f"{log.path().name}: {_odd(log.left_out())}: not counted, and left in the file."


def _odd(many):
    return f"{many} {'entry is' if many == 1 else 'entries are'} not what this course writes"


def _restored(text):
    try:
        new, odd = log.restore(str(text))
    except (ValueError, OSError) as error:
        return f"Not restored: {error}."
    left_out = f" {_odd(odd)}: left out." if odd else ""
    return f"Restored: {new} new entries were added; nothing was overwritten.{left_out}"
