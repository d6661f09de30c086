"""Prices: what an hour of one accelerator was offered for, by whom and when.

    offers("H100").span      dearest over cheapest

Dollars, Linux, without commitment and tax; a machine's price shared out over its accelerators. Facts: data/prices.yaml.
"""

from dataclasses import dataclass

from accelerator_lib import data
from accelerator_lib.checks.inputs import one_of
from accelerator_lib.checks.signature import Given, checked


@dataclass(frozen=True)
class Offer:
    """Dollars for an hour of one accelerator; a survey gives two ends."""

    who: str
    kind: str
    when: str
    low: float
    high: float
    basis: str


@dataclass(frozen=True)
class Offers:
    """All of one accelerator, the cheapest first."""

    accelerator: str
    rows: tuple

    @property
    def low(self):
        return min(row.low for row in self.rows)

    @property
    def high(self):
        return max(row.high for row in self.rows)

    @property
    def span(self):
        return self.high / self.low


def accelerators():
    """Names of all accelerators with a price, in the order of the table."""
    return tuple(dict.fromkeys(row["accelerator"] for row in data.load("prices")["hours"]))


@checked
def offers(accelerator: Given("an accelerator with a price", lambda name: one_of("accelerator", name, accelerators()))):
    """Offers of one accelerator. Raises UnknownName."""
    known, found = data.load("prices"), []
    for row in known["hours"]:
        if row["accelerator"] == accelerator:
            usd = row["usd_per_hour"]
            found.append(Offer(row["provider"], row["kind"], row["as_of"], usd, usd, row["basis"]))
    for row in known["ranges"]:
        if row["accelerator"] == accelerator:
            found.append(Offer(row["seller"], "survey", row["as_of"], row["low"], row["high"], row["basis"]))
    return Offers(accelerator, tuple(sorted(found, key=lambda row: (row.high, row.low))))
