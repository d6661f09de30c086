"""One design: its floor plan, its limits, what it does to each job, where it stands among real chips; its report."""

import html
import io
import textwrap

import numpy as np

from accelerator_course.views import style
from accelerator_course.views.design.exploring import Map, triangle
from accelerator_course.views.kit import bars, rows, words
from accelerator_course.views.limits import LIMITS
from accelerator_course.views.stage import Stage, boxes, lines, paths, pick, raster, still, texts
from accelerator_lib.units import counted, number, percent, si

PX, MOST_MM, FIELD = 6.1, 45.0, (26.0, 33.0)  # pixels of a millimetre; of a die's height that are drawn; one exposure


class Plan(Stage):
    """The floor plan of a chip: its parts to scale.

    >>> from accelerator_course.league.floor import floor
    >>> view, one = Plan(), design.Design
    >>> view.show(floor(one(256, 6, 64, 6, 2.4e9, 300e9))), view.show(floor(one(512, 40, 8, 0, 1e9, 300e9)))
    >>> view.show(floor(one(16, 2048, 512, 8, 1e9, 300e9, node=7)))
    """

    size, noun = (340, 372), "design"

    def __init__(self, silent=False):
        """`silent`: its sentence stands elsewhere on the page."""
        self.silent = silent

    def marks(self, floor):  # league.floor.Floor
        return plan(floor, 170, 34)

    def say(self, floor):
        if self.silent:
            return ""
        arrays, sram, interfaces = floor.areas
        lost = int((~floor.placed).sum())
        stacks = counted(len(floor.stacks), "memory stack") + (f", {lost} of them without a site" if lost else "")
        said = f"A die of {floor.area:,.0f} mm²: arrays {arrays:,.0f}, SRAM {sram:,.0f}, interfaces of the memory "
        return said + f"{interfaces:,.0f}; {stacks}."


def plan(floor, middle, top):
    """Yield the marks of a floor plan around a middle line, from `top` down."""
    left, tall, design = middle - PX * floor.wide / 2, PX * min(floor.high, MOST_MM), floor.design
    cut, fits = floor.high > MOST_MM, floor.area <= FIELD[0] * FIELD[1] + 1e-6
    squeeze = min(1.0, MOST_MM / floor.high)  # of a die too high to draw, the parts in proportion
    x, y, wide, deep = floor.cells.T * PX
    y, deep, gap = y * squeeze, deep * squeeze, min(0.8, 0.12 * min(wide[0], deep[0] * squeeze))
    each, arrays = f"{floor.each} arrays" if floor.each > 1 else "an array", counted(design.arrays, "array")
    text = f"{arrays} of {design.edge} × {design.edge}: {floor.areas[0]:,.0f} mm²; a rectangle is {each}"
    at, role = (left + x + gap / 2, top + y + gap / 2), "compute tint" if fits else "bad tint"
    sx, sy, sw, sh = (PX * side for side in floor.sram)
    sram, says = "SRAM" if sh * squeeze >= 14 and sw > 44 else "", f"{design.sram_mb:g} MB: {floor.areas[1]:,.0f} mm²"
    low, flat, strips = top + sy * squeeze, max(sh * squeeze, 0.5), floor.interfaces * PX
    side, broad = left + strips[:, 0], np.maximum(strips[:, 2], 0.1)
    ports = "interfaces of the memory", f"{floor.areas[2]:,.0f} mm²"
    yield boxes("interfaces", range(2), side, top, broad, tall, "other", "", 13, *ports)
    yield boxes("cells", range(len(x)), *at, wide - gap, deep - gap, role, who=("arrays",), says=text)
    yield boxes("sram", [0], left + sx, low, sw, flat, "memory tint", sram, 12, "SRAM", says)
    yield boxes("outline", [0], left, top, PX * floor.wide, tall, "ink line" if fits else "bad line")
    # the largest die that one exposure prints, where the design is larger; the lower end of a die that goes on
    shown, wide, high = [] if fits else [0], PX * FIELD[0], PX * FIELD[1]
    edge, zigzag = middle - wide / 2, np.arange(17)
    yield boxes("field", shown, edge, top, wide, high, "bad line dashed")
    yield boxes("field back", shown, middle - 52, top + high - 11, 104, 21, "paper")
    yield texts("field word", shown, middle, top + high, "one exposure", "bad bold", 12)
    if cut:
        points = zip(left + wide / 16 * zigzag, top + tall + 7 * (zigzag % 2), strict=True)
        yield paths("torn", [0], "M" + "L".join(f"{a:.1f} {b:.1f}" for a, b in points), role="bad", size=2.5)
    # what is how long, and which colour is what
    end, at, look = edge - 66 + 10 * PX, edge - 80 + np.array([0, 66, 130, 222]), ("muted start", 12)
    names = zip(at, ["arrays", "SRAM", "interfaces", "memory stack"], strict=True)
    scale = (end + 6, top - 18, "10 mm", *look)
    area = (edge + wide + 68, top - 18, f"die {floor.area:,.0f} mm²", "ink bold end")
    yield lines("scale", [0], edge - 66, top - 18, end, top - 18, "muted", 2)
    yield words("plan", scale, area, *((x + 15, top + 312, name, *look) for x, name in names))
    yield boxes("legend", range(4), at, top + 306, 11, 11, ["compute tint", "memory tint", "other", "memory soft"])
    x, y, wide, high = floor.stacks.T * PX if len(floor.stacks) else np.zeros((4, 0))
    out, held = ~floor.placed, number(floor.design.stacks)
    y, high = np.where(out, y - PX * max(floor.high - MOST_MM, 0), y), np.where(out, 40, high)
    show = np.flatnonzero(~(floor.placed & cut & (y + high > PX * MOST_MM)))
    says = pick((f"{held} stacks in all", "finds no room at the edges"), out[show])
    names = pick(("HBM", "HBM ✕"), out[show])
    x, y, who = left + x[show], top + y[show], [f"stack {i + 1}" for i in show]
    role = ("memory soft", "bad tint dashed")
    yield boxes("stacks", show, x, y, wide[show], high[show], pick(role, out[show]), names, 12, who, says)


LEFT, BAR, END, MAP = 352, 466, 748, ((58, 418), (560, 402))
NAMES = ("die", "memory stacks", "links", "heat", "power", "rent", "first token", "each token")
FREE = 0.005  # what a limit costs is told from here on


class Capstone(Stage):
    """Your accelerator: its floor plan, its limits, its jobs, and real chips beside it.

    >>> view = Capstone()
    >>> one = league.brief(2)
    >>> view.show(league.judge(2, one.design(128, 12, 64, 8, 2.4e9, 300e9)))
    >>> view.show(league.judge(2, one.design(256, 3, 128, 2, 2.0e9, 300e9), "rows that an edge takes: 64", frozen=True))
    >>> view.show(league.judge(16, league.brief(16).design(256, 3, 16, 2, 1.8e9, 300e9)))
    >>> view.show(league.judge(1, league.brief(1).design(512, 40, 512, 8, 2.5e9, 1.8e12), frozen=True))
    >>> view.show(league.judge(2, one.design(16, 4, 8, 0, 5e8, 5e10)))
    """

    size, noun = (760, 600), "design"

    def marks(self, judged):  # league.capstone.Judged
        chart = Map(*MAP, (0.1, 0.4))
        yield from plan(judged.floor, 172, 40)
        # a bar for each limit: its end is what is allowed; beyond it the bar is red, dashed, and says so
        limits = [limit for limit in judged.limits if limit.limit in NAMES]
        n, y, end = range(len(limits)), rows(42, 19, len(limits)), BAR + 72
        broken, names = [limit.broken for limit in limits], [limit.limit for limit in limits]
        said = [_beside(one, " of ") for one in limits]
        keeps = [judged.brief.costs.get(limit.limit, 0.0) for limit in limits]
        said = [f"{s}, −{percent(k)}" if k >= FREE else s for s, k in zip(said, keeps, strict=True)]
        marked = [f"✕ {s}" if b else s for s, b in zip(said, broken, strict=True)]
        long = 72 * np.minimum([limit.share for limit in limits], 1.2)
        short = [s.removeprefix("memory ") for s in names]
        fitting = "every job fits on 1,024 chips", "muted start"
        if judged.missing:
            fitting = f"✕ {counted(len(judged.missing), 'job')} of the mix: no room on 1,024 chips", "bad bold start"
        role, look = pick(("good tint", "bad tint dashed"), broken), list(pick(("ink ", "bad bold "), broken))
        heads = (
            (LEFT, 20, "limits", "ink bold start", 14),
            (end, 20, "allowed", "muted", 12),
            (END, 20, "− what it costs", "muted end", 12),
        )
        yield words("limits", *heads, (LEFT, y[-1] + 21, *fitting, 12))
        yield texts("limit names", n, LEFT, y, short, [f"{r}start" for r in look])
        yield from bars("limit bars", n, BAR, y, long, 14, role, who=names, says=said, least=0.5)
        yield lines("allowed", [0], end, y[0] - 11, end, y[-1] + 9, "ink", 2)
        yield texts("limit words", n, END, y, marked, [f"{r}end" for r in look], 12)
        # a chip's rate on each job of the mix beside an H100's, and what takes longest in a step
        shown, one = judged.found, 54  # px of an H100's rate
        brief, mix = judged.brief, judged.brief.mix
        names, found, fits = list(shown.results), shown.results.values(), [one.fits for one in shown.results.values()]
        y, ratio = rows(252, 22, len(names)), [shown.ratios[name] for name in names]
        long, looks = one * np.minimum(ratio, 2.9), ["ink end" if fit else "bad bold end" for fit in fits]
        text = [f"{_times(r)} ×, {LIMITS[f.bound].called}" for r, f in zip(ratio, found, strict=True)]
        text = [words if fit else "✕ does not fit" for words, fit in zip(text, fits, strict=True)]
        roles = [f"{LIMITS[result.bound].role} tint" if result.fits else "bad tint dashed" for result in found]
        says = [f"{result.chips:,.0f} chips, {number(result.per_chip_s)} a second each" for result in found]
        had = f"brief {brief.seed}, {brief.year}: {brief.node} nm, {brief.stack}, {brief.dtype}"
        mixed = (LEFT, 228, "mix · a chip's rate", "ink bold start", 14)
        yield words("jobs", mixed, (BAR + one, 228, "H100", "muted", 12), (172, 331, had, "ink bold", 12))
        yield texts("job names", names, LEFT, y, [f"{mix[name]:g} {name}" for name in names], "ink start", 12)
        yield from bars("job bars", names, BAR, y, long, 16, roles, who=names, says=says, least=0.5)
        yield lines("one", [0], BAR + one, y[0] - 14, BAR + one, y[-1] + 12, "ink dashed", 1.5)
        yield texts("job words", names, END, y, text, looks, 12)
        yield from chart.frame(6, "$ an hour", f"score, brief {brief.seed}")
        yield from chart.front(*judged.front, "the best of the grid")
        if judged.frozen:
            yield words("front key", (chart.across[0] + 80, chart.up[1] - 15, "— front of the grid", "good start", 12))
        yield from chart.published(judged.others, judged.dot)
        yield from chart.own(judged.dot, judged.legal, judged.others)
        yield from triangle(judged, 490, 742, 398)

    def say(self, judged):
        return f"Brief {judged.brief.seed}: {self._verdict(judged)}"

    def _verdict(self, judged):
        broken = judged.broken
        if broken:
            text = "; ".join(self._broken(limit, judged) for limit in broken[:2])
            return f"not legal: {text}{'; and more' if len(broken) > 2 else ''}."
        worth = f"score {judged.found.score:.2f}, value {judged.found.value:.2f} (H100: 1). "
        worth += f"For the worst guess ({judged.worst}) it holds {judged.holds:.2f}"
        if judged.frozen:
            share = f", {percent(judged.share)} of the best in the grid"
            worth += ", a tie with the best in the grid" if judged.tied else share
        hole = " A hole: score or value above 1.5 times that of any published chip of its node." if judged.hole else ""
        return f"{worth}.{hole}"

    def _broken(self, limit, judged):
        if limit.limit in NAMES:
            return f"{limit.limit} {_beside(limit, ', allowed ')}"
        return f"1,024 chips cannot run {', '.join(judged.missing)}"


def _beside(limit, between):
    has = number(limit.value) if limit.share < 1000 else f"over {number(1000 * limit.most)}"  # no bytes come: no end
    return f"{has}{between}{number(limit.most)} {limit.unit}".removesuffix("of them").rstrip()


def _times(ratio):
    return f"{ratio:.2f}" if ratio >= 0.01 or not ratio else number(ratio, 1)


WIDE, LINE, HEAD = 104, 0.0136, 0.0205  # letters of a line; of the page's height
TITLE, CHECK = "An accelerator of one's own", "python -m accelerator_course.league rank"
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
    >>> view.show(league.report(2, league.brief(2).design(256, 3, 128, 2, 2.0e9, 300e9)))
    >>> view.show(league.report(1, league.brief(1).design(16, 2000, 512, 3, 2.2e9, 1.8e12)))
    >>> view.show(league.report(4, league.brief(4).design(512, 1, 8, 0, 1e9, 1e11)))
    """

    def show(self, report):
        """Draw the page anew; returns its first sentence."""
        self.figure, self.ax = style.page()
        said = _design(report)
        self._text(0.04, 0.985, TITLE, 17, weight="bold")
        self._text(0.04, 0.955, said, 10)
        image = np.asarray(raster.image(Plan(silent=True), report.judged.floor, 2, 0))
        high = 0.40 * image.shape[0] / image.shape[1] * style.PAGE[0] / style.PAGE[1]
        self.ax.imshow(image, extent=(0.58, 0.98, 0.94 - high, 0.94), aspect="auto", zorder=0)
        y = 0.93
        for heading, lines_ in report.sections:
            wide = WIDE // 2 + 6 if y > 0.94 - high - 0.03 else WIDE
            for row in textwrap.wrap(heading, wide):
                self._text(0.04, y, row, 10, weight="bold")
                y -= HEAD * 0.8
            for row in lines_:
                for part in textwrap.wrap(row, wide):
                    self._text(0.055, y, part, 9, "#b3261e" if _bad(row) else style.INK)
                    y -= LINE
            y -= 0.007
        self._text(0.04, y - 0.01, report.token, 10, family="monospace")
        self._text(0.04, y - 0.028, f"Check it: {CHECK}, and this line.", 9, style.MUTED)
        return said

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
        first, *rest = [_part(*one) for one in report.sections]
        drawn = still.svg(Plan(), report.judged.floor)
        return (
            f"<!doctype html><html lang='en'><head><meta charset='utf-8'><title>{TITLE}</title>"
            f"<meta name='viewport' content='width=device-width'><style>{SHEET}</style></head><body>"
            f"<h1>{TITLE}</h1><p>{html.escape(_design(report))}</p><div class='top'><div>{first}{''.join(rest[:2])}"
            f"</div><div class='plan'>{drawn}</div></div>{''.join(rest[2:])}<p><code>{html.escape(report.token)}</code>"
            f"<br>Check it: <code>{CHECK}</code>, and this line.</p></body></html>"
        )


def _design(report):
    one = report.judged.design
    said = f"{one.arrays:,} arrays of {one.edge} × {one.edge}, {one.sram_mb:g} MB, {one.stacks} stacks, "
    return said + f"{si(one.clock_hz, 'Hz')}, links of {si(one.link_bytes_per_s, 'B/s')}, {one.node} nm, {one.dtype}."


def _bad(row):
    return "BROKEN" in row or "breaks" in row


def _part(heading, lines_):
    items = "".join(f"<li{' class=bad' if _bad(row) else ''}>{html.escape(row)}</li>" for row in lines_)
    return f"<h2>{html.escape(heading)}</h2><ul>{items}</ul>"
