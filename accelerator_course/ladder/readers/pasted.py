"""Pasted: what readers of other notations share: names, early returns, ranges, and the page that is written.

A reader makes statements of Python's syntax of what the machine has, and besides a return or continue at the end of an
if: what follows becomes its other branch. A range whose step is no constant becomes a while.
"""

import ast
import keyword
import re
from pathlib import Path

import numpy as np

from accelerator_lib import data
from accelerator_lib.kernels.language import RESERVED, Fault, Pasted, constant

WORDS = data.frozen(data.parse(Path(__file__).with_suffix(".yaml")))
DEEPEST = 60  # brackets within each other
GIVES = (ast.Add, ast.Mult, ast.Mod, ast.BitAnd, ast.FloorDiv, ast.RShift)  # what Plain knows is one of these
FLIPPED = {ast.Lt: ast.GtE, ast.GtE: ast.Lt, ast.Gt: ast.LtE, ast.LtE: ast.Gt, ast.Eq: ast.NotEq, ast.NotEq: ast.Eq}


def words(language):
    """What a language refuses by name, and how it calls things: {"refused": {pattern: what is needed}, ...}."""
    return WORDS[language]


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


def number(value):
    return ast.Constant(value) if value >= 0 else ast.UnaryOp(ast.USub(), ast.Constant(-value))


def stored(body):
    """The names that statements set."""
    nodes = [node for each in body for node in ast.walk(each)]
    sets = [target for n in nodes for target in getattr(n, "targets", [getattr(n, "target", None)])]
    return {each.id for t in sets for each in getattr(t, "elts", [t]) if isinstance(each, ast.Name)}


def screened(text, language):
    """Nothing, unless a text nests too deeply or has words that are refused by name. Raises Fault."""
    depth, found = 0, []
    for place, letter in enumerate(text):
        depth += (letter in "([{") - (letter in ")]}")
        if depth > DEEPEST:
            found.append((place, "", "this text is nested too deeply"))
            break
    for pattern, said in words(language)["refused"].items():
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


class Plain(ast.NodeTransformer):
    """Gives its own name to what is given to every thread."""

    def visit_BinOp(self, node):
        self.generic_visit(node)
        found = words("given").get(ast.unparse(node)) if isinstance(node.op, GIVES) else None
        return name(found) if found else node


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
        (rows if found else beside).append(_joined(parts or [number(1)], ast.Mult))
    if rows:
        index = ast.Tuple([_joined(rows, ast.Add), _joined(beside or [number(0)], ast.Add)], ast.Load())
    flat = ast.Attribute(name(array), "flat", ast.Load()) if two and not rows else name(array)
    return ast.Subscript(flat, index, ast.Load())


def written(language, title, head, body, source, parameters, sizes=()):
    """Pasted of declarations, (line, text), and of statements."""
    rows = [*head]
    _block(guarded(body, ast.Return), "", rows)
    lines = [line for line, _ in rows] or [1]
    text, told = "".join(f"{row}\n" for _, row in rows), words(language)
    made = (told["name"], title, text, (*lines, lines[-1]), source, tuple(parameters), tuple(sizes))
    return Pasted(*made, tuple(told["terms"].items()))


def _block(body, pad, rows):
    for node in body or [ast.Pass(lineno=rows[-1][0] if rows else 1)]:
        if not isinstance(node, (ast.If, ast.While, ast.For)):
            rows.append((node.lineno, pad + ast.unparse(node)))
            continue
        said = f"for {ast.unparse(node.target)} in {ast.unparse(node.iter)}" if isinstance(node, ast.For) else ""
        said = said or f"{'if' if isinstance(node, ast.If) else 'while'} {ast.unparse(node.test)}"
        rows.append((node.lineno, f"{pad}{said}:"))
        _block(node.body, pad + "    ", rows)
        if node.orelse:
            rows.append((node.orelse[0].lineno, f"{pad}else:"))
            _block(node.orelse, pad + "    ", rows)
