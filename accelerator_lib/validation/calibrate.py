"""make calibrate: fit the constants anew, judge every kind; data/calibration, validation_report, validation_steps."""

import argparse
import re
from dataclasses import replace
from math import exp
from time import perf_counter

from accelerator_lib import data
from accelerator_lib.validation import adding
from accelerator_lib.validation.door import KINDS
from accelerator_lib.validation.fitting import Ground
from accelerator_lib.validation.judging import judge, left_out, moved, spread
from accelerator_lib.validation.report import line, report, stored, table

BY = "publisher", "source", "device"


def main(arguments=None):
    parser = argparse.ArgumentParser(prog="calibrate", description="Fit the constants of the models anew.")
    parser.add_argument("kinds", nargs="*", metavar="KIND", help=f"of {', '.join(KINDS)} (all)")
    parser.add_argument("--check", action="store_true", help="print how far off the models are; write nothing")
    parser.add_argument("--by", choices=BY, help="print what comes of leaving these out")
    parser.add_argument("--rows", action="store_true", help="print every row; write nothing")
    parser.add_argument("--report", action="store_true", help="print the stored report as a Markdown table")
    asked = parser.parse_args(arguments)
    if strange := [kind for kind in asked.kinds if kind not in KINDS]:
        parser.error(f"the kind {strange[0]!r} is unknown; there are {', '.join(KINDS)}")
    if asked.report:
        return print(table(report()))
    fitted, told, climbed, writes = {}, {}, {}, not (asked.check or asked.by or asked.rows)
    for kind in asked.kinds or KINDS:
        began, rows = perf_counter(), list(data.published(kind).values())
        ground = Ground(kind, rows)
        values = ground.fit()
        low, high = spread(ground, left_out(rows))
        fitted[kind] = {"constants": values, "low": low, "high": high, "rows": len(ground.rows)}
        if kind in adding.KINDS and writes:
            climbed[kind] = adding.Ladder(kind, rows).climb()
        told[kind] = {by: judge(kind, rows, by, ground) for by in ([asked.by] if asked.by else BY)}
        if (found := told[kind].get("publisher")) and found.hand_set:
            told[kind]["publisher"] = replace(found, moved=moved(kind, rows))
        for each in told[kind].values():
            print(line(each), f"({perf_counter() - began:.1f} s)", flush=True)
            if asked.rows:
                print(*_worst_first(each), sep="\n")
    if writes:
        _write("calibration", fitted)
        _write("validation_report", {kind: stored(*told[kind].values()) for kind in told})
        if climbed:
            _write("validation_steps", climbed)


def _worst_first(found):
    for each in sorted(found.judged, key=lambda each: -abs(each.off)):
        told, marks = each.prediction, "" if each.held else " outside"
        marks += f"{' BEATEN' if each.beaten else ''}{'' if each.fitted else ' (not fitted)'}"
        values = f"{each.measured:10.4g} | {told.value:10.4g} {told.unit:8} | {exp(min(each.off, 9)):6.2f}"
        ends = f"{told.low:.4g} to {told.high:.4g}, bound {told.bound:.4g}"
        yield f"  {each.id:40} {values} | {ends} | {told.limit}{marks}"
    yield from (f"  {id:40} not available: {why}" for id, why in found.missing.items())


def _write(name, found):
    import yaml

    path = data.FOLDER / f"{name}.yaml"
    head = re.match(r"(#.*\n)*", path.read_text(encoding="utf-8"))[0]
    known = (data.parse(path) or {}) | found
    body = {"format_version": 1} | {kind: known[kind] for kind in KINDS if kind in known}
    text = yaml.safe_dump(body, sort_keys=False, width=118, default_flow_style=None, allow_unicode=True)
    path.write_text(f"{head}\n{text}", encoding="utf-8")


if __name__ == "__main__":
    main()
