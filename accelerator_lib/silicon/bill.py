"""Bill: guesses behind the dollars of a package, and which of them decides. The law itself stands in the notebook.

Each guess has a usual value, an end at which packages are cheap and one at which they are dear: data/silicon.yaml.
"""

from dataclasses import dataclass

from accelerator_lib import data

FACTS = data.load("silicon")["bill"]
GUESSES = {row["id"]: row for row in FACTS["guesses"]}
USUAL = {id: row["usual"] for id, row in GUESSES.items()}


@dataclass(frozen=True)
class Swings:
    """The bill, {what for: dollars}, and {guess: dollars in all at its (cheap, dear) end}, the widest swing first."""

    bill: dict
    ends: dict

    total = property(lambda self: sum(self.bill.values()))
    apart = property(lambda self: {id: dear - cheap for id, (cheap, dear) in self.ends.items()})


def swings(law, **given):
    """Swings of a law that takes what is `given`, and guesses by their id: one of them at an end, the others usual."""
    ends = {
        id: tuple(sum(law(**given, **{id: row[end]}).values()) for end in ("cheap", "dear"))
        for id, row in GUESSES.items()
    }
    return Swings(law(**given), dict(sorted(ends.items(), key=lambda one: one[1][0] - one[1][1])))
