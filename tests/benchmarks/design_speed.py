"""Designs a second: one by one, in NumPy, compiled, and dealt out to simulated devices; efficiency for each core.

.venv/bin/python tests/benchmarks/design_speed.py

Efficiency: designs for each second of all cores together, on eight simulated devices, as a share of those on one.
"""

import time

from accelerator_lib import design
from accelerator_lib.design import explore, grid
from accelerator_lib.network import devices

SLICES = 48


def measured(given):
    """[(devices, designs a second, designs for each second of the processor)], once compiled."""
    import time

    from accelerator_lib.design import explore

    counts, slices = given
    found = []
    for count in counts:
        explore.search(slices, count)
        begin = time.process_time()
        runs = [explore.search(slices, count) for _ in range(3)]
        spent = time.process_time() - begin
        found.append((count, max(run.per_s for run in runs), sum(run.designs for run in runs) / spent))
    return found


def main():
    begin = time.perf_counter()
    for clock in range(200):
        design.score(design.Design(128, 20, 128, 6, 1e9 + 1e6 * clock, 300e9))
    print(f"one by one          {200 / (time.perf_counter() - begin):12,.0f} designs/s")
    begin = time.perf_counter()
    size = explore.grid().size
    print(f"NumPy, open grid    {size / (time.perf_counter() - begin):12,.0f} designs/s")
    assert size == grid.grid().size
    alone = None
    for count, rate, share in devices.run(measured, ((1, 2, 4, 8), SLICES), devices=8):
        alone = alone or share
        print(f"compiled, {count} devices {rate:12,.0f} designs/s; efficiency for each core {share / alone:.2f}")


if __name__ == "__main__":
    main()
