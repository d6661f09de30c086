"""The invisible half of every panel: names for controls, quiet arrow keys, a picture that fits the window.

ipywidgets sliders carry no accessible name, and JupyterLab takes arrow keys from menus. This widget mends both in the
browser; companion.js says how. It also brings the panels' style sheet.
"""

from accelerator_course.widgets.page import STYLE, Live, script


class Companion(Live):
    """Put it into the panel's box."""

    _esm = script("companion.js")
    _css = STYLE
