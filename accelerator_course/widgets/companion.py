"""The invisible half of every panel (companion.js): names for controls, quiet arrow keys, the style sheet."""

from accelerator_course.widgets.page import Live, script


class Companion(Live):
    """Put it into the panel's box."""

    _esm = script("companion.js")
