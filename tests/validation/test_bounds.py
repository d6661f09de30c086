"""The bound alone against what was measured, counted a second time from the stored report."""

from dataclasses import replace
from statistics import median
from types import SimpleNamespace

import numpy as np
import pytest

from accelerator_lib.checks.inputs import NotAvailable, UnknownName
from accelerator_lib.validation import bounds
from accelerator_lib.validation.report import report


def counted(kind):
    """Bound over measured, as speeds, straight from the report."""
    for each in report()[kind]["publisher"].counted:
        told = each.prediction
        if told.bound and each.measured:
            yield each.measured / told.bound if told.faster_is_less else told.bound / each.measured


@pytest.mark.parametrize("kind", ["memory_bandwidth", "memory_latency", "gemm", "attention", "tpu_v1"])
def test_the_typical_factor_is_the_median_over_the_rows_of_the_kind(kind):
    found, factors = bounds.against(kind), list(counted(kind))
    assert found.typical == pytest.approx(np.median(factors)) and len(found.rows) == len(factors)
    assert sorted(found.factors) == pytest.approx(sorted(factors))
    assert found.within(1.25) == pytest.approx(np.mean(np.array(factors) <= 1.25))


def test_all_rows_are_those_of_all_kinds():
    found = bounds.against()
    factors = [each for kind in report() for each in counted(kind)]
    assert len(found.rows) == len(factors) and found.typical == pytest.approx(np.median(factors))
    many = {kind: (count, factor) for kind, count, factor in found.by_kind}
    assert all(count >= bounds.LEAST for count, _ in many.values())
    assert many["gemm"] == (len(bounds.against("gemm").rows), bounds.against("gemm").typical)
    assert [factor for *_, factor in found.by_kind] == sorted(factor for *_, factor in found.by_kind)


def test_times_stand_as_rates_so_that_no_dot_lies_above_the_line():
    found = bounds.against()
    assert found.beaten == 0 and all(y <= x * (1 + 1e-9) for x, y in zip(found.x, found.y, strict=True))
    latency = bounds.against("memory_latency")
    assert latency.units == ("1/cycles",) and max(latency.x) <= 1


def test_what_is_faster_than_its_bound_is_counted():
    rows = tuple(SimpleNamespace(reached=share) for share in (0.5, 1.0, 1.01, 3.0))
    assert replace(bounds.against("gemm"), rows=rows).beaten == 2


def test_what_no_row_counts_of_is_named():
    with pytest.raises(NotAvailable, match="TPU v4"):
        bounds.against("tpu_v4")
    with pytest.raises(UnknownName, match="gemm"):
        bounds.against("gemmm")


def test_attention_apart_by_where_its_scores_go():
    """Another road: by what the rows call themselves."""
    rows = bounds.against("attention").rows
    plain = [1 / row.reached for row in rows if any(word in row.id for word in ("pytorch", "megatron", "stand"))]
    kept = [1 / row.reached for row in rows if not any(word in row.id for word in ("pytorch", "megatron", "stand"))]
    found = bounds.scores()
    assert (found.written, found.kept) == pytest.approx((median(plain), median(kept)))
    assert found.largest == pytest.approx(sum(row.source == "fa1" for row in rows) / len(rows))
