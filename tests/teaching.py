"""The tables of notebooks/TEACHING.md: written by `make readme`, held current by test_teaching.

calendar(8)    the chapters in so many weeks, as even as whole chapters allow
needs()        minutes, questions, exercises and memory of each chapter
"""

import json
import re
from functools import cache
from itertools import product
from pathlib import Path

from accelerator_course import exercises, syllabus
from accelerator_course.quiz import bank
from accelerator_course.widgets.review import CHECKPOINTS, FINAL
from accelerator_lib import data

ROOT = Path(__file__).parents[1]
PAGE = ROOT / "notebooks" / "TEACHING.md"
WEEKS = (4, 8, 13)
LEARNERS = (15, 50, 100, 200)
MACHINES = (2, 4, 8, 24, 64)  # GB
CORES = (8, 16, 32, 64)


def course():
    """The chapters of the course, without the epilogue."""
    return [entry for entry in syllabus.chapters().values() if entry["number"] <= FINAL and entry["core"]]


def parts(minutes, count):
    """Cut a list into `count` neighbouring parts, the longest as short as it can be: [(first, end), ...]."""

    @cache
    def best(first, left):
        if left == 1:
            return sum(minutes[first:]), ((first, len(minutes)),)
        found = []
        for end in range(first + 1, len(minutes) - left + 2):
            longest, rest = best(end, left - 1)
            found.append((max(sum(minutes[first:end]), longest), ((first, end), *rest)))
        return min(found)

    return list(best(0, count)[1])


def table(heads, sides, rows):
    """A table of Markdown: heads and sides (l or r) of its columns, and the cells of its rows."""
    marks = "|".join(":---" if side == "l" else "---:" for side in sides)
    return "\n".join([f"| {' | '.join(heads)} |", f"|{marks}|", *(f"| {' | '.join(map(str, row))} |" for row in rows)])


def calendar(weeks):
    """A table: week, chapters, minutes of them whole and of their cores, and the checkpoint that ends the week."""
    known, part = course(), syllabus.load("chapters")["part_minutes"]
    halves, rows = {entry["number"]: entry for entry in known}, []  # the last of two
    for week, (first, end) in enumerate(parts([entry["minutes"] for entry in known], weeks), 1):
        taken = known[first:end]
        after = [str(e["number"]) for e in taken if e["number"] in CHECKPOINTS and e == halves[e["number"]]]
        words = f"checkpoint{'s' * (len(after) > 1)} {', '.join(after)} ({len(after) * part['checkpoint']} min)"
        whole, cores = (sum(e[name] for e in taken) for name in ("minutes", "core"))
        rows.append((week, " · ".join(map(link, taken)), f"{whole} min", f"{cores} min", words if after else ""))
    return table(["week", "chapters", "whole", "their cores", "then"], "rlrrl", rows)


def link(entry):
    return f"[{entry['label']} {entry['title'].partition(':')[0]}]({entry['name']}.ipynb)"


def needs():
    """A table of the chapters: minutes, what there is to ask, what their kernel holds, and what JAX is for."""
    heads = "chapter|minutes|assumes|questions|exercises|kernels|MB with JAX|without|cells shown as recorded"
    held, rows = {row["chapter"]: row for row in syllabus.load("classroom")["chapters"]}, []
    for topic, entry in syllabus.chapters().items():
        if entry["core"]:
            name, row = entry["name"], held[entry["name"]]
            asked = [len(bank.load(topic)["quiz"]), len(exercises.of(topic)), len(benches(name)) or "-"]
            memory = [row["kernel_mb"], row["kernel_mb_without_jax"], len(recorded().get(name, ())) or "-"]
            rows.append((link(entry), entry["minutes"], ", ".join(entry["needs"]) or "-", *asked, *memory))
    return table(heads.split("|"), "lrlrrrrrr", rows)


def benches(name):
    """The kernels that a chapter asks for, in order."""
    cells = json.loads((ROOT / "notebooks" / f"{name}.ipynb").read_text(encoding="utf-8"))["cells"]
    code = "\n".join("".join(cell["source"]) for cell in cells if cell["cell_type"] == "code")
    return re.findall(r"^kernel\(\"(\w+)\"", code, re.M)


def recorded():
    """{notebook: cells that show what was recorded where JAX is not}."""
    return data.parse(ROOT / "tests" / "without_jax.yaml")


def gigabytes(learners, held_mb, server_mb):
    """Memory [GB] of so many servers with one kernel each."""
    return learners * (held_mb + server_mb) / 1e3


def memory():
    """A table: what a class needs where each learner has a server and one kernel, after chapter 3 and after the largest."""
    found = syllabus.load("classroom")
    rows, server = found["chapters"], found["server_mb"]
    third = next(row for row in rows if row["chapter"] == "03_roofline")
    largest = max(rows, key=lambda row: row["kernel_mb"])
    columns = [third["kernel_mb_without_jax"], third["kernel_mb"], largest["kernel_mb"]]
    most = largest["chapter"].partition("_")[0].lstrip("0")
    heads = ["learners at once", "chapter 3, no JAX", "chapter 3", f"the most, chapter {most}"]
    sizes = ([f"{gigabytes(learners, held, server):.0f} GB" for held in columns] for learners in LEARNERS)
    return table(heads, "rrrr", [(learners, *row) for learners, row in zip(LEARNERS, sizes, strict=True)])


def load():
    """A table of the load test."""
    about, rows = syllabus.load("classroom"), []
    heads = "learners|JAX|a kernel answers|the chapter has run|MB each|all|slider|its 95 %|lost"
    for row in about["load"]:
        times = f"{row['first_answer_s']:.0f} s", f"{row['chapter_s']:.0f} s", row["kernel_mb"], f"{row['all_gb']} GB"
        slider = f"{row['slider_ms']} ms", f"{row['slider_p95_ms']} ms", row["events_lost"]
        rows.append((row["learners"], "yes" if row["jax"] else "no", *times, *slider))
    return table(heads.split("|"), "rlrrrrrrr", rows) + f"\n\nMeasured {about['date']}: {about['machine']}."


def core_seconds(row):
    """How long [s] one learner's run of the chapter keeps a core busy, where all cores were busy."""
    return row["chapter_s"] * syllabus.load("classroom")["cores"] / row["learners"]


def cores():
    """A table: until the chapter has run for all, where all begin in the same second, by the cores of the machine."""
    largest, rows = {row["jax"]: row for row in syllabus.load("classroom")["load"]}, []
    for learners, jax in product(LEARNERS[1:], (True, False)):
        one = core_seconds(largest[jax])
        waits = (f"{max(1, learners / count) * one:.0f} s" for count in CORES)
        rows.append((learners, "yes" if jax else "no", f"{one:.0f} s", *waits))
    return table(["learners", "JAX", "one run", *(f"on {count} cores" for count in CORES)], "rlrrrrr", rows)


def hub():
    """A table: what binder/hub.yaml asks of a cluster. Its G is 2^30 byte, as JupyterHub's is; GB are 10^9."""
    given, rows = data.parse(ROOT / "binder" / "hub.yaml")["singleuser"], []
    least, most = (float(given["memory"][name].removesuffix("G")) * 2**30 / 1e9 for name in ("guarantee", "limit"))
    disk = float(given["storage"]["capacity"].removesuffix("Gi")) * 2**30 / 1e9
    for n in LEARNERS[1:]:
        sizes = [f"{n * size:.0f} GB" for size in (least, most, disk)]
        rows.append((n, *sizes[:2], f"{n * given['cpu']['guarantee']:.0f}", sizes[2]))
    return table(["learners at once", "memory kept for them", "at most", "cores kept", "disk"], "rrrrr", rows)


def image():
    """A table of what the image holds."""
    found = syllabus.load("classroom")["image"]
    parts = {"git_mb": "git, for nbgitpuller", "packages_mb": "packages and the course"}
    parts |= {"packages_without_jax_mb": "the same without JAX"}
    base = f"its base, {found['base']} ({found['base_basis']})", found["base_mb"]
    return table(["part", "MB"], "lr", [base, *((words, found[name]) for name, words in parts.items())])


def voila():
    """A table: how many readers of chapter 3 one machine holds: their kernels when most were there, and the server's part."""
    found, rows = syllabus.load("classroom"), []
    pages = found["voila"]
    most = max(pages, key=lambda row: row["readers"])
    plain = [row["kernel_mb"] for row in found["load"] if not row["jax"]][-1]  # JupyterLab's: none was tried on Voila
    for size in MACHINES:
        room, part = 1e3 * size - found["left_mb"], most["server_mb_each"]
        readers, without = (int(room // (held + part)) for held in (most["kernel_mb"], plain))
        rows.append((f"{size} GB", f"{'~' * (readers > most['readers'])}{readers}", f"~{without}"))
    seen = "; ".join(f"{row['readers']} held {row['all_gb']:.1f} GB" for row in pages)
    return (
        table(["memory of the machine", "readers at once", "without JAX"], "rrr", rows)
        + f"\n\n{found['left_mb'] / 1e3:.0f} GB is left to the system and the server. Tried with JAX, one reader after the other: "
        + f"{seen}; a page took about {max(row['page_s'] for row in pages):.0f} s. Numbers with ~ are"
        + f" extrapolated: those with JAX go on with the {most['kernel_mb']} MB that each kernel held among {most['readers']}, those"
        + f" without take the {plain} MB of a class in JupyterLab (below), since Voila was never measured without JAX."
    )


TABLES = {f"weeks-{weeks}": lambda weeks=weeks: calendar(weeks) for weeks in WEEKS}
TABLES |= {"needs": needs, "memory": memory, "hub": hub, "image": image, "voila": voila, "load": load, "cores": cores}
