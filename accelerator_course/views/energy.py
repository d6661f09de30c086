"""Pictures of chapter 8: a number on its way to the multiplier, and what operations and memories cost."""

import numpy as np

from accelerator_course.views.kit import Chart, legend, rows, spots, ticks, words
from accelerator_course.views.stage import Stage, boxes, lines, texts
from accelerator_lib.units import number, percent

HEAD, PATH, METER, TALL = 66, 132, 196, 40  # heights of names, of the path and of the meter, of its bar
LIMITS = (4e-3, 1e3)  # of the energies [pJ]
LOOKS = {"operation": "compute", "device": "memory tint", "whole path": "memory"}


def beside(runs, here):
    """Of the runs of a job (energy.sweeps), the one nearest to a clock or cap, in words; nothing of None."""
    if runs is None:
        return ""
    at, time, joules = (values[abs(runs[0] - here).argmin()] for values in runs)
    return f" Measured at {percent(at)}: {number(time)} times the time and {number(joules)} times the energy at 100 %."


class Journey(Stage):
    """From memory to the multiplier: path and meter are drawn in picojoules, from the multiplier on the right.

    >>> view, run = Journey(), list(energy.journey.travel())
    >>> view.show(run[0]), view.show(run[-1])
    """

    size, noun = (760, 330), "station"

    def marks(self, trip):  # energy.journey.Trip
        names, prices = list(trip.prices), np.array(list(trip.prices.values()))
        chart = Chart((56, 700), (METER + TALL, METER), (prices.max(), 0), (0, 1))
        (left, right), x = chart.across, chart.x(prices)
        here, start = x[names.index(trip.at)], x[names.index(trip.start)]
        away = [f"{number(price)} pJ" if price else "× and +" for price in prices]
        roles = ["memory bold" if price <= trip.fetch_pj else "muted bold" for price in prices[:-1]]
        paid = f"{number(trip.paid_pj)} pJ for moving" if trip.paid_pj else "nothing paid yet"
        shift, head = np.array([24, 0, -22, 8]), "the path of one weight, 16 bits, to its multiply-add (A100)"
        yield words("head", (16, 20, head, "ink bold start", 15), (left, METER - 12, "meter", "ink bold start"))
        yield lines("posts", names, x, HEAD + 34, x, PATH, "muted", 1.5)
        yield texts("stations", names, x + shift, HEAD, names, [*roles, "compute bold"], 15, names, away)
        yield texts("prices", names, x + shift, HEAD + 20, away, "ink", 12)
        yield lines("path", [0], left, PATH, right, PATH, "muted", 5)
        yield lines("passed", [0], start, PATH, here, PATH, "memory", 5)
        yield spots("number", [0], here, PATH, 26, "memory round", "w", 13, "the weight", paid)
        yield from chart.axes(ticks(0, prices.max(), most=5), (), "energy to the multiplier, pJ")
        yield boxes("room", [0], left, METER, right - left, TALL, "muted line dashed faint")
        yield boxes("paid", [0], start, METER, here - start, TALL, "memory tint", who="moving", says=paid)
        if not trip.multiplied:
            return
        thin, price = right - float(chart.x(trip.mac_pj)), f"{number(trip.mac_pj)} pJ"
        share, y = f"{percent(trip.arithmetic_share)} of all", METER + TALL + 62
        yield boxes("arithmetic", [0], here, METER, thin, TALL, "compute", who="the multiply-add", says=price)
        yield words("price", (here + 8, y, f"multiply-add: {price}", "compute bold end"))
        yield words("share", (here + 8, y + 20, share, "compute end"))

    def say(self, trip):
        if trip.multiplied:
            mac, share = number(trip.mac_pj), percent(trip.arithmetic_share)
            said = f"The path from {trip.start} took {number(trip.fetch_pj)} pJ, the multiply-add {mac} pJ: "
            return said + f"{share} of the energy is arithmetic (estimate)."
        if trip.at == trip.start:
            return f"The weight is in {trip.start}. The length of its path shows the energy it takes."
        there = "the multiplier" if trip.at == "multiplier" else trip.at
        return f"The weight has reached {there}: {number(trip.paid_pj)} pJ so far."


class Energies(Stage):
    """Operations, devices and whole paths on one logarithmic axis; small bars show 45 nm.

    >>> view = Energies()
    >>> view.show((energy.table.ladder(), "int8 add")), view.show((energy.table.ladder(), "hbm2_low"))
    """

    size = (760, 450)

    def marks(self, result):  # ({name: energy.table.Rung}, chosen name)
        (rungs, chosen), names, every = result, list(result[0]), list(result[0].values())
        y = rows(78, 25, len(names)) + 8 * np.array([list(LOOKS).index(rung.kind) for rung in every])
        chart = Chart((342, 736), (float(y[-1]) + 18, 60), LIMITS, (0, 1), log="x")
        left, self.size = chart.across[0], (760, round(chart.up[0]) + 52)
        older = [name for name in names if rungs[name].before]
        x, at = chart.x([rungs[name].before for name in older]), np.array([y[names.index(name)] for name in older])
        bold, pj = ["bold " * (name == chosen) for name in names], [rung.pj for rung in every]
        labels, said = [rung.label for rung in every], [f"{number(one)} pJ" for one in pj]
        roles = [f"{LOOKS[rung.kind]}{' round' * (rung.kind != 'operation')}" for rung in every]
        sides = np.array([18 if one else 12 for one in bold])
        yield from legend("kinds", 16, 18, [(look, name) for name, look in LOOKS.items()])
        yield lines("key 45", [0], 392, 11, 392, 25, "muted", 3)
        yield words("key 45 words", (402, 18, "the same at 45 nm"))
        yield from chart.axes(ticks(*LIMITS, log=True), (), "pJ for an operation, or for 16 bits (logarithmic axis)")
        yield spots("rungs", names, chart.x(pj), y, sides, roles, who=labels, says=said)
        yield lines("at 45", older, x, at - 11, x, at + 11, "muted", 3, [rungs[one].label for one in older], "at 45 nm")
        yield texts("names", names, left - 98, y, labels, [f"ink {one}end" for one in bold])
        yield texts("prices", names, left - 10, y, said, [f"ink {one}end" for one in bold])

    def say(self, result):
        rung = result[0][result[1]]
        times = "as much as now" if rung.shrink == 1 else f"{number(rung.shrink or 1)} times as much"
        older = f" At 45 nm it took {times}." if rung.shrink else ""
        if rung.kind == "operation":
            return f"{rung.label}: {number(rung.pj)} pJ (estimate).{older}"
        said = f"16 bits from {rung.label}: {number(rung.pj)} pJ, as much as "
        return said + f"{number(rung.multiplies)} fp16 multiplies (estimate).{older}"
