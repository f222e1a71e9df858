"""Builds the package `baza`: what pyproject.toml says, and the catalogues, which are not in git."""

import sys
from pathlib import Path

from setuptools import setup
from setuptools.command.build_py import build_py

ROOT = Path(__file__).resolve().parent
sys.path.insert(0, str(ROOT))  # a build in an environment of its own leaves it out

from requirements.catalogues import compile_old  # noqa: E402


class Build(build_py):
    """Copies the modules after the catalogues are compiled."""

    def run(self) -> None:
        """Compile the catalogues, which a wheel would lack without a word."""
        compile_old(ROOT)
        super().run()


setup(cmdclass={"build_py": Build})
