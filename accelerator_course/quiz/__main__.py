"""For instructors.

    python -m accelerator_course.quiz export --format moodle-xml --chapters 3,6 --seed 7 --variants 30
    python -m accelerator_course.quiz export --format html --chapters 3 --seed 7 --variants 2 --items 10
    python -m accelerator_course.quiz export --format anki --variants 5
    python -m accelerator_course.quiz exam 3 4 5 --seed 7 --items 12 --variants 2
    python -m accelerator_course.quiz validate my_questions.yaml
    python -m accelerator_course.quiz token < mails.txt

export writes a question bank with feedback for another system, items with numbers as that many variants; html writes
that many printed sheets, each with its key, anki writes decks of cards, cards prints them to fold. exam writes a
paper over several chapters in that many variants, and the keys in a file of their own. validate checks a bank of your
own. token adds up learners' tokens.
"""

import argparse
import sys
from contextlib import nullcontext
from pathlib import Path

from accelerator_course import settings
from accelerator_course.quiz import bank, exam, export, sheet
from accelerator_course.quiz.token import read_token

MOST_BYTES = 10_000_000  # of a text with tokens: a hundred thousand of them


def main(arguments=None):
    """Run one command; returns the exit code."""
    settings.any_console()
    options = _parser().parse_args(arguments)
    try:
        return {"export": _export, "exam": _exam, "validate": _validate, "token": _token}[options.command](options)
    except (ValueError, KeyError, TypeError, ArithmeticError, OSError, ImportError) as error:
        print(f"quiz {options.command}: {error}", file=sys.stderr)
        return 1


def _parser():
    about = argparse.RawDescriptionHelpFormatter
    parser = argparse.ArgumentParser("python -m accelerator_course.quiz", description=__doc__, formatter_class=about)
    commands = parser.add_subparsers(dest="command", required=True)
    make = commands.add_parser("export", help="write a question bank for another system, or sheets to print")
    make.add_argument("--format", required=True, choices=export.SUFFIX)
    make.add_argument("--chapters", default="", help="numbers or names, such as 3,6; default: all there are")
    make.add_argument("--bank", type=Path, action="append", default=[], help="a question file of your own")
    make.add_argument("--seed", default="1", help="the same seed writes the same file (default 1)")
    make.add_argument("--variants", type=_count, default=1, help="draws of each item with numbers; for html: sheets")
    make.add_argument("--items", type=_count, default=10, help="questions on a sheet (html only)")
    make.add_argument("--output", type=Path, help="the file to write; default quiz.xml, quiz.gift ... here")
    paper = commands.add_parser("exam", help="write a printed exam over several chapters, and its key")
    paper.add_argument("chapters", nargs="+", help="numbers or names, such as 3 4 5")
    paper.add_argument("--seed", default="1", help="the same seed writes the same exam (default 1)")
    paper.add_argument("--items", type=_count, default=12, help="questions on a paper (default 12)")
    paper.add_argument("--variants", type=_count, default=1, help="papers with numbers of their own (default 1)")
    paper.add_argument("--output", type=Path, default=Path("exam.html"), help="default exam.html, exam-key.html")
    check = commands.add_parser("validate", help="check question files, with line numbers")
    check.add_argument("files", nargs="+", type=Path)
    tokens = commands.add_parser("token", help="add up the tokens in a text")
    tokens.add_argument("file", nargs="?", type=Path, help="default: standard input")
    return parser


def _count(text):
    number = int(text) if text.isdecimal() else 0
    if not 1 <= number <= 1000:
        raise argparse.ArgumentTypeError(f"{text!r} is not a whole number from 1 to 1000")
    return number


def _export(options):
    named = [name.strip() for name in options.chapters.split(",") if name.strip()]
    chapters = named or ([] if options.bank else bank.topics())
    banks = [*export.banks(chapters), *map(bank.read, options.bank)]
    if options.format == "html":
        content = sheet.write(banks, options.seed, options.variants, options.items)
    else:
        content = export.WRITERS[options.format](export.variants(banks, options.seed, options.variants))
    file = options.output or Path(f"quiz.{export.SUFFIX[options.format]}")
    file.write_bytes(content if isinstance(content, bytes) else content.encode("utf-8"))
    print(f"{file}: {len(banks)} chapters, seed {options.seed}")
    return 0


def _exam(options):
    banks = list({content["chapter"]: content for content in export.banks(options.chapters)}.values())
    file, key = options.output, options.output.with_name(f"{options.output.stem}-key{options.output.suffix}")
    pages = exam.papers(banks, options.seed, options.variants, options.items)
    for path, content in zip((file, key), pages, strict=True):
        path.write_text(content, encoding="utf-8")
    print(f"{file}, {key}: {options.items} questions of {len(banks)} chapters, seed {options.seed}")
    return 0


def _validate(options):
    bad = 0
    for file in options.files:
        content, found = bank.inspect(file)
        bad += bool(found)
        asked = [] if found else [*content.get("quick", ()), *content["quiz"]]
        print("\n".join(found) or f"{file.name}: {len(asked)} questions, all in order")
    return min(bad, 1)


def _token(options):
    with nullcontext(sys.stdin.buffer) if options.file in (None, Path("-")) else open(options.file, "rb") as source:
        text = source.read(MOST_BYTES + 1)
    if len(text) > MOST_BYTES:
        raise ValueError(f"more than {MOST_BYTES / 1e6:g} MB: that is no list of tokens")
    print(read_token(text.decode("utf-8", "replace")))
    return 0


if __name__ == "__main__":
    sys.exit(main())
