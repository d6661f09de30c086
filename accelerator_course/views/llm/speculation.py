"""Speculation word by word: the draft, the large model's check, what is kept."""

import numpy as np

from accelerator_course.views.stage import Stage, boxes, lines, texts
from accelerator_lib.units import counted, number, percent

WORD, HIGH, ROW = 62, 28, 11  # of a word's box: pixels from one to the next, height; words in a row
TEXT, DRAFT = 30, 128  # heights of the text and of the draft
FOOT, TALL, PITCH, BROAD = 400, 128, 84, 26  # bars of p and q: their foot, the height of 1/2; a word; a bar
ORIGIN = {"given": "muted tint", "accepted": "good tint", "replaced": "other tint", "one more": "memory tint"}


class Speculation(Stage):
    """Words so far, the words drafted, and the two models' opinion of the place that is being checked.

    >>> view, run = Speculation(), list(llm.speculation.speculate())
    >>> view.show(run[0])
    >>> view.show(run[1])
    >>> view.show(run[-1])
    >>> view.show(list(llm.speculation.speculate(8, 0))[1])
    """

    size, noun = (740, 440), "step"

    def marks(self, round_):
        """`round_`: speculation.Round."""
        return [*_words(round_), *_opinions(round_), *_verdict(round_)]

    def say(self, round_):
        head = f"Round {round_.number}: "
        if round_.place < 0:
            return f"{head}the small model has drafted {counted(len(round_.draft), 'word')}; none is checked yet."
        if round_.place == len(round_.draft):
            return f"{head}all {len(round_.draft)} were accepted, so the step brings one more: “{round_.word}”."
        word = round_.draft[round_.place]
        told = f"u = {round_.u:.2f}, p / q = {number(round_.ratio)}: “{word}”"
        if round_.verdicts[-1]:
            return f"{head}{told} is accepted."
        return f"{head}{told} is rejected; “{round_.word}” is drawn from what p has more than q."


def _words(round_):
    """The text, and below it the draft; a word that is accepted goes up."""
    final = len(round_.text)
    start = final - len(round_.verdicts) - (round_.place == len(round_.draft))
    keys, x, y, roles, words, who, says = [], [], [], [], [], [], []
    for n, (word, origin) in enumerate(zip(round_.text, round_.origin, strict=True)):
        at = n - max(0, -(-(final - 2 * ROW) // ROW) * ROW)
        if at < 0:
            continue
        keys.append(f"r{n}" if origin in ("replaced", "one more") else str(n))
        x.append(14 + WORD * (at % ROW))
        y.append(TEXT + (HIGH + 6) * (at // ROW))
        roles.append(ORIGIN[origin])
        words.append(word)
        who.append(f"word {n + 1}, “{word}”")
        says.append(origin)
    for place, word in enumerate(round_.draft):
        checked = place < len(round_.verdicts)
        if checked and round_.verdicts[place]:
            continue  # it has gone up
        keys.append(str(start + place) if not checked else f"x{start + place}")
        x.append(90 + WORD * place)
        y.append(DRAFT)
        dropped = False in round_.verdicts and not checked
        roles.append("bad tint" if checked else "muted tint dashed faint" if dropped else "muted tint dashed")
        words.append(f"{word} ×" if checked else word)
        who.append(f"drafted “{word}”")
        says.append("rejected" if checked else "dropped" if dropped else "waits for its check")
    gone = [place for place, good in enumerate(round_.verdicts) if good]
    return [
        texts("text-title", [0], 14, 14, [f"text: {counted(final - 1, 'word')}"], "ink bold start", 14),
        texts("draft-title", [0], 14, DRAFT + HIGH / 2, ["draft"], "ink bold start", 14),
        texts("up", gone, 90 + WORD * np.array(gone, float) + 28, DRAFT + HIGH / 2, ["✓"] * len(gone), "good bold", 16),
        boxes("words", keys, x, y, WORD - 6, HIGH, roles, words, 13, who, says),
        *_rounds(round_),
        *_legend(),
    ]


def _legend():
    x = np.array([330, 436, 536, 636])
    kinds = list(ORIGIN)
    return [
        boxes("legend", range(3), x[:3] - 18, 7, 14, 14, [ORIGIN[kind] for kind in kinds[1:]]),
        texts("legend-words", range(3), x[:3], 14, kinds[1:], "ink start", 13),
    ]


def _rounds(round_):
    """What the rounds have brought so far."""
    done = round_.rounds
    words = "no round is over yet"
    if done:
        words = f"{counted(len(done), 'round')} over: {sum(done)} words, {number(sum(done) / len(done))} a round"
    return [texts("rounds", [0], 726, 186, [words], "ink end", 13)]


def _opinions(round_):
    """Bars of p and q for every word; what p has more than q is outlined where a word is rejected."""
    from_, scale = 66, TALL / 0.5
    names, count = round_.names, len(round_.names)
    x = from_ + PITCH * np.arange(count)
    p, q = np.minimum(round_.p, 0.6) * scale, np.minimum(round_.q, 0.6) * scale
    rejected = bool(round_.verdicts) and not round_.verdicts[-1]
    left = np.where(round_.p > round_.q, p - q, 0)
    more = np.flatnonzero(left > 0.5) if rejected else np.zeros(0, int)
    here = [names.index(round_.draft[round_.place])] if 0 <= round_.place < len(round_.draft) else []
    here += [names.index(round_.word)] if round_.word else []
    marked = sorted(set(here))
    says_p, says_q = ([f"{percent(v)}" for v in values] for values in (round_.p, round_.q))
    return [
        lines("foot", [0], from_ - 14, FOOT, 728, FOOT, "muted", 1.5),
        boxes("here", marked, x[marked] - 10, FOOT + 4, 2 * BROAD + 20, 24, "ink line"),
        boxes("p", range(count), x, FOOT - p, BROAD, p, "memory", "", 12, [f"p of “{w}”" for w in names], says_p),
        boxes(
            "q",
            range(count),
            x + BROAD,
            FOOT - q,
            BROAD,
            q,
            "compute tint",
            "",
            12,
            [f"q of “{w}”" for w in names],
            says_q,
        ),
        boxes("left", more, x[more], FOOT - p[more], BROAD, left[more], "other", "", 12, "", ""),
        texts("names", range(count), x + BROAD, FOOT + 16, names, "ink bold", 14),
        texts(
            "p-words",
            range(count),
            x + BROAD / 2,
            FOOT - p - 9,
            [f"{100 * v:.0f}" for v in round_.p],
            "memory bold",
            12,
        ),
        texts(
            "q-words", range(count), x + 1.5 * BROAD, FOOT - q - 9, [f"{100 * v:.0f}" for v in round_.q], "compute", 12
        ),
        boxes("key", range(2), [14, 14], [206, 228], 14, 14, ("memory", "compute tint")),
        texts(
            "key-words",
            range(2),
            34,
            [213, 235],
            ["p: large model, %", "q: small model, %"],
            "ink start",
            13,
        ),
    ]


def _verdict(round_):
    """The sum that decides."""
    at = f"both agree: {percent(round_.acceptance)} of the drafted are accepted here"
    words, role = "the small model writes, one word after the other", "muted bold end"
    if round_.place == len(round_.draft):
        words, role = "all accepted: one more word, drawn from p", "memory bold end"
    elif round_.place >= 0:
        good = round_.verdicts[-1]
        words = f"u = {round_.u:.2f} {'<' if good else '≥'} p / q = {number(round_.ratio)}"
        words += ": accepted" if good else ": rejected, drawn anew from p − q"
        role = "good bold end" if good else "bad bold end"
    return [texts("verdict", range(2), 726, [212, 234], [words, at], (role, "ink end"), (15, 13))]
