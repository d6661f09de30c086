"""The front page of the book, its order, and how Sphinx is set up."""

import re
from pathlib import Path

from accelerator_course import pages, syllabus
from accelerator_course.pages.book import chapter
from accelerator_course.start import folders
from accelerator_course.views.stage import film, palette
from accelerator_course.widgets import catalog, scale
from accelerator_course.widgets.page import plain
from accelerator_lib import data

HERE = pages.HERE / "book"
FIRST = catalog.START["name"]
PICTURE = r'<figure class="acc-(?:film|run)"[^>]*>(?:(?!</figure>).)*?<img src="([^"]*)"'  # the still of a panel


def all_chapters():
    """Names of the notebooks in order."""
    return [FIRST, *(entry["name"] for entry in syllabus.chapters().values())]


def write(sources, names, out):
    """The front page of these chapters, and what pages bring along; the book's folder has their films."""
    beside = sorted(folders.NOTEBOOKS.glob("*.md"))  # Teaching with this course
    for page in beside:
        text = chapter.linked(page.read_text(encoding="utf-8"), "md")
        (sources / page.name).write_text(chapter.within(text, names), encoding="utf-8")
    order = [*names, *(page.stem for page in beside)]
    known = {"title": settings("")["project"], "count": len(syllabus.chapters()), "first": FIRST}
    known |= {"picture": chapter.raw(scale.still("h100 rack")), "order": "\n".join(order)}
    known |= {"table": chapter.linked(_pictured(catalog.table(lambda name: f"{name}.ipynb"), sources, out), "md")}
    page = chapter.within(data.parse(HERE / "front.yaml")["page"].format(**known), names)
    (sources / "index.md").write_text(page, encoding="utf-8")
    static = sources / "static"
    (static / "book.css").write_text(palette.css() + _text("book.css") + plain("scale.css"), encoding="utf-8")
    (static / "scale.js").write_text(scale.code(), encoding="utf-8")
    (static / "book.js").write_text(_text("book.js"), encoding="utf-8")
    (static / "live.js").write_text((pages.HERE / "live" / "live.js").read_text(encoding="utf-8"), encoding="utf-8")
    (static / "player.js").write_text(f"(() => {{\n{film.script()}\naccPlayer(mount);\n}})();\n", encoding="utf-8")


def _pictured(table, sources, out):
    """The table of the chapters, with the first picture of each that is here, small."""
    from PIL import Image

    def one(row):
        file = sources / f"{row[2]}.md"
        found = re.search(PICTURE, file.read_text(encoding="utf-8"), re.DOTALL) if file.exists() else None
        if not found:
            return row[0]
        small = Path(found[1]).with_stem("small")
        with Image.open(out / found[1]) as picture:
            picture.reduce(round(picture.width / 192)).save(out / small, quality=60)
        return f'| <img class="acc-small" src="{small.as_posix()}" alt="" width="96" loading="lazy"> {row[1]}'

    return re.sub(r"\| (\[[^]]*\]\((\w+)\.ipynb\))", one, table)


def settings(source, alive=False):
    """What Sphinx is told; `alive` where its pages run Python."""
    slug = f"{chapter.__name__}.{chapter.place.__name__}"
    found = {"myst_heading_slug_func": slug, "html_static_path": [str(Path(source) / "static")] if source else []}
    told = {**data.parse(HERE / "sphinx.yaml"), **found}
    if alive:
        told["html_js_files"] = [["live.js", {"defer": "defer"}], *told["html_js_files"]]
    return told


def _text(name):
    return (HERE / name).read_text(encoding="utf-8")
