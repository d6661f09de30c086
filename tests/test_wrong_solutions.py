"""Plausible wrong solutions of every exercise are refused, with the case; and no key is the worked solution itself."""

import ast
import inspect
from dataclasses import replace
from importlib import import_module
from itertools import pairwise

import numpy as np
import pytest

from accelerator_lib import data, energy, exercises, hardware, roofline, systolic, tiling
from accelerator_lib.exercises import energy as energy_exercises
from accelerator_lib.exercises import roofline as roofline_exercises
from accelerator_lib.exercises import systolic as systolic_exercises
from accelerator_lib.exercises import tiling as tiling_exercises
from accelerator_lib.workload import Elementwise, Gemm

# ---- 1 workload


def macs_not_flops(sizes, batch):
    return sum(batch * a * b for a, b in pairwise(sizes))


def last_layer_forgotten(sizes, batch):
    return sum(2 * batch * a * b for a, b in pairwise(sizes[:-1]))


def biases_counted(sizes, batch):
    return sum(2 * batch * a * b + batch * b for a, b in pairwise(sizes))


def one_too_many(sizes, batch):
    return sum(2 * batch * a * b for a, b in pairwise(sizes)) + 1


def im2col(x, r, s, stride, pad, axes=(0, 2, 3, 1, 4, 5), stretch=1):
    x = np.pad(x, ((0, 0), (0, 0), (pad, pad), (pad, pad)))
    windows = np.lib.stride_tricks.sliding_window_view(x, (r, s), axis=(2, 3))[:, :, ::stride, ::stretch]
    batch, channels, rows, cols = windows.shape[:4]
    return windows.transpose(axes).reshape(batch * rows * cols, channels * r * s)


def channels_last(x, r, s, stride, pad):
    return im2col(x, r, s, stride, pad, axes=(0, 2, 3, 4, 5, 1), stretch=stride)


def stride_of_rows_only(x, r, s, stride, pad):
    return im2col(x, r, s, stride, pad)


def padding_forgotten(x, r, s, stride, pad):
    return im2col(x, r, s, stride, 0, stretch=stride)


def two_matrices_in_the_mlp(cfg):
    return 2 * (4 * cfg["d_model"] ** 2 + 2 * cfg["d_model"] * cfg["d_ff"]) / (4 * cfg["d_model"])


def scores_counted_once(cfg):
    return 2 * (4 * cfg["d_model"] ** 2 + 3 * cfg["d_model"] * cfg["d_ff"]) / (2 * cfg["d_model"])


def one_token_too_many(cfg):
    return 2 * cfg["d_model"] + 1.5 * cfg["d_ff"] + 1


# ---- 2 memory


def addresses_for_lines(addresses, sets, line_bytes):
    places, hits = {}, 0
    for address in addresses:
        place = address % sets
        hits += places.get(place) == address // line_bytes
        places[place] = address // line_bytes
    return hits


def fully_associative(addresses, sets, line_bytes):
    seen, hits = set(), 0
    for address in addresses:
        hits += address // line_bytes in seen
        seen.add(address // line_bytes)
    return hits


def misses_counted(addresses, sets, line_bytes):
    places, misses = {}, 0
    for address in addresses:
        line = address // line_bytes
        misses += places.get(line % sets) != line
        places[line % sets] = line
    return misses


def each_chunk_takes_the_slower(n, t_copy, t_compute):
    return n * max(t_copy, t_compute), n * (t_copy + t_compute)


def ends_counted_twice(n, t_copy, t_compute):
    return t_copy + t_compute + n * max(t_copy, t_compute), n * (t_copy + t_compute)


def no_first_copy_in_the_sum(n, t_copy, t_compute):
    return t_copy + t_compute + (n - 1) * max(t_copy, t_compute), t_copy + n * t_compute


# ---- 3 roofline


def both_times_added(flops, bytes_moved, peak, bandwidth, overhead):
    return flops / peak + bytes_moved / bandwidth + overhead


def overhead_hidden(flops, bytes_moved, peak, bandwidth, overhead):
    return max(flops / peak, bytes_moved / bandwidth, overhead)


def the_shorter_time(flops, bytes_moved, peak, bandwidth, overhead):
    return min(flops / peak, bytes_moved / bandwidth) + overhead


def all_as_the_batch(layer_ops, chip, batch):
    """The rule of thumb "a batch above the ridge": it forgets the traffic of the activations."""
    ridge = chip.peak("bf16") / chip.bytes_per_s
    return {
        name: "memory" if batch < ridge or isinstance(work, Elementwise) else "compute"
        for name, work in layer_ops(batch).items()
    }


def peak_and_bytes_of_fp32(layer_ops, chip, batch):
    return {name: roofline.place(work, chip, "fp32").bound for name, work in layer_ops(batch).items()}


def turned_round(layer_ops, chip, batch):
    other = {"memory": "compute", "compute": "memory"}
    return {name: other[roofline.place(work, chip).bound] for name, work in layer_ops(batch).items()}


def products_only(layer_ops, chip, batch):
    works = layer_ops(batch).items()
    return {name: roofline.place(work, chip).bound for name, work in works if isinstance(work, Gemm)}


def bits_for_bytes(params, dtype, seconds):
    return 8 * params * hardware.format_bytes(dtype) / seconds


def always_two_bytes(params, dtype, seconds):
    return 2 * params / seconds


def multiplied_by_the_time(params, dtype, seconds):
    return params * hardware.format_bytes(dtype) * seconds


# ---- 4 tiling


def blocked(a, b, tile_m, tile_n, counted):
    m, n = a.shape[0], b.shape[1]
    result, moved = np.zeros((m, n)), 0
    for i in range(0, m, tile_m):
        for j in range(0, n, tile_n):
            left, right = a[i : i + tile_m], b[:, j : j + tile_n]
            result[i : i + tile_m, j : j + tile_n] = left @ right
            moved += counted(left, right)
    return result, moved


def writes_forgotten(a, b, tile_m, tile_n):
    return blocked(a, b, tile_m, tile_n, lambda left, right: left.size + right.size)


def ragged_tiles_counted_full(a, b, tile_m, tile_n):
    k = a.shape[1]
    return blocked(a, b, tile_m, tile_n, lambda left, right: tile_m * k + k * tile_n + tile_m * tile_n)


def ragged_edge_left_out(a, b, tile_m, tile_n):
    m, n = a.shape[0] // tile_m * tile_m, b.shape[1] // tile_n * tile_n
    result, size = (
        np.zeros((a.shape[0], b.shape[1])),
        lambda left, right: left.size + right.size + len(left) * len(right.T),
    )
    result[:m, :n], moved = blocked(a[:m], b[:, :n], tile_m, tile_n, size)
    return result, moved


def softmax_of_each_block(scores, values, block):
    output = 0
    for start in range(0, len(scores), block):
        weights = np.exp(scores[start : start + block] - scores[start : start + block].max())
        output = output + weights / weights.sum() @ values[start : start + block]
    return output


def no_maximum(scores, values, block):
    with np.errstate(over="ignore", invalid="ignore"):
        weights = np.exp(scores)
        return weights @ values / weights.sum()


def output_not_rescaled(scores, values, block):
    maximum, total, output = -np.inf, 0.0, np.zeros(values.shape[1])
    for start in range(0, len(scores), block):
        own = scores[start : start + block]
        largest = max(maximum, own.max())
        weights = np.exp(own - largest)
        total = total * np.exp(maximum - largest) + weights.sum()
        output = output + weights @ values[start : start + block]
        maximum = largest
    return output / total


# ---- 5 gpu


def occupancy(limit, threads, registers, shared_bytes, part_of_a_warp=True, reserve=True, partitions=True):
    warps = -(-threads // 32) if part_of_a_warp else max(1, threads // 32)
    of_a_warp = -(-registers * 32 // limit["reg_alloc_unit"]) * limit["reg_alloc_unit"]
    by_registers = limit["registers"] // of_a_warp
    if partitions:
        by_registers = by_registers // limit["sub_partitions"] * limit["sub_partitions"]
    unit = limit["shared_alloc_bytes"]
    of_a_block = -(-(shared_bytes + reserve * limit["reserved_bytes"]) // unit) * unit
    by_shared = limit["shared_kib"] * 1024 // of_a_block if of_a_block else limit["max_blocks"]
    return int(min(limit["max_blocks"], limit["max_warps"] // warps, by_registers // warps, by_shared))


def warps_not_rounded_to_partitions(limit, threads, registers, shared_bytes):
    return occupancy(limit, threads, registers, shared_bytes, partitions=False)


def reserve_forgotten(limit, threads, registers, shared_bytes):
    return occupancy(limit, threads, registers, shared_bytes, reserve=False)


def part_of_a_warp_forgotten(limit, threads, registers, shared_bytes):
    return occupancy(limit, threads, registers, shared_bytes, part_of_a_warp=False)


def blocks_not_limited(limit, threads, registers, shared_bytes):
    return occupancy({**limit, "max_blocks": 10**6}, threads, registers, shared_bytes)


def toy(warps, latency, loads, cycles):
    back, issued = [0] * (warps * loads), 0
    for cycle in range(cycles):
        free = [slot for slot, when in enumerate(back) if when <= cycle]
        if free:
            back[free[0]], issued = cycle + latency, issued + 1
    return issued / cycles


def back_one_cycle_late(warps, latency, loads, cycles=4000):
    return toy(warps, latency + 1, loads, cycles)


def one_load_for_each_warp(warps, latency, loads, cycles=4000):
    return toy(warps, latency, 1, cycles)


def busy_for_ever(warps, latency, loads, cycles=4000):
    return 1.0


# ---- 6 systolic


def all_end_with_the_first_row(a, rows, cycle):
    return [a[r, cycle - r] if r <= cycle < a.shape[1] else None for r in range(rows)]


def row_by_row_at_once(a, rows, cycle):
    return [a[r, cycle] if cycle < a.shape[1] else None for r in range(rows)]


def one_cycle_late(a, rows, cycle):
    return [a[r, cycle - r - 1] if 0 <= cycle - r - 1 < a.shape[1] else None for r in range(rows)]


def wraps_around(a, rows, cycle):
    return [a[r, cycle - r] if cycle - r < a.shape[1] else None for r in range(rows)]


def zeros_for_nothing(a, rows, cycle):
    return [a[r, cycle - r] if 0 <= cycle - r < a.shape[1] else 0 for r in range(rows)]


def choose(size, name="four 128 x 128", overlap=True, arrays=1, rows=64):
    shares = (
        systolic.cycles(Gemm(rows, size, size), edge, edge, "ws", overlap=overlap, arrays=arrays).utilization
        for edge in (128, 256)
    )
    return (name, *shares)


# ---- 8 energy


def layer_report(m, n, k, dtype, level, pj=energy.mac_pj, elements=lambda m, n, k: k * n, size=None):
    arithmetic = m * n * k * pj(dtype) * 1e-12
    movement = energy.access_pj(elements(m, n, k) * (size or hardware.format_bytes(dtype)), level) * 1e-12
    return arithmetic, movement, arithmetic + movement


def clock(static, dynamic, ratio, power_of_work=1):
    f = ratio(static, dynamic) ** (1 / 3)
    return f, f**power_of_work * (static + dynamic) / (static + dynamic * f**3)


WATTS = energy_exercises.sanity


def arithmetic_changed(chip, change):
    """The right watts, with `change(peak, dtype, wide format)` in place of those of the arithmetic."""
    dtype = next(name for name in ("fp16", "bf16", "int8") if name in chip.matrix)
    wide = "int32" if dtype == "int8" else "fp32"
    right = energy.compute_watts(chip.peak(dtype), dtype, accumulator=wide)
    return WATTS(chip) - right + change(chip.peak(dtype), dtype, wide)


def every_memory_is_hbm2(chip):
    return WATTS(replace(chip, memory="HBM2"))


def sums_no_wider_than_products(chip):
    return arithmetic_changed(chip, lambda peak, dtype, wide: energy.compute_watts(peak, dtype))


def a_mac_for_each_flop(chip):
    return arithmetic_changed(chip, lambda peak, dtype, wide: energy.compute_watts(2 * peak, dtype, accumulator=wide))


# exercise -> [(wrong solution, what the feedback must name)]
WRONG = {
    "01.1": [
        (macs_not_flops, "layers [784, 512, 512, 10] and batch 32"),
        (last_layer_forgotten, "layers [784, 512, 512, 10] and batch 32"),
        (biases_counted, "layers [784, 512, 512, 10] and batch 32"),
        (one_too_many, "returned 42795009; expected is 42795008"),
    ],
    "01.2": [
        (channels_last, "im2col @ W differs from the convolution for x "),
        (stride_of_rows_only, "stride 2"),
        (padding_forgotten, "1 x 3 x 8 x 8"),
        (lambda x, r, s, stride, pad: im2col(x, s, r, stride, pad, stretch=stride), "kernel "),
    ],
    "01.3": [
        (two_matrices_in_the_mlp, "'d_model': 4096, 'd_ff': 11008"),
        (scores_counted_once, "expected is 24704"),
        (one_token_too_many, "returned 24705"),
    ],
    "02.1": [
        (addresses_for_lines, "64 sets of 64 bytes"),
        (fully_associative, "sets of "),
        (misses_counted, "a walk of 8 KiB, twice"),
    ],
    "02.2": [
        (lambda: 256, "With rows of 256 elements"),
        (lambda: 512, "With rows of 512 elements"),
        (lambda: 384, "With rows of 384 elements"),
        (lambda: 272.0, "you returned 272.0"),
    ],
    "02.3": [
        (each_chunk_takes_the_slower, "8 chunks, copy 0.002 s, work 0.003 s, overlapped"),
        (ends_counted_twice, "8 chunks, copy 0.002 s, work 0.003 s, overlapped"),
        (no_first_copy_in_the_sum, "one after the other"),
    ],
    "03.1": [
        (both_times_added, "2e+12 FLOP, 1e+09 bytes"),
        (overhead_hidden, "2e+12 FLOP, 1e+09 bytes"),
        (the_shorter_time, "2e+12 FLOP, 1e+09 bytes"),
    ],
    "03.2": [
        (all_as_the_batch, "At batch 336 you call query 'compute'-bound"),
        (peak_and_bytes_of_fp32, "At batch 336 you call query 'compute'-bound"),
        (turned_round, "At batch 1 you call query 'compute'-bound"),
        (products_only, "At batch 1 return a dict"),
    ],
    "03.3": [
        (bits_for_bytes, "8,030,261,248 parameters in bf16"),
        (always_two_bytes, "parameters in int8"),
        (multiplied_by_the_time, "8,030,261,248 parameters in bf16"),
    ],
    "04.1": [
        (writes_forgotten, "64 x 64 x 32 in tiles of 16 x 16"),
        (ragged_tiles_counted_full, "70 x 50 x 33 in tiles of 32 x 16"),
        (ragged_edge_left_out, "70 x 50 x 33 in tiles of 32 x 16"),
    ],
    "04.2": [
        (softmax_of_each_block, "Blocks of 1"),
        (no_maximum, "scores up to 1,000"),
        (output_not_rescaled, "Blocks of 1"),
    ],
    "04.3": [
        (lambda budget: (128, 128), "128 x 128 moves"),
        (lambda budget: (224, 192), "224 x 192 moves"),
        (lambda budget: (256, 256), "256 x 256 needs"),
        (lambda budget: (226, 226), "must be multiples of 32"),
    ],
    "05.1": [
        (warps_not_rounded_to_partitions, "registers"),
        (reserve_forgotten, "bytes (limit: shared"),
        (part_of_a_warp_forgotten, "threads"),
        (blocks_not_limited, "sm80, 32 threads, 16 registers, 0 bytes (limit: blocks)"),
    ],
    "05.2": [
        (lambda point, field, count: 3 * point + field, "field 0 of 32 points touches 12 sectors"),
        (lambda point, field, count: field * (count + 1) + point, "from 0 to 287"),
        (lambda point, field, count: point, "a place of its own"),
    ],
    "05.3": [
        (back_one_cycle_late, "4 warps, latency 20, 2 loads"),
        (one_load_for_each_warp, "4 warps, latency 20, 2 loads"),
        (busy_for_ever, "4 warps, latency 20, 2 loads"),
    ],
    "06.1": [
        (lambda left, top, total: (left, top, left * top), "a of "),
        (lambda left, top, total: (top, left, total + left * top), "a of "),
        (lambda left, top, total: (left, top, total + left + top), "a of "),
    ],
    "06.2": [
        (row_by_row_at_once, "a of 3 x 3, cycle 0: into row 1 goes nothing"),
        (one_cycle_late, "a of 1 x 1, cycle 0: into row 0 goes a[0, 0]"),
        (all_end_with_the_first_row, "a of 3 x 3, cycle 3: into row 1 goes a[1, 2]"),
        (wraps_around, "a of 3 x 3, cycle 0: into row 1 goes nothing"),
        (zeros_for_nothing, "a of 1 x 1, cycle 1: into row 0 goes nothing"),
    ],
    "06.3": [
        (lambda size: choose(size, "one 256 x 256"), "At size 4096 'one 256 x 256' needs more cycles"),
        (lambda size: choose(size, overlap=False), "size 4096, the busy share of one 128 x 128"),
        (lambda size: choose(size, arrays=4), "size 4096, the busy share of one 128 x 128"),
        (lambda size: choose(size, rows=65), "size 4096, the busy share of one 128 x 128"),
        (lambda size: choose(4096), "size 1000, the busy share of one 128 x 128"),
        (lambda size: choose(size, "four"), "'four' is no design"),
    ],
    "08.1": [
        (lambda *layer: layer_report(*layer, pj=lambda dtype: 2 * energy.mac_pj(dtype)), "1 x 4096 x 4096, fp16"),
        (lambda *layer: layer_report(*layer, elements=lambda m, n, k: m * k + k * n + m * n), "hbm2_low, movement"),
        (lambda *layer: layer_report(*layer, size=2), "int8, sram_1mb, movement"),
        (lambda *layer: layer_report(*layer, elements=lambda m, n, k: m * n), "1 x 4096 x 4096, fp16, hbm2_low"),
    ],
    "08.2": [
        (lambda s, d: clock(s, d, lambda s, d: s / d), "100 W static and 300 W dynamic, the clock"),
        (lambda s, d: clock(s, d, lambda s, d: s / (3 * d)), "100 W static and 300 W dynamic, the clock"),
        (lambda s, d: clock(s, d, lambda s, d: s / (2 * d), 0), "100 W static and 300 W dynamic, the gain"),
        (lambda s, d: (1.0, 1.0), "100 W static and 300 W dynamic, the clock"),
    ],
    "08.3": [
        (every_memory_is_hbm2, "For t4"),
        (sums_no_wider_than_products, "For v100-sxm2-32gb"),
        (a_mac_for_each_flop, "For v100-sxm2-32gb"),
    ],
}
TOPICS = {entry["name"].partition("_")[0]: topic for topic, entry in data.chapters().items()}
CASES = [
    pytest.param(id, wrong, named, id=f"{id}-{place}")
    for id, wrongs in WRONG.items()
    for place, (wrong, named) in enumerate(wrongs)
]


def module_of(id):
    return import_module(f"accelerator_lib.exercises.{TOPICS[id[:2]]}")


def test_every_exercise_there_is_has_two_wrong_solutions_here():
    found = []
    for topic in TOPICS.values():
        try:
            found += [exercise.id for exercise in import_module(f"accelerator_lib.exercises.{topic}").EXERCISES]
        except ModuleNotFoundError:
            continue  # a chapter that is not written yet
    assert sorted(found) == sorted(WRONG) and min(map(len, WRONG.values())) >= 2


@pytest.mark.parametrize("id, wrong, named", CASES)
def test_a_wrong_solution_is_refused_and_the_feedback_names_the_case(id, wrong, named, home):
    answer = exercises.check(id, wrong)
    assert not answer.right and named in answer.text
    assert "stopped with" not in answer.text  # refused for what it says, not because it fell


@pytest.mark.parametrize("id, wrong, named", CASES)
def test_a_check_does_not_ask_the_worked_solution(id, wrong, named, home, monkeypatch):
    """With the solution itself made wrong, the wrong answer is still refused and the right one still accepted."""
    module, right = module_of(id), exercises.find(id).solution
    assert getattr(module, right.__name__) is right
    monkeypatch.setattr(module, right.__name__, wrong)
    assert not exercises.check(id, wrong).right
    assert exercises.check(id, right).right


# ---- every worked solution with one thing changed: a constant one up or down, another operator, max for min
OTHER = {ast.Add: ast.Sub, ast.Sub: ast.Add, ast.Mult: ast.Add, ast.Div: ast.Mult, ast.FloorDiv: ast.Mult}
OTHER |= {ast.Mod: ast.FloorDiv, ast.Lt: ast.LtE, ast.LtE: ast.Lt, ast.Eq: ast.NotEq}
SWAPPED = {"max": "min", "min": "max"}
HARMLESS = {  # changed lines that give the same answer, or one within the tolerance
    "04.2": ["maximum, total, output = (-np.inf"],  # the first block scales what was there before by e^-inf
    "04.3": ["range(32, 51", "fitting ="],  # the best tile lies inside the range, and the budget has room to spare
    "05.1": ["1025 //"],  # no block of these launches ends within so few bytes
    "05.3": ["turn", "cycles=", "back, issued", "free[-1]"],  # which warp goes first; the first cycles of 4,000
}


def mutants(function):
    """(source with one change, the changed lines) of a function, one by one."""
    source = inspect.getsource(function)
    before = ast.unparse(ast.parse(source)).splitlines()
    for place in range(len(list(ast.walk(ast.parse(source))))):
        for step in (1, -1):
            tree = ast.parse(source)
            node = list(ast.walk(tree))[place]
            if isinstance(node, ast.Constant) and type(node.value) in (int, float):
                node.value += step
            elif step == 1 and isinstance(node, ast.BinOp) and type(node.op) in OTHER:
                node.op = OTHER[type(node.op)]()
            elif step == 1 and isinstance(node, ast.Compare) and type(node.ops[-1]) in OTHER:
                node.ops[-1] = OTHER[type(node.ops[-1])]()
            elif step == 1 and isinstance(node, ast.Name) and node.id in SWAPPED:
                node.id = SWAPPED[node.id]
            else:
                continue
            after = ast.unparse(tree)
            yield after, [line for line in after.splitlines() if line not in before]


@pytest.mark.parametrize("id", WRONG)
def test_one_small_slip_in_a_worked_solution_is_refused(id, home):
    solution, survived = exercises.find(id).solution, []
    with np.errstate(all="ignore"):
        for source, changed in mutants(solution):
            space = dict(vars(module_of(id)))
            exec(source, space)
            if exercises.check(id, space[solution.__name__]).right:
                survived += changed
    harmless = HARMLESS.get(id, [])
    assert not [line for line in survived if not any(fragment in line for fragment in harmless)]


# ---- the keys that are written down, found again on another road


def test_the_recorded_flop_of_mlps_are_products_counted_row_by_row():
    for sizes, batch, want in module_of("01.1").MLPS:
        assert want == sum(Gemm(batch, outputs, inputs).flops for inputs, outputs in pairwise(sizes))


def test_the_recorded_bounds_follow_from_bytes_and_flop_counted_in_loops():
    chip, keys = hardware.chip("h100-sxm5"), roofline_exercises
    widths = dict.fromkeys(keys.PROJECTIONS, (4096, 4096)) | dict.fromkeys(("gate", "up"), (4096, 11008))
    widths |= {"down": (11008, 4096)}
    for batch, compute in keys.COMPUTE_BOUND.items():
        assert set(keys.transformer_layer(batch)) == set(widths) | set(keys.STEPS)
        found = set()
        for name, (inputs, outputs) in widths.items():
            flop = moved = 0
            for _ in range(outputs):  # a column of weights meets every row: read it, multiply and add, write the sums
                flop += 2 * batch * inputs
                moved += 2 * (inputs + batch)
            moved += 2 * batch * inputs  # and the rows are read once
            if flop / chip.peak("bf16") >= moved / chip.bytes_per_s:
                found.add(name)
        for name in keys.STEPS:  # two numbers read and one written, of two bytes, for one FLOP or five
            if (1 if "residual" in name else 5) / chip.peak("bf16") >= 6 / chip.bytes_per_s:
                found.add(name)
        assert found == set(compute), batch


def test_the_recorded_bandwidths_read_every_weight_once():
    params = roofline_exercises.llama_3_8b_params()
    assert params == 8_030_261_248  # as its publisher counts them
    for params, dtype, seconds, want in roofline_exercises.READS:
        bits = {"bf16": 16, "int8": 8, "int4": 4, "fp32": 32}[dtype]
        assert want * seconds * 8 == pytest.approx(params * bits, rel=1e-15)
    assert roofline_exercises.READS[0][0] == roofline_exercises.llama_3_8b_params()


def test_the_least_traffic_is_that_of_all_tiles_tried():
    edge, limit = tiling_exercises.EDGE, tiling_exercises.LIMIT
    moved = {}
    for tile_m in range(32, edge + 1, 32):
        for tile_n in range(32, edge + 1, 32):
            if (tile_m + tile_n) * 32 * 2 * 2 + 4 * tile_m * tile_n <= limit:
                strips = len(range(0, edge, tile_m)) + len(range(0, edge, tile_n))  # each is a pass over a matrix
                moved[tile_m, tile_n] = (strips + 1) * edge * edge * 2
    least = min(moved.values())
    assert least == tiling_exercises.LEAST_BYTES
    assert {tile for tile in moved if moved[tile] == least} == {(192, 256), (256, 192), (224, 224)}
    assert tiling.gemm_bytes(Gemm(edge, edge, edge), 192, 256) == least


def test_a_grid_computes_the_product_only_with_a_staircase():
    a, b = np.array([[1, 2, 3], [4, 5, 6]]), np.array([[7, 8], [9, 1], [2, 3]])
    staircase = [[1, None], [2, 4], [3, 5], [None, 6]]  # by hand: what enters in cycles 0 to 3
    assert systolic_exercises.multiplied(staircase, b).tolist() == [[31, 19], [85, 55]] == (a @ b).tolist()
    at_once = [[1, 4], [2, 5], [3, 6], [None, None]]
    assert not np.array_equal(systolic_exercises.multiplied(at_once, b), a @ b)


@pytest.mark.parametrize("m", systolic_exercises.ROWS_OF_INPUTS)
@pytest.mark.parametrize("edge, arrays", systolic_exercises.DESIGNS.values())
def test_folds_played_one_by_one_take_what_the_closed_form_says(m, edge, arrays):
    for size in (4096, 1000, 100):
        closed = systolic.cycles(Gemm(m, size, size), edge, edge, "ws", overlap=True, arrays=arrays).total
        assert systolic_exercises.played(m, size, edge, arrays) == closed


def test_the_cycles_of_both_designs_by_hand():
    """256 folds for each array: 255 steps of max(M, edge), then M + 3 edge - 2 of the last."""
    large = [66_047, 66_054, 66_110, 131_838, 1_049_342]
    small = [33_023, 33_030, 33_086, 131_454, 1_048_958]
    played = systolic_exercises.played
    assert [played(m, 4096, 256, 1) for m in systolic_exercises.ROWS_OF_INPUTS] == large
    assert [played(m, 4096, 128, 4) for m in systolic_exercises.ROWS_OF_INPUTS] == small
    assert played(64, 4096, 128, 1) == 1023 * 128 + 64 + 382


def test_the_clock_that_is_searched_is_where_the_slope_is_zero():
    for static, dynamic in ((100, 300), (20, 300), (200, 200)):
        f, gain = module_of("08.2").searched(static, dynamic)
        assert 2 * dynamic * f**3 == pytest.approx(static, rel=2e-3)  # d/df (static / f + dynamic f^2) = 0
        assert gain == pytest.approx(
            f * (static + dynamic) / (1.5 * static), rel=2e-3
        )  # there dynamic f^3 is static / 2


# ---- whatever is handed in, a check answers

HOSTILE = {
    "nan": lambda *_: float("nan"),
    "infinite": lambda *_: float("inf"),
    "huge": lambda *_: 10**400,
    "digits": lambda *_: "42795008",
    "nothing": lambda *_: None,
    "complex": lambda *_: 1j,
    "three strings": lambda *_: ("a", "b", "c"),
    "two nans": lambda *_: (float("nan"), float("nan")),
    "an empty array": lambda *_: np.array([]),
    "an array": lambda *_: np.arange(6.0).reshape(2, 3),
    "nested": lambda *_: [[1], [2, 3]],
    "a dict": lambda *_: {"query": "memory"},
    "itself": lambda *_: exercises.check,
    "no argument": lambda: 1,
}


@pytest.mark.parametrize("id", WRONG)
@pytest.mark.parametrize("kind", HOSTILE)
def test_nothing_that_a_function_returns_makes_a_check_raise(id, kind, home):
    answer = exercises.check(id, HOSTILE[kind])
    assert answer.text and not answer.right


def test_a_function_that_spoils_its_arguments_is_answered(home):
    """And spoils nothing but its own copies: neither the key nor the tables of the library."""

    def spoil(*arguments):
        for argument in arguments:
            if hasattr(argument, "clear"):
                argument.clear()
            if isinstance(argument, np.ndarray):
                argument[...] = 0
        return 0

    for id in WRONG:
        assert not exercises.check(id, spoil).right
        assert exercises.check(id, exercises.find(id).solution).right
