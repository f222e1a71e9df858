"""A backup of a service that is being written to, restored on an empty server."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import threading
from concurrent.futures import ThreadPoolExecutor
from typing import TYPE_CHECKING

import psycopg
import pytest
from django.conf import settings

from tests.clubs import club_night_lines
from tests.drills.crew import ENDURANCE, times, wait_until
from tests.drills.site import Site, run_in
from tests.drills.test_requests import cluster, until_acknowledged
from tournaments.environment import ROOT
from tournaments.operations.services.archives import read_archive

if TYPE_CHECKING:
    from pathlib import Path

    from tests.drills.conftest import Tell
    from tests.servers import PostgresServer

__all__ = ["cluster"]

pytestmark = [pytest.mark.slow, pytest.mark.postgres]


def begin(url: str, *words: str) -> subprocess.Popen[str]:
    """Start a command of the service on a database."""
    return subprocess.Popen(
        [sys.executable, "manage.py", *words],
        cwd=ROOT,
        env={**os.environ, "DATABASE_URL": url},
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )


def output_of(command: subprocess.Popen[str]) -> str:
    """Wait for a command; return all that it prints."""
    output, wrong = command.communicate()
    assert command.returncode == 0, wrong
    return output


def manage(url: str, *words: str) -> str:
    """Run a command to its end."""
    return output_of(begin(url, *words))


def test_a_backup_under_load_is_restored_on_an_empty_server(
    cluster: tuple[PostgresServer, str], tmp_path: Path, tell: Tell
) -> None:
    """Fault 33: the chain holds, standings are equal, and what was acknowledged before is there."""
    server, url = cluster
    environment = {"DATABASE_URL": url, "REDIS_URL": settings.ENVIRONMENT.redis_url}
    nights = json.loads(run_in(environment, "-m", "tests.drills.several_nights", str(times(2, 12))))
    all_of_them = len(nights) * 28
    acknowledged: list[int] = []
    under_way = threading.Event()  # half of them are kept back until the backup has begun
    with Site({**os.environ, **environment}, tmp_path) as site, ThreadPoolExecutor(6) as pool:

        def hand_in(night: tuple[str, str], number: int) -> None:
            if number >= 14:
                under_way.wait(ENDURANCE)
            (slug, token), key = night, f"{night[0]}-{number}"
            path = f"/api/v1/tournaments/{slug}/records/"
            line = club_night_lines()[number]
            response = until_acknowledged(lambda: site.submit(path, line, token, key))
            acknowledged.append(int(response.json()["record"].rstrip("/").rpartition("/")[2]))

        futures = [pool.submit(hand_in, night, n) for n in range(28) for night in nights]
        wait_until(lambda: len(acknowledged) >= all_of_them // 6, "submissions")
        before = set(acknowledged)
        file = tmp_path / "night.tar"
        backup = begin(url, "backup", str(file))
        wait_until(lambda: [*tmp_path.glob(".baza-*")] or backup.poll() is not None, "the backup")
        under_way.set()
        text = output_of(backup)
        during = len(acknowledged) - len(before)
        for future in futures:
            future.result()
    server.run("createdb", "-h", str(server.folder), "-U", "baza", "empty")
    empty = url.removesuffix("/baza") + "/empty"
    restored = manage(empty, "restore", str(file))
    assert "equal to all that the backup states" in restored
    assert manage(empty, "audit_verify").count("everything holds") == len(nights)
    assert " 0 differ" in manage(empty, "audit")
    with psycopg.connect(empty) as database:
        pks = {pk for (pk,) in database.execute("SELECT id FROM tournaments_record").fetchall()}
    assert len(acknowledged) == all_of_them
    assert len(read_archive(file)["state"]["standings"]) == len(nights)
    took = restored.partition("recovery time ")[2].partition(";")[0]
    tell(
        f"a backup ({text.split()[1]} bytes) beside {during} submissions; recovery time {took}",
        len(before - pks),
    )
