"""What pyproject.toml cannot say: notebooks/ and quizzes/ go into the package, as course/; what learning needs.

An editable install needs no copy: it finds them where they are (accelerator_course/start/folders.py).
"""

import shutil
from pathlib import Path

from setuptools import setup
from setuptools.command.build_py import build_py

SHELL = Path("accelerator_course/labextensions/accelerator-course")  # JupyterLab looks for it in share/jupyter
NEEDS, TESTS = "requirements.txt", ("nbval",)  # of which that one runs the notebooks in CI
TAKEN = ("notebooks/*.ipynb", "notebooks/*.md", "notebooks/images/*", "quizzes/*.yaml")


class Build(build_py):
    """The package, and the course inside it."""

    def run(self):
        if self.editable_mode:
            return super().run()
        shutil.rmtree(self.build_lib, ignore_errors=True)  # what has left the course since does not come back
        super().run()
        for path, copy in self._copies().items():
            copy.parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(path, copy)

    def get_source_files(self):
        """What a source distribution takes along: a wheel built from it is the same."""
        return [*super().get_source_files(), *self._copies(), NEEDS]

    def get_outputs(self, include_bytecode=1):
        """What was built."""
        return [*super().get_outputs(include_bytecode), *map(str, self._copies().values())]

    def _copies(self):
        """{file of the checkout: where the build puts it}"""
        course = Path(self.build_lib) / "accelerator_course" / "course"
        return {str(path): course / path for taken in TAKEN for path in sorted(Path().glob(taken))}


def needed():
    """Lines of requirements.txt without test tools."""
    lines = Path(NEEDS).read_text(encoding="utf-8").splitlines()
    return [line for line in lines if line and not line.startswith(("#", *TESTS))]


def shell():
    """[(folder below the environment, files)] of the extension that JupyterLab loads, as it is: nothing is built."""
    files = [path for path in sorted(SHELL.rglob("*")) if path.is_file()]
    places = (path.parent.relative_to("accelerator_course").as_posix() for path in files)
    return [(f"share/jupyter/{place}", [path.as_posix()]) for place, path in zip(places, files, strict=True)]


setup(cmdclass={"build_py": Build}, install_requires=needed(), data_files=shell())
