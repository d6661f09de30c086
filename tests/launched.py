"""Kernels for tests: short ways to run them, and Python itself, thread by thread, as a second road."""

from pathlib import Path
from textwrap import indent

from hypothesis import strategies as st

from accelerator_lib import data, kernels

KERNELS = data.parse(Path(__file__).with_suffix(".yaml"))
SUM, TRANSPOSE, PRODUCT = (KERNELS[name] for name in ("SUM", "TRANSPOSE", "PRODUCT"))


def ran(source, blocks=1, threads=32, **arguments):
    """The Run of a kernel with arguments by name."""
    return kernels.run(source, arguments, blocks=blocks, threads=threads)


def fault(source, blocks=1, threads=32, **arguments):
    """The Fault of a kernel; None where it runs."""
    try:
        ran(source, blocks, threads, **arguments)
    except kernels.Fault as found:
        assert "\n" not in str(found) and len(str(found)) < 300
        return found
    return None


def alone(source, blocks, threads, **arguments):
    """What Python itself leaves in the arrays, one thread after the other: for kernels whose threads do not meet."""
    held = {name: each.tolist() if hasattr(each, "tolist") else each for name, each in arguments.items()}
    code = compile(source, "kernel", "exec")
    for block in range(blocks):
        for thread in range(threads):
            given = {"lane": thread % 32, "warp": thread // 32, "thread": thread, "block": block}
            exec(code, {}, {**held, **given, "block_size": threads, "grid_size": blocks})
    return held


LEAVES = st.sampled_from(
    ["i", "lane", "block", "n", "x", "y", "a[i]", "a[(i * 7 + 3) % n]", "a[n - 1 - i]", "5", "-3", "12"]
)


def _wider(inner):
    pair = st.tuples(inner, inner)
    return st.one_of(
        st.builds("({0[0]} {1} {0[1]})".format, pair, st.sampled_from(["+", "-", "&", "|", "^"])),
        st.builds("({0[0]} * {0[1]} % 101)".format, pair),
        st.builds("({0[0]} {1} (1 + abs({0[1]})))".format, pair, st.sampled_from(["//", "%"])),
        st.builds("({0} {1} {2})".format, inner, st.sampled_from(["//", "%"]), st.sampled_from(["3", "-4", "7"])),
        st.builds("({0} >> {1})".format, inner, st.integers(0, 5)),
        st.builds("{1}({0[0]}, {0[1]})".format, pair, st.sampled_from(["min", "max"])),
        st.builds("({0[0]} if {1} else {0[1]})".format, pair, st.builds("{0[0]} < {0[1]}".format, pair)),
        st.builds("(-{0})".format, inner),
    )


WHOLE = st.recursive(LEAVES, _wider, max_leaves=5)
CONDITION = st.one_of(
    st.builds("{0} {1} {2}".format, WHOLE, st.sampled_from(["<", "<=", ">", ">=", "==", "!="]), WHOLE),
    st.builds("{0} > 2 and {1} < 9".format, WHOLE, WHOLE),
    st.builds("not {0} > 2 or {1} < 9".format, WHOLE, WHOLE),
    st.builds("-2 <= {0} < 8".format, WHOLE),
)


def _lines(*parts):
    return "\n".join(parts)


def _inside(body):
    return indent(body, "    ")


def _nested(inner):
    more = st.builds(_lines, inner, inner)
    return st.one_of(
        more,
        st.builds("if {0}:\n{1}".format, CONDITION, more.map(_inside)),
        st.builds("if {0}:\n{1}\nelse:\n{2}".format, CONDITION, inner.map(_inside), inner.map(_inside)),
        st.builds("for k in range({0}):\n{1}".format, st.integers(0, 3), inner.map(_inside)),
        st.builds(
            "for k in range(lane % {0}, {1}, 2):\n{2}".format, st.integers(1, 4), st.integers(0, 5), inner.map(_inside)
        ),
        st.builds("w = lane % {0}\nwhile w > 0:\n    w -= 1\n{1}".format, st.integers(1, 4), inner.map(_inside)),
    )


SETS = st.builds("{0} {1} {2} % 1000".format, st.sampled_from("xy"), st.sampled_from(["=", "+=", "-="]), WHOLE)
STORES = st.builds("out[i] = {0}".format, WHOLE)
BODIES = st.recursive(st.one_of(SETS, STORES), _nested, max_leaves=4).filter(lambda text: text.count("for k") < 2)


@st.composite
def programs(draw):
    """A small kernel whose threads do not meet: loads anywhere, a store at the thread's own place, behind a guard."""
    head = "i = block * block_size + thread\nx = lane * 3\ny = 1\nif i < n:\n"
    return head + _inside(draw(BODIES)) + "\n    out[i] += x - y"
