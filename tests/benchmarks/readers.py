"""What readers of one page need: Voila serves chapter 3, they come one after the other, and all stay.

    python tests/benchmarks/readers.py 6

Prints a row for accelerator_course/syllabus/classroom.yaml (Linux; not run by CI). Memory is PSS: what several share is counted
once.
"""

import json
import os
import socket
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from urllib.error import URLError
from urllib.request import urlopen

from load import held

ROOT = Path(__file__).parents[2]
READ = [sys.executable, "-m", "accelerator_course.pages", "read", "03_roofline", "--no-browser", "--Voila.ip=0.0.0.0"]
PATIENCE = 600  # seconds


def kernels(pid):
    """Processes of the kernels of a server."""
    children = Path(f"/proc/{pid}/task/{pid}/children").read_text().split()
    return [child for child in children if "ipykernel" in Path(f"/proc/{child}/cmdline").read_text()]


def page(address):
    """Seconds until a page is there whole."""
    begin = time.perf_counter()
    with urlopen(address, timeout=PATIENCE) as answer:
        answer.read()
    return time.perf_counter() - begin


def answers(port):
    """Wait for a server. Raises TimeoutError."""
    for _ in range(PATIENCE):
        try:
            socket.create_connection(("127.0.0.1", port), timeout=1).close()
            return
        except OSError:
            time.sleep(1)
    raise TimeoutError("Voila does not answer")


def measure(readers):
    """The row, as a dict."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    with tempfile.TemporaryDirectory() as folder:
        own = os.environ | {"PYTHONPATH": str(ROOT), "TMPDIR": folder}
        server = subprocess.Popen([*READ, f"--port={port}"], env=own, stderr=subprocess.DEVNULL)
        try:
            answers(port)
            alone = held(server.pid)
            times = [page(f"http://127.0.0.1:{port}/") for _ in range(readers)]
            grown, each = held(server.pid), [held(pid) for pid in kernels(server.pid)]
        except URLError as error:
            sys.exit(f"readers: {error}")
        finally:
            server.terminate()
            server.wait()
    if len(each) != readers:
        sys.exit(f"readers: {len(each)} kernels for {readers} pages")
    row = {"readers": readers, "page_s": round(statistics.median(times), 1)}
    row |= {"kernel_mb": round(statistics.median(each) / 1e6), "server_mb": round(alone / 1e6)}
    row |= {"server_mb_each": round((grown - alone) / readers / 1e6, 1), "all_gb": round((grown + sum(each)) / 1e9, 2)}
    return row


if __name__ == "__main__":
    for count in map(int, sys.argv[1:] or ["6"]):
        print("  - " + json.dumps(measure(count)).replace('"', ""), flush=True)
