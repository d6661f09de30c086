"""python -m accelerator_lib.validation.calibrate [KIND ...]: fit the constants anew, and print how far off they are.

Writes data/calibration.yaml (--check prints only). One line a kind: rows, constants, the median and the 90th percentile
of |log(predicted / measured)| with each source left out, the share of intervals that hold, bounds beaten.
"""

import argparse

from accelerator_lib import data
from accelerator_lib.validation import KINDS
from accelerator_lib.validation.fitting import fit, fittable
from accelerator_lib.validation.judging import judge, spread


def main(arguments=None):
    parser = argparse.ArgumentParser(prog="calibrate", description="Fit the constants of the models anew.")
    parser.add_argument("kinds", nargs="*", metavar="KIND", help=f"of {', '.join(KINDS)} (all)")
    parser.add_argument("--check", action="store_true", help="print how far off the models are; write nothing")
    parser.add_argument("--by", choices=("source", "device"), default="source", help="what is left out")
    asked = parser.parse_args(arguments)
    path = data.FOLDER / "calibration.yaml"
    known = data.parse(path) or {}
    for kind in asked.kinds or KINDS:
        rows = list(data.published(kind).values())
        values, (low, high) = fit(kind, rows), spread(kind, rows)
        known[kind] = {"constants": values, "low": low, "high": high, "rows": sum(map(bool, map(fittable, rows)))}
        told = judge(kind, rows, asked.by)
        beaten = sum(each.beaten for each in told.judged)
        print(
            f"{kind:18} {len(told.judged):3} rows, {len(told.missing):2} not available, {told.free} constants: "
            f"off by {told.median:.1%}, {told.worst_tenth:.1%}; {told.coverage:.0%} hold, {beaten} beaten"
        )
    if not asked.check:
        _write(path, known)


def _write(path, known):
    import yaml

    head = "# Constants of the models, fitted to published rows by  make calibrate  (accelerator_lib/validation).\n"
    head += "# low, high: factors on a prediction between which 80 % of the rows lie, each source left out of its own fit.\n"
    body = yaml.safe_dump({kind: known[kind] for kind in KINDS if kind in known}, sort_keys=False)
    path.write_text(head + "\n" + body, encoding="utf-8")


if __name__ == "__main__":
    main()
