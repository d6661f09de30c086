"""Config: a language model from its config.json, in the format of Hugging Face; field by field, and nothing guessed.

What a family's own code fixes (biases, norms, the fields of its experts) stands in data/configs.yaml. Ignored: layers
that predict further tokens, and the scales of quantised weights but of mxfp4.
"""

import json
from collections.abc import Mapping
from dataclasses import replace

from accelerator_lib import data
from accelerator_lib.checks.inputs import NotAvailable, shown
from accelerator_lib.workload.models import Model
from accelerator_lib.workload.transformer import attention, params

MOST = 10**9  # of any size in a file
NEEDED = "take the whole config.json"


def read_config(given, name=None):
    """The Model of a config.json, as its text or as a dict. Raises NotAvailable, in one line, for what is unknown, is
    missing or contradicts another field; ValueError where the text is no JSON, TypeError for anything else."""
    fields = _Fields(parsed(given))
    heads, layers, d_model = (fields.whole(key) for key in ("num_attention_heads", "num_hidden_layers", "hidden_size"))
    own = {"layers": layers, "heads": heads, "d_model": d_model, "vocab": fields.whole("vocab_size")}
    own |= {"d_ff": fields.whole("intermediate_size"), "tied_embeddings": fields.truth("tie_word_embeddings")}
    own |= _attention(fields, heads, d_model)
    own |= _experts(fields, own) | _window(fields, layers) | {"context_tokens": fields.maybe("max_position_embeddings")}
    own["vectors"] = _vectors(fields, own)
    made = Model(id="yours", name="", params=0, active_params=0, **own, source="its config.json")
    made = replace(made, params=params(made), active_params=params(made, active=True))
    title = name or str(fields.given.get("_name_or_path") or "").rstrip("/").rpartition("/")[2]
    title = title[:60] or f"{fields.kind} {made.params / 1e9:.3g}B"
    return replace(made, name=title, stored_bytes=_stored(fields, made))


class _Fields:  # of a file, with what its family's code takes for those that are not there
    def __init__(self, given):
        facts = data.load("configs")
        self.given, self.kind, families = given, given.get("model_type"), facts["families"]
        inner = [key for key in ("text_config", "llm_config", "language_config") if key in given]
        self.refuse(inner and "hidden_size" not in given, f"several parts: give what stands under {inner} alone")
        self.refuse(self.kind is None, f"model_type is missing; {NEEDED}")
        self.refuse(self.kind not in list(families), f"model_type {shown(self.kind)} is none of {', '.join(families)}")
        self.family = families[self.kind]
        self.given = {**self.family.get("absent", {}), **given}
        made, known = given.get("architectures"), self.family.get("class", f"{self.kind.replace('_', '')}forcausallm")
        self.refuse(made and known not in str(made).lower(), f"architectures {shown(made)}: {known} is known here")
        for flag in facts["flags"]:
            odd = given.get(flag) and flag not in self.family.values()
            self.refuse(odd, f"{flag} {shown(given.get(flag))}: what it adds to a {self.kind} is unknown here")

    def refuse(self, wrong, why):
        if wrong:
            raise NotAvailable(why)

    def whole(self, key, low=1):
        self.refuse(self.given.get(key) is None, f"{key} is missing, and a {self.kind} needs it; {NEEDED}")
        return self.maybe(key, low)

    def maybe(self, key, low=1):
        found = self.given.get(key)
        odd = found is not None and (type(found) is not int or not low <= found <= MOST)
        self.refuse(odd, f"{key} must be a whole number from {low} to {MOST:,}, not {shown(found)}")
        return found

    def truth(self, key):
        found = self.given.get(key)
        self.refuse(found not in (None, True, False), f"{key} must be true or false, not {shown(found)}")
        return bool(found)

    def has(self, what):
        found = self.family.get(what, False)  # always, never, or where a field says so
        return self.truth(found) if isinstance(found, str) else found


def parsed(given):
    """The table of fields of a text or a dict. Raises ValueError, TypeError."""
    if isinstance(given, str):
        try:
            given = json.loads(given)
        except (ValueError, RecursionError) as why:
            raise ValueError(f"this is no JSON: {why}") from None
    if not isinstance(given, Mapping):
        raise TypeError(f"a table of fields is needed, {{...}}, not {shown(given)}")
    return given


def _attention(fields, heads, d_model):
    if fields.family.get("latent"):
        fields.refuse("q_lora_rank" not in fields.given, "q_lora_rank is missing: a number, or null for none")
        names = "qk_nope_head_dim", "qk_rope_head_dim", "v_head_dim", "kv_lora_rank"
        *parts, kept = (fields.whole(key) for key in names)
        return {"kv_latent": kept + parts[1], "latent": (fields.maybe("q_lora_rank") or 0, *parts)}
    groups, width = fields.maybe("num_key_value_heads"), fields.maybe("head_dim")
    kv = groups or (heads if fields.family.get("kv_as_heads") else fields.whole("num_key_value_heads"))
    fields.refuse(heads % kv, f"num_attention_heads {heads} is no multiple of num_key_value_heads {kv}: one is wrong")
    odd = width is None and d_model % heads
    fields.refuse(odd, f"hidden_size {d_model} is no multiple of num_attention_heads {heads}: head_dim is needed")
    width = width or d_model // heads
    return {"kv_heads": kv, "head_dim": width, "q_width": heads * width}


def _experts(fields, own):
    names = fields.family.get("experts")
    if not names:
        return {}
    count, chosen = fields.whole(names["count"]), fields.whole("num_experts_per_tok")
    dense, shared = (fields.maybe(names.get(key), 0) or 0 for key in ("dense", "shared"))
    for key, usual in (("decoder_sparse_step", 1), ("moe_layer_freq", 1), ("mlp_only_layers", [])):
        given = fields.given.get(key)
        odd = given not in (None, usual)
        fields.refuse(odd, f"{key} {shown(given)}: which layers have experts is known here for {usual} alone")
    fields.refuse(chosen > count, f"num_experts_per_tok {chosen} is more than {names['count']} {count}: one is wrong")
    fields.refuse(dense > own["layers"], f"{names.get('dense')} {dense} is more than num_hidden_layers: one is wrong")
    wide, apart = fields.whole(names.get("width", "intermediate_size")), names.get("shared_width")
    found = {"experts": count, "chosen": chosen, "d_ff": wide, "dense_layers": dense, "dense_d_ff": own["d_ff"]}
    found |= {"shared_experts": 1 if apart else shared, "shared_d_ff": fields.whole(apart) if apart else shared * wide}
    return found | {"expert_vectors": 2 * wide + own["d_model"] if names.get("biases") else 0}


def _window(fields, layers):
    """The window, and how many layers have it: as listed, or as the family lays them out."""
    way, size, kinds = fields.family.get("window"), fields.maybe("sliding_window"), fields.given.get("layer_types")
    odd = kinds is not None and (len(kinds) != layers or {*map(str, kinds)} - {"sliding_attention", "full_attention"})
    fields.refuse(odd, f"layer_types must hold sliding_attention or full_attention for each of {layers} layers")
    if not way or size is None or (way == "last" and not fields.truth("use_sliding_window")):
        return {}
    if kinds is not None:
        many = list(kinds).count("sliding_attention")
    elif way == "last":
        many = max(0, layers - fields.whole("max_window_layers", 0))
    else:
        every = {"all": layers + 1, "every second": 2}.get(way) or fields.whole("sliding_window_pattern")
        many = layers - layers // every
    return {"window": size, "windowed_layers": many}


def _vectors(fields, own):
    """Elements of all norms, biases and gates that are one column."""
    d, moe = own["d_model"], own["layers"] - own.get("dense_layers", 0)
    each = fields.family.get("norms", 2) * d + (2 * own["d_ff"] + d) * fields.has("mlp_bias")
    if own.get("latent"):
        each += own["latent"][0] + own["kv_latent"] - own["latent"][2]
    else:
        q, kv = own["q_width"], own["kv_heads"] * own["head_dim"]
        each += (q + 2 * kv) * fields.has("qkv_bias") + d * fields.has("o_bias") + own["heads"] * fields.has("sinks")
        each += {"head": 2 * own["head_dim"], "width": q + kv}.get(fields.family.get("qk_norm"), 0)
    routed = fields.has("router_bias") * own.get("experts", 0) + fields.has("shared_gate") * d
    return own["layers"] * each + moe * routed + bool(fields.family.get("norms", 2)) * d


def _stored(fields, model):
    """Bytes of the weights as they are stored, None where not quantised: tables, norms, routers in 16 bits."""
    said = fields.given.get("quantization_config")
    if not said:
        return None
    way, small = said.get("quant_method"), 4 if said.get("load_in_4bit") else 8 if said.get("load_in_8bit") else None
    bits = {"fp8": 8, "mxfp4": 4.25, "bitsandbytes": small, "gptq": said.get("bits"), "awq": said.get("bits")}.get(way)
    odd = bits not in (2, 3, 4, 4.25, 8)
    fields.refuse(odd, f"quantization_config {shown(way)}, bits {shown(bits)}: how weights are stored is unknown here")
    d, several = model.d_model, model.experts * (model.experts > 1) * (model.layers - model.dense_layers)
    whole = (1 if model.tied_embeddings else 2) * model.vocab * d + model.vectors + several * (d + model.expert_vectors)
    whole += model.layers * attention(model) if way == "mxfp4" else 0
    return 2 * whole + (model.params - whole) * bits / 8
