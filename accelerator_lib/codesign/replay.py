"""Replay: the kernels of a tuner where JAX is not installed: seconds of compiling and running that were recorded.

    kernel("attention")     a Kernel like those of kernels.py, whose own clock goes on by what was recorded

Every choice was compiled, checked and run so many times; a replayed run takes the next of its times, and after the last
the first again. No second passes here: only the clock of the Kernel moves.
"""

from functools import cache
from itertools import cycle

from accelerator_lib.checks.signature import OneOf, checked
from accelerator_lib.codesign import kernels
from accelerator_lib.recorded import or_recorded

RUNS = 10  # recorded of each choice
SLICE = 0.1  # seconds of compiling, after which whoever waits may listen


class Clock:
    """Seconds that go on when they are told to."""

    def __init__(self):
        self.seconds = 0.0

    def __call__(self):
        return self.seconds

    def wait(self, seconds):
        """So much later; True, as a check of a result says."""
        self.seconds += seconds
        return True


@or_recorded
def times(name):
    """{choice: (seconds of compiling, seconds of its runs, whether its result was NumPy's)} of the large kernel."""
    kernel, found = kernels.large(name), {}
    for choice in kernel.configurations:
        building = kernel.build(choice)
        while True:
            try:
                next(building)
            except StopIteration as end:
                built = end.value
                break
        right = built.right()
        runs = tuple(float(f"{kernels.timed(built.run):.4g}") for _ in range(RUNS))
        found[choice] = (float(f"{built.compile_seconds:.4g}"), runs, right)
    return found


@checked
def kernel(name: OneOf(kernels.NAMES)):
    """The Kernel of a name, played from its record. Raises NotAvailable where there is none."""
    recorded = times(name)  # says where it was measured
    return _kernel(name, tuple((choice, *rest) for choice, rest in recorded.items()))


@cache
def _kernel(name, recorded):
    clock, real = Clock(), kernels.large(name)
    built = {
        choice: kernels.Built(
            compiling, _player(clock, runs), lambda first=runs[0], right=right: clock.wait(first) and right
        )
        for choice, compiling, runs, right in recorded
    }

    def build(choice):
        left = built[choice].compile_seconds
        while left > 0:
            clock.wait(min(left, SLICE))
            left -= SLICE
            yield
        return built[choice]

    return kernels.Kernel(name, real.words, real.rows, real.cols, build, clock=clock)


def _player(clock, runs):
    following = cycle(runs)
    return lambda: clock.wait(next(following))
