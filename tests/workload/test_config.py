"""A config.json and a datasheet of the reader's own: counts, refusals, and the menus that list them."""

import json

import pytest
from refused import refused

from accelerator_course import views
from accelerator_course.quiz import progress
from accelerator_course.widgets import Panel, chapter_bar, log, yours
from accelerator_course.widgets.yours import own, use
from accelerator_lib import data, hardware, llm
from accelerator_lib.checks.inputs import NotAvailable, UnknownName
from accelerator_lib.workload.config import read_config
from accelerator_lib.workload.transformer import params

PUBLISHED = data.load("configs")["published"]
LLAMA, QWEN, GEMMA = (dict(PUBLISHED[name]["config"]) for name in ("Llama 3.1 8B", "Qwen3 30B A3B", "Gemma 3 1B"))
DEEPSEEK, OSS = (dict(PUBLISHED[name]["config"]) for name in ("DeepSeek-V3", "gpt-oss 20B"))
SHEET = {"name": "my chip", "format": "bf16", "peak_tflops": 989.4, "peak_counts": "dense", "flop_per_clock": 540672}
SHEET |= {"clock_mhz": 1830, "memory_gb": 80, "bandwidth_gb_s": 3350, "link_gb_s": 900, "link_counts": "both ways"}


def matrices(model):
    """[(name, rows, columns, how many)] of all weight matrices; norms and biases last, as one column."""
    d, n, heads, moe = model.d_model, model.layers, model.heads, model.layers - model.dense_layers
    if model.latent:
        q, plain, turned, value = model.latent
        kept, wide = model.kv_latent - turned, heads * (plain + turned)
        found = [("q_a", q, d, n), ("q_b", wide, q or d, n), ("kv_a", kept + turned, d, n)]
        found += [("kv_b", heads * (plain + value), kept, n), ("o", d, heads * value, n)]
    else:
        kv, wide = model.kv_width, model.attention_width
        found = [("q", wide, d, n), ("k", kv, d, n), ("v", kv, d, n), ("o", d, wide, n)]
    found += [("router", model.experts * (model.experts > 1), d, moe)]
    for kind, wide, times in (("expert", model.d_ff, moe * model.experts), ("shared", model.shared_d_ff, moe)):
        found += [(f"{kind} gate", wide, d, times), (f"{kind} up", wide, d, times), (f"{kind} down", d, wide, times)]
    wide, vectors = model.dense_d_ff or 0, (2 * n + 1) * d if model.vectors is None else model.vectors
    found += [(f"dense {name}", wide, d, model.dense_layers) for name in ("gate", "up", "down")]
    found += [("embedding", model.vocab, d, 1), ("head", model.vocab, d, 0 if model.tied_embeddings else 1)]
    found += [("norms and biases", vectors + moe * model.experts * model.expert_vectors, 1, 1)]
    return [one for one in found if all(one)]


@pytest.mark.parametrize("name", PUBLISHED)
def test_weights_are_those_that_are_published_by_the_formula_and_by_the_list_of_matrices(name):
    model = read_config(json.dumps(dict(PUBLISHED[name]["config"])), name)
    assert model.params == params(model) == PUBLISHED[name]["params"]
    assert sum(rows * columns * times for _, rows, columns, times in matrices(model)) == model.params
    assert (model.active_params < model.params) == (model.experts > 1)
    assert model.name == name and len(PUBLISHED) >= 25


def test_a_model_of_the_table_and_its_config_are_one_record():
    table, read = llm.model("llama-3-8b"), read_config(LLAMA)
    assert llm.counts.of(table) == llm.counts.of(read)
    assert read.name == "llama 8.03B" and read_config(LLAMA | {"_name_or_path": "meta/Mine-8B"}).name == "Mine-8B"


def test_what_follows_from_latents_experts_windows_and_tied_tables():
    v3 = read_config(DEEPSEEK)
    assert llm.kv_bytes_per_token(v3) == 2 * 61 * 576 and round(v3.active_params / 1e9) == 38
    assert round(v3.stored_bytes / 1e9) == 673 and round(read_config(OSS).stored_bytes / 1e9, 2) == 13.76
    made = llm.counts.of(v3).token_flops(1001) - llm.counts.of(v3).token_flops(1)  # each head meets 576, and sums 512
    assert made == 1000 * 61 * 128 * 2 * (576 + 512) > 3 * 1000 * 4 * llm.counts.of(v3).wide
    gemma = llm.counts.of(read_config(GEMMA))
    assert gemma.table == 0 and gemma.head == 262144 * 1152 and gemma.read(1) == gemma.weights
    assert gemma.kept(512) == 512 and gemma.kept(4608) == pytest.approx(512 + 4096 * 4 / 26)  # 4 layers keep all
    whole = llm.counts.of(read_config(GEMMA | {"sliding_window": 10**6}))
    met = sum(min(row, 512) for row in range(1, 1025))  # pairs of a windowed layer, one by one
    fewer = 4 * gemma.wide * 22 / 26 * (1024 * 1025 / 2 - met)
    assert whole.prompt_flops(1024, 1024 * 1025 / 2) - gemma.prompt_flops(1024, 1024 * 1025 / 2) == pytest.approx(fewer)
    listed = ["sliding_attention", "full_attention"] * 12
    assert read_config(OSS | {"layer_types": listed}).windowed_layers == read_config(OSS).windowed_layers == 12


@pytest.mark.parametrize(
    "config, said",
    [
        (LLAMA | {"model_type": None}, "model_type is missing"),
        (LLAMA | {"model_type": "lama"}, "model_type 'lama' is none of llama, mistral"),
        (LLAMA | {"hidden_size": None}, "hidden_size is missing, and a llama needs it"),
        (QWEN | {"num_key_value_heads": None}, "num_key_value_heads is missing"),
        (QWEN | {"moe_intermediate_size": None}, "moe_intermediate_size is missing"),
        (LLAMA | {"num_key_value_heads": 5}, "num_attention_heads 32 is no multiple of num_key_value_heads 5"),
        (LLAMA | {"num_hidden_layers": 32.5}, "num_hidden_layers must be a whole number"),
        (LLAMA | {"tie_word_embeddings": "no"}, "tie_word_embeddings must be true or false"),
        (
            LLAMA | {"hidden_size": 4097},
            "hidden_size 4097 is no multiple of num_attention_heads 32: head_dim is needed",
        ),
        (LLAMA | {"architectures": ["MistralForCausalLM"]}, "llamaforcausallm is known here"),
        (QWEN | {"num_experts_per_tok": 256}, "num_experts_per_tok 256 is more than num_experts 128"),
        (QWEN | {"mlp_only_layers": [0]}, r"mlp_only_layers \[0\]: which layers have experts"),
        (DEEPSEEK | {"first_k_dense_replace": 99}, "first_k_dense_replace 99 is more than num_hidden_layers"),
        (GEMMA | {"layer_types": ["sliding_attention"]}, "for each of 26 layers"),
        (GEMMA | {"layer_types": ["linear_attention"] * 26}, "layer_types must hold sliding_attention or full"),
        (dict(PUBLISHED["Command R"]["config"]) | {"use_qk_norm": True}, "use_qk_norm True: what it adds to a cohere"),
        (LLAMA | {"quantization_config": {"quant_method": "gguf"}}, "quantization_config 'gguf', bits None"),
        ({"model_type": "gemma3", "text_config": GEMMA}, r"give what stands under \['text_config'\] alone"),
    ],
)
def test_what_is_unknown_missing_or_contradicts_is_refused_by_name(config, said):
    refused(NotAvailable, said, read_config, config)
    refused(ValueError, "this is no JSON", read_config, "{not json")
    refused(ValueError, "this is no JSON", read_config, "[" * 10**5)
    refused(TypeError, "a table of fields is needed", read_config, "[1, 2]")


def test_a_datasheet_gives_a_chip_and_its_tricks_are_refused():
    chip, h100 = hardware.read_sheet(SHEET), hardware.chip("h100-sxm5")
    assert (chip.peak("bf16"), chip.bytes_per_s, chip.link_bytes_per_s) == (989.4e12, h100.bytes_per_s, 450e9)
    sparse = hardware.read_sheet(SHEET | {"peak_tflops": {"bf16": 1978.8, "fp8": 3957.6}, "peak_counts": "sparse"})
    assert sparse.peak("fp8") == 2 * sparse.peak("bf16") == sparse.sparse_peak("bf16") == 1978.8e12
    for change, said in (
        ({"peak_tflops": 1979}, "a sparse peak; peak_counts must say so"),
        ({"peak_counts": "sparse"}, "a dense peak; peak_counts must say so"),
        ({"clock_mhz": 1500}, "a boost clock: give what the chip keeps up"),
        ({"clock_mhz": 2500}, "one of the three is wrong"),
        ({"tdp": 700}, "tdp is no field"),
    ):
        refused(NotAvailable, said, hardware.read_sheet, SHEET | change)
    refused(NotAvailable, "bandwidth_gb_s is missing", hardware.read_sheet, {"name": "x"})
    refused(UnknownName, "one way, both ways", hardware.read_sheet, SHEET | {"link_counts": "total"})


def step(model="llama-2-7b", chip=hardware.chip("h100-sxm5"), weights=7e9):
    return {"weights": llm.param_count(model) + weights, "room": chip.capacity_bytes}


def test_what_is_chosen_stands_in_every_menu_in_the_bar_and_after_a_restart_and_leaves_in_one_step(
    tmp_path, monkeypatch
):
    monkeypatch.setenv(progress.HOME, str(tmp_path))
    menus = {"model": yours("model", ["llama-2-7b", "llama-3-8b"]), "chip": yours("chip", hardware.chips("bf16"))}
    menus["weights"] = log(1e9, 1e12, own="active_params")
    panel, bar = Panel(step, views.Bars("bytes", "B", (0, 1e13)), **menus), chapter_bar("llm")
    at = panel.values
    assert bar.yours == [] and own() == {}
    bar._handle_custom_msg({"yours": json.dumps(QWEN)}, [])
    assert use(json.dumps(SHEET)).startswith("my chip: 989 TFLOP/s dense in bf16; its link 450 GB/s one way")
    assert bar.said.startswith("qwen3_moe 30.5B: 30,532,122,624 weights; a token uses 3,353,032,704 of them")
    assert bar.yours == ["yours: qwen3_moe 30.5B", "yours: my chip"] and panel.values["weights"] == 3353032704
    again = Panel(step, views.Bars("bytes", "B", (0, 1e13)), **menus)  # in another chapter, or after a restart
    for one in (panel, again):
        assert (one.values["model"].name, one.values["chip"].name) == ("qwen3_moe 30.5B", "my chip")
        assert one.defaults == at
    again.reset()
    assert again.values == at
    assert use('{"model_type": "nonsense"}').startswith("Not taken: model_type 'nonsense' is none of llama")
    bar._handle_custom_msg({"yours": ""}, [])
    assert bar.yours == [] and own() == {} and panel.values == at and len(panel.controls["model"].options) == 2
