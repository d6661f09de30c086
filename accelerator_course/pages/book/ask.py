"""Questions to think about: what a quiz asks, its answers folded; no script is needed, and nothing is counted."""

from html import escape
from itertools import count

from accelerator_course.pages.book import chapter
from accelerator_course.quiz import bank, grade, keys
from accelerator_course.quiz.markdown import html
from accelerator_course.widgets.catalog import exploration

_names = count(1)


def prediction(card, number="", picture=""):
    """HTML of a Prediction; `picture` shows the answer on its panel."""
    offered = enumerate(zip(card.texts, card.choices, strict=True))
    options = [(text, place == card.right, grade.reason(choice)) for place, (text, choice) in offered]
    after = f"<p>{html(card.entry['why'])}</p>{picture}"
    return _card(f"Predict first{number}", card.entry["ask"], _options(options) + _fold("Why, and the picture", after))


def question(drawn, kicker):
    """HTML of a draw.Question."""
    code = f"<pre>{escape(drawn.code)}</pre>" if drawn.code else ""
    hint = _fold("Hint", f"<p>{html(drawn.hint)}</p>") if drawn.hint else ""
    if drawn.type == "choice":
        options = [(text, entry.get("right", False), grade.reason(entry)) for text, entry in drawn.options]
        return _card(kicker, drawn.ask, code + _options(options) + hint + _fold("Why", _why(drawn)))
    rows = "".join(f"<li>{html(text)}</li>" for text, _ in drawn.options)
    rows = f"<ul>{rows}</ul>" if rows else ""
    rows += f"<p>{' · '.join(map(html, drawn.targets))}</p>" if drawn.targets else ""
    answer = f"<p><strong>{html(grade.shown(drawn))}</strong></p>{_why(drawn)}"
    return _card(kicker, drawn.ask, code + rows + hint + _fold("Answer", answer))


def quiz(shown):
    """HTML of a Quiz: the questions of one draw, always the same."""
    shown.deal("book")
    first, *more = (question(item.question, item.widget.kicker) for item in shown.items)
    return first + (_fold(f"{len(more)} more questions", "".join(more)) if more else "")


def warm_up(shown):
    """HTML of a WarmUp, to unfold."""
    return _fold("Warm-up: questions from earlier chapters", quiz(shown))


def explain(box):
    """HTML of an Explain: what is to be explained, and the model answer."""
    entry = bank.explain(box.chapter)
    fold = _fold("Compare with a model answer", f"<p>{html(entry['model'])}</p>")
    box = '<textarea rows="5" placeholder="Two or three sentences. Only you will read them." autocomplete="off">'
    return _card("In your own words", entry["ask"], f"{box}</textarea>{fold}")


def decision(card):
    """HTML of a Decision: what is asked, and what was measured."""
    asked = card.ask
    card.receive({"show": True})
    ask = f'<p class="acc-kicker">Decide: a number in {escape(card.unit)}, and an interval</p>'
    ask += f'<div class="acc-case">{asked}</div>'
    ask += '<p class="acc-kicker">Choose its ends so that you are 80 % sure of it: you would bet four to one.</p>'
    ask += _fold("What was measured", card.said)
    return chapter.linked(f'<section class="acc-ask acc-decided">{ask}</section>')


def bench(shown):
    """HTML of a Bench: the task, and the kernel that is to be written."""
    told = shown.card.rung
    code = "".join(f"<pre>{escape(told[part])}</pre>" for part in ("specification", "blank"))
    head = f'<p class="acc-kicker">Yours to write</p><div class="acc-stem">{escape(told["title"])}</div>'
    where = '<p class="acc-told acc-where">It is run and judged where the course runs.</p>'
    return chapter.linked(f'<section class="acc-ask">{head}<p>{told["task"]}</p>{code}{where}</section>')


def _card(kicker, ask, inner):
    head = f'<p class="acc-kicker">{escape(kicker)}</p><div class="acc-stem">{html(ask)}</div>'
    return chapter.linked(f'<section class="acc-ask">{head}{inner}</section>')


def _options(options):
    name = f"acc-{next(_names)}"
    lines = []
    for text, right, why in options:
        told = f"<p><strong>{'✔ Yes.' if right else '✘ No.'}</strong> {html(why.strip())}</p>"
        lines.append(f'<details class="acc-option" name="{name}"><summary>{html(text)}</summary>{told}</details>')
    return "".join(lines)


def _why(drawn):
    calls = keys.runnable(drawn.calls) if drawn.calls else ""
    place = exploration(drawn.see) if drawn.see else None
    shown = f"<p>{html(drawn.why)}</p>" + (f"<pre>{escape(calls)}</pre>" if calls else "")
    if not place:
        return shown
    return f'{shown}<p><a href="{place["notebook"]}#panel-{place["panel"]}">See it: {escape(place["heading"])}</a></p>'


def cover(summary, inner):
    """HTML of what answers a prediction; the page opens it once every prediction before it has a guess (book.js)."""
    return f'<details class="{chapter.COVER}"><summary>{summary}</summary>{inner}</details>'


def _fold(summary, inner):
    return f'<details class="acc-fold"><summary>{summary}</summary>{inner}</details>'
