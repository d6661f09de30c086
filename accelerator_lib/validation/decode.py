"""Decode: tokens a second of one stream, or of a small batch that is written step by step.

What a step does is counted in llm.passes; all-reduces are those of network.links; the rates are the datasheet's.
"""

from functools import lru_cache

from accelerator_lib.checks.inputs import NotAvailable
from accelerator_lib.llm.counts import of
from accelerator_lib.network.links import all_reduce_seconds
from accelerator_lib.units import percent
from accelerator_lib.validation import language
from accelerator_lib.validation.devices import named, own
from accelerator_lib.validation.record import Estimate, free

FREE, BY_FAMILY = free("decode")
OWN = ("ada",)  # families that may have a share of their own
STILL = ("wse", "groq")  # weights stand in SRAM: how long a token takes from layer to layer is not published


def estimate(row, constants):
    """Estimate of a row of kind decode [tokens/s, or ms a token]. Raises NotAvailable."""
    chip, family = _chip(row)
    shape = language.shape(row)
    dtype, stored = language.stored_bytes(row, shape)
    n, batch = language.chips(row), language.tokens(row, "batch", default=1)
    cached = language.tokens(row, "prompt_tokens", "context_tokens", "input_tokens", default=0)
    half = language.tokens(row, "generated_tokens", "output_tokens", default=0) / 2
    cached += half
    _fits(row, chip, stored)
    language.hold(row, chip, stored)
    simple = language.pieces(row) or language.eager(row)  # attention that writes its scores to memory
    least = language.passed(shape, 1, batch, cached, stored, "fp16")
    work = language.passed(shape, 1, batch, cached, stored, "fp16", False) if simple else least
    rate, peak = chip.need("bytes_per_s"), language.peak(chip, dtype, batch)
    share = constants("share", family if family in OWN else None)
    if simple and chip.vendor == "NVIDIA" and chip.units:  # too few bytes underway for a fast memory
        share = min(share, chip.units * constants("sm_rate") / rate)
    launches = work.layers * constants("eager_seconds" if language.eager(row) else "layer_seconds")
    talk = talk_seconds(chip, shape, n, batch, constants("reduce_seconds"))
    moved = work.seconds(n * share * rate, n * peak)
    if not chip.matrix:  # loads, conversions and sums of weights share the units with all the rest
        moved += constants("weight_steps") * work.weight_flops / (n * peak)
    seconds = moved + launches + talk
    limit = "memory bandwidth" if moved > launches + talk else "launches" if launches > talk else "links"
    why = f"Each step reads {work.bytes_moved / n / 1e9:.2f} GB {'a chip, ' if n > 1 else ''}at {percent(share)} of "
    why += f"{rate / 1e9:,.0f} GB/s in {moved * 1e3:.2f} ms; the launches of {work.layers} layers take "
    why += f"{launches * 1e3:.2f} ms" + (f", all-reduces {talk * 1e3:.2f} ms." if n > 1 else ".")
    caches = batch * (cached + half) * of(shape).kv_bytes("fp16")
    why += language.crowded(chip, max(n, row["n_devices"] or 1), stored, caches)
    bound = least.least_seconds(n * rate, n * peak)
    if row["unit"] == "ms":
        return Estimate(seconds * 1e3, bound * 1e3, limit, why)
    per = 1 if "per_user" in row["metric"] or "per user" in row["workload"] else batch
    per /= n if "per_gpu" in row["metric"] else 1
    return Estimate(per / seconds, per / bound, limit, why)


def talk_seconds(chip, shape, n, tokens, reduce_seconds):
    """Two all-reduces a layer of the sums of so many tokens, in 16 bits; none on one chip."""
    if n == 1:
        return 0.0
    wire = _wire(float(tokens * shape.d_model * 2), n, chip.need("link_bytes_per_s"))
    return 2 * shape.layers * (wire + reduce_seconds)


_wire = lru_cache(4096)(all_reduce_seconds)  # fitting asks for the same ones again and again


def _chip(row):
    chip, family = named(row["device"])
    if chip.id.startswith(STILL):
        raise NotAvailable(f"weights of {chip.name} stand in SRAM; the time from layer to layer is not published")
    if "super" in str(row["conditions"].get("mode", "")).lower():
        chip = own().get(f"{chip.id}-super", chip)
    return chip, family


def _fits(row, chip, stored):
    size = language.memory_gb(row["device"])
    if chip.vendor == "Apple" and size and stored > 0.75 * size * language.GIB:
        held = f"{stored / language.GIB:.1f} GiB of weights are more than the three quarters of {size} GiB"
        raise NotAvailable(f"{held} that a GPU may use there: it swaps")
