"""Scope: the names of a kernel. Which are arrays and where they live, which constants, which variables hold reals.

shared(32, 33) is an array of each block, zeros(4) one of each thread, in registers; a constant, in capitals, costs
nothing and may be a size. shared(64, 72, half) holds numbers of two bytes, which are reals once they are read.
"""

import ast
from dataclasses import dataclass
from math import prod

from accelerator_lib.kernels.language import DECLARED, GIVEN, LOADS, RESERVED, SHUFFLES, WIDE, Fault, constant, named

MOST_OWN = 256  # numbers that a thread keeps in registers


@dataclass(frozen=True)
class Place:
    """An array by name: what it holds, its shape and where it lives."""

    name: str
    kind: str  # "int" or "float"
    shape: tuple
    space: str  # "global", "shared" or "own"
    line: int = 0  # where it is declared
    bytes: int = 4  # of a number; 2: halves, whose kind is "float"
    loose: bool = False  # whether its ends are those of the memory, not of its rows

    size = property(lambda self: prod(self.shape))
    words = property(lambda self: -(-self.size * self.bytes // 4))  # of four bytes that it takes


@dataclass(frozen=True, eq=False)
class Scope:
    """The names of one kernel."""

    places: dict  # name -> Place
    scalars: dict  # argument -> number
    constants: dict  # name in capitals -> number
    variables: dict  # name -> "int" or "float"
    written: frozenset  # arrays that some line stores into
    body: tuple  # statements without the declarations


def scope(body, places, scalars):
    """Scope of the statements of a kernel with these global arrays and scalars."""
    places, constants, rest = dict(places), {}, []
    for statement in body:
        target = statement.targets[0] if isinstance(statement, ast.Assign) and len(statement.targets) == 1 else None
        if isinstance(target, ast.Name) and _called(statement.value) in DECLARED:
            _free(target, places, scalars, constants)
            places[target.id] = _declared(target.id, statement.value, constants)
        elif isinstance(target, ast.Name) and target.id.isupper() and target.id not in scalars:
            _free(target, places, scalars, constants)
            value = constant(statement.value, constants)
            if value is None:
                raise Fault("language", target.lineno, f"{target.id}, in capitals, is a constant: set it to a number")
            constants[target.id] = value
        else:
            rest.append(statement)
    found = Scope(places, scalars, constants, {}, frozenset(_written(rest)), tuple(rest))
    _infer(found)
    return found


def kind_of(node, known):
    """ "int" or "float": what an expression gives, by a Scope whose variables are known so far."""
    if isinstance(node, ast.Constant):
        return "float" if type(node.value) is float else "int"
    if isinstance(node, ast.Name):
        value = known.constants.get(node.id, known.scalars.get(node.id))
        return known.variables.get(node.id, "int") if value is None else "float" if type(value) is float else "int"
    if isinstance(node, ast.BinOp):
        return "float" if isinstance(node.op, ast.Div) else _either((node.left, node.right), known)
    if isinstance(node, ast.UnaryOp):
        return "int" if isinstance(node.op, ast.Not) else kind_of(node.operand, known)
    if isinstance(node, ast.IfExp):
        return _either((node.body, node.orelse), known)
    if isinstance(node, ast.Subscript):
        place = known.places.get(named(node.value))
        return place.kind if place else "int"
    name = _called(node)
    if name in ("sqrt", "exp", "float"):
        return "float"
    if name in ("min", "max"):
        return _either(node.args, known)
    if name in (*SHUFFLES, *LOADS, "abs") and node.args:
        return kind_of(node.args[0], known)
    if name == "atomic_add" and node.args:
        place = known.places.get(named(node.args[0]))
        return place.kind if place else "int"
    return "int"


def _either(nodes, known):
    return "float" if any(kind_of(node, known) == "float" for node in nodes) else "int"


def _called(node):
    return node.func.id if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) else None


def _free(target, places, scalars, constants):
    if target.id in RESERVED or target.id in places or target.id in scalars or target.id in constants:
        raise Fault("language", target.lineno, f"{target.id} has a meaning already; choose another name")


def _declared(name, call, constants):
    args, kind = list(call.args), "float"
    if args and isinstance(args[-1], ast.Name) and args[-1].id in ("int", "float", "half"):
        kind = args.pop().id
    shape = tuple(constant(node, constants) for node in args)
    good = 1 <= len(shape) <= 2 and all(type(side) is int and 1 <= side <= 2**16 for side in shape)
    if call.keywords or not good:
        raise Fault("language", call.lineno, f"{call.func.id} takes one or two constant sizes, such as 32, 33")
    number = ("float", 2) if kind == "half" else (kind, 4)
    place = Place(name, number[0], shape, "shared" if call.func.id == "shared" else "own", call.lineno, number[1])
    if place.space == "own" and place.size > MOST_OWN:
        raise Fault("budget", call.lineno, f"a thread keeps at most {MOST_OWN} numbers in registers")
    return place


def _written(body):
    for node in (n for statement in body for n in ast.walk(statement)):
        if isinstance(node, ast.Subscript) and isinstance(node.ctx, ast.Store):
            yield named(node.value)
        elif _called(node) in ("atomic_add", *WIDE) and node.args:
            yield named(node.args[0].value if isinstance(node.args[0], ast.Subscript) else node.args[0])


def _infer(known):
    """Fill in `variables`: a variable that is ever set to a real holds reals throughout."""
    nodes = [n for statement in known.body for n in ast.walk(statement)]
    several = lambda target: target.elts if isinstance(target, ast.Tuple) else [target]  # noqa: E731
    set_to = [(target, n.value) for n in nodes if isinstance(n, ast.Assign) for target in several(n.targets[0])]
    set_to += [(n.target, ast.BinOp(n.target, n.op, n.value)) for n in nodes if isinstance(n, ast.AugAssign)]
    set_to += [(n.target, ast.Constant(0)) for n in nodes if isinstance(n, ast.For)]
    set_to = [(target, value) for target, value in set_to if isinstance(target, ast.Name)]
    for target, _ in set_to:
        taken = target.id in RESERVED or target.id in known.places or target.id in known.scalars
        if taken or target.id in known.constants:
            given = "given" if target.id in GIVEN or target.id in known.scalars else "taken"
            raise Fault("language", target.lineno, f"{target.id} is {given}; store the result under another name")
        known.variables[target.id] = "int"
    users = {}  # name -> what is looked at again when it turns out to hold reals
    for target, value in set_to:
        for name in {node.id for node in ast.walk(value) if isinstance(node, ast.Name)}:
            users.setdefault(name, []).append((target.id, value))
    waiting = [(target.id, value) for target, value in set_to]
    while waiting:
        name, value = waiting.pop()
        if known.variables[name] == "int" and kind_of(value, known) == "float":
            known.variables[name] = "float"
            waiting += users.get(name, ())
