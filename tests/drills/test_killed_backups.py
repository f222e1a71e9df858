"""`backup` and `restore` killed at any moment: the next run cleans up and comes to its end."""

from __future__ import annotations

import os
import subprocess
import sys
import time
from typing import TYPE_CHECKING

import psycopg
import pytest

from tests.drills.crew import times, wait_until
from tests.drills.test_backup import begin, manage
from tests.drills.test_requests import cluster
from tournaments.environment import ROOT
from tournaments.operations.services.archives import read_archive
from tournaments.operations.services.scratch import PREFIXES

if TYPE_CHECKING:
    from pathlib import Path

    from tests.drills.conftest import Tell
    from tests.servers import PostgresServer

__all__ = ["cluster"]

pytestmark = pytest.mark.slow

STEP = 0.03  # seconds by which each kill comes later than the one before


class Installation:
    """A service on an SQLite file of its own, with its temporary files."""

    def __init__(self, folder: Path) -> None:
        self.var, self.temporary = folder / "var", folder / "tmp"
        self.backups = folder / "backups"
        for each in (self.var, self.temporary, self.backups):
            each.mkdir()
        settings = {"BAZA_VAR": str(self.var), "TMPDIR": str(self.temporary)}
        others = {name: text for name, text in os.environ.items() if name != "DATABASE_URL"}
        self.environment = others | settings

    def begin(self, *words: str) -> subprocess.Popen[str]:
        """Start a command of the service."""
        return subprocess.Popen(
            [sys.executable, "manage.py", *words],
            cwd=ROOT,
            env=self.environment,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )

    def run(self, *words: str) -> str:
        """Run a command of the service to its end; return what it prints."""
        command = self.begin(*words)
        output, errors = command.communicate()
        assert command.returncode == 0, errors
        return output + errors

    def kill_within(self, seconds: float, *words: str) -> None:
        """Start a command, and kill it so long after its first copy, if it has not ended."""
        command = self.begin(*words)
        while not self.leftovers() and command.poll() is None:
            time.sleep(0.002)
        time.sleep(seconds)
        command.kill()
        command.communicate()

    def leftovers(self) -> list[Path]:
        """Return what lies about."""
        folders = (self.var, self.temporary, self.backups)
        return [
            path
            for folder in folders
            for path in folder.iterdir()
            if path.name.startswith(PREFIXES)
        ]


@pytest.fixture
def installation(tmp_path: Path) -> Installation:
    """Give an installation without a club."""
    installation = Installation(tmp_path)
    installation.run("migrate", "--verbosity=0")
    return installation


def test_killed_at_any_moment_a_backup_and_a_restore_are_made_by_the_next_run(
    installation: Installation, tell: Tell
) -> None:
    """Fault 47: kill -9 to `backup` and `restore`, later each time."""
    kills, found, file = times(4, 60), 0, installation.backups / "night.tar"
    restoring = ("restore", str(file), "--replace", "baza.sqlite3")
    for words in (("backup", str(file)), restoring):
        installation.run(*words)
        for kill in range(kills):
            installation.kill_within(STEP * kill, *words)
            left = installation.leftovers()
            output = installation.run(*words)
            for path in left:
                assert f"removed {path}: a run that was killed had left it behind" in output
            assert installation.leftovers() == []
            assert read_archive(file)["state"]["tables"]
            found += len(left)
    assert found > 1
    tell(f"{2 * kills} runs of backup and restore killed, {found} copies left and removed", 0)


@pytest.mark.postgres
def test_a_restore_killed_after_the_swap_is_made_by_the_steps_of_the_runbook(
    cluster: tuple[PostgresServer, str], tmp_path: Path, tell: Tell
) -> None:
    """Fault 47: kill -9 to a restore on PostgreSQL, whose old schema is set aside."""
    _server, url = cluster
    file = tmp_path / "night.tar"
    restoring = ("restore", str(file), "--replace", "baza")
    manage(url, "backup", str(file))
    # Seen from another database: a restore is refused where others are connected.
    with psycopg.connect(url.removesuffix("/baza") + "/postgres", autocommit=True) as server:
        loading = "SELECT 1 FROM pg_stat_activity WHERE application_name = 'pg_restore'"
        connected = "SELECT 1 FROM pg_stat_activity WHERE datname = 'baza'"
        restore = begin(url, *restoring)
        wait_until(lambda: server.execute(loading).fetchone(), "the swap", pause=0.002)
        restore.kill()
        restore.communicate()
        wait_until(lambda: not server.execute(connected).fetchone(), "the end of pg_restore")
    refused = begin(url, *restoring)
    assert "a restore was broken off" in refused.communicate()[1]
    assert refused.returncode == 1
    text = (ROOT / "docs" / "operators" / "runbook.md").read_text(encoding="utf-8")
    way_back = text.partition("`psql baza -c '")[2].partition("'`")[0].split("' -c '")
    with psycopg.connect(url) as database:
        for statement in way_back:
            database.execute(statement)
    assert "equal to all that the backup states" in manage(url, *restoring)
    tell("1 restore killed with the old schema set aside", 0)
