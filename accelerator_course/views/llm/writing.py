"""A text that grows letter by letter, with what is kept of it."""

import numpy as np

from accelerator_course.views.kit import bars, below, rows, words
from accelerator_course.views.stage import Stage, boxes, lines, pick
from accelerator_lib.units import counted, number, si

HEAD = "ink bold start"


class Writing(Stage):
    """Token by token: the text, the rows that are kept, and the work of this step with them and without.

    >>> view, run = Writing(), list(llm.writing.write())
    >>> view.show(run[0]), view.show(run[1]), view.show(run[-1]), view.show(list(llm.writing.write(16, 32, "int4"))[-1])
    """

    size, noun = (746, 464), "step"
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
        y, looks, bands = rows(self.cache + 12, band + 6, len(BANDS)), pick(("memory tint", "memory"), new), BANDS
        room = f"kept: {si(written.cache_bytes, 'B')} of {si(written.room_bytes, 'B')} set aside"
        yield words("cache", (left, self.cache, room, "memory bold start"))
        yield boxes("room", range(len(BANDS)), left, y, self.slot * (written.room - 1), band, "muted line dashed faint")
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
        blind = f"an unseen letter costs {number(written.lost)} bits, a blind guess {number(written.blind)}"
        yield below("ways", left - 8, y[0], WAYS[1:], 26, "ink end", 12)
        yield words("same", (left, 428, f"scores of the next letter, both ways: {apart}", "good bold start"))
        yield words("lost", (left, 446, blind, HEAD))

    def say(self, written):
        what = f"{counted(written.prompt, 'token')} of prompt" if written.made == 1 else "one token"
        said = f"Token {written.made} is made. Its step computes {what} ({si(written.flops[0], 'FLOP')}). Without a "
        said += f"cache it would compute {counted(written.cached, 'token')} ({si(written.flops[1], 'FLOP')}). The "
        said += f"cache keeps {counted(written.cached, 'row')} ({si(written.cache_bytes, 'B')}). The step reads "
        said += f"{si(written.bytes_moved[0], 'B')}, in at least {si(written.seconds, 's')} on {written.chip}. "
        return (
            said
            + f"An unseen letter costs this model {number(written.lost)} bits, a blind guess {number(written.blind)}."
        )


WAYS = ("text", "rows kept", "none kept")
BANDS = tuple(f"{what} {layer}" for layer in (1, 2, 3) for what in ("keys", "values"))
