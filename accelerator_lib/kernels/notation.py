"""Notation: what an expression of a Pallas kernel is worth; read from its syntax tree, in NumPy, nothing executed.

Names of jnp, jax, pl and pltpu are looked up in a list of their own. Every node and every number that is made counts
against a budget (budget.py).
"""

import ast
import operator
from math import prod

import numpy as np

from accelerator_lib.kernels.budget import Budget
from accelerator_lib.kernels.functions import CALLS, FORMATS, METHODS, Wrong, dot, fits, number, plain
from accelerator_lib.kernels.language import COMPARE, INT32, Fault
from accelerator_lib.kernels.refs import Ref

MODULES = ("jnp", "jax", "pl", "pltpu")
BINARY = {ast.Add: operator.add, ast.Sub: operator.sub, ast.Mult: operator.mul, ast.Div: operator.truediv}
BINARY |= {ast.FloorDiv: operator.floordiv, ast.Mod: operator.mod, ast.Pow: operator.pow}
BINARY |= {ast.BitAnd: operator.and_, ast.BitOr: operator.or_, ast.BitXor: operator.xor}
SLOW = 10  # sums of reals that take as long as their division with a rest
READ = "Constant Name Tuple List BinOp UnaryOp Compare Attribute Slice Subscript Call Lambda IfExp BoolOp"
READERS = {getattr(ast, name): f"_{name.lower()}" for name in READ.split()}
ALLOWED = "assignments, def, lambda, for over a range, @pl.when, refs, arrays, and calls of jnp, jax.lax, jax.nn and pl"


def refused(node, instead=f"this small language has {ALLOWED}"):
    """The Fault for what the language does not have."""
    return Fault("language", getattr(node, "lineno", 1), instead)


def dotted(node):
    """ "jnp.exp" of a node, or None where it is no name of a module."""
    parts = []
    while isinstance(node, ast.Attribute):
        parts.append(node.attr)
        node = node.value
    return ".".join([node.id, *reversed(parts)]) if isinstance(node, ast.Name) and node.id in MODULES else None


class Notation(Budget):
    """Reads expressions; `names` is a ChainMap. Other calls, of Pallas or of the text's own, are `called` in Bodies."""

    def value(self, node, names):
        """What an expression is worth. Raises Fault."""
        self.spend(node)
        reader = getattr(self, READERS.get(type(node), ""), None)
        if reader is None:
            raise refused(node)
        try:
            return reader(node, names)
        except Wrong as wrong:
            raise Fault("value", node.lineno, str(wrong)) from None
        except ZeroDivisionError:
            raise Fault("division", node.lineno, "division by zero") from None
        except OverflowError:
            raise Fault("value", node.lineno, "this number does not fit into 32 bits") from None
        except Fault:
            raise
        except (ValueError, TypeError):
            raise Fault("value", node.lineno, "this cannot be computed") from None

    def _made(self, node, value):
        value = plain(value)
        if type(value) is int and abs(value) > INT32:
            raise Wrong("this whole number does not fit into 32 bits")
        if type(value) not in (int, float, bool, np.ndarray) and not isinstance(value, np.generic):
            raise Wrong("only numbers are computed with")
        self.spend(node, np.size(value))
        self.hold(node, value)
        return value

    def _constant(self, node, names):
        if node.value is None or node.value is Ellipsis or type(node.value) in (bool, int, float):
            return self._made(node, node.value) if type(node.value) is int else node.value
        raise refused(node, "this small language has whole numbers and reals")

    def _name(self, node, names):
        if node.id not in names:
            known = node.id in MODULES
            raise refused(node, f"{node.id} is a module" if known else f"{node.id[:40]} has no value here")
        return names[node.id]

    def _tuple(self, node, names):
        return tuple(self.value(part, names) for part in node.elts)

    _list = _tuple

    def _binop(self, node, names):
        left, right = number(self.value(node.left, names)), number(self.value(node.right, names))
        if isinstance(node.op, ast.MatMult):
            return self._multiplied(node, left, right)
        if type(node.op) not in BINARY:
            raise refused(node)
        if isinstance(node.op, ast.Pow) and not (np.ndim(right) == 0 and abs(right) <= 8):
            raise Wrong("a power is at most 8 here")
        kinds = np.asarray(left).dtype.kind + np.asarray(right).dtype.kind
        if kinds == "bb" and isinstance(node.op, ast.Sub):
            raise Wrong("truths are joined by & | ^ and ~")
        if isinstance(node.op, (ast.BitAnd, ast.BitOr, ast.BitXor)) and "f" in kinds:
            raise Wrong("& | ^ join whole numbers and truths")
        shape = fits(left, right)
        if isinstance(node.op, (ast.FloorDiv, ast.Mod)):
            self.spend(node, SLOW * prod(shape))
        return self._made(node, BINARY[type(node.op)](left, right))

    def _multiplied(self, node, left, right, **more):
        work = np.size(left) * (np.shape(right)[1] if np.ndim(right) == 2 else 1)
        self.spend(node, work)
        made = self._made(node, dot(left, right, **more))
        self.macs += work
        return made

    def _unaryop(self, node, names):
        value = number(self.value(node.operand, names))
        truth = np.asarray(value).dtype.kind == "b"
        if isinstance(node.op, ast.Invert) and np.asarray(value).dtype.kind in "bi":
            return self._made(node, np.logical_not(value) if truth else ~value)
        if truth or not isinstance(node.op, (ast.USub, ast.UAdd)):
            raise refused(node, "`not`, and - of a truth, are no part of Pallas: use ~ or jnp.logical_not")
        return self._made(node, -value if isinstance(node.op, ast.USub) else value)

    def _compare(self, node, names):
        if len(node.ops) != 1 or type(node.ops[0]) not in COMPARE:
            raise refused(node, "one comparison at a time; & joins two, in brackets")
        left, right = number(self.value(node.left, names)), number(self.value(node.comparators[0], names))
        fits(left, right)
        return self._made(node, COMPARE[type(node.ops[0])](left, right))

    def _attribute(self, node, names):
        name = dotted(node)
        if name is not None:
            if name in FORMATS:
                return FORMATS[name]
            if name == "jnp.inf":
                return float("inf")
            raise refused(node, f"{name[:60]} is nothing that this small language has")
        value = self.value(node.value, names)
        held = value if isinstance(value, np.ndarray) else getattr(value, "values", None)
        if held is not None and node.attr in ("shape", "dtype"):
            return held.shape if node.attr == "shape" else held.dtype.type
        if node.attr == "T" and isinstance(value, np.ndarray):
            return value.T
        raise refused(node, f".{node.attr[:40]} is nothing that this small language has")

    def _slice(self, node, names):
        return slice(*(part and self.value(part, names) for part in (node.lower, node.upper, node.step)))

    def _subscript(self, node, names):
        value, key = self.value(node.value, names), self.value(node.slice, names)
        if isinstance(value, Ref):
            read = value.read(key, node.lineno)
            self.spend(node, np.size(read))
            self.hold(node, read)
            return read
        if isinstance(value, tuple) and type(key) is int and -len(value) <= key < len(value):
            return value[key]
        if not isinstance(value, np.ndarray):
            raise Wrong("only refs, arrays and tuples have parts")
        for part in key if isinstance(key, tuple) else (key,):
            ends = (part.start, part.stop) if isinstance(part, slice) and part.step is None else (part,)
            if any(end is not None and end is not Ellipsis and type(end) is not int for end in ends):
                raise Wrong("parts of an array are :, whole numbers and None; a ref also takes pl.ds")
        try:
            return self._made(node, value[key])
        except IndexError:
            raise Fault("bounds", node.lineno, f"an array of shape {value.shape} has no such part") from None

    def _call(self, node, names):
        if any(isinstance(arg, ast.Starred) for arg in node.args) or any(word.arg is None for word in node.keywords):
            raise refused(node, "calls with plain arguments only")
        name = dotted(node.func)
        if name is None and isinstance(node.func, ast.Attribute):
            function = METHODS.get(node.func.attr)
            if function is None:
                raise refused(node, f".{node.func.attr[:40]} is nothing to call here")
            first = [number(self.value(node.func.value, names))]
        else:
            function, first = CALLS.get(name), []
        if function is None:
            return self.called(node, name, names)
        args = [*first, *(self.value(arg, names) for arg in node.args)]
        more = {word.arg: self.value(word.value, names) for word in node.keywords}
        if function is dot and len(args) == 2:
            return self._multiplied(node, *map(number, args), **more)
        read = [each.size for each in (*args, *more.values()) if isinstance(each, np.ndarray)]
        self.spend(node, sum(read))  # a sum reads more than it makes
        try:
            made = function(*args, **more)
        except (TypeError, AttributeError):
            raise refused(node, f"{ast.unparse(node.func)[:40]} is called with other arguments") from None
        return self._made(node, made) if isinstance(made, (np.ndarray, np.generic)) else made
