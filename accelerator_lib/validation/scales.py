"""Scales: a source may print TB/s, GFLOPS or us; a model speaks one unit of each dimension.

spoken("TB/s", ("GB/s",))  ->  ("GB/s", 1000)        1 TB/s is 1000 GB/s
"""

from functools import cache

from accelerator_lib.units import DIMENSIONS

SPELLINGS = {"us": "µs", "μs": "µs", "sec": "s", "seconds": "s", "minutes": "min", "hours": "h", "cycle": "cycles"}
SPELLINGS |= {"clk": "cycles", "clocks": "cycles", "watt": "W", "watts": "W", "percent": "%", "fraction": "1"}
SPELLINGS |= dict.fromkeys(("tok/s", "token/s", "tokens/sec", "tokens/second", "t/s"), "tokens/s")
SPELLINGS |= {f"{p}{s}": f"{p}FLOP/s" for p in ("", "G", "T", "P") for s in ("FLOPS", "FLOPs", "FLOPs/s", "flops")}
SPELLINGS |= {f"{p}OPS": f"{p}OP/s" for p in ("G", "T", "P")} | {f"{p}Bps": f"{p}B/s" for p in ("M", "G", "T")}
MORE = {  # beside the units of the course
    "time": {"ns": 1e-9, "min": 60},
    "arithmetic rate": {"MFLOP/s": 1e6, "PFLOP/s": 1e15},
    "bandwidth": {"MB/s": 1e6, "MiB/s": 2**20, "GiB/s": 2**30, "TiB/s": 2**40, "kB/s": 1e3},
    "data": {"TB": 1e12, "KiB": 2**10, "MiB": 2**20, "GiB": 2**30, "TiB": 2**40},
    "work": {"PFLOP": 1e15},
    "share": {"1": 1, "%": 0.01},
    "speed-up": {"x": 1, "times": 1},
    "integer rate": {"OP/s": 1, "GOP/s": 1e9, "TOP/s": 1e12, "POP/s": 1e15},
    "tokens": {"tokens/s": 1, "ktokens/s": 1e3, "tokens/ms": 1e3, "tokens/min": 1 / 60},
    "events": {"1/s": 1, "inferences/s": 1, "queries/s": 1, "requests/s": 1, "req/s": 1},
}
TIMES = frozenset({"s", "ms", "us", "µs", "μs", "ns", "min", "h", "cycles"})  # less is better; of other units more is
TRAFFIC = ("hbm_read_plus_write", "traffic", "bytes_moved")  # metrics of which less is better, whatever the unit


def less_is_better(row):
    """Whether the bound of a row is the least that can be measured."""
    return row["unit"] in TIMES or row["metric"] in TRAFFIC


@cache
def _sizes():
    """{unit: (dimension, how many of the base unit)}"""
    tables = {name: {**DIMENSIONS.get(name, {}), **MORE.get(name, {})} for name in (*DIMENSIONS, *MORE)}
    tables.pop("ratio")  # a share in % and a speed-up in x are two things here
    return {unit: (name, size) for name, table in tables.items() for unit, size in table.items()}


@cache
def spoken(unit, known):
    """(one of the units `known`, how many of it one `unit` is); the unit itself and 1 where none is alike."""
    plain = SPELLINGS.get(unit.strip(), unit.strip())
    if plain in known or plain not in _sizes():
        return plain, 1.0
    dimension, size = _sizes()[plain]
    for other in known:
        if _sizes().get(other, ("",))[0] == dimension:
            return other, float(f"{size / _sizes()[other][1]:.12g}")
    return plain, 1.0
