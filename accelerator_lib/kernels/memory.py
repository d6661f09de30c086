"""Memory: one array of a kernel, in global or in shared memory. Loads, stores and atomics of all warps, counted.

Global memory: the first time that a sector is written, or 64 bytes are read, they cross to or from DRAM; after that
they lie in the L2; a sector that a launch has written in part is read to be filled. What a block has read lies in its
share of the L1 (one for each array), which forgets all once it is full. Every shared array exists once a block, unset
until a thread stores into it.
"""

import numpy as np

from accelerator_lib.gpu.arch import BANK_BYTES, SECTOR_BYTES, WARP_LANES
from accelerator_lib.gpu.together import together
from accelerator_lib.kernels.language import INT32, Fault
from accelerator_lib.kernels.races import Watch

WORDS_OF_A_SECTOR = SECTOR_BYTES // BANK_BYTES
LINES_A_TURN = 4  # that the L1 looks up after the first: RRZE's strided loads take 5.1 cycles for 17 lines, 8.5 for 31
FAR_COPY = 16  # bytes of a lane: an asynchronous copy of as many passes the L1 by (PTX ISA, cp.async.cg)
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
        self.coming = None  # [places]: the group of copies that each waits for, -1: none; its thread and its line

    def name(self, at):
        """An address in words: a[3, 4]; of a shared array also whose."""
        block, at = divmod(int(at), self.place.size)
        inside = f"{at // self.place.shape[1]}, {at % self.place.shape[1]}" if len(self.place.shape) == 2 else f"{at}"
        return f"{self.place.name}[{inside}]" + (f" of block {block}" if self.shared else "")

    def load(self, f, m, op, index, many=1):
        """[warps, 32]: what the lanes read; 0 in those that are not at work. Of several numbers a lane, a list."""
        index, worths = self.read(f, m, op, index, many)
        self._count(f, m, op, index, "read", worths[0])
        return worths[0] if many == 1 else worths

    def read(self, f, m, op, index, many):
        """([warps, 32] where each lane begins to read, as many [warps, 32] of what it finds there)."""
        index, at = self._at(f, m, op, index, "reads", many)
        self._needs(f, m, op, index, "reads", at, "which no thread has set")
        self._seen(f, m, op, index, "reads", at)
        found, kind = self.values[at], np.float32 if self.place.kind == "float" else np.int64
        if m.full and many == 1:
            return index, [found.reshape(m.lanes.shape).astype(kind, copy=False)]
        worths = np.zeros((many, m.lanes.size), kind)
        worths[:, m.places] = found.reshape(-1, many).T
        return index, list(worths.reshape(many, *m.lanes.shape))

    def store(self, f, m, op, index, worth):
        """Store what the lanes have: [warps, 32], or a list of them for places side by side."""
        index = self._write(f, m, op, index, worth if isinstance(worth, list) else [worth])
        self._count(f, m, op, index, "written", worth[0] if isinstance(worth, list) else worth)

    def bring(self, f, m, op, index, worths):
        """Let asynchronous copies come into shared memory: nobody may touch these places before they are waited for."""
        index = self._write(f, m, op, index, worths)
        at = self._places(f, m, index, len(worths))
        if self.coming is None:
            self.coming, self.asker = np.full((2, self.values.size), -1)
            self.asked = np.zeros(self.values.size, np.int32)
        self.coming[at] = np.repeat(f.groups.reshape(-1)[m.places], len(worths))
        self.asker[at], self.asked[at] = np.repeat(m.places, len(worths)), f.ops[op].line
        return index

    def landed(self, f, m, groups, line):
        """What threads at work asked for in groups before these has come: as if each wrote it now."""
        if self.coming is None:
            return
        at = np.flatnonzero(self.coming >= 0)
        asker = self.asker[at]
        done = m.lanes.reshape(-1)[asker] & (self.coming[at] < groups.reshape(-1)[asker])
        at, asker = at[done], asker[done]
        self.coming[at] = -1
        block = f.block.reshape(-1)[asker]
        self.watch.seen("writes", at, f.thread.reshape(-1)[asker], block, f.barriers[block] * f.blocks + block, line)

    def _write(self, f, m, op, index, worths):
        index, at = self._at(f, m, op, index, "writes", len(worths))
        self._seen(f, m, op, index, "writes", at, worths[0])
        every = np.stack([np.broadcast_to(worth, m.lanes.shape).reshape(-1)[m.places] for worth in worths], axis=1)
        self.values[at] = every.reshape(-1)
        self.set[at] = True
        return index

    @property
    def filled(self):
        """Sectors that were stored into in part."""
        starts = np.arange(0, self.set.size, SECTOR_BYTES // self.place.bytes)
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

    def _at(self, f, m, op, index, way, many=1):
        """([warps, 32], [lanes at work x many]): the index within the array, and the places in `values`."""
        line = f.ops[op].line
        try:
            found = f.flat(m, self.place, line, index, way)
            if many > 1:  # the last one, too
                f.flat(m, self.place, line, [*index[:-1], index[-1] + (many - 1)], way)
        except Fault as fault:
            f.blame(fault, op, m, fault.asked[2])
        at = self._places(f, m, found, many)
        if many > 1:
            address = BANK_BYTES * self.word + found.reshape(-1)[m.places] * self.place.bytes
            askew = address % (many * self.place.bytes)
            if askew.any():
                first = int(np.argmax(askew != 0))
                touch = f.touch(m.places[first], way, self.name(at[first * many]), line)
                said = f"{touch.who} {way} {many} numbers from {touch.place} on, and its address is no multiple of"
                fault = Fault("alignment", line, f"{said} {many * self.place.bytes} bytes", (touch,))
                f.blame(fault, op, m, found)
        if self.coming is not None and (self.coming[at] >= 0).any():
            self._too_early(f, m, op, found, way, at, many)
        return found, at

    def _places(self, f, m, index, many):
        flat = index + f.given["block"] * self.place.size if self.shared else index
        flat = flat.reshape(-1)[m.places]
        return flat if many == 1 else (flat[:, None] + np.arange(many)).reshape(-1)

    def _too_early(self, f, m, op, index, way, at, many):
        first = int(np.argmax(self.coming[at] >= 0))
        place, name = at[first], self.name(at[first])
        us = f.touch(m.places[first // many], way, name, f.ops[op].line)
        them = f.touch(self.asker[place], "writes", name, int(self.asked[place]))
        said = f"{us.who} {way} {name}, which the copy_async in line {them.line} has not brought yet"
        fault = Fault("race", us.line, f"{said}: commit() and wait_async(...) come first", (us, them))
        f.blame(fault, op, m, index)

    def _needs(self, f, m, op, index, way, at, words):
        """Raises Fault where a place of shared memory holds nothing yet."""
        if self.shared and not self.set[at].all():
            first, line = int(np.argmin(self.set[at])), f.ops[op].line
            touch = f.touch(m.places[first // (len(at) // len(m.places))], way, self.name(at[first]), line)
            fault = Fault("unset", line, f"{touch.who} {way} {touch.place}, {words}", (touch,))
            f.blame(fault, op, m, index)

    def _seen(self, f, m, op, index, way, at, worth=0):
        if self.watch is not None:
            try:
                many = len(at) // len(m.places)
                self.watch.seen(way, at, *(np.repeat(each, many) for each in f.threads_of(m)), f.ops[op].line)
            except Fault as fault:
                f.blame(fault, op, m, index, worth)

    def _count(self, f, m, op, index, way, worth):
        f.did(op, m, self.costs(f, m, op, index, way))
        f.keep(op, m, index, worth)

    def costs(self, f, m, op, index, way):
        """(turns, sectors, new, asked, brought) of an access, each [warps]; of shared memory the turns alone."""
        which, f_op = m.which, f.ops[op]
        first, mask = self.word + (index[which] * self.place.bytes >> 2), m.lanes[which]
        wide = f_op.words
        if wide > 1:  # of 16 bytes a lane, 8 lanes at a time have their turns: 32 words
            first = (first[:, :, None] + np.arange(wide)).reshape(len(first), -1)
            mask = np.repeat(mask, wide, axis=1)
        touched = together(first, mask)
        parts = touched if wide == 1 else together(first.reshape(-1, WARP_LANES), mask.reshape(-1, WARP_LANES))

        def summed(turns):
            return turns.reshape(-1, wide).sum(axis=1)

        if self.shared:  # whole numbers for one word are added up first, reals one by one
            alone = f_op.kind == "shared atomic" and self.place.kind == "float"
            return (touched.queued if alone else summed(parts.turns),)
        turns, brought = touched.alike if f_op.kind == "atomic" else touched.lines, touched.sectors
        if f_op.kind in ("load", "copy"):
            lookups = -(-(parts.lines + LINES_A_TURN - 1) // LINES_A_TURN)
            turns = summed(np.maximum(parts.turns, lookups))
            if f_op.kind == "load" or f_op.bytes < FAR_COPY:
                brought = self._brought(f, touched, which)
        elif f_op.kind == "atomic":
            words, queues = touched.queues
            piece = words // PIECE_WORDS
            np.add.at(f.slices, piece % 2 + piece // 4 * 2 % SLICES, queues)
        return turns, touched.sectors, self._new(touched, way), touched.asked_bytes, brought

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
