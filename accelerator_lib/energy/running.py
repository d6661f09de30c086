"""Running: tokens as measured on servers."""

from accelerator_lib import data


def served():
    """{server: {model, chip, chips, users, joules}} of the runs in the data: energy of all chips for one token [J]."""
    return {row["name"]: row for row in data.load("energy")["served"]}
