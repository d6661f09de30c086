"""Deck: the row below the cards of a quiz. One card is shown at a time; Back and Next need no kernel."""

import traitlets

from accelerator_course.widgets.page import Live, script

CARD, BOX = "acc-card", "acc-deck"  # classes of a card, and of the box that holds the cards and this row


class Deck(Live):
    """`states` says how each card went: "" (open), right, part, wrong. Behind them lies one card more, the result."""

    _esm = script("deck.js")
    states = traitlets.List([]).tag(sync=True)
    note = traitlets.Unicode("").tag(sync=True)
    last = traitlets.Unicode("Result").tag(sync=True)  # what the card behind the last is called
