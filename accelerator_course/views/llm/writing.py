"""Texts that grow: letter by letter with what is kept of it, and word by word with a draft that is checked."""

import numpy as np

from accelerator_course.views.kit import bars, below, legend, pillars, rows, words
from accelerator_course.views.stage import Stage, boxes, lines, pick, texts
from accelerator_lib.units import counted, number, percent, si

HEAD = "ink bold start"


class Writing(Stage):
    """Token by token: the text, the rows that are kept, and the work of this step with them and without.

    >>> view, run = Writing(), list(llm.writing.write())
    >>> view.show(run[0]), view.show(run[1]), view.show(run[-1])
    >>> view.show(list(llm.writing.write(16, 32, "1"))[-1])
    """

    size, noun = (746, 446), "step"
    left, slot = 98, 13.3  # of the text; pixels of a letter
    cache, head = 128, 10  # top of the cache; pixels of one head's row
    costs, long = (344, (98, 464)), 200  # of the two bars: their top, where they begin; the longest

    def marks(self, written):
        """`written`: llm.writing.Written."""
        at, kept, names = np.arange(len(written.text)), np.arange(written.cached), self._names(written)
        new, x, slot = kept >= written.cached - written.fresh, self.left + self.slot * at, self.slot - 1
        looks = pick(("muted tint", "other tint", "other"), (at >= written.prompt) + (at == len(at) - 1) * 1)
        said = ["of the prompt" if n < written.prompt else f"made in step {n - written.prompt + 1}" for n in at]
        now, again = kept[new], pick(("compute tint", "compute"), new)
        made = {"who": [names[n] for n in now], "says": "computed: the others lie in the cache"}
        anew = {"who": [names[n] for n in kept], "says": "computed again if nothing were kept"}
        key = "grey: prompt · violet: made · orange: computed in this step"
        yield words("key", (self.left, 9, key, "muted start", 12))
        yield words(
            "rows", *((self.left - 8, y, name, "ink end", 12) for y, name in zip((33, 65, 93), WAYS, strict=True))
        )
        yield boxes("letters", at, x, 23, slot, 20, looks, tuple(written.text), 13, names, said)
        yield boxes("now", now, x[now], 56, slot, 18, "compute", **made)
        yield boxes("again", kept, x[kept], 84, slot, 18, again, **anew)
        # Keys and values of each layer, a column for each token
        band, rows_, left = self.head * written.kv_heads, np.arange(written.cached), self.left
        y, x, heads = rows(self.cache + 12, band + 6, 4), left + self.slot * rows_, counted(written.kv_heads, "head")
        looks = pick(("memory tint", "memory"), rows_ >= written.cached - written.fresh)
        who, names = self._names(written)[: written.cached], ("keys 1", "values 1", "keys 2", "values 2")
        room = f"kept: {si(written.cache_bytes, 'B')} of {si(written.room_bytes, 'B')} set aside"
        says = [f"its {name[:-2]} in layer {name[-1]}, {heads}" for name in names]
        yield words("cache", (left, self.cache, room, "memory bold start"))
        yield boxes("room", range(4), left, y, self.slot * (written.room - 1), band, "muted line dashed faint")
        yield below("bands", left - 8, y[0] + band / 2, names, band + 6, "ink end", 12)
        yield from (
            boxes(name, rows_, x, top, self.slot - 1, band, looks, who=who, says=said)
            for name, top, said in zip(names, y, says, strict=True)
        )
        top, lefts = self.costs
        kinds = (
            ("arithmetic of this step", "compute", written.flops, written.most[0], "FLOP"),
            ("bytes read in this step", "memory", written.bytes_moved, written.most[1], "B"),
        )
        marks, y = [], rows(top + 25, 26, 2)
        for left, (title, look, pair, most, unit) in zip(lefts, kinds, strict=True):
            said, long, roles = (
                [si(one, unit) for one in pair],
                self.long * np.array(pair) / most,
                [look, f"{look} tint"],
            )
            marks += [
                words(title, (left, top, title, HEAD, 14)),
                *bars(look, range(2), left, y, long, 18, roles, said, HEAD, WAYS[1:], said),
                lines(f"{look} zero", [0], left, top + 12, left, top + 64, "ink", 1.2),
            ]
        apart = f"at most {number(written.difference, 1)} apart" if written.difference else "the same"
        same = f"scores of the next letter, both ways: {apart}"
        yield from marks
        yield below("ways", self.left - 8, y[0], WAYS[1:], 26, "ink end", 12)
        yield words("same", (self.left, 428, same, "good bold start"))

    def _names(self, written):
        return [f"token {n + 1}, “{letter}”" for n, letter in enumerate(written.text)]

    def say(self, written):
        what = f"{counted(written.prompt, 'token')} of prompt" if written.made == 1 else "one token"
        return (
            f"Token {written.made} is made: {what} computed, {si(written.flops[0], 'FLOP')}. With nothing kept it "
            f"would be {counted(written.cached, 'token')} and {si(written.flops[1], 'FLOP')}. "
            f"{counted(written.cached, 'row')} kept, {si(written.cache_bytes, 'B')}."
        )


WAYS = ("text", "rows kept", "none kept")


class Speculation(Stage):
    """Words so far, the words drafted, and the two models' opinion of the place that is being checked.

    >>> view, run = Speculation(), list(llm.speculation.speculate())
    >>> view.show(run[0]), view.show(run[1]), view.show(run[-1])
    >>> view.show(list(llm.speculation.speculate(8, 0))[1])
    """

    size, noun = (740, 440), "step"
    word, high, row = 62, 28, 11  # of a word's box: pixels from one to the next, height; words in a row
    text, draft = 30, 128  # heights of the text and of the draft
    foot, tall, pitch, broad = 400, 256, 84, 26  # bars of p and q: their foot, the height of 1; a word; a bar
    origins = {"given": "muted tint", "accepted": "good tint", "replaced": "other tint", "one more": "memory tint"}

    def marks(self, round_):
        """`round_`: speculation.Round."""
        # The text, and below it the draft; a word that is accepted goes up
        final, drafted = len(round_.text), range(len(round_.draft))
        start = final - len(round_.verdicts) - (round_.place == len(round_.draft))
        first = max(0, -(-(final - 2 * self.row) // self.row) * self.row)
        shown = [  # key, x, y, role, word, who, says
            (
                f"r{n}" if origin in ("replaced", "one more") else str(n),
                14 + self.word * ((n - first) % self.row),
                self.text + (self.high + 6) * ((n - first) // self.row),
                self.origins[origin],
                word,
                f"word {n + 1}, “{word}”",
                origin,
            )
            for n, (word, origin) in enumerate(zip(round_.text, round_.origin, strict=True))
            if n >= first
        ]
        for place, word in zip(drafted, round_.draft, strict=True):
            checked, dropped = place < len(round_.verdicts), False in round_.verdicts
            if checked and round_.verdicts[place]:
                continue  # it has gone up
            key = f"x{start + place}" if checked else str(start + place)
            look = "bad tint" if checked else "muted tint dashed faint" if dropped else "muted tint dashed"
            says = "rejected" if checked else "dropped" if dropped else "waits for its check"
            written = f"{word} ×" if checked else word
            shown.append((key, 90 + self.word * place, self.draft, look, written, f"drafted “{word}”", says))
        keys, x, y, roles, written, who, says = zip(*shown, strict=True)
        middle, done = self.draft + self.high / 2, round_.rounds
        gone = [place for place, good in enumerate(round_.verdicts) if good]
        over = (
            f"{counted(len(done), 'round')} over: {sum(done)} words, {number(round_.words_a_round)} a round"
            if done
            else ""
        )
        yield words(
            "titles",
            (14, 14, f"text: {counted(final - 1, 'word')}", HEAD, 14),
            (14, middle, "draft", HEAD, 14),
            (726, 186, over or "no round is over yet", "ink end"),
        )
        yield from legend("legend", 312, 14, [(self.origins[name], name) for name in list(self.origins)[1:]])
        yield words("up", *((118 + self.word * place, middle, "✓", "good bold", 16) for place in gone))
        yield boxes("words", keys, x, y, self.word - 6, self.high, roles, written, 13, who, says)
        yield from self._opinions(round_)
        # The sum that decides
        agree = f"both agree: {percent(round_.acceptance)} of the drafted are accepted here"
        said, role = "the small model writes, one word after the other", "muted bold end"
        if round_.place == len(round_.draft):
            said, role = "all accepted: one more word, drawn from p", "memory bold end"
        elif round_.place >= 0:
            good = round_.verdicts[-1]
            said = f"u = {round_.u:.2f} {'<' if good else '≥'} p / q = {number(round_.ratio)}"
            said += ": accepted" if good else ": rejected, drawn again from p − q"
            role = "good bold end" if good else "bad bold end"
        yield below("verdict", 726, 212, [(said, role, 15), (agree, "ink end", 13)], 22)

    def _opinions(self, round_):
        """Bars of p and q for every word; what p has more than q is outlined where a word is rejected."""
        names, foot, broad = round_.names, self.foot, self.broad
        n, x = range(len(names)), 66 + self.pitch * np.arange(len(names))
        p, q = (self.tall * np.minimum(one, 0.6) for one in (round_.p, round_.q))
        rejected = bool(round_.verdicts) and not round_.verdicts[-1]
        more = np.flatnonzero(p - q > 0.5) if rejected else np.zeros(0, int)
        here = [round_.draft[round_.place]] if 0 <= round_.place < len(round_.draft) else []
        marked = sorted({names.index(one) for one in [*here, *([round_.word] if round_.word else [])]})
        marks = []
        for name, tall, shares, at, look, bold in (
            ("p", p, round_.p, x, "memory", "memory bold"),
            ("q", q, round_.q, x + broad, "compute tint", "compute"),
        ):
            who, says = [f"{name} of “{word}”" for word in names], [percent(one) for one in shares]
            said = [f"{100 * one:.0f}" for one in shares]
            marks += pillars(name, n, at + broad / 2, foot, broad, tall, look, said, bold, who, says, 12)
        yield from legend("key", 14, 213, [("memory", "p: large model, %"), ("compute tint", "q: small model, %")], 22)
        yield lines("foot", [0], 52, foot, 728, foot, "muted", 1.5)
        yield boxes("here", marked, x[marked] - 10, foot + 4, 2 * broad + 20, 24, "ink line")
        yield from marks
        yield boxes("left", more, x[more], foot - p[more], broad, (p - q)[more], "other")
        yield texts("names", n, x + broad, foot + 16, names, "ink bold", 14)

    def say(self, round_):
        head = f"Round {round_.number}: "
        if round_.place < 0:
            return f"{head}the small model has drafted {counted(len(round_.draft), 'word')}; none is checked yet."
        if round_.place == len(round_.draft):
            return f"{head}all {len(round_.draft)} were accepted, so the step brings one more: “{round_.word}”."
        word = round_.draft[round_.place]
        said = f"u = {round_.u:.2f}, p / q = {number(round_.ratio)}: “{word}”"
        if round_.verdicts[-1]:
            return f"{head}{said} is accepted."
        return f"{head}{said} is rejected; “{round_.word}” is drawn in proportion to p − q where p is larger."
