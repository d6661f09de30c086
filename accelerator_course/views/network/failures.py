"""A long run as four lines of time: work that is saved, checkpoints, what a failure takes, restarts."""

import numpy as np

from accelerator_course.views.stage import Stage, boxes, lines, texts
from accelerator_lib.units import counted, duration, percent

LEFT, RIGHT, TOP, ROW, HIGH, LINES = 66, 726, 60, 52, 36, 4
BAR, WIDE = 346, 400  # of the shares below
LOOKS = {
    "saved": ("good", "work saved"),
    "work": ("good tint dashed", "not yet saved"),
    "checkpoint": ("memory", "checkpoint"),
    "lost": ("bad", "work lost"),
    "restart": ("muted", "restart"),
}
SHARES = (("saved", "work"), ("checkpoint",), ("lost",), ("restart",))


class Failures(Stage):
    """Failures in a long run: work, checkpoints, crashes and restarts, and what share of the time was useful.

    >>> view = Failures()
    >>> run = list(network.failures.happen(1156, 60, 11135, 300))
    >>> view.show(run[0])
    >>> view.show(run[40])
    >>> view.show(run[-1])
    >>> view.show(list(network.failures.happen(10, 60, 11135, 300))[30])
    """

    size, noun = (740, 440), "event"

    def marks(self, history):
        """`history`: network.failures.History."""
        return [
            *self._legend(),
            *self._lines(history),
            self._done(history),
            *self._crashes(history),
            *self._shares(history),
        ]

    def _legend(self):
        x = LEFT + np.array([0, 118, 250, 366, 474])
        roles = [role for role, _ in LOOKS.values()]
        return [
            boxes("key", range(5), x, 10, 14, 14, roles),
            texts("key-words", range(5), x + 20, 17, [words for _, words in LOOKS.values()], "ink start", 13),
            texts("key-crash", [0], x[-1] + 92, 17, ["✕ failure"], "bad bold start", 13),
        ]

    def _lines(self, history):
        each = history.horizon / LINES
        y = TOP + ROW * np.arange(LINES)
        return [
            boxes("track", range(LINES), LEFT, y, RIGHT - LEFT, HIGH, "muted line faint"),
            texts(
                "from", range(LINES), LEFT - 8, y + HIGH / 2, [_hours(n * each) for n in range(LINES)], "muted end", 12
            ),
        ]

    def _pieces(self, history):
        """(span, place in the run, line, from, to) of every part of a span that lies on one line."""
        each = history.horizon / LINES
        for place, span in enumerate(history.spans):
            for line in range(int(span.start // each), min(LINES - 1, int(span.end // each)) + 1):
                start, end = max(span.start, line * each), min(span.end, (line + 1) * each)
                if end > start:
                    yield span, place, line, (start - line * each) / each, (end - line * each) / each

    def _done(self, history):
        found = list(self._pieces(history))
        start, end = (np.array([piece[i] for piece in found]) * (RIGHT - LEFT) for i in (3, 4))
        last = len(history.spans) - 1
        return boxes(
            "done",
            [f"{place} {line}" for _, place, line, *_ in found],
            LEFT + start,
            [TOP + ROW * line for _, _, line, *_ in found],
            np.maximum(end - start - 0.4, 0.6),
            HIGH,
            [LOOKS[span.kind][0] for span, *_ in found],
            who=[_name(span) for span, *_ in found],
            says=[_told(span) if place == last else "" for span, place, *_ in found],
        )

    def _crashes(self, history):
        each = history.horizon / LINES
        hit = [span.end for span in history.spans if span.cut and span.end < history.horizon]
        line = np.array([end // each for end in hit])
        x = LEFT + (np.array(hit) - line * each) / each * (RIGHT - LEFT)
        y = TOP + ROW * line
        return [
            texts("crash", range(len(hit)), np.clip(x, LEFT + 6, RIGHT - 6), y - 8, ["✕"] * len(hit), "bad bold", 14),
            lines("hit", range(len(hit)), x, y, x, y + HIGH, "ink", 1.5),
        ]

    def _shares(self, history):
        clock = history.clock or 1.0
        shares = np.array([history.seconds(*kinds) / clock for kinds in SHARES])
        names, roles = ["useful", "checkpoints", "lost", "restarts"], [LOOKS[kinds[0]][0] for kinds in SHARES]
        y, left = BAR - 66 + 25 * np.arange(4), 190
        words = [percent(share) if share else "–" for share in shares]
        many = left + history.expected * WIDE
        return [
            texts("share-names", range(4), left - 10, y + 9, names, "ink end", 13),
            boxes("shares", range(4), left, y, WIDE * shares, 18, roles, who=names, says=words),
            texts("share-words", range(4), left + WIDE + 70, y + 9, words, "ink bold end", 14),
            lines("expected", [0], many, y[0] - 4, many, y[3] + 30, "ink dashed", 2),
            texts("expected-words", [0], many, y[3] + 42, [f"many runs {percent(history.expected)}"], "ink", 13),
            lines("zero", [0], left, y[0] - 4, left, y[3] + 22, "muted", 1.2),
        ]

    def say(self, history):
        lost = history.seconds("lost")
        took = (
            f"{counted(history.crashes, 'failure')} took {duration(lost)} of work"
            if history.crashes
            else "no failure yet"
        )
        return (
            f"{_hours(history.clock)}: {took}; {percent(history.useful)} of the time was useful so far "
            f"(of many runs {percent(history.expected)})."
        )


def _hours(seconds):
    return f"{seconds / 3600:.1f} h" if seconds < 360_000 else f"{seconds / 86_400:,.1f} d"


def _name(span):
    return LOOKS[span.kind][1]


def _told(span):
    rounds = f" in {span.rounds} rounds" if span.rounds > 1 else ""
    return f"{duration(span.end - span.start)}{rounds}" + (", then a failure" if span.cut else "")
