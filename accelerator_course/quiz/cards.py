"""Cards: a question and its answer, for Anki (the text that it imports: no package is needed) or to print and fold."""

import csv
import io

from accelerator_course.quiz import sheet

HEAD = "#separator:tab\n#html:true\n#notetype:Basic\n#guid column:1\n#deck column:4\n#tags column:5\n"


def anki(found):
    """The text of an Anki import for export.Variants: a deck for each chapter; imported again, it changes no card."""
    out = io.StringIO()
    for v in found:
        deck, tag = f"AI accelerators::{v.chapter}", v.item.get("see", "").replace("#", "::")
        row = f"accelerator-course {v.name}", *_sides(v), deck, tag
        csv.writer(out, delimiter="\t", lineterminator="\n").writerow(row)
    return HEAD + out.getvalue()


def printed(found):
    """HTML of cards to print: cut along the lines between them, and fold each in its middle."""
    rows = (f"<tr><td>{front}</td><td>{back}</td></tr>\n" for front, back in map(_sides, found))
    return sheet.document("Cards", f'<table class="cards">\n{"".join(rows)}</table>\n')


def _sides(variant):
    return sheet.asked(variant.question), sheet.known(variant.question)
