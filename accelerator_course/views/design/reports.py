"""The report of a design on one page: as HTML that loads nothing, and as a PDF."""

import html
import io
import textwrap

import numpy as np

from accelerator_course.views import style
from accelerator_course.views.design.floor import Plan
from accelerator_course.views.stage import raster, still

PAGE = (8.27, 11.69)  # A4, inches
WIDE, LINE, HEAD = 104, 0.0136, 0.0205  # letters of a line; of the page's height
SHEET = """
body { font: 13px/1.35 system-ui, sans-serif; color: #1a1a1a; background: #ffffff; }
body { max-width: 190mm; margin: 8mm auto; padding: 0 4mm; }
h1 { font-size: 20px; margin: 0 0 4px; }
h2 { font-size: 14px; margin: 10px 0 2px; } ul { margin: 0; padding-left: 18px; }
.top { display: flex; gap: 12px; align-items: flex-start; }
code { overflow-wrap: anywhere; }
.plan { flex: 0 0 300px; } .bad { color: #b3261e; font-weight: 600; }
@media (max-width: 640px) { .top { flex-direction: column; } }
@page { size: A4; margin: 8mm; } @media print { body { margin: 0; font-size: 11px; } }
"""


class Paper:
    """One page of a report: `show` draws it, `page` is its HTML, `pdf` its PDF.

    >>> view = Paper()
    >>> view.show(league.report(design.Design(256, 6, 64, 6, 2.4e9, 300e9)))
    >>> view.show(league.report(design.Design(16, 2000, 512, 3, 2.2e9, 1.8e12, node=7), "decode", 300.0))
    >>> view.show(league.report(design.Design(512, 1, 8, 0, 1e9, 1e11), "vision"))
    """

    def __init__(self):
        self.figure = style.figure(PAGE)
        self.ax = self.figure.subplots()

    def show(self, report):
        """Draw the page anew; returns its first sentence."""
        self.ax.clear()
        self.ax.set(xlim=(0, 1), ylim=(0, 1))
        self.ax.axis("off")
        said = _said(report)
        self._text(0.04, 0.985, "An accelerator of one's own", 17, weight="bold")
        self._text(0.04, 0.955, said, 10)
        image = np.asarray(raster.image(Plan(silent=True), report.judged.floor, 2, 0))
        high = 0.40 * image.shape[0] / image.shape[1] * PAGE[0] / PAGE[1]
        self.ax.imshow(image, extent=(0.58, 0.98, 0.94 - high, 0.94), aspect="auto", zorder=0)
        y = 0.93
        for heading, rows in report.sections:
            narrow = y > 0.94 - high - 0.03
            y = self._section(y, heading, rows, WIDE // 2 + 6 if narrow else WIDE)
        self._text(0.04, y - 0.01, report.token, 10, family="monospace")
        self._text(
            0.04, y - 0.028, "Check it: python -m accelerator_course.league rank, and this line.", 9, style.MUTED
        )
        return said

    def _section(self, y, heading, rows, wide):
        for row in textwrap.wrap(heading, wide):
            self._text(0.04, y, row, 10, weight="bold")
            y -= HEAD * 0.8
        for row in rows:
            colour = style.INK if "BROKEN" not in row and "breaks" not in row else "#b3261e"
            for part in textwrap.wrap(row, wide):
                self._text(0.055, y, part, 9, colour)
                y -= LINE
        return y - 0.007

    def _text(self, x, y, text, size, colour=style.INK, **more):
        self.ax.text(x, y, text, fontsize=size, color=colour, va="top", parse_math=False, **more)

    def pdf(self, report):
        """Bytes of the page as a PDF."""
        out = io.BytesIO()
        self.show(report)
        self.figure.savefig(out, format="pdf")
        return out.getvalue()

    def page(self, report):
        """The page as HTML that loads nothing and prints on one sheet."""
        first, *rest = report.sections
        plan = still.svg(Plan(), report.judged.floor)
        return (
            f"<!doctype html><html lang='en'><head><meta charset='utf-8'><title>An accelerator of one's own</title>"
            f"<meta name='viewport' content='width=device-width'><style>{SHEET}</style></head><body>"
            f"<h1>An accelerator of one's own</h1><p>{html.escape(_said(report))}</p>"
            f"<div class='top'><div>{''.join(_part(*one) for one in (first, *rest[:2]))}</div>"
            f"<div class='plan'>{plan}</div></div>{''.join(_part(*one) for one in rest[2:])}"
            f"<p><code>{html.escape(report.token)}</code><br>Check it: "
            "<code>python -m accelerator_course.league rank</code>, and this line.</p></body></html>"
        )


def _said(report):
    one = report.judged.design
    return (
        f"{one.arrays:,} arrays of {one.edge} × {one.edge}, {one.sram_mb:g} MB, {one.stacks} stacks, "
        f"{one.clock_hz / 1e9:g} GHz, links of {one.link_bytes_per_s / 1e9:g} GB/s, {one.node} nm, {one.dtype}."
    )


def _part(heading, rows):
    rows = "".join(
        f"<li{' class=bad' if 'BROKEN' in row or 'breaks' in row else ''}>{html.escape(row)}</li>" for row in rows
    )
    return f"<h2>{html.escape(heading)}</h2><ul>{rows}</ul>"
