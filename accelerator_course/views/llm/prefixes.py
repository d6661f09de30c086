"""The cache as a tree of blocks: what a prompt finds there, what it adds, what has to go."""

import numpy as np

from accelerator_course.views.stage import Stage, boxes, lines, texts
from accelerator_lib.units import counted

LEFT, WIDE = 70, 540  # of the longest prompt
TOP, ROW = 54, 34
LEGEND = (("good", "found in the cache"), ("compute", "computed now"), ("memory tint", "kept from before"))


class Tree(Stage):
    """A row for each prompt: the blocks that it made. Equal beginnings are kept once, in the row of whoever came first.

    `names` of the prompts; `most`: tokens of the longest one.

    >>> names, most = tuple(llm.prefixes.chats(0)), 320
    >>> view = Tree(names, most)
    >>> run = list(llm.prefixes.visits(llm.prefixes.chats(100).values(), 16, 16))
    >>> view.show(run[0])
    >>> view.show(run[1])
    >>> view.show(run[-1])
    >>> view.show(list(llm.prefixes.visits(llm.prefixes.chats(200).values(), 1, 64))[-1])
    """

    noun = "prompt"

    def __init__(self, names, most):
        self.names, self.scale = tuple(names), WIDE / most
        self.size = (740, TOP + ROW * len(self.names) + 52)

    def marks(self, visit):
        """`visit`: prefixes.Visit."""
        return [*self._legend(), *self._rows(visit), *self._nodes(visit), *self._cache(visit)]

    def say(self, visit):
        name, found = self.names[visit.prompt], visit.reused[-1]
        gone = f"; {counted(len(visit.gone), 'block has', 'blocks have')} to go" if visit.gone else ""
        return (
            f"{name} brings {counted(visit.length, 'token')}: {found:,} are in the cache, {visit.computed:,} are "
            f"computed{gone}. The cache holds {len(visit.nodes)} of {counted(visit.room, 'block')}."
        )

    def _legend(self):
        x = LEFT + np.array([0, 186, 344])
        return [
            boxes("legend", range(3), x, 7, 14, 14, [role for role, _ in LEGEND]),
            texts("legend-words", range(3), x + 20, 14, [words for _, words in LEGEND], "ink start", 13),
            texts("heads", range(2), 736, [26, 42], ["tokens", "reused"], "ink end", 12),
        ]

    def _rows(self, visit):
        """The names, the length of the prompt that is here, and what each has reused."""
        rows = np.arange(len(self.names))
        y, here, so_far = TOP + ROW * rows, visit.prompt, np.arange(visit.prompt + 1)
        end = LEFT + self.scale * visit.length
        found = LEFT + self.scale * visit.reused[-1]
        return [
            boxes("lanes", rows, LEFT, y + 4, WIDE, ROW - 8, "muted soft faint"),
            boxes("here", [0], 4, y[here] + 1, 732, ROW - 2, "ink line"),
            texts("names", rows, LEFT - 8, y + ROW / 2, self.names, "ink end", 14),
            boxes("part", [0], found, y[here] + 7, end - found, ROW - 14, "compute tint dashed"),
            texts("reused", so_far, 728, y[so_far] + ROW / 2, [f"{n:,}" for n in visit.reused], "good bold end", 14),
            lines(
                "known", [0][: bool(visit.hits)], LEFT, y[here] + ROW / 2, found, y[here] + ROW / 2, "good dashed", 3
            ),
        ]

    def _nodes(self, visit):
        """Blocks in the cache, and a line from the block before to one in another row."""
        nodes = sorted(visit.nodes, key=lambda node: node.number)
        at = {node.number: node for node in nodes}
        keys = [node.number for node in nodes]
        wide = self.scale * visit.block
        x = LEFT + wide * np.array([node.depth for node in nodes])
        y = TOP + ROW * np.array([node.by for node in nodes])
        hits, made = set(visit.hits), set(visit.made)
        roles = ["good" if n in hits else "compute" if n in made else "memory tint" for n in keys]
        says = [self._says(node, visit) for node in nodes]
        who = [f"block {n + 1}" for n in keys]
        joints = [node for node in nodes if node.parent in at and at[node.parent].by != node.by]
        jx = LEFT + wide * np.array([node.depth for node in joints])
        top, bottom = (TOP + ROW * np.array([one.by for one in each]) + ROW / 2
                       for each in ([at[node.parent] for node in joints], joints))  # fmt: skip
        return [
            lines("joints", [node.number for node in joints], jx, top, jx, bottom, "ink", 1.5),
            boxes(
                "nodes", keys, x + min(1, wide / 8), y + 7, wide - min(2, wide / 4), ROW - 14, roles, "", 12, who, says
            ),
        ]

    def _says(self, node, visit):
        tokens = f"tokens {node.depth * visit.block + 1} to {(node.depth + 1) * visit.block} of {self.names[node.by]}"
        if node.number in visit.hits:
            return f"{tokens}: found by {self.names[visit.prompt]}"
        return f"{tokens}: computed now" if node.number in visit.made else f"{tokens}: kept"

    def _cache(self, visit):
        """How full the cache is, and what was saved in all."""
        y, share = TOP + ROW * len(self.names) + 14, len(visit.nodes) / visit.room
        words = f"cache: {len(visit.nodes)} of {counted(visit.room, 'block')} of {counted(visit.block, 'token')}"
        gone = f", {len(visit.gone)} had to go" if visit.gone else ""
        return [
            boxes("room", [0], LEFT, y, 160, 18, "memory line"),
            boxes("full", [0], LEFT, y, 160 * share, 18, "memory tint"),
            texts("room-words", [0], LEFT + 170, y + 9, [words + gone], "ink start", 13),
            texts("saved", [0], 728, y + 9, [f"{sum(visit.reused):,} reused"], "good bold end", 14),
        ]
