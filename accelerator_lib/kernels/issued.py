"""Issued: every instruction that every warp issues, warp after warp, and what it touches."""

from dataclasses import dataclass

import numpy as np

COSTS = ("turns", "sectors", "new", "asked")


@dataclass(frozen=True, eq=False)
class Issued:
    """The instructions of a launch. Arrays run over all of them, warp after warp, each in its order."""

    op: np.ndarray  # which instruction of the program's text
    warp: np.ndarray
    turns: np.ndarray  # of shared memory; of a global atomic, lanes that add to the same place
    sectors: np.ndarray  # of global memory
    new: np.ndarray  # of these, sectors that nobody had moved before: they cross from or to DRAM
    asked: np.ndarray  # distinct bytes
    ends: np.ndarray  # [warps]: where the next warp's begin
    lanes: np.ndarray  # [instructions of the text]: lanes at work, summed
    steps: tuple  # (instruction, warps that issue it, {cost: [warps]}) in the order of the run
    warps: int  # of a block
    blocks: int


def issued(frame):
    """Issued of a frame whose kernel has run."""
    ops = np.array([op for op, _, _ in frame.trace], int)
    counts = np.array([len(which) for _, which, _ in frame.trace], int)
    ends, total = np.cumsum(counts), int(counts.sum())
    costs, steps = np.zeros((len(COSTS), total), np.int64), []
    for number, (op, which, _) in enumerate(frame.trace):
        found = frame.noted.get(number, ())
        for row, each in enumerate(found):
            costs[row, ends[number] - counts[number] : ends[number]] = each
        steps.append((op, which, found))
    warp = np.concatenate([which for _, which, _ in frame.trace]) if total else np.zeros(0, int)
    order = np.argsort(warp, kind="stable")
    every = frame.blocks * frame.warps
    per_warp = np.cumsum(np.bincount(warp, minlength=every))
    working = [lanes for _, _, lanes in frame.trace]
    lanes = np.bincount(ops, working, minlength=len(frame.ops)).astype(np.int64)
    sorted_costs = dict(zip(COSTS, costs[:, order], strict=True))
    return Issued(
        op=np.repeat(ops, counts)[order], warp=warp[order], **sorted_costs, ends=per_warp, lanes=lanes,
        steps=tuple(steps), warps=frame.warps, blocks=frame.blocks,
    )  # fmt: skip
