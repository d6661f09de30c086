"""Limits: what can set the pace, each with its colour, its sign and its words, once for all pictures."""

from typing import NamedTuple


class Limit(NamedTuple):
    """The colour (a role), the sign of a kernel so limited, what it is called, and how sentences say that it binds."""

    role: str
    sign: str
    called: str
    pace: str
    decides: str


LIMITS = {  # by the names that roofline.binding gives
    "compute": Limit("compute", "square", "compute", "the arithmetic sets the pace", "multiplying decides"),
    "memory": Limit("memory", "round", "memory", "the memory sets the pace", "fetching decides"),
    "vector": Limit("other", "diamond", "between", "the work between products sets the pace", "work between decides"),
    "link": Limit("ink", "triangle", "links", "the links set the pace", "sending decides"),
    "overhead": Limit("muted", "cross", "starting", "starting sets the pace", "starting decides"),
}
