"""From CUDA: a kernel in CUDA C, whose own words are made C's for pycparser, in this notation.

Read is one __global__ function and the constants above it. A pointer is an array, and a place in it where it moves:
`a[row * cols + col]` becomes a[row, col] where the array has cols columns, else a.flat[...]. A float4 v is four
variables, v_x to v_w, which one load sets and one store takes. Whole numbers are divided towards zero, as in C. A text
that names no threadIdx.y has its threads along x. Left out: numbers of other than 32 bits, those without a sign that
wrap around, other casts of pointers.
"""

import ast
import re
from functools import lru_cache

from pycparser import c_ast, c_parser

from accelerator_course.ladder.readers import pasted as p
from accelerator_lib.kernels.cuda import BEFORE, may_be_negative, names, never_below
from accelerator_lib.kernels.language import Fault, constant, named
from accelerator_lib.kernels.program import MOST_UNROLLED
from accelerator_lib.kernels.scope import Place, Scope, kind_of

COMMENT = re.compile(r"//[^\n]*|/\*.*?(?:\*/|\Z)", re.S)
DEFINED = re.compile(r"^[ \t]*#\s*define[ \t]+(\w+)(\([^\n]*)?([^\n]*)", re.M)
TYPE, MASK = re.compile(r"\s*(?:unsigned|float|int)\s*"), re.compile(r"[\s(]*(?:0x[fF]{8}[uU]?|-1|~0)[\s)]*")
LINEAR = (ast.Add, ast.Sub)
PARTS = {"threadIdx": "thread", "blockIdx": "block", "blockDim": "block_size", "gridDim": "grid_size"}
SIGNS = {"+": "Add", "-": "Sub", "*": "Mult", "/": "Div", "%": "Mod", "<<": "LShift", ">>": "RShift", "&": "BitAnd"}
SIGNS |= {"|": "BitOr", "^": "BitXor", "<": "Lt", "<=": "LtE", ">": "Gt", ">=": "GtE", "==": "Eq", "!=": "NotEq"}
SIGNS = {sign: getattr(ast, word) for sign, word in SIGNS.items()} | {"&&": ast.And, "||": ast.Or}
SEVERAL = {f"{kind}{many}": (kind, many) for kind in ("float", "int") for many in (2, 4)}  # numbers side by side
MAKE = {"make_row", *(f"make_{each}" for each in SEVERAL)}
NONE = c_ast.Constant("int", "0")


@lru_cache(64)
def _parsed(text):
    return c_parser.CParser().parse("".join(f"typedef int {each}; " for each in SEVERAL) + text, "")


def _blank(match):
    return re.sub(r"[^\n]", " ", match[0])


def _line(node):
    return node.coord.line if getattr(node, "coord", None) else 1


def read(source, arguments=None):
    """Pasted of a kernel in CUDA C, for arguments by name or for none in particular. Raises Fault."""
    text, told, types, masks = source, p.words("cuda"), {}, set()
    for line in BEFORE["floors"].strip().split("\n"):  # which this course prints itself
        text = text.replace(line, "")
    text = re.sub(told["dropped"], _blank, COMMENT.sub(_blank, text))
    p.screened(text, "cuda")

    def defined(match):
        word, brackets, value = match.groups()
        if brackets:
            said = f"#define {word}(...) is not read: write what it stands for where it is used"
            raise Fault("language", text.count("\n", 0, match.start()) + 1, said)
        if TYPE.fullmatch(value) or MASK.fullmatch(value) or not value.strip():
            types.update({word: value} if TYPE.fullmatch(value) else {})
            masks.update({word} if MASK.fullmatch(value) else ())
            return ""
        return f"const {'float' if re.search(r'[.]|[0-9]e|[0-9]f', value) else 'int'} {word} = {value};"

    made = DEFINED.sub(defined, text)
    for pattern, swapped in (told["swapped"] | {rf"\b{word}\b": value for word, value in types.items()}).items():
        made = re.sub(pattern, swapped, made)
    try:
        return _Kernel(_parsed(made), source, made, masks, arguments).read()
    except c_parser.ParseError as error:
        place = re.search(r"(\d+):\d+", str(error))
        near = f"look before `{str(error).rpartition(': ')[2][:20]}`" if "before" in str(error) else "it ends too early"
        line = int(place[1]) if place else source.count("\n") + 1
        raise Fault("language", line, f"this is not the C that is read here: {near}") from None


class _Kernel:
    def __init__(self, tree, source, text, masks, arguments):
        self.tree, self.source, self.masks, self.arguments = tree, source, masks, arguments
        pairs = (("thread", "block_size", "threadIdx|blockDim"), ("block", "grid_size", "blockIdx|gridDim"))
        flat = [both for *both, on in pairs if not re.search(rf"\b({on})\s*\.\s*y|_[xy]\b = ({on})", text)]
        self.along = {word for both in flat for word in both}
        self.scope, self.names, self.head = Scope({}, {}, {}, {}, frozenset(), ()), p.Names(arguments or ()), []
        self.known, self.inner, self.ends, self.sizes, self.unsigned, self.deep = [{}], {}, {}, [], set(), 0
        self.wide = {}  # what points to float4 or the like -> of how many numbers

    def refuse(self, node, said):
        raise Fault("language", _line(node), said)

    def read(self):
        """Pasted of the one kernel."""
        kernels = [each for each in self.tree.ext if isinstance(each, c_ast.FuncDef)]
        if len(kernels) != 1:
            other = kernels[1].decl if kernels else None
            self.refuse(other, f"one __global__ function is read at a time, here are {len(kernels)}")
        for each in self.tree.ext[len(SEVERAL) :]:
            if each is not kernels[0] and (not isinstance(each, c_ast.Decl) or self.statement(each)):
                self.refuse(each, "above a kernel there may only be constants")
        parameters = self.parameters(kernels[0].decl.type)
        body = self.block(kernels[0].body)
        nodes = [node for each in body for node in ast.walk(each)]
        self.negative = may_be_negative(nodes, {**self.scope.constants, **self.scope.scalars}) - self.unsigned
        body = [_Division(self).visit(p.Plain().visit(each)) for each in body]
        body = _fused(body, self.scope, set(self.scope.constants))
        title = kernels[0].decl.name
        return p.written("cuda", title, self.head, body, self.source, parameters, self.sizes)

    def parameters(self, function):
        given = [each for each in (function.args.params if function.args else ()) if isinstance(each, c_ast.Decl)]
        arrays = {each.name: not isinstance(each.type, c_ast.TypeDecl) for each in given}
        found, parameters = p.bound(arrays, self.arguments), []
        for each in given:
            word, base, array = each.name, each.name.removesuffix("_cols"), arrays[each.name]
            of, many = _several(each.type.type if array else each.type)
            kind = of if array and many else self.kind(each.type.type if array else each.type)
            beside = word not in found and base in self.known[0] and base != word
            if self.arguments is not None and word not in found and not beside:
                sort = "array" if array else "number"
                self.refuse(each, f"there is no {sort} left for {word} among {', '.join(self.arguments)}")
            own = found.get(word) or (word if word.isupper() and word not in self.names else self.names.fresh(word))
            self.known[0][word] = own
            worth = (self.arguments or {}).get(own)
            if beside:
                self.sizes.append((own, self.known[0][base], 1))
            else:
                parameters.append(own)
            if array:
                self.wide.update({own: many} if many else {})
                shape = worth.shape if worth is not None else ()
                self.scope.places[own] = Place(own, kind, shape, "global")
                if worth is not None and (worth.dtype.kind == "f") != (kind == "float"):
                    self.refuse(each, f"{word} points to {kind}, the array holds {worth.dtype.name}")
            else:
                self.scope.scalars[own] = worth if worth is not None else 1.0 if kind == "float" else 1
        return parameters

    def kind(self, node):
        types = set(getattr(getattr(node, "type", None), "names", ()))
        if not types or not types <= {"float", "int", "unsigned", "long", "signed"}:
            self.refuse(node, "a number is a float, an int or an unsigned, and a pointer points to such")
        return "float" if "float" in types else "int"

    def own(self, node):
        """What this notation calls a name."""
        for known in reversed(self.known):
            if node.name in known:
                return known[node.name]
        self.refuse(node, f"{node.name[:40]} is not declared")

    def block(self, node):
        parts = (node.block_items or []) if isinstance(node, c_ast.Compound) else [node] if node else []
        self.known.append({})
        made = [each for part in parts for each in self.statement(part)]
        self.known.pop()
        if rows := [each for each in made if getattr(each, "row", ())]:
            named_here = [n.id for each in made for n in ast.walk(each) if isinstance(n, ast.Name)]
            for each in rows:  # is it only taken apart, and once?
                each.row, each.alone = (), each.row if all(named_here.count(one) == 2 for one in each.row) else ()
        return made

    def statement(self, node):
        return [p.at(_line(node), each) for each in self.statements(node)]

    def statements(self, node):
        match node:
            case c_ast.Compound():
                return self.block(node)
            case c_ast.EmptyStatement():
                return []
            case c_ast.Decl():
                return self.declared(node)
            case c_ast.DeclList() | c_ast.ExprList():
                return [each for part in (getattr(node, "decls", None) or node.exprs) for each in self.statement(part)]
            case c_ast.Return() | c_ast.Continue() | c_ast.Break():
                return [getattr(ast, type(node).__name__)()]
            case c_ast.If():
                return [ast.If(self.value(node.cond), self.block(node.iftrue), self.block(node.iffalse))]
            case c_ast.While():
                return self.loop(node, [], None)
            case c_ast.For(cond=c_ast.Node()):
                self.known.append({})
                made = self.loop(node, self.statement(node.init) if node.init else [], node.next)
                self.known.pop()
                return made
            case c_ast.Assignment():
                return self.assigned(node)
            case c_ast.UnaryOp(op="++" | "--" | "p++" | "p--"):
                one = c_ast.Constant("int", "1", node.coord)
                return self.assigned(c_ast.Assignment(f"{node.op[-1]}=", node.expr, one, node.coord))
            case c_ast.FuncCall(name=c_ast.ID(name="__syncthreads")):
                return [ast.Expr(p.call("barrier"))]
            case c_ast.FuncCall(name=c_ast.ID(name="atomicAdd")):
                return [ast.Expr(self.value(node))]
            case c_ast.FuncCall(name=c_ast.ID(name=word)) if word.startswith("__pipeline_"):
                return [ast.Expr(self.copied(word, list(node.args.exprs) if node.args else [], node))]
        self.refuse(node, "there is nothing like this here: use =, if, else, for, while, __syncthreads(), atomicAdd()")

    def loop(self, node, first, tick):
        """A loop as a range, where it is one."""
        self.deep += 1
        body, test = self.block(node.stmt), self.value(node.cond)
        turn, self.deep = self.statement(tick) if tick else [], self.deep - 1
        match first, test, turn:
            case [ast.Assign() as start], ast.Compare(ops=[goes], comparators=[stop]), [ast.AugAssign() as by] if (
                isinstance(node.init, c_ast.DeclList)
                and len({ast.unparse(one) for one in (start.targets[0], test.left, by.target)}) == 1
            ):
                word, size, up = by.target.id, constant(by.value, self.scope.constants), isinstance(by.op, ast.Add)
                reads = any(isinstance(each, (ast.Subscript, ast.Call)) for each in ast.walk(stop))
                far = isinstance(goes, (ast.Lt, ast.LtE) if up else (ast.Gt, ast.GtE)) and isinstance(by.op, LINEAR)
                if far and type(size) is int and size > 0 and not reads and not p.stored(body) & {word, *names(stop)}:
                    if isinstance(goes, (ast.LtE, ast.GtE)):
                        stop = ast.BinOp(stop, by.op, p.number(1))
                        stop = stop if constant(stop, {}) is None else p.number(constant(stop, {}))
                    ends = [start.value, stop, by.value if up else p.number(-size)]
                    return p.ranged(word, ends, body, self.scope.constants)
        return [*first, ast.While(test, [*p.guarded(body, ast.Continue), *turn], [])]

    def declared(self, node):
        kind, sides = node.type, []
        while isinstance(kind, c_ast.ArrayDecl):
            sides.append(self.value(kind.dim) if kind.dim else p.number(0))
            kind = kind.type
        if isinstance(kind, c_ast.PtrDecl):
            many = _several(kind.type)[1]
            array, place = self.pointer(node.init.expr if many and isinstance(node.init, c_ast.Cast) else node.init)
            self.known[-1][node.name] = own = self.variable(node.name, "int")
            self.ends[own] = array
            self.wide.update({own: many} if many else {})
            return [ast.Assign([p.name(own)], place or p.number(0))]
        of, many = _several(kind)
        if many and not sides and "static" not in node.storage:
            value = None if node.init is None else self.beside(node.init)
            row = {axis: self.variable(f"{node.name}_{axis}", of) for axis in "xyzw"[:many]}
            self.known[-1] |= {node.name: tuple(row.values())} | {f"{node.name}.{axis}": row[axis] for axis in row}
            made = [] if node.init is None else self.taken(row.values(), value, node)
            if isinstance(value, tuple):
                made[0].row = [*row.values()]
            return made
        of, shared = self.kind(kind), "static" in node.storage
        if sides or shared:
            return self.array(node, of, sides or [p.number(1)], shared)
        value = None if node.init is None else p.Plain().visit(self.converted(self.value(node.init), of))
        if "const" in node.quals and value is not None and (worth := constant(value, self.scope.constants)) is not None:
            self.known[-1][node.name] = own = self.names.fresh(node.name, constant=True)
            self.scope.constants[own] = float(worth) if of == "float" else worth
            self.head.append((_line(node), f"{own} = {ast.unparse(value)}"))
            return []
        if getattr(value, "id", None) == node.name:  # int thread = threadIdx.x
            self.known[-1][node.name] = node.name
            return []
        self.known[-1][node.name] = own = self.variable(node.name, of)
        self.unsigned.update({own} if "unsigned" in kind.type.names else ())
        return [] if value is None else [ast.Assign([p.name(own)], value)]

    def variable(self, word, kind):
        """The name of a new variable; blocks side by side have the same one where they call it alike."""
        seen, own = {each for known in self.known for each in known.values()}, word
        while own in seen or self.scope.variables.get(own) != kind:
            if own not in self.names:
                own = self.names.fresh(own)
                self.scope.variables[own] = kind
                return own
            own += "_"
        return own

    def array(self, node, of, sides, shared):
        worth = [constant(side, self.scope.constants) for side in sides]
        if len(sides) > 3 or any(type(side) is not int or side < 1 for side in worth):
            self.refuse(node, "an array has one to three sides, each a constant whole number")
        if not isinstance(node.init, (c_ast.InitList, type(None))):
            self.refuse(node, "an array begins with numbers in {}")
        self.known[-1][node.name] = own = self.names.fresh(node.name)
        if len(sides) == 3:
            self.inner[own] = sides[1]
            sides, worth = [ast.BinOp(sides[0], ast.Mult(), sides[1]), sides[2]], [worth[0] * worth[1], worth[2]]
        self.scope.places[own] = Place(own, of, tuple(worth), "shared" if shared else "own")
        declared = p.call("shared" if shared else "zeros", *sides, *([p.name("int")] if of == "int" else []))
        self.head.append((_line(node), f"{own} = {ast.unparse(declared)}"))
        if isinstance(node.type, c_ast.TypeDecl):
            self.ends[own] = own  # one number of a block: its name is its place
        if node.init is None or not (self.deep or len(getattr(node.init, "exprs", ())) > 1):
            return []  # it begins with zeros anyway
        counter = self.names.fresh(f"{own}_i")
        values = [self.converted(self.value(part), of) for part in node.init.exprs]
        flat = ast.Attribute(p.name(own), "flat", ast.Load()) if len(worth) > 1 else p.name(own)
        if len(values) == 1:
            cleared = ast.Assign([ast.Subscript(flat, p.name(counter), ast.Load())], values[0])
            return [ast.For(p.name(counter), p.call("range", p.number(self.scope.places[own].size)), [cleared], [])]
        return [ast.Assign([ast.Subscript(flat, p.number(i), ast.Load())], value) for i, value in enumerate(values)]

    def assigned(self, node):
        first, right = [], node.rvalue
        if isinstance(right, c_ast.Assignment):
            first, right = self.statement(right), right.lvalue
        row = self.beside(node.lvalue) if node.op == "=" else None
        if isinstance(row, list):
            return first + self.taken([each.id for each in row], self.beside(right), node)
        if row:
            return first + self.put(*row, self.beside(right), node)
        if isinstance(node.lvalue, c_ast.ID) and self.points(node.lvalue):
            return first + self.moved(node.lvalue, node.op, right)
        place, value, op = self.value(node.lvalue), self.value(right), SIGNS.get(node.op[:-1])
        fixed = {**self.scope.constants, **self.scope.scalars}
        if not isinstance(place, (ast.Name, ast.Subscript)) or getattr(place, "id", "") in fixed:
            self.refuse(node, "set is a variable or a place of an array; a constant or an argument stays as it is")
        kind, made = kind_of(place, self.scope), value if op is None else self.joined(place, op, value, node)
        if op is None or op in (ast.Div, ast.Mod) or kind_of(made, self.scope) != kind:
            return [*first, ast.Assign([place], self.converted(made, kind, isinstance(place, ast.Name)))]
        return [*first, ast.AugAssign(place, op(), value)]

    def points(self, node):
        """Whether a name is that of an array or of a pointer."""
        return isinstance(node, c_ast.ID) and (self.own(node) in self.scope.places) != (self.own(node) in self.ends)

    def moved(self, node, op, right):
        """A pointer goes to another place of its array."""
        own = self.own(node)
        if own in self.wide:
            self.refuse(node, f"{node.name} stays where it is here: say which of its places, {node.name}[i]")
        if own not in self.ends:  # an argument: from now on it has a place
            place = self.variable(f"{node.name}_at", "int")
            self.ends[place] = own
            self.head.append((_line(node), f"{place} = 0"))
            self.known[0][node.name] = own = place
        array, place = self.pointer(right) if op == "=" else (None, None)
        if array not in (None, self.ends[own]):
            self.refuse(node, f"{node.name} stays within its array here")
        if op == "=":
            return [ast.Assign([p.name(own)], place or p.number(0))]
        return [ast.AugAssign(p.name(own), SIGNS[op[:-1]](), self.value(right))]

    def beside(self, node):
        """Several numbers side by side: a list of them, or the first one's place and how many; or else None."""
        match node:
            case c_ast.ID() if isinstance(self.own(node), tuple):
                return [p.name(each) for each in self.own(node)]
            case c_ast.InitList(exprs=parts):
                return [self.value(part) for part in parts]
            case c_ast.FuncCall(name=c_ast.ID(name=word), args=c_ast.ExprList(exprs=parts)) if word in MAKE:
                return [self.value(part) for part in parts]
            case c_ast.UnaryOp(op="*", expr=c_ast.BinaryOp(op="+", left=start, right=by)):
                return self.first(start, by)
            case c_ast.UnaryOp(op="*", expr=start):
                return self.first(start, NONE)
            case c_ast.ArrayRef(name=start, subscript=by):
                return self.first(start, by)
            case c_ast.Cast(to_type=to, expr=c_ast.ArrayRef(name=start, subscript=by)):  # that of C++ binds closer
                return self.first(c_ast.Cast(to, start, node.coord), by)

    def first(self, start, by):
        """(place, how many) of the numbers of a float4 or the like, `by` such ones after a pointer to them; or None."""
        match start:
            case c_ast.Cast(to_type=c_ast.Typename(type=c_ast.PtrDecl(type=to)), expr=inside) if _several(to)[1]:
                (of, many), fixed = _several(to), self.value(by)
                if constant(fixed, {}) == 0:
                    place = self.begins(inside)
                else:
                    array, at = self.pointer(inside)
                    place = self.place(array, [_after(at, many, fixed)], start)
                if kind_of(place, self.scope) != of:
                    self.refuse(start, f"{of}{many} are other numbers than those of this array")
                return place, many
            case c_ast.ID() if (own := self.own(start)) in self.wide:
                at = p.name(own) if own in self.ends else None
                return self.place(own, [_after(at, self.wide[own], self.value(by))], start), self.wide[own]

    def begins(self, node):
        """The place that a pointer points to."""
        if isinstance(node, c_ast.Cast):
            return self.begins(node.expr)
        if isinstance(node, c_ast.UnaryOp) and node.op == "&":
            row = self.beside(node.expr)
            return row[0] if isinstance(row, tuple) else self.value(node.expr)
        array, place = self.pointer(node)
        return self.place(array, [place or p.number(0)], node)

    def taken(self, row, value, node):
        """Statements that set variables to several numbers."""
        row = list(row)
        if isinstance(value, tuple) and value[1] == len(row):
            load = p.call(f"load{len(row)}", value[0])
            return [ast.Assign([ast.Tuple([p.name(each) for each in row], ast.Store())], load)]
        if not isinstance(value, list) or len(value) != len(row):
            self.refuse(node, f"here {len(row)} numbers are read from one place, or listed by make_float{len(row)}()")
        if any(names(each) & set(row[:at]) for at, each in enumerate(value)):
            self.refuse(node, "this needs what it sets: use another variable")
        kinds = [self.scope.variables[each] for each in row]
        values = [self.converted(each, kind) for each, kind in zip(value, kinds, strict=True)]
        return [ast.Assign([p.name(own)], each) for own, each in zip(row, values, strict=True)]

    def put(self, place, many, value, node):
        """Statements that store several numbers."""
        first = []
        if isinstance(value, tuple):
            row = [self.variable(f"row_{axis}", kind_of(place, self.scope)) for axis in "xyzw"[:many]]
            first, value = self.taken(row, value, node), [p.name(each) for each in row]
        if not value or len(value) != many:
            self.refuse(node, f"{many} numbers are stored here: list them by make_float{many}()")
        kind = kind_of(place, self.scope)
        return [*first, ast.Expr(p.call(f"store{many}", place, *(self.converted(each, kind, False) for each in value)))]

    def copied(self, word, given, node):
        """A call of the asynchronous copies."""
        if word == "__pipeline_commit" and not given:
            return p.call("commit")
        if word == "__pipeline_wait_prior" and len(given) == 1:
            return p.call("wait_async", self.value(given[0]))
        if word != "__pipeline_memcpy_async" or len(given) not in (3, 4):
            self.refuse(node, "there are __pipeline_memcpy_async, __pipeline_commit and __pipeline_wait_prior")
        size = constant(p.Plain().visit(self.value(given[2])), self.scope.constants)
        if size not in (4, 8, 16):
            self.refuse(node, "4, 8 or 16 bytes are copied at a time")
        test = []
        match given[3:]:
            case [c_ast.TernaryOp(cond=inside, iftrue=c_ast.Constant(value="0"), iffalse=rest)]:
                test = [self.value(inside)] if constant(self.value(rest), self.scope.constants) == size else [None]
            case [zeros]:
                test = [] if constant(self.value(zeros), self.scope.constants) == 0 else [None]
        if None in test:
            self.refuse(node, f"all of it or none is zeros: inside ? 0 : {size}")
        return p.call("copy_async", self.begins(given[0]), self.begins(given[1]), p.number(size // 4), *test)

    def value(self, node):
        """An expression."""
        return p.at(_line(node), self.expression(node))

    def expression(self, node):
        match node:
            case c_ast.Constant(type=kind, value=text) if "float" in kind or "double" in kind:
                return ast.Constant(float(text.rstrip("fFlL")))
            case c_ast.Constant(value=text) if re.fullmatch(r"(0[xX][\da-fA-F]{1,8}|[1-9]\d{0,9}|0)[uUlL]*", text):
                return ast.Constant(int(text.rstrip("uUlL"), 0))
            case c_ast.ID(name="warpSize"):
                return p.number(32)
            case c_ast.ID():
                own = self.own(node)
                if isinstance(own, tuple):
                    self.refuse(node, f"{node.name} holds several numbers: say which, such as {node.name}.x")
                if self.points(node):
                    self.refuse(node, f"{node.name} points: say which of its places, {node.name}[i]")
                return self.place(own, [p.number(0)], node) if own in self.scope.places else p.name(own)
            case c_ast.StructRef(name=c_ast.ID(name=word), field=c_ast.ID(name="x" | "y" as axis)) if word in PARTS:
                return p.name(PARTS[word] if PARTS[word] in self.along else f"{PARTS[word]}_{axis}")
            case c_ast.StructRef(name=c_ast.ID(name=word), field=c_ast.ID(name=axis)) if any(
                f"{word}.{axis}" in known for known in self.known
            ):
                return p.name(self.own(c_ast.ID(f"{word}.{axis}", node.coord)))
            case c_ast.UnaryOp(op="sizeof", expr=c_ast.Typename(type=of)):
                return p.number(4 * (_several(of)[1] or len([self.kind(of)])))
            case c_ast.ArrayRef():
                return self.indexed(node)
            case c_ast.UnaryOp(op="*"):
                array, place = self.pointer(node.expr)
                return self.place(array, [place or p.number(0)], node)
            case c_ast.UnaryOp(op="!"):
                return p.negated(self.value(node.expr))
            case c_ast.UnaryOp(op="~"):
                return ast.BinOp(self.value(node.expr), ast.BitXor(), p.number(-1))
            case c_ast.UnaryOp(op="-" | "+" as sign):
                made = self.value(node.expr)
                return made if sign == "+" else ast.UnaryOp(ast.USub(), made)
            case c_ast.BinaryOp(op=sign):
                left, op, right = self.value(node.left), SIGNS[sign], self.value(node.right)
                if issubclass(op, ast.boolop):
                    before = left.values if isinstance(left, ast.BoolOp) and isinstance(left.op, op) else [left]
                    return ast.BoolOp(op(), [*before, right])
                if issubclass(op, ast.cmpop):
                    return ast.Compare(left, [op()], [right])
                return self.joined(left, op, right, node)
            case c_ast.TernaryOp():
                return ast.IfExp(self.value(node.cond), self.value(node.iftrue), self.value(node.iffalse))
            case c_ast.Cast():
                return self.converted(self.value(node.expr), self.kind(node.to_type.type))
            case c_ast.FuncCall(name=c_ast.ID(name=word)):
                return self.called(word, list(node.args.exprs) if node.args else [], node)
        self.refuse(node, "there is nothing like this here; ++, -- and = stand in lines of their own")

    def converted(self, node, kind, all_kinds=True):
        """What a place of a kind holds; a place of an array makes reals of whole numbers by itself."""
        if kind == "float" and kind_of(node, self.scope) == "int" and all_kinds:
            worth = constant(node, {})
            return p.call("float", node) if worth is None else p.number(float(worth))
        return p.call("int", node) if kind == "int" and kind_of(node, self.scope) == "float" else node

    def joined(self, left, op, right, node):
        """Two values joined; of whole numbers the quotient is one."""
        real = "float" in (kind_of(left, self.scope), kind_of(right, self.scope))
        if real and op not in (ast.Add, ast.Sub, ast.Mult, ast.Div):
            self.refuse(node, "of reals there are + - * / and comparisons; this operator is for whole numbers")
        made = ast.BinOp(left, op() if real or op is not ast.Div else ast.FloorDiv(), right)
        made.towards_zero = not real and op in (ast.Div, ast.Mod)
        return p.at(_line(node), made)

    def indexed(self, node):
        parts = []
        while isinstance(node, c_ast.ArrayRef):
            parts, node = [self.value(node.subscript), *parts], node.name
        array, place = self.pointer(node)
        return self.place(array, [ast.BinOp(place, ast.Add(), parts[0]) if place else parts[0], *parts[1:]], node)

    def place(self, array, parts, node):
        """A place of an array by its indices, or by one in its line of numbers."""
        array = self.ends.get(array, array)
        shape, inner = self.scope.places[array].shape, self.inner.get(array)
        if inner is not None and len(parts) == 3:
            parts = [ast.BinOp(ast.BinOp(parts[0], ast.Mult(), inner), ast.Add(), parts[1]), parts[2]]
        if any(kind_of(part, self.scope) == "float" for part in parts):
            self.refuse(node, "an array is indexed by whole numbers")
        if len(parts) == 1:
            across = {own for own, base, _ in self.sizes if base == array}
            values = {**self.scope.scalars, **self.scope.constants}
            across |= {own for own, worth in values.items() if len(shape) == 2 and worth == shape[1]}
            beside = self.scope.places[array].space == "global"
            return p.pointed(array, parts[0], len(shape) == 2 or bool(across), across if beside else ())
        if len(parts) != len(shape):
            self.refuse(node, f"this array takes {max(1, len(shape))} of [], not {len(parts)}")
        return ast.Subscript(p.name(array), ast.Tuple(parts, ast.Load()), ast.Load())

    def pointer(self, node):
        """(array, place there or None) of what points."""
        match node:
            case c_ast.ID() if self.points(node):
                own = self.own(node)
                if own in self.wide:
                    self.refuse(node, f"{node.name} points to several numbers: take or set all of {node.name}[i]")
                return self.ends.get(own, own), p.name(own) if own in self.ends else None
            case c_ast.BinaryOp(op="+" | "-" as sign):
                (array, place), by = self.pointer(node.left), self.value(node.right)
                moved = ast.BinOp(place or p.number(0), SIGNS[sign](), by)
                return array, by if place is None and sign == "+" else moved
            case c_ast.UnaryOp(op="&", expr=c_ast.ArrayRef() as inside):
                made = self.indexed(inside)
                if not isinstance(made.slice, ast.Tuple):
                    return named(made.value), made.slice
        self.refuse(node, "this is no array, nor a place in one: a pointer is an array with a whole number added")

    def called(self, word, given, node):
        told = p.words("cuda")
        if word == "atomicAdd" and len(given) == 2:
            target = given[0]
            inside = isinstance(target, c_ast.UnaryOp) and target.op == "&"
            made = self.value(target.expr if inside else c_ast.UnaryOp("*", target, node.coord))
            return p.call("atomic_add", made.value, made.slice, self.value(given[1]))
        if word in told["shuffles"] and len(given) in (3, 4):
            mask = given[0]
            known = getattr(mask, "name", "")
            full = known in self.masks or getattr(known, "name", "") == "__activemask"
            full = full or (not known and ast.unparse(self.value(mask)) in ("4294967295", "-1", "0 ^ -1"))
            if not full or (len(given) == 4 and ast.unparse(self.value(given[3])) != "32"):
                self.refuse(node, f"{word} names all 32 lanes here, 0xffffffff, and goes through all of them")
            return p.call(told["shuffles"][word], self.value(given[1]), self.value(given[2]))
        args, (made, many) = [self.value(each) for each in given], told["functions"].get(word, ("", -1))
        if len(args) != many:
            there = ", ".join([*told["functions"], *told["shuffles"], "atomicAdd"])
            self.refuse(node, f"{word[:40]} with {len(args)} values is not read; there are {there}")
        if word in ("fminf", "fmaxf") and not any(kind_of(each, self.scope) == "float" for each in args):
            args[0] = self.converted(args[0], "float")
        if made == "__ldg":
            return self.expression(c_ast.UnaryOp("*", given[0], node.coord))
        return p.filled(made, args)


def _several(node):
    """(kind, how many) of the numbers of a type such as float4; ("", 0) of others."""
    return SEVERAL.get("".join(getattr(getattr(node, "type", None), "names", ())), ("", 0))


def _after(place, many, by):
    """A place `by` times so many numbers after another one, or after the first."""
    by = p.number(many * by.value) if isinstance(by, ast.Constant) else ast.BinOp(p.number(many), ast.Mult(), by)
    return ast.BinOp(place, ast.Add(), by) if place else by


def _fused(body, scope, fixed):
    """Statements in which a load sets what its row was only taken apart for; `fixed`: names known beforehand."""
    found = []
    while body:
        node, *body = body
        row = getattr(node, "alone", ())
        if targets := _targets(body[: len(row)], row, scope, fixed):
            node.targets[0].elts, body = targets, body[len(row) :]
        ends = [constant(each, scope.constants) for each in node.iter.args] if isinstance(node, ast.For) else [None]
        few = None not in ends and len(range(*ends)) <= MOST_UNROLLED
        for part in ("body", "orelse"):
            if getattr(node, part, None):
                inside = fixed | {node.target.id} if few else fixed
                setattr(node, part, _fused(getattr(node, part), scope, inside))
        found.append(node)
    return found


def _targets(sets, row, scope, fixed):
    """What statements set to the variables of a row, one by one, where a load may set it; else nothing."""
    found = [each.targets[0] for each in sets if isinstance(each, ast.Assign)]
    places = [scope.places[named(each.value)] for each in found if isinstance(each, ast.Subscript)]
    plain = [getattr(each.value, "id", "") for each in sets if isinstance(each, ast.Assign)] == list(row)
    known = all(names(each.slice) <= fixed for each in found if isinstance(each, ast.Subscript))
    return found if plain and known and all(place.space == "own" for place in places) else ()


class _Division(ast.NodeTransformer):
    """Rounds quotients of what may be negative towards zero."""

    def __init__(self, kernel):
        self.known, self.negative = {**kernel.scope.constants, **kernel.scope.scalars}, kernel.negative

    def visit_BinOp(self, node):
        self.generic_visit(node)
        sure = [never_below(part, self.known, self.negative) for part in (node.left, node.right)]
        if not getattr(node, "towards_zero", False) or all(sure):
            return node
        if not sure[1] or any(isinstance(each, (ast.Subscript, ast.Call)) for each in ast.walk(node)):
            said = "C rounds this towards zero: divide a variable, by what is not negative"
            raise Fault("language", node.lineno, said)
        below = ast.UnaryOp(ast.USub(), ast.BinOp(ast.UnaryOp(ast.USub(), node.left), node.op, node.right))
        return p.at(node.lineno, ast.IfExp(ast.Compare(node.left, [ast.GtE()], [p.number(0)]), node, below))
