"""Hostile texts: kernels that nest, grow, never end or mean something else, for all machines.

    python tests/attacks/texts.py      judge each on every machine, and run it on the first; seconds and megabytes

`hostile()` yields (name, text). Whatever a text holds, `judge` answers in one line and `run` in a Fault, in a few
seconds and within half a gigabyte.
"""

import resource
import sys
import time
from pathlib import Path

import numpy as np

from accelerator_course import ladder
from accelerator_lib import data, kernels

RUNGS = {"warp": "map", "pallas": "product", "array": "feed", "chip": "network"}  # of each machine one
SECONDS, MEGABYTES, LETTERS = 20, 500, 450  # of one judgement: processor time, memory, what is said
CALL = "def k(o):\n    o[...] = 1.0\nout = pl.pallas_call(k, out_shape=jax.ShapeDtypeStruct(({side}, 8), jnp.float32){more})()"


def _nested():
    yield "brackets", "(" * 9000 + "1" + ")" * 9000
    yield "signs", "x = " + "-" * 19_000 + "1"
    yield "nots", "x = " + "not " * 4900 + "1"
    yield "parts of parts", "x = a" + ".b" * 9000
    yield "indices of indices", "x = a" + "[0]" * 6000
    yield "a long sum", "x = 1" + "+1" * 9000
    yield "a short sum", "x = 1" + "+1" * 900
    yield "loops in loops", "\n".join(" " * k + f"for k{k} in range(16):" for k in range(8)) + "\n" + " " * 8 + "x = 1"
    yield "nothing in loops", "\n".join(" " * k + f"for k{k} in range(16):" for k in range(8)) + "\n" + " " * 8 + "pass"
    yield "ifs", "\n".join(" " * n + "if 1 < 2:" for n in range(95)) + "\n" + " " * 95 + "x = 1"
    yield "elifs", "if lane < 0:\n x = 1\n" + "".join(f"elif lane < {n}:\n x = {n}\n" for n in range(700))
    yield "choices", "x = " + "1 if 1 < 2 else " * 1200 + "1"
    yield "ands", "x = " + "(1 and " * 190 + "1" + ")" * 190
    yield "comparisons", "x = " + "1 < " * 4000 + "1"
    yield "lambdas", "x = " + "lambda: " * 2000 + "1"
    yield "lists", "x = " + "[" * 190 + "]" * 190
    yield "a size that is a sum", "s = shared(" + "1+" * 3000 + "1)"


def _large():
    yield "a megabyte", "x = 1\n" * 200_000
    yield "a number of 5,000 digits", "x = " + "9" * 5000
    yield "a number of 19,000 hex digits", "x = 0x" + "f" * 19_000
    yield "a real beyond all", "x = 1e" + "9" * 400
    yield "a name of 19,000 letters", "x" * 19_000 + " = 1"
    yield "4,900 statements", "x=1;" * 4900
    yield "a chain of variables", "\n".join(f"v{n} = v{n + 1}" for n in range(1400)) + "\nv1400 = 1.0"
    yield "much shared memory", "".join(f"s{n} = shared(4096)\n" for n in range(500))
    yield "many registers", "".join(f"z{n} = zeros(256)\n" for n in range(1000))
    yield "an array of 2**124", f"x = jnp.full(({2**62}, {2**62}), 1.0)"
    yield "a grid", CALL.format(side=8, more=", grid=(2147483647,)")
    yield "a result", CALL.format(side=10**9, more="")
    yield "room on the chip", CALL.format(side=8, more=", scratch_shapes=[pltpu.VMEM((100000, 100000), jnp.float32)]")


def _endless():
    yield "calls", "for i in range(100000):\n    " + CALL.format(side=8, more="").replace("\n", "\n    ")
    twice = "".join(f"def f{n + 1}(x):\n    return f{n}(x) + f{n}(x)\n" for n in range(25))
    yield "twice as many calls each time", f"def f0(x):\n    return x\n{twice}y = f25(1)"


def _strange():
    yield "half a letter", "x = 1 # \ud800"
    yield "half a name", "\ud800 = 1"
    yield "line breaks", "\\\n" * 9000 + "x = 1\r\ny = 2\r\n\x0c"


def _small_but_costly():
    """A short text whose values are long, or whose work stands in no node of it."""
    pairs = "t = (1, 1)\n" + "t = (t, t)\n" * 34
    yield "pairs of pairs", pairs + "out = t"
    yield "a function among pairs of pairs", pairs + "out = lambda: 1"
    yield "pairs of pairs as a condition", pairs + "@pl.when(t)\ndef f():\n    pass"
    yield "registers of many lanes", "".join(f"z{n} = zeros(256, int)\nz{n}[lane] = lane\n" for n in range(14))
    sums = "jnp.sum(x), " * 500
    yield "sums of a large array", f"x = jnp.zeros((1024, 1024))\nfor i in range(1000):\n    t = ({sums})"
    yield "steps of nothing", CALL.format(side=8, more=", grid=(50000,)").replace("o[...] = 1.0", "pass") * 20


def hostile():
    """(name, text) of every hostile text: short ones, and those that are made."""
    yield from data.parse(Path(__file__).with_suffix(".yaml")).items()
    for family in (_nested, _large, _endless, _strange, _small_but_costly):
        yield from family()


def answers(text):
    """{machine: what judge says} and what `run` of the first machine says; whatever is raised there is not caught."""
    said = {machine: ladder.judge(id, text).problem for machine, id in RUNGS.items()}
    try:
        kernels.run(text, {"a": np.ones(64, np.float32), "out": np.zeros(64, np.float32), "n": 64})
        said["run"] = "it ran"
    except kernels.Fault as fault:
        said["run"] = str(fault)
    return said


def wrong(said):
    """What is wrong with these answers: no line, more than one, a long one."""
    return [name for name, line in said.items() if not line or len(line.splitlines()) != 1 or len(line) > LETTERS]


def main():
    failed, tried = 0, 0
    for name, text in hostile():
        begun, tried = time.process_time(), tried + 1
        try:
            bad = wrong(answers(text))
        except Exception as error:
            bad = [f"{type(error).__name__}: {str(error)[:80]}"]
        took, most = time.process_time() - begun, resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
        bad += [f"{took:.0f} s"] * (took > SECONDS) + [f"{most:.0f} MB"] * (most > MEGABYTES)
        failed += bool(bad)
        print(f"{took:6.2f} s {most:5.0f} MB  {name}{''.join(f'; {line}' for line in bad)}", flush=True)
    print(f"{tried} texts on each machine, {failed} failures")
    return min(failed, 1)


if __name__ == "__main__":
    sys.exit(main())
