import json

from accelerator_course import widgets
from accelerator_course.start import address
from accelerator_course.start.folders import NOTEBOOKS

GIVEN = {"url": "https://github.com/someone/course.git", "vcs_info": {"vcs": "git", "commit_id": "abc123"}}


def test_notebooks_of_a_public_repository_have_pages_by_host():
    page = "github.com/someone/course/blob/abc123/notebooks/"
    assert address.pages(GIVEN) == f"https://{page}"
    assert address.pages(GIVEN, colab=True) == page.replace("github.com", "https://colab.research.google.com/github")
    lab = {**GIVEN, "url": "https://user:secret@gitlab.com/group/sub/course"}
    for colab in (False, True):
        assert address.pages(lab, colab) == "https://gitlab.com/group/sub/course/-/blob/abc123/notebooks/"


def test_where_nobody_knows_a_page_links_stay_as_they_are():
    elsewhere = (GIVEN | {"url": url} for url in ("x", "https://git.example.org/a/b"))
    for origin in ({}, {"url": "file:///srv/course.whl"}, *elsewhere):
        assert address.pages(origin) == ""
    assert address.pages({"url": GIVEN["url"]}) == "", "an archive: no commit is known"


def test_a_notebook_without_neighbours_leads_to_the_web_and_one_beside_them_does_not(home, tmp_path, monkeypatch):
    monkeypatch.setattr(address, "source", lambda: GIVEN)
    base = address.pages(GIVEN)
    monkeypatch.chdir(tmp_path)
    assert address.of("04_tiling.ipynb") == f"{base}04_tiling.ipynb"
    assert f"]({base}04_tiling.ipynb)" in widgets.chapters().data
    assert f"]({base}03_roofline.ipynb)" in widgets.routes().data
    for made in (widgets.chapter_bar("roofline"), widgets.progress(), widgets.predict("roofline", "batch-128")):
        assert made.away == base and made.get_state()["away"] == base
    monkeypatch.chdir(NOTEBOOKS)
    assert address.of("04_tiling.ipynb") == "04_tiling.ipynb" and widgets.chapter_bar("roofline").away == ""
    assert "](04_tiling.ipynb)" in widgets.chapters().data


def test_what_pip_has_kept_is_read_and_what_is_damaged_is_nothing(tmp_path, monkeypatch):
    folder = tmp_path / "accelerator_course-9.dist-info"
    folder.mkdir()
    (folder / "METADATA").write_text("Metadata-Version: 2.1\nName: accelerator-course\nVersion: 9\n")
    monkeypatch.syspath_prepend(tmp_path)
    for text, found in ((json.dumps(GIVEN), GIVEN["url"]), ("{", None), ("[]", None)):
        (folder / "direct_url.json").write_text(text)
        address.source.cache_clear()
        assert address.source().get("url") == found
    address.source.cache_clear()
