"""From CUDA: a kernel in CUDA C, whose own words are made C's for pycparser, in this notation.

Read is one __global__ function and the constants above it. A text that names no threadIdx.y has its threads along x.
Whole numbers are divided towards zero, as in C. Left out: numbers of other than 32 bits, those without a sign that
wrap around, casts of pointers to other numbers.
"""

import ast
import re
from functools import lru_cache

from pycparser import c_ast, c_parser

from accelerator_course.ladder.readers import pasted as p
from accelerator_course.ladder.readers.c_lines import Lines
from accelerator_course.ladder.readers.c_places import Pointer
from accelerator_course.ladder.readers.c_values import SEVERAL
from accelerator_lib.kernels.cuda import BEFORE, may_be_negative, names, never_below
from accelerator_lib.kernels.language import Fault, constant, named
from accelerator_lib.kernels.program import MOST_UNROLLED
from accelerator_lib.kernels.scope import Place

DEFINED = re.compile(r"^[ \t]*#\s*define[ \t]+(\w+)(\([^\n]*)?([^\n]*)", re.M)
TYPE, MASK = re.compile(r"\s*(?:unsigned|float|int)\s*"), re.compile(r"[\s(]*(?:0x[fF]{8}[uU]?|-1|~0)[\s)]*")


@lru_cache(64)
def _parsed(text):
    return c_parser.CParser().parse("".join(f"typedef int {each}; " for each in SEVERAL) + text, "")


def read(source, arguments=None):
    """Pasted of a kernel in CUDA C, for arguments by name or for none in particular. Raises Fault."""
    text, types, masks = source, {}, set()
    for line in BEFORE["floors"].strip().split("\n"):  # which this course prints itself
        text = text.replace(line, "")
    for pattern in ("remark", "dropped"):
        text = re.sub(p.WORDS["cuda"][pattern], p.blank, text)

    def defined(match):
        word, brackets, value = match.groups()
        if brackets:
            said = f"#define {word}(...) is not read: write what it stands for where it is used"
            raise Fault("language", text.count("\n", 0, match.start()) + 1, said)
        if TYPE.fullmatch(value):
            types[word] = value
        elif MASK.fullmatch(value):
            masks.add(word)
        elif value.strip():
            return f"const {'float' if re.search(r'[.]|[0-9]e|[0-9]f', value) else 'int'} {word} = {value};"
        return ""

    text = DEFINED.sub(defined, text)
    for word, kind in types.items():
        text = re.sub(rf"\b{word}\b", kind, text)
    kernel = _Kernel("cuda", source, arguments, text)
    kernel.masks = masks
    try:
        return kernel.read(_parsed(kernel.text).ext[len(SEVERAL) :])
    except c_parser.ParseError as error:
        place = re.search(r"(\d+):\d+", str(error))
        near = f"look before `{str(error).rpartition(': ')[2][:20]}`" if "before" in str(error) else "it ends too early"
        line = int(place[1]) if place else source.count("\n") + 1
        raise Fault("language", line, f"this is not the C that is read here: {near}") from None


class _Kernel(Lines):
    def read(self, parts):
        """Pasted of the one kernel among declarations."""
        kernels = [each for each in parts if isinstance(each, c_ast.FuncDef)]
        if len(kernels) != 1:
            other = kernels[1].decl if kernels else None
            self.refuse(other, f"one __global__ function is read at a time, here are {len(kernels)}")
        for each in parts:
            if each is not kernels[0] and (not isinstance(each, c_ast.Decl) or self.statement(each)):
                self.refuse(each, "above a kernel there may only be constants")
        parameters = self.parameters(kernels[0].decl.type)
        body = self.block(kernels[0].body)
        known = {**self.constants, **self.scope.scalars}
        divided = _Division(known, may_be_negative(p.walked(body), known) - self.unsigned)
        body = [divided.visit(p.Plain().visit(each)) for each in body]
        return self.written(kernels[0].decl.name, _fused(body, self, set(self.constants)), parameters)

    def parameters(self, function):
        given = [each for each in (function.args.params if function.args else ()) if isinstance(each, c_ast.Decl)]
        arrays, parameters = {each.name: not isinstance(each.type, c_ast.TypeDecl) for each in given}, []
        self.found = p.bound(arrays, self.arguments)
        for each in given:
            word, base, array = each.name, each.name.removesuffix("_cols"), arrays[each.name]
            kind, many = self.type(each.type.type) if array else self.type(each.type, 1)
            beside = word not in self.found and base in self.known and base != word
            own = self.bind(each, word, "" if beside else "array" if array else "number")
            if beside:
                self.sizes.append((own, self.known[base], 1))
            else:
                parameters.append(own)
            worth = (self.arguments or {}).get(own)
            if not array:
                self.scope.scalars[own] = worth if worth is not None else 1.0 if kind == "float" else 1
                continue
            if worth is not None and (worth.dtype.kind == "f") != (kind == "float"):
                self.refuse(each, f"{word} points to {kind}, the array holds {worth.dtype.name}")
            self.pointers[own] = Pointer(own, many=many)
            self.scope.places[own] = Place(own, kind, getattr(worth, "shape", ()), "global")
        return parameters


def _fused(body, kernel, fixed):
    """Statements in which a load sets what its row was only taken apart for; `fixed`: names known beforehand."""
    found = []
    while body:
        (node, *body), inside = body, fixed
        match node:
            case ast.Assign(targets=[ast.Tuple(elts=row) as target]):
                if targets := _targets(row, body[: len(row)], kernel, fixed):
                    target.elts, body = targets, body[len(row) :]
            case ast.For(iter=ast.Call(args=args)):
                ends = [constant(each, kernel.constants) for each in args]
                if None not in ends and len(range(*ends)) <= MOST_UNROLLED:
                    inside = fixed | {node.target.id}
        for part in ("body", "orelse"):
            if getattr(node, part, None):
                setattr(node, part, _fused(getattr(node, part), kernel, inside))
        found.append(node)
    return found


def _targets(row, sets, kernel, fixed):
    """What statements set to the variables of a row, one by one, where a load may set it; else nothing."""
    row = [each.id for each in row]
    if tuple(row) in kernel.used or row != [getattr(getattr(each, "value", None), "id", "") for each in sets]:
        return []
    targets = [each.targets[0] for each in sets]
    places = [each for each in targets if isinstance(each, ast.Subscript)]
    own = all(kernel.scope.places[named(each.value)].space == "own" for each in places)
    return targets if own and all(names(each.slice) <= fixed for each in places) else []


class _Division(ast.NodeTransformer):
    """Rounds quotients of what may be negative towards zero."""

    def __init__(self, known, negative):
        self.known, self.negative = known, negative

    def visit_BinOp(self, node):
        self.generic_visit(node)
        sure = [never_below(part, self.known, self.negative) for part in (node.left, node.right)]
        if not getattr(node, "towards_zero", False) or all(sure):
            return node
        if not sure[1] or any(isinstance(each, (ast.Subscript, ast.Call)) for each in ast.walk(node)):
            said = "C rounds this towards zero: divide a variable, by what is not negative"
            raise Fault("language", node.lineno, said)
        below = p.filled("-x", [ast.BinOp(ast.UnaryOp(ast.USub(), node.left), node.op, node.right)])
        return p.at(node.lineno, p.filled("y if x >= 0 else z", (node.left, node, below)))
