"""Train the two small language models of chapter 10, and write them to accelerator_lib/data/austen.npz; tell their losses.

    python tests/train.py rdata.rdb [seconds] [again]        without arguments: the losses

The text is that of six novels by Jane Austen (died 1817: in the public domain) as Debian's package r-cran-janeaustenr
has it: dpkg -x, then usr/lib/R/site-library/janeaustenr/data/Rdata.rdb. The end of one novel is held out.
"""

import bz2
import lzma
import re
import sys
import time
import zlib
from datetime import UTC, datetime
from functools import partial
from pathlib import Path

import jax
import jax.numpy as jnp
import numpy as np

from accelerator_lib.llm import tiny

SEED, BATCH, RATE, WARM, EVERY, HELD_OUT = 11, 64, 3e-3, 200, 50, 40_000
LENGTH = tiny.PIECE
RAW = {"format": lzma.FORMAT_RAW, "filters": [{"id": lzma.FILTER_LZMA2, "preset": 6}]}


def novels(path):
    """Their texts: every record of R's file is a list of lines."""
    data, found = Path(path).read_bytes(), []
    while len(data) > 5:
        kind = data[4:5]
        kinds = {b"2": bz2.BZ2Decompressor, b"Z": partial(lzma.LZMADecompressor, **RAW)}
        unpack = kinds.get(kind, zlib.decompressobj)()
        record = unpack.decompress(data[4 + (kind in b"2Z") :])
        data = unpack.unused_data
        if len(lines := strings(record)) > 1000:
            found.append(cleaned(lines))
    return found


def strings(record):
    """The lines of a list of lines, each after its kind (4 bytes, the last of them 9) and its length."""
    at, found = record.find(b"\x00\x00\x00\x10") + 8, []
    while at + 8 <= len(record) and record[at + 3] == 9:
        size = int.from_bytes(record[at + 4 : at + 8], "big")
        found.append(record[at + 8 : at + 8 + size].decode("utf-8", "replace"))
        at += 8 + size
    return found


def cleaned(lines):
    """Paragraphs, one a line, in the letters of the model."""
    text = re.sub(r"\s*\n\s*\n\s*", "\0", "\n".join(lines)).replace("\n", " ").replace("\0", "\n")
    for old, new in zip("“”‘’—_", ('"', '"', "'", "'", "--", ""), strict=True):
        text = text.replace(old, new)
    return re.sub(r" +", " ", "".join(letter for letter in text if letter in tiny.LETTERS))


def first(one, draw):
    """Weights before training."""
    scale = lambda name, size: size[-1 if name == "table" else -2] ** -0.5 * (0.4 if name in ("output", "down") else 1)  # noqa: E731
    numbers = lambda name, size: (draw.standard_normal(size) * scale(name, size)).astype(np.float32)  # noqa: E731
    return {name: numbers(name, size) for name, size in tiny.sizes(one).items()}


@partial(jax.jit, static_argnames=("name", "steps"))
def some_steps(now, text, at, name, steps):
    """EVERY steps of AdamW; the rate rises, then falls as a cosine."""

    def step(now, _):
        weights, mean, square, count, key = now
        key, own = jax.random.split(key)
        begin = jax.random.randint(own, (BATCH,), 0, len(text) - LENGTH - 1)
        pieces = text[begin[:, None] + jnp.arange(LENGTH + 1)]
        loss, slope = jax.value_and_grad(lambda weights: tiny.losses(weights, pieces, name, jnp).mean())(weights)
        size = jnp.sqrt(sum(jnp.sum(one * one) for one in jax.tree.leaves(slope)))
        slope = jax.tree.map(lambda one: one / jnp.maximum(size, 1), slope)
        mean = jax.tree.map(lambda old, new: 0.9 * old + 0.1 * new, mean, slope)
        square = jax.tree.map(lambda old, new: 0.95 * old + 0.05 * new * new, square, slope)
        count = count + 1
        rate = RATE * jnp.minimum(count / WARM, 0.5 + 0.5 * jnp.cos(jnp.pi * jnp.minimum(count / at, 1)))
        move = lambda w, m, s: w - rate * (m / (1 - 0.9**count) / (jnp.sqrt(s / (1 - 0.95**count)) + 1e-8) + 0.05 * w)  # noqa: E731
        return (jax.tree.map(move, weights, mean, square), mean, square, count, key), loss

    return jax.lax.scan(step, now, None, steps)


def trained(name, text, seconds, weights):
    """(weights, steps) after so many seconds: the first two rounds tell how many steps they hold."""
    zeros = {key: np.zeros_like(one) for key, one in weights.items()}
    now = jax.device_put((dict(weights), zeros, zeros, np.float32(0), jax.random.key(SEED)))
    text = jnp.asarray(text, jnp.int32)
    for _ in range(2):
        start = time.time()
        jax.block_until_ready(some_steps(now, text, 1e9, name, EVERY))
    steps = max(4, int(seconds / (time.time() - start))) * EVERY
    for round in range(steps // EVERY):
        now, loss = some_steps(now, text, float(steps), name, EVERY)
        if round % max(1, steps // EVERY // 10) == 0:
            print(name, round * EVERY, f"of {steps}: {float(loss.mean()):.3f} bits for a letter", flush=True)
    return {key: np.asarray(one) for key, one in now[0].items()}, steps


def main(path, seconds=120.0, again=False):
    """Train both models, or `again` only the large one from where it stands, at the first rate: it forgets what it has
    by heart. Write the weights, then the losses."""
    texts, target = novels(path), tiny.FOLDER / "austen.npz"
    held = tiny.tokens(texts[-1][-HELD_OUT:]).astype(np.uint8)
    text = np.concatenate([*map(tiny.tokens, texts[:-1]), tiny.tokens(texts[-1][:-HELD_OUT])])
    arrays = dict(np.load(target)) if again else {"held_out": held}
    for name, share in {"austen": 1.0}.items() if again else {"austen": 0.8, "draft": 0.2}.items():
        begin = tiny.weights(name) if again else first(tiny.shape(name), np.random.default_rng(SEED))
        weights, steps = trained(name, text, float(seconds) * share, begin)
        print(name, len(text), "letters,", steps, "steps,", jax.devices()[0].device_kind, datetime.now(UTC).date())
        for key, array in weights.items():
            scale = np.abs(array).max(-1 if key == "table" else -2, keepdims=True) / np.float32(127)
            arrays |= {f"{name} {key}": np.rint(array / scale).astype(np.int8), f"{name} {key} scale": scale}
    np.savez_compressed(target, **arrays)


def judge():
    """Print the losses on the held-out text, as data/austen.yaml has them: mean and spread over its pieces."""
    for name, dtypes in (("austen", tiny.FORMATS), ("draft", ("int8",))):
        print(f"  {name}:")
        for dtype in dtypes:
            found = tiny.measured(name, dtype)
            first, more = ", ".join(f"{one:.3f}" for one in found[:4]), found - tiny.measured()
            beside = f"more: {more.mean():.5f}, error: {more.std(ddof=1) / len(more) ** 0.5:.5f}, first: [{first}]"
            print(f"    {dtype}: {{bits: {found.mean():.3f}, spread: {found.std():.3f}, {beside}}}", flush=True)


if __name__ == "__main__":
    main(*sys.argv[1:]) if sys.argv[1:] else judge()
