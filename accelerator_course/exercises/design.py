"""Exercises of chapter 13."""

from math import ceil

from accelerator_course.exercises import Exercise
from accelerator_course.exercises.auditing import check_audit
from accelerator_course.exercises.cases import Wrong, case, shown
from accelerator_course.exercises.exploring import check_search, search
from accelerator_course.exercises.slips import design as slips
from accelerator_course.exercises.slips import exploring
from accelerator_lib import hardware, llm

TPOT = 0.020  # seconds, a token for every user
PLANS = (  # model, tokens in each cache, users, chip
    ("llama-3-8b", 8192, 64, "a100-80gb-sxm"),
    ("llama-3-70b", 8192, 64, "h100-sxm5"),
    ("llama-2-70b", 4096, 16, "groq-lpu"),
    ("llama-2-13b", 2048, 8, "v100-sxm2-32gb"),
)


def audit(row):
    """The tests that a figure fails: rebuild it from its parts, then look at formats, clocks and chips."""
    parts, failed = row["parts"], set()
    value = row["value"] * (row["watts"] or 1)
    if all(part["rate"] or part["clock_hz"] for part in parts):
        rebuilt = sum(part["rate"] or 2 * part["units"] * part["macs"] * part["clock_hz"] for part in parts)
        if value > 1.5 * rebuilt:
            failed.add("two-way" if row["quantity"] == "link" else "sparse")
    elif value / sum(2 * part["units"] * part["macs"] for part in parts) > 3e9:
        failed.add("impossible")
    if any(part["dtype"] != row["dtype"] for part in parts):
        failed.add("format")
    clocks = [clock for clock in (row["reported_hz"], *(part["clock_hz"] for part in parts)) if clock]
    if len(parts) > 1 or len(set(row["chips"])) > 1 or max(clocks, default=0) > 1.03 * min(clocks, default=0):
        failed.add("mixed")
    return failed


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
            if not isinstance(got, (tuple, list)) or len(got) != 2:
                raise Wrong(f"For {where} return (chips by memory, chips by time); you returned {shown(got)}.")
            for mine, want, name in zip(got, wants, ("memory", "time"), strict=True):
                if isinstance(mine, (str, complex, type(None))) or not mine == want:
                    raise Wrong(f"For {where}, by {name}, you say {shown(mine)}; expected are {want} chips.")

        yield case(where, shown(wants), lambda f=function, a=(cfg, context, batch, given): f(*a), judge)
    return "right for four plans: sometimes the memory decides, sometimes the time, and in SRAM always the memory."


EXERCISES = [
    Exercise(
        "13.1",
        "X13.1",
        "the tests that a printed figure fails, as a set of words.",
        "Rebuild the figure first: what do its parts give in a second? Only then compare, and look at the rest.",
        check_audit,
        audit,
        (slips.counts_no_two, slips.links_are_sparse, slips.stops_at_the_first, slips.trusts_the_clock),
    ),
    Exercise(
        "13.2",
        "X13.2",
        "how many chips a service needs: by memory, and by time.",
        "How many bytes are kept? Each of them is read in every step. What holds them, and what reads them in 20 ms?",
        _check_plan,
        serving_plan,
        (slips.weights_alone, slips.keys_alone, slips.all_of_the_memory, slips.rounds_down),
    ),
    Exercise(
        "13.3",
        "X13.3",
        "the best place of a grid that you find with 500 questions, a tuple.",
        "Neighbours of a good design are good. Which two numbers must change together, so that the chip stays legal?",
        check_search,
        search,
        (exploring.by_chance, exploring.never_again, exploring.knob_by_knob),
    ),
]
