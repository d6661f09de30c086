"""The tables of notebooks/TEACHING.md: written by `make readme`, held current by test_teaching.

calendar(8)    the chapters in so many weeks, as even as whole chapters allow
needs()        minutes, questions, exercises and memory of each chapter
"""

import ast
import json
import re
from functools import cache
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
HUB = ROOT / "binder" / "hub.yaml"
SERVER = "server_mb"


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


def calendar(weeks):
    """A table: week, chapters, minutes of them whole and of their cores, and the checkpoint that ends the week."""
    known, part = course(), syllabus.load("chapters")["part_minutes"]
    halves = {entry["number"]: entry for entry in known}  # the last of two
    lines = ["| week | chapters | whole | their cores | then |", "|---:|:---|---:|---:|:---|"]
    for week, (first, end) in enumerate(parts([entry["minutes"] for entry in known], weeks), 1):
        taken = known[first:end]
        titles = " · ".join(f"[{e['label']} {short(e)}]({e['name']}.ipynb)" for e in taken)
        after = [str(e["number"]) for e in taken if e["number"] in CHECKPOINTS and e == halves[e["number"]]]
        words = (
            f"checkpoint{'s' * (len(after) > 1)} {', '.join(after)} ({len(after) * part['checkpoint']} min)"
            if after
            else ""
        )
        whole, cores = sum(e["minutes"] for e in taken), sum(e["core"] for e in taken)
        lines.append(f"| {week} | {titles} | {whole} min | {cores} min | {words} |")
    return "\n".join(lines)


def short(entry):
    return entry["title"].partition(":")[0]


def needs():
    """A table of the chapters: minutes, what there is to ask, what their kernel holds, and what JAX is for."""
    lines = [
        "| chapter | minutes | assumes | questions | exercises | kernels | MB with JAX | without | cells shown as recorded |"
    ]
    lines += ["|:---|---:|:---|---:|---:|---:|---:|---:|---:|"]
    held = {row["chapter"]: row for row in syllabus.load("classroom")["chapters"]}
    for topic, entry in syllabus.chapters().items():
        if not entry["core"]:
            continue
        row, content = held[entry["name"]], bank.load(topic)
        cells = len(recorded().get(entry["name"], ()))
        counts = f"{len(content['quiz'])} | {len(exercises.of(topic))} | {len(benches(entry['name'])) or '-'}"
        memory = f"{row['kernel_mb']} | {row['kernel_mb_without_jax']} | {cells or '-'}"
        assumed = ", ".join(entry["needs"]) or "-"
        title = f"[{entry['label']} {short(entry)}]({entry['name']}.ipynb)"
        lines.append(f"| {title} | {entry['minutes']} | {assumed} | {counts} | {memory} |")
    return "\n".join(lines)


def benches(name):
    """The kernels that a chapter asks for, in order."""
    cells = json.loads((ROOT / "notebooks" / f"{name}.ipynb").read_text(encoding="utf-8"))["cells"]
    code = "\n".join("".join(cell["source"]) for cell in cells if cell["cell_type"] == "code")
    return re.findall(r"^kernel\(\"(\w+)\"", code, re.M)


@cache
def recorded():
    """{notebook: cells that show what was recorded where JAX is not}, as tests/without_jax.py holds them."""
    tree = ast.parse((ROOT / "tests" / "without_jax.py").read_text(encoding="utf-8"))
    found = next(node for node in tree.body if isinstance(node, ast.Assign) and node.targets[0].id == "TOUCHED")
    return ast.literal_eval(found.value)


def gigabytes(learners, held_mb, server_mb):
    """Memory [GB] of so many servers with one kernel each."""
    return learners * (held_mb + server_mb) / 1e3


def memory():
    """A table: what a class needs where each learner has a server and one kernel, after chapter 3 and after the largest."""
    found = syllabus.load("classroom")
    rows, server = found["chapters"], found[SERVER]
    third = next(row for row in rows if row["chapter"] == "03_roofline")
    largest = max(rows, key=lambda row: row["kernel_mb"])
    columns = [third["kernel_mb_without_jax"], third["kernel_mb"], largest["kernel_mb"]]
    most = largest["chapter"].partition("_")[0].lstrip("0")
    lines = [f"| learners at once | chapter 3, no JAX | chapter 3 | the most, chapter {most} |"]
    lines += ["|---:|---:|---:|---:|"]
    for learners in LEARNERS:
        cells = " | ".join(f"{gigabytes(learners, held, server):.0f} GB" for held in columns)
        lines.append(f"| {learners} | {cells} |")
    return "\n".join(lines)


def load():
    """A table of the load test."""
    lines = ["| learners | JAX | a kernel answers | the chapter has run | MB each | all | slider | its 95 % | lost |"]
    lines += ["|---:|:---|---:|---:|---:|---:|---:|---:|---:|"]
    for row in syllabus.load("classroom")["load"]:
        times = f"{row['first_answer_s']:.0f} s | {row['chapter_s']:.0f} s"
        sizes = f"{row['kernel_mb']} | {row['all_gb']} GB"
        slider = f"{row['slider_ms']} ms | {row['slider_p95_ms']} ms"
        jax = "yes" if row["jax"] else "no"
        lines.append(f"| {row['learners']} | {jax} | {times} | {sizes} | {slider} | {row['events_lost']} |")
    about = syllabus.load("classroom")
    return "\n".join(lines) + f"\n\nMeasured {about['date']}: {about['machine']}."


def core_seconds(row):
    """How long [s] one learner's run of the chapter keeps a core busy, where all cores were busy."""
    return row["chapter_s"] * syllabus.load("classroom")["cores"] / row["learners"]


def cores():
    """A table: until the chapter has run for all, where all begin in the same second, by the cores of the machine."""
    largest = {row["jax"]: row for row in syllabus.load("classroom")["load"]}
    lines = ["| learners | JAX | one run | " + " | ".join(f"on {count} cores" for count in CORES) + " |"]
    lines += ["|---:|:---|---:|" + "---:|" * len(CORES)]
    for learners in LEARNERS[1:]:
        for jax in (True, False):
            one = core_seconds(largest[jax])
            waits = " | ".join(f"{max(1, learners / count) * one:.0f} s" for count in CORES)
            lines.append(f"| {learners} | {'yes' if jax else 'no'} | {one:.0f} s | {waits} |")
    return "\n".join(lines)


def hub():
    """A table: what binder/hub.yaml asks of a cluster. Its G is 2^30 byte, as JupyterHub's is; GB are 10^9."""
    given = data.parse(HUB)["singleuser"]
    least, most = (float(given["memory"][name].removesuffix("G")) * 2**30 / 1e9 for name in ("guarantee", "limit"))
    disk = float(given["storage"]["capacity"].removesuffix("Gi")) * 2**30 / 1e9
    lines = ["| learners at once | memory kept for them | at most | cores kept | disk |", "|---:|---:|---:|---:|---:|"]
    for learners in LEARNERS[1:]:
        sizes = f"{learners * least:.0f} GB | {learners * most:.0f} GB"
        lines.append(
            f"| {learners} | {sizes} | {learners * given['cpu']['guarantee']:.0f} | {learners * disk:.0f} GB |"
        )
    return "\n".join(lines)


def image():
    """A table of what the image holds."""
    found = syllabus.load("classroom")["image"]
    lines = [
        "| part | MB |",
        "|:---|---:|",
        f"| its base, {found['base']} ({found['base_basis']}) | {found['base_mb']} |",
    ]
    lines.append(f"| git, for nbgitpuller | {found['git_mb']} |")
    for name, words in (
        ("packages_mb", "packages and the course"),
        ("packages_without_jax_mb", "the same without JAX"),
    ):
        lines.append(f"| {words} | {found[name]} |")
    return "\n".join(lines)


def voila():
    """A table: how many readers of chapter 3 one machine holds: their kernels when most were there, and the server's part."""
    found = syllabus.load("classroom")
    pages = found["voila"]
    most = max(pages, key=lambda row: row["readers"])
    plain = [row["kernel_mb"] for row in found["load"] if not row["jax"]][-1]  # JupyterLab's: none was tried on Voila
    lines = ["| memory of the machine | readers at once | without JAX |", "|---:|---:|---:|"]
    for size in MACHINES:
        room, part = 1e3 * size - found["left_mb"], most["server_mb_each"]
        readers, without = (int(room // (held + part)) for held in (most["kernel_mb"], plain))
        lines.append(f"| {size} GB | {'~' * (readers > most['readers'])}{readers} | ~{without} |")
    left = f"{found['left_mb'] / 1e3:.0f} GB is left to the system and the server. "
    seen = "; ".join(f"{row['readers']} held {row['all_gb']:.1f} GB" for row in pages)
    waits = max(row["page_s"] for row in pages)
    return (
        "\n".join(lines)
        + f"\n\n{left}Tried with JAX, one reader after the other: {seen}; a page took about {waits:.0f} s. Numbers with ~ are"
        + f" extrapolated: those with JAX go on with the {most['kernel_mb']} MB that each kernel held among {most['readers']}, those"
        + f" without take the {plain} MB of a class in JupyterLab (below), since Voila was never measured without JAX."
    )


TABLES = {f"weeks-{weeks}": lambda weeks=weeks: calendar(weeks) for weeks in WEEKS}
TABLES |= {"needs": needs, "memory": memory, "hub": hub, "image": image, "voila": voila, "load": load, "cores": cores}
