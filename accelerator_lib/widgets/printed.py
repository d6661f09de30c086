"""A question on paper: what it asks, every option with its letter, room for an answer. No key.

Where no widgets run (a print, a saved page), a question shows this instead.
"""

KINDS = {"choice": "{options}", "order": "<p>Put in order:</p>{options}", "match": "<p>Match:</p>{options}{targets}"}


def question(widget):
    """HTML of a Question as it would be printed."""
    options = "".join(f"<li>{option}</li>" for option in widget.options)
    targets = "".join(f"<li>{target}</li>" for target in widget.units)
    form = KINDS.get(widget.kind, "")
    if widget.kind in ("numeric", "code"):
        form = f'<p><span class="field">&nbsp;</span> {" or ".join(widget.units)}</p>'
    code = f"<pre>{_plain(widget.code)}</pre>" if widget.code else ""
    parts = form.format(options=f'<ol type="A">{options}</ol>', targets=f'<ol class="plain">{targets}</ol>')
    return f'<div class="question"><div class="ask">{widget.ask}</div>{code}{parts}</div>'


def _plain(text):
    return text.replace("&", "&amp;").replace("<", "&lt;")
