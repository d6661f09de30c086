"""A number on its path, whose length is energy, and the meter under it."""

import numpy as np

from accelerator_course.views.kit import Chart, below, spots, ticks, words
from accelerator_course.views.stage import Stage, boxes, lines, texts
from accelerator_lib.units import number, percent

HEAD, PATH, METER, TALL = 66, 132, 196, 40  # heights of names, of the path and of the meter, of its bar
LEFT, RIGHT = 56, 700


class Journey(Stage):
    """From memory to the multiplier: the path is drawn in picojoules, so the meter fills right below the number.

    >>> view, run = Journey(), list(energy.journey.travel())
    >>> view.show(run[0])
    >>> view.show(run[1])
    >>> view.show(run[-1])
    >>> view.show(list(energy.journey.travel("L1"))[-1])
    """

    size, noun = (760, 330), "station"

    def marks(self, trip):
        """`trip`: energy.journey.Trip."""
        far = max(trip.prices.values())
        chart = Chart((LEFT, RIGHT), (METER + TALL, METER), (0, far), (0, 1))
        at = {name: float(chart.x(far - price)) for name, price in trip.prices.items()}
        here, start = at[trip.at], at[trip.start]
        paid = f"{number(trip.paid_pj)} pJ for moving" if trip.paid_pj else "nothing paid yet"
        low = ticks(0, far, most=5)
        return [
            words(
                "head", (16, 20, "the path of one weight, 16 bits, to its multiply-add (A100)", "ink bold start", 15)
            ),
            *self._stations(trip, at),
            lines("path", [0], LEFT, PATH, RIGHT, PATH, "muted", 5),
            lines("passed", [0], start, PATH, here, PATH, "memory", 5),
            spots("number", [0], here, PATH, 26, "memory round", "w", 13, "the weight", paid),
            *chart.axes(low, (), "energy, pJ"),
            words("meter head", (LEFT, METER - 12, "meter", "ink bold start")),
            boxes("room", [0], LEFT, METER, RIGHT - LEFT, TALL, "muted line dashed faint"),
            boxes("paid", [0], start, METER, here - start, TALL, "memory tint", "", 13, "moving", paid),
            *self._arithmetic(trip, chart, here),
        ]

    def _stations(self, trip, at):
        names = list(at)
        x, passed = np.array([at[name] for name in names]), trip.prices[trip.start]
        prices = [f"{number(price)} pJ away" if price else "× and +" for price in trip.prices.values()]
        roles = ["memory bold" if trip.prices[name] <= passed else "muted bold" for name in names[:-1]]
        shift = np.array([24, 0, -22, 8])
        return [
            lines("posts", names, x, HEAD + 34, x, PATH, "muted", 1.5),
            texts("stations", names, x + shift, HEAD, names, [*roles, "compute bold"], 15, names, prices),
            texts("prices", names, x + shift, HEAD + 20, prices, "ink", 12),
        ]

    def _arithmetic(self, trip, chart, here):
        if not trip.multiplied:
            return []
        thin = float(chart.x(trip.mac_pj) - chart.x(0))
        share, price = percent(trip.arithmetic_share), f"{number(trip.mac_pj)} pJ"
        said = [f"multiply-add: {price}", f"{share} of all"]
        return [
            boxes("arithmetic", [0], here, METER, thin, TALL, "compute", "", 13, "the multiply-add", price),
            below("share", here + 8, METER + TALL + 40, [(said[0], "compute bold end"), (said[1], "compute end")], 20),
        ]

    def say(self, trip):
        if trip.multiplied:
            return (
                f"The path from {trip.start} took {number(trip.fetch_pj)} pJ, the multiply-add {number(trip.mac_pj)} "
                f"pJ: {percent(trip.arithmetic_share)} of the energy is arithmetic (estimate)."
            )
        if trip.at == trip.start:
            return f"The weight is in {trip.start}. Its path is as long as the energy it takes."
        return (
            f"The weight has reached {'the ' * (trip.at == 'multiplier')}{trip.at}: {number(trip.paid_pj)} pJ so far."
        )
