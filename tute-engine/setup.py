"""Builds the package `tute_engine` from the folder `engine` and the conformance suite."""

import bz2
import re
import shutil
import sys
import tomllib
from pathlib import Path

from setuptools import find_namespace_packages, setup
from setuptools.command.build_py import build_py

HERE = Path(__file__).parent
ROOT = HERE.parent
CASES = ROOT / "conformance" / "cases"
sys.path.insert(0, str(ROOT))  # a build in an environment of its own leaves it out

from requirements.catalogues import compile_old  # noqa: E402

# Imports, the modules that are named to `import_module`, and references in docstrings.
ENGINE = re.compile(
    r'(^\s*(?:>>> )?(?:from|import) |import_module\("|:(?:class|data|func|mod):`~?)engine\b',
    re.MULTILINE,
)
CASE_DIGEST = re.compile(rb'(?<=/)[0-9a-f]{8}(?=","kind")')
"""The end of an id, which `tute_engine.conformance` computes again."""

FOLDERS = find_namespace_packages(str(ROOT / "engine"), exclude=["*__pycache__"])


class Build(build_py):
    """Copies `engine`, with `engine` in its imports changed to `tute_engine`."""

    def run(self) -> None:
        """Copy the modules and catalogues, change the imports and add the suite, compressed."""
        compile_old(ROOT)  # they are not in git, and a wheel would lack them without a word
        # A module that is gone from `engine` would stay in a wheel built later.
        shutil.rmtree(self.build_lib, ignore_errors=True)
        super().run()
        package = Path(self.build_lib) / "tute_engine"
        for path in (*package.rglob("*.py"), *package.rglob("*.pyi")):
            text = path.read_text(encoding="utf-8")
            path.write_text(ENGINE.sub(r"\1tute_engine", text), encoding="utf-8")
        cases = package / "suite" / "cases"
        cases.mkdir(parents=True, exist_ok=True)
        for path in CASES.glob("*.ndjson"):
            packed = CASE_DIGEST.sub(b"", path.read_bytes())
            (cases / f"{path.name}.bz2").write_bytes(bz2.compress(packed))


setup(
    version=tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]["version"],
    packages=["tute_engine", *(f"tute_engine.{name}" for name in FOLDERS)],
    package_dir={"tute_engine": "../engine"},
    package_data={"": ["*.mo", "*.pyi", "py.typed"]},
    include_package_data=False,
    cmdclass={"build_py": Build},
)
