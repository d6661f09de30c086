"""Writes what follows from the chapters that exist: tables of README, CONTRIBUTING and TEACHING, head, folds and last line of notebooks."""

from pathlib import Path

import layout
import minutes
import strangers
import teaching

from accelerator_course import syllabus
from accelerator_course.measure import kernel_fits as kernels
from accelerator_course.widgets import catalog
from accelerator_lib.validation import report

ROOT = Path(__file__).parents[1]
README, CONTRIBUTING = ROOT / "README.md", ROOT / "CONTRIBUTING.md"
MARK = "<!-- {}: make readme -->", "<!-- end of {} -->"


def with_table(text):
    """The README's text as it should be now: the table of chapters, and how far off the models are in a sentence."""
    text = _between("chapters", text, catalog.table(lambda name: f"notebooks/{name}.ipynb"))
    others = [its for name, its in strangers.judged().items() if "not a multiple" not in name]
    kinds, laws = report.report(), [kernels.judged(law) for law in kernels.NAMES]
    found, alone = report.together("publisher", kinds), [each["publisher"] for each in kinds.values()]
    alone = [len(each.counted) for each in alone if each.within and each.counted]
    low, high = found.band()
    return _between(
        "validation",
        text,
        f"Of {len(found.judged)} published measurements {len(found.counted)} count (others are claims, or second-hand). "
        f"{len(found.counted) - sum(alone)} were predicted by constants\nthat never saw their publisher; {sum(alone)}, of "
        f"{len(alone)} kinds that have one publisher each, by constants that did see it, but not their\nprogram or device. "
        f"The median miss is {found.median:.1%}, one in ten is off by more than {found.worst_tenth:.1%}, "
        f"{found.coverage:.0%} lie within the\n80 % intervals ({low:.0%} to {high:.0%} with other publishers), and "
        f"{len(found.beaten)} beat a physical bound ([by kind](CONTRIBUTING.md#how-far-off-are-the-models)).\n\n"
        f"Times of single kernels, {sum(law['seen'][0] for law in laws):,} rows of one publisher that fitted nothing: "
        f"median miss {_range(law['seen'][1] for law in laws)}, {sum(law['beaten'] for law in laws)} bounds beaten.\n"
        f"Left out altogether, a device is missed by {_without(laws, 'device')[:-1]} of its intervals hold),\n"
        f"a family by {_without(laws, 'family')}, a framework by {_without(laws, 'framework')}; PyTorch, timed for this "
        f"course\non an H100 and an H200, by {_range(its[1] for its in others)} ({_range(its[3] for its in others)}; "
        "[by group](CONTRIBUTING.md#how-far-off-are-the-models)).",
    )


def _without(laws, part):
    """Median misses of kernels, law by law, by what never saw this part of them; how many of one's intervals held."""
    found = [law for law in laws if f"without {part}" in law]
    held = [share for law in found for share in law[f"held without {part}"]]
    return f"{_range(law[f'without {part}'][1] for law in found)} ({_range(held)})"


def _range(shares):
    shares = sorted(shares)
    return f"{shares[0]:.0%} to {shares[-1]:.0%}"


def with_misses(text):
    """The text of CONTRIBUTING.md with the table of misses as it should be now."""
    text = _between("validation table", text, report.table(report.report()))
    return _between("kernel table", text, f"{kernels.table()}\n\n{strangers.table()}")


def _between(name, text, table):
    begin, end = (mark.format(name) for mark in MARK)
    before, _, rest = text.partition(begin)
    _, _, after = rest.partition(end)
    return f"{before}{begin}\n{table}\n{end}{after}"


def with_class_tables(text):
    """The text of notebooks/TEACHING.md with its tables as they should be now."""
    for name, written in teaching.TABLES.items():
        text = _between(name, text, written())
    return text


def notebooks():
    """(topic, path) of the first notebook and the chapters that exist."""
    yield None, ROOT / "notebooks" / catalog.file(catalog.START)
    for topic, entry in syllabus.chapters().items():
        path = ROOT / "notebooks" / f"{entry['name']}.ipynb"
        if path.exists():
            yield topic, path


def main():
    minutes.FILE.write_text(minutes.table(), encoding="utf-8")
    syllabus.load.cache_clear()
    written = [(README, with_table), (CONTRIBUTING, with_misses), (teaching.PAGE, with_class_tables)]
    written += [(path, lambda text, topic=topic: layout.laid_out(text, topic)) for topic, path in notebooks()]
    for path, anew in written:
        path.write_text(anew(path.read_text(encoding="utf-8")), encoding="utf-8")
    print("README.md lists the chapters that exist, and every notebook is laid out and leads to its neighbours.")


if __name__ == "__main__":
    main()
