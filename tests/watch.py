"""In the kernel in which nbval runs a chapter: what its cells give is kept, and played.py runs none again."""

import io
import os
import tempfile

from IPython import get_ipython
from IPython.utils.io import Tee

SEEN = {}  # {source of a cell: (what it printed, what its last line gave, all names then)}; elsewhere nothing


def watch():
    """Keep it from now on, for one who has answered nothing. It imports nothing that a cell should import."""
    home = tempfile.mkdtemp(dir=os.environ["ACCELERATOR_COURSE_HOME"])
    os.environ |= {"ACCELERATOR_COURSE_HOME": home, "ACCELERATOR_COURSE_OPEN": "0"}
    shell, tee = get_ipython(), Tee(io.StringIO())

    def keep(result):
        SEEN[result.info.raw_cell] = tee.file.getvalue(), result.result, dict(shell.user_ns)
        tee.file.seek(tee.file.truncate(0))

    shell.events.register("post_run_cell", keep)
