"""Pasted: what readers of other notations share: names, early returns, ranges, and the page that is written.

A reader makes statements of Python's syntax of what the machine has, and besides a return or continue at the end of an
if: what follows becomes its other branch. A range whose step is no constant becomes a while.
"""

import ast
import keyword
import re
from collections import ChainMap
from pathlib import Path

import numpy as np

from accelerator_lib import data
from accelerator_lib.kernels.language import RESERVED, Fault, Pasted, constant

WORDS = data.frozen(data.parse(Path(__file__).with_suffix(".yaml")))
DEEPEST = 60  # brackets within each other
FLIPPED = {ast.Lt: ast.GtE, ast.GtE: ast.Lt, ast.Gt: ast.LtE, ast.LtE: ast.Gt, ast.Eq: ast.NotEq, ast.NotEq: ast.Eq}


def blank(match):
    return re.sub(r"[^\n]", " ", match[0])


def screened(text, language):
    """Nothing, unless a text nests too deeply or has words that are refused by name. Raises Fault."""
    depth, found = 0, []
    for place, letter in enumerate(text):
        depth += (letter in "([{") - (letter in ")]}")
        if depth > DEEPEST:
            found.append((place, "", "this text is nested too deeply"))
            break
    for pattern, said in WORDS[language]["refused"].items():
        if match := re.search(pattern, text):
            found.append((match.start(), f"{match[0].strip(' (')} is not read: ", said))
    for place, word, said in sorted(found)[:1]:
        raise Fault("language", text.count("\n", 0, place) + 1, word + said)


def bound(parameters, arguments):
    """{parameter: its name among the arguments}: the same, the same but for capitals, or else the next of its sort;
    `parameters`: {name: whether it is an array}."""
    found, left = {}, dict.fromkeys(arguments or ())
    for alike in (str, str.lower, lambda word: ""):
        for word, array in parameters.items():
            sort = [n for n in left if isinstance(arguments[n], np.ndarray) == array and alike(n) == alike(word)]
            if word not in found and sort:
                found[word] = sort[0]
                left.pop(sort[0])
    return found


class Names(set):
    """The names of this notation that have a meaning."""

    def fresh(self, word, constant=False):
        """A name that is free, of a constant in capitals, of a variable not."""
        word = word.upper() if constant else word.lower() if word.isupper() else word
        while word in self or word in RESERVED or keyword.iskeyword(word):
            word += "_"
        self.add(word)
        return word


def at(line, node):
    """A node at a line of the text given, where it has none yet."""
    for each in ast.walk(node):
        if isinstance(each, (ast.expr, ast.stmt)):  # the others are shared by all trees
            each.lineno, each.col_offset = getattr(each, "lineno", line), 0
    return node


def name(word):
    return ast.Name(word, ast.Load())


def call(function, *args):
    return ast.Call(name(function), list(args), [])


def walked(body):
    """All nodes of statements."""
    return [node for each in body for node in ast.walk(each)]


def stored(body):
    """The names that statements set."""
    sets = [target for n in walked(body) for target in getattr(n, "targets", [getattr(n, "target", None)])]
    return {each.id for t in sets for each in getattr(t, "elts", [t]) if isinstance(each, ast.Name)}


def negated(test):
    """What holds where a test does not."""
    if isinstance(test, ast.Compare) and len(test.ops) == 1:
        return ast.Compare(test.left, [FLIPPED[type(test.ops[0])]()], test.comparators)
    if isinstance(test, ast.BoolOp):
        other = ast.Or() if isinstance(test.op, ast.And) else ast.And()
        return ast.BoolOp(other, [negated(part) for part in test.values])
    known = isinstance(test, ast.UnaryOp) and isinstance(test.op, ast.Not)
    return test.operand if known else ast.UnaryOp(ast.Not(), test)


def guarded(body, exit):
    """Statements without the exits, ast.Return or ast.Continue, that end a branch. Raises Fault for another."""
    found = []
    for place, node in enumerate(body):
        if isinstance(node, exit):
            return found
        parts = [node.body, node.orelse] if isinstance(node, ast.If) else []
        if any(part and isinstance(part[-1], exit) for part in parts):
            after = body[place + 1 :]
            yes, no = (part[:-1] if part and isinstance(part[-1], exit) else part + after for part in parts)
            parts = (node.test, yes, no) if yes else (negated(node.test), no, [])
            return [*found, at(node.lineno, ast.If(parts[0], guarded(parts[1], exit), guarded(parts[2], exit)))]
        deeper = [each for each in ast.walk(node) if isinstance(each, (exit, ast.Break))]
        if deeper:
            word = type(deeper[0]).__name__.lower()
            said = f"{word} is not read here: a loop ends by its test; return and continue end an `if` of their own"
            raise Fault("language", deeper[0].lineno, said)
        found.append(node)
    return found


def ranged(counter, ends, body, constants):
    """Statements of a loop from start to stop by step."""
    start, stop, step = ends
    body, target = guarded(body, ast.Continue), ast.Name(counter, ast.Store())
    if constant(step, constants):
        plain = constant(start, {}) == 0 and constant(step, {}) == 1
        args = [stop] if plain else ends[:2] if constant(step, {}) == 1 else ends
        return [ast.For(target, call("range", *args), body, [])]
    turn = [*body, ast.AugAssign(target, ast.Add(), step)]
    return [ast.Assign([target], start), ast.While(ast.Compare(name(counter), [ast.Lt()], [stop]), turn, [])]


def filled(text, values):
    """An expression of x, y, z, with nodes in their place."""
    parts, fill = dict(zip("xyz", values, strict=False)), ast.NodeTransformer()
    fill.visit_Name = lambda node: parts.get(node.id, node)
    return fill.visit(ast.parse(text, mode="eval").body)


def _parts(node, op):
    joined = isinstance(node, ast.BinOp) and isinstance(node.op, op)
    return [*_parts(node.left, op), *_parts(node.right, op)] if joined else [node]


def _joined(parts, op):
    return parts[0] if len(parts) == 1 else ast.BinOp(_joined(parts[:-1], op), op(), parts[-1])


def pointed(array, index, two, across):
    """A place of an array in its line of numbers: [row, column] where the index adds a row times how many columns there
    are, by one of these names; else of its flat one, if it has `two` sides."""
    beside, rows = [], []
    for term in _parts(index, ast.Add) if two else ():
        parts = _parts(term, ast.Mult)
        found = next((part for part in parts if getattr(part, "id", None) in across), None)
        parts = [part for part in parts if part is not found]
        (rows if found else beside).append(_joined(parts or [ast.Constant(1)], ast.Mult))
    if rows:
        index = ast.Tuple([_joined(rows, ast.Add), _joined(beside or [ast.Constant(0)], ast.Add)], ast.Load())
    flat = ast.Attribute(name(array), "flat", ast.Load()) if two and not rows else name(array)
    return ast.Subscript(flat, index, ast.Load())


class Plain(ast.NodeTransformer):
    """Gives its own name to what is given to every thread."""

    def visit_BinOp(self, node):
        self.generic_visit(node)
        found = WORDS["given"].get(ast.unparse(node))
        return name(found) if found else node


class Reader:
    """What is known of one kernel: `told` of its language, how its names are called here, what stands at its head."""

    def __init__(self, language, source, arguments, text):
        self.source, self.arguments, self.told = source, arguments, WORDS[language]
        self.names, self.known, self.constants = Names(arguments or ()), ChainMap(), {}
        self.head, self.sizes = [], []  # (line, declaration); the sizes of Pasted
        screened(re.sub(self.told["remark"], blank, text), language)
        for pattern, meant in self.told["swapped"].items():
            text = re.sub(pattern, meant, text)
        self.text = text
        self.flat = {part for part, sign in self.told["sides"].items() if not re.search(sign, text)}

    def line(self, node):
        return node.lineno

    def refuse(self, node, said):
        raise Fault("language", self.line(node), said)

    def bind(self, node, word, sort):
        """The name of a parameter, an "array" or a "number", or "" where it comes with an array."""
        if sort and self.arguments is not None and word not in self.found:
            self.refuse(node, f"there is no {sort} left for {word} among {', '.join(self.arguments)}")
        stays = word.isupper() and word not in self.names
        self.known[word] = self.found.get(word) or (word if stays else self.names.fresh(word))
        return self.known[word]

    def fix(self, node, word, value):
        """Keep a constant, for which no statement is left."""
        self.known[word] = own = self.names.fresh(word, constant=True)
        self.constants[own] = constant(value, self.constants)
        self.head.append((self.line(node), f"{own} = {ast.unparse(value)}"))
        return []

    def declare(self, node, word, function, sides, kind):
        """The name of an array of shared(...) or zeros(...)."""
        self.known[word] = own = self.names.fresh(word)
        declared = call(function, *sides, *([name("int")] if kind == "int" else []))
        self.head.append((self.line(node), f"{own} = {ast.unparse(declared)}"))
        return own

    def given(self, word):
        """What is given to every thread, without its axis where the text has only one."""
        part = word[:-2] if word[-2:] in ("_x", "_y") else ""
        side = {"block_size": "thread", "grid_size": "block"}.get(part, part)
        return name(part if side in self.flat else word)

    def function(self, node, word, args, there, named=()):
        """How a function of so many values is written here; `there`: those that are named where it is not known."""
        made, many = self.told["functions"].get(word, ("", -1))
        if named or len(args) != many:
            self.refuse(node, f"{word[:40]} with {len(args)} values is not read; there are {', '.join(there)}")
        return made

    def written(self, title, body, parameters):
        """Pasted of statements."""
        rows = [*self.head]
        _block(guarded(body, ast.Return), "", rows)
        lines = [line for line, _ in rows] or [1]
        text, terms = "".join(f"{row}\n" for _, row in rows), tuple(self.told["terms"].items())
        lines, sizes = (*lines, lines[-1]), tuple(self.sizes)
        return Pasted(self.told["name"], title, text, lines, self.source, tuple(parameters), sizes, terms)


def _block(body, pad, rows):
    for node in body or [ast.Pass(lineno=rows[-1][0] if rows else 1)]:
        rows.append((node.lineno, pad + ast.unparse(node).partition("\n")[0]))
        if isinstance(node, (ast.If, ast.While, ast.For)):
            _block(node.body, pad + "    ", rows)
        if getattr(node, "orelse", []):
            rows.append((node.orelse[0].lineno, f"{pad}else:"))
            _block(node.orelse, pad + "    ", rows)
