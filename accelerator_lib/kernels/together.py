"""Together: the shuffles to which all lanes of a warp come at once, whatever the numbers are.

A lane may leave where the condition of a branch, or the reach of a loop, may differ from lane to lane. A number is the
same for all lanes where nothing in it differs: no lane, thread or array, no variable that was set where lanes had left.
"""

import ast

from accelerator_lib.kernels.language import MATHS, SHUFFLES

DIFFER = {"lane", "thread", "thread_x", "thread_y"}


def together(body):
    """{id of a call} of the shuffles in these statements to which all lanes of a warp come."""
    walk = _Walk()
    while True:  # all numbers are the same until one is found that is not
        known = set(walk.differ)
        walk.shuffles = set()
        walk.body(body, True)
        if walk.differ == known:
            return walk.shuffles


class _Walk:
    """One walk over the statements of a kernel; `here` says whether all lanes are there."""

    def __init__(self):
        self.differ, self.shuffles = set(DIFFER), set()

    def same(self, node):
        """Whether an expression is worth the same for all lanes."""
        if isinstance(node, ast.Subscript) or (isinstance(node, ast.Call) and node.func.id not in MATHS):
            return False
        if isinstance(node, ast.Name):
            return node.id not in self.differ
        return all(self.same(part) for part in ast.iter_child_nodes(node))

    def body(self, statements, here):
        for node in statements:
            self.statement(node, here)

    def statement(self, node, here):
        if isinstance(node, (ast.If, ast.While)):
            self.visit(node.test, here and (isinstance(node, ast.If) or self.same(node.test)))
            inside = here and self.same(node.test)
            self.body(node.body, inside)
            self.body(node.orelse, inside)
        elif isinstance(node, ast.For):
            self.visit(node.iter, here)
            inside = here and all(map(self.same, node.iter.args))
            self.set(node.target, inside)
            self.body(node.body, inside)
        else:
            self.visit(node, here)
            if isinstance(node, (ast.Assign, ast.AugAssign)):
                target = node.targets[0] if isinstance(node, ast.Assign) else node.target
                self.set(target, here and self.same(node.value))

    def set(self, target, same):
        """Note what a variable is set to; what is in an array may differ anyway."""
        if isinstance(target, ast.Name) and not same:
            self.differ.add(target.id)

    def visit(self, node, here):
        """Find the shuffles of an expression; `a if c else b`, `and` and `or` may stop before they come to one."""
        if isinstance(node, ast.Call) and node.func.id in SHUFFLES and here:
            self.shuffles.add(id(node))
        if isinstance(node, ast.IfExp):
            self.visit(node.test, here)
            for part in (node.body, node.orelse):
                self.visit(part, here and self.same(node.test))
        elif isinstance(node, (ast.BoolOp, ast.Compare)):
            parts = node.values if isinstance(node, ast.BoolOp) else [node.left, *node.comparators]
            sure = 1 if isinstance(node, ast.BoolOp) else 2
            for number, part in enumerate(parts):
                self.visit(part, here and (number < sure or all(map(self.same, parts[:number]))))
        else:
            for part in ast.iter_child_nodes(node):
                self.visit(part, here)
