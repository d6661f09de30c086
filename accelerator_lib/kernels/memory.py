"""Memory: one array of a kernel, in global or in shared memory. Loads, stores and atomics of all warps, counted.

Global memory: the first time that a sector is written, or 64 bytes are read, they cross to or from DRAM; after that
they lie in the L2; a sector that a launch has written in part is read to be filled. What a block has read lies in its
share of the L1 (one for each array), which forgets all once it is full. Every shared array exists once a block, unset
until a thread stores into it.
"""

import numpy as np

from accelerator_lib.gpu.arch import BANK_BYTES, SECTOR_BYTES
from accelerator_lib.gpu.together import together
from accelerator_lib.kernels.language import INT32, Fault
from accelerator_lib.kernels.races import Watch

WORDS_OF_A_SECTOR = SECTOR_BYTES // BANK_BYTES
LINES_A_TURN = 4  # that the L1 looks up after the first: RRZE's strided loads take 5.1 cycles for 17 lines, 8.5 for 31
READ_SECTORS = 2  # that DRAM brings at once: on an H100 every 16th number takes as long as every 8th, every 32nd half
PIECE_WORDS, SLICES = 64, 32  # of memory for one slice of the L2 to add to; its slices, of which four pieces share 2
MOST_NEAR = 2**23  # blocks x sectors of an array; of a larger one no L1 is kept


class Memory:
    """An array: `values` is flat; of a shared one, block after block."""

    def __init__(self, place, values, word, frame, watched):
        self.place, self.values, self.word = place, values, word  # word: the address of its first number, in words
        self.shared = place.space == "shared"
        self.set = np.zeros(values.size, bool)  # which places were stored into
        sectors = -(-place.size // WORDS_OF_A_SECTOR)
        self.crossed = {way: np.full(sectors, -1) for way in ("read", "written")}
        fits = not self.shared and frame.blocks * sectors <= MOST_NEAR
        self.near = np.zeros((frame.blocks, sectors), bool) if fits else None  # those in the L1
        self.got = np.zeros(frame.blocks, np.int64)  # how many came into it
        self.watch = Watch(values.size, self.name, frame.block_size) if watched else None

    def name(self, at):
        """An address in words: a[3, 4]; of a shared array also whose."""
        block, at = divmod(int(at), self.place.size)
        inside = f"{at // self.place.shape[1]}, {at % self.place.shape[1]}" if len(self.place.shape) == 2 else f"{at}"
        return f"{self.place.name}[{inside}]" + (f" of block {block}" if self.shared else "")

    def load(self, f, m, op, index):
        """[warps, 32]: what the lanes read; 0 in those that are not at work."""
        index, at = self._at(f, m, op, index, "reads")
        self._needs(f, m, op, index, "reads", at, "which no thread has set")
        self._seen(f, m, op, index, "reads", at)
        found = self.values[at]
        if m.full:
            worth = found.reshape(m.lanes.shape)
        else:
            worth = np.zeros(m.lanes.shape, self.values.dtype)
            worth.reshape(-1)[m.places] = found
        self._count(f, m, op, index, "read", worth)
        return worth

    def store(self, f, m, op, index, worth):
        """Store what the lanes have."""
        index, at = self._at(f, m, op, index, "writes")
        self._seen(f, m, op, index, "writes", at, worth)
        worth = np.broadcast_to(worth, m.lanes.shape)
        self.values[at] = worth.reshape(-1)[m.places]
        self.set[at] = True
        self._count(f, m, op, index, "written", worth)

    @property
    def filled(self):
        """Sectors that were stored into in part."""
        starts = np.arange(0, self.set.size, WORDS_OF_A_SECTOR)
        some, every = (of.reduceat(self.set, starts) for of in (np.logical_or, np.logical_and))
        return int(np.count_nonzero(some & ~every))

    def add(self, f, m, op, index, worth):
        """[warps, 32]: what was there before each lane added its own, in the order of the lanes."""
        index, at = self._at(f, m, op, index, "adds to")
        self._needs(f, m, op, index, "adds to", at, "which is not set")
        self._seen(f, m, op, index, "adds to", at, worth)
        worth = np.broadcast_to(worth, m.lanes.shape)
        own = worth.reshape(-1)[m.places].astype(self.values.dtype)
        before = np.zeros(m.lanes.shape, self.values.dtype)
        before.reshape(-1)[m.places] = self.values[at] + _earlier(at, own)
        np.add.at(self.values, at, own)
        if self.place.kind == "int" and (np.abs(self.values[at]) >= INT32).any():
            raise Fault("value", f.ops[op].line, f"a number in {self.place.name} grows beyond 32 bits")
        self._count(f, m, op, index, "written", worth)
        return before

    def _at(self, f, m, op, index, way):
        """([warps, 32], [lanes at work]): the index within the array, and the place in `values`."""
        try:
            index = f.flat(m, self.place, f.ops[op].line, index, way)
        except Fault as fault:
            f.blame(fault, op, m, fault.asked[2])
        flat = index + f.given["block"] * self.place.size if self.shared else index
        return index, flat.reshape(-1)[m.places]

    def _needs(self, f, m, op, index, way, at, words):
        """Raises Fault where a place of shared memory holds nothing yet."""
        if self.shared and not self.set[at].all():
            first, line = int(np.argmin(self.set[at])), f.ops[op].line
            touch = f.touch(m.places[first], way, self.name(at[first]), line)
            fault = Fault("unset", line, f"{touch.who} {way} {touch.place}, {words}", (touch,))
            f.blame(fault, op, m, index)

    def _seen(self, f, m, op, index, way, at, worth=0):
        if self.watch is not None:
            try:
                self.watch.seen(way, at, *f.threads_of(m), f.ops[op].line)
            except Fault as fault:
                f.blame(fault, op, m, index, worth)

    def _count(self, f, m, op, index, way, worth):
        which, f_op = m.which, f.ops[op]
        touched = together(self.word + index[which], m.lanes[which])
        if self.shared:  # whole numbers for one word are added up first, reals one by one
            alone = f_op.kind == "shared atomic" and self.place.kind == "float"
            f.did(op, m, (touched.queued if alone else touched.turns,))
        else:
            turns, brought = touched.alike if f_op.kind == "atomic" else touched.lines, touched.sectors
            if f_op.kind == "load":
                turns = np.maximum(touched.turns, -(-(turns + LINES_A_TURN - 1) // LINES_A_TURN))
                brought = self._brought(f, touched, which)
            elif f_op.kind == "atomic":
                words, queues = touched.queues
                piece = words // PIECE_WORDS
                np.add.at(f.slices, piece % 2 + piece // 4 * 2 % SLICES, queues)
            f.did(op, m, (turns, touched.sectors, self._new(touched, way), touched.asked_bytes, brought))
        f.keep(op, m, index, worth)

    def _brought(self, f, touched, which):
        """[warps]: sectors that a load brings from the L2; -1 where the L1 has had all of them before this load."""
        if self.near is None:
            return touched.sectors
        row, sector = self._sectors(touched)
        block = which[row] // f.warps
        far = ~self.near[block, sector]
        found = np.where(np.bincount(row[far].astype(np.intp), minlength=len(which)) > 0, 0, -1)
        row, block, sector = row[far], block[far], sector[far]
        _, first = np.unique(block * self.near.shape[1] + sector, return_index=True)  # the others wait for this warp's
        np.add.at(found, row[first], 1)
        self.near[block, sector] = True
        self.got += np.bincount(block[first].astype(np.intp), minlength=f.blocks)
        full = self.got > f.room
        self.near[full], self.got[full] = False, 0
        return found

    def _sectors(self, touched):
        """(row, sector of this array) of every sector that a warp touches, warp after warp."""
        opens = touched.opens(SECTOR_BYTES)
        row = np.broadcast_to(np.arange(len(opens))[:, None], opens.shape)[opens]
        return row, (touched.words[opens] - self.word) // WORDS_OF_A_SECTOR

    def _new(self, touched, way):
        """[warps]: sectors that cross for a warp, because none had read, or written, them before."""
        (row, sector), at_once = self._sectors(touched), READ_SECTORS if way == "read" else 1
        crossed, piece = self.crossed[way], sector // at_once
        new = (crossed[piece] < 0) & np.r_[True, (np.diff(piece) != 0) | (np.diff(row) != 0)]
        row, piece = row[new], piece[new]
        crossed[piece[::-1]] = row[::-1]  # of two warps the first brings it
        return at_once * np.bincount(row[crossed[piece] == row].astype(np.intp), minlength=len(touched.words))


def _earlier(at, own):
    """What lanes before each have added to the same place."""
    order = np.argsort(at, kind="stable")
    summed = np.cumsum(own[order]) - own[order]
    starts = np.r_[True, np.diff(at[order]) != 0]
    group = np.maximum.accumulate(np.where(starts, np.arange(len(at)), 0))
    found = np.empty_like(own)
    found[order] = summed - summed[group]
    return found
