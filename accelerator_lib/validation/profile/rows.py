"""Rows of profiles: columns of the recorded kernels, or of one row that a reader states, made what the laws ask for.

Source: the profiles of aiconfigurator (NVIDIA, Apache 2.0), in data/recorded/kernels, with framework and version.
"""

from functools import cache

import numpy as np

from accelerator_lib import data
from accelerator_lib.checks.inputs import NotAvailable
from accelerator_lib.validation.devices import family, named
from accelerator_lib.validation.profile import attention, decode, exchange, products

LAWS = {"product": products, "prompt": attention, "decode": decode, "exchange": exchange}
BITS16 = {"bfloat16": "bf16", "half": "bf16", "float16": "bf16", "fp16": "bf16", "bf16": "bf16"}
ELEMENTS = dict.fromkeys(("half", *BITS16), 2.0) | {"float": 4.0, "float32": 4.0}  # bytes of one; of others one


@cache
def facts(device, dtype="bf16"):
    """{fact: value} of a device for the laws: SMs, clock [Hz], peak [FLOP/s], bandwidth and link [B/s], L2 [byte].
    Raises NotAvailable."""
    chip, own = named(device)[0], data.load("kernel_times")["chips"]
    more = own.get(chip.id, {})
    sms, clock = more.get("sms") or chip.units, more.get("clock_ghz", 0) * 1e9 or chip.clock_hz
    if not (sms and clock and "l2_mib" in more):
        raise NotAvailable(f"SMs, clock and L2 of {chip.name} are not known here; times of single kernels need them")
    found = {"sms": sms, "clock": clock, "bandwidth": chip.need("bytes_per_s"), "l2": more["l2_mib"] * 2**20}
    found |= {"link": more.get("link_gb_s", 0) * 1e9 or chip.link_bytes_per_s or np.nan, "peak": chip.peak(dtype)}
    return found | {"family": family(chip), "chip": chip.id}


def chips(devices, dtypes=None):
    """{fact: array} for each of many rows."""
    pairs = list(zip(devices, dtypes if dtypes is not None else ["bf16"] * len(devices), strict=True))
    known = {pair: facts(*pair) for pair in set(pairs)}
    names = ("sms", "clock", "bandwidth", "l2", "link", "peak")
    return {name: np.array([known[pair][name] for pair in pairs], float) for name in names}


def prepared(kind, table):
    """The work of rows, as their law takes it."""
    if kind == "product":
        formats = [products.FORMATS[each] for each in table["format"]]
        activations, weights = (np.array([each[i] for each in formats], float) for i in (0, 1))
        quantised = np.isin(table["format"], list(products.QUANTISED))
        chip = chips(table["system"], [each[2] for each in formats])
        edges, slower = (table["m"], table["n"], table["k"]), products.uneven(table["n"], table["family"])
        return products.work(*edges, activations, weights, quantised, slower, chip)
    if kind == "exchange":
        return exchange.work(table["op_name"], table["num_gpus"], table["bytes"], chips(table["system"]))
    shape = table["num_heads"], table["kv_heads"], table["head_dim"], table["window_size"]
    if kind == "decode":
        distinct = np.array([decode.DISTINCT.get(str(each), 1.0) for each in table["framework"]])
        cached = table["batch_size"], table["step"] + 1
        return decode.work(*cached, *shape, table["kv_bytes"], distinct, chips(table["system"]))
    chip, prompt = chips(table["system"], table["dtype"]), (table["batch_size"], table["isl"], table["step"])
    return attention.work(*prompt, *shape, table["causal"], table["kv_bytes"], chip)


def read(kind, table):
    """A table with what the laws ask for beside what was recorded: formats, bytes, ways of running."""
    more = {"family": np.array([facts(each)["family"] for each in table["system"]])}
    if kind == "product":
        more["format"] = plain(table["gemm_dtype"])
    elif kind == "exchange":
        more["format"] = table["op_name"]
        more["bytes"] = table["message_size"] * np.array([ELEMENTS.get(each, 1.0) for each in table["nccl_dtype"]])
    else:
        kept, more["causal"] = table["kv_cache_dtype"], table["file"] != "encoder_attention"
        more["dtype"], cached = plain(table["attn_dtype"]), plain(np.where(kept == "", table["attn_dtype"], kept))
        more["kv_bytes"] = np.where(cached == "fp8", 1.0, 2.0)
        both = np.char.add(np.char.add(more["dtype"], "/"), cached)
        both = np.where(more["causal"], both, np.char.add(both, "/all"))
        more["kv_heads"] = np.where(table["num_key_value_heads"] > 0, table["num_key_value_heads"], table["num_heads"])
        # keys for each query head: frameworks run another kernel then. Of 192, 384 of 463 such rows are of one head,
        # cut off of grouped ones; the others are too few for ways of their own. All take those of grouped heads
        own = (more["kv_heads"] == table["num_heads"]) & (table["head_dim"] != 192)
        both = np.where(own, np.char.add(both, "/own"), both)
        more["format"] = np.where(table["head_dim"] == 192, np.char.add(both, "/192"), both)  # values are narrower
    return table | more


def plain(dtypes):
    return np.array([BITS16.get(each, each) for each in dtypes])
