"""No process starts on a damaged SQLite file."""

from __future__ import annotations

import os
import subprocess
import sys
from typing import TYPE_CHECKING

import pytest
from django.conf import settings
from django.core.exceptions import ImproperlyConfigured

from tests.damage import damaged_file
from tournaments.celery import check_database
from tournaments.core.db import refuse_damaged_database
from tournaments.environment import ROOT

if TYPE_CHECKING:
    from pathlib import Path


@pytest.fixture
def database(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    path = tmp_path / "baza.sqlite3"
    monkeypatch.setitem(settings.DATABASES["default"], "ENGINE", "django.db.backends.sqlite3")
    monkeypatch.setitem(settings.DATABASES["default"], "NAME", str(path))
    return path


def test_a_file_that_is_whole_or_not_there_yet_is_let_pass(database: Path) -> None:
    refuse_damaged_database()
    assert not database.exists()
    database.touch()
    refuse_damaged_database()


def test_a_wrong_page_is_named_with_the_file_and_what_to_do(database: Path) -> None:
    damaged_file(database)
    with pytest.raises(ImproperlyConfigured, match=r"baza\.sqlite3 is damaged: .+ 4.*restore"):
        refuse_damaged_database()


def test_a_file_that_is_no_database_is_named(database: Path) -> None:
    database.write_text("nonsense " * 1000)
    with pytest.raises(ImproperlyConfigured, match="damaged: file is not a database"):
        refuse_damaged_database()


def test_a_worker_and_the_scheduler_end_with_the_reason(database: Path) -> None:
    damaged_file(database)
    with pytest.raises(SystemExit, match=r"^celery: the database .* is damaged"):
        check_database()


@pytest.mark.slow
def test_the_web_server_ends_with_the_reason(tmp_path: Path) -> None:
    damaged_file(tmp_path / "baza.sqlite3")
    names = {name: value for name, value in os.environ.items() if name != "DATABASE_URL"}
    process = subprocess.run(
        [sys.executable, "-c", "import tournaments.asgi"],
        check=False,
        cwd=ROOT,
        env={**names, "BAZA_VAR": str(tmp_path)},
        capture_output=True,
        text=True,
    )
    assert process.returncode == 1
    assert "is damaged" in process.stderr.splitlines()[-1]
