"""Flash attention, block by block: scores appear on the chip, are used, and are gone; what moves is counted on the way.

    for each block of rows of Q, for each block of K and V:   S = Q K^T,  softmax,  O += S V

Beside it, the bytes that would have moved by then if every block of scores were written, read for the softmax, written
as weights and read again. Forward only, no mask. Source: T. Dao, "FlashAttention-2", 2023: rows in the outer loop;
the first version (T. Dao et al., "FlashAttention", 2022) had the columns there.
"""

from dataclasses import dataclass

from accelerator_lib.checks.signature import Count, Switch, checked
from accelerator_lib.hardware import Format, format_bytes
from accelerator_lib.tiling.attention import attention_bytes

TRIPS = 4  # of every score where scores are written: out and in for the softmax, out and in as weights


@dataclass(frozen=True)
class Blocked:
    """One head, cut into blocks."""

    tokens: int
    head_dim: int
    block_rows: int
    block_cols: int
    cached: bool  # whether a cache catches K and V after the first pass
    dtype: str

    @property
    def grid(self):
        """Blocks of scores: down, across."""
        return -(-self.tokens // self.block_rows), -(-self.tokens // self.block_cols)

    @property
    def flash_bytes(self):
        """All that flash moves, by the formula."""
        return self._bytes("flash")

    @property
    def standard_bytes(self):
        """All that moves where scores are written, by the formula."""
        return self._bytes("standard")

    @property
    def score_bytes(self):
        """The size of the scores, all of them at once."""
        return self.tokens**2 * format_bytes(self.dtype)

    def _bytes(self, algorithm):
        more = {"block_rows": self.block_rows, "kv_cached": self.cached}
        return int(attention_bytes(self.tokens, self.head_dim, dtype=self.dtype, algorithm=algorithm, **more))

    def rows(self, i):
        """How many tokens the block i of Q has."""
        return min(self.block_rows, self.tokens - i * self.block_rows)

    def cols(self, j):
        """How many tokens the block j of K and V has."""
        return min(self.block_cols, self.tokens - j * self.block_cols)


@dataclass(frozen=True)
class Moment:
    """One block of scores on the chip: its place in the grid, or None before the first and after the last."""

    blocks: Blocked
    used: int  # blocks of scores that were there and are gone
    place: tuple | None
    flash_bytes: int
    standard_bytes: int

    @property
    def coming(self):
        """The place of the block after this one, or None."""
        down, across = self.blocks.grid
        following = self.used + (self.place is not None)
        return divmod(following, across) if following < down * across else None


@checked
def walk(
    tokens: Count(high=10**6),
    head_dim: Count(high=10**5) = 64,
    block_rows: Count() = 128,
    block_cols: Count() = 128,
    cached: Switch = False,
    dtype: Format = "fp16",
):
    """Yield a Moment before anything is brought, one for every block of scores, one when all is written."""
    return _walk(Blocked(tokens, head_dim, block_rows, block_cols, cached, dtype))


def _walk(blocks):
    token = blocks.head_dim * format_bytes(blocks.dtype)  # bytes of one row of Q, K, V or O
    down, across = blocks.grid
    flash = standard = 0
    yield Moment(blocks, 0, None, 0, 0)
    for i in range(down):
        flash, standard = flash + blocks.rows(i) * token, standard + blocks.rows(i) * token
        for j in range(across):
            both = 2 * blocks.cols(j) * token  # K and V
            flash += 0 if blocks.cached and i else both
            standard += 0 if i else both
            standard += TRIPS * blocks.rows(i) * blocks.cols(j) * format_bytes(blocks.dtype)
            yield Moment(blocks, i * across + j, (i, j), flash, standard)
        flash, standard = flash + blocks.rows(i) * token, standard + blocks.rows(i) * token  # the output
    yield Moment(blocks, down * across, None, flash, standard)
