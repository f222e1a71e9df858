"""What killed runs of `backup`, `restore` and `export_all` leave, and files that are no backups."""

from __future__ import annotations

import fcntl
import hashlib
import io
import json
import os
import subprocess
import sys
import tarfile
import tempfile
from contextlib import suppress
from datetime import timedelta
from pathlib import Path
from random import Random
from typing import Any

import pytest
from django.core.management import CommandError, call_command
from django.db import connection
from django.utils import timezone

from tests.clubs import the_liguilla
from tests.quick import examples
from tournaments.environment import ROOT
from tournaments.operations.services import archives, backups, scratch
from tournaments.operations.services.archives import BackupError, read_archive
from tournaments.operations.services.scratch import PREFIXES, remove_leftovers, scratch_folder

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture(autouse=True)
def own_folders(settings: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Give the test a `BAZA_VAR` and temporary files of its own."""
    settings.VAR = tmp_path / "var"
    settings.VAR.mkdir()
    temporary = tmp_path / "tmp"
    temporary.mkdir()
    monkeypatch.setattr(tempfile, "tempdir", str(temporary))


def leftovers(folder: Path) -> list[str]:
    return [path.name for path in folder.iterdir() if path.name.startswith(PREFIXES)]


# --- Killed ---------------------------------------------------------------------------------------


HELD = """
import sys, time
from pathlib import Path
from tournaments.operations.services.scratch import scratch_folder
with scratch_folder(sys.argv[1], Path(sys.argv[2])) as folder:
    (folder / "copy").write_text("all names")
    print(folder, flush=True)
    time.sleep(600)
"""


def hold_folder(prefix: str, parent: Path) -> tuple[subprocess.Popen[str], Path]:
    """Start a process that uses a folder for a copy; return it and the folder."""
    process = subprocess.Popen(
        [sys.executable, "-c", HELD, prefix, str(parent)],
        cwd=ROOT,
        stdout=subprocess.PIPE,
        text=True,
    )
    assert process.stdout is not None
    return process, Path(process.stdout.readline().strip())


def test_the_next_backup_removes_what_killed_runs_left_and_says_so(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    the_liguilla()
    folder = tmp_path / "backups"
    folder.mkdir()
    killed = [hold_folder(prefix, folder) for prefix in PREFIXES]
    living, used = hold_folder(scratch.BACKUP, folder)
    old_release = tmp_path / "tmp" / "baza-service-abc"
    old_release.write_text("[baza]\npassword=secret\n")
    for process, _ in killed:
        process.kill()
        process.communicate()
    try:
        call_command("backup", str(folder), stdout=io.StringIO())
        assert [path for _, path in killed if path.exists()] == []
        assert not old_release.exists()
        assert (used / "copy").exists()
        for path in (*(path for _, path in killed), old_release):
            assert f"removed {path}: a run that was killed had left it behind" in caplog.text
        assert str(used) not in caplog.text
    finally:
        living.kill()
        living.communicate()
    remove_leftovers(folder)
    assert leftovers(folder) == []


def test_what_is_no_folder_of_ours_stays(tmp_path: Path) -> None:
    other = tmp_path / "other"
    other.mkdir()
    (tmp_path / ".baza-backup-link").symlink_to(other)
    os.mkfifo(tmp_path / ".baza-restore-pipe")
    (tmp_path / "baza-20260101-040000Z.tar").write_bytes(b"old")
    remove_leftovers(tmp_path, tmp_path / "none", None)
    assert other.exists()
    assert (tmp_path / "baza-20260101-040000Z.tar").exists()


def test_a_folder_that_another_run_removes_before_it_is_locked_is_made_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    flock, calls = fcntl.flock, list[Path]()

    def removed_first(handle: int, operation: int) -> None:
        (folder,) = tmp_path.glob(".baza-backup-*")
        calls.append(folder)
        if len(calls) == 1:
            folder.rmdir()
        flock(handle, operation)

    monkeypatch.setattr(fcntl, "flock", removed_first)
    with scratch_folder(scratch.BACKUP, tmp_path) as folder:
        assert folder.exists()
    assert len(calls) == 2
    assert leftovers(tmp_path) == []


# --- The clock was ahead --------------------------------------------------------------------------


@pytest.mark.parametrize("kept", [1, 2])
def test_a_new_backup_is_kept_beside_those_dated_in_the_future_which_are_named(
    kept: int, tmp_path: Path
) -> None:
    the_liguilla()
    ahead = [f"baza-2099010{day}-040000Z.tar" for day in (1, 2, 3)]
    for name in (*ahead, "baza-20200101-040000Z.tar", "baza-20200102-040000Z.tar"):
        (tmp_path / name).write_bytes(b"old")
    output, errors = io.StringIO(), io.StringIO()
    call_command("backup", str(tmp_path), "--keep", str(kept), stdout=output, stderr=errors)
    new = Path(output.getvalue().partition(": ")[0])
    assert read_archive(new)["format"] == archives.FORMAT
    names = [backup.path.name for backup in backups.backups_in(tmp_path)]
    assert names == [*reversed(ahead), new.name, "baza-20200102-040000Z.tar"][: 3 + kept]
    for name in ahead:
        assert f"{name} is dated in the future" in errors.getvalue()


def test_backups_of_every_night_are_kept_after_the_clock_was_put_right(
    tmp_path: Path, settings: Any
) -> None:
    the_liguilla()
    settings.BACKUPS, settings.BACKUPS_KEPT = tmp_path, 2
    ahead = timezone.now() + timedelta(days=3)
    for day in range(2):
        name = (ahead + timedelta(days=day)).strftime(backups.STAMP)
        (tmp_path / name).write_bytes(b"old")
    backup = backups.back_up_when_due()
    assert backup is not None
    assert backup.path.exists()
    assert backups.last_backup() is not None
    assert len(backup.notes) == 2


# --- No backup ------------------------------------------------------------------------------------


def sealed(path: Path, manifest: Any, parts: dict[str, bytes]) -> Path:
    """Write an archive whose seal fits, whatever its manifest says."""
    text = json.dumps(manifest).encode() if not isinstance(manifest, bytes) else manifest
    seal = hashlib.sha256(text).hexdigest().encode()
    members = {archives.MANIFEST: text, archives.SEAL: seal, **parts}
    with tarfile.open(path, "w") as tar:
        for name, content in members.items():
            member = tarfile.TarInfo(name)
            member.size = len(content)
            tar.addfile(member, io.BytesIO(content))
    return path


@pytest.fixture
def good(tmp_path: Path) -> tuple[dict[str, Any], dict[str, bytes]]:
    """The manifest and the parts of a backup."""
    the_liguilla()
    path = backups.make_backup(tmp_path / "good.tar").path
    with tarfile.open(path) as tar:
        parts = {each.name: tar.extractfile(each).read() for each in tar.getmembers()[2:]}  # type: ignore[union-attr]
    return read_archive(path), parts


def refusal_of(path: Path) -> str:
    """The one line that `restore --check-only` gives as its reason."""
    with pytest.raises(CommandError) as refused:
        call_command("restore", str(path), "--check-only", stdout=io.StringIO())
    text = str(refused.value)
    assert text
    assert "\n" not in text.strip()
    return text


def test_a_malformed_manifest_is_one_line(
    good: tuple[dict[str, Any], dict[str, bytes]], tmp_path: Path
) -> None:
    manifest, parts = good
    for name in archives.FIELDS:
        for value in (None, 1, "", "x", [], [1], {}, {"kind": 1}, {"tables": {"a": "b"}}, {"a": 1}):
            if (name == "audit_key" and isinstance(value, str)) or (
                name == "migrations" and value in ([], {}, "")
            ):
                continue  # of the right form
            path = sealed(tmp_path / "bad.tar", {**manifest, name: value}, parts)
            refusal_of(path)
        without = {key: value for key, value in manifest.items() if key != name}
        path = sealed(tmp_path / "bad.tar", without, parts)
        assert f"{name} is missing or malformed" in refusal_of(path)
    for text in (b"[]", b"1", b"{", b"\xff", b"[" * 100_000, b'{"format": ' + b"9" * 5000 + b"}"):
        refusal_of(sealed(tmp_path / "bad.tar", text, parts))


def test_a_part_that_is_no_database_is_one_line(
    good: tuple[dict[str, Any], dict[str, bytes]], tmp_path: Path
) -> None:
    manifest, parts = good
    (name,) = parts
    whole = parts[name]
    for content in (b"", b"no database", whole[: len(whole) // 2], b"\x1f\x8b" + bytes(40)):
        digest = {"bytes": len(content), "sha256": hashlib.sha256(content).hexdigest()}
        changed = {**manifest, "parts": {name: digest}}
        refusal_of(sealed(tmp_path / "bad.tar", changed, {name: content}))
    refusal_of(sealed(tmp_path / "bad.tar", {**manifest, "parts": {}}, {}))


def test_a_file_changed_anywhere_is_refused_or_holds(
    good: tuple[dict[str, Any], dict[str, bytes]], tmp_path: Path
) -> None:
    whole, chance = (tmp_path / "good.tar").read_bytes(), Random(19)
    heads = whole.index(b"SQLite") if b"SQLite" in whole else 6000
    for _ in range(examples(2000)):
        content = bytearray(whole)
        for _ in range(chance.choice((1, 2, 8, 40))):
            content[chance.randrange(min(heads, len(content)))] = chance.randrange(256)
        path = tmp_path / "bad.tar"
        path.write_bytes(content[: chance.choice((len(content), chance.randrange(6000)))])
        with suppress(BackupError):
            read_archive(path)
    assert connection.introspection.table_names()
