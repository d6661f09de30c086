"""A plugin for pytest: tests in an order drawn with SHUFFLE=1 (make test-shuffled SEED=1).

Cells of a notebook keep theirs, and so do tests with the marker `story`: a file that follows one reader, a test that
leaves the page without its kernel.
"""

import os
import random
from itertools import groupby


def pytest_configure(config):
    config.pluginmanager.register(Shuffled(os.environ.get("SHUFFLE", "1")), "shuffled-items")


def keeps_its_place(item):
    return item.path.suffix == ".ipynb" or item.get_closest_marker("story") is not None


class Shuffled:
    def __init__(self, seed):
        self.seed = seed

    def pytest_collection_modifyitems(self, items):
        """Files in any order, and the tests of each; every worker draws the same."""
        draw, files = random.Random(self.seed), [list(of) for _, of in groupby(items, key=lambda item: item.path)]
        draw.shuffle(files)
        for of in files:
            free = [place for place, item in enumerate(of) if not keeps_its_place(item)]
            for place, item in zip(free, draw.sample([of[place] for place in free], len(free)), strict=True):
                of[place] = item
        items[:] = [item for of in files for item in of]
