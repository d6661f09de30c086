import pytest

from accelerator_lib import data
from accelerator_lib.validation import calibrate


@pytest.fixture
def folder(tmp_path, monkeypatch):
    """A folder of data of its own, with what stands there now."""
    for name in ("calibration", "validation_report"):
        (tmp_path / f"{name}.yaml").write_text((data.FOLDER / f"{name}.yaml").read_text())
    monkeypatch.setattr(calibrate.data, "FOLDER", tmp_path)
    return tmp_path


def content(folder):
    return {path.name: path.read_bytes() for path in folder.iterdir()}


def test_a_kind_is_fitted_and_the_others_stay(folder, capsys):
    before = data.parse(folder / "calibration.yaml")
    calibrate.main(["memory_split"])
    after, told = data.parse(folder / "calibration.yaml"), data.parse(folder / "validation_report.yaml")
    assert after == before and list(after) == list(before) and after["format_version"] == 1
    assert set(told["memory_split"]) == {"publisher", "source", "device"}
    assert "memory_split" in capsys.readouterr().out


@pytest.mark.parametrize("option", [["--check"], ["--by", "device"], ["--rows"]])
def test_a_look_writes_nothing(option, folder, capsys):
    before = content(folder)
    calibrate.main(["memory_split", *option])
    assert content(folder) == before
    assert ("vllm_13b_parameters" in capsys.readouterr().out) == (option == ["--rows"])


def test_the_report_is_a_table(capsys):
    calibrate.main(["--report"])
    out = capsys.readouterr().out
    assert out.startswith("| kind | rows |") and "| all |" in out


@pytest.mark.parametrize("words", [["gem"], ["--by", "year"], ["--fast"]])
def test_what_is_unknown_is_answered_by_what_there_is(words, capsys):
    with pytest.raises(SystemExit):
        calibrate.main(words)
    said = capsys.readouterr().err
    assert "gemm" in said or "source" in said or "--fast" in said


def test_written_twice_it_is_the_same(folder):
    calibrate.main(["tpu_v4", "memory_split"])
    before = content(folder)
    calibrate.main(["tpu_v4", "memory_split"])
    assert content(folder) == before
