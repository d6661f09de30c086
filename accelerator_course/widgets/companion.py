"""The invisible half of every panel: names for controls, quiet arrow keys, a voice for the sentence.

ipywidgets sliders carry no accessible name, JupyterLab takes arrow keys from menus, and a changed picture is
silent. This widget mends the three in the browser; companion.js says how. It also brings the panels' style sheet.
"""

import traitlets

from accelerator_course.widgets.page import STYLE, Live, script


class Companion(Live):
    """Put it into the panel's box and set `sentence`."""

    _esm = script("companion.js")
    _css = STYLE
    sentence = traitlets.Unicode("").tag(sync=True)
