"""Build the book: python -m accelerator_course.pages.book [--out build/site] [--live] [03_roofline ...]

--runtime DIR    with a Pyodide (with NumPy), every control answers in the page itself
"""

import argparse
import sys
import time

from accelerator_course import settings
from accelerator_course.pages.book import building
from accelerator_course.start import folders


def main(arguments=None):
    """Returns the exit status."""
    settings.any_console()
    asked = argparse.ArgumentParser("accelerator_course.pages.book", description=(__doc__ or "").partition("\n")[0])
    asked.add_argument("--out", default=folders.ROOT / "build" / "site", help="the folder to write to")
    asked.add_argument(
        "--runtime", metavar="DIR", help="a folder of Pyodide with NumPy: every control answers in the page"
    )
    asked.add_argument("chapters", nargs="*", help="only these, 03_roofline")
    given, begin = asked.parse_args(arguments), time.monotonic()
    try:
        out = building.build(given.out, given.chapters, print, given.runtime)
    except ModuleNotFoundError as error:
        print(f"The book needs {error.name}: pip install -r binder/site-requirements.txt")
        return 1
    except (FileNotFoundError, ValueError) as error:
        print(f"book: {error}")
        return 1
    size = sum(file.stat().st_size for file in out.rglob("*") if file.is_file())
    print(f"The book is in {out}: {size / 1e6:.1f} MB, {time.monotonic() - begin:.0f} s.")
    return 0


if __name__ == "__main__":
    sys.exit(main())
