"""Answer: what a check says. The sentence; what was asked; a table of given, wanted and yours; a solution to unfold."""

from dataclasses import dataclass
from html import escape

FEW = 4  # rows of the table
HEADS = ("given", "wanted", "yours", "")
STYLE = """<style>
.acc-exercise { max-width: 800px; line-height: 1.45; color: var(--jp-content-font-color1, #1a1a1a); }
.acc-exercise p { margin: 0 0 6px; white-space: pre-wrap; }
.acc-exercise .acc-verdict { padding-left: 12px; border-left: 4px solid #b84a00; }
.acc-exercise[data-right] .acc-verdict { border-color: #00694e; }
.acc-exercise .acc-slip { padding: 8px 12px; color: #1a1a1a; background: #eef5fb; border-left: 4px solid #0066a6; }
.acc-exercise .acc-scroll { overflow-x: auto; }
.acc-exercise table { border-collapse: collapse; margin: 0 0 8px; font-size: 0.95em; }
.acc-exercise caption { caption-side: top; text-align: left; font-size: 0.95em; padding: 0 0 4px; }
.acc-exercise th, .acc-exercise td { text-align: left !important; vertical-align: top; padding: 3px 14px 3px 0;
  white-space: normal; max-width: none; }
.acc-exercise thead th { border-bottom: 1px solid var(--jp-border-color1, #bdbdbd); font-weight: 600; }
.acc-exercise td:last-child { white-space: nowrap; }
.acc-exercise summary { cursor: pointer; padding: 2px 0; }
.acc-exercise summary:focus-visible, .acc-exercise button:focus-visible, .acc-exercise pre:focus-visible {
  outline: 3px solid #b84a00; outline-offset: 2px; }
.acc-exercise .acc-source { position: relative; background: var(--jp-layout-color2, #f5f5f5); border-radius: 4px; }
.acc-exercise .acc-source pre { margin: 0; padding: 10px 84px 10px 12px; overflow-x: auto; background: none;
  color: var(--jp-content-font-color1, #1a1a1a); font-family: var(--jp-code-font-family, monospace); }
.acc-exercise .acc-source button { position: absolute; top: 6px; right: 6px; font: inherit; font-size: 0.9em;
  padding: 2px 10px; border: 1px solid var(--jp-content-font-color1, #595959); border-radius: 4px; cursor: pointer;
  background: var(--jp-layout-color0, #ffffff); color: var(--jp-content-font-color1, #1a1a1a); }
.acc-source .k, .acc-source .kc, .acc-source .kn, .acc-source .ow {
  color: var(--jp-mirror-editor-keyword-color, #006b00); font-weight: 600; }
.acc-source .s1, .acc-source .s2, .acc-source .sd, .acc-source .sa {
  color: var(--jp-mirror-editor-string-color, #a31515); }
.acc-source .c1 { color: var(--jp-mirror-editor-comment-color, #3f6e6e); }
.acc-source .mi, .acc-source .mf { color: var(--jp-mirror-editor-number-color, #006b00); }
</style>"""
COPY = "navigator.clipboard?.writeText(this.nextElementSibling.innerText); "
COPY += "this.textContent = navigator.clipboard ? 'Copied' : 'Select it'"


@dataclass(frozen=True)
class Answer:
    """`text` is the sentence that answers an attempt; after an honest try, with cases, a hint and a worked solution."""

    text: str
    right: bool = False
    solution: str = ""
    asked: str = ""
    hint: str = ""
    slip: str = ""  # the sentence of a known slip that gives the same results
    cases: tuple = ()

    def __repr__(self):
        rows = [HEADS, *map(_cells, self._few())] if self.cases else []
        widths = [max(len(row[i]) for row in rows) for i in range(4)] if rows else []
        lines = ["  ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)).rstrip() for row in rows]
        return "\n".join([self.text, *lines])

    def _repr_html_(self):
        said = self.text.removesuffix(self.slip).strip()
        parts = [f"<p>{escape(self.asked)}</p>"] if self.asked else []
        mark = "✔" if self.right else "▸"
        parts += [f'<p class="acc-verdict" role="status">{mark} {escape(said)}</p>']
        parts += [f'<p class="acc-slip"><strong>Perhaps this:</strong> {escape(self.slip)}</p>'] if self.slip else []
        parts += [self._table()] if self.cases else []
        if self.hint and not self.right:
            parts += [f"<details><summary>Hint</summary><p>{escape(self.hint)}</p></details>"]
        if self.solution:
            summary = "Compare with a worked solution" if self.right else "Show a worked solution"
            parts += [f"<details><summary>{summary}</summary>{_source(self.solution)}</details>"]
        return f'{STYLE}<div class="acc-exercise"{" data-right" if self.right else ""}>{"".join(parts)}</div>'

    def _few(self):
        """The first cases; where the first that is not right lies behind them, it takes the place of the last."""
        few, wrong = self.cases[:FEW], next((case for case in self.cases if not case.right), None)
        return few if wrong is None or wrong in few else (*few[:-1], wrong)

    def _table(self):
        few = self._few()
        good = sum(case.right for case in self.cases)
        tried = f"{len(self.cases)} {'case' if len(self.cases) == 1 else 'cases'} tried, {good} right"
        tried += f"; here are {len(few)}." if len(few) < len(self.cases) else "."
        head = "".join(f'<th scope="col">{name}</th>' for name in HEADS)
        rows = "".join(f"<tr>{''.join(f'<td>{escape(cell)}</td>' for cell in _cells(case))}</tr>" for case in few)
        table = f"<table><caption>{tried}</caption><thead><tr>{head}</tr></thead><tbody>{rows}</tbody></table>"
        return f'<div class="acc-scroll">{table}</div>'


def _cells(case):
    return case.given, case.wanted, case.yours, "✔ same" if case.right else "✘ differs"


def _source(code):
    """Python as HTML in the colours of the page's editor, with a button that copies it."""
    from pygments import highlight
    from pygments.formatters import HtmlFormatter
    from pygments.lexers import PythonLexer

    quiet = 'data-lm-suppress-shortcuts="true"'
    lines = highlight(code.strip(), PythonLexer(), HtmlFormatter(nowrap=True))
    button = f'<button type="button" {quiet} onclick="{COPY}">Copy</button>'
    return f'<div class="acc-source">{button}<pre tabindex="0" {quiet}>{lines}</pre></div>'
