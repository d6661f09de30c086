"""Answer: what a check says. The sentence; what was asked; a table of given, wanted and yours; a solution to unfold."""

from dataclasses import dataclass
from html import escape
from pathlib import Path

FEW = 4  # rows of the table
PERHAPS = "Perhaps this: "  # other functions may give the same results
HEADS = ("given", "wanted", "yours", "")
STYLE = Path(__file__).with_name("answer.css").read_text(encoding="utf-8")
COPY = "const say = (words) => () => (this.textContent = words); navigator.clipboard ? navigator.clipboard"
COPY += ".writeText(this.nextElementSibling.innerText).then(say('Copied'), say('Select it')) : say('Select it')()"


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
        said = self.text.removesuffix(PERHAPS + self.slip).strip()
        if self.asked:
            said = said.partition(": ")[2]
            said = said[0].upper() + said[1:]
        parts = [f"<p>{escape(self.asked)}</p>"] if self.asked else []
        mark = "✔" if self.right else "✘" if self.cases else "•"
        parts += [f'<p class="acc-verdict" role="status">{mark} {escape(said)}</p>']
        if self.slip:
            parts.append(f'<p class="acc-slip"><strong>{PERHAPS.strip()}</strong> {escape(self.slip)}</p>')
        parts += [self._table()] if self.cases else []
        if self.hint and not self.right:
            parts += [f"<details><summary>Hint</summary><p>{escape(self.hint)}</p></details>"]
        if self.solution:
            summary = "Compare with a worked solution" if self.right else "Show a worked solution"
            parts += [f"<details><summary>{summary}</summary>{_source(self.solution)}</details>"]
        right = " data-right" if self.right else ""
        return f'<style>{STYLE}</style><div class="acc-exercise"{right}>{"".join(parts)}</div>'

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
        rows = "".join(f"<tr>{''.join(map(_td, _cells(case)))}</tr>" for case in few)
        table = f"<table><caption>{tried}</caption><thead><tr>{head}</tr></thead><tbody>{rows}</tbody></table>"
        return f'<div class="acc-scroll">{table}</div>'


def _cells(case):
    return case.given, case.wanted, case.yours, "✔ same" if case.right else "✘ differs"


def _td(cell):
    """A cell of the table; what is short is not broken."""
    return f"<td{' class=acc-short' if len(cell) <= 16 else ''}>{escape(cell)}</td>"


def _source(code):
    """Python as HTML in the colours of the page's editor, with a button that copies it."""
    from pygments import highlight
    from pygments.formatters import HtmlFormatter
    from pygments.lexers import PythonLexer

    quiet = 'data-lm-suppress-shortcuts="true"'
    lines = highlight(code.strip(), PythonLexer(), HtmlFormatter(nowrap=True))
    button = f'<button type="button" {quiet} onclick="{COPY}">Copy</button>'
    return f'<div class="acc-source">{button}<pre tabindex="0" {quiet}>{lines}</pre></div>'
