"""Timing: what judges a benchmark, on devices whose clock goes on only while they work."""

import numpy as np

from accelerator_course.exercises.cases import Wrong, case, shown
from accelerator_lib.codesign import bench
from accelerator_lib.units import si

CLOSE = 0.01
DEVICES = (  # seconds of a run, share that warm caches save, seconds to compile, seed
    (0.010, 0.40, 0.5, 1),
    (0.0008, 0.60, 2.0, 2),
    (0.120, 0.15, 0.3, 3),
    (0.003, 0.50, 30.0, 4),
    (0.025, 0.30, 0.1, 5),
)


def check_measured(function):
    for given in DEVICES:
        device = bench.Device(*given)
        want, where = bench.truth(device), f"a kernel of about {si(given[0], 's')}, compiled in {si(given[2], 's')}"

        def judge(got, want=want, where=where):
            if isinstance(got, bool) or not isinstance(got, (int, float, np.number)) or not np.isfinite(got):
                raise Wrong(f"For {where} your function returned {shown(got)}; seconds were expected.")
            if abs(got / want - 1) > CLOSE:
                raise Wrong(
                    f"For {where}: {si(float(got), 's', 4)}, but a run takes {si(want, 's', 4)}; "
                    f"within {CLOSE:.0%} passes."
                )

        yield case(where, f"about {si(want, 's')}", lambda device=device: function(device), judge)
    return "right for five devices, within 1 %: warmed up, waited for, caches emptied, and no unlucky run decides."
