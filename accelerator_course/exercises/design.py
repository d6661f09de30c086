"""Exercises of chapter 13."""

from functools import partial
from math import ceil

import numpy as np

from accelerator_course.exercises import Exercise
from accelerator_course.exercises.cases import Wrong, case, is_number, several, shown
from accelerator_lib import hardware, llm

TPOT = 0.020  # seconds, a token for every user
PLANS = (  # model, tokens in each cache, users, chip
    ("llama-3-8b", 8192, 64, "a100-80gb-sxm"),
    ("llama-3-70b", 8192, 64, "h100-sxm5"),
    ("llama-2-70b", 4096, 16, "groq-lpu"),
    ("llama-2-13b", 2048, 8, "v100-sxm2-32gb"),
)
NEAR, MODEL_BYTES = 0.03, 140e9  # a line is right within 3 %; the model that chips must hold
LINES = ("peak", "link", "per_watt", "ridge", "chips")
SEEDS = tuple(range(12))


def audit(sheet):
    """{line: its true figure} of the printed lines that are off by more than 3 %."""
    peak = sheet["arrays"] * sheet["edge"] ** 2 * 2 * sheet["clock_hz"]
    true = {
        "peak": peak,
        "link": sheet["links"] * sheet["link_bytes_per_s"],
        "per_watt": peak / max(sheet["watts"]),
        "ridge": peak / sheet["bytes_per_s"],
        "chips": ceil(140e9 / sheet["memory_bytes"]),
    }
    return {line: true[line] for line, said in sheet["printed"].items() if abs(said / true[line] - 1) > 0.03}


def sheet(seed):
    """(a sheet, {line: true figure} of those that are false): parts drawn, each line true or with its own fault."""
    draw = np.random.default_rng([13, seed])
    arrays, edge = int(draw.choice([4, 8, 16])), int(draw.choice([64, 128, 256]))
    clock = float(draw.choice([1e9, 1.75e9]))
    links, rate = int(draw.choice([4, 6, 8])), float(draw.choice([25e9, 50e9]))
    watts = int(draw.choice([150, 200])), int(draw.choice([300, 400, 600]))
    held, bandwidth = float(draw.choice([0.9e9, 24e9, 36e9])), float(draw.choice([0.8e12, 2e12, 20e12]))
    per_cycle = arrays * edge * edge * 2
    peak = per_cycle * clock
    true = {"peak": peak, "link": links * rate, "per_watt": peak / watts[1], "ridge": peak / bandwidth}
    true["chips"] = -int(-MODEL_BYTES // held)
    false = {"peak": 2 * peak, "link": 2 * links * rate, "per_watt": peak / watts[0], "ridge": 2 * peak / bandwidth}
    false["chips"] = -int(-MODEL_BYTES / 4 // held)
    planted = set(LINES) if seed == 0 else set() if seed == 1 else {line for line in LINES if draw.random() < 0.5}
    given = {"arrays": arrays, "edge": edge, "clock_hz": clock, "links": links, "link_bytes_per_s": rate}
    given |= {"watts": watts if seed % 2 else watts[::-1], "memory_bytes": held, "bytes_per_s": bandwidth}
    given["printed"] = {line: float(f"{(false if line in planted else true)[line]:.3g}") for line in LINES}
    return given, {line: true[line] for line in LINES if line in planted}


def _check_audit(function):
    for seed in SEEDS:
        (given, faults), where = sheet(seed), f"sheet {seed + 1}"
        said = given["printed"]

        def judge(got, faults=faults, where=where, said=said):
            if not isinstance(got, dict):
                raise Wrong(f"For {where} return a dict {{line: true figure}}; you returned {shown(got)}.")
            if unknown := [line for line in got if line not in LINES]:
                raise Wrong(f"For {where} you named {shown(unknown[0])}; the lines are {', '.join(LINES)}.")
            for line in LINES:
                if line in got and line not in faults:
                    raise Wrong(f"For {where} you call {line}, {said[line]:.4g}, false. The parts give it, within 3 %.")
                if line in faults and line not in got:
                    told = f"you let {line} pass, {said[line]:.4g}. The parts give {faults[line]:.4g}"
                    raise Wrong(f"For {where} {told}.")
                mine = got.get(line)
                if line in faults and not (is_number(mine) and abs(mine / faults[line] - 1) <= 1e-6):
                    raise Wrong(f"For {where}, {line}, you say {shown(mine)}; expected is {faults[line]:.6g}.")

        yield case(where, shown(faults), partial(function, {**given, "printed": dict(said)}), judge)
    return f"right for {len(SEEDS)} sheets, fault by fault."


def serving_plan(cfg, context, batch, chip):
    """Chips that hold the model and its caches, and chips that read them within 20 ms."""
    cache = 4 * cfg["layers"] * cfg["kv_heads"] * cfg["head_dim"] * context * batch
    kept = 2 * cfg["weights"] + cache
    return ceil(kept / (0.9 * chip["capacity_bytes"])), ceil(kept / (chip["bytes_per_s"] * 0.020))


def _check_plan(function):
    for id, context, batch, chip in PLANS:
        shape, one = llm.model(id), hardware.chip(chip)
        cfg = {"weights": shape.params, "layers": shape.layers, "kv_heads": shape.kv_heads, "head_dim": shape.head_dim}
        kept = 2 * shape.params + batch * context * llm.kv_bytes_per_token(shape)
        wants = (-int(-kept // (0.9 * one.capacity_bytes)), -int(-kept // (TPOT * one.bytes_per_s)))
        where = f"{shape.name}, {batch} users with {context:,} tokens, {one.short_name}"
        given = {"capacity_bytes": one.capacity_bytes, "bytes_per_s": one.bytes_per_s}

        def judge(got, wants=wants, where=where):
            several(got, 2, where, "(chips by memory, chips by time)")
            for mine, want, name in zip(got, wants, ("memory", "time"), strict=True):
                if isinstance(mine, (str, complex, type(None))) or not mine == want:
                    raise Wrong(f"For {where}, by {name}, you say {shown(mine)}; expected are {want} chips.")

        yield case(where, shown(wants), partial(function, cfg, context, batch, given), judge)
    return "right for four plans: sometimes the memory decides, sometimes the time, and in SRAM always the memory."


EXERCISES = [Exercise("13.2", _check_plan, serving_plan), Exercise("13.4", _check_audit, audit)]
