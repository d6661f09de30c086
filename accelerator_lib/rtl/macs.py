"""Macs: multiply-accumulate units of each number format, from wires.

int8            int32 sum, which wraps
bf16 e4m3 e5m2  fp32 sum: the exact product is added, rounded once to the nearest, in a tie to the even one
mxfp4           a block of 32 E2M1 pairs with a scale for each side: the exact dot product is added to an fp32 sum
tree            32 E4M3 products and a sum, each cut to 14 bits beside the largest (numerics.tensor_core.added)

Subnormal numbers, infinities and NaN are those of the formats; the tree knows no NaN, as its model does not.
"""

from functools import cache

from accelerator_lib.numerics.formats import FORMATS
from accelerator_lib.rtl import netlist

LANES, TREE_BITS, BIAS = 32, 13, 127  # of a block and of the tree; fraction bits of its sum; of fp32
ROOM = 256  # added to exponents that may be below zero
UNITS = {"int8": 1, "bf16": 1, "e4m3": 1, "e5m2": 1, "mxfp4": LANES, "tree": LANES}  # multiply-adds a cycle


def signed_product(a, b):
    """Product of two numbers in two's complement: that of their bits, less what their signs count too much."""
    import pyrtl

    width, both = len(a), a * b
    more = (a & b[-1].sign_extended(width)) + (b & a[-1].sign_extended(width))
    return pyrtl.concat((both[width:] - more)[:width], both[:width])


def _decoded(code, format):
    """(sign, exponent, significand, infinite, NaN) of a code; the exponent is at least 1."""
    import pyrtl

    fraction, field = code[: format.mantissa_bits], code[format.mantissa_bits : -1]
    normal, top = pyrtl.or_all_bits(field), pyrtl.and_all_bits(field)
    nothing = pyrtl.Const(0, 1)
    infinite, nan = nothing, nothing
    if format.flavor == "ieee":
        infinite, nan = top & ~pyrtl.or_all_bits(fraction), top & pyrtl.or_all_bits(fraction)
    elif format.flavor == "fn":
        nan = top & pyrtl.and_all_bits(fraction)
    return code[-1], pyrtl.concat(field[1:], field[0] | ~normal), pyrtl.concat(normal, fraction), infinite, nan


def _zeros(wires):
    """How many zeros lead."""
    import pyrtl

    count = []
    for step in reversed(range((len(wires) - 1).bit_length())):
        wires = wires if len(wires) > 1 << step else pyrtl.concat(wires, pyrtl.Const(0, (1 << step) + 1 - len(wires)))
        empty = ~pyrtl.or_all_bits(wires[-(1 << step) :])
        count.append(empty)
        rest = wires[: -(1 << step)]
        size = max(len(rest), 1 << step)
        rest = rest if len(rest) == size else pyrtl.concat(rest, pyrtl.Const(0, size - len(rest)))
        wires = pyrtl.select(empty, rest, wires[-size:])
    return pyrtl.concat(*count)


def _normal(wires):
    """(wires without their leading zeros, how many there were)."""
    import pyrtl

    zeros = _zeros(wires)
    return pyrtl.shift_left_logical(wires, zeros), zeros


def _right(wires, by, sticky=True):
    """Shifted right by so many places; with a last bit that says whether ones were lost."""
    import pyrtl

    lost = pyrtl.Const(0, 1)
    for bit in range(len(by)):
        places = min(1 << bit, len(wires))
        out, rest = pyrtl.or_all_bits(wires[:places]), pyrtl.Const(0, places)
        lost = lost | by[bit] & out
        kept = rest if places == len(wires) else pyrtl.concat(rest, wires[places:])
        wires = pyrtl.select(by[bit], kept, wires)
    return pyrtl.concat(wires, lost) if sticky else wires


def _less(a, b, width):
    """a - b in two's complement of so many bits; the numbers may be Python's."""
    import pyrtl

    sized = (pyrtl.as_wires(one if hasattr(one, "name") else one % 2**width, width) for one in (a, b))
    a, b = (one.zero_extended(max(width, len(one)))[:width] for one in sized)
    return (a - b)[:width]


def _product(a, b, format, room):
    """(sign, exponent, significand, infinite, NaN) of an exact product, its leading bit set; the exponent is fp32's."""
    import pyrtl

    (sign, low, left, *odd), (other, high, right, *also) = (_decoded(code, format) for code in (a, b))
    significand, zeros = _normal(left * right)
    width = (ROOM * 4 if room else ROOM).bit_length() - 1
    raised = (low + high).zero_extended(width) + pyrtl.Const((BIAS + 1 - 2 * format.bias + room) % 2**width, width)
    exponent = _less(raised[:width], zeros, width) & significand[-1].sign_extended(width)
    infinite = odd[0] | also[0]
    nan = odd[1] | also[1] | infinite & ~(pyrtl.or_all_bits(left) & pyrtl.or_all_bits(right))
    return sign ^ other, exponent, significand, infinite, nan


def _added(total, term, room):
    """fp32 `total` and a normal term (sign, exponent + room, significand, infinite, NaN), rounded once."""
    import pyrtl

    const, concat, select = pyrtl.Const, pyrtl.concat, pyrtl.select
    sign, field, mine, endless, odd = _decoded(total, FORMATS["fp32"])
    theirs, exponent, significand, infinite, nan = term
    width = len(exponent)
    key = concat((field.zero_extended(width) + const(room, width))[:width] if room else field, mine)
    if len(significand) < 24:
        significand = concat(significand, const(0, 24 - len(significand)))
    other = concat(exponent, significand)
    swap = other > key
    large, small = select(swap, other, key), select(swap, key, other)
    small = _right(concat(small[:24], const(0, 2)), _less(large[24:], small[24:], width))
    apart, large_sign = sign ^ theirs, select(swap, theirs, sign)
    wide = concat(large[:24], const(0, 3))
    left = (wide - small)[:28]
    if room:  # a term below 2^-126 may be larger than a sum that is smaller still, though its exponent is not
        large_sign, left = large_sign ^ (apart & left[-1]), _sized(left)[1]
    both = select(apart, concat(const(0, 1), left[:27]), wide + small)
    top = _less(large[24:], room, width)  # fp32's exponent of the larger one: 1 at least
    zeros = _zeros(both).zero_extended(width)
    by = select(zeros < top, zeros, top)
    both = pyrtl.shift_left_logical(both, by[:5])
    field = _less(top + const(1, width), by, width) & both[-1].sign_extended(width)
    up = both[3] & (both[4] | pyrtl.or_all_bits(both[:3]))
    packed = concat(field, both[4:27]) + up
    beyond = (packed[23:] >= const(255, width + 1)) | infinite | endless
    sign = select(infinite, theirs, select(endless, sign, large_sign & ~(apart & ~pyrtl.or_all_bits(both))))
    wrong = nan | odd | infinite & endless & apart
    return concat(sign, select(wrong, const(0x7FC00000, 31), select(beyond, const(0x7F800000, 31), packed[:31])))


def _summed(terms):
    """The sum of signed numbers, in a tree; each level is a bit wider."""
    while len(terms) > 1:
        pairs = zip(terms[::2], terms[1::2], strict=len(terms) % 2 == 0)
        wider = len(terms[0]) + 1
        left = [terms[-1].sign_extended(wider)] if len(terms) % 2 else []
        terms = [(a.sign_extended(wider) + b.sign_extended(wider))[:wider] for a, b in pairs] + left
    return terms[0]


def _signed(sign, size):
    """Two's complement of a sign and a size, one bit wider."""
    flip = sign.sign_extended(len(size) + 1)
    return ((size.zero_extended(len(size) + 1) ^ flip) + sign)[: len(size) + 1]


def _sized(number):
    """(sign, size) of a number in two's complement whose lowest value does not occur."""
    return number[-1], ((number ^ number[-1].sign_extended(len(number))) + number[-1])[: len(number) - 1]


def _block(total, left, right, scale, other):
    """A block of E2M1 products, in quarters, and its two powers of two."""
    import pyrtl

    def halves(code):  # 0 1 2 3 4 6 8 12
        _, exponent, significand, *_ = _decoded(code, FORMATS["e2m1"])
        return pyrtl.shift_left_logical(significand.zero_extended(4), _less(exponent, 1, 2))

    terms = [_signed(a[-1] ^ b[-1], halves(a) * halves(b)) for a, b in zip(left, right, strict=True)]
    sign, size = _sized(_summed(terms))
    size, zeros = _normal(size)
    raised = (scale + other).zero_extended(10) + pyrtl.Const((len(size) - 3 - BIAS + ROOM) % 2**10, 10)
    exponent = _less(raised[:10], zeros, 10) & size[-1].sign_extended(10)
    nan = (scale == 255) | (other == 255)
    return _added(total, (sign, exponent, size, pyrtl.Const(0, 1), nan), ROOM)


def _tree(total, left, right):
    """Aligned to the largest, cut, added as whole numbers, cut again; `total` is sign, 8 and 13 bits."""
    import pyrtl

    terms = [_product(a, b, FORMATS["e4m3"], 0)[:3] for a, b in zip(left, right, strict=True)]
    field = total[TREE_BITS:-1]
    terms.append((total[-1], field, pyrtl.concat(pyrtl.or_all_bits(field), total[:TREE_BITS])))
    largest = [exponent for _, exponent, _ in terms]
    while len(largest) > 1:
        pairs = zip(largest[::2], largest[1::2], strict=len(largest) % 2 == 0)
        largest = [pyrtl.select(a > b, a, b) for a, b in pairs] + largest[len(largest) // 2 * 2 :]
    cut, (top,) = [], largest
    for sign, exponent, significand in terms:
        low = TREE_BITS + 1 - len(significand)
        window = pyrtl.concat(significand, pyrtl.Const(0, low)) if low else significand
        cut.append(_signed(sign, _right(window, _less(top, exponent, 8), sticky=False)))
    sign, size = _sized(_summed(cut))
    size, zeros = _normal(size)
    there = size[-1].sign_extended(8)
    exponent = _less(top + pyrtl.Const(len(size) - TREE_BITS - 1, 8), zeros, 8)
    return pyrtl.concat(sign & size[-1], exponent & there, size[-TREE_BITS - 1 : -1])


@cache
def design(kind):
    """The PyRTL block of a unit: inputs a0, b0 ... (and scales a, b), register `sum`, which takes the new sum."""
    import pyrtl

    block, lanes = pyrtl.Block(), range(UNITS[kind])
    size = {"mxfp4": 4, "bf16": 16}.get(kind, 8)
    with pyrtl.set_working_block(block, no_sanity_check=True):
        left, right = ([pyrtl.Input(size, f"{side}{lane}") for lane in lanes] for side in "ab")
        total = pyrtl.Register(9 + TREE_BITS if kind == "tree" else 32, "sum")
        if kind == "int8":
            total.next <<= (total + signed_product(left[0], right[0]).sign_extended(32))[:32]
        elif kind == "tree":
            total.next <<= _tree(total, left, right)
        elif kind == "mxfp4":
            total.next <<= _block(total, left, right, pyrtl.Input(8, "a"), pyrtl.Input(8, "b"))
        else:
            room = ROOM if kind == "bf16" else 0
            total.next <<= _added(total, _product(left[0], right[0], FORMATS[kind], room), room)
        out = pyrtl.Output(len(total), "out")
        out <<= total
    return block


gates = cache(lambda kind: netlist.gates(design(kind)))


def counted(kind):
    """netlist.Sheet of a unit, for one multiply-add; the longest path is the whole unit's."""
    return netlist.sheet(gates(kind)).of(UNITS[kind])
