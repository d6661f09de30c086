"""A text that grows letter by letter, what is kept of it, and what the next letter costs with that and without."""

import numpy as np

from accelerator_course.views.stage import Stage, boxes, lines, pick, texts
from accelerator_lib.units import counted, number, si

LEFT, SLOT, ROOM = 98, 13.3, 48  # left end of the text; pixels of a letter; letters for which there is room
TOP, HIGH = 128, 10  # of the cache; pixels of one head's row
BARS, LONG = 344, 270


class Writing(Stage):
    """Token by token: the text, the rows that are kept, and the work of this step with them and without.

    >>> view, run = Writing(), list(llm.writing.write())
    >>> view.show(run[0])
    >>> view.show(run[1])
    >>> view.show(run[-1])
    >>> view.show(list(llm.writing.write(16, 32, "1"))[-1])
    """

    size, noun = (746, 446), "token"

    def marks(self, written):
        """`written`: llm.writing.Written."""
        return [*self._text(written), *self._kept(written), *self._costs(written)]

    def _text(self, written):
        at, rows = np.arange(len(written.text)), np.arange(written.cached)
        new = rows >= written.cached - written.fresh
        roles = pick(("muted tint", "other tint", "other"), (at >= written.prompt) + (at == len(at) - 1) * 1)
        names = [f"token {n + 1}, “{letter}”" for n, letter in enumerate(written.text)]
        said = ["of the prompt" if n < written.prompt else f"made in step {n - written.prompt + 1}" for n in at]
        now = rows[new]
        return [
            texts("rows", range(3), LEFT - 8, [33, 65, 93], ["text", "rows kept", "none kept"], "ink end", 12),
            texts("head", [0], LEFT, 9, "grey: prompt · violet: made · orange: computed in this step", "muted start",
                  12),
            boxes("letters", at, LEFT + SLOT * at, 23, SLOT - 1, 20, roles, tuple(written.text), 13, names, said),
            boxes("now", now, LEFT + SLOT * now, 56, SLOT - 1, 18, "compute", who=[names[n] for n in now],
                  says="computed: the others lie in the cache"),
            boxes("again", rows, LEFT + SLOT * rows, 84, SLOT - 1, 18, pick(("compute tint", "compute"), new),
                  who=[names[n] for n in rows], says="computed once more, were nothing kept"),
        ]  # fmt: skip

    def _kept(self, written):
        band = HIGH * written.kv_heads
        y = TOP + 12 + (band + 6) * np.arange(4)
        rows = np.arange(written.cached)
        new = rows >= written.cached - written.fresh
        names = ("keys 1", "values 1", "keys 2", "values 2")
        marks = [
            texts("cache", [0], LEFT, TOP, f"kept: {si(written.cache_bytes, 'B')} of "
                  f"{si(ROOM * written.row_bytes, 'B')} set aside", "memory bold start", 13),
            boxes("room", range(4), LEFT, y, SLOT * (ROOM - 1), band, "muted line dashed faint"),
            texts("bands", range(4), LEFT - 8, y + band / 2, names, "ink end", 12),
        ]  # fmt: skip
        for one, name in enumerate(names):
            marks.append(
                boxes(
                    name, rows, LEFT + SLOT * rows, y[one], SLOT - 1, band, pick(("memory tint", "memory"), new),
                    who=[f"token {n + 1}, “{written.text[n]}”" for n in rows],
                    says=f"its {name[:-2]} in layer {name[-1]}, {counted(written.kv_heads, 'head')}",
                )
            )  # fmt: skip
        return marks

    def _costs(self, written):
        x = np.array([LEFT, LEFT + LONG + 96])
        marks = [
            texts(
                "costs", range(2), x, BARS, ["arithmetic of this step", "bytes read in this step"], "ink bold start", 14
            )
        ]
        for place, (name, pair, most, unit) in enumerate(
            (("flops", written.flops, written.most[0], "FLOP"), ("bytes", written.bytes_moved, written.most[1], "B"))
        ):
            y, wide = BARS + np.array([16, 42]), np.array(pair) / most * (LONG - 70)
            role = "compute" if name == "flops" else "memory"
            words = [si(value, unit) for value in pair]
            marks += [
                boxes(
                    name,
                    range(2),
                    x[place],
                    y,
                    wide,
                    18,
                    [role, f"{role} tint"],
                    who=["rows kept", "none kept"],
                    says=words,
                ),
                texts(f"{name} words", range(2), x[place] + wide + 6, y + 9, words, "ink bold start", 13),
                lines(f"{name} zero", [0], x[place], BARS + 12, x[place], BARS + 64, "ink", 1.2),
            ]
        apart = f"at most {number(written.difference, 1)} apart" if written.difference else "the same"
        same = f"scores of the next letter, both ways: {apart}"
        return [
            *marks,
            texts("ways", range(2), LEFT - 8, BARS + np.array([25, 51]), ["rows kept", "none kept"], "ink end", 12),
            texts("same", [0], LEFT, 428, same, "good bold start", 13),
        ]  # fmt: skip

    def say(self, written):
        """What this step computed, and what it would have computed with nothing kept."""
        what = f"{counted(written.prompt, 'token')} of prompt" if written.made == 1 else "one token"
        return (
            f"Token {written.made} is made: {what} computed, {si(written.flops[0], 'FLOP')}. With nothing kept it "
            f"would be {counted(written.cached, 'token')} and {si(written.flops[1], 'FLOP')}. "
            f"{counted(written.cached, 'row')} kept, {si(written.cache_bytes, 'B')}."
        )
