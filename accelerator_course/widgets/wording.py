"""Wording: what the card of a rung says: what is asked, what there is to reach, how a run came out."""

import re

from accelerator_course import syllabus
from accelerator_course.quiz.markdown import html

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


def marks(rung, score, slow=None):
    """The marks of the gauge: bound and par; beside them the score of a right kernel, and of a typical slow one."""
    values = {"no kernel beats": rung.bound, "par": rung.par, "yours": score, "a slow one": slow}
    known = {name: float(value) for name, value in values.items() if value is not None}
    return [{"name": n, "value": value, "words": f"{value:,.0f} {rung.scored}"} for n, value in known.items()]


def told(rung):
    """What the card says of a rung before the first run: its texts, the constants that it gives."""
    number = syllabus.chapters()[rung.chapter]["label"]
    card = {"id": rung.id, "title": rung.title, "task": html(rung.task), "specification": rung.specified}
    card["yours"] = YOURS[rung.machine]
    line, *rest = re.split(r"(?<=\.) (?=\S)", rung.task.strip(), maxsplit=1)
    card |= {"line": html(line), "rest": html("".join(rest))}
    card["constants"] = [f"{name} = {value}" for name, value in rung.constants.items()]
    return {**card, "blank": rung.blank, "after": f"Chapter {number}: {rung.section}"}
