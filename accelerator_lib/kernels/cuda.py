"""CUDA: the same kernel as CUDA C, ready for a compiler.

The arguments keep their order; an array of two dimensions is followed by the number of its columns, `a_cols`. What a
kernel reads of its launch is declared at its head. Whole numbers are divided as Python does it: where a number may be
negative, by a function of its own. A shuffle names all 32 lanes; where lanes may have left, in a branch or a loop, it
names those that are here as __activemask(), and the text says what that does not promise. A variable is declared where
it is first set, in each block that has it for itself, or else at the head.
"""

import ast
from collections import Counter
from functools import reduce

import numpy as np

from accelerator_lib import data
from accelerator_lib.checks.signature import checked
from accelerator_lib.kernels.language import GIVEN, LOADS, MATHS, SHUFFLES, STORES, WIDE, constant, named, said
from accelerator_lib.kernels.machine import Arguments, Blocks, Threads, prepared
from accelerator_lib.kernels.program import MOST_UNROLLED
from accelerator_lib.kernels.scope import kind_of

TAKEN = """auto break case char const continue default do double else enum extern for goto if inline int long register
    return short signed sizeof static struct switch typedef union unsigned void volatile while bool class delete new
    this template throw try catch namespace using public private protected operator true false asm xor or and not
    main threadIdx blockIdx blockDim gridDim"""
KEYWORDS = frozenset(TAKEN.split())
SIGN = {ast.Mult: ("*", 12), ast.Div: ("/", 12), ast.FloorDiv: ("/", 12), ast.Mod: ("%", 12)}  # and how it binds
SIGN |= {ast.Add: ("+", 11), ast.Sub: ("-", 11), ast.LShift: ("<<", 10), ast.RShift: (">>", 10)}
SIGN |= {ast.Lt: ("<", 9), ast.LtE: ("<=", 9), ast.Gt: (">", 9), ast.GtE: (">=", 9), ast.Eq: ("==", 8)}
SIGN |= {ast.NotEq: ("!=", 8), ast.BitAnd: ("&", 7), ast.BitXor: ("^", 6), ast.BitOr: ("|", 5)}
ATOM, UNARY, ALL, ANY, CHOICE = 14, 13, 4, 3, 2
SHUFFLE = {"shuffle": "__shfl_sync"} | {f"shuffle_{way}": f"__shfl_{way}_sync" for way in ("down", "up", "xor")}
ALL_LANES, HERE = "0xffffffffu", "__activemask()"  # of a warp: each of the 32; those that are here at the time
REAL = {"min": "fminf", "max": "fmaxf", "abs": "fabsf", "sqrt": "sqrtf", "exp": "expf"}
KEEPS = (ast.Add, ast.Mult, ast.FloorDiv, ast.Mod, ast.BitAnd, ast.BitOr, ast.LShift, ast.RShift)  # of two >= 0


def free(name):
    """A name that C has no other use for."""
    return f"{name}_" if name in KEYWORDS else name


def literal(value):
    """A number as C writes it."""
    if type(value) is not float:
        return str(value)
    if value == 0 or 1e-4 <= abs(value) < 1e8:  # NumPy's own choice changes from version to version
        return np.format_float_positional(np.float32(value), trim="0") + "f"
    return np.format_float_scientific(np.float32(value), trim="-", exp_digits=2) + "f"


def names(node):
    """The names that a piece of a kernel mentions."""
    return {n.id for n in ast.walk(node) if isinstance(n, ast.Name)}


def together(body):
    """{id of a call} of the shuffles in these statements to which all lanes of a warp come, whatever the numbers are.
    A lane may leave where the condition of a branch, or the reach of a loop, may differ from lane to lane. A number is
    the same for all where nothing in it differs: no lane, thread or array, no variable set where lanes had left."""
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
        self.differ, self.shuffles = {"lane", "thread", "thread_x", "thread_y"}, set()

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
                for each in getattr(target, "elts", [target]):
                    self.set(each, here and self.same(node.value))

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


def never_below(node, known, negative):
    """Whether a whole number is known not to be negative, by {name: number} and the variables that may be."""
    if isinstance(node, ast.Constant):
        return node.value >= 0
    if isinstance(node, ast.Name):
        value = known.get(node.id)
        return node.id in GIVEN or (value >= 0 if value is not None else node.id not in negative)
    if isinstance(node, ast.BinOp) and isinstance(node.op, KEEPS):
        return all(never_below(part, known, negative) for part in (node.left, node.right))
    if isinstance(node, ast.IfExp):
        return all(never_below(part, known, negative) for part in (node.body, node.orelse))
    if isinstance(node, ast.Call) and node.func.id in ("min", "max"):
        return all(never_below(part, known, negative) for part in node.args)
    return isinstance(node, (ast.Compare, ast.BoolOp)) or (isinstance(node, ast.Call) and node.func.id == "abs")


def may_be_negative(nodes, known):
    """The variables that these nodes of statements may set below zero, by {name: number}."""
    sets = [(n.targets[0], n.value) for n in nodes if isinstance(n, ast.Assign)]
    sets = [(each.id, value) for target, value in sets for each in getattr(target, "elts", [target]) if _named(each)]
    for n in nodes:
        if isinstance(n, ast.AugAssign) and _named(n.target):
            sets.append((n.target.id, ast.BinOp(n.target, n.op, n.value)))
        elif isinstance(n, ast.For):
            start, stop, step = _ends(n)
            sets.append((n.target.id, start if constant(step, known) > 0 else stop))
    negative = set()
    while found := {name for name, value in sets if not never_below(value, known, negative)} - negative:
        negative |= found
    return negative


class Expressions:
    """Prints the expressions of one kernel; `negative` holds the variables that may be below zero."""

    def __init__(self, scope, negative):
        self.scope, self.negative, self.together = scope, negative, together(scope.body)

    def text(self, node, least=0):
        """An expression as text, in brackets where its operator binds less than `least`."""
        words, binds = getattr(self, f"_{type(node).__name__.lower()}")(node)
        return words if binds >= least else f"({words})"

    def never_below(self, node):
        """Whether a whole number is known not to be negative."""
        return never_below(node, {**self.scope.constants, **self.scope.scalars}, self.negative)

    def _constant(self, node):
        return literal(node.value), ATOM

    def _name(self, node):
        return free(node.id), ATOM

    def _binop(self, node):
        sign, binds = SIGN[type(node.op)]
        parts = node.left, node.right
        if isinstance(node.op, (ast.FloorDiv, ast.Mod)) and not all(map(self.never_below, parts)):
            function = "floor_div" if isinstance(node.op, ast.FloorDiv) else "floor_mod"
            return f"{function}({self.text(node.left)}, {self.text(node.right)})", ATOM
        left, right = self.text(node.left, binds), self.text(node.right, binds + 1)
        if isinstance(node.op, ast.Div) and all(kind_of(part, self.scope) == "int" for part in parts):
            left = f"(float){self.text(node.left, UNARY)}"
        return f"{left} {sign} {right}", binds

    def _unaryop(self, node):
        sign = {ast.USub: "-", ast.UAdd: "+", ast.Not: "!"}[type(node.op)]
        return f"{sign}{self.text(node.operand, ATOM)}", UNARY

    def _compare(self, node):
        sides, found = [node.left, *node.comparators], []
        for op, left, right in zip(node.ops, sides, sides[1:], strict=False):
            sign, binds = SIGN[type(op)]
            found.append(f"{self.text(left, binds + 1)} {sign} {self.text(right, binds + 1)}")
        return " && ".join(found), ALL if len(found) > 1 else binds

    def _boolop(self, node):
        sign, binds = ("&&", ALL) if isinstance(node.op, ast.And) else ("||", ANY)
        return f" {sign} ".join(self.text(part, ALL + 1) for part in node.values), binds

    def _ifexp(self, node):
        test, yes, no = (self.text(part, CHOICE + 1) for part in (node.test, node.body, node.orelse))
        return f"{test} ? {yes} : {no}", CHOICE

    def _subscript(self, node):
        halves = self.scope.places[named(node.value)].bytes == 2
        return f"__half2float({self.at(node)})" if halves else self.at(node), ATOM

    def at(self, node):
        """A place as an array's name and its index, or a row of 8 numbers, or a whole array."""
        return free(node.id) if isinstance(node, ast.Name) else self.place(node.value, node.slice)

    def number(self, node, place):
        """An expression as what a place holds."""
        return f"__float2half({self.text(node)})" if place.bytes == 2 else self.text(node)

    def wide(self, call):
        """A wide statement."""
        name, args = call.func.id, call.args
        if name in STORES:
            place = self.scope.places[named(args[0].value)]
            row, numbers = _row(place, STORES[name]), ", ".join(self.number(arg, place) for arg in args[1:])
            return f"*reinterpret_cast<{row} *>(&{self.at(args[0])}) = {{{numbers}}}"
        if name == "copy_async":
            many = constant(args[2], self.scope.constants) if len(args) > 2 else 1
            size = many * self.scope.places[named(args[1].value)].bytes
            zeros = f", {self.text(args[3], CHOICE + 1)} ? 0 : {size}" if len(args) > 3 else ""
            return f"__pipeline_memcpy_async(&{self.at(args[0])}, &{self.at(args[1])}, {size}{zeros})"
        if name in ("commit", "wait_async"):
            return "__pipeline_commit()" if name == "commit" else f"__pipeline_wait_prior({self.text(args[0])})"
        if name == "mma":
            return f"mma({', '.join(map(self.at, args))})"
        return f"{name}({self.at(args[0])}, &{self.at(args[1])})"

    def place(self, array, index):
        """A place of an array."""
        parts, name = index.elts if isinstance(index, ast.Tuple) else [index], named(array)
        place = self.scope.places[name]
        if isinstance(array, ast.Attribute):
            line = len(place.shape) == 1 or place.space == "global"
            return f"{free(name) if line else f'(&{free(name)}[0][0])'}[{self.text(parts[0])}]"
        if place.space != "global":
            return free(name) + "".join(f"[{self.text(part)}]" for part in parts)
        if len(parts) == 1:
            return f"{free(name)}[{self.text(parts[0])}]"
        return f"{free(name)}[{self.text(parts[0], 12)} * {name}_cols + {self.text(parts[1], 11)}]"

    def _call(self, node):
        name, args = node.func.id, node.args
        if name in SHUFFLE:
            value, by = (self.text(arg) for arg in args)
            return f"{SHUFFLE[name]}({ALL_LANES if id(node) in self.together else HERE}, {value}, {by})", ATOM
        if name == "atomic_add":
            return f"atomicAdd(&{self.place(args[0], args[1])}, {self.text(args[2])})", ATOM
        if name in ("float", "int"):
            return f"({name}){self.text(args[0], UNARY)}", UNARY
        function = REAL[name] if kind_of(node, self.scope) == "float" else name
        if len(args) == 1:
            return f"{function}({self.text(args[0])})", ATOM
        return reduce(lambda found, more: f"{function}({found}, {more})", map(self.text, args)), ATOM


class Statements(Expressions):
    """Prints the statements of one kernel."""

    def __init__(self, scope):
        nodes = [n for statement in scope.body for n in ast.walk(statement)]
        super().__init__(scope, may_be_negative(nodes, {**scope.constants, **scope.scalars}))
        starts, mentions = {}, Counter(n.id for n in nodes if _named(n))
        _starts(scope.body, starts, set())
        whole = [name for name, found in starts.items() if sum(many for _, many in found) == mentions[name]]
        self.born = {each: name for name in whole for each, _ in starts[name]}
        assigned = {n.id for n in nodes if _named(n) and isinstance(n.ctx, ast.Store)}
        counters = {n.target.id for n in nodes if isinstance(n, ast.For)}
        late = sorted(assigned - counters - set(self.born.values()))
        self.head = [f"{scope.variables[name]} {free(name)} = 0;" for name in late]
        self.row = "row"  # what a load brings
        while self.row in {*scope.variables, *scope.places, *scope.scalars}:
            self.row += "_"

    def block(self, body, depth):
        """Statements as text."""
        said = [each for each in body if not isinstance(each, ast.Pass)]
        return "".join(self.statement(each, "    " * depth, depth + 1) for each in said)

    def statement(self, node, pad, inner):
        """One statement as text, what is within it at a depth of `inner`."""
        if isinstance(node, ast.Expr):
            name = node.value.func.id
            said = "__syncthreads()" if name == "barrier" else (self.wide if name in WIDE else self.text)(node.value)
            return f"{pad}{said};\n"
        if isinstance(node, ast.Assign) and isinstance(node.targets[0], ast.Tuple):
            return self._loads(node, pad)
        if isinstance(node, ast.AugAssign) and self._halves(node.target):
            node = ast.Assign([node.target], ast.BinOp(node.target, node.op, node.value))
        if isinstance(node, ast.Assign):
            name, target = self.born.get(id(node)), node.targets[0]
            kind = f"{self.scope.variables[name]} " if name else ""
            place = self._halves(target)
            value = self.number(node.value, place) if place else self.text(node.value)
            return f"{pad}{kind}{self.at(target)} = {value};\n"
        if isinstance(node, ast.AugAssign):
            sign, value = f"{SIGN[type(node.op)][0]}=", node.value
            if isinstance(node.op, (ast.Div, ast.FloorDiv, ast.Mod)):
                sign, value = "=", ast.BinOp(node.target, node.op, node.value)
            return f"{pad}{self.text(node.target)} {sign} {self.text(value)};\n"
        if isinstance(node, ast.If):
            found = f"{pad}if ({self.text(node.test)}) {{\n{self.block(node.body, inner)}{pad}}}"
            return found + (f" else {{\n{self.block(node.orelse, inner)}{pad}}}\n" if node.orelse else "\n")
        if isinstance(node, ast.While):
            return f"{pad}while ({self.text(node.test)}) {{\n{self.block(node.body, inner)}{pad}}}\n"
        return self._for(node, pad, inner)

    def _halves(self, target):
        """The Place of a target that holds halves, or None."""
        place = self.scope.places[named(target.value)] if isinstance(target, ast.Subscript) else None
        return place if place and place.bytes == 2 else None

    def _loads(self, node, pad):
        call, targets = node.value, node.targets[0].elts
        place = self.scope.places[named(call.args[0].value)]
        row, fields = _row(place, LOADS[call.func.id]), "xyzw" if place.bytes == 4 else None
        sets = ""
        for number, target in enumerate(targets):
            value = f"{self.row}.{fields[number]}" if fields else f"__half2float({self.row}.at[{number}])"
            value = f"__float2half({value})" if self._halves(target) else value
            sets += f"{pad}    {self.at(target)} = {value};\n"
        load = f"const {row} {self.row} = *reinterpret_cast<const {row} *>(&{self.at(call.args[0])});"
        return f"{pad}{{\n{pad}    {load}\n{sets}{pad}}}\n"

    def _for(self, node, pad, inner):
        start, stop, step = _ends(node)
        step, name, end = constant(step, self.scope.constants), free(node.target.id), self.text(stop)
        ends = constant(start, self.scope.constants), constant(stop, self.scope.constants)
        few = None not in ends and len(range(*ends, step)) <= MOST_UNROLLED
        head = f"{pad}#pragma unroll\n" if few else ""
        changed = {n.id for s in node.body for n in ast.walk(s) if _named(n) and isinstance(n.ctx, ast.Store)}
        reads = any(isinstance(n, (ast.Subscript, ast.Call)) for n in ast.walk(stop))
        if reads or changed & names(stop):  # Python asks once how far a range goes
            head, end = f"{pad}const int {name}_end = {end};\n", f"{name}_end"
        goes = f"int {name} = {self.text(start)}; {name} {'<' if step > 0 else '>'} {end}; {name} += {step}"
        return f"{head}{pad}for ({goes}) {{\n{self.block(node.body, inner)}{pad}}}\n"


def _row(place, many):
    """The type of several numbers side by side."""
    return f"{place.kind}{many}" if place.bytes == 4 else f"Halves<{many}>"


def _named(node):
    return isinstance(node, ast.Name)


def _starts(body, starts, taken):
    """Note in {variable: [(id of what sets it, how often it is named in that block)]} who is set before it is read."""
    here, mentioned = Counter(n.id for each in body for n in ast.walk(each) if _named(n)), set()
    for each in body:
        name = getattr(each.targets[0], "id", None) if isinstance(each, ast.Assign) else None
        if name and name not in mentioned | names(each.value) | taken:
            starts.setdefault(name, []).append((id(each), here[name]))
            taken = taken | {name}
        mentioned |= names(each)
        for part in ("body", "orelse"):
            _starts(getattr(each, part, ()), starts, taken)


def _ends(node):
    """(start, stop, step) of a for over a range."""
    args = node.iter.args
    return [ast.Constant(0), *args, ast.Constant(1)] if len(args) == 1 else [*args, ast.Constant(1)][:3]


BEFORE = data.load("cuda")  # what stands before a kernel that needs it


@checked
def to_cuda(source, arguments: Arguments, threads: Threads = 256, blocks: Blocks = 1, name="kernel"):
    """The text of a kernel in CUDA C, for these arguments and this launch. Raises Fault, as `run` does."""
    if not isinstance(name, str) or not (name.isascii() and name.isidentifier()):
        raise ValueError("name: the kernel's name in C, such as 'kernel'")
    with said(source):
        scope = prepared(source, arguments).scope
    printer = Statements(scope)
    body = printer.block(scope.body, 1)
    head = [*_given(scope, threads, blocks), *_declared(scope), *printer.head]
    signature = ", ".join(_parameters(arguments, scope))
    text = f"__global__ void {free(name)}({signature}) {{\n" + "".join(f"    {line}\n" for line in head) + body + "}\n"
    return _needed(scope, body) + text


def _needed(scope, body):
    """What stands before a kernel: what it takes of halves, copies, tiles, divisions, and a remark."""
    found = BEFORE["halves"] if any(place.bytes == 2 for place in scope.places.values()) else ""
    found += BEFORE["copies"] if "__pipeline_" in body else ""
    for name, trans, second, third in (("load_tile", "", 1, 2), ("load_tile_t", ".trans", 2, 1)):
        if f" {name}(" in body:
            found += BEFORE["load_tile"].format(name=name, trans=trans, second=second, third=third)
    found += BEFORE["mma"] if " mma(" in body else ""
    found += BEFORE["floors"] if "floor_" in body else ""
    return found + ("\n" if found else "") + (BEFORE["apart"] if HERE in body else "")


def _parameters(arguments, scope):
    for name, value in arguments.items():
        if not isinstance(value, np.ndarray):
            yield f"{'float' if type(value) is float else 'int'} {free(name)}"
            continue
        place = scope.places[name]
        yield f"{'' if name in scope.written else 'const '}{_number(place)} *{free(name)}"
        if len(place.shape) == 2:
            yield f"int {name}_cols"


def _given(scope, threads, blocks):
    used = {n.id for s in scope.body for n in ast.walk(s) if isinstance(n, ast.Name)}
    flat, flat_grid = threads[0] == threads[1], blocks[0] == blocks[1]
    thread = "threadIdx.x" if flat else "threadIdx.y * blockDim.x + threadIdx.x"
    nested = thread if flat else f"({thread})"
    of = {"thread": thread, "lane": f"{nested} % 32", "warp": f"{nested} / 32"}
    of["block"] = "blockIdx.x" if flat_grid else "blockIdx.y * gridDim.x + blockIdx.x"
    of["block_size"] = "blockDim.x" if flat else "blockDim.x * blockDim.y"
    of["grid_size"] = "gridDim.x" if flat_grid else "gridDim.x * gridDim.y"
    axes = {"thread": "threadIdx", "block": "blockIdx", "block_size": "blockDim", "grid_size": "gridDim"}
    of |= {f"{name}_{axis}": f"{its}.{axis}" for name, its in axes.items() for axis in "xy"}
    return [f"const int {name} = {of[name]};" for name in GIVEN if name in used]


def _number(place):
    return "__half" if place.bytes == 2 else place.kind


def _declared(scope):
    calls = (n for s in scope.body for n in ast.walk(s) if isinstance(n, ast.Call) and n.func.id in (*LOADS, *WIDE))
    wide = {name for call in calls for name in names(call)}
    for name, value in scope.constants.items():
        real = type(value) is float
        yield f"constexpr {'float' if real else 'int'} {free(name)} = {literal(value)};"
    for place in scope.places.values():
        if place.space != "global":
            sides = "".join(f"[{side}]" for side in place.shape)
            whole = "__align__(16) " if place.bytes == 2 or place.name in wide else ""
            kind = f"{'__shared__ ' if place.space == 'shared' else ''}{whole}{_number(place)}"
            yield f"{kind} {free(place.name)}{sides}{'' if place.space == 'shared' else ' = {}'};"
