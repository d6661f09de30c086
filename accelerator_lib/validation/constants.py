"""Constants that were fitted: a few for each kind of measurement, kept in data/calibration.yaml with their spread.

share("read_share", "hopper")  ->  read_share.hopper where such rows were fitted, else read_share
"""

from types import MappingProxyType

from accelerator_lib import data


class Constants:
    """The constants of one kind by name; one of a family, where it has its own."""

    def __init__(self, values):
        self.values = MappingProxyType(dict(values))

    def __call__(self, name, family=None):
        return self.values.get(f"{name}.{family}", self.values[name])


def of(kind):
    """(Constants, low, high) of a kind: 80 % of measurements lie between low and high times the prediction."""
    entry = data.load("calibration")[kind]
    return Constants(entry["constants"]), entry["low"], entry["high"]
