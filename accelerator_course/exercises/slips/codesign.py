"""Slips of the exercises of chapter 12."""

from accelerator_course.exercises.codesign import measured, words
from accelerator_course.exercises.slips import changed

not_warmed_up = changed(measured, "range(100)", "range(0)", "range(201)", "range(100)", "[100]", "[50]")
takes_the_mean = changed(measured, "sorted(seconds)[100]", "sum(seconds) / len(seconds)")
takes_the_fastest = changed(measured, "sorted(seconds)[100]", "min(seconds)")
warm_caches = changed(measured, "device.flush()", "pass")
empties_on_the_clock = changed(
    measured, "device.flush()\n        begin = device.clock()", "begin = device.clock()\n        device.flush()"
)
KEPT = "seconds.append(device.clock() - begin)"
not_waited_for = changed(measured, f"device.wait()\n        {KEPT}", f"{KEPT}\n        device.wait()")


def all_at_once(device):
    measured(device)
    begin = device.clock()
    for _ in range(100):
        device.launch()
    device.wait()
    return (device.clock() - begin) / 100


TURNS = "for _, trips in outer[: moving[-1] + 1]) if moving else 1"
comes_at_every_step = changed(words, TURNS, "for _, trips in outer)")
its_own_loops_only = changed(words, TURNS, "for name, trips in outer if name in touched)")
one_tile_of_each = changed(words, "2 * tile", "tile")
a_single_trip_moves_it = changed(words, "trips > 1", "trips > 0")
windows_without_overlap = changed(words, "sum(prod(", "prod(prod(", " - len(parts) + 1", "")
