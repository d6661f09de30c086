"""predict: guess first. The guess is logged and answered with its reason; nothing is ever locked.

    predict("roofline", "batch-128")

After a guess, or "Show me without predicting", the panel named in the question file is set to the state that
shows the answer.
"""

from accelerator_lib.quiz import bank, progress
from accelerator_lib.units import number, si
from accelerator_lib.widgets.panel import show_in_panel
from accelerator_lib.widgets.question import Question


def predict(chapter, id):
    """The prediction of a chapter's question file. Raises UnknownName or BadQuiz."""
    entry = bank.item(chapter, id, "predict")
    options = entry["options"]
    texts = [option.get("text") or _printed(option["value"], entry.get("unit", "")) for option in options]
    right = next(i for i, option in enumerate(options) if bank.is_answer(option, entry))

    def answered(content):
        guess = options[content["option"]]
        hit = content["option"] == right
        opening = "Yes." if hit else f"It is {texts[right]}, not {texts[content['option']]}."
        note = f"{bank.belief(guess.get('misconception'))} {guess['why']}".strip()
        _keep(chapter, id, guess["value"], hit)
        finish("right" if hit else "wrong", f"**{opening}** {note}")

    def shown(_):
        _keep(chapter, id, None, False)
        finish("told", f"**The answer is {texts[right]}.** {options[right]['why']}")

    def finish(verdict, text):
        where = ""
        if "show" in entry:
            show_in_panel(entry["show"]["panel"], entry["show"]["values"])
            where = "The panel below now stands where you can see it."
        widget.say(verdict, text, entry["why"], where, closed=True)

    widget = Question(
        answered,
        shown,
        kicker="Predict first. A wrong guess costs nothing and is remembered better.",
        ask=entry["ask"],
        options=texts,
        action="Commit",
        asides=[["show", "Show me without predicting"]],
    )
    return widget


def _printed(value, unit):
    return f"x{number(value)}" if unit == "x" else si(value, unit)


def _keep(chapter, id, guess, hit):
    progress.record({"kind": "predict", "chapter": chapter, "id": id, "guess": guess, "right": hit})
