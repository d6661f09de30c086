"""Questions on paper: what they ask, every option with its letter, room for an answer. No key.

Where no widgets run (a print, a saved page), a question shows this instead.
"""

KINDS = {"choice": "{options}", "order": "<p>Put in order:</p>{options}", "match": "<p>Match:</p>{options}{targets}"}


def question(widget, number=""):
    """HTML of a Question as it would be printed."""
    options = "".join(f"<li>{option}</li>" for option in widget.options)
    targets = "".join(f"<li>{target}</li>" for target in widget.units)
    form = KINDS.get(widget.kind, "")
    if widget.kind in ("numeric", "code"):
        form = f'<p><span class="field">&nbsp;</span> {" or ".join(widget.units)}</p>'
    code = f"<pre>{_plain(widget.code)}</pre>" if widget.code else ""
    parts = form.format(options=f'<ol type="A">{options}</ol>', targets=f'<ol class="plain">{targets}</ol>')
    return f'<div class="question"><div class="ask">{number}{widget.ask}</div>{code}{parts}</div>'


def questions(widgets):
    """HTML of several, numbered; one alone has no number."""
    if len(widgets) == 1:
        return question(widgets[0])
    return "".join(question(one, f"{n}. ") for n, one in enumerate(widgets, 1))


def _plain(text):
    return text.replace("&", "&amp;").replace("<", "&lt;")
