"""The runner before anything is installed: what it finds, and what it says when it cannot."""

import os
import re
import shutil
import subprocess
from pathlib import Path

import pytest

from tournaments.environment import ROOT

NOWHERE = "http://127.0.0.1:9/simple/"  # the discard port: nobody listens


def run(place: Path, *words: str, **variables: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [str(place / "baza"), *words],
        cwd=place,
        env={"PATH": os.environ["PATH"], **variables},
        capture_output=True,
        text=True,
        check=False,
        timeout=120,
    )


@pytest.fixture
def fresh_copy(tmp_path: Path) -> Path:
    """A place with the runner and its requirements, and no environment yet."""
    place = tmp_path / "a fresh copy"
    place.mkdir()
    shutil.copy(ROOT / "baza", place)
    shutil.copytree(ROOT / "requirements", place / "requirements")
    return place


def test_alone_it_prints_what_there_is(fresh_copy: Path) -> None:
    answer = run(fresh_copy)
    assert answer.returncode == 0
    for word in ("up", "test", "check", "fix", "bench", "drill", "audit"):
        assert f"./baza {word} " in answer.stdout
    assert not (fresh_copy / ".venv").exists()


def test_without_a_python_it_says_what_to_install(fresh_copy: Path, tmp_path: Path) -> None:
    tools = tmp_path / "tools"
    tools.mkdir()
    for name in ("sh", "dirname"):
        (tools / name).symlink_to(str(shutil.which(name)))
    answer = run(fresh_copy, "up", PATH=str(tools))
    assert answer.returncode == 1
    assert answer.stderr == (
        "baza: needs Python 3.11 or later."
        " On Debian and Ubuntu install it with: apt install python3 python3-venv\n"
    )


@pytest.mark.slow
def test_without_a_network_it_says_so_in_one_line(fresh_copy: Path, tmp_path: Path) -> None:
    answer = run(
        fresh_copy,
        "up",
        HOME=str(tmp_path),
        PIP_CONFIG_FILE=os.devnull,
        PIP_INDEX_URL=NOWHERE,
        PIP_NO_CACHE_DIR="1",
        PIP_RETRIES="0",
        UV_INDEX_URL=NOWHERE,
        UV_NO_CACHE="1",
        UV_HTTP_RETRIES="0",
    )
    assert answer.returncode == 1
    assert answer.stdout == ""
    assert answer.stderr.splitlines()[-1] == (
        "baza: cannot reach the package index: the first run needs the network."
    )


def test_a_prepared_environment_is_left_alone_without_a_word() -> None:
    python = ROOT / ".venv" / "bin" / "python"
    before = {path: path.stat().st_mtime_ns for path in (ROOT / ".venv").iterdir()}
    answer = subprocess.run(
        [python, "-I", "requirements/bootstrap.py", "base"],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=True,
    )
    assert answer.stdout + answer.stderr == ""
    assert {path: path.stat().st_mtime_ns for path in (ROOT / ".venv").iterdir()} == before


@pytest.mark.parametrize("name", ["base", "dev"])
def test_every_requirement_is_pinned_with_hashes_and_without_an_address(name: str) -> None:
    lock = (ROOT / "requirements" / f"{name}.txt").read_text()
    text = (ROOT / "requirements" / f"{name}.in").read_text()
    for line in text.splitlines():
        package = re.match(r"[a-z][a-z0-9-]*", line)
        if package:
            assert re.search(rf"^{package[0]}(\[.*\])?==\S+", lock, re.MULTILINE), line
    assert "://" not in lock
    for block in re.split(r"\n(?=[a-z])", lock.split("\n", 2)[2]):
        assert "--hash=sha256:" in block, block


def test_both_locks_pin_the_same_versions() -> None:
    base, dev = [
        set(re.findall(r"^([a-z0-9-]+)==([^ ]+)(?: ;.+)? \\$", text, re.MULTILINE))
        for text in (
            (ROOT / "requirements" / f"{name}.txt").read_text() for name in ("base", "dev")
        )
    ]
    assert len(base) > 30
    pinned = {package for package, _version in base}
    assert {pin for pin in dev if pin[0] in pinned} <= base
