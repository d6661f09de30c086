from math import floor, log10

import pytest

from accelerator_lib import data, hardware
from accelerator_lib.memory import levels

DEVICES = data.load("accelerators")["devices"]
SOURCES = data.load("accelerators")["sources"]
BASIS = {"datasheet", "paper", "press", "recalled"}
FORMATS = set(hardware.FORMAT_BYTES)
DIRECTIONS = {"per_direction", "bidirectional_total", "aggregate", "unstated", None}


def groups(device):
    return {name: group for name, group in device.items() if isinstance(group, dict) and name != "width_x_rate"}


@pytest.mark.parametrize("device", DEVICES, ids=lambda device: device["id"])
def test_every_group_has_a_basis_and_sources_that_exist(device):
    for name, group in groups(device).items():
        for entry in (group, *group.get("except", {}).values()):
            assert entry["basis"] in BASIS, name
            assert entry["sources"] and set(entry["sources"]) <= set(SOURCES), name
        assert set(group.get("except", {})) <= set(group), name


@pytest.mark.parametrize("device", DEVICES, ids=lambda device: device["id"])
def test_numbers_are_positive_numbers_or_null(device):
    for name in ("dense", "vector", "sparse"):
        for dtype, value in (device.get(name) or {}).items():
            if dtype not in ("basis", "sources", "except"):
                assert dtype in FORMATS and (value is None or (type(value) in (int, float) and value > 0))
    for group, name in (("memory", "bandwidth_gb_s"), ("memory", "capacity_gb"), ("power", "tdp_w")):
        value = device[group][name]
        assert value is None or (type(value) in (int, float) and value > 0)
    for link in ("interconnect", "host_link"):
        if link in device:
            assert device[link]["direction"] in DIRECTIONS
            assert device[link]["bandwidth_gb_s"] is None or device[link]["direction"] is not None


def test_dense_peaks_are_without_sparsity():
    for device in DEVICES:
        allowed = (2, 3.84) if device["id"] == "trainium2" else (2,)  # there, 4 of 16 may be kept; elsewhere 2 of 4
        for dtype, sparse in (device["sparse"] or {}).items():
            if (device["id"], dtype) in {("b300", "fp4"), ("gb300", "fp4")}:
                continue  # dense FP4 was raised, the sparse figure was not: the notes of the record say so
            if dtype in FORMATS and sparse and device["dense"].get(dtype):
                ratio = sparse / device["dense"][dtype]
                assert any(ratio == pytest.approx(factor, rel=0.06) for factor in allowed), (device["id"], dtype, ratio)


def rounded_alike(computed, printed):
    """Equal within 1.3 %, or within half a unit of the last digit that was printed."""
    text = f"{printed:g}"
    step = 10.0 ** (-len(text.partition(".")[2])) if "." in text else 10.0 ** floor(log10(printed) - 1 + 1e-9)
    return abs(computed / printed - 1) < 0.013 or abs(computed - printed) <= step / 2


@pytest.mark.parametrize("device", [d for d in DEVICES if "units_x_clock" in d], ids=lambda device: device["id"])
def test_units_times_clock_is_the_published_peak(device):
    for row in device["units_x_clock"]:
        group, dtype = row["peak"].split(".")
        computed = hardware.peak_from_units(row["units"], row["flop_per_clock"], row["clock_ghz"] * 1e9) / 1e12
        assert rounded_alike(computed, device[group][dtype]), (computed, device[group][dtype])


def test_width_times_rate_is_the_published_bandwidth():
    rows = [device for device in DEVICES if "width_x_rate" in device]
    assert rows
    for device in rows:
        computed = device["width_x_rate"]["bits"] * device["width_x_rate"]["gbit_s_per_pin"] / 8
        assert computed == pytest.approx(device["memory"]["bandwidth_gb_s"], rel=1e-3)


def test_every_measurement_names_its_source_and_a_known_chip():
    table = data.load("measured")
    ids = [row["id"] for row in table["rows"]]
    assert len(ids) == len(set(ids)) and ids
    for row in table["rows"]:
        assert row["source"] in table["sources"] and row["basis"] in {"seen", "seen_secondary"}
        assert row["chip"] is None or row["chip"] in hardware.chips()
        assert isinstance(row["value"], (int, float)) and row["unit"]


def test_a_key_that_stands_twice_is_refused_with_its_line(tmp_path):
    path = tmp_path / "twice.yaml"
    path.write_text("a: 1\nb: 2\na: 3\n")
    with pytest.raises(ValueError, match=r"line 3: the key 'a' stands twice"):
        data.parse(path)


def test_all_files_are_free_of_duplicate_keys_and_carry_a_version():
    files = [path for path in data.FOLDER.glob("*.yaml") if "schema" not in path.name]
    assert len(files) >= 5
    for path in files:
        assert data.parse(path)["format_version"] == 1


def test_networks_name_their_source():
    for network in data.load("networks")["networks"].values():
        assert network["source"] and network["basis"] and network["layers"]


def cited(table, record):
    """Every record of a file names a basis, and sources that the file lists; so do its exceptions."""
    for entry in (record, *record.get("except", {}).values()):
        sources = entry.get("sources") or [entry["source"]]
        assert entry["basis"] and sources and set(sources) <= set(table["sources"]), record
    assert set(record.get("except", {})) <= set(record)


MODELS = data.load("models")["models"]


def parameters(shape, experts):
    """Weights of a model of which so many experts are counted, by the formula of its file."""
    width = shape["d_model"]
    attention = 2 * width**2 + 2 * width * shape["kv_heads"] * shape["head_dim"]
    router = shape["experts"] * width if shape["experts"] > 1 else 0
    layer = attention + experts * 3 * width * shape["d_ff"] + router + 2 * width
    return shape["layers"] * layer + width + 2 * shape["vocab"] * width


@pytest.mark.parametrize("id", MODELS)
def test_the_parameters_of_a_model_follow_from_its_shape(id):
    shape = MODELS[id]
    cited(data.load("models"), shape)
    assert shape["chosen"] <= shape["experts"] and not shape["tied_embeddings"]
    numbers = {key: value for key, value in shape.items() if type(value) in (int, float)}
    assert all(value > 0 for value in numbers.values()) and shape["active_params"] <= shape["params"] < 1e12
    if "kv_latent" not in shape:
        assert shape["heads"] * shape["head_dim"] == shape["d_model"] and shape["heads"] % shape["kv_heads"] == 0
        assert parameters(shape, shape["experts"]) == shape["params"]
        assert parameters(shape, shape["chosen"]) == shape["active_params"]


def test_models_have_the_sizes_that_the_chapters_name():
    counts = {id: (shape["params"], shape["active_params"]) for id, shape in MODELS.items()}
    assert counts["llama-2-7b"][0] == 6_738_415_616 and counts["llama-2-13b"][0] == 13_015_864_320
    assert counts["llama-2-70b"][0] == 68_976_648_192 and counts["llama-3-8b"][0] == 8_030_261_248
    assert counts["mixtral-8x7b"] == (46_702_792_704, 12_879_925_248)
    for id, size in (("llama-3-8b", 8e9), ("llama-3-70b", 70e9), ("llama-3-405b", 405e9)):
        assert counts[id][0] == pytest.approx(size, rel=0.01)


def test_a_latent_cache_and_its_experts_add_up():
    shape = MODELS["deepseek-v3"]
    assert shape["layers"] * shape["kv_latent"] * 2 == 70_272  # bytes of a token in 16 bits
    expert = 3 * shape["d_model"] * shape["d_ff"]
    routed = (shape["layers"] - shape["dense_layers"]) * shape["experts"] * expert
    assert 0.95 < routed / shape["params"] < 1


LINKS = data.load("memory_levels")["links"]


@pytest.mark.parametrize("link", LINKS, ids=lambda link: link["id"])
def test_links_follow_from_lanes_and_are_faster_than_what_was_measured(link):
    cited(data.load("memory_levels"), link)
    if "lanes" in link:
        coded = link["lanes"] * link["gt_per_s"] * 1e9 * 128 / 130 / 8
        assert coded == pytest.approx(link["bytes_per_s"], rel=0.005)
    else:
        assert link["bytes_per_s"] == link["both_ways_bytes_per_s"] / 2
    assert 0.3 < data.rows("link_bandwidth")[link["measured"]]["value"] * 1e9 / link["bytes_per_s"] < 1


def test_links_agree_with_the_catalog_of_chips():
    rates = {link["name"]: link["bytes_per_s"] for link in LINKS}
    assert len(rates) == len({link["id"] for link in LINKS}) == len(LINKS)
    for device in DEVICES:
        link = device.get("host_link", {})
        if link.get("kind") in rates and link["bandwidth_gb_s"]:
            ways = {"per_direction": 1, "bidirectional_total": 2}[link["direction"]]
            assert link["bandwidth_gb_s"] / ways * 1e9 == pytest.approx(rates[link["kind"]], rel=0.02), device["id"]


def test_estimates_say_what_for_and_why_and_stay_in_range():
    table = data.load("memory_levels")
    for name, entry in table["estimates"].items():
        cited(table, entry)
        assert entry["basis"] == "estimate" and entry["what"] and entry["why"], name
        assert 1e-9 < entry.get("seconds", 1e-3) < 1e-2 and 1e9 < entry.get("bytes_per_s", 1e10) < 1e13, name


def test_the_estimated_latency_lies_between_the_published_ones():
    entry = data.load("memory_levels")["estimates"]["load_latency"]
    assert entry["cycles"] / entry["clock_hz"] == pytest.approx(entry["seconds"], rel=0.002)
    published = [row.value for row in levels.published(entry["chip"], "dram", "latency").values]
    assert min(published) < entry["seconds"] < max(published)


PARTS = [
    pytest.param(chip, level, id=f"{chip['id']}-{level['kind']}")
    for chip in data.load("memory_levels")["chips"]
    for level in chip["levels"]
    if "parts" in level
]


@pytest.mark.parametrize(("chip", "level"), PARTS)
def test_the_parts_of_a_level_multiply_to_its_first_bandwidth(chip, level):
    parts = level["parts"]
    cited(data.load("memory_levels"), parts)
    built = parts["units"] * parts["bytes_per_clock"] * chip["clock_hz"]
    assert built == pytest.approx(level["bandwidth"][0]["bytes_per_s"], rel=0.003)
    if "lanes" in parts:
        assert parts["lanes"] * parts["operands"] * parts["operand_bytes"] == parts["bytes_per_clock"]
    if "banks" in parts:
        assert parts["banks"] * parts["bank_bytes"] == parts["bytes_per_clock"]
    if parts["unit"] == "SM":
        assert parts["units"] == hardware.chip(chip["id"]).units


def levels_of(chip):
    return next(entry["levels"] for entry in data.load("memory_levels")["chips"] if entry["id"] == chip)


def test_the_a100_has_parts_for_every_level_above_its_memory():
    units = {level["kind"]: level["parts"]["units"] for level in levels_of("a100-80gb-sxm") if "parts" in level}
    assert units == {"registers": 108, "shared": 108, "l2": 1}


def test_what_gpus_have_in_common_agrees_with_their_limits():
    table = data.load("gpus")
    common, archs = table["common"], {entry["id"] for entry in table["sm_limits"]}
    for record in (common, *table["features"], *table["sm_limits"]):
        cited(table, record)
    for feature in table["features"]:
        assert set(feature["archs"]) <= archs
    for entry in table["tensor"]:
        assert entry["chip"] in hardware.chips() and (entry.get("arch") in archs or entry["generation"] == "Blackwell")
    for limit in table["sm_limits"]:
        assert limit["max_warps"] * common["warp_lanes"] >= common["max_threads_per_block"]
        assert limit["registers"] >= common["max_registers_per_thread"] * common["warp_lanes"]
    shared = next(level for level in levels_of("a100-80gb-sxm") if level["kind"] == "shared")["parts"]
    assert (shared["banks"], shared["bank_bytes"]) == (common["shared_banks"], common["bank_bytes"])


SYSTOLIC = data.load("systolic")


@pytest.mark.parametrize("record", SYSTOLIC["arrays"], ids=lambda record: record["chip"])
def test_arrays_at_a_plausible_clock_give_the_published_peak(record):
    cited(SYSTOLIC, record)
    chip = hardware.chip(record["chip"])
    peak = chip.peak("bf16" if "bf16" in chip.matrix else "int8")

    def clock(arrays):
        return peak / hardware.peak_from_units(arrays, 2 * record["edge"] ** 2, 1)

    fits = clock(record.get("arrays_from_peak", record["arrays"]))
    assert 0.5e9 < fits < 2.5e9
    if chip.clock_hz:
        assert fits == pytest.approx(chip.clock_hz, rel=0.01)
    if "arrays_from_peak" in record:
        assert clock(record["arrays"]) > 3e9


def test_every_tpu_of_the_catalog_has_its_arrays():
    assert [record["chip"] for record in SYSTOLIC["arrays"]] == [d["id"] for d in DEVICES if d["id"].startswith("tpu-")]
    cited(SYSTOLIC, SYSTOLIC["vector_register"])


@pytest.mark.parametrize("record", SYSTOLIC["tpu_applications"], ids=lambda record: record["name"])
def test_the_applications_of_the_first_tpu_are_the_measured_rows(record):
    cited(SYSTOLIC, record)
    rows = data.rows("tpu_v1")
    found = {row["metric"]: row for row in rows.values() if row["workload"] == record["name"]}
    assert found["delivered"]["value"] * 1e12 == pytest.approx(record["delivered_ops_per_s"], rel=1e-12)
    assert found["array_active_cycles"]["value"] == pytest.approx(100 * record["active"])
    assert found["weight_stall_cycles"]["value"] == pytest.approx(100 * record["stalled"])
    assert found["speedup"]["value"] == record["speedup_over_cpu"]
    error = rows[f"tpu1_model_error_{record['name'].lower()}"]["value"]
    assert error == pytest.approx(100 * record["model_error"])
    conditions = found["delivered"]["conditions"]
    assert conditions["weights"] == f"{record['weights'] // 10**6}M" and conditions["batch"] == record["batch"]
    assert conditions["macs_per_weight_byte"] == record["macs_per_weight_byte"]
    assert record["active"] + record["stalled"] <= 1
    assert record["delivered_ops_per_s"] < hardware.chip(record["chip"]).peak("int8")


def test_energies_name_the_level_they_are_asked_for_by():
    rows = [row for row in data.load("energy")["memory_access"] if "level" in row]
    pairs = [(row["level"], row["node_nm"]) for row in rows]
    assert len(pairs) == len(set(pairs)) == 13
    for row in data.load("energy")["dram_by_generation"]:
        assert type(row["access"]) is bool and (row["value"] or not row["access"])
