"""In the kernel that runs a chapter for the book: what is displayed becomes HTML that needs no kernel."""

from accelerator_course import widgets
from accelerator_course.pages.book import ask, chapter
from accelerator_course.pages.book.table import Tables
from accelerator_course.pages.still import WIDGET
from accelerator_course.widgets import scale
from accelerator_course.widgets.bar import ChapterBar
from accelerator_course.widgets.bench import Bench
from accelerator_course.widgets.decision import Decision
from accelerator_course.widgets.explain import Explain
from accelerator_course.widgets.predict import Prediction
from accelerator_course.widgets.progress import ProgressPanel
from accelerator_course.widgets.quiz import Quiz
from accelerator_course.widgets.review import Checkpoint, Review, WarmUp
from accelerator_course.widgets.stepper import Stepper
from accelerator_course.widgets.veil import Veiled

DUE = "<p>Touch this line to begin: questions you answered come back before you forget the answers.</p>"
KEPT = "<p><em>Where the course runs, this shows how far you have come.</em></p>"


def forms(tables):
    """{type: function that makes its HTML}."""

    def panel(shown):
        return tables.run(shown) if isinstance(shown, Stepper) else tables.panel(shown)

    def veiled(shown):
        shown.wait(shown.cards[0])
        waits = tables.state(shown.panel, "waits", shown.veil.waits)
        shown.lift()
        of, asked, table = len(shown.cards), [waits], panel(shown.panel)
        for place, card in enumerate(shown.cards, 1):
            start = shown.panel.values
            shown.panel.set(**card.entry["show"]["values"])
            picture = tables.state(shown.panel, card.entry["id"])
            shown.panel.set(**start)
            asked.append(ask.prediction(card, f", {place} of {of}" if of > 1 else "", picture))
        return "".join(asked) + ask.cover("The panel, once you have guessed", table)

    found = {Prediction: ask.prediction, Quiz: ask.quiz, Checkpoint: ask.quiz, WarmUp: ask.warm_up}
    found |= {Review: lambda _: DUE}
    found |= {Explain: ask.explain, Decision: ask.decision, Bench: ask.bench, widgets.Panel: panel, Veiled: veiled}
    found |= {ChapterBar: lambda bar: bar.here and scale.still(*bar.here), ProgressPanel: lambda _: KEPT}
    return found | {scale.Scale: lambda shown: scale.still(shown.place)}


def bundle(page, kind):
    """What IPython is told: marked as a widget, but for what no hall shows: pages/still.py leaves out the live one."""
    live = {} if kind in (WarmUp, Review, Checkpoint, Bench, ChapterBar) else {WIDGET: {}}
    return {**live, "text/html": page, "text/plain": ""} if page else {"text/plain": ""}


def install(folder, at, named):
    """From now on, in this kernel; `named` as Tables has it. What the live page can take over is marked so."""
    from IPython import get_ipython

    formatter = get_ipython().display_formatter.mimebundle_formatter
    for kind, form in forms(Tables(folder, at, named)).items():
        about = {} if kind in (ChapterBar, scale.Scale) else {chapter.LIVE: True}
        formatter.for_type(kind, lambda shown, form=form, kind=kind, about=about: (bundle(form(shown), kind), about))
