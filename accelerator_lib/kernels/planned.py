"""Planned: a text of plain numbers whose calls are commands of a machine: loops, if, names, functions, commands.

It is read from its syntax tree, as a Pallas text is; nothing of it is executed. Everything is known when it is read, so
that a plain `if` may ask for anything.
"""

import ast
from collections import ChainMap

import numpy as np

from accelerator_lib.kernels import notation
from accelerator_lib.kernels.bodies import NOTHING, Bodies
from accelerator_lib.kernels.budget import look
from accelerator_lib.kernels.functions import Wrong
from accelerator_lib.kernels.language import Fault, read, said

MOST_COMMANDS = 20_000
ALLOWED = "whole numbers, assignments, def, lambda, if, for over a range, min, max, and these commands: {}"


class Planned(Bodies):
    """Runs statements; `commands` is {name: function of (line, *arguments)}."""

    def __init__(self, commands):
        super().__init__(None)
        self.commands, self.given = commands, 0

    def if_(self, node, names):
        return self.run(node.body if self._truth(node.test, names) else node.orelse, names)

    def _truth(self, node, names):
        value = self.value(node, names)
        if not isinstance(value, (int, float, np.generic)):
            raise Fault("value", node.lineno, "one number or truth is needed here")
        return bool(value)

    def _ifexp(self, node, names):
        return self.value(node.body if self._truth(node.test, names) else node.orelse, names)

    def _boolop(self, node, names):
        stops = isinstance(node.op, ast.Or)
        return any(self._truth(part, names) is stops for part in node.values) is stops

    def called(self, node, name, names):
        """What a command gives, or a function of the text's own."""
        command = self.commands.get(getattr(node.func, "id", None))
        if command is None:
            return super().called(node, name, names)
        look()
        self.given += 1
        if self.given > MOST_COMMANDS:
            raise Fault("budget", node.lineno, f"more than {MOST_COMMANDS:,} commands: take larger pieces")
        args = [self.value(arg, names) for arg in node.args]
        more = {word.arg: self.value(word.value, names) for word in node.keywords}
        try:
            return command(node.lineno, *args, **more)
        except TypeError:
            raise notation.refused(node, f"{node.func.id} is called as in the text at the start") from None


def follow(source, names, commands):
    """Run a text with {name: value} and commands. Raises Fault, with its line, for what is wrong with it."""
    with said(source):
        body = read(source)
        try:
            with np.errstate(all="ignore"):
                made = Planned(commands).run(body, ChainMap({}, names))
        except Wrong as wrong:
            raise Fault("value", 1, str(wrong)) from None
        except Fault as fault:
            fault.words = fault.words.replace(notation.ALLOWED, ALLOWED.format(", ".join(commands)))
            raise
    return made is NOTHING
