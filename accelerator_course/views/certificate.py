"""One page to print: what was done of the course, when, and which draws. No name is known; there is a line for it."""

from accelerator_course.views import style
from accelerator_course.views.kit import cut
from accelerator_lib.units import percent

COLUMNS = {"chapter": 0.08, "explored": 0.53, "exercises": 0.64, "best quiz": 0.76, "": 0.88}


class Certificate:
    """A portrait page; `show` takes a standing.Summary.

    >>> view = Certificate()
    >>> done = lambda n, yes: standing.Chapter(n, 0, 2, 0.8 if yes else None, yes)
    >>> rows = lambda passed: tuple(standing.Row(n, f"Title {n}, " * 3, 9, 3, done(n, n <= passed)) for n in (1, 2))
    >>> view.show(standing.Summary("2026-01-02", rows(0), (), (), "ACC1-" + "A" * 150))
    >>> view.show(standing.Summary("2026-01-02", rows(2), (("after chapter 3", 0.9),), ("abc", "def"), "ACC1-A"))
    >>> view.show(standing.Summary("2026-01-02", rows(2), (("final", 0.75),), ("abc",), "ACC1-A", final=True))
    >>> kernels = standing.Row(3, "Kernels", 9, 3, standing.Chapter(0, 0, 0, None, False, 4, 2), rungs=8)
    >>> view.show(standing.Summary("2026-01-02", (kernels,), (), (), "ACC1-A"))
    """

    def show(self, summary):
        """Draw the page anew; returns how many chapters were passed."""
        self.figure, self.ax = style.page()
        self._text(0.08, 0.95, "AI accelerators", 26, weight="bold")
        self._text(0.08, 0.915, "an interactive course: summary of progress", 14, style.MUTED)
        self._text(0.08, 0.865, "Name ______________________________________", 12)
        self._text(0.08, 0.835, f"{summary.date} · {self._summed_up(summary)}", 12)
        if summary.rungs[0]:
            self._text(0.08, 0.81, "{0} of {2} kernels right, {1} at par or better".format(*summary.rungs), 10)
        for name, x in COLUMNS.items():
            self._text(x, 0.785, name, 10, style.MUTED)
        pitch = min(0.0335, 0.475 / max(1, len(summary.rows)))
        for line, row in enumerate(summary.rows):
            self._row(0.757 - pitch * line, row, pitch)
        extra = "   ".join(f"{name}: {percent(best)}" for name, best in summary.checkpoints)
        self._text(0.08, 0.275, "Checkpoints and final", 10, style.MUTED)
        self._text(0.08, 0.257, extra or "none taken", 10)
        self._text(0.08, 0.23, "Seeds of the passed quizzes", 10, style.MUTED)
        self._text(0.08, 0.212, ", ".join(summary.seeds) or "none yet", 10)
        token = "Token (an instructor reads it with accelerator_course.quiz.read_token)"
        self._text(0.08, 0.185, token, 10, style.MUTED)
        lines = [summary.token[at : at + 76] for at in range(0, len(summary.token), 76)]
        self._text(0.08, 0.167, "\n".join(lines), 9, family="monospace")
        note = "A quiz is passed with 70 % of its points. This page records self-study; nobody has invigilated it."
        self._text(0.08, 0.05, note, 9, style.MUTED)
        return f"{self._summed_up(summary).capitalize()}, {summary.date}."

    @staticmethod
    def _summed_up(summary):
        if summary.complete:
            return f"the whole course passed: all {summary.chapters} chapters and the final"
        return f"{summary.passed} of {summary.chapters} chapters passed"

    def _row(self, y, row, pitch):
        chapter = row.chapter
        self._text(0.08, y, f"{row.label}  {cut(row.title.partition(':')[0], 46)}", 10)
        self._text(COLUMNS["explored"], y, f"{chapter.explored} of {row.panels}" if row.panels else "–", 10)
        self._text(COLUMNS["exercises"], y, f"{chapter.solved} of {row.exercises}" if row.exercises else "–", 10)
        self._text(COLUMNS["best quiz"], y, "–" if chapter.best is None else percent(chapter.best), 10)
        self._text(COLUMNS[""], y, "passed" if chapter.passed else "", 10, style.GOOD, weight="bold")
        self.ax.plot([0.08, 0.96], [y - 0.7 * pitch] * 2, color=style.GRID, linewidth=0.7)

    def _text(self, x, y, text, size, color=style.INK, **more):
        # a seed may be any text, dollars too: nothing here is a formula, and a sign that cannot be printed is left out
        text = "".join(sign for sign in text if sign.isprintable() or sign == "\n")
        self.ax.text(x, y, text, fontsize=size, color=color, va="top", parse_math=False, **more)
