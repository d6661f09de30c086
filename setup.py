"""The one step of the build that pyproject.toml cannot say: notebooks/ and quizzes/ go into the package, as course/.

An editable install needs no copy: it finds them where they are (accelerator_lib/places.py).
"""

import shutil
from pathlib import Path

from setuptools import setup
from setuptools.command.build_py import build_py

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
        return [*super().get_source_files(), *self._copies()]

    def get_outputs(self, include_bytecode=1):
        """What was built."""
        return [*super().get_outputs(include_bytecode), *map(str, self._copies().values())]

    def _copies(self):
        """{file of the checkout: where the build puts it}"""
        course = Path(self.build_lib) / "accelerator_lib" / "course"
        return {str(path): course / path for taken in TAKEN for path in sorted(Path().glob(taken))}


setup(cmdclass={"build_py": Build})
