"""Teaching with this course: its tables are current, its commands exist, its numbers were measured."""

import os
import re
import shlex
import subprocess
import sys
from itertools import combinations, pairwise
from pathlib import Path

import pytest
import readme
import teaching
from refused import refused

from accelerator_course import ladder, settings, syllabus
from accelerator_course.pages import __main__ as pages
from accelerator_course.quiz import __main__ as quiz
from accelerator_course.start import copies

ROOT = Path(__file__).parents[1]
PAGE = teaching.PAGE.read_text(encoding="utf-8")
MEASURED = syllabus.load("classroom")
MINUTES = [entry["minutes"] for entry in teaching.course()]


def test_its_tables_are_as_they_should_be_now_and_its_links_exist():
    assert readme.with_class_tables(PAGE) == PAGE, "run  make readme"
    for target in re.findall(r"\]\(([^)#]+)\)", PAGE):
        assert target.startswith("http") or (teaching.PAGE.parent / target).exists(), target
    for name in re.findall(r"`((?:binder|tests|quizzes)/[\w./-]*)`", PAGE):
        assert (ROOT / name).exists(), name


@pytest.mark.parametrize("weeks", teaching.WEEKS)
def test_a_syllabus_holds_the_chapters_of_the_course_once_and_in_order(weeks):
    rows = teaching.calendar(weeks).splitlines()[2:]
    named = [name for row in rows for name in re.findall(r"\]\((\w+)\.ipynb\)", row)]
    assert named == [entry["name"] for entry in teaching.course()] and len(rows) == weeks
    told = [int(row.split("|")[3].split()[0]) for row in rows]
    assert sum(told) == sum(MINUTES)
    assert [n for row in rows for n in re.findall(r"checkpoints? ([\d, ]+) \(", row)][-1].endswith("13")


@pytest.mark.parametrize("count", [1, 2, 3, 4])
def test_no_other_cut_has_a_shorter_longest_week(count):
    minutes = [50, 60, 65, 65, 75, 70, 20]
    cuts = [(0, *inner, len(minutes)) for inner in combinations(range(1, len(minutes)), count - 1)]
    longest = lambda cut: max(sum(minutes[a:b]) for a, b in pairwise(cut))  # noqa: E731
    found = teaching.parts(minutes, count)
    assert max(sum(minutes[a:b]) for a, b in found) == min(map(longest, cuts))
    assert [a for a, _ in found] + [len(minutes)] == [0] + [b for _, b in found]


def test_every_chapter_has_its_measured_memory_and_jax_costs_where_it_is_used():
    rows = MEASURED["chapters"]
    assert [row["chapter"] for row in rows] == [e["name"] for e in syllabus.chapters().values() if e["core"]]
    assert all(50 < row["kernel_mb_without_jax"] <= row["kernel_mb"] < 2000 for row in rows)
    uses = {row["chapter"] for row in rows if row["kernel_mb"] > row["kernel_mb_without_jax"] + 80}
    assert uses <= set(teaching.recorded()), "a chapter that loads JAX says what it shows without"
    assert len({row["learners"] for row in MEASURED["load"]}) >= 3
    for row in MEASURED["load"]:
        assert row["events_lost"] == 0 and row["others_went_on"] and 0 < row["slider_ms"] <= row["slider_p95_ms"]
    assert MEASURED["basis"] == "measured here" and (ROOT / MEASURED["source"]).exists() and MEASURED["machine"]


def cells(table):
    """The cells of a table's rows."""
    rows = [line for line in table.splitlines()[2:] if line.startswith("|")]
    return [[cell.strip() for cell in row.split("|")[1:-1]] for row in rows]


def test_memory_grows_with_learners_and_counts_a_server_and_a_kernel_each():
    assert teaching.gigabytes(100, 300, 100) == 40
    rows = [[int(cell.removesuffix(" GB")) for cell in row[1:]] for row in cells(teaching.memory())]
    assert len(rows) == len(teaching.LEARNERS) and all(row == sorted(row) for row in rows)
    assert cells(teaching.hub())[-1] == ["200", "107 GB", "215 GB", "20", "215 GB"], "what a class asks of a cluster"


def test_the_commands_of_the_course_are_ones_that_it_has():
    targets = set(re.findall(r"^([a-z-]+):", (ROOT / "Makefile").read_text(), re.M))
    assert set(re.findall(r"`make ([a-z-]+)", PAGE)) <= targets
    spelled = [shlex.split(line) for line in re.findall(r"python -m accelerator_course\.quiz [^`\n<]+", PAGE)]
    assert {"exam", "export", "token", "validate"} <= {words[3] for words in spelled}
    for words in spelled:
        quiz._parser().parse_args(words[3:])
    modules = ", ".join(sorted(set(re.findall(r"python -m (accelerator_\w+\.[\w.]+)", PAGE))))
    run = subprocess.run([sys.executable, "-c", f"import {modules}"], capture_output=True, text=True)
    assert run.returncode == 0, run.stderr[-500:]


def test_the_first_notebook_and_the_readme_lead_to_it_and_a_learners_copy_has_it(tmp_path, monkeypatch):
    for place, link in (("notebooks/00_start_here.ipynb", "](TEACHING.md)"), ("README.md", "](notebooks/TEACHING.md)")):
        assert link in (ROOT / place).read_text(encoding="utf-8")
    monkeypatch.setenv("JUPYTER_DATA_DIR", str(tmp_path / "data"))
    copies.lay_out(tmp_path / "mine")
    assert (tmp_path / "mine" / "TEACHING.md").read_text(encoding="utf-8") == PAGE


def test_what_is_preheated_has_its_formulas_drawn_and_its_pictures(tmp_path):
    path = ROOT / "notebooks" / "03_roofline.ipynb"
    text = pages.copied(path, tmp_path).read_text(encoding="utf-8")
    assert "<math" in text and "<math" not in path.read_text(encoding="utf-8")
    assert (tmp_path / "images" / "start.png").exists()
    for given in ("--preheat_kernel=True", "--preheat_kernel True", "--VoilaConfiguration.preheat_kernel=1"):
        assert pages.heard(["--no-browser", *given.split()]).preheated, given
    assert not any(pages.heard(no.split()).preheated for no in ("--preheat_kernel=False", "--preheat_kernel False"))


def test_a_page_that_others_may_read_is_known_by_its_options(tmp_path, monkeypatch):
    (given,) = (
        line.strip() for line in PAGE.splitlines() if re.match("    (?!  ).*accelerator_course.pages read", line)
    )
    open_ = [given.partition(" read ")[2].partition(" ")[2], "--Voila.ip="]
    open_ += ["--preheat_kernel=True", "--preheat_kernel True"]
    open_ += [
        f"--Voila.ip={ip}" for ip in ("0.0.0.0", "10.0.0.7", "::", "course.example.org")
    ]  # no address: all of them
    open_ += ["--no-browser --Voila.ip 0.0.0.0", "--no-browser --Voila.ip ::"]
    assert [line for line in open_ if not pages.heard(shlex.split(line)).shared] == []
    shut = [*(f"--Voila.ip={ip}" for ip in pages.OWN), *(f"--Voila.ip {ip} --no-browser" for ip in pages.OWN)]
    shut += ["--no-browser --port=8866", "--ip=0.0.0.0"]  # Voila does not know the last: this machine only
    assert [line for line in shut if pages.heard(line.split()).shared] == []
    with pytest.warns(UserWarning, match="`ip` not recognized"):
        assert not pages.heard(["--VoilaConfiguration.ip=0.0.0.0"]).shared
    (tmp_path / "voila.json").write_text('{"Voila": {"ip": "0.0.0.0"}}')  # a file may open a page, too
    monkeypatch.chdir(tmp_path)
    assert pages.heard(["--no-browser"]).shared and not pages.heard(["--Voila.ip=localhost"]).shared
    for text in (PAGE, pages.__doc__):
        words = " ".join(text.split())
        assert "nor the same one loaded again" in words and "deleted when the server ends" in words


WROTE = """from accelerator_course.quiz import progress
print(progress.record({'kind': 'explain', 'chapter': 'roofline', 'text': 'mine'}), len(progress.events('explain')))"""


def test_no_reader_of_such_a_page_finds_what_another_wrote(tmp_path):
    surroundings = os.environ | {settings.APART: str(tmp_path / "readers")}
    for _ in range(2):
        run = subprocess.run([sys.executable, "-c", WROTE], capture_output=True, text=True, env=surroundings)
        assert run.stdout.split() == ["True", "1"], run.stderr[-500:]
    assert len(list((tmp_path / "readers").iterdir())) == 2


def test_what_all_wait_for_is_the_run_of_a_chapter_shared_by_the_cores_and_kernels_are_counted_apart():
    each = [teaching.core_seconds(row) for row in MEASURED["load"] if row["jax"]]
    assert max(each) < 1.5 * min(each), "otherwise a table by cores says nothing"
    last = next(row for row in cells(teaching.cores()) if row[:2] == ["200", "yes"])
    assert last[3] == f"{200 * each[-1] / teaching.CORES[0]:.0f} s"
    assert teaching.benches("05_gpu") == ["copy"] and not teaching.benches("03_roofline")
    assert {*teaching.benches("15_kernels"), *teaching.benches("15b_blocks")} == set(ladder.rungs())


def test_readers_who_came_fit_where_the_page_says_and_what_was_not_tried_is_marked():
    tried = max(MEASURED["voila"], key=lambda row: row["readers"])
    each, fits = tried["kernel_mb"] + tried["server_mb_each"], {}
    for size, readers, without in cells(teaching.voila()):
        count, size = int(readers.removeprefix("~")), int(size.removesuffix(" GB"))
        fits[size] = count
        assert count * each <= 1e3 * size - MEASURED["left_mb"] < (count + 1) * each
        assert readers.startswith("~") == (count > tried["readers"]) and without.startswith("~")
    assert len({row["readers"] for row in MEASURED["voila"]}) >= 2
    for row in MEASURED["voila"]:
        whole = row["server_mb"] + row["readers"] * (row["kernel_mb"] + row["server_mb_each"])
        assert whole == pytest.approx(1e3 * row["all_gb"], rel=0.05)
        assert row["all_gb"] < next(size for size, readers in fits.items() if readers >= row["readers"])


def test_a_cut_is_whole_minutes():
    assert [pages._minutes(text) for text in ("", "0", "15")] == [0, 0, 15]
    for text in ("a quarter", "-5", "1.5", "301"):
        refused(ValueError, "whole minutes", pages._minutes, text)
