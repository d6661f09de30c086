"""A leaderboard for a class, without a server: a text file of tokens, one a line, words before it if one likes.

    python -m accelerator_course.league rank < tokens.txt
    python -m accelerator_course.league rank tokens.txt

Every design is evaluated anew and none is believed; bad lines are refused with a reason each.
"""

import argparse
import sys
from contextlib import nullcontext

from accelerator_course import handed_in, settings
from accelerator_course.league import ranking

MOST_BYTES = 10_000_000


def main(arguments=None, given=None):
    """Run one command; returns the exit code: 1 where no design could be ranked."""
    settings.any_console()
    options = _parser().parse_args(arguments)
    try:
        with open(options.file, "rb") if options.file else nullcontext(given or sys.stdin.buffer) as source:
            table = ranking.rank(handed_in.lines(source, 4 * ranking.MOST_LETTERS, MOST_BYTES))
    except (ValueError, OSError) as error:
        print(f"design rank: {error}", file=sys.stderr)
        return 1
    print(table)
    return 0 if table.places else 1


def _parser():
    about = argparse.RawDescriptionHelpFormatter
    parser = argparse.ArgumentParser("python -m accelerator_course.league", description=__doc__, formatter_class=about)
    commands = parser.add_subparsers(dest="command", required=True)
    order = commands.add_parser("rank", help="evaluate the tokens of a text and order them by value")
    order.add_argument("file", nargs="?", help="default: standard input")
    return parser


if __name__ == "__main__":
    sys.exit(main())
