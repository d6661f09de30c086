"""How many learners one machine holds: so many kernels at once, each runs a chapter and then moves a slider.

    python tests/benchmarks/load.py 5 15 50             learners; as many as the memory allows
    python tests/benchmarks/load.py 15 --without-jax    where JAX is not installed
    python tests/benchmarks/load.py --chapters          what one kernel holds after each chapter, with JAX and without

All begin in the same second, which is worse than any class. Then each moves the slider of the first panel every two
seconds or so; in the middle one kernel is killed, and what its learner had done must still be there. Prints rows for
accelerator_course/syllabus/classroom.yaml (Linux; not run by CI). Memory is PSS: what several share is counted once.
"""

import argparse
import json
import os
import random
import signal
import statistics
import subprocess
import sys
import tempfile
import time
from concurrent.futures import ThreadPoolExecutor
from datetime import date
from pathlib import Path

from jupyter_client import KernelManager

ROOT = Path(__file__).parents[2]
NOTEBOOKS = ROOT / "notebooks"
HIDDEN = "import sys; sys.modules.update(dict.fromkeys(('jax', 'jaxlib')))"
PANEL = "next(p for p in __import__('accelerator_course.widgets.panel', fromlist=['LIVE']).LIVE if p.id == {id!r})"
SPARE, EACH = 2e9, 0.36e9  # bytes left to the machine, and counted for a learner before any was measured
MOVES, PAUSE, PATIENCE = 20, 2.0, 900  # of the slider; seconds between two; seconds


class Learner:
    """One kernel with a home of its own, and what it was seen to do."""

    def __init__(self, home, jax=True, short=True):
        self.home, self.jax, self.short, self.times = home, jax, short, []

    def start(self):
        """Start the kernel; returns seconds until it answers."""
        begin = time.perf_counter()
        own = {"ACCELERATOR_COURSE_HOME": str(self.home), "ACCELERATOR_COURSE_SHORT": str(int(self.short))}
        own |= {"PYTHONPATH": str(ROOT)}
        self.manager = KernelManager(kernel_name="python3")
        self.manager.start_kernel(env=os.environ | own, cwd=str(NOTEBOOKS), stderr=subprocess.DEVNULL)
        self.client = self.manager.client()
        self.client.start_channels()
        self.client.wait_for_ready(timeout=PATIENCE)
        self.pid = self.manager.provisioner.process.pid
        if not self.jax:
            self.ask(HIDDEN)
        return time.perf_counter() - begin

    def ask(self, code, **expressions):
        """Run a cell. Raises RuntimeError where it fails."""
        reply = self.client.execute_interactive(
            code, user_expressions=expressions, output_hook=lambda _: None, timeout=PATIENCE
        )["content"]
        if reply["status"] != "ok":
            raise RuntimeError(f"{reply['ename']}: {reply['evalue']} in\n{code}")
        return {name: value["data"]["text/plain"] for name, value in reply["user_expressions"].items()}

    def run(self, notebook):
        """Run a chapter from top to bottom; returns seconds."""
        begin = time.perf_counter()
        for cell in json.loads((NOTEBOOKS / f"{notebook}.ipynb").read_text(encoding="utf-8"))["cells"]:
            if cell["cell_type"] == "code":
                self.ask("".join(cell["source"]))
        return time.perf_counter() - begin

    def find(self, panel, control):
        """Find a slider of a panel; returns how many places it has."""
        slider = f"{PANEL.format(id=panel)}.controls[{control!r}]"
        found = self.ask("", model=f"{slider}.model_id", places=f"len({slider}.options)")
        self.model = found["model"].strip("'")
        return int(found["places"])

    def slide(self, place):
        """Move the slider as a browser does, by a message to its model; returns seconds until the kernel is done."""
        begin = time.perf_counter()
        state = {"method": "update", "state": {"index": place}, "buffer_paths": []}
        message = self.client.session.msg("comm_msg", {"comm_id": self.model, "data": state})
        self.client.shell_channel.send(message)
        drawn = False
        while True:
            told = self.client.get_iopub_msg(timeout=PATIENCE)
            if told["parent_header"].get("msg_id") != message["header"]["msg_id"]:
                continue
            drawn |= told["msg_type"] == "comm_msg"
            if told["msg_type"] == "status" and told["content"]["execution_state"] == "idle":
                break
        if not drawn:
            raise RuntimeError("the slider moved, and nothing changed")
        return time.perf_counter() - begin

    def kept(self):
        """Events in the learner's log; a line that is no JSON would raise."""
        lines = [line for file in Path(self.home).glob("*.jsonl") for line in file.read_text().splitlines()]
        return [json.loads(line) for line in lines if line]

    def pss(self):
        return held(self.pid)

    def end(self):
        self.client.stop_channels()
        self.manager.shutdown_kernel(now=True)


def held(pid):
    """Memory of a process [byte], what it shares with others counted once."""
    rollup = Path(f"/proc/{pid}/smaps_rollup").read_text()
    return 1024 * int(next(line for line in rollup.splitlines() if line.startswith("Pss:")).split()[1])


def available():
    """Bytes that the machine could still give."""
    lines = Path("/proc/meminfo").read_text().splitlines()
    return 1024 * int(next(line for line in lines if line.startswith("MemAvailable")).split()[1])


def at_once(learners, act):
    """What act(learner) returns, for all of them at the same time."""
    with ThreadPoolExecutor(len(learners)) as pool:
        return list(pool.map(act, learners))


def p95(times):
    return sorted(times)[round(0.95 * (len(times) - 1))]


def moving(learner):
    """Move the slider again and again, as a reader does."""
    draw = random.Random(str(learner.home))
    places = learner.find("dot", "m")
    time.sleep(draw.uniform(0, PAUSE))
    last = 0
    for _ in range(MOVES):
        place = draw.choice([each for each in range(places) if each != last])
        if learner.doomed and len(learner.times) == MOVES // 2:
            learner.before = learner.kept()
            os.kill(learner.pid, signal.SIGKILL)
            return
        learner.times.append(learner.slide(place))
        last = place
        time.sleep(draw.uniform(0.5, 1.5) * PAUSE)


def load(count, notebook, jax):
    """One row of the table, as a dict."""
    most = int((available() - SPARE) / EACH)
    if count > most:
        print(f"# {count} learners: the memory that is free holds {most}", flush=True)
        count = most
    with tempfile.TemporaryDirectory() as folder:
        learners = [Learner(Path(folder) / f"learner-{number}", jax) for number in range(count)]
        for learner in learners:
            learner.doomed = learner is learners[0]
        try:
            free = available()
            starts = at_once(learners, Learner.start)
            begin = time.perf_counter()
            at_once(learners, lambda learner: learner.run(notebook))
            ready = time.perf_counter() - begin
            shares, taken = [learner.pss() for learner in learners], free - available()
            at_once(learners, moving)
            times = [each for learner in learners[1:] for each in learner.times]
            after = learners[0].kept()
            lost = len(learners[0].before) - len(after) + sum(not other.kept() for other in learners)
            whole = all(len(other.times) == MOVES for other in learners[1:]) and learners[0].before
        finally:
            at_once(learners, Learner.end)
    row = {"learners": count, "jax": jax, "first_answer_s": round(max(starts), 1), "chapter_s": round(ready, 1)}
    row |= {"kernel_mb": round(statistics.median(shares) / 1e6), "all_gb": round(taken / 1e9, 1)}
    row |= {"slider_ms": round(1e3 * statistics.median(times)), "slider_p95_ms": round(1e3 * p95(times))}
    return row | {"events_lost": lost, "others_went_on": bool(whole)}


def chapters(names):
    """What one kernel holds after each chapter, row by row."""
    for path in sorted(NOTEBOOKS.glob("[0-9]*_*.ipynb")):
        if names and path.stem not in names:
            continue
        held, loaded = alone(path.stem, jax=True)
        smaller = alone(path.stem, jax=False)[0] if loaded else held
        yield {"chapter": path.stem, "kernel_mb": held, "kernel_mb_without_jax": smaller}


def alone(notebook, jax):
    """(MB that one kernel holds after a chapter, whether it has loaded JAX)."""
    with tempfile.TemporaryDirectory() as home:
        learner = Learner(Path(home), jax, short=False)
        try:
            learner.start()
            learner.run(notebook)
            loaded = learner.ask("import sys", loaded="sys.modules.get('jax') is not None")["loaded"] == "True"
            return round(learner.pss() / 1e6), loaded
        finally:
            learner.end()


def main():
    about = argparse.RawDescriptionHelpFormatter
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=about)
    parser.add_argument(
        "learners", nargs="*", help="how many, one run for each number; names of chapters with --chapters"
    )
    parser.add_argument("--notebook", default="03_roofline")
    parser.add_argument("--without-jax", action="store_true")
    parser.add_argument("--chapters", action="store_true")
    given = parser.parse_args()
    print(f"# measured {date.today()}, {os.cpu_count()} cores, {available() / 1e9:.0f} GB free", flush=True)
    counts = () if given.chapters else map(int, given.learners or ["5"])
    rows = (
        chapters(given.learners) if given.chapters else (load(n, given.notebook, not given.without_jax) for n in counts)
    )
    for row in rows:
        print("  - {" + ", ".join(f"{name}: {json.dumps(value)}" for name, value in row.items()) + "}", flush=True)


if __name__ == "__main__":
    sys.exit(main())
