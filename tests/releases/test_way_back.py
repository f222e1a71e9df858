"""An evening that begins with 0.3.0 goes on with this release, goes back, and comes again.

As `docs/releases/0.4.0.md` says; its programs are run as they stand there.
"""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from tests.releases.released import RELEASES
from tests.servers import RedisServer
from tournaments.environment import ROOT, broker_socket
from tournaments.management import broker

if TYPE_CHECKING:
    from collections.abc import Iterator

EVENING = Path(__file__).with_name("evening.py")
GUIDE = (ROOT / "docs" / "releases" / "0.4.0.md").read_text(encoding="utf-8")
BACK, FORTH = re.findall(r"^```python\n(.*?)^```$", GUIDE, re.MULTILINE | re.DOTALL)


@pytest.fixture
def release_before(tmp_path: Path) -> Path:
    """Give a folder with the code of 0.3.0."""
    (commit,) = (release.commit for release in RELEASES if release.version == "0.3.0")
    command = ["git", "-C", str(ROOT), "archive", commit]
    archive = subprocess.run(command, capture_output=True, check=False).stdout
    if not archive:
        pytest.skip("a copy without the history")
    folder = tmp_path / "0.3.0"
    folder.mkdir()
    subprocess.run(["tar", "-x", "-C", str(folder)], input=archive, check=True)
    return folder


@pytest.fixture
def var(tmp_path: Path) -> Iterator[Path]:
    """Give a folder with a broker, without which each request that posts a job waits for one."""
    folder = tmp_path / "var"
    folder.mkdir()
    with RedisServer(broker.find_server(), broker_socket(folder), folder / "broker"):
        yield folder


@pytest.mark.slow
def test_an_evening_goes_on_after_an_upgrade_and_after_the_way_back(
    release_before: Path, tmp_path: Path, var: Path
) -> None:
    def steps(release: Path, *steps: str) -> list[Any]:
        foreign = ("PYTEST_", "DATABASE_URL", "REDIS_URL", "BAZA_", "PYTHONPATH", "DJANGO_")
        environment = {k: v for k, v in os.environ.items() if not k.startswith(foreign)}
        answer = subprocess.run(
            [sys.executable, EVENING, *steps],
            cwd=release,
            env=environment | {"BAZA_VAR": str(var)},
            capture_output=True,
            text=True,
            check=False,
        )
        assert answer.returncode == 0, answer.stderr
        return list(json.loads(answer.stdout))

    for name, program in (("back.py", BACK), ("forth.py", FORTH)):
        (tmp_path / name).write_text(program, encoding="utf-8")

    begun = ("make velada", "play velada 1", "publish velada 2", "table velada")
    _, *going, before = steps(release_before, "found", *begun)
    assert going == ["running"] * 3
    here = ("undo velada", "publish velada 2", "play velada 2", "publish velada 3", "make otra")
    new = ("seat_fours mesas", "sign_up feria")
    _, after, *going = steps(ROOT, "upgrade", "table velada", *here, *new)
    assert after == before
    assert going == [*["running"] * 6, "draft"]

    back = ("listed", f"run {tmp_path / 'back.py'}", "listed")
    again = ("undo velada", "publish velada 3", "play velada 3", "play otra 1", "publish otra 2")
    unread, _, listed, *going, wrong = steps(
        release_before, *back, *again, "begin feria", "play feria 1", "verify"
    )
    assert unread == "500 internal_error"
    assert listed == ["feria", "otra", "velada"]
    last_round = "409 nothing_to_draw"
    assert going == ["running", "running", last_round, *["running"] * 4]
    named = re.findall(r"^(\w+): (\w+) \d+ is not as event \d+ left it$", wrong, re.MULTILINE)
    assert named == [("feria", "stage")]  # drawn without the cap on points

    forth = ("upgrade", f"run {tmp_path / 'forth.py'}", "listed", "verify")
    going_on = ("undo otra", "publish otra 2", "play otra 2", "undo mesas", "publish mesas 1")
    _, _, listed, wrong, *going = steps(ROOT, *forth, *going_on)
    assert listed == ["feria", "mesas", "otra", "velada"]
    assert wrong == ""
    assert going == ["running"] * 5
