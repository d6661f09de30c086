"""A budget of bits: which part of a language model is stored in how many, so that all of it fits and least is lost.

    bytes = sum of elements x stored bits / 8 + the rest in bf16          step = bytes / bandwidth
    noise / signal of the output = sum of weight x noise / signal of each part

All weights and the whole cache are read once for every step. A part's noise is that of rounding normal numbers, taken
to be independent; it counts once for each of the part's products. Only stored small: the arithmetic stays bf16.
"""

from dataclasses import dataclass
from functools import cache

import numpy as np

from accelerator_lib.checks.inputs import one_of
from accelerator_lib.checks.signature import Count, Given, OneOf, Positive, Single, checked
from accelerator_lib.hardware import chip
from accelerator_lib.numerics.formats import ELEMENTS, quantize
from accelerator_lib.numerics.scales import SCALE_BITS, bits_per_element, block_quantize
from accelerator_lib.workload.models import model

FREE_BYTES, SEQUENCES, TOKENS = 4e9, 32, 4096
STORED = {  # name: (element, block, scale); without a block one number is one code
    "bf16": ("bf16", None, None),
    "int8 b128": ("int8", 128, "fp16"),
    "mxfp8": ("e4m3", 32, "e8m0"),
    "e4m3": ("e4m3", None, None),
    "nvfp4": ("e2m1", 16, "e4m3"),
    "mxfp4": ("e2m1", 32, "e8m0"),
    "int4 b128": ("int4", 128, "fp16"),
    "int4 b32": ("int4", 32, "fp16"),
}
PARTS = ("attention", "gate and up", "down", "cache")
LLAMA, H100 = "llama-3-70b", "h100-sxm5"  # of which everything is computed
COUNTS = {"attention": 4, "gate and up": 2, "down": 1, "cache": 2}  # products


@checked
def stored_bits(name: OneOf(STORED)):
    """Bits of an element of one of STORED, its share of a scale included. Raises UnknownName."""
    element, block, scale = STORED[name]
    bits = ELEMENTS[element].max_code.bit_length() + 1  # an integer leaves the exponent field of its Format unused
    return float(bits) if block is None else float(bits_per_element(bits, block, SCALE_BITS[scale]))


@checked
@cache
def noise(name: OneOf(STORED), sigma: Single(Positive) = 1.0):
    """Noise / signal of normal numbers of this standard deviation after they were stored so. Raises UnknownName."""
    element, block, scale = STORED[name]
    x = sigma * np.random.default_rng(0).standard_normal(2**16)
    y = quantize(x, element) if block is None else block_quantize(x, element, block, scale)
    return float(np.sum((x - y) ** 2) / np.sum(x**2))


@checked
def elements(sequences: Count(1, 10**6) = SEQUENCES, tokens: Count(1, 10**8) = TOKENS):
    """{part: how many numbers it has}, and `rest`: embeddings, output head, norms."""
    shape = model(LLAMA)
    d, kv = shape.d_model, shape.kv_width
    found = {
        "attention": shape.layers * (2 * d * d + 2 * d * kv),
        "gate and up": shape.layers * 2 * d * shape.d_ff,
        "down": shape.layers * d * shape.d_ff,
    }
    rest = shape.params - sum(found.values())
    return {**found, "cache": sequences * tokens * 2 * shape.layers * kv, "rest": rest}


@checked
def cache_bytes(sequences: Count(1, 10**6), tokens: Count(1, 10**8), bits: Count(1, 64)):
    """Bytes of the cache of so many sequences of so many tokens."""
    return elements(sequences, tokens)["cache"] * bits / 8


@dataclass(frozen=True)
class Spent:
    """One choice for every part: what it needs, and what is left of the signal."""

    choice: tuple
    bytes_by_part: dict
    noise_by_part: dict
    limit_bytes: float

    bytes_stored = property(lambda self: sum(self.bytes_by_part.values()))
    fits = property(lambda self: self.bytes_stored <= self.limit_bytes)

    @property
    def noise_shares(self):
        """{part: its share of all noise}."""
        return {part: one / sum(self.noise_by_part.values()) for part, one in self.noise_by_part.items()}

    # the part that most of the noise is from
    noisiest = property(lambda self: max(self.noise_by_part, key=self.noise_by_part.get))
    snr_db = property(lambda self: float(-10 * np.log10(sum(self.noise_by_part.values()))))  # of the output
    # time to read all of it once, which a decode step has to
    step_seconds = property(lambda self: self.bytes_stored / chip(H100).bytes_per_s)


def _choice(choice):
    if isinstance(choice, str) or np.ndim(choice) != 1 or len(choice) != len(PARTS):
        raise ValueError(f"choice must name {len(PARTS)} formats: {', '.join(PARTS)}; got {str(choice)[:60]!r}")
    return tuple(one_of(part, name, STORED) for part, name in zip(PARTS, choice, strict=True))


Choice = Given("four names of formats", _choice)


@checked
def spend(choice: Choice):
    """Spent of a choice (attention, gate and up, down, cache); the limit is that of one H100 with 4 GB kept free."""
    sizes = elements()
    stored = {part: sizes[part] * stored_bits(name) / 8 for part, name in zip(PARTS, choice, strict=True)}
    lost = {part: COUNTS[part] * noise(name) for part, name in zip(PARTS, choice, strict=True)}
    return Spent(choice, {**stored, "rest": 2.0 * sizes["rest"]}, lost, chip(H100).capacity_bytes - FREE_BYTES)
