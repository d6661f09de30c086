"""Good calls of every public function, overheard: an attack spoils one argument of a call that works.

What is @checked reports its calls while the package does what it is for: the keys of all questions, the examples of all
views, the worked solutions of all exercises. `listen` must come before the topics are imported.
"""

import contextlib
import copy
import doctest
import functools
import inspect
import io
import warnings
from importlib import import_module
from pathlib import Path

import accelerator_course
import accelerator_lib
from accelerator_course import syllabus
from accelerator_lib.checks import signature

FOLDER, COURSE = (Path(package.__file__).parent for package in (accelerator_lib, accelerator_course))
KEPT = 4  # calls of each function
GROUND = ("hardware", "units")  # attacked like a topic


def listen():
    """{function: [{argument: value}]}, filled from now on by every call of what is @checked later."""
    heard, checked = {}, signature.checked

    def overhearing(target):
        found = checked(target)
        if isinstance(target, type):
            rest = found.__post_init__

            def ready(self):
                names = list(inspect.signature(found).parameters)
                _keep(heard.setdefault(found, []), {name: getattr(self, name) for name in names})
                rest(self)

            found.__post_init__ = ready
            return found
        form = inspect.signature(target)

        @functools.wraps(found)
        def call(*args, **more):
            with contextlib.suppress(TypeError):
                _keep(heard.setdefault(call, []), form.bind(*args, **more).arguments)
            return found(*args, **more)

        call.__wrapped__ = target
        return call

    signature.checked = overhearing
    return heard


def _keep(calls, arguments):
    if len(calls) < KEPT and all(repr(arguments) != repr(call) for call in calls):
        with contextlib.suppress(Exception):  # what cannot be copied is not kept
            calls.append(copy.deepcopy(dict(arguments)))


def public():
    """{"roofline.roof.place": function} of all that is @checked in the topics and their frames, in order."""
    found = {}
    rooms = [*FOLDER.glob("*/*.py"), *(FOLDER / f"{name}.py" for name in GROUND), *COURSE.glob("frames/*.py")]
    for path in sorted(rooms):
        package, *parts = path.relative_to(FOLDER.parent).with_suffix("").parts
        if len(parts) == 2 and parts[0] not in (*syllabus.rooms(), "frames"):
            continue
        dotted = ".".join(part for part in parts if part != "__init__")
        module = import_module(f"{package}.{dotted}")
        for name, value in vars(module).items():
            if name[0] != "_" and hasattr(value, "kinds") and getattr(value, "__module__", "") == module.__name__:
                found[f"{dotted}.{name}"] = value
    return found


def overhear(brief=False):
    """Let the package do what it is for, in silence; what fails here fails in a test of its own. `brief`: some of it."""
    with contextlib.redirect_stdout(io.StringIO()), warnings.catch_warnings():
        warnings.simplefilter("ignore")
        for work in (_keys,) if brief else (_keys, _views, _solutions):
            for job in work():
                with contextlib.suppress(Exception):
                    job()


def _keys():
    from accelerator_course.quiz import bank, draw

    for topic in syllabus.rooms():
        for item in bank.items(topic):
            for seed in range(2):
                yield lambda item=item, seed=seed: draw.question(item, seed)
        yield lambda topic=topic: bank.load(topic)


def _views():
    from accelerator_course.views import results
    from accelerator_lib import hardware, workload

    names = {topic: import_module(f"accelerator_lib.{topic}") for topic in syllabus.rooms()}
    names |= {name: import_module(f"accelerator_course.{name}") for name in ("ladder", "league", "measure")}
    names |= {name: getattr(results, name) for name in ("Across", "Along", "Axis")}
    names |= {"np": import_module("numpy"), "hardware": hardware, "Gemm": workload.Gemm, "Conv": workload.Conv}
    for path in sorted((COURSE / "views").glob("*/*.py")):
        module = import_module(".".join(path.relative_to(COURSE.parent).with_suffix("").parts))
        for value in vars(module).values():
            if inspect.isclass(value) and value.__module__ == module.__name__ and value.__doc__:
                scope = {**vars(module), **names, "view": _Deaf()}
                for example in doctest.DocTestParser().get_examples(value.__doc__):
                    if example.source.startswith("view = "):
                        continue  # no picture is drawn: only its numbers are wanted
                    yield lambda line=example.source, scope=scope: exec(line, scope)


class _Deaf:
    """Stands in for a view: whatever it is shown has been computed."""

    def __getattr__(self, name):
        return lambda *arguments, **more: None


def _solutions():
    from accelerator_course import exercises

    for topic in syllabus.rooms():
        for exercise in exercises.of(topic):
            yield lambda exercise=exercise: exercises.check(exercise.id, exercise.solution)
