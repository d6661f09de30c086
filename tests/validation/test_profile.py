"""Single kernels: each law against a closed form, no bound beaten by 109,000 rows, what is told of rows never seen."""

from pathlib import Path
from types import SimpleNamespace

import numpy as np
import pytest
from pytest import approx

from accelerator_course.measure import kernel_fits as fit
from accelerator_course.measure import kernel_maps
from accelerator_lib import data, validation
from accelerator_lib.checks.inputs import NotAvailable, UnknownName
from accelerator_lib.validation.profile import decode, products, regions, rows, ways

TABLE, KINDS = data.parse(Path(__file__).with_suffix(".yaml")), tuple(rows.LAWS)
BARS = {"product": 0.15, "prompt": 0.20, "decode": 0.20, "exchange": 0.15}  # median |log|, on rows that fitted nothing
FED = {"ampere": 12, "ada": 14, "hopper": 13, "blackwell": 9}  # bytes of the cache for 1,000 FLOP, as CONTRIBUTING says
ROW = {"id": "mine", "metric": "latency", "unit": "µs", "device": "H100 SXM"}
SHAPE = {"m": 4096, "n": 8192, "k": 8192, "dtype": "bf16", "framework": "VLLM"}
STEP = {"batch": 64, "step": 8191, "heads": 64, "kv_heads": 8, "head_dim": 128, "framework": "VLLM"}


@pytest.fixture(scope="module", params=KINDS)
def ground(request):
    return fit.Ground(request.param)


def told(kind="gemm", **changed):
    """Prediction of a row; what is no part of one is a condition."""
    row = {name: changed.pop(name) for name in tuple(changed) if name in ("device", "unit", "workload", "n_devices")}
    base = {"decode_attention": STEP, "attention": STEP, "collective": {}}.get(kind, SHAPE)
    return validation.predict(ROW | row | {"kind": kind, "conditions": base | changed})


def test_no_row_beats_its_bound_and_no_law_foretells_less(ground):
    every = np.arange(len(ground.measured))
    least = ground.work(every)["least"]
    assert (least <= ground.measured).all()
    assert (least >= 0).all() and np.isfinite(least).all()


def test_the_stored_constants_miss_other_rows_by_what_is_stored_and_the_intervals_hold(ground):
    stored = data.load("kernel_times")["laws"][ground.kind]
    kept = np.arange(1, len(ground.measured), 2)
    said, off, level = ground.foretold(kept, ways.fitted(ground.kind), data.load("kernel_times")["families"])
    assert (level == 0).mean() > 0.98  # ways of few rows have no constants of their own
    median = float(np.median(np.abs(np.log(said / ground.measured[kept]))))
    assert median == approx(stored["judged"]["seen"][1], abs=4e-3) and median < BARS[ground.kind]
    chip = np.array([rows.facts(each)["chip"] for each in ground.table["system"]])[kept]
    seen, devices = stored["intervals"]["seen"], stored["intervals"]["devices"]
    held = fit.within(seen, ground.scaled(kept, said, off), said, np.array([devices[name] for name in chip]))
    shares = [held[chip == name].mean() for name in devices]
    shares += [*stored["judged"]["held_by_decile"], *stored["judged"]["held_by_device"].values()]
    assert len(shares) == 22 and min(shares) >= 0.72 and max(shares) <= 0.88


def test_devices_that_fitted_nothing_are_within_a_quarter(ground):
    judged = data.load("kernel_times")["laws"][ground.kind]["judged"]
    assert judged["without device"][1] < 0.25 and min(judged["held without device"]) > 0.72
    assert max(judged["held without device"]) < 0.89
    assert judged["without family"][1] < 0.251  # collectives lie at a quarter: links of PCIe are of their own
    starts = {key[0]: round(its["launch_us"]) for key, _, _, its in ways.fitted("exchange") if "gather" in key[4]}
    assert (starts["hopper"], starts["ampere"], starts["blackwell"]) == (5, 8, 8)  # as CONTRIBUTING.md says
    flop = {name: its["flop_a_clock"] / 1e3 for name, its in data.load("kernel_times")["families"].items()}
    fed = {family: [] for family in starts}
    for key, _, _, its in ways.fitted("product"):
        fed[key[0]].append(its["cache"])
    fed = {family: np.median(its) for family, its in fed.items()}
    assert {family: round(its / flop[family]) for family, its in fed.items()} == FED
    assert round(max(fed.values()) / min(fed.values())) == 5
    assert judged["without device"][0] == np.isin(ground.table["family"], ("hopper", "blackwell")).sum()
    assert judged["beaten"] == 0


def test_one_tile_on_one_sm_takes_its_fill_and_its_products():
    chip = {"sms": [1.0], "clock": [1e9], "peak": [1e12], "bandwidth": [1e12], "l2": [1e12]}
    chip = {name: np.array(value) for name, value in chip.items()}
    formats = (np.array([each]) for each in (2.0, 2.0, False, 1.0))
    work = products.work([128], [256], [1024], *formats, chip)
    names = "share", "cache", "fill_us", "launch_us", "memory", "scaled", "copies"
    constants = dict(zip(names, (0.5, 1e9, 3.0, 2.0, 1.0, 1.0, 1.0), strict=True))
    seconds, parts = products.seconds(work, **constants)
    assert seconds[0] == approx(5e-6 + 2 * 128 * 256 * 1024 / 0.5e12)
    assert parts["memory bandwidth"][0] == 0  # all of it fits into the cache
    narrow = {**constants, "cache": 1.0}  # a byte a clock: the operands of a tile now take longest
    assert products.seconds(work, **narrow)[0][0] == approx(5e-6 + (128 + 256) * 2 * 1024 / 1e9)


def test_attention_counts_the_pairs_that_a_mask_leaves():
    from accelerator_lib.validation.profile import attention

    chip = {name: np.array([1.0]) for name in ("sms", "clock", "peak", "bandwidth")} | {"l2": np.array([1e12])}
    for tokens, cached, window in ((7, 0, 0), (7, 5, 0), (7, 0, 3), (7, 5, 3), (3, 9, 11)):
        every = np.tril(np.ones((tokens, tokens + cached)), cached)
        seen = every - (np.tril(every, cached - window) if window else 0)
        shape = (np.array([float(each)]) for each in (2, tokens, cached, 4, 2, 64))
        work = attention.work(*shape, np.array([window]), np.array([True]), np.array([2.0]), chip)
        assert work["least"][0] == approx(4 * 64 * 2 * 4 * seen.sum())


def test_heads_that_share_keys_take_less_time_and_have_a_lower_bound():
    all_own, some, one = (told("decode_attention", kv_heads=heads) for heads in (64, 8, 1))
    assert all_own.value > some.value > one.value
    assert all_own.bound > some.bound > one.bound
    prompts = [told("attention", isl=64, step=0, heads=32, kv_heads=heads).value for heads in (32, 8, 1)]
    assert sorted(prompts, reverse=True) == prompts and prompts[0] > 1.2 * prompts[2]


def test_activations_that_come_in_sixteen_bits_are_scaled_first():
    ground = fit.Ground("product")
    chosen = np.flatnonzero(ground.table["gemm_dtype"] == "fp8")[:20]
    constants = {name: start for name, (_, start, _) in products.FREE.items()}
    work = ground.work(chosen)
    longer = ground.law.seconds(work, **constants)[0] - ground.law.seconds(work | {"scaled": 0.0}, **constants)[0]
    moved = 3 * ground.table["m"][chosen] * ground.table["k"][chosen]  # two bytes read, one written
    assert longer == approx(moved / work["rate"] / constants["scaled"])


@pytest.mark.parametrize("given", TABLE["told"], ids=str)
def test_a_time_lies_in_its_interval_above_its_bound_in_any_unit(given):
    found, milli = told(**given), told(unit="ms", **given)
    assert found.bound <= found.low <= found.value <= found.high > found.low
    assert milli.value == approx(found.value / 1e3)
    assert found.why.startswith("Of ") and found.limit in found.why


def test_other_words_for_the_same_row_give_the_same_time():
    usual = told("decode_attention")
    other = dict(zip(("batch_size", "num_heads", "num_key_value_heads"), (64, 64, 8), strict=True))
    plain = {"step": 8191, "head_dim": 128, "framework": "vLLM 0.24", "window_size": 0}
    again = validation.predict(ROW | {"kind": "decode_attention", "device": "h100_sxm", "conditions": other | plain})
    assert (again.value, again.high) == (usual.value, usual.high)
    sizes = told("collective", workload="all_gather", n_devices=4, message_size=2**20, nccl_dtype="half")
    assert sizes.value == told("collective", workload="all-gather", n_devices=4, message_bytes=2**21).value


def test_what_nobody_timed_takes_what_is_closest_and_its_interval_is_wider():
    known = ways.Way(("hopper", "VLLM", "1", "a", "bf16"), 100, 0.1, {"x": 2.0, "fill_us": 1.0})
    other = ways.Way(("ampere", "VLLM", "1", "a", "bf16"), 300, 0.1, {"x": 8.0, "fill_us": 1.0})
    families = {"ampere": {"clock_ghz": 1.5, "flop_a_clock": 4}, "turing": {"linked": ["hopper"], "alike": ["ampere"]}}
    families["volta"] = {"clock_ghz": 1.0, "flop_a_clock": 2, "alike": ["ampere"]}
    of = lambda *key: ways.of(key, (known, other), families)  # noqa: E731
    assert of("hopper", "VLLM", "1", "a", "bf16")[0] == {"x": 2.0, "fill_us": 1.0}
    assert of("hopper", "VLLM", "2", "b", "bf16")[::2] == ({"x": 2.0, "fill_us": 1.0}, 2)
    assert of("volta", "SGLang", "1", "a", "bf16")[0] == {"x": approx(8.0), "fill_us": approx(1.5)}  # in clocks
    fed = ways.Way(("ampere", "VLLM", "1", "a", "bf16"), 9, 0.1, {"cache": 30.0})
    assert ways.of(("volta", *fed.key[1:]), (fed,), families)[0] == {"cache": approx(15.0)}  # as an SM multiplies
    talk = [way._replace(key=(*way.key[:4], "all_gather")) for way in (known, other)]
    assert ways.of(("turing", *talk[0].key[1:]), talk, families)[0]["x"] == approx(2.0)  # of the same links
    assert of("turing", "VLLM", "1", "a", "bf16")[0]["x"] == approx(8.0)  # of the age
    assert of("tpu", "SGLang", "1", "a", "bf16")[0]["x"] == approx(2 * 4 ** (300 / 400))  # a geometric mean, by rows
    known, other, new = told(framework="VLLM"), told(framework=""), told(device="RTX PRO 6000")
    assert known.high / known.low < other.high / other.low < new.high / new.low


def test_strangers_are_as_unsure_as_programs_are_apart_and_more_where_memory_is_unlike():
    law = SimpleNamespace(seconds=lambda work, x: (np.full(1, x), {"x": np.full(1, x)}))
    two = [ways.Way(("a", "p", "", "", "bf16"), 9, 0.1, {"x": x}) for x in (1.0, np.exp(0.6))]
    families = {"a": {"memory_a_clock": 2.0}, "b": {"memory_a_clock": 2 * np.e, "alike": ["a"]}}
    of = lambda family, known: ways.foretold(law, None, (family, "p", "", "", "bf16"), known, families, False)  # noqa: E731
    assert [of("a", two)[2], of("b", two)[2], of("b", two[:1])[2]] == [approx(0.3), approx(0.6), approx(0.2)]
    assert (of("a", two)[0], of("b", two)[0]) == (approx(np.exp(0.6)), approx(np.exp(0.45)))  # halfway to the median
    for name in data.load("kernel_times")["chips"]:
        chip, own = rows.facts(name), data.load("kernel_times")["families"][rows.facts(name)["family"]]
        assert chip["bandwidth"] / chip["sms"] / chip["clock"] == approx(own["memory_a_clock"], rel=0.2)
        assert chip["link"] == own["link_gb_s"] * 1e9


@pytest.mark.parametrize("given", TABLE["refused"], ids=str)
def test_what_cannot_be_foretold_says_why_in_a_line(given):
    with pytest.raises(NotAvailable, match=given["why"]):
        told(**{name: it for name, it in given.items() if name != "why"})


def test_an_interval_of_strangers_is_as_far_up_as_down_and_each_of_them_is_as_heavy():
    misses, names = np.array([1.0] * 300 + [-2.0] * 60 + [3.0] * 39), np.array(["a"] * 300 + ["b"] * 99)
    assert fit.knots(np.full(399, 1e-5), misses, names) == [[1e-5, -2.0, 2.0]]  # 80 %: half, and 60 of the other 99
    assert fit.knots(np.full(399, 1e-5), misses)[0][1:] != [-2.0, 2.0]


def test_a_fit_finds_the_constants_that_made_the_times():
    ground = fit.Ground("exchange")
    chosen = ground.where(ground.keys[0])
    work, made = ground.work(chosen), {name: start for name, (_, start, _) in ground.law.FREE.items()}
    made |= {"launch_us": 9.0, "bulk_share": 0.5}
    times = ground.law.seconds(work, **made)[0]
    found, wrong = fit.descend(ground.law, work, np.log(times))
    assert wrong < 0.02
    assert found["launch_us"] == approx(9.0, rel=0.1)


def test_heads_of_192_with_keys_of_their_own_take_the_ways_of_grouped_ones():
    for kind in ("prompt", "decode"):
        table = fit.Ground(kind).table
        wide, own = table["head_dim"] == 192, table["num_heads"] == table["kv_heads"]
        assert np.mean(table["num_heads"][wide & own] == 1) > 0.7
        assert not any("own" in name for name in set(table["format"][wide]))
        assert all("own" in name for name in set(table["format"][own & ~wide]))


def test_the_map_of_shapes_is_what_the_stored_constants_make_of_the_rows():
    ground = fit.Ground("product")
    made, stored = kernel_maps.made(ground, ways.fitted("product")), data.load("kernel_times")["regions"]
    assert made == {name: (dict(its) if name == "counts" else its) for name, its in stored.items()}
    key = ("hopper", "VLLM", "0.24.0", "CutlassFP8ScaledMMLinearKernel", "fp8")
    chosen, constants = ground.where(key)[:50], ways.of(key, ways.fitted("product"), {})[0]
    first, *_, last = kernel_maps.times(ground, key, chosen, constants)
    assert last == approx(ground.law.seconds(ground.work(chosen), **constants)[0])
    flops = 2 * ground.table["m"] * ground.table["n"] * ground.table["k"]
    roof = np.maximum(flops[chosen] / 1979e12, ground.work(chosen)["moved"] / 3.35e12)
    assert (first >= roof * 0.999).all() and (first <= roof * 2**0.25 * 1.001).all()  # a smooth maximum


def test_each_law_makes_the_typical_factor_smaller_and_an_empty_cell_is_no_number():
    for machine in regions.MACHINES:
        factors = [regions.off(regions.ALL, regions.ALL, machine, law) for law in regions.LAWS]
        assert factors == sorted(factors, reverse=True) and factors[-1] < 1.2
        counts = [[regions.count(rows, up, machine) for rows in regions.ROWS] for up in regions.WEIGHTS]
        assert [regions.count(0, up, machine) for up in regions.WEIGHTS] == [sum(line) for line in counts]
        assert np.sum(counts) == regions.count(0, 0, machine)
    assert np.isnan(regions.off(1, 1e5, "H100, fp8"))
    with pytest.raises(UnknownName, match="machine"):
        regions.off(32, 2**18, "H1000")


def test_chips_and_passes_that_nobody_profiled_are_left_to_the_other_models():
    shape = {"m": 4096, "n": 4096, "k": 4096}
    for device, dtype in (("MI300X", "bf16"), ("RTX 4090", "fp16"), ("H100 SXM", "tf32")):
        found = validation.predict(ROW | {"kind": "gemm", "device": device, "conditions": shape | {"dtype": dtype}})
        assert found.bound < found.value and not found.why.startswith("Of ")
    forth = {"batch": 4, "seq": 4096, "heads": 16, "kv_heads": 16, "head_dim": 128, "dtype": "bf16", "causal": True}
    row, back = ROW | {"kind": "attention", "workload": "FlashAttention-2"}, {"pass": "forward+backward"}
    times = [validation.predict(row | {"conditions": its}).value for its in (forth | back, forth)]
    assert times[0] > 2 * times[1]


def test_bytes_are_those_that_are_stated():
    one, kept = told("decode_attention", isl=1), told("decode_attention", dtype="fp8", kv_dtype="bf16")
    assert one.value == kept.value == told("decode_attention").value > told("decode_attention", dtype="fp8").value
    sizes = ({"message_bytes": 2**21, "nccl_dtype": "half"}, {"message_size": 2**20, "nccl_dtype": "bfloat16"})
    times = [told("collective", workload="all_reduce", n_devices=8, **size).value for size in sizes]
    assert times[0] == times[1] == told("collective", workload="all_reduce", ranks=8, message_bytes=2**21).value


def test_a_row_that_names_a_program_alone_is_of_its_newest_version_and_its_interval_is_its_own():
    at = "B200", "TRTLLM"
    few, many = (told("decode_attention", device=at[0], framework=at[1], heads=heads) for heads in (48, 64))
    assert few.value < many.value < 2 * few.value
    whole = told("decode_attention", device=at[0], framework=at[1], version="1.3.0rc20", kernel="torch_flow")
    assert many.high / many.low > whole.high / whole.low


def test_a_cache_is_split_over_idle_sms_by_hand():
    """One sequence and head, 1,024 tokens: 16 SMs read 64 tokens each, of 2 x 128 numbers, a byte a clock."""
    chip = {name: np.array([each]) for name, each in {"clock": 1e9, "sms": 16, "bandwidth": 1e12, "l2": 1e9}.items()}
    work = decode.work([1], [1024], [1], [1], [128], 0, 2, 1.0, chip)
    time, _ = decode.seconds(work, 1.0, 0.0, 0.0, 1.0, 0.0, 32.0)
    assert time == approx(64 * 2 * 128 * 2 / 1e9)
