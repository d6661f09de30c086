"""A leaderboard for a class, without a server: a text file of tokens, one a line, words before it if one likes.

    python -m accelerator_course.league rank < tokens.txt
    python -m accelerator_course.league rank --watts 300 tokens.txt

Every design is evaluated anew and none is believed; bad lines are refused with a reason each.

And a search that has outgrown one machine: the same line on each of them, with its own number after --host. They find
each other at the address of the first, and all are told the result.

    python -m accelerator_course.league search --slices 520
    python -m accelerator_course.league search --slices 520 --first 10.0.0.1:4711 --hosts 2 --host 0
"""

import argparse
import sys
from contextlib import nullcontext

from accelerator_course import handed_in, settings
from accelerator_course.league import ranking, tokens
from accelerator_lib.checks.inputs import NotAvailable
from accelerator_lib.design import sharded

MOST_BYTES = 10_000_000


def main(arguments=None, given=None):
    """Run one command; returns the exit code: 1 where no design could be ranked or found."""
    settings.any_console()
    options = _parser().parse_args(arguments)
    return _search(options) if options.command == "search" else _rank(options, given)


def _rank(options, given):
    try:
        with open(options.file, "rb") if options.file else nullcontext(given or sys.stdin.buffer) as source:
            table = ranking.rank(handed_in.lines(source, 4 * ranking.MOST_LETTERS, MOST_BYTES), options.watts)
    except (ValueError, OSError) as error:
        print(f"design rank: {error}", file=sys.stderr)
        return 1
    print(table)
    return 0 if table.places else 1


def _search(options):
    machines = options.hosts or 1
    try:
        sharded.fitting(options.first, options.hosts, options.host)
    except ValueError as error:
        options.refuse(str(error))  # as argparse does: exit code 2
    try:
        if machines > 1:
            sharded.join(options.first, options.hosts, options.host)
        found = sharded.search(options.slices, watts=options.watts)
    except (ValueError, RuntimeError, NotAvailable) as error:
        print(f"design search: {str(error).partition(chr(10))[0]}", file=sys.stderr)
        return 1
    where = f"{found.devices} device{'s' * (found.devices > 1)} of {machines} machine{'s' * (machines > 1)}"
    print(f"{found.designs:,} designs on {where}, {found.legal:,} within {options.watts:g} W")
    print(f"best: value {found.value:.3f}, {ranking.described(found.best)}\n{tokens.token(found.best)}")
    return 0


def _parser():
    about = argparse.RawDescriptionHelpFormatter
    parser = argparse.ArgumentParser("python -m accelerator_course.league", description=__doc__, formatter_class=about)
    commands = parser.add_subparsers(dest="command", required=True)
    order = commands.add_parser("rank", help="evaluate the tokens of a text and order them by value")
    order.add_argument("file", nargs="?", help="default: standard input")
    order.add_argument("--watts", type=float, default=700.0, help="the brief's limit of power (default 700)")
    seek = commands.add_parser("search", help="the best of many designs, on all devices of one machine or of several")
    seek.add_argument("--slices", type=int, default=52, help="of 20 clocks each; 52: ten million designs (default)")
    seek.add_argument("--watts", type=float, default=700.0, help="the brief's limit of power (default 700)")
    seek.add_argument("--first", help="address and port of the first machine; Slurm, Open MPI and TPU pods know it")
    seek.add_argument("--hosts", type=int, help="how many machines run this line, each with equally many devices")
    seek.add_argument("--host", type=int, help="which of them this one is, from 0")
    seek.set_defaults(refuse=seek.error)
    return parser


if __name__ == "__main__":
    sys.exit(main())
