"""Wording: what the card of a rung says: what is asked, what there is to reach, how a run came out.

told(rung)      {"title": ..., "task": HTML, "line": its first sentence, "rest": the others, ...}
said(verdict)   "9,853 cycles: 1.01 times what no kernel beats (9,789 cycles). You reach the par."
"""

import re

from accelerator_lib import data
from accelerator_lib.quiz.markdown import html

YOURS = {
    "warp": "Your kernel, run by every thread",
    "pallas": "Your text, in Pallas",
    "array": "Your commands, in order",
}


def said(verdict):
    """What the first line of a verdict says; at the par, which the star names, it says so once."""
    if not verdict.right:
        return re.sub("^line ", "Line ", verdict.problem)
    score, against, floor, star = verdict.parts
    ratios = floor if verdict.star and not verdict.beaten else f"{against}, {floor}"
    return f"{score}: {ratios}. {star}".rstrip()


def told(rung):
    """What the card says of a rung before the first run: its texts, the constants that it gives."""
    number = data.chapters()[rung.chapter]["number"]
    card = {"id": rung.id, "title": rung.title, "task": html(rung.task), "specification": rung.specified}
    card["yours"] = YOURS[rung.machine]
    line, *rest = re.split(r"(?<=\.) (?=\S)", rung.task.strip(), maxsplit=1)
    card |= {"line": html(line), "rest": html("".join(rest))}
    card["constants"] = [f"{name} = {value}" for name, value in rung.constants.items()]
    return {**card, "blank": rung.blank, "after": f"Chapter {number}: {rung.section}"}
