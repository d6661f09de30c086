"""Auditing: what judges an audit of printed figures: made-up ones, each with one thing in it, and twelve in print."""

from accelerator_course.exercises.cases import Wrong, case, shown
from accelerator_lib.design import forensics

PASS = 11  # of the twelve figures in print
TOPS = (4096, 1, 1e9, None, "int8")  # 8.192e12 operations a second: units, MACs of one, clock, rate, format
BLIND = (1000, 1, None, None, "int8")  # 2,000 operations a cycle, and no clock
LINK = (1, None, None, 100e9, None)


def row_of(claim):
    """A figure in print as the task gives it."""
    parts = [
        (part.units, part.macs, part.clock_hz, None if part.each is None else part.rate, part.dtype)
        for part in claim.parts
    ]
    chips = [part.of or claim.name for part in claim.parts] + ([claim.watts_of or claim.name] if claim.watts else [])
    return row(claim.value, parts, claim.quantity, claim.dtype, claim.reported_hz, claim.watts, chips)


def row(value, parts, quantity="peak", dtype="int8", reported_hz=None, watts=None, chips=("one",)):
    """A figure as a dict; a part is (units, macs, clock_hz, rate, dtype)."""
    names = ("units", "macs", "clock_hz", "rate", "dtype")
    return {
        "quantity": quantity,
        "value": value,
        "dtype": dtype,
        "parts": [dict(zip(names, part, strict=True)) for part in parts],
        "reported_hz": reported_hz,
        "watts": watts,
        "chips": list(chips),
    }


def drills():
    """Yield (what is made up, row, tests that it fails)."""
    yield "8.2 TOPS from 4,096 units at 1 GHz", row(8.2e12, [TOPS]), ()
    yield "16.4 TOPS from 4,096 units at 1 GHz", row(16.4e12, [TOPS]), ("sparse",)
    link = {"quantity": "link", "dtype": None}
    yield "200 GB/s of a link that sends 100", row(200e9, [LINK], **link), ("two-way",)
    yield "100 GB/s of a link that sends 100", row(100e9, [LINK], **link), ()
    yield "8.2 TFLOP/s in FP8 from INT8 units", row(8.2e12, [TOPS], dtype="fp8"), ("format",)
    two = [TOPS, (1, None, None, 1e12, "fp16")]
    yield "9.2 TOPS in INT8, 1 of them from FP16 units", row(9.2e12, two), ("format", "mixed")
    yield "8 TOPS from 1,000 units, clock not told", row(8e12, [BLIND]), ("impossible",)
    yield "4 TOPS from 1,000 units, clock not told", row(4e12, [BLIND]), ()
    yield "40 TOPS from 1,000 units of 8, clock not told", row(40e12, [(1000, 8, None, None, "int8")]), ()
    yield "8.2 TOPS at 1 GHz, 0.98 GHz reported", row(8.2e12, [TOPS], reported_hz=0.98e9), ()
    yield "8.2 TOPS at 1 GHz, 0.9 GHz reported", row(8.2e12, [TOPS], reported_hz=0.9e9), ("mixed",)
    for value, chips, verdict, whose in (
        (4.1e12, ("one", "one"), (), "its own"),
        (4.1e12, ("one", "other"), ("mixed",), "another chip’s"),
        (8.2e12, ("one", "one"), ("sparse",), "its own"),
    ):
        where = f"{value / 1e12:g} TOPS/W over {whose} 2 W"
        yield where, row(value, [TOPS], "per watt", watts=2.0, chips=chips), verdict


def check_audit(function):
    for where, given, verdict in drills():
        yield _figure(function, where, given, verdict)
    claims = list(forensics.claims().values())
    right = sum(_right(function, claim) for claim in claims)
    for claim in claims:
        yield _figure(function, f"{claim.name}, {claim.said}", row_of(claim), claim.verdict, right >= PASS)
    return (
        f"right for {right} of the twelve figures in print; {PASS} are enough, for one can argue about the mixed ones."
    )


def _figure(function, where, given, verdict, passed=False):
    def judge(got):
        named = _named(got, where)
        if named != set(verdict) and not passed:
            raise Wrong(f"For {where} you found: {_words(named)}. Expected: {_words(verdict)}.")

    copied = {**given, "parts": [dict(part) for part in given["parts"]], "chips": list(given["chips"])}
    return case(where, _words(verdict), lambda: _ordered(function(copied)), judge, _said)


def _ordered(got):
    """Words in an order, so that two answers can be compared."""
    return tuple(sorted(got, key=str)) if isinstance(got, (set, frozenset, list, tuple)) else got


def _right(function, claim):
    try:
        return _named(function(row_of(claim)), claim.name) == set(claim.verdict)
    except Exception:  # counted as not right; its case says why
        return False


def _words(given):
    return ", ".join(test for test in forensics.TESTS if test in given) or "fine"


def _said(got):
    """An answer in words, whatever it is."""
    known = isinstance(got, (list, tuple)) and all(one in forensics.TESTS for one in got)
    return _words(got) if known else shown(got)


def _named(got, where):
    """The tests that an answer names."""
    if not isinstance(got, (set, frozenset, list, tuple)) or any(not isinstance(one, str) for one in got):
        raise Wrong(
            f"For {where} return a set of words out of {', '.join(forensics.TESTS)}; you returned {shown(got)}."
        )
    unknown = sorted(set(got) - set(forensics.TESTS))
    if unknown:
        raise Wrong(f"For {where} you named {unknown[0]!r}; the tests are {', '.join(forensics.TESTS)}.")
    return set(got)
