"""Lazy: a program that computes line by line (at once), and one that writes down what to compute until somebody asks.
Memory of its own: the accelerator must be sent a copy first. Shared memory, as on Apple's chips: no copy. Ignored: the
time to write a graph down, allocations, other programs that use the same memory.
"""

from dataclasses import dataclass, replace

from accelerator_lib import data, hardware
from accelerator_lib.checks.signature import Bytes, OneOf, Single, checked

MODES = ("at once", "on demand")
MEMORIES = ("of its own", "shared")
CHIP, LINK, LAUNCH = "m3-max", "pcie-5", 1e-5  # whose memory; the way of a copy; time of one launch [s], declared
PROGRAM = (  # (text, name, what it reads, whether its result is one number)
    ("y = 2 * x", "y", "x", False),
    ("z = exp(y)", "z", "y", False),
    ("w = z + 1", "w", "z", False),
    ("u = sqrt(z)", "u", "z", False),
    ("s = sum(w)", "s", "w", True),
    ("print(s)", "", "s", True),
)


@dataclass(frozen=True)
class Line:  # after a line: what has been computed, what is only noted, what lies in memory
    mode: str
    memory: str
    number: int  # lines done
    noted: tuple  # names that wait to be computed
    done: tuple  # names that have been computed
    never: tuple  # names that nobody will ask for, at the end
    live: dict  # name: bytes in memory
    peak: float  # most bytes at any time so far
    moved: float  # bytes read and written so far
    kernels: int
    seconds: float
    news: str

    def fate(self, name):
        """What has become of a name: computed, noted, never computed, or not yet."""
        if name in self.done:
            return "computed"
        return "noted" if name in self.noted else "never computed" if name in self.never else "not yet"

    held = property(lambda self: sum(self.live.values()))  # bytes in memory now


@checked
def run(mode: OneOf(MODES) = "at once", memory: OneOf(MEMORIES) = "shared", size: Single(Bytes) = 64e6):
    """Yield a Line at the start and after each line of the program, for an array x of `size` bytes."""
    size = float(size)
    copied = memory == "of its own"
    rate = next(link["bytes_per_s"] for link in data.load("memory_levels")["links"] if link["id"] == LINK)
    seconds = size / rate if copied else 0.0
    start = "x has been copied to the accelerator" if copied else "x lies where both can read it"
    state = Line(mode, memory, 0, (), (), (), {"x": size}, size, 0.0, 0, seconds, start)
    yield state
    for number, (_, name, _, one) in enumerate(PROGRAM, 1):
        state = replace(state, number=number)
        if name and mode == "on demand":
            state = replace(state, noted=(*state.noted, name), news=f"{name} is noted, and nothing is computed")
        elif name:
            news = f"a kernel computes {name} and writes it"
            state = _computed(state, size, name, 4.0 if one else size, done=(*state.done, name), news=news)
        elif mode == "at once":
            state = replace(state, news="s is there already")
        else:
            wanted, news = needs("s"), "one kernel computes what s needs, and no more"
            never = tuple(one for one in state.noted if one not in wanted)
            state = _computed(state, size, "s", 4.0, done=wanted, noted=(), never=never, news=news)
        yield state


def _computed(state, size, name, result, **more):
    live, moved = {**state.live, name: result}, size + result
    seconds = LAUNCH + moved / hardware.chip(CHIP).bytes_per_s
    more |= {"moved": state.moved + moved, "kernels": state.kernels + 1, "seconds": state.seconds + seconds}
    return replace(state, live=live, peak=max(state.peak, sum(live.values())), **more)


def needs(name):
    """Names that a result needs, itself the last."""
    reads = {made: read for _, made, read, _ in PROGRAM if made}
    found = []
    while name in reads:
        found.append(name)
        name = reads[name]
    return tuple(reversed(found))
