"""Measure this machine and write what was found:

    python -m accelerator_course.measure --out mine.json [--seconds 50]

Progress is told on stderr. Ctrl+C ends it early; what has been measured by then is written all the same.
"""

import argparse
import sys

from accelerator_course.measure import file
from accelerator_course.measure.session import Session


def main(arguments=None, session=Session):
    """0 where a file was written, 1 and one line where it could not be, 130 where Ctrl+C came before any result."""
    parser = argparse.ArgumentParser("python -m accelerator_course.measure", description=(__doc__ or "").split("\n")[0])
    parser.add_argument("--out", default="mine.json", help="the file to write (mine.json)")
    parser.add_argument("--seconds", type=float, help="how long to measure (45 on a CPU, 100 on a GPU or TPU)")
    given = parser.parse_args(arguments)
    try:
        file.writable(given.out)
        say("starting JAX")
        running = session(given.seconds)
        what = f"{running.device['name']} ({running.platform}) for about {running.seconds:.0f} s"
        say(f"measuring {what}; Ctrl+C ends it")
        ended = follow(running)
        if not running.measured:
            say("nothing was measured, so no file is written")
            return 130 if ended else 1
        file.save(running.content(), given.out)
    except KeyboardInterrupt:
        say("ended before anything was measured")
        return 130
    except ModuleNotFoundError as error:
        say(f"{error.name} is not installed: pip install {error.name}")
        return 1
    except (OSError, ValueError, TypeError, RuntimeError) as error:  # JAX says so where a device cannot be used
        say(" ".join(str(error).split())[:300])
        return 1
    kept = f"{len(running.measured)} measurements are in {given.out}"
    say(f"{kept}; the rest was not waited for" if ended else kept)
    return 0


def follow(running):
    """Run a session and say how far it is; True where Ctrl+C ended it."""
    try:
        for progress in running.steps():
            say(f"{progress.fraction:4.0%}  {progress.doing}")
    except KeyboardInterrupt:
        return True
    return False


def say(text):
    print(f"measure: {text}", file=sys.stderr, flush=True)


if __name__ == "__main__":
    sys.exit(main())
