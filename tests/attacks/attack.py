"""Hostile arguments for every public function: python tests/attacks/attack.py --tries 40

Each try spoils one argument of a call that works (learning.py, hostile.py), in a process of its own for each function,
with 20 s of work and 2 GB more memory. What comes back must be finite, or one line that names the argument. Findings:

freeze    more than 20 s                      flood     more than 2 GB
class     another error than ValueError, TypeError, KeyError
raw       an error that no `raise` of the package wrote
nameless  a line that names no argument of the function, or several lines, or pages
unsound   NaN or infinity came back           mutated   an argument was changed
narrow    int8 ... float32 gave something else than the same numbers in Python
"""

import argparse
import ast
import copy
import inspect
import json
import os
import pickle
import random
import re
import resource
import select
import signal
import sys
import tempfile
import time
import traceback
import warnings
import zlib
from collections import Counter
from functools import cache
from pathlib import Path

sys.path[:0] = [str(Path(__file__).parents[1]), str(Path(__file__).parents[2])]

import numpy as np  # noqa: E402
from attacks import guessing, hostile, learning  # noqa: E402
from attacks.calling import answer, numbers_in, same, starred  # noqa: E402

SECONDS, BYTES = int(os.environ.get("ATTACK_SECONDS", 20)), 2 * 10**9
LONGEST = 400  # characters of a line
CLASSES = ("freeze", "flood", "class", "raw", "nameless", "unsound", "mutated", "narrow")
OUTSIDE = {  # they measure, compile or start processes: seconds of real time, whatever their arguments
    "codesign.autotune.run": "measures until its budget is spent",
}
INFINITE = {
    "frames.codesign.compare": "of a search that has found none yet",
    "codesign.search.search": "the same",
    "numerics.gptq.gptq_steps": "of no error yet",
}


class TooLong(BaseException):
    """The time of a try is over."""


@cache
def _raises(path):
    """Lines of a file of the package that belong to a raise statement."""
    tree = ast.parse(Path(path).read_text(encoding="utf-8"))
    raises = [node for node in ast.walk(tree) if isinstance(node, ast.Raise)]
    return {line for node in raises for line in range(node.lineno, node.end_lineno + 1)}


def wrong_in(error, names):
    """(class of finding, where) of what was raised, or None where it is one line that names an argument."""
    last = traceback.extract_tb(error.__traceback__)[-1]
    place = f"{re.split(r'/accelerator_(?:lib|course)/', last.filename)[-1]}:{last.lineno}"
    if isinstance(error, MemoryError):
        return "flood", place
    if not isinstance(error, (ValueError, TypeError, KeyError)):
        return "class", place
    if "accelerator_" not in last.filename or last.lineno not in _raises(last.filename):
        within = [f for f in traceback.extract_tb(error.__traceback__) if "accelerator_" in f.filename]
        if within:
            place = f"{re.split(r'/accelerator_(?:lib|course)/', within[-1].filename)[-1]}:{within[-1].lineno}"
        return "raw", place
    text = str(error)
    forms = [(name, name.replace("_", " "), name.removesuffix("s")) for name in names]
    spoken = {form for several in forms for form in several} | ({"line"} if "source" in names else set())
    if "\n" in text or len(text) > LONGEST or not any(re.search(rf"\b{re.escape(n)}\b", text) for n in spoken):
        return "nameless", place
    return None


def _image(value):
    try:
        return pickle.dumps(value)
    except Exception:  # a generator, a function: nothing to compare
        return None


def one_try(function, arguments, names, narrow=None, infinite=False):
    """(class of finding or None, where, message) of one call; `narrow` are the same arguments as plain numbers."""
    before = _image(arguments)
    signal.setitimer(signal.ITIMER_PROF, SECONDS)
    started = time.process_time()
    try:
        with np.errstate(all="ignore"), warnings.catch_warnings():
            warnings.simplefilter("ignore")
            try:
                result = answer(function, arguments)
                found = [np.asarray(n, dtype=float) for n in numbers_in(result)]
            except Exception as error:
                result, found, raised = None, [], error
            else:
                raised = None
            if before is not None and "itertools" not in str(before[:200]) and _image(arguments) != before:
                return "mutated", "", ""
            if narrow is not None:
                return _narrow(function, narrow, result, raised)
    except TooLong:
        return "freeze", "", ""
    finally:
        signal.setitimer(signal.ITIMER_PROF, 0)
        one_try.seconds = time.process_time() - started
    if raised is not None:
        wrong = wrong_in(raised, names)
        return (*wrong, f"{type(raised).__name__}: {raised}"[:300]) if wrong else (None, "", "")
    if not all(np.isfinite(number).all() or (infinite and not np.isnan(number).any()) for number in found):
        return "unsound", "", ""
    return None, "", ""


def _narrow(function, plain, result, raised):
    """A narrow argument must give what the same number in Python gives, or the same refusal."""
    try:
        expected = answer(function, plain)
    except Exception as error:
        fine = raised is not None and type(raised) is type(error)
        return (None, "", "") if fine else ("narrow", "", f"refused as plain numbers: {error}"[:300])
    if raised is not None:
        return "narrow", "", f"{type(raised).__name__}: {raised}"[:300]
    return (None, "", "") if same(result, expected) else ("narrow", "", "")


def attack(name, function, calls, tries, seed):
    """Findings of one function, as they come: ("try", spoiled argument, how) before each, ("found", ...) after it."""
    draw = random.Random(zlib.crc32(f"{name} {seed}".encode()))
    names = list(inspect.signature(function).parameters)
    steady = [_steady(function, call) for call in calls]
    for number in range(tries):
        place = draw.randrange(len(calls))
        arguments, narrow = copy.deepcopy(calls[place]), None
        argument = draw.choice(names)
        good = arguments.get(argument, inspect.signature(function).parameters[argument].default)
        small = hostile.narrowed(good, draw) if number % 4 == 3 and steady[place] else None
        if small:
            how, arguments[argument], plain = small
            narrow = {**copy.deepcopy(calls[place]), argument: plain}
        elif number % 8 == 6 and sum(hostile.is_number(value) for value in arguments.values()) > 1:
            how, argument = "two that do not fit together", "two"
            pair = draw.sample([key for key, value in arguments.items() if hostile.is_number(value)], 2)
            for key, length in zip(pair, (2, 3), strict=True):
                arguments[key] = np.array([arguments[key]] * length)
        else:
            star = argument == starred(function)  # of these, one of several
            how, bad = hostile.spoiled(good[0] if star and good else good, draw)
            arguments[argument] = (bad, *good[1:]) if star and good else bad
        known = [*names, *name.rpartition(".")[2].split("_")]  # chip("x") may say that there is no such chip
        yield number, argument, how, (arguments, known, narrow, name in INFINITE)


def _steady(function, call):
    """Does a call give the same numbers twice, as far as they can be computed?"""
    try:
        return same(*(answer(function, copy.deepcopy(call)) for _ in range(2)))
    except (ValueError, MemoryError):  # a property that refuses, or all of them at once
        return False


def child(pipe, name, function, calls, tries, seed, skip):
    """Runs in a fork: tries from `skip` on, one line of JSON before and after each."""
    soft = _data_bytes() + BYTES
    resource.setrlimit(resource.RLIMIT_DATA, (soft, soft))
    signal.signal(signal.SIGPROF, _late)
    sys.stdout = sys.stderr = open(os.devnull, "w")  # noqa: SIM115  for as long as the process lives

    def tell(*words):
        os.write(pipe, (json.dumps(words) + "\n").encode("utf-8", "backslashreplace"))

    for number, argument, how, job in attack(name, function, calls, tries, seed):
        if number < skip:
            continue
        tell("try", number, argument, how)
        try:
            found = one_try(function, *job)
        except MemoryError:
            found = "flood", "", ""
        except RecursionError:
            found = "class", "", "RecursionError"
        tell("done", number, *found, round(one_try.seconds, 2))
        del job
    tell("end")


def _data_bytes():
    with open("/proc/self/status") as lines:
        return next(int(line.split()[1]) * 1024 for line in lines if line.startswith("VmData"))


def _late(*_):
    raise TooLong


def watched(name, function, calls, tries, seed):
    """[(class, name, argument, how, where, message)] of one function, and how long its slowest try took."""
    found, slowest, skip = [], 0.0, 0
    while skip < tries:
        read, write = os.pipe()
        pid = os.fork()
        if pid == 0:
            os.close(read)
            status = 1
            try:
                child(write, name, function, calls, tries, seed, skip)
                status = 0
            except BaseException:
                os.write(2, traceback.format_exc().encode())
            finally:
                os._exit(status)
        os.close(write)
        rest, last, ended = b"", None, False
        while True:
            ready, _, _ = select.select([read], [], [], 6 * SECONDS)  # the machine may be busy
            piece = os.read(read, 65536) if ready else b""
            if not piece:
                break
            rest += piece
            *lines, rest = rest.split(b"\n")
            for line in lines:
                kind, *words = json.loads(line)
                if kind == "try":
                    last = words
                elif kind == "done":
                    number, wrong, where, message, seconds = words
                    slowest, skip = max(slowest, seconds), number + 1
                    if wrong:
                        found.append((wrong, name, *last[1:], where, message))
                    last = None
                else:
                    ended = True
        os.close(read)
        if not ended:
            os.kill(pid, signal.SIGKILL)
        os.waitpid(pid, 0)
        if ended:
            break
        if last is None:
            found.append(("class", name, "", "", "", "its process ended"))
            break
        found.append(("freeze", name, *last[1:], "", "killed"))
        skip = last[0] + 1
    return found, slowest


def known(path, brief):
    """({name: function}, {name: calls that work}); overheard in a process of its own, kept in a file if one is named.

    JAX is started there: what is forked later can start it anew. `brief`: what the questions call is enough."""
    heard = learning.listen()
    functions = learning.public()
    if path and Path(path).exists():
        return functions, pickle.loads(Path(path).read_bytes())
    with tempfile.TemporaryDirectory() as folder:
        kept = Path(path or Path(folder, "calls"))
        pid = os.fork()
        if pid == 0:
            status = 1
            try:
                learning.overhear(brief)
                learning.KEPT = 0  # enough is heard
                calls = {name: list(heard.get(function, ())) for name, function in functions.items()}
                calls = calls if brief else guessing.complete(functions, calls, OUTSIDE)
                can = {name: [call for call in listed if _image(call)] for name, listed in calls.items()}
                kept.write_bytes(pickle.dumps(can))
                status = 0
            except BaseException:
                os.write(2, traceback.format_exc().encode())
            finally:
                os._exit(status)
        os.waitpid(pid, 0)
        learning.KEPT = 0
        return functions, pickle.loads(kept.read_bytes())


def main():
    ask = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    ask.add_argument("--tries", type=int, default=40, help="for each function")
    ask.add_argument("--seed", type=int, default=1)
    ask.add_argument("--sample", type=int, default=0, help="so many of those that questions call, drawn with the seed")
    ask.add_argument("--findings", help="a file for one line of JSON a finding")
    ask.add_argument("--calls", help="a file where the calls that work are kept for the next time")
    ask.add_argument("words", nargs="*", help="only functions whose name contains one of them, such as roofline")
    asked = ask.parse_args()
    functions, calls = known(asked.calls, bool(asked.sample))
    chosen = [n for n in functions if calls.get(n) and n not in OUTSIDE and inspect.signature(functions[n]).parameters]
    silent = [n for n in functions if not calls.get(n) and n not in OUTSIDE]
    chosen = [n for n in chosen if not asked.words or any(word in n for word in asked.words)]
    if asked.sample:
        chosen = sorted(random.Random(asked.seed).sample(chosen, min(asked.sample, len(chosen))))
    if silent and not asked.sample:
        print("no call that works is known of:", *silent)
    findings, slow = [], {}
    out = open(asked.findings, "w") if asked.findings else None  # noqa: SIM115
    for name in chosen:
        found, slow[name] = watched(name, functions[name], calls[name], asked.tries, asked.seed)
        findings += found
        for one in found:
            print(*(ascii(part)[1:-1] for part in one), sep=" | ", flush=True)
            if out:
                print(json.dumps(one), file=out, flush=True)
    print(f"{asked.tries * len(chosen)} tries on {len(chosen)} functions")
    print(", ".join(f"{Counter(one[0] for one in findings)[kind]} {kind}" for kind in CLASSES))
    slowest = sorted(slow, key=slow.get)[-5:]
    print("slowest:", ", ".join(f"{name} {slow[name]:.1f} s" for name in slowest))
    sys.exit(bool(findings))


if __name__ == "__main__":
    main()
