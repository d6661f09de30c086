"""Which law foretells a row, by its kind, its unit and what it states: known without any law at hand."""

import re

ALONE = {"decode_attention": "decode", "weight_only": "product"}  # kinds that only these laws know
TIMES = {"s": 1.0, "ms": 1e3, "µs": 1e6}  # how many are a second
SERVED = ("framework", "kernel", "isl", "step", "kv_heads", "num_key_value_heads", "kv_cache_dtype", "kv_dtype")
OPS = {name: name.replace("_", ".?") for name in ("all_reduce", "all_gather", "reduce_scatter")}
OPS |= {"alltoall": "all.?to.?all"}
NODE = range(2, 9)  # chips of one collective that was timed


def law(row):
    """The name of the law that foretells a row which was read: product, prompt, decode or exchange; None for others."""
    kind, stated = row["kind"], row["conditions"]
    if kind in ALONE or row["unit"] not in TIMES:
        return ALONE.get(kind)
    if re.search(r"backward|bwd", f"{row['workload']} {stated.get('pass', '')}".lower()):
        return None
    if kind == "attention" and any(stated.get(name) is not None for name in SERVED):
        return "decode" if stated.get("isl") == 1 and stated.get("step") else "prompt"
    if kind == "collective" and op(row):
        return "exchange" if (row["n_devices"] or stated.get("ranks")) in NODE else None
    return "product" if kind == "gemm" else None


def op(row):
    """The collective that a row names, None where none."""
    words = f"{row['workload']} {row['conditions'].get('op_name', '')}".lower()
    return next((name for name, pattern in OPS.items() if re.search(pattern, words)), None)
