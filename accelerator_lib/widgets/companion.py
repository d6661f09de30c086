"""The invisible half of every panel: names for controls, quiet arrow keys, a voice for the sentence.

ipywidgets sliders carry no accessible name, JupyterLab takes arrow keys from menus, and a changed picture is
silent. This widget mends the three in the browser; companion.js says how. It also brings the panels' style sheet.
"""

from pathlib import Path

import traitlets

from accelerator_lib.widgets.page import Live

HERE = Path(__file__).parent


class Companion(Live):
    """Put it into the panel's box and set `sentence`."""

    _esm = HERE / "companion.js"
    _css = HERE / "style.css"
    sentence = traitlets.Unicode("").tag(sync=True)
