"""Glance: all rungs on one page: what no kernel beats, the par, a typical slow kernel, and one's own best."""

from dataclasses import dataclass

from accelerator_course.ladder import shown
from accelerator_course.ladder.catalog import rungs


@dataclass(frozen=True)
class Place:
    """One rung; scores in cycles or bytes."""

    number: int
    id: str
    title: str
    machine: str  # "warp", "pallas" or "array"
    scored: str  # "cycles" or "bytes"
    bound: float
    par: float
    slow: float
    mine: float | None = None  # None: no kernel of the learner was right
    star: bool = False

    def times(self, score):
        """A score as a multiple of the bound; None stays None."""
        return None if score is None else score / self.bound


def glance(mine, stars):
    """A Place for each rung; `mine` {id: score}, `stars`: ids of those at whose par the learner has arrived."""
    places = []
    for number, (id, each) in enumerate(rungs().items(), 1):
        scores = map(float, (each.bound, each.par, shown.score(id)))
        places.append(Place(number, id, each.title, each.machine, each.scored, *scores, mine.get(id), id in stars))
    return tuple(places)
