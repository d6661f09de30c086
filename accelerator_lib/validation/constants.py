"""Constants that were fitted: a few for each kind of measurement, kept in data/calibration.yaml with their spread."""

from functools import cache
from types import MappingProxyType

from accelerator_lib import data
from accelerator_lib.checks.inputs import NotAvailable


class Constants:
    """The constants of one kind by name; one of a family, where it has its own."""

    def __init__(self, values):
        self.values = MappingProxyType(dict(values))

    def __call__(self, name, family=None):
        return self.values[self.name((name, family))]

    def name(self, key):
        """Of (constant, family): the name of the value that answers."""
        own = f"{key[0]}.{key[1]}"
        return own if own in self.values else key[0]


class Listening(Constants):
    """Constants that remember which of them were asked for, and what they answered."""

    def __init__(self, values):
        super().__init__(values)
        self.asked = {}

    def __call__(self, name, family=None):
        answer = self.asked[name, family] = super().__call__(name, family)
        return answer


@cache
def of(kind):
    """(Constants, low, high) of a kind: 80 % of measured speeds lie between low and high times those foretold."""
    entry = data.load("calibration").get(kind)
    if entry is None:
        raise NotAvailable(f"the models of {kind} are not calibrated yet: run  make calibrate")
    return Constants(entry["constants"]), entry["low"], entry["high"]
