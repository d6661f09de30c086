"""Kernels for a class, without a server.

    python -m accelerator_course.ladder list class.txt
    python -m accelerator_course.ladder judge transpose my_kernel.txt

list runs the kernels of a text file of tokens again, one token a line, words before it if one likes, on sizes and
numbers drawn anew, and prints who reached which par. None is believed, and bad lines are refused with a reason each.
judge runs one kernel.
"""

import argparse
import secrets
import sys
from contextlib import nullcontext

from accelerator_course import handed_in, settings
from accelerator_course.ladder.catalog import rungs
from accelerator_course.ladder.judge import judge
from accelerator_course.ladder.listing import listing
from accelerator_course.ladder.tokens import MOST_LETTERS

MOST_BYTES, MOST_SEEDS = 50_000_000, 1_000_000


def main(arguments=None, given=None):
    """Run one command; returns the exit code: 1 where no kernel is right."""
    settings.any_console()
    options = _parser().parse_args(arguments)
    try:
        with open(options.file, "rb") if options.file else nullcontext(given or sys.stdin.buffer) as source:
            return {"list": _list, "judge": _judge}[options.command](options, source)
    except (ValueError, OSError) as error:
        print(f"kernels {options.command}: {error}", file=sys.stderr)
        return 1


def _parser():
    about = argparse.RawDescriptionHelpFormatter
    parser = argparse.ArgumentParser("python -m accelerator_course.ladder", description=__doc__, formatter_class=about)
    commands = parser.add_subparsers(dest="command", required=True)
    table = commands.add_parser("list", help="run the kernels of a text of tokens again and print a class list")
    table.add_argument("file", nargs="?", help="default: standard input")
    told = "of what is hidden; default: drawn"
    table.add_argument("--seed", type=int, choices=range(MOST_SEEDS), metavar="N", help=told)
    one = commands.add_parser("judge", help="run one kernel on visible and hidden sizes and score it")
    one.add_argument("rung", choices=rungs())
    one.add_argument("file", nargs="?", help="default: standard input")
    return parser


def _list(options, source):
    seed = secrets.randbelow(MOST_SEEDS) if options.seed is None else options.seed
    table = listing(handed_in.lines(source, 2 * MOST_LETTERS, MOST_BYTES), seed)
    print(table)
    print(f"run on sizes and numbers drawn for this list; --seed {seed} draws the same")
    return 0 if any(row.score is not None for row in table.rows) else 1


def _judge(options, source):
    verdict = judge(options.rung, source.read(MOST_LETTERS).decode("utf-8", "replace"))
    print(verdict)
    return 0 if verdict.right else 1


if __name__ == "__main__":
    sys.exit(main())
