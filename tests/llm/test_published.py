"""Published runs of language models: bounds worked by hand, misses as they are, and what cannot have been."""

import pytest

from accelerator_lib import data, hardware, llm
from accelerator_lib.llm import published


def ratios(runs):
    return {one.id: one.ratio for one in runs}


def test_every_published_rate_is_shown_as_it_was_published():
    rows = {row["id"]: row for row in data.load("measured")["rows"]}
    for one in (*published.one_user(), *published.offline()):
        assert one.measured == rows[one.id]["value"] and one.unit == rows[one.id]["unit"]
    for one in published.first_token():
        assert one.measured * 1e3 == pytest.approx(rows[one.id]["value"])
    assert len(published.first_token()) == 7 and len(published.offline()) == 9


def test_one_user_by_hand():
    found = ratios(published.one_user())
    a100, pcie = hardware.chip("a100-80gb-sxm").bytes_per_s, hardware.chip("h100-pcie").bytes_per_s
    assert found["gptfast_7b_bf16"] == pytest.approx(a100 / (2 * 6_607_343_616) / 104.9)
    assert found["gptfast_7b_eager"] == pytest.approx(a100 / (2 * 6_607_343_616) / 25.5)
    read = 3.82 * 2**30 * 6_607_343_616 / 6_738_415_616
    assert found["llamacpp_h100_pcie_80gb_7b_q4_0"] == pytest.approx(pcie / read / 133.77)
    assert {id: round(ratio, 2) for id, ratio in found.items()} == {
        "gptfast_7b_bf16": 1.47,
        "gptfast_7b_int4": 2.36,
        "gptfast_70b_int8": 1.54,
        "gptfast_7b_eager": 6.05,
        "llamacpp_l3_rtx_4090_24gb_f16_tg512": 1.22,
        "llamacpp_m2_ultra_76_core_gpu_192gb_70b_q4_0": 1.43,
        "llamacpp_h100_pcie_80gb_70b_q4_0": 1.99,
        "llamacpp_h100_pcie_80gb_7b_q4_0": 3.72,
    }


def test_bounds_are_steps_without_a_cache_and_quarter_weights_bring_half():
    step = llm.decode_step("llama-3-8b", "rtx-4090", 1, 1, math_dtype="fp16")
    (one,) = (one for one in published.one_user() if one.id.startswith("llamacpp_l3"))
    assert one.bound == pytest.approx(step.tokens_per_s, rel=1e-3)
    whole, quarter = (published.read_bytes(data.rows("decode")[f"gptfast_7b_{name}"]) for name in ("bf16", "int4"))
    faster = data.rows("decode")["gptfast_7b_int4"]["value"] / data.rows("decode")["gptfast_7b_bf16"]["value"]
    assert whole / quarter == pytest.approx(3.01, abs=0.01) and faster == pytest.approx(1.88, abs=0.01)


def test_longer_answers_and_first_tokens():
    rtx, m2 = published.longer_answer()
    assert rtx.bound == pytest.approx(3840 * 131_072 / hardware.chip("rtx-4090").bytes_per_s)
    assert (rtx.ratio, m2.ratio) == (pytest.approx(2.84, abs=0.01), pytest.approx(9.2, abs=0.01))
    found = ratios(published.first_token())
    assert found["ttft_l40s_llama_7b_2048"] == pytest.approx(1.94, abs=0.01)
    assert found["ttft_h100_llama_70b_2048"] == pytest.approx(3.02, abs=0.01)
    assert found["ttft_h100_llama_70b_128"] == pytest.approx(5.07, abs=0.01)
    read = llm.counts.of(llm.model("llama-2-70b")).read(1) / (4 * hardware.chip("h100-sxm5").bytes_per_s)
    assert found["ttft_h100_llama_70b_128"] == pytest.approx(0.026 / read)


def test_offline_bounds_by_hand_and_states_that_cannot_be():
    for runs in (published.one_user(), published.longer_answer(), published.first_token(), published.offline()):
        assert all(one.ratio > 1 and one.fits for one in runs)
    assert all(one.ratio > 1 for one in published.offline("fp16") if one.fits)
    narrow, wide = (next(iter(published.offline(cache))) for cache in ("fp8", "fp16"))
    assert (narrow.ratio, wide.ratio) == (pytest.approx(2.10, abs=0.01), pytest.approx(1.30, abs=0.01))
    assert wide.needed_bytes == pytest.approx(109.8e9, rel=1e-3) and narrow.fits and not wide.fits
    beaten = [one for one in published.offline("fp16") if one.ratio < 1]
    assert [one.id for one in beaten] == ["serve_h100_llama_7b_2048_128"] and not beaten[0].fits
    (one,) = (one for one in published.offline() if one.id == "serve_a100_llama_7b_128_2048")
    assert one.needed_bytes == 60 * 2176 * 524_288 + 2 * 6_738_415_616 == pytest.approx(81.9e9, rel=1e-3)
    assert hardware.chip("a100-80gb-sxm").capacity_bytes < one.needed_bytes < one.capacity_bytes == 80 * 2**30
    (one,) = (one for one in published.offline() if one.id == "serve_h100_llama_70b_2048_2048")
    params, token, peak, rate = 68_714_504_192, 163_840, 2 * 1978.9e12, 2 * 3.35e12
    step = max((params + 64 * 3072 * token) / rate, 64 * (2 * params + 4 * 80 * 8192 * 3072) / peak)
    each = (2 * (params - 262_144_000) * 2048 + 2 * 80 * 8192 * 2048**2) / peak
    assert one.bound == pytest.approx(64 / (step + 64 * each / 2048) / 2, rel=1e-3)
