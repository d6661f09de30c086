"""A prompt and an answer: two dots on one roof, and one request along the time."""

import numpy as np

from accelerator_course.views import style
from accelerator_course.views.roofline.roof import Roof
from accelerator_course.views.stage import Stage, boxes, lines, texts
from accelerator_lib.units import counted, number, percent, si


class TwoDots(Roof):
    """The prompt and one step of the answer on one roof, and the line that no number of users passes.

    >>> view = TwoDots()
    >>> view.show(llm.phases.phases("llama-2-7b", "a100-80gb-sxm", 1024, 1))
    >>> view.show(llm.phases.phases("llama-2-7b", "a100-80gb-sxm", 1024, 64))
    >>> view.show(llm.phases.phases("llama-3-8b", "h100-sxm5", 128, 512))
    >>> view.show(llm.phases.phases("llama-2-7b", "a100-80gb-sxm", 16, 16))
    """

    def __init__(self):
        super().__init__(intensity=(0.1, 1e5), flops_per_s=(1e10, 1e16))
        self.limit = style.moving(self.ax.axvline(1, color=style.OTHER, linestyle="--", linewidth=2))
        self.limited = style.moving(style.label(self.ax, color=style.OTHER, y=1.4e10, fontweight="bold"))
        self.dots = [style.moving(style.dot(self.ax, size=13)) for _ in range(2)]
        self.tags = [style.moving(style.label(self.ax, va="top", size=11, fontweight="bold")) for _ in range(2)]

    def show(self, phases):
        """`phases`: llm.phases.Phases."""
        self.draw_roof(phases)
        steps = {"next token": phases.decode, "prompt": phases.prefill}
        near = 1 / 8 < phases.decode.intensity / phases.prefill.intensity < 8
        for (name, one), dot, tag, down in zip(steps.items(), self.dots, self.tags, (2, 7 if near else 2), strict=True):
            dot.set_data([one.intensity], [one.flops_per_s])
            dot.set(color=style.BOUND[one.bound], marker=style.MARKER[one.bound])
            side = "right" if one.intensity > 3000 else "left"
            tag.set(text=f"{name}, {si(one.seconds, 's')}", ha=side, color=style.BOUND[one.bound])
            tag.set_position((one.intensity * (1.25 if side == "right" else 1 / 1.25), one.flops_per_s / down))
        most = phases.most_intensity
        self.limit.set_xdata([most, most])
        side = "right" if most > 300 else "left"
        self.limited.set(text=f"next tokens stay left of {number(most)}", ha=side)
        self.limited.set_x(most / 1.15 if side == "right" else most * 1.15)
        room = "" if phases.fits else ", more than the memory holds"
        return (
            f"{phases.model} on {phases.chip.short_name}, {counted(phases.decode.batch, 'user')} with "
            f"{phases.context:,} tokens{room}: the next token of each is made with {number(phases.decode.intensity)} "
            f"FLOP/byte, {_bound(phases.decode)}; a prompt as long is read with "
            f"{number(phases.prefill.intensity)}, {_bound(phases.prefill)}."
        )


def _bound(step):
    return f"{step.bound}-bound"


LEFT, WIDE = 90, 620


class Timeline(Stage):
    """One request: its prompt is read, its tokens come one by one, and a second user waits.

    >>> view = Timeline()
    >>> view.show(llm.phases.answer("llama-2-7b", "a100-80gb-sxm", 2048, 256))
    >>> view.show(llm.phases.answer("llama-2-7b", "a100-80gb-sxm", 16, 1))
    >>> view.show(llm.phases.answer("llama-2-7b", "a100-80gb-sxm", 131_072, 2048, 0.2))
    """

    size, noun = (746, 408), "setting"

    def marks(self, answer):
        """`answer`: llm.phases.Answer."""
        scale = WIDE / answer.next_first
        first, done, end = (scale * one for one in (answer.first, answer.done, answer.next_first))
        shown = np.arange(0, answer.output, each := -(-answer.output // 90))
        ticks = LEFT + scale * answer.times[shown]
        lanes = [
            texts("names", range(2), LEFT - 10, [68, 118], ["user 1", "user 2"], "ink bold end", 14),
            boxes("prompt", range(2), [LEFT, LEFT + done], [50, 100], first, 36, answer.bound, who="the prompt is read",
                  says=si(answer.first, "s")),
            boxes("answer", [0], LEFT + first, 50, done - first, 36, "memory tint", who="the answer, token by token",
                  says=counted(answer.output, "token")),
            lines("tokens", shown, ticks, 54, ticks, 82, "memory", 2 if len(shown) < 60 else 1.5),
            boxes("wait", [0], LEFT, 100, done, 36, "muted tint dashed", who="user 2 waits", says=si(answer.done, "s")),
            lines("flag", [0], LEFT + end, 96, LEFT + end, 140, "memory", 3),
        ]  # fmt: skip
        return [*_keys(answer.bound, each), *lanes, *_axis(answer, scale), *_told(answer), *_split(answer)]

    def say(self, answer):
        """When the first token comes, how fast the others, when the next user's first."""
        then = "" if answer.output == 1 else f", then one every {si(answer.mean_gap, 's')}"
        room = "" if answer.fits else " Its cache does not fit this chip."
        return (
            f"A prompt of {counted(answer.prompt, 'token')}: the first token comes after {si(answer.first, 's')}{then}."
            f" A second user who came at the same time sees a first token after {si(answer.next_first, 's')}.{room}"
        )


def _keys(bound, each):
    at = np.array([LEFT, LEFT + 176, LEFT + 320])
    words = ["the prompt is read", "a token" if each == 1 else f"every {each} tokens", "waits for the chip"]
    return [
        boxes("keys", range(3), at, 14, [14, 3, 14], 14, [bound, "memory", "muted tint dashed"]),
        texts("key words", range(3), at + np.array([20, 10, 20]), 21, words, "ink start", 13),
    ]


def _axis(answer, scale):
    step = 10.0 ** np.floor(np.log10(answer.next_first / 2))
    step *= next(k for k in (1, 2, 5, 10) if answer.next_first / (k * step) <= 6)
    at = np.arange(0, answer.next_first * 1.0001, step)
    x = LEFT + scale * at
    return [
        lines("axis", [0], LEFT, 150, LEFT + WIDE, 150, "muted", 1.2),
        lines("notches", range(len(at)), x, 150, x, 155, "muted", 1.2),
        texts("times", range(len(at)), x, 166, [si(one, "s") if one else "0" for one in at], "muted", 12),
    ]


def _told(answer):
    gap = "no second token" if answer.output == 1 else f"from token to token {si(answer.mean_gap, 's')} (mean)"
    words = [
        f"user 1: first token after {si(answer.first, 's')}",
        gap,
        f"user 2: first token after {si(answer.next_first, 's')}",
    ]
    roles = [f"{answer.bound} bold start", "memory bold start", "ink bold start"]
    least = f"no prompt is faster than one read of the weights: {si(answer.read_seconds, 's')}"
    fits = [] if answer.fits else [0]
    return [
        texts("told", range(3), LEFT, 202 + 26 * np.arange(3), words, roles, 16),
        texts("least", [0], LEFT, 282, least, "muted start", 13),
        texts("full", fits, LEFT + WIDE, 202, "its cache does not fit", "bad bold end", 14),
    ]


def _split(answer):
    """The prompt's arithmetic: products with weights, and attention among its tokens."""
    rest, share = WIDE * (1 - answer.attention_share), WIDE * answer.attention_share
    words = [f"weights {percent(1 - answer.attention_share)}", f"attention {percent(answer.attention_share)}"]
    return [
        texts("work", [0], LEFT, 322, "arithmetic of the prompt", "ink bold start", 14),
        boxes("shares", range(2), [LEFT, LEFT + rest], 334, [rest, share], 24, ["compute tint", "other tint"],
              who=words, says="of the FLOP"),
        texts("share words", range(2), [LEFT, LEFT + WIDE], 374, words, ["compute bold start", "other bold end"], 13),
    ]  # fmt: skip
