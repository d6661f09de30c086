"""Questions where no widgets run, in a print or a saved page: every option, room for an answer, no key."""

from html import escape

KINDS = {"choice": "{options}", "order": "<p>Put in order:</p>{options}", "match": "<p>Match:</p>{options}{targets}"}


def question(widget, number=""):
    """HTML of a Question as it would be printed."""
    options = "".join(f"<li>{option}</li>" for option in widget.options)
    targets = "".join(f"<li>{target}</li>" for target in widget.units)
    form = KINDS.get(widget.kind, "")
    if widget.kind in ("numeric", "code"):
        form = f'<p><span class="field">&nbsp;</span> {" or ".join(widget.units)}</p>'
    code = f"<pre>{escape(widget.code, quote=False)}</pre>" if widget.code else ""
    parts = form.format(options=f'<ol type="A">{options}</ol>', targets=f'<ol class="plain">{targets}</ol>')
    return f'<div class="question"><div class="ask">{number}{widget.ask}</div>{code}{parts}</div>'


def questions(widgets):
    """HTML of several, numbered; one alone has no number."""
    if len(widgets) == 1:
        return question(widgets[0])
    return "".join(question(one, f"{n}. ") for n, one in enumerate(widgets, 1))
