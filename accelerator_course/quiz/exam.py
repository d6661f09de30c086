"""An exam over several chapters, evenly: papers of the same kinds and points, and their keys; a seed fixes it."""

from html import escape

from accelerator_course import syllabus
from accelerator_course.quiz import draw, sheet

POINTS = {"choice": 2, "numeric": 4, "order": 3, "code": 3, "match": 3}


def chosen(banks, seed, items):
    """(chapter's entry, item) pairs in the order of the chapters. Raises ValueError where the banks hold fewer."""
    pool = [(content["chapter"], item) for content in banks for item in content["quiz"]]
    if items > len(pool):
        raise ValueError(f"{items} questions are wanted; these chapters have {len(pool)}")
    places = [content["chapter"] for content in banks]
    pairs = sorted(draw.spread(pool, (), items, seed), key=lambda pair: places.index(pair[0]))
    return [(syllabus.chapters()[topic], item) for topic, item in pairs]


def papers(banks, seed, count, items):
    """(papers, keys) of `count` papers: the same items in each, with numbers and an order of options of their own."""
    pairs = chosen(banks, seed, items)
    drawn = [(f"{seed}-{n}", [draw.question(item, f"{seed}-{n}") for _, item in pairs]) for n in range(1, count + 1)]
    chapters = [entry for entry, _ in pairs]
    asked, known = zip(*(_pages(name, chapters, questions) for name, questions in drawn), strict=True)
    return sheet.document(f"Exam {seed}", asked), sheet.document(f"Key of exam {seed}", known)


def _pages(name, chapters, questions):
    """(paper, key)."""
    total = sum(POINTS[q.type] for q in questions)
    about = f"{len(questions)} questions, {total} points. Numbers count within the tolerance given; write the unit."
    items = [f"{sheet.asked(q)}<small>{_worth(q)}</small>" for q in questions]
    head = f"<h1>AI accelerators</h1><small>Exam {escape(name)}</small>{sheet.NAME}<p>{about}</p>"
    known = [f"<small>{_worth(q)}</small> {sheet.known(q)}" for q in questions]
    parts = (head, items), (f"<h1>Key of exam {escape(name)}</h1>", known)
    return [f'<section class="sheet">{top}{_listed(chapters, lines)}</section>\n' for top, lines in parts]


def _listed(chapters, items):
    lines, before = [], None
    for number, (entry, item) in enumerate(zip(chapters, items, strict=True), 1):
        if entry != before:
            lines += ["</ol>"] * (before is not None)
            lines.append(f'<h3>{entry["label"]} · {escape(entry["title"])}</h3><ol start="{number}">')
        lines.append(f'<li class="question">{item}</li>')
        before = entry
    return "\n".join([*lines, "</ol>"])


def _worth(q):
    near = f" within {100 * q.rel_tol:g} %" if q.type == "numeric" else ""
    return f"[{POINTS[q.type]} points]{near}"
