"""Constants that were fitted: a few for each kind of measurement, kept in data/calibration.yaml with their spread.

share("read_share", "hopper")  ->  read_share.hopper where such rows were fitted, else read_share
"""

from functools import cache
from types import MappingProxyType

from accelerator_lib import data
from accelerator_lib.inputs import NotAvailable


class Constants:
    """The constants of one kind by name; one of a family, where it has its own."""

    def __init__(self, values):
        self.values = MappingProxyType(dict(values))

    def __call__(self, name, family=None):
        own = self.values.get(f"{name}.{family}")
        return self.values[name] if own is None else own


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
    """(Constants, low, high) of a kind: 80 % of measurements lie between low and high times the prediction."""
    entry = data.load("calibration").get(kind)
    if entry is None:
        raise NotAvailable(f"the models of {kind} are not calibrated yet: run  make calibrate")
    return Constants(entry["constants"]), entry["low"], entry["high"]
