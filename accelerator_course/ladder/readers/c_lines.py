"""C lines: the statements of a kernel in CUDA C, and what they declare, in this notation."""

import ast

from pycparser import c_ast

from accelerator_course.ladder.readers import pasted as p
from accelerator_course.ladder.readers.c_places import Places, Pointer
from accelerator_course.ladder.readers.c_values import SIGNS
from accelerator_lib.kernels.cuda import names
from accelerator_lib.kernels.language import constant
from accelerator_lib.kernels.scope import Place


class Lines(Places):
    deep = 0  # loops around the line that is read

    def block(self, node):
        parts = (node.block_items or []) if isinstance(node, c_ast.Compound) else [node] if node else []
        self.known = self.known.new_child()
        made = [each for part in parts for each in self.statement(part)]
        if rows := [each for each in self.known.maps[0].values() if isinstance(each, tuple)]:
            mentioned = [each.id for each in p.walked(made) if isinstance(each, ast.Name)]
            self.used |= {row for row in rows if any(mentioned.count(one) != 2 for one in row)}
        self.known = self.known.parents
        return made

    def statement(self, node):
        return [p.at(self.line(node), each) for each in self.statements(node)]

    def statements(self, node):
        match node:
            case c_ast.Compound():
                return self.block(node)
            case c_ast.EmptyStatement():
                return []
            case c_ast.Decl():
                return self.declared(node)
            case c_ast.DeclList(decls=parts) | c_ast.ExprList(exprs=parts):
                return [each for part in parts for each in self.statement(part)]
            case c_ast.Return() | c_ast.Continue() | c_ast.Break():
                return [getattr(ast, type(node).__name__)()]
            case c_ast.If():
                return [ast.If(self.value(node.cond), self.block(node.iftrue), self.block(node.iffalse))]
            case c_ast.While():
                return self.loop(node, None, None)
            case c_ast.For(cond=c_ast.Node()):
                return self.loop(node, node.init, node.next)
            case c_ast.Assignment():
                return self.assigned(node)
            case c_ast.UnaryOp(op="++" | "--" | "p++" | "p--"):
                one = c_ast.Constant("int", "1", node.coord)
                return self.assigned(c_ast.Assignment(f"{node.op[-1]}=", node.expr, one, node.coord))
            case c_ast.FuncCall(name=c_ast.ID(name=word)) if word in self.told["lines"]:
                return [ast.Expr(self.value(node))]
        self.refuse(node, "there is nothing like this here: use =, if, else, for, while, __syncthreads(), atomicAdd()")

    def loop(self, node, start, tick):
        """A loop as a range, where it is one."""
        self.known, self.deep = self.known.new_child(), self.deep + 1
        first = self.statement(start) if start else []
        body, test = self.block(node.stmt), self.value(node.cond)
        turn = self.statement(tick) if tick else []
        self.known, self.deep = self.known.parents, self.deep - 1
        if isinstance(start, c_ast.DeclList) and (ends := self.ends(first, test, turn, body)):
            return p.ranged(first[0].targets[0].id, ends, body, self.constants)
        return [*first, ast.While(test, [*p.guarded(body, ast.Continue), *turn], [])]

    def ends(self, first, test, turn, body):
        """Start, stop and step of a counter that goes up to its end, or down; None for other loops."""
        match first, test, turn:
            case (
                [ast.Assign(targets=[ast.Name(id=word)], value=start)],
                ast.Compare(left=ast.Name(id=tested), ops=[goes], comparators=[stop]),
                [ast.AugAssign(target=ast.Name(id=turned), op=ast.Add() | ast.Sub() as op, value=by)],
            ) if word == tested == turned:
                step, up = constant(by, self.constants), isinstance(op, ast.Add)
                far = isinstance(goes, (ast.Lt, ast.LtE) if up else (ast.Gt, ast.GtE)) and type(step) is int
                reads = any(isinstance(each, (ast.Subscript, ast.Call)) for each in ast.walk(stop))
                if not far or step < 1 or reads or p.stored(body) & {word, *names(stop)}:
                    return None
                if isinstance(goes, (ast.LtE, ast.GtE)):
                    stop = ast.BinOp(stop, op, ast.Constant(1))
                    stop = stop if constant(stop, {}) is None else ast.Constant(constant(stop, {}))
                return [start, stop, by if up else ast.Constant(-step)]

    def declared(self, node):
        kind, sides, shared = node.type, [], "static" in node.storage
        while isinstance(kind, c_ast.ArrayDecl):
            sides.append(self.value(kind.dim) if kind.dim else ast.Constant(0))
            kind = kind.type
        if isinstance(kind, c_ast.PtrDecl):
            many, start = self.type(kind.type)[1], self.pointer(node.init)
            self.known[node.name] = own = self.variable(node.name, "int")
            self.pointers[own] = Pointer(start.array, (p.name(own),), many)
            return [ast.Assign([p.name(own)], self.linear(start, node))]
        of, many = self.type(kind, 1 if sides or shared else 4)
        if sides or shared:
            return self.array(node, of, sides or [ast.Constant(1)], shared)
        if many > 1:
            row = {f"{node.name}.{axis}": self.variable(f"{node.name}_{axis}", of) for axis in "xyzw"[:many]}
            self.known |= row | {node.name: tuple(row.values())}
            return self.taken(self.known[node.name], self.row(node.init), node) if node.init else []
        value = None if node.init is None else p.Plain().visit(self.converted(self.value(node.init), of))
        if "const" in node.quals and value is not None and constant(value, self.constants) is not None:
            return self.fix(node, node.name, value)
        if getattr(value, "id", None) == node.name:  # int thread = threadIdx.x
            self.known[node.name] = node.name
            return []
        self.known[node.name] = own = self.variable(node.name, of)
        self.unsigned.update({own} if "unsigned" in kind.type.names else ())
        return [] if value is None else [ast.Assign([p.name(own)], value)]

    def variable(self, word, kind):
        """The name of a new variable; blocks side by side have the same one where they call it alike."""
        seen, own = {each for known in self.known.maps for each in known.values()}, word
        while own in seen or self.scope.variables.get(own) != kind:
            if own not in self.names:
                own = self.names.fresh(own)
                self.scope.variables[own] = kind
                return own
            own += "_"
        return own

    def array(self, node, of, sides, shared):
        worth = [constant(side, self.constants) for side in sides]
        if len(sides) > 3 or any(type(side) is not int or side < 1 for side in worth):
            self.refuse(node, "an array has one to three sides, each a constant whole number")
        if not isinstance(node.init, (c_ast.InitList, type(None))):
            self.refuse(node, "an array begins with numbers in {}")
        inner = sides[1] if len(sides) == 3 else None
        if inner:
            sides, worth = [ast.BinOp(sides[0], ast.Mult(), sides[1]), sides[2]], [worth[0] * worth[1], worth[2]]
        own = self.declare(node, node.name, "shared" if shared else "zeros", sides, of)
        self.inner[own] = inner
        self.scope.places[own] = Place(own, of, tuple(worth), "shared" if shared else "own")
        if isinstance(node.type, c_ast.ArrayDecl):  # the name of one number of a block is its place
            self.pointers[own] = Pointer(own)
        values = self.values(node.init.exprs) if node.init else []
        return self.filled(own, [self.converted(each, of) for each in values]) if node.init else []

    def filled(self, own, values):
        """Statements for what an array begins with: zeros are there anyway, but for those of the turn before."""
        place = self.scope.places[own]
        flat = ast.Attribute(p.name(own), "flat", ast.Load()) if len(place.shape) > 1 else p.name(own)
        sets = [ast.Assign([ast.Subscript(flat, ast.Constant(i), ast.Load())], value) for i, value in enumerate(values)]
        sets = [each for each in sets if constant(each.value, {}) != 0]
        if not self.deep or len(sets) == place.size:
            return sets
        counter, zero = p.name(self.names.fresh(f"{own}_i")), self.converted(ast.Constant(0), place.kind)
        cleared = ast.Assign([ast.Subscript(flat, counter, ast.Load())], zero)
        return [ast.For(counter, p.call("range", ast.Constant(place.size)), [cleared], []), *sets]

    def assigned(self, node):
        left, right, op = node.lvalue, node.rvalue, SIGNS.get(node.op[:-1])
        if isinstance(right, c_ast.Assignment):
            last = c_ast.Assignment(node.op, left, right.lvalue, node.coord)
            return self.statement(right) + self.assigned(last)
        row = self.row(left) if op is None else None
        if isinstance(row, Pointer):
            return self.put(row, self.row(right), node)
        if row and isinstance(left, c_ast.ID):
            return self.taken(self.own(left), self.row(right), node)
        if isinstance(left, c_ast.ID) and self.own(left) in self.pointers:
            return self.goes(left, op, right)
        place, value = self.value(left), self.value(right)
        fixed = {**self.constants, **self.scope.scalars}
        if not isinstance(place, (ast.Name, ast.Subscript)) or getattr(place, "id", "") in fixed:
            self.refuse(node, "set is a variable or a place of an array; a constant or an argument stays as it is")
        kind, made = self.kind(place), value if op is None else self.joined(place, op, value, node)
        if op in (None, ast.Div, ast.Mod) or self.kind(made) != kind:
            return [ast.Assign([place], self.converted(made, kind, isinstance(place, ast.Name)))]
        return [ast.AugAssign(place, op(), value)]

    def goes(self, node, op, right):
        """A pointer goes to another place of its array."""
        own = self.own(node)
        start = self.pointers[own]
        if start.many > 1:
            self.refuse(node, f"{node.name} stays where it is here: say which of its places, {node.name}[i]")
        if not start.at:  # an argument: from now on it has a place
            own = self.variable(f"{node.name}_at", "int")
            self.pointers[own] = Pointer(start.array, (p.name(own),))
            self.head.append((self.line(node), f"{own} = 0"))
            self.known.maps[-1][node.name] = own
        if op is not None:
            return [ast.AugAssign(p.name(own), op(), self.value(right))]
        end = self.pointer(right)
        if (end.array, end.many) != (start.array, 1):
            self.refuse(node, f"{node.name} stays within its array here")
        return [ast.Assign([p.name(own)], self.linear(end, node))]
