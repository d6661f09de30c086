"""Session: one run through the plan; whatever ends it, what has been measured by then is kept.

The seconds are dealt out to the groups by weight; what one leaves goes to those after it. Each case is compiled, run
once to warm up, and repeated; each repeat is waited for; the median counts. Ignored: changing clocks, other programs.
"""

import time
from datetime import UTC, datetime

from accelerator_course import settings, syllabus
from accelerator_course.measure import device as devices
from accelerator_course.measure import plan
from accelerator_lib.checks.inputs import one_of, real
from accelerator_lib.machine import timing
from accelerator_lib.machine.progress import Progress


class Budget:
    """Seconds for groups by weight, in the order in which they are opened; `clock` gives the time [s]."""

    def __init__(self, seconds, weights, clock=time.monotonic):
        self.seconds, self.clock = real("seconds", seconds, 0.1, 3600, "s"), clock
        self.weights, self.begin = dict(weights), clock()
        self.end = self.begin

    # seconds of the whole session that are left, 0 at least
    left = property(lambda self: max(0.0, self.begin + self.seconds - self.clock()))

    def share(self, name):
        """Seconds that a group would get if it were opened now."""
        return self.left * self.weights[one_of("group", name, self.weights)] / sum(self.weights.values())

    def open(self, name):
        """Begin a group; returns its seconds."""
        share = self.share(name)
        self.end = self.clock() + share
        del self.weights[name]
        return share

    def allows(self, seconds):
        """Whether work of so many seconds would end before the group's time does."""
        return self.clock() + seconds <= self.end


def spread_out(count):
    """0 .. count - 1, ends first and then by halves: wherever one stops, what is done lies evenly."""
    order, seen = [], set()
    step = 1 << max(0, (count - 1).bit_length())
    while step:
        for place in [*range(0, count, step), count - 1][: count + 1]:
            if 0 <= place < count and place not in seen:
                seen.add(place)
                order.append(place)
        step //= 2
    return order


FORMAT, VERSION = "accelerator-course measurements", 1
SHORT = 4.0  # seconds of a brief session


class Session:
    """`seconds` of measuring (None: as suits the device); `clock` and `timer` are given in tests."""

    def __init__(self, seconds=None, clock=time.monotonic, timer=timing.run, device=None):
        facts = syllabus.load("measure")
        self.device = device or devices.described()
        self.platform, self.clock, self.timer = self.device["platform"], clock, timer
        usual = SHORT if settings.short() else facts["seconds"][self.platform]
        self.seconds = usual if seconds is None else real("seconds", seconds, 1, 3600, "s")
        several = self.device["count"] > 1
        self.weights = {group: w for group, w in facts["weights"].items() if group != "collectives" or several}
        self.measured, self.left_out, self.complete = [], 0, False
        self.date, self.took = datetime.now(UTC), 0.0

    def steps(self):
        """Yield Progress before the probe and before each case; the last one says done."""
        yield Progress(0.0, "first probe")
        pace = self.probe()
        budget = Budget(self.seconds, self.weights, self.clock)  # the first compilation of all is not counted
        for group in list(self.weights):
            seconds = budget.share(group)
            cases = plan.cases(group, self.platform, self.device["count"], pace, seconds)
            budget.open(group)
            ordered = [case for place in spread_out(len(cases)) for case in cases[place]]
            for case in ordered:
                if case is not ordered[0] and not budget.allows(pace.seconds(case)):  # the smallest has its turn always
                    self.left_out += 1
                    continue
                yield Progress(min(1.0, 1 - budget.left / self.seconds), f"{group}: {case.name}")
                pace = self.measure(case, pace)
                self.took = self.seconds - budget.left
        self.complete = True
        yield Progress(1.0, "done", self)

    def probe(self):
        """plan.Pace of this machine, from two small cases."""
        product, stream = plan.probe(self.platform)
        first, begin = self._time(product, 0.01), self.clock()
        second = self._time(stream, 0.01)
        return plan.Pace(product.flops / first.seconds, stream.bytes_moved / second.seconds, self.clock() - begin)

    def measure(self, case, pace):
        """Time a case and keep it; returns the pace with what was learnt: how long all around the runs takes."""
        begin = self.clock()
        try:
            found = self._time(case, plan.sizes(self.platform)["repeat_s"])
        except (RuntimeError, MemoryError, AttributeError):  # too little memory, or a JAX too old: the others count
            self.left_out += 1
            return pace
        self.measured.append((case, found))
        around = max(0.0, self.clock() - begin - plan.RUNS * found.seconds)
        rate = case.flops / found.seconds if case.group == "products" else 0
        return plan.Pace(max(pace.flops_per_s, rate), pace.bytes_per_s, (3 * pace.around_s + around) / 4)

    def _time(self, case, repeat_s):
        span_s = plan.sizes(self.platform)["span_s"] if case.queued else 0.0
        _, found = self.timer(*case.make(), in_place=case.in_place, budget_s=repeat_s, span_s=span_s)
        return found

    def content(self):
        """What goes into the file: data/measure.schema.yaml."""
        order = list(syllabus.load("measure")["weights"])
        cases = sorted(self.measured, key=lambda pair: (order.index(pair[0].group), pair[0].bytes_moved, pair[0].name))
        return {
            "format": FORMAT,
            "format_version": VERSION,
            "date": self.date.strftime("%Y-%m-%dT%H:%M:%SZ"),
            "complete": self.complete,
            "left_out": self.left_out,
            "seconds": round(max(self.took, 0.001), 3),
            "device": self.device,
            "versions": devices.versions(),
            "measurements": [_entry(case, found) for case, found in cases],
        }


def _entry(case, found):
    about = {name: getattr(case, name) for name in ("group", "name", "conditions", "flops", "bytes_moved")}
    return about | {name: getattr(found, name) for name in ("seconds", "low", "high", "repeats", "calls")}
