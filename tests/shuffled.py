"""A plugin for pytest: tests in an order drawn with SHUFFLE=1 (make test-shuffled SEED=1).

Cells of a notebook keep theirs, and so do the tests of a file that are one reader's story (marker `story`).
"""

import os
import random
from itertools import groupby


def pytest_configure(config):
    config.pluginmanager.register(Shuffled(os.environ.get("SHUFFLE", "1")), "shuffled-items")


class Shuffled:
    def __init__(self, seed):
        self.seed = seed

    def pytest_collection_modifyitems(self, items):
        """Files in any order, and the tests of each; every worker draws the same."""
        draw, files = random.Random(self.seed), [list(of) for _, of in groupby(items, key=lambda item: item.path)]
        draw.shuffle(files)
        for of in files:
            if of[0].path.suffix != ".ipynb" and not of[0].get_closest_marker("story"):
                draw.shuffle(of)
        items[:] = [item for of in files for item in of]
