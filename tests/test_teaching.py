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

from accelerator_course import ladder, syllabus
from accelerator_course.pages import __main__ as pages
from accelerator_course.quiz import __main__ as quiz
from accelerator_course.start import copies
from accelerator_lib import settings

ROOT = Path(__file__).parents[1]
PAGE = teaching.PAGE.read_text(encoding="utf-8")
MEASURED = syllabus.load("classroom")
MINUTES = [entry["minutes"] for entry in teaching.course()]


def test_its_tables_are_as_they_should_be_now():
    assert readme.with_class_tables(PAGE) == PAGE, "run  make readme"


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
    assert [row["chapter"] for row in MEASURED["chapters"]] == [
        e["name"] for e in syllabus.chapters().values() if e["core"]
    ]
    for row in MEASURED["chapters"]:
        assert 50 < row["kernel_mb_without_jax"] <= row["kernel_mb"] < 2000, row
    uses = {row["chapter"] for row in MEASURED["chapters"] if row["kernel_mb"] > row["kernel_mb_without_jax"] + 80}
    assert uses <= set(teaching.recorded()), "a chapter that loads JAX says what it shows without"


def test_the_load_was_measured_on_more_than_one_class_and_nothing_was_lost():
    assert len({row["learners"] for row in MEASURED["load"]}) >= 3
    for row in MEASURED["load"]:
        assert row["events_lost"] == 0 and row["others_went_on"]
        assert 0 < row["slider_ms"] <= row["slider_p95_ms"]
    assert MEASURED["basis"] == "measured here" and (ROOT / MEASURED["source"]).exists() and MEASURED["machine"]


def test_memory_grows_with_learners_and_counts_a_server_and_a_kernel_each():
    assert teaching.gigabytes(100, 300, 100) == 40
    rows = [re.findall(r"(\d+) GB", row) for row in teaching.memory().splitlines()[2:]]
    assert len(rows) == len(teaching.LEARNERS)
    for row in rows:
        assert int(row[0]) <= int(row[1]) <= int(row[2])


def commands():
    return [line.strip() for line in PAGE.splitlines() if line.startswith("    ") and not line.startswith("      ")]


def test_the_commands_of_the_course_are_ones_that_it_has():
    targets = set(re.findall(r"^([a-z-]+):", (ROOT / "Makefile").read_text(), re.M))
    for target in re.findall(r"`make ([a-z-]+)", PAGE):
        assert target in targets, target
    spelled = [shlex.split(line) for line in re.findall(r"python -m accelerator_course\.quiz [^`\n]+", PAGE)]
    named = [words[3] for words in spelled]
    assert {"exam", "export", "token", "validate"} <= set(named)
    for words in spelled:
        words = words[: words.index("<")] if "<" in words else words
        quiz._parser().parse_args(words[3:])
    for module in sorted(set(re.findall(r"python -m (accelerator_\w+\.[\w.]+)", PAGE))):
        run = subprocess.run([sys.executable, "-c", f"import {module}"], capture_output=True, text=True)
        assert run.returncode == 0, run.stderr[-500:]


def test_files_and_links_of_the_page_exist():
    for target in re.findall(r"\]\(([^)#]+)\)", PAGE):
        assert target.startswith("http") or (teaching.PAGE.parent / target).exists(), target
    for name in re.findall(r"`((?:binder|tests|quizzes)/[\w./-]*)`", PAGE):
        assert (ROOT / name).exists(), name


def test_the_first_notebook_and_the_readme_lead_to_it_and_a_learners_copy_has_it(tmp_path, monkeypatch):
    assert "](TEACHING.md)" in (ROOT / "notebooks" / "00_start_here.ipynb").read_text(encoding="utf-8")
    assert "](notebooks/TEACHING.md)" in (ROOT / "README.md").read_text(encoding="utf-8")
    monkeypatch.setenv("JUPYTER_DATA_DIR", str(tmp_path / "data"))
    copies.lay_out(tmp_path / "mine")
    assert (tmp_path / "mine" / "TEACHING.md").read_text(encoding="utf-8") == PAGE


def test_what_is_preheated_has_its_formulas_drawn_and_its_pictures(tmp_path):
    path = ROOT / "notebooks" / "03_roofline.ipynb"
    copy = pages.copied(path, tmp_path)
    text = copy.read_text(encoding="utf-8")
    assert "<math" in text and "<math" not in path.read_text(encoding="utf-8")
    assert (tmp_path / "images" / "start.png").exists()
    for given in ("--preheat_kernel=True", "--preheat_kernel True", "--VoilaConfiguration.preheat_kernel=1"):
        assert pages.heard(["--no-browser", *given.split()]).preheated, given
    assert (
        not pages.heard(["--preheat_kernel=False"]).preheated
        and not pages.heard(["--preheat_kernel", "False"]).preheated
    )


def test_a_page_that_others_may_read_is_known_by_its_options():
    (given,) = (line for line in commands() if "accelerator_course.pages read" in line)
    assert pages.heard(shlex.split(given)[5:]).shared and pages.heard(["--preheat_kernel=True"]).shared
    for ip in ("0.0.0.0", "10.0.0.7", "::", "course.example.org"):
        assert pages.heard([f"--Voila.ip={ip}"]).shared and pages.heard(["--no-browser", "--Voila.ip", ip]).shared
    assert pages.heard(["--Voila.ip="]).shared and pages.heard(["--preheat_kernel", "True"]).shared, (
        "no address is all of them"
    )
    for ip in pages.OWN:
        assert (
            not pages.heard([f"--Voila.ip={ip}"]).shared and not pages.heard(["--Voila.ip", ip, "--no-browser"]).shared
        )
    assert not pages.heard(["--no-browser", "--port=8866"]).shared
    # Voila knows no such options, and goes on listening to this machine only:
    assert not pages.heard(["--ip=0.0.0.0"]).shared
    with pytest.warns(UserWarning, match="`ip` not recognized"):
        assert not pages.heard(["--VoilaConfiguration.ip=0.0.0.0"]).shared


def test_a_file_of_voila_may_open_a_page_too(tmp_path, monkeypatch):
    (tmp_path / "voila.json").write_text('{"Voila": {"ip": "0.0.0.0"}}')
    monkeypatch.chdir(tmp_path)
    assert pages.heard(["--no-browser"]).shared and not pages.heard(["--Voila.ip=localhost"]).shared


def test_the_page_and_the_help_say_alike_how_long_such_answers_are_kept():
    for text in (PAGE, pages.__doc__):
        words = " ".join(text.split())
        assert "nor the same one loaded again" in words and "deleted when the server ends" in words


def test_no_reader_of_such_a_page_finds_what_another_wrote(tmp_path, monkeypatch):
    asked = "from accelerator_course.quiz import progress; print(progress.record({'kind': 'explain', 'chapter': 'roofline', 'text': 'mine'}), len(progress.events('explain')))"
    surroundings = os.environ | {settings.APART: str(tmp_path / "readers")}
    for _ in range(2):
        run = subprocess.run([sys.executable, "-c", asked], capture_output=True, text=True, env=surroundings)
        assert run.stdout.split() == ["True", "1"], run.stderr[-500:]
    assert len(list((tmp_path / "readers").iterdir())) == 2


def test_what_all_wait_for_is_the_run_of_a_chapter_shared_by_the_cores():
    rows = [row for row in MEASURED["load"] if row["jax"]]
    each = [teaching.core_seconds(row) for row in rows]
    assert max(each) < 1.5 * min(each), "otherwise a table by cores says nothing"
    table = [[cell.strip() for cell in row.split("|")[1:-1]] for row in teaching.cores().splitlines()[2:]]
    last = next(cells for cells in table if cells[:2] == ["200", "yes"])
    assert last[3] == f"{200 * each[-1] / teaching.CORES[0]:.0f} s"


def test_a_class_asks_a_cluster_for_what_its_values_say():
    last = teaching.hub().splitlines()[-1].split("|")
    assert [cell.strip() for cell in last[1:-1]] == ["200", "107 GB", "215 GB", "20", "215 GB"]


def test_kernels_are_counted_beside_the_exercises_that_are_checked_on_the_spot():
    assert teaching.benches("05_gpu") == ["copy"] and not teaching.benches("03_roofline")
    assert {*teaching.benches("15_kernels"), *teaching.benches("15b_blocks")} == set(ladder.rungs())


def test_readers_who_came_fit_where_the_page_says_that_they_do():
    rows = [[int(n) for n in re.findall(r"\d+", row)] for row in teaching.voila().splitlines()[2:-2]]
    assert len({row["readers"] for row in MEASURED["voila"]}) >= 2
    for row in MEASURED["voila"]:
        whole = row["server_mb"] + row["readers"] * (row["kernel_mb"] + row["server_mb_each"])
        assert whole == pytest.approx(1e3 * row["all_gb"], rel=0.05)
        room = next(size for size, readers, _ in rows if readers >= row["readers"])
        assert row["all_gb"] < room


def test_readers_are_counted_with_the_kernels_of_voila_and_what_was_not_tried_is_marked():
    tried = max(MEASURED["voila"], key=lambda row: row["readers"])
    each = tried["kernel_mb"] + tried["server_mb_each"]
    for line in teaching.voila().splitlines()[2:-2]:
        size, readers, without = (cell.strip() for cell in line.split("|")[1:-1])
        count = int(readers.removeprefix("~"))
        room = 1e3 * int(size.removesuffix(" GB")) - MEASURED["left_mb"]
        assert count * each <= room < (count + 1) * each
        assert readers.startswith("~") == (count > tried["readers"]) and without.startswith("~")


def test_a_cut_is_whole_minutes():
    assert [pages._minutes(text) for text in ("", "0", "15")] == [0, 0, 15]
    for text in ("a quarter", "-5", "1.5", "301"):
        with pytest.raises(ValueError, match="whole minutes"):
            pages._minutes(text)
