"""The image of a class and the values of its hub: what can be seen of them where no Docker and no cluster is."""

import json
import os
import re
import shlex
import subprocess
import sys
import threading
from http.server import BaseHTTPRequestHandler, HTTPServer
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path

import pytest
import teaching
import yaml
from packaging.requirements import Requirement

from accelerator_course import syllabus
from accelerator_lib import data

ROOT = Path(__file__).parents[1]
BINDER = ROOT / "binder"
TEXT = (BINDER / "class.Dockerfile").read_text(encoding="utf-8")
LOCK = (BINDER / "requirements.txt").read_text(encoding="utf-8")
HUB_LOCK = (BINDER / "hub-requirements.txt").read_text(encoding="utf-8")
VALUES = data.parse(BINDER / "hub.yaml")
MEASURED = syllabus.load("classroom")


LINES = "\n".join(line for line in TEXT.splitlines() if line.strip() and not line.startswith("#"))
STEPS = [tuple(line.split(maxsplit=1)) for line in re.sub(r"\\\n\s*", " ", LINES).splitlines()]  # (word, the rest)


def of(word):
    return [rest for name, rest in STEPS if name == word]


def pins(lock):
    """{name: version}; of several for several Pythons, the newest."""
    return dict(re.findall(r"^([\w.-]+)==(\S+)", lock, re.M))


def test_everything_that_is_copied_exists_is_let_through_and_builds_the_wheel():
    assert not (BINDER / "Dockerfile").exists() and not (ROOT / "Dockerfile").exists(), "Binder would take it"
    let = [line[1:] for line in (BINDER / "class.Dockerfile.dockerignore").read_text().splitlines() if line[:1] == "!"]
    copies = [shlex.split(rest)[:-1] for rest in of("COPY") if not rest.startswith("--from")]
    copied = {source for sources in copies for source in sources}
    assert set(let) == {source.partition("/")[0] for source in copied}
    assert all((ROOT / each).exists() for each in (*let, *copied))
    assert {"pyproject.toml", "setup.py", "requirements.txt", "README.md", "LICENSE"} <= copied
    assert {"accelerator_lib", "accelerator_course", "notebooks", "quizzes"} <= copied


def test_it_runs_as_a_learner_with_the_number_that_the_hub_gives_files_to():
    own, (user,), order = VALUES["singleuser"], of("USER"), [name for name, _ in STEPS]
    assert user == f"{own['uid']}:{own['fsGid']}" and not user.startswith("0")
    assert order.index("USER") < order.index("ENTRYPOINT") and "RUN" not in order[order.index("USER") :]
    assert own["storage"]["homeMountPath"] == of("WORKDIR")[-1] == "/home/jovyan"
    assert all(isinstance(json.loads(of(word)[0]), list) for word in ("ENTRYPOINT", "CMD"))  # in the right form
    check = of("HEALTHCHECK")[0].partition("CMD ")[2]
    assert json.loads(check) == [json.loads(of("ENTRYPOINT")[0])[0], "--healthy"]
    assert (BINDER / "entry").stat().st_mode & 0o111


def test_versions_are_pinned_and_every_package_has_a_digest():
    wanted = (BINDER / "runtime.txt").read_text().strip().removeprefix("python-")  # as Binder takes it
    assert re.fullmatch(rf"BASE=python:{re.escape(wanted)}\.\d+-slim-\w+", of("ARG")[0])
    assert all(rest.split()[0] == "${BASE}" for rest in of("FROM"))
    installs = [line for rest in of("RUN") for line in rest.split("&&") if "pip install" in line]
    ours = [line for line in installs if "--no-deps --no-build-isolation" in line and line.split()[-1] == "."]
    assert len(installs) == 3 and all("--require-hashes" in line or line in ours for line in installs)
    for rest in of("RUN"):
        if "apt-get install" in rest:
            assert "--no-install-recommends" in rest and "rm -rf /var/lib/apt/lists/*" in rest
        assert "sudo" not in rest and "curl" not in rest
    assert not of("ADD") and "latest" not in TEXT and "PIP_NO_CACHE_DIR=1" in of("ENV")[0]
    chart = re.search(r"\(JupyterHub (\d+\.\d+)\)", (BINDER / "hub.yaml").read_text())[1]
    assert pins(HUB_LOCK)["jupyterhub"].startswith(f"{chart}."), "a server and a hub warn each other"


@pytest.mark.parametrize("part", ["hub", "site"])
def test_the_lock_of_a_part_agrees_with_the_course_and_has_digests(part):
    lock, asked = ((BINDER / f"{part}-requirements.{end}").read_text() for end in ("txt", "in"))
    ours, own = pins(LOCK), pins(lock)
    assert {name: version for name, version in own.items() if name in ours and version != ours[name]} == {}
    wanted = [Requirement(line) for line in asked.splitlines() if re.match("[a-zA-Z]", line)]
    assert wanted and all(own[each.name] in each.specifier for each in wanted)
    blocks = re.findall(r"^[a-zA-Z].*\\\n +--hash=sha256:[0-9a-f]{64}", lock, re.M)
    assert len(blocks) == len(re.findall(r"^[a-zA-Z].*==", lock, re.M)) and "://" not in lock


TWO = "b==1 \\\n    --hash=x\n    # via\n    #   a\n    #   jax\n"  # that hold each other
OF_JAX = "jax==1 \\\n    --hash=x\n    # via -r requirements.txt\nc==2 \\\n    --hash=x\n    # via jax\nd==2 \\\n    --hash=x\n    # via c\n"


def test_a_lock_without_jax_lacks_jax_and_what_only_jax_brings():
    spec = spec_from_file_location("without_jax_of_the_image", BINDER / "without_jax.py")
    module = module_from_spec(spec)
    spec.loader.exec_module(module)
    smaller = module.smaller(LOCK)
    gone = pins(LOCK).keys() - pins(smaller).keys()
    assert {"jax", "jaxlib", "scipy", "opt-einsum"} == gone
    assert "ml-dtypes" in pins(smaller) and smaller.startswith(LOCK[:40])
    for name in gone:  # nothing that stays is there for what has gone alone
        assert not re.search(rf"# via {name}\n(?! +#)", smaller)
    lock = f"a==1 \\\n    --hash=x\n    # via -r requirements.txt\n{TWO}{OF_JAX}"
    assert list(pins(module.smaller(lock))) == ["a", "b"]
    sizes = MEASURED["image"]
    whole = sizes["base_mb"] + sizes["git_mb"] + sizes["packages_mb"]
    assert whole < 1500 and sizes["packages_without_jax_mb"] < 0.7 * sizes["packages_mb"]


SCRIPTS = f"{Path(sys.executable).parent}:/usr/bin:/bin"


@pytest.fixture
def entry(tmp_path):
    """Run binder/entry as the image does, in a home of its own."""
    own = {"HOME": str(tmp_path), "PATH": SCRIPTS, "PYTHONPATH": str(ROOT)}
    return lambda *given: subprocess.run(["sh", BINDER / "entry", *given], capture_output=True, text=True, env=own)


def test_it_lays_the_notebooks_out_in_the_home_and_keeps_what_a_learner_wrote(entry, tmp_path):
    done = entry("env")
    assert done.returncode == 0, done.stderr
    there, mine = tmp_path / "accelerator-course", tmp_path / "accelerator-course" / "03_roofline.ipynb"
    opened = VALUES["singleuser"]["defaultUrl"].removeprefix("/lab/tree/")
    assert (tmp_path / opened).exists() and f"default_url={VALUES['singleuser']['defaultUrl']}" in TEXT
    told = dict(line.split("=", 1) for line in done.stdout.splitlines() if "=" in line)
    assert told["JUPYTER_PATH"] == told["JUPYTER_CONFIG_PATH"] == f"{there}/.jupyter"
    assert json.loads((there / ".jupyter" / "kernels" / "python3" / "kernel.json").read_text())["argv"][0] == "python"
    notebook = json.loads(mine.read_text())
    notebook["cells"][0]["source"] = "mine"
    mine.write_text(json.dumps(notebook))
    assert entry("true").returncode == 0 and json.loads(mine.read_text())["cells"][0]["source"] == "mine"


class Answer(BaseHTTPRequestHandler):
    def do_GET(self):
        self.server.asked.append(self.path)
        self.send_response(200 if self.path.endswith("/api") else 404)
        self.end_headers()

    def log_message(self, *_):
        pass


def test_it_is_healthy_where_its_server_answers_under_the_hubs_address_too():
    with HTTPServer(("127.0.0.1", 0), Answer) as server:
        server.asked = []
        threading.Thread(target=server.serve_forever, daemon=True).start()
        text = (BINDER / "entry").read_text().replace(":8888", f":{server.server_port}")
        command, own = ["sh", "-c", text, "entry", "--healthy"], os.environ | {"PATH": SCRIPTS}
        for more in ({}, {"JUPYTERHUB_SERVICE_PREFIX": "/user/ada/"}):
            assert subprocess.run(command, env=own | more).returncode == 0
        server.shutdown()
    assert server.asked == ["/api", "/user/ada/api"]
    assert subprocess.run(command, env=own, capture_output=True).returncode


KINDS = {"dict": dict, "int": int, "str": str, "bool": bool, "list": list, "number": (int, float)}
SCHEMA = data.parse(Path(__file__).with_suffix(".yaml"))


def conforms(values, schema):
    for name, value in values.items():
        if isinstance(schema[name], dict):
            conforms(value, schema[name])
        else:
            assert isinstance(value, KINDS[schema[name]]) and isinstance(value, bool) == (schema[name] == "bool"), name


def test_the_values_have_keys_and_kinds_that_the_chart_knows():
    conforms(VALUES, SCHEMA)
    assert VALUES["singleuser"]["storage"]["type"] == "dynamic" and VALUES["cull"]["enabled"]
    assert VALUES["singleuser"]["image"]["tag"] in (ROOT / "pyproject.toml").read_text(encoding="utf-8")
    assert VALUES["hub"]["activeServerLimit"] > max(teaching.LEARNERS), "a class of 200 and its teacher are let in"
    https = VALUES["proxy"]["https"]  # passwords do not travel in the clear
    assert https["enabled"] and https["hosts"] and "@" in https["letsencrypt"]["contactEmail"]


def test_what_the_page_says_of_other_hubs_is_what_they_read():
    """`reload` restarts the hub alone; what serves HTTPS is its proxy."""
    lines = re.findall(r"^    sudo tljh-config (.+)$", teaching.PAGE.read_text(encoding="utf-8"), re.M)
    before = " ".join(lines[: lines.index("reload")])
    assert lines[-1] == "reload proxy" and "https.enabled true" in before
    assert "https.letsencrypt.email" in before and "https.letsencrypt.domains" in before
    # ltiauthenticator 1.6 registers no short name: the hub needs that of the class
    page = teaching.PAGE.read_text(encoding="utf-8")
    values = yaml.safe_load(re.search(r"(?:^      .*\n|^\n)+(?=^  The platform asks)", page, re.M)[0])["hub"]["config"]
    module, _, name = values["JupyterHub"]["authenticator_class"].rpartition(".")
    assert (module, name) == ("ltiauthenticator.lti13.auth", "LTI13Authenticator")
    conforms(values[name], SCHEMA["lti"])
    assert set(values[name]) == set(SCHEMA["lti"]) and set(values) == {"JupyterHub", name}
    assert VALUES["hub"]["config"]["Authenticator"]["allow_all"], "JupyterHub 5 lets nobody in without"


def test_the_memory_of_a_server_agrees_with_what_was_measured():
    """Guaranteed is a server and its kernel after chapter 3, in a class; the limit holds a server and the largest chapter."""
    held, server = {row["chapter"]: row for row in MEASURED["chapters"]}, MEASURED["server_mb"]
    memory = VALUES["singleuser"]["memory"]
    guarantee, limit = (1e3 * float(memory[name].removesuffix("G")) for name in ("guarantee", "limit"))
    in_class = [row["kernel_mb"] for row in MEASURED["load"] if row["learners"] >= 30]
    assert in_class and server + max(*in_class, held["03_roofline"]["kernel_mb_without_jax"]) < guarantee
    assert server + max(row["kernel_mb"] for row in held.values()) < limit
