from accelerator_lib.machine.progress import Progress


def test_only_the_last_report_carries_a_result():
    assert Progress(0.5, "half").result is None
    assert Progress(1.0, "done", 42).result == 42
