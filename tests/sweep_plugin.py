"""pytest plugin: every notebook that nbval collects gets one more cell at its end, the sweep of its controls.

Uses nbval's internals (IPyNbFile.collect, IPyNbCell), so requirements.txt pins nbval to 0.11.
"""

from collections import defaultdict
from pathlib import Path

import nbformat
from nbval.plugin import IPyNbCell, IPyNbFile

SOURCE = f"import sys; sys.path.insert(0, {str(Path(__file__).parent)!r}); from sweep import sweep; sweep()"
_collect = IPyNbFile.collect


def collect(self):
    """nbval's cells, then the sweep."""
    last = -1
    for item in _collect(self):
        last = item.cell_num
        yield item
    cell = nbformat.v4.new_code_cell(SOURCE)
    options = defaultdict(bool, check=False)
    yield IPyNbCell.from_parent(self, name="widget-sweep", cell_num=last + 1, cell=cell, options=options)


IPyNbFile.collect = collect
