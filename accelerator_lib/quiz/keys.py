"""Answer keys: calls into the library, written as data.

    {call: roofline.ridge_point, args: {peak: $peak, bandwidth: 3.35e+12}}
    {call: roofline.place, args: {gemm: [1, 28672, 8192], chip: h100-sxm5}, take: seconds}

Only the functions below can be called. An argument may be a number, a name, a $parameter or another call; `gemm` is
given as [m, n, k]; `take` names a field of the result.
"""

import operator
import re

from accelerator_lib import (
    energy,
    gpu,
    hardware,
    hostlink,
    layers,
    levels,
    losses,
    memory,
    operators,
    power,
    roofline,
    strassen,
    systolic,
    tiling,
    tpu,
    workload,
)
from accelerator_lib.inputs import UnknownName, did_you_mean

CALLS = {
    "hardware.peak_from_units": hardware.peak_from_units,
    "roofline.ridge_point": roofline.ridge_point,
    "roofline.attainable": roofline.attainable,
    "roofline.place": roofline.place,
    "roofline.critical_batch": roofline.critical_batch,
    "roofline.elementwise_seconds": roofline.elementwise_seconds,
    "roofline.mfu": roofline.mfu,
    "roofline.mbu": roofline.mbu,
    "roofline.amdahl": roofline.amdahl,
    "losses.launched_step": losses.launched_step,
    "losses.from_peak": losses.from_peak,
    "layers.transformer": layers.transformer,
    "layers.crossover_tokens": layers.crossover_tokens,
    "layers.experts": layers.experts,
    "hostlink.load": hostlink.load,
    "hostlink.place_job": hostlink.place_job,
    "levels.gap": levels.gap,
    "memory.amat": memory.amat,
    "memory.bytes_in_flight": memory.bytes_in_flight,
    "memory.census": lambda kib, stride, sets, ways, line_bytes, passes: memory.census(
        range(0, kib * 1024, stride), memory.Cache(sets, ways, line_bytes), passes
    ),
    "memory.level_bytes_per_s": memory.level_bytes_per_s,
    "memory.operand_bytes_per_s": memory.operand_bytes_per_s,
    "memory.pipelined_seconds": memory.pipelined_seconds,
    "memory.tank": memory.tank,
    "memory.transfer_seconds": memory.transfer_seconds,
    "operators.after": operators.after,
    "strassen.crossover": strassen.crossover,
    "energy.access_pj": energy.access_pj,
    "energy.compute_watts": energy.compute_watts,
    "energy.dvfs": energy.dvfs,
    "energy.layer": energy.layer,
    "energy.mac_pj": energy.mac_pj,
    "energy.memory_watts": energy.memory_watts,
    "energy.operation": energy.operation,
    "power.battery_hours": power.battery_hours,
    "power.best_clock": power.best_clock,
    "power.capped_clock": power.capped_clock,
    "power.gain": power.gain,
    "power.year": power.year,
    "gpu.bank_conflict": gpu.bank_conflict,
    "gpu.launch": gpu.launch,
    "gpu.load_efficiency": gpu.load_efficiency,
    "gpu.occupancy": gpu.occupancy,
    "gpu.sectors": gpu.sectors,
    "gpu.branch_efficiency": lambda lanes, long, short: gpu.simt_efficiency([(lanes, long), (32 - lanes, short)]),
    "gpu.warps_to_saturate": gpu.warps_to_saturate,
    "gpu.waves": gpu.waves,
    "systolic.cycles": systolic.cycles,
    "systolic.fold_cycles": systolic.fold_cycles,
    "systolic.traffic": systolic.traffic,
    "tpu.tile": tpu.tile,
    "tiling.attention_bytes": tiling.attention_bytes,
    "tiling.budget": tiling.budget,
    "tiling.chain_bytes": tiling.chain_bytes,
    "tiling.gemm_bytes": tiling.gemm_bytes,
    "tiling.io_lower_bound_words": tiling.io_lower_bound_words,
    "tiling.max_square_tile": tiling.max_square_tile,
    "tiling.staged": tiling.staged,
    "tiling.intensity": lambda gemm, tile: gemm.flops / tiling.gemm_bytes(gemm, tile, tile),
    "workload.relative_rate": workload.relative_rate,
    "workload.train_flops": workload.train_flops,
    # facts of a chip, and the few steps that a sentence such as "how many times" needs
    "chip.peak": lambda chip, dtype: hardware.chip(chip).peak(dtype),
    "chip.sparse_peak": lambda chip, dtype: hardware.chip(chip).sparse_peak(dtype),
    "chip.bytes_per_s": lambda chip: hardware.chip(chip).need("bytes_per_s"),
    "chip.ridge_point": lambda chip, dtype: roofline.ridge_point(
        hardware.chip(chip).peak(dtype), hardware.chip(chip).need("bytes_per_s")
    ),
    "workload.Conv": workload.Conv,
    "workload.Gemm": workload.Gemm,
    "work.intensity": lambda gemm, dtype: gemm.intensity(dtype),
    "work.elementwise_intensity": lambda dtype, reads, writes: workload.Elementwise(
        1, reads=reads, writes=writes
    ).intensity(dtype),
    "ratio": lambda of, to: of / to,
    "product": lambda a, b: a * b,
}


def evaluate(key, parameters=None):
    """The value of a key for drawn parameters. Raises UnknownName for a call that is not allowed."""
    parameters = parameters or {}
    if isinstance(key, str) and key.startswith("$"):
        if key[1:] not in parameters:
            raise UnknownName(f"parameter {key!r} is not drawn{did_you_mean(key[1:], parameters)}")
        return parameters[key[1:]]
    if not isinstance(key, dict):
        return key
    if key.get("call") not in CALLS:
        raise UnknownName(f"call {key.get('call')!r} is not allowed{did_you_mean(str(key.get('call')), CALLS)}")
    arguments = {name: evaluate(value, parameters) for name, value in key.get("args", {}).items()}
    if isinstance(arguments.get("gemm"), list):
        shape = [evaluate(size, parameters) for size in arguments["gemm"]]
        arguments["gemm"] = workload.Gemm(*shape)
    result = CALLS[key["call"]](**arguments)
    return operator.attrgetter(key["take"])(result) if "take" in key else result


def spelled(key, parameters=None):
    """The key as the line of Python that a learner can run: roofline.ridge_point(peak=2e+14, bandwidth=5e+11)."""
    parameters = parameters or {}
    if isinstance(key, str) and key.startswith("$"):
        return spelled(parameters.get(key[1:], key))
    if not isinstance(key, dict):
        return repr(key) if isinstance(key, str) else f"{key:.6g}" if isinstance(key, float) else str(key)
    arguments = {name: spelled(value, parameters) for name, value in key.get("args", {}).items()}
    if "gemm" in arguments and isinstance(key["args"]["gemm"], list):
        arguments["gemm"] = f"Gemm({', '.join(spelled(size, parameters) for size in key['args']['gemm'])})"
    take = f".{key['take']}" if "take" in key else ""
    name = key["call"]
    if name == "ratio":
        return f"{arguments['of']} / {arguments['to']}"
    if name == "product":
        return f"{arguments['a']} * {arguments['b']}"
    if name == "chip.ridge_point":
        chip, dtype = arguments["chip"], arguments["dtype"]
        return f"roofline.ridge_point(hardware.chip({chip}).peak({dtype}), hardware.chip({chip}).bytes_per_s)"
    if name == "tiling.intensity":
        gemm, tile = arguments["gemm"], arguments["tile"]
        return f"{gemm}.flops / tiling.gemm_bytes({gemm}, {tile}, {tile})"
    if name == "gpu.branch_efficiency":
        lanes, long, short = (arguments[key] for key in ("lanes", "long", "short"))
        return f"gpu.simt_efficiency([({lanes}, {long}), (32 - {lanes}, {short})])"
    if name == "memory.census":
        addresses = f"range(0, {arguments['kib']} * 1024, {arguments['stride']})"
        cache = f"memory.Cache({arguments['sets']}, {arguments['ways']}, {arguments['line_bytes']})"
        return f"memory.census({addresses}, {cache}, passes={arguments['passes']}){take}"
    if name == "work.intensity":
        return f"{arguments['gemm']}.intensity({arguments['dtype']})"
    if name == "work.elementwise_intensity":
        dtype = arguments.pop("dtype")
        counts = ", ".join(f"{a}={value}" for a, value in arguments.items())
        return f"Elementwise(1, {counts}).intensity({dtype})"
    if name.startswith("chip."):
        call = f"({arguments['dtype']})" if "dtype" in arguments else ""
        return f"hardware.chip({arguments['chip']}).{name[5:]}{call}"
    return f"{name}({', '.join(f'{a}={value}' for a, value in arguments.items())}){take}"


MODULES = sorted({name.partition(".")[0] for name in CALLS if "." in name} - {"chip", "work"})


def runnable(calls):
    """Lines of Python that a learner can paste into any cell: the imports, then each call with what it gives."""
    text = "\n".join(line for line, _ in calls)
    modules = [name for name in MODULES if re.search(rf"\b{name}\.", text)]
    kinds = [name for name in ("Elementwise", "Gemm") if re.search(rf"(?<![.\w]){name}\(", text)]
    lines = [f"from accelerator_lib import {', '.join(modules)}"] * bool(modules)
    lines += [f"from accelerator_lib.workload import {', '.join(kinds)}"] * bool(kinds)
    return "\n".join([*lines, *(f"{line}  # {_given(value)}" for line, value in calls)])


def _given(value):
    return repr(value) if isinstance(value, str) else f"{value:.4g}" if isinstance(value, float) else str(value)
