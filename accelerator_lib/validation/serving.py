"""Serving: tokens a second of many requests that all wait at the start.

They run in waves, as many as have room for caches beside the weights: prompts, read together, then a step a token. The
host chooses, checks and writes out each token while the chips wait. Caches are in the bits of the weights.
"""

import re
from typing import NamedTuple

from accelerator_lib import data
from accelerator_lib.checks.inputs import NotAvailable
from accelerator_lib.llm.counts import of
from accelerator_lib.validation import constants as fitted
from accelerator_lib.validation import language
from accelerator_lib.validation.decode import talk_seconds
from accelerator_lib.validation.devices import named
from accelerator_lib.validation.prefill import REDUCE, stream_share
from accelerator_lib.validation.record import Estimate, free

FREE, BY_FAMILY = free("serving")
OWN = ("cdna",)  # families that may have a share of their own
USABLE = 0.9  # of the memory, for weights and caches
FAIR = 64  # requests at a time that a copy should have room for
AT_ONCE = 8192  # tokens of prompts in one pass
SERVED = r"tokens_per_s|throughput"
EACH = r"per_output_token|per_token|inter_?token|tpot|itl"  # between two tokens of one answer


def estimate(row, constants):
    """Estimate of a row of kind serving [tokens/s, requests/s, ms a token]. Raises NotAvailable."""
    wanted = {"tokens/s": SERVED, "1/s": r"request|quer|sample", "ms": EACH}.get(row["unit"], SERVED)
    if not re.search(wanted, row["metric"]) or "input" in row["metric"]:
        raise NotAvailable(f"{row['metric'][:60]!r} is no rate of tokens that are written")
    chip, family = named(row["device"])
    shape, n = language.shape(row), language.chips(row)
    dtype, stored = language.stored_bytes(row, shape)
    prompt, answer, requests, laid_down = _asked(row)
    cache = "fp8" if dtype in ("fp8", "fp4") else "fp16"
    context = (prompt + answer) * of(shape).kv_bytes(cache)
    copies = max(1, (row["n_devices"] or n) // n)
    requests = max(1, requests // copies)
    if laid_down and "tensor_parallel" not in row["conditions"]:  # as few chips a copy as hold it
        n, copies = _few(chip, n, stored, context)
        requests //= copies
    running = _running(row, chip, n, stored, context, requests)
    eager = language.eager(row)
    came = not eager and "batch" not in row["conditions"]  # requests that a scheduler puts together
    share = "share" if dtype in ("fp16", "bf16") else "share_8"
    run = Run(chip, shape, n, prompt, answer, stored, cache, not eager)
    rates = chip.bytes_per_s, language.peak(chip, dtype, 2)  # of one chip
    peak = n * constants(share, family if family in OWN else None) * rates[1]
    waits = fitted.of("decode")[0]("layer_seconds"), constants("host_seconds") if came else 0.0
    reached = Reached(n * stream_share(chip) * chip.need("bytes_per_s"), peak, *waits)
    every, asked = (n * copies, copies * requests) if laid_down else (n, requests)  # however chips are shared out
    waves, best = _waves(requests, running), _waves(asked, _running(row, chip, every, stored, context, asked))
    total = sum(often * sum(_wave(run, size, reached).values()) for size, often in waves)
    least = sum(often * _least(run, size, *rates) for size, often in best) / every
    per = n * copies if "per_gpu" in row["metric"] or "per_chip" in row["metric"] else 1
    each = answer + (prompt if "total" in row["metric"] else 0)  # some count the tokens that are read as well
    written = copies * requests * (1 if row["unit"] == "1/s" else each) / per
    parts = _wave(run, running, reached)
    reads, steps = parts["prompts"], sum(parts.values()) - parts["prompts"]
    limit = max(parts, key=parts.get)
    why = f"{running:,} requests at a time: their prompts take {reads:.2g} s, {answer:,} steps of "
    why += f"{steps / answer * 1e3:.1f} ms write the answers; most time goes into {limit}."
    why += language.crowded(chip, n, stored, running * context)
    if row["unit"] == "ms":
        return Estimate(steps / answer * 1e3, run.writing(running).least_seconds(*rates) / n * 1e3, limit, why)
    return Estimate(written / total, written / least, limit, why)


class Run(NamedTuple):
    """What is served on what: a model in so many bytes on n chips, prompts and answers of so many tokens."""

    chip: object
    shape: object
    n: int
    prompt: int
    answer: int
    stored: float
    cache: str
    fused: bool

    def reading(self, size):
        """Work of all prompts of so many requests."""
        return language.passed(self.shape, self.prompt, size, 0, self.stored, self.cache, self.fused)

    def writing(self, size):
        """Work of a step of so many requests whose answers are half done."""
        cached = self.prompt + self.answer / 2
        return language.passed(self.shape, 1, size, cached, self.stored, self.cache, self.fused)


class Reached(NamedTuple):
    """What the chips of a run reach together, and what is waited for."""

    bytes_per_s: float
    flops_per_s: float
    layer_seconds: float
    host_seconds: float


def _asked(row):
    """(tokens of a prompt, of an answer, requests, False) as stated; True: as the named benchmark lays them down."""
    for pattern, facts in data.load("validation")["benchmarks"].items():
        if re.search(pattern, row["workload"], re.I) and "input_tokens" not in row["conditions"]:
            return facts["input_tokens"], facts["output_tokens"], facts["requests"], True
    prompt = language.tokens(row, "input_tokens", "prompt_tokens")
    answer = language.tokens(row, "output_tokens", "generated_tokens")
    found = re.search(r"([\d,]+) requests", row["workload"])
    requests = int(found[1].replace(",", "")) if found else None
    return prompt, answer, requests or language.tokens(row, "requests", "batch", "concurrency"), False


def _few(chip, n, stored, context):
    """(chips of a copy, copies): as few chips, in powers of two, as leave room for a fair batch."""
    fair = (few for few in (1, 2, 4, 8) if few < n and n % few == 0 and _room(chip, few, stored, context) >= FAIR)
    few = next(fair, n)
    return few, n // few


def _room(chip, n, stored, context):
    return int((USABLE * n * chip.need("capacity_bytes") - stored) // context)


def _running(row, chip, n, stored, context, requests):
    """Requests whose caches lie in memory at a time: as stated, or as many as fit. Raises NotAvailable."""
    batch = language.tokens(row, "batch", "concurrency", default=0)
    if batch:
        return min(batch, requests)
    room = _room(chip, n, stored, context)
    if room < 1:
        raise NotAvailable(f"{stored / 1e9:,.0f} GB of weights leave no room for a cache on {n} x {chip.short_name}")
    return min(room, requests)


def _waves(requests, running):  # (requests at a time, how often)
    return [(running, requests // running)] + [(requests % running, 1)] * (requests % running > 0)


def _wave(run, size, reached):
    """{what it goes into: seconds} of so many requests: their prompts, and the parts of all steps."""
    rate, peak, layer, host = reached
    passes, step = -(-size * run.prompt // AT_ONCE), run.writing(size)
    prompts = run.reading(size).seconds(rate, peak, layer * passes)
    prompts += talk_seconds(run.chip, run.shape, run.n, size * run.prompt, REDUCE * passes)
    moved = "memory bandwidth" if step.bytes_moved / rate > step.flops / peak else "arithmetic"
    parts = {moved: step.seconds(rate, peak), "launches": step.layers * layer}
    parts |= {"links": talk_seconds(run.chip, run.shape, run.n, size, REDUCE), "the host": size * host}
    return {"prompts": prompts} | {name: run.answer * seconds for name, seconds in parts.items()}


def _least(run, size, rate, peak):
    fused = run._replace(fused=True)
    read, step = fused.reading(size), fused.writing(size)
    return max((read.flops + (run.answer - 1) * step.flops) / peak, (run.answer - 1) * step.bytes_moved / rate)
