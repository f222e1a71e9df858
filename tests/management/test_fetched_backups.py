"""Another machine fetches backups by `deploy/fetch_backups.py`, and knows when they are bad."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import NamedTuple

import pytest
from django.core.management import call_command

from tournaments.environment import ROOT
from tournaments.operations.services.backups import STAMP, make_backup

pytestmark = pytest.mark.django_db(transaction=True)

RSYNC = """#!/bin/sh
for word in "$@"; do source=$target target=$word; done
[ -d "$source" ] || exit 23
for file in "$source"baza-*.tar; do
    [ -e "$target/${file##*/}" ] || cp -p "$file" "$target/"
done
"""
"""What the options ask of rsync, on machines without it."""


class Machines(NamedTuple):
    """The folder of the service, and that of the other machine."""

    service: Path
    other: Path
    programs: Path

    def fetch(self, keep: int = 60, source: Path | None = None) -> tuple[int, str]:
        """Run the program as the other machine does."""
        words = [sys.executable, ROOT / "deploy/fetch_backups.py", source or self.service]
        path = f"{self.programs}:{os.environ['PATH']}"
        answer = subprocess.run(
            [*map(str, words), str(self.other), str(keep)],
            env={"PATH": path},
            capture_output=True,
            text=True,
            check=False,
        )
        assert "Traceback" not in answer.stderr
        return answer.returncode, answer.stdout + answer.stderr

    def copies(self) -> list[str]:
        return sorted(path.name for path in self.other.iterdir())


@pytest.fixture
def machines(tmp_path: Path) -> Machines:
    folders = Machines(*(tmp_path / name for name in ("service", "other", "programs")))
    for folder in folders:
        folder.mkdir()
    if shutil.which("rsync") is None:
        program = folders.programs / "rsync"
        program.write_text(RSYNC)
        program.chmod(0o755)
    return folders


def name_before(hours: int) -> str:
    return (datetime.now(tz=UTC) - timedelta(hours=hours)).strftime(STAMP)


def test_a_backup_is_fetched_once_and_can_be_restored(machines: Machines) -> None:
    made = make_backup(machines.service)
    (machines.service / ".baza-backup-half").write_text("a draft")
    assert machines.fetch() == (0, f"{made.path.name} is here and whole, with 0 before it\n")
    assert machines.fetch()[0] == 0
    assert machines.copies() == [made.path.name]
    call_command("restore", str(machines.other / made.path.name), check_only=True)


def test_the_newest_stay(machines: Machines) -> None:
    content = make_backup(machines.service).path.read_bytes()
    names = [name_before(hours) for hours in (72, 48, 24)]
    for name in names:
        (machines.service / name).write_bytes(content)
    assert machines.fetch(keep=2)[0] == 0
    assert len(machines.copies()) == 2
    assert names[0] not in machines.copies()


def test_a_damaged_copy_is_named_and_set_aside(machines: Machines) -> None:
    made = make_backup(machines.service).path
    content = bytearray(made.read_bytes())
    content[len(content) // 2] ^= 1
    made.write_bytes(content)
    code, text = machines.fetch()
    assert (code, text) == (1, f"not as their manifests say: {made.name}\n")
    assert machines.copies() == [made.with_suffix(".bad").name]
    made.write_bytes(b"no archive")
    assert machines.fetch()[0] == 1


def test_old_copies_and_a_source_that_is_away_are_named(machines: Machines) -> None:
    made = make_backup(machines.service).path
    made.rename(made.with_name(name_before(27)))
    assert machines.fetch() == (1, f"{machines.other}: no copy of the last 26 hours\n")
    code, text = machines.fetch(source=machines.service / "away")
    assert (code, "rsync failed" in text) == (1, True)
