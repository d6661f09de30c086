"""Mapspace: every way to cut a product for two levels, what each costs in energy, and which is the best.
    joules = 62.5 pJ x words between DRAM and SRAM + 3.5 pJ x words between SRAM and registers     (bf16, 2 bytes)
A mapping is (tile, order, tile, order): of the SRAM, then of the registers. Tiles are powers of two; one fits if its
words of A, B and C do. Energies: a quarter of 64 bits of HBM2, of an SRAM of 1 MB, 7 nm (energy.access). No time.
"""

from functools import cache
from math import inf, prod
from typing import NamedTuple

import numpy as np

from accelerator_lib import data
from accelerator_lib.checks.signature import Count, Number, checked
from accelerator_lib.codesign.loopnest import ORDERS, Whole, counts, tile_words
from accelerator_lib.workload.work import Gemm

DRAM_JOULES, SRAM_JOULES = 62.5e-12, 3.5e-12  # a word of 16 bits
SRAM_WORDS, REGISTER_WORDS = 2**19, 2**15
PRODUCT = Gemm(4096, 4096, 4096)
MOST_LISTED = 3 * 10**7  # energies that are kept at once: 120 MB of four bytes each, 240 MB of eight
Words = Count(high=2**40, unit="words")


class Space(NamedTuple):  # how many mappings there are, and how many of them fit
    all: int
    legal: int


class Best(NamedTuple):  # the cheapest mapping of all: its energy [J], and one mapping that needs no more
    joules: float
    mapping: tuple


def quick_joules(sizes, mapping, sram_words, register_words):
    """Energy [J] of a mapping whose tiles divide the dimensions `sizes`, infinity if one does not fit; no checks."""
    (a, b, c), order, (d, e, f), inner_order = mapping
    if a * c + c * b + a * b > sram_words or d * f + f * e + d * e > register_words or d > a or e > b or f > c:
        return inf
    m, n, k = sizes
    pieces = (m // a) * (n // b) * (k // c)
    dram, sram = sum(counts(m, n, k, a, b, c, order)), pieces * sum(counts(a, b, c, d, e, f, inner_order))
    return DRAM_JOULES * dram + SRAM_JOULES * sram


@cache
def edges(size):
    """Powers of two up to a dimension."""
    return tuple(2**power for power in range(size.bit_length()))


@checked
def mapspace(gemm: Whole, sram_words: Words = SRAM_WORDS, register_words: Words = REGISTER_WORDS):
    """Space of a product: all mappings, and those that fit."""
    pairs = prod(len(edges(size)) * (len(edges(size)) + 1) // 2 for size in (gemm.m, gemm.n, gemm.k))
    legal = len(_tiles(gemm, sram_words, register_words)[0])
    return Space(pairs * len(ORDERS) ** 2, legal * len(ORDERS) ** 2)


@checked
def within(
    ratio: Number(low=1), gemm: Whole = PRODUCT, sram_words: Words = SRAM_WORDS, register_words: Words = REGISTER_WORDS
):
    """How many mappings need at most `ratio` times the energy of the best; a number or an array of them."""
    return np.searchsorted(spread(gemm, sram_words, register_words), np.asarray(ratio) * (1 + 1e-6)) + 0


@checked
def spread(gemm: Whole = PRODUCT, sram_words: Words = SRAM_WORDS, register_words: Words = REGISTER_WORDS):
    """Energy of every mapping that fits over that of the best, sorted, to six digits. Raises ValueError."""
    if (legal := mapspace(gemm, sram_words, register_words).legal) > MOST_LISTED:
        raise ValueError(f"{legal:,} mappings fit, too many to list; at most {MOST_LISTED:,}")
    return _spread(gemm, sram_words, register_words)


@cache
def _spread(gemm, sram_words, register_words):
    dram, sram = _costs(gemm, sram_words, register_words)[:2]
    least, tiles = (dram.min(0) + sram.min(0)).min(), dram.shape[1]
    every = np.empty((len(ORDERS), len(ORDERS), tiles), np.float32)  # half the room, and sorted in a tenth of the time
    for row, order in zip(every, dram, strict=True):
        row[:] = (sram + order) / least
    every = every.ravel()
    every.sort()
    every.setflags(write=False)
    return every


@checked
def best(gemm: Whole, sram_words: Words = SRAM_WORDS, register_words: Words = REGISTER_WORDS):
    """Best of all mappings, tried one and all. Raises ValueError where none fits."""
    dram, sram, outer, inner = _costs(gemm, sram_words, register_words)
    least = dram.min(0) + sram.min(0)
    at = int(least.argmin())
    order, inner_order = ORDERS[int(dram[:, at].argmin())], ORDERS[int(sram[:, at].argmin())]
    mapping = tuple(outer[:, at].tolist()), order, tuple(inner[:, at].tolist()), inner_order
    return Best(float(least[at]), mapping)


def optimum(gemm, sram_words, register_words):
    """(Best of all mappings, how many fit); of one product and twelve pairs of buffers it is stored, as data."""
    rows = data.load("mappings")["rows"] if gemm == PRODUCT else ()
    for row in rows:
        if (row["sram_words"], row["register_words"]) == (sram_words, register_words):
            outer, order, inner, inner_order = row["mapping"]
            return Best(row["joules"], (tuple(outer), order, tuple(inner), inner_order)), row["legal"]
    return best(gemm, sram_words, register_words), mapspace(gemm, sram_words, register_words).legal


def _tiles(gemm, sram_words, register_words):
    """([tiles, 3], [tiles, 3]): outer and inner tiles that fit, every pair of them."""
    outers, inners = [], []
    for size in (gemm.m, gemm.n, gemm.k):
        each = np.array(edges(size), np.int64)  # NumPy's own integers have 32 bits in a browser
        outer, inner = np.meshgrid(each, each, indexing="ij")
        outers.append(outer[inner <= outer]), inners.append(inner[inner <= outer])
    at = np.indices([len(one) for one in outers]).reshape(3, -1)
    outer, inner = (np.stack([one[i] for one, i in zip(each, at, strict=True)]) for each in (outers, inners))
    good = (tile_words(outer) <= sram_words) & (tile_words(inner) <= register_words)
    return outer.T[good], inner.T[good]


def _costs(gemm, sram_words, register_words):
    """(DRAM [order, tiles], SRAM [order, tiles], outer [3, tiles], inner): energies [J]; ragged tiles count as full."""
    outer, inner = (each.T for each in _tiles(gemm, sram_words, register_words))
    if not outer.size:
        raise ValueError(f"no mapping fits into {sram_words:,} and {register_words:,} words")
    sizes = gemm.m, gemm.n, gemm.k
    pieces = np.prod([-(-size // edge) for size, edge in zip(sizes, outer, strict=True)], axis=0)
    dram = [DRAM_JOULES * sum(counts(*sizes, *outer, order)) for order in ORDERS]
    sram = [SRAM_JOULES * pieces * sum(counts(*outer, *inner, order)) for order in ORDERS]
    return np.array(dram), np.array(sram), outer, inner
