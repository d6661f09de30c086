"""What a mutant changes: the places in the models where Cosmic Ray can put another operator, number or word.

A place is drawn at most once, so that a product with its six replacements counts no more than a number. Strings and
docstrings are never changed. Skipped: raise statements (error messages), @cache (only slower), @dataclass(...),
1e30 + 1 (the same number), and what fails at once or never, bits for arithmetic and `is` for `==`.
"""

import ast
import random
import re
from dataclasses import dataclass

from accelerator_course import syllabus

GROUND = {f"accelerator_lib/{name}": name.split("/")[-1] for name in ("units", "checks/inputs", "hardware")}
GROUND |= {
    "accelerator_lib/checks/signature": "signature",
    "accelerator_lib/data/__init__": "data",
}  # {module: its test}
GROUND |= {
    f"accelerator_course/{name}": test
    for name, test in (("quiz/grade", "quiz"), ("quiz/quantity", "quiz"), ("exercises/rungs", "rungs"))
}
ALIKE = ("Add Sub Mul Div FloorDiv Mod Pow", "RShift LShift BitOr BitAnd BitXor", "Eq NotEq Lt LtE Gt GtE", "Is IsNot")
PLAIN = ("name", "string", "newline", "endmarker", "fstring_string")  # parts of a text that no operator looks at
SKIPPED = re.compile(r"@(functools\.)?((lru_)?cache\b|dataclass)|raise\b")


@dataclass(frozen=True)
class Mutant:
    """One change of one module."""

    topic: str
    path: str
    line: int
    operator: str
    occurrence: int
    compiles: bool

    def __str__(self):
        return f"{self.path}:{self.line}  {self.operator.removeprefix('core/')}"


def topics(root):
    """{topic: its modules}; those on which all models stand are the topic ground."""
    package = root / "accelerator_lib"
    found = {topic: sorted((package / topic).rglob("*.py")) for topic in [*syllabus.rooms(), "machine"]}
    found["ground"] = [path for name in GROUND if (path := root / f"{name}.py").exists()]
    return {topic: [str(path.relative_to(root)) for path in paths] for topic, paths in found.items() if paths}


def places(source):
    """[(line, [(operator, occurrence) ...])] of what can be changed."""
    from cosmic_ray.ast import ast_nodes, get_ast
    from cosmic_ray.plugins import get_operator, operator_names

    nodes, found = [node for node in ast_nodes(get_ast(source)) if node.type not in PLAIN], {}
    for name, kind in ((name, get_operator(name)) for name in operator_names()):
        ends = set(name.split("_")[1:]) - {"Delete"}
        if kind.arguments() or (len(ends) == 2 and not any(ends <= {*group.split()} for group in ALIKE)):
            continue
        positions = [(node, place) for node in nodes for place in kind().mutation_positions(node)]
        for occurrence, (node, place) in enumerate(positions):
            around = node if node.type == "decorator" else node.search_ancestor("decorator", "raise_stmt")
            if not (around and SKIPPED.match(around.get_code(include_prefix=False))):
                found.setdefault(place, []).append((name, occurrence))
    return [(place[0][0], found[place]) for place in sorted(found)]


def draw(places, seed):
    """The places in random order, each with one of its mutants; the same for the same seed."""
    luck = random.Random(seed)
    for *where, mutants in luck.sample(places, len(places)):
        yield *where, *luck.choice(mutants)


def mutants(root, chosen, seed):
    """The mutants of these topics that change a program, one of each place, in random order."""
    from cosmic_ray.mutating import mutate_code
    from cosmic_ray.plugins import get_operator

    sources = {path: (topic, (root / path).read_text("utf-8")) for topic in chosen for path in topics(root)[topic]}
    found = [(path, *place) for path, (_, source) in sources.items() for place in places(source)]
    for path, line, operator, occurrence in draw(found, seed):
        topic, source = sources[path]
        program = parsed(mutate_code(source, get_operator(operator)(), occurrence))
        if program != parsed(source):
            yield Mutant(topic, path, line, operator, occurrence, program is not None)


def parsed(source):
    """A program without its layout; None where it is none."""
    try:
        return compile(source, "mutant", "exec", dont_inherit=True) and ast.dump(ast.parse(source))
    except (SyntaxError, ValueError):
        return None
