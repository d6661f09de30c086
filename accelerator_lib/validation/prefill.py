"""Prefill: how fast a prompt is read, and the time to the first token.

llama.cpp reads a prompt in pieces of 512 tokens, each with all the weights; packed ones it first unpacks to 16 bits in
memory (not on Apple's chips), and its attention writes all scores. Rates of memory and launches are those that fit
other kinds of rows: streams and decode.
"""

import re

from accelerator_lib.checks.inputs import NotAvailable
from accelerator_lib.units import percent
from accelerator_lib.validation import constants as fitted
from accelerator_lib.validation import language
from accelerator_lib.validation.decode import talk_seconds
from accelerator_lib.validation.devices import named
from accelerator_lib.validation.record import Estimate, free

FREE, BY_FAMILY = free("prefill")
REDUCE = 1e-5  # seconds before a first byte of an all-reduce arrives
PIECE, SHORT = 512, 128  # tokens of a piece; up to which packed weights are multiplied as they are, in 8 bits
TILE, NARROW = 64, 32  # rows of the narrowest tile of a product; of one on units without matrix instructions


def estimate(row, constants):
    """Estimate of a row of kind prefill [tokens/s, or ms to the first token]. Raises NotAvailable."""
    chip, _ = named(row["device"])
    shape = language.shape(row)
    dtype, stored = language.stored_bytes(row, shape)
    n, batch = language.chips(row), language.tokens(row, "batch", default=1)
    prompt = language.tokens(row, "prompt_tokens", "input_tokens", "prompt", "seq", default=_named(row))
    language.hold(row, chip, stored)
    pieces = language.pieces(row)
    rate, peak = chip.need("bytes_per_s"), language.peak(chip, dtype, 2) * (language.half_sums(chip) if pieces else 1)
    share = constants("share")
    each = shape, batch, stored, chip, n, share, peak, pieces
    parts = [_piece(*each, *span) for span in _pieces(prompt, pieces)]
    seconds, launches = sum(parts), len(parts) * shape.layers * constants("layer_seconds")
    total = seconds + launches + talk_seconds(chip, shape, n, batch * prompt, REDUCE)
    whole = language.passed(shape, prompt, batch, 0, stored, "fp16")
    least, compute = whole.least_seconds(n * rate, n * peak), whole.flops / (n * share * peak)
    limit = "arithmetic" if compute > total / 2 else "memory bandwidth" if seconds > total / 2 else "launches"
    why = f"{batch * prompt:,} tokens are {compute * n * share * peak / 1e12:.1f} TFLOP, {compute * 1e3:.1f} ms at "
    why += f"{percent(share)} of {n * peak / 1e12:,.0f} TFLOP/s; with weights, scores and launches "
    why += f"{total * 1e3:.1f} ms."
    if row["unit"] == "tokens/s":
        return Estimate(batch * prompt / total, batch * prompt / least, limit, why)
    if not re.search("token|ttft", row["metric"]) and "latency" not in row["metric"] and "time" not in row["metric"]:
        raise NotAvailable(f"{row['metric'][:60]!r} of a prompt is no time to its first token")
    return Estimate(total * 1e3, least * 1e3, limit, why)


def _named(row):
    """Tokens of a prompt as llama.cpp's benchmark names them, "pp512"; None where the workload does not."""
    found = re.search(r"\bpp ?(\d{1,6})\b", row["workload"].lower())
    return int(found[1]) or None if found else None


def _pieces(prompt, pieces):
    size = PIECE if pieces else prompt
    return [(min(size, prompt - at), at) for at in range(0, prompt, size)]


def _piece(shape, batch, stored, chip, n, share, peak, pieces, new, cached):
    """Seconds of one piece, of new tokens after others, on n chips, without launches and talk."""
    rate, reached = n * stream_share(chip) * chip.bytes_per_s, share * peak
    tile = TILE if chip.matrix else NARROW
    padded = -(-new // tile) * tile / new
    work = language.passed(shape, new, batch, cached, stored, "fp16", not pieces)
    packed = pieces and bool(chip.matrix) and stored < 1.9 * shape.params
    if packed and new * batch <= SHORT:
        reached, padded, packed = share * eights(chip, peak), 1.0, False
    read = 2 * shape.params if packed else work.weight_bytes
    weights = max(read / rate, work.weight_flops * padded / (n * reached))
    weights += (work.weight_bytes + 2 * shape.params) / rate if packed else 0
    return weights + max(work.attention_bytes / rate, work.attention_flops / (n * reached))


def stream_share(chip):
    """The share of its memory rate that a chip reaches in streams (kind memory_bandwidth)."""
    return fitted.of("memory_bandwidth")[0]("share", named(chip.id)[1])


def eights(chip, peak):
    """OP/s of the vector units on 8-bit numbers, four at a time (dp4a); the peak of 16 bits where it is not published.
    GA10x and Ada count twice as many FP32 units as they have integer ones."""
    fp32 = chip.vector.get("fp32")
    lanes = 2 if re.match(r"rtx|a10(?!0)|a40|l4", chip.id) else 4
    return min(peak, lanes * fp32) if fp32 else peak
