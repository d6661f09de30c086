"""Texts that grow: letter by letter with what is kept of it, and word by word with a draft that is checked."""

import numpy as np

from accelerator_course.views.kit import bars, below, legend, pillars, rows, words
from accelerator_course.views.stage import Stage, boxes, lines, pick, texts
from accelerator_lib.units import counted, number, percent, si

HEAD = "ink bold start"


class Writing(Stage):
    """Token by token: the text, the rows that are kept, and the work of this step with them and without.

    >>> view, run = Writing(), list(llm.writing.write())
    >>> view.show(run[0]), view.show(run[1]), view.show(run[-1]), view.show(list(llm.writing.write(16, 32, "1"))[-1])
    """

    size, noun = (746, 446), "step"
    left, slot = 98, 13.3  # of the text; pixels of a letter
    cache, head = 128, 10  # top of the cache; pixels of one head's row
    costs, long = (344, (98, 464)), 200  # of the two bars: their top, where they begin; the longest

    def marks(self, written):  # llm.writing.Written
        left, text, kept = self.left, written.text, np.arange(written.cached)
        at, names = np.arange(len(text)), [f"token {n + 1}, “{letter}”" for n, letter in enumerate(text)]
        new, x, slot = kept >= written.cached - written.fresh, left + self.slot * at, self.slot - 1
        looks = pick(("muted tint", "other tint", "other"), (at >= written.prompt) + (at == len(at) - 1) * 1)
        said = ["of the prompt" if n < written.prompt else f"made in step {n - written.prompt + 1}" for n in at]
        now, again = kept[new], pick(("compute tint", "compute"), new)
        made = {"who": [names[n] for n in now], "says": "computed: the others lie in the cache"}
        who, anew = names[: written.cached], "computed again if nothing were kept"
        key = "grey: prompt · violet: made · orange: computed in this step"
        lanes = [(left - 8, y, name, "ink end", 12) for y, name in zip((33, 65, 93), WAYS, strict=True)]
        yield words("key", (left, 9, key, "muted start", 12))
        yield words("rows", *lanes)
        yield boxes("letters", at, x, 23, slot, 20, looks, tuple(text), 13, names, said)
        yield boxes("now", now, x[now], 56, slot, 18, "compute", **made)
        yield boxes("again", kept, x[kept], 84, slot, 18, again, who=who, says=anew)
        # keys and values of each layer, a column for each token
        band, heads = self.head * written.kv_heads, counted(written.kv_heads, "head")
        y, looks, bands = rows(self.cache + 12, band + 6, 4), pick(("memory tint", "memory"), new), BANDS
        room = f"kept: {si(written.cache_bytes, 'B')} of {si(written.room_bytes, 'B')} set aside"
        yield words("cache", (left, self.cache, room, "memory bold start"))
        yield boxes("room", range(4), left, y, self.slot * (written.room - 1), band, "muted line dashed faint")
        yield below("bands", left - 8, y[0] + band / 2, bands, band + 6, "ink end", 12)
        for name, top in zip(bands, y, strict=True):
            says = f"its {name[:-2]} in layer {name[-1]}, {heads}"
            yield boxes(name, kept, x[kept], top, slot, band, looks, who=who, says=says)
        # the work of this step, with what is kept and without
        top, (left_flops, left_bytes) = self.costs
        kinds = [("arithmetic of this step", "compute", "FLOP", left_flops, written.flops, written.most[0])]
        kinds += [("bytes read in this step", "memory", "B", left_bytes, written.bytes_moved, written.most[1])]
        y = rows(top + 25, 26, 2)
        for title, look, unit, start, pair, most in kinds:
            said, long = [si(one, unit) for one in pair], self.long * np.array(pair) / most
            yield words(title, (start, top, title, HEAD, 14))
            yield from bars(look, range(2), start, y, long, 18, [look, f"{look} tint"], said, HEAD, WAYS[1:], said)
            yield lines(f"{look} zero", [0], start, top + 12, start, top + 64, "ink", 1.2)
        apart = f"at most {number(written.difference, 1)} apart" if written.difference else "the same"
        yield below("ways", left - 8, y[0], WAYS[1:], 26, "ink end", 12)
        yield words("same", (left, 428, f"scores of the next letter, both ways: {apart}", "good bold start"))

    def say(self, written):
        what = f"{counted(written.prompt, 'token')} of prompt" if written.made == 1 else "one token"
        said = f"Token {written.made} is made. Its step computes {what}, {si(written.flops[0], 'FLOP')}. With nothing "
        said += f"kept it would compute {counted(written.cached, 'token')}, {si(written.flops[1], 'FLOP')}. Kept: "
        return said + f"{counted(written.cached, 'row')}, {si(written.cache_bytes, 'B')}."


WAYS, BANDS = ("text", "rows kept", "none kept"), ("keys 1", "values 1", "keys 2", "values 2")


class Speculation(Stage):
    """Words so far, the words drafted, and the two models' opinion of the place that is being checked.

    >>> view, run = Speculation(), list(llm.speculation.speculate())
    >>> view.show(run[0]), view.show(run[1]), view.show(run[-1]), view.show(list(llm.speculation.speculate(8, 0))[1])
    """

    size, noun = (740, 440), "step"
    word, high, row = 62, 28, 11  # of a word's box: pixels from one to the next, height; words in a row
    text, draft = 30, 128  # heights of the text and of the draft
    foot, tall, pitch, broad = 400, 256, 84, 26  # bars of p and q: their foot, the height of 1; a word; a bar
    origins = {"given": "muted tint", "accepted": "good tint", "replaced": "other tint", "one more": "memory tint"}

    def marks(self, round_):  # speculation.Round
        # the text, and below it the draft; a word that is accepted goes up
        final, verdicts, draft, pitch = len(round_.text), round_.verdicts, round_.draft, self.word
        start = final - len(verdicts) - (round_.place == len(draft))
        first = max(0, -(-(final - 2 * self.row) // self.row) * self.row)
        shown = []  # key, x, y, role, word, who, says
        for n, (word, origin) in list(enumerate(zip(round_.text, round_.origin, strict=True)))[first:]:
            key, (down, right) = "r" * (origin in ("replaced", "one more")) + str(n), divmod(n - first, self.row)
            at = 14 + pitch * right, self.text + (self.high + 6) * down
            shown.append((key, *at, self.origins[origin], word, f"word {n + 1}, “{word}”", origin))
        for place, word in enumerate(draft):
            checked, dropped = place < len(verdicts), False in verdicts
            if checked and verdicts[place]:
                continue  # it has gone up
            at, who = (90 + pitch * place, self.draft), f"drafted “{word}”"
            if checked:
                shown.append((f"x{start + place}", *at, "bad tint", f"{word} ×", who, "rejected"))
            else:
                look, says = "muted tint dashed" + " faint" * dropped, "dropped" if dropped else "waits for its check"
                shown.append((str(start + place), *at, look, word, who, says))
        keys, x, y, roles, written, who, says = zip(*shown, strict=True)
        middle, done, over = self.draft + self.high / 2, round_.rounds, "no round is over yet"
        if done:
            over = f"{counted(len(done), 'round')} over: {sum(done)} words, {number(round_.words_a_round)} a round"
        gone = [place for place, good in enumerate(verdicts) if good]
        text = (14, 14, f"text: {counted(final - 1, 'word')}", HEAD, 14)
        yield words("titles", text, (14, middle, "draft", HEAD, 14), (726, 186, over, "ink end"))
        yield from legend("legend", 312, 14, [(self.origins[name], name) for name in list(self.origins)[1:]])
        yield words("up", *((118 + pitch * place, middle, "✓", "good bold", 16) for place in gone))
        yield boxes("words", keys, x, y, pitch - 6, self.high, roles, written, 13, who, says)
        yield from self._opinions(round_)
        # The sum that decides
        agree = f"both agree: {percent(round_.acceptance)} of the drafted words are accepted here"
        said, role = "the small model writes, one word after the other", "muted bold end"
        if round_.place == len(draft):
            said, role = "all accepted: one more word, drawn from p", "memory bold end"
        elif round_.place >= 0:
            good = verdicts[-1]
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
        yield from legend("key", 14, 213, [("memory", "p: large model, %"), ("compute tint", "q: small model, %")], 22)
        yield lines("foot", [0], 52, foot, 728, foot, "muted", 1.5)
        yield boxes("here", marked, x[marked] - 10, foot + 4, 2 * broad + 20, 24, "ink line")
        looks = {"p": ("memory", "memory bold"), "q": ("compute tint", "compute")}
        both = zip((p, q), (round_.p, round_.q), looks.items(), strict=True)
        for i, (tall, shares, (name, (look, bold))) in enumerate(both):
            who, says = [f"{name} of “{word}”" for word in names], [percent(one) for one in shares]
            said, at = [f"{100 * one:.0f}" for one in shares], x + broad * (i + 0.5)
            yield from pillars(name, n, at, foot, broad, tall, look, said, bold, who, says, 12)
        yield boxes("left", more, x[more], foot - p[more], broad, (p - q)[more], "other")
        yield texts("names", n, x + broad, foot + 16, names, "ink bold", 14)

    def say(self, round_):
        head, word = f"Round {round_.number}: ", round_.draft[round_.place] if round_.place < len(round_.draft) else ""
        if round_.place < 0:
            return f"{head}the small model has drafted {counted(len(round_.draft), 'word')}; none is checked yet."
        if not word:
            return f"{head}all {len(round_.draft)} were accepted, so the step brings one more: “{round_.word}”."
        said = f"u = {round_.u:.2f}, p / q = {number(round_.ratio)}: “{word}”"
        if round_.verdicts[-1]:
            return f"{head}{said} is accepted."
        return f"{head}{said} is rejected; “{round_.word}” is drawn in proportion to p − q where p is larger."
