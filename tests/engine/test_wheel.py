"""The wheel `tute-engine`: built, installed with nothing beside it, its documents walked."""

import doctest
import json
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path
from zipfile import ZipFile

import pytest

import engine
from engine.conformance import read_cases
from tests.docs.test_examples import examples, matches
from tournaments.environment import ROOT

pytestmark = pytest.mark.slow

README = ROOT / "tute-engine" / "README.md"
MAX_BYTES = 600_000
"""Bytes of the wheel."""
MAX_SECONDS = 0.06
"""Processor seconds of `import tute_engine`; 0.018 were measured."""


@pytest.fixture(scope="module")
def sources(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Copy the sources as they are in git: without compiled catalogues."""
    folder = tmp_path_factory.mktemp("sources")
    for name in (
        "baza_client",
        "engine",
        "conformance",
        "requirements",
        "tournaments",
        "tute-engine",
    ):
        left_out = shutil.ignore_patterns("__pycache__", "build", "*.egg-info", "*.mo")
        shutil.copytree(ROOT / name, folder / name, ignore=left_out)
    for name in ("pyproject.toml", "setup.py", "README.md", "LICENSE"):
        shutil.copy(ROOT / name, folder)
    return folder


def build_wheel(folder: Path, output: Path) -> Path:
    """Build the wheel of a folder as `pip wheel` does."""
    build = f"from setuptools.build_meta import build_wheel; build_wheel({str(output)!r})"
    subprocess.run(
        [sys.executable, "-W", "ignore", "-c", build], cwd=folder, check=True, capture_output=True
    )
    (built,) = output.glob("*.whl")
    return built


@pytest.fixture(scope="module")
def wheel(sources: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Build the wheel of the engine, as `pip wheel ./tute-engine` does."""
    return build_wheel(sources / "tute-engine", tmp_path_factory.mktemp("engine"))


@pytest.fixture(scope="module")
def installed(wheel: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Install the wheel into an empty environment, without an index; return its programs."""
    folder = tmp_path_factory.mktemp("environment")
    subprocess.run([sys.executable, "-m", "venv", folder], check=True)
    command = re.search(r"^pip install tute-engine", README.read_text("utf-8"), re.MULTILINE)
    assert command is not None
    run(command[0], folder / "bin", PIP_NO_INDEX="1", PIP_FIND_LINKS=str(wheel.parent))
    return folder / "bin"


def run(command: str, programs: Path, folder: Path | None = None, **environment: str) -> str:
    """Run a line of a shell with the environment's programs, and return what it prints."""
    path = f"{programs}{os.pathsep}{os.environ['PATH']}"
    answer = subprocess.run(
        ["sh", "-c", command],
        cwd=folder,
        env={"PATH": path, "LANG": "C.UTF-8", **environment},
        check=False,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
    )
    return answer.stdout


def test_the_wheel_is_small_and_needs_nothing(wheel: Path) -> None:
    assert wheel.stat().st_size < MAX_BYTES
    with ZipFile(wheel) as archive:
        names = archive.namelist()
        (metadata,) = (name for name in names if name.endswith("/METADATA"))
        needs = re.findall(r"^Requires-Dist: (.*)", archive.read(metadata).decode(), re.MULTILINE)
    assert needs == ['numba; extra == "fast"', 'numpy; extra == "fast"']
    assert {name.partition("/")[0] for name in names} == {"tute_engine", metadata.partition("/")[0]}


def test_both_wheels_have_the_catalogues_that_the_repository_does_not_hold(
    sources: Path, wheel: Path, tmp_path: Path
) -> None:
    texts = sorted(path.relative_to(ROOT) for path in ROOT.glob("*/locale/*/LC_MESSAGES/*.po"))
    assert len(texts) == 8
    for path in sources.glob("*/locale/*/LC_MESSAGES/*.mo"):
        path.unlink()  # the engine's build has made them
    compiled = sorted(str(path.with_suffix(".mo")) for path in texts)
    assert catalogues_in(build_wheel(sources, tmp_path)) == compiled
    engines = [name.replace("engine/", "tute_engine/", 1) for name in compiled if "engine" in name]
    assert catalogues_in(wheel) == engines


def catalogues_in(wheel: Path) -> list[str]:
    """Return the names of the compiled catalogues of a wheel."""
    with ZipFile(wheel) as archive:
        return sorted(name for name in archive.namelist() if name.endswith(".mo"))


def test_both_names_offer_the_same(installed: Path) -> None:
    program = "import tute_engine; print(*dir(tute_engine))"
    assert run(f"python -c '{program}'", installed).split() == dir(engine)


USE_ALL = """
import sys, tute_engine
from tute_engine.conformance import read_cases
print(*(case.id for case in read_cases()))
sys.modules["engine"] = None
for name in {*dir(tute_engine)} - {"playouts"}:
    getattr(tute_engine, name)
try:
    tute_engine.playouts
except ImportError as error:
    assert "tute-engine[fast]" in str(error), error
else:
    raise AssertionError("numba is there")
print([verdict.valid for verdict in tute_engine.audit_many(open("records.ndjson", "rb"))])
"""


def test_without_the_extra_everything_is_there_and_nothing_uses_the_name_engine(
    installed: Path, tmp_path: Path
) -> None:
    (tmp_path / "use_all.py").write_text(USE_ALL, encoding="utf-8")
    valid = next(c for c in read_cases() if c.kind == "record" and c.expect["valid"])
    records = f"{json.dumps(valid.input['record'])}\n{{}}\n"
    (tmp_path / "records.ndjson").write_text(records, encoding="utf-8")
    ids, verdicts = run("python use_all.py", installed, tmp_path).splitlines()
    assert verdicts == "[True, False]"
    assert ids.split() == [case.id for case in read_cases()]
    sources = installed.parent.glob("lib/python*/site-packages/tute_engine/**/*.py")
    left = re.compile(r'^\s*(?:from|import) engine\b|"engine\.', re.MULTILINE)
    assert [path.name for path in sources if left.search(path.read_text("utf-8"))] == []


def test_importing_it_takes_little_time(installed: Path) -> None:
    program = "import time; import tute_engine; print(time.process_time())"
    start = "import time; print(time.process_time())"
    took = float(run(f"python -c '{program}'", installed))
    assert took - float(run(f"python -c '{start}'", installed)) <= MAX_SECONDS


def test_the_readme_can_be_walked(installed: Path, tmp_path: Path) -> None:
    walked = examples(README, "tute|python|echo|head|sed")
    assert len(walked) > 10
    for example in walked:
        printed = run(example.command, installed, tmp_path)
        assert matches(example.output, printed), f"$ {example.command}\n{printed}"


LIBRARY = (ROOT / "docs/programs/library.md").read_text("utf-8")
EXAMPLES = [
    example.replace("import engine", "import tute_engine as engine")
    for example in re.findall(r"```python\n(.+?)```", LIBRARY, re.DOTALL)
]
"""The examples of the library's page, by the package's name."""

RUN_EXAMPLES = """
import doctest, sys
from pathlib import Path
text = Path(sys.argv[1]).read_text("utf-8")
test = doctest.DocTestParser().get_doctest(text, {}, "library", None, 0)
runner = doctest.DocTestRunner(optionflags=doctest.IGNORE_EXCEPTION_DETAIL)  # names of modules
runner.run(test)
print(*runner.summarize())
"""


def test_the_examples_of_the_library_page_run_without_anything_else(
    installed: Path, tmp_path: Path
) -> None:
    # Playouts are compiled, and an analysis takes minutes where nothing is.
    plain = "".join(one for one in EXAMPLES if "playouts" not in one and "analyse" not in one)
    (tmp_path / "examples.txt").write_text(plain, encoding="utf-8")
    (tmp_path / "run.py").write_text(RUN_EXAMPLES, encoding="utf-8")
    command = f"python {tmp_path / 'run.py'} {tmp_path / 'examples.txt'}"
    printed = run(command, installed, ROOT)  # whose files they read
    failed, attempted = map(int, printed.split())
    assert (failed, attempted > 30) == (0, True), printed


def test_the_examples_of_the_library_page_are_typed(installed: Path, tmp_path: Path) -> None:
    program = tmp_path / "examples.py"
    program.write_text(doctest.script_from_examples("".join(EXAMPLES)), encoding="utf-8")
    mypy = f"{sys.executable} -m mypy --strict --config-file= --cache-dir={tmp_path}"
    printed = run(f"{mypy} --python-executable={installed / 'python'} {program}", installed)
    assert printed == "Success: no issues found in 1 source file\n"
