"""Progress: how far a measurement is. A long one is a generator of these; the last one carries its result."""

from dataclasses import dataclass


@dataclass(frozen=True)
class Progress:
    """`fraction` (0 to 1) of the measurement is behind us, `doing` is next; `result` is None until the end."""

    fraction: float
    doing: str
    result: object = None
