"""Backups are made while others write, and what is restored is what was there at one moment."""

from __future__ import annotations

import io
import os
import resource
import stat
import tarfile
import threading
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any, cast

import psycopg
import pytest
from django.apps import apps
from django.core.management import CommandError, call_command
from django.db import OperationalError, connection, models
from django.utils import timezone

from tests.audited import assert_history_is_complete
from tests.clubs import SYSTEM, a_bot_liguilla, club_night_lines, the_liguilla
from tests.flushing import without_guards
from tests.migrated import migrate_empty
from tests.servers import url_of
from tournaments.environment import read_database
from tournaments.exchange.queries.trails import installation_key, missing_guards
from tournaments.exchange.services.checkpoints import write_checkpoint
from tournaments.management.commands import up
from tournaments.management.processes import Supervisor
from tournaments.models import AuditEvent, Club, Player, Record, Result, Tournament
from tournaments.operations.queries import (
    applied_migrations,
    database_state,
    known_migrations,
    standings_digest,
)
from tournaments.operations.services import archives, backups
from tournaments.operations.services.archives import (
    BackupError,
    on_database,
    read_archive,
    write_archive,
)
from tournaments.operations.services.backups import restore
from tournaments.operations.tasks import back_up
from tournaments.profiles.services.erasing import erase_player
from tournaments.results.services.submit import submit_to_tournament

pytestmark = pytest.mark.django_db(transaction=True)

Somewhere = Callable[[], Any]


@pytest.fixture(autouse=True)
def own_folder(settings: Any, tmp_path: Path) -> None:
    """Give the test a `BAZA_VAR` of its own."""
    settings.VAR = tmp_path / "var"
    settings.VAR.mkdir()


@pytest.fixture
def somewhere(tmp_path: Path) -> Iterator[Somewhere]:
    """Give what makes an empty database of the kind at hand, and works on it."""
    with ExitStack() as leaving:

        def new_database() -> Any:
            if connection.vendor == "sqlite":
                return on_database(NAME=str(tmp_path / "elsewhere.sqlite3"))
            name = f"baza_elsewhere_{os.environ.get('PYTEST_XDIST_WORKER', 'alone')}"
            address = url_of(connection.settings_dict)
            leaving.callback(_dropped, address, name)
            with psycopg.connect(address, autocommit=True) as server:
                server.execute(f"CREATE DATABASE {name}")
            return on_database(NAME=name)

        yield new_database


def _dropped(address: str, name: str) -> None:
    with psycopg.connect(address, autocommit=True) as server:
        server.execute(f"DROP DATABASE {name} WITH (FORCE)")


@pytest.fixture
def night() -> Tournament:
    """The club night, its first round played and signed."""
    tournament = the_liguilla()
    for line in club_night_lines()[:4]:
        submit_to_tournament(SYSTEM, tournament, line)
    write_checkpoint(tournament.club_id)
    return tournament


def run(*words: str) -> str:
    output = io.StringIO()
    call_command(*words, stdout=output, stderr=output)
    return output.getvalue()


@contextmanager
def writers(tournament: Tournament) -> Iterator[None]:
    """Hand in the other records from four threads, and let go when all are written."""
    lines = iter(club_night_lines()[4:])
    taking, begun = threading.Lock(), threading.Event()

    def write() -> None:
        try:
            while True:
                with taking:
                    line = next(lines, None)
                if line is None:
                    return
                submit_to_tournament(SYSTEM, tournament, line)
                begun.set()
        finally:
            connection.close()

    threads = [threading.Thread(target=write) for _ in range(4)]
    for thread in threads:
        thread.start()
    begun.wait(60)
    yield
    for thread in threads:
        thread.join()


@pytest.mark.slow
def test_a_backup_under_load_is_of_one_moment_and_comes_back_equal(
    night: Tournament, tmp_path: Path, somewhere: Somewhere
) -> None:
    """The chain holds, standings are equal, no result is without its record and its event."""
    with writers(night):
        backup = backups.make_backup(tmp_path / "night.tar")
    manifest = read_archive(backup.path)
    assert Record.objects.count() == 28
    with somewhere():
        text = run("restore", str(backup.path))
        assert "restored: 1 clubs" in text
        assert "recovery time" in text
        restored = database_state()
        assert restored == manifest["state"]
        records = Record.objects.accepted().count()
        assert 4 < records <= 28
        assert Result.objects.live().count() == records
        assert AuditEvent.objects.filter(verb="record.accepted").count() == records
        assert_history_is_complete()
        assert missing_guards() == ()
        for line in club_night_lines():
            submit_to_tournament(SYSTEM, Tournament.objects.get(), line)
        assert standings_digest(Tournament.objects.get()) == there(night)


def there(tournament: Tournament) -> str:
    """Return the digest of a tournament's standings when all of its records are in."""
    answers: list[str] = []

    def ask() -> None:
        try:
            answers.append(standings_digest(tournament))
        finally:
            connection.close()

    thread = threading.Thread(target=ask)  # its database is the one of the tests
    thread.start()
    thread.join()
    return answers[0]


def test_a_database_that_is_not_empty_is_kept_unless_its_name_is_written_out(
    night: Tournament, tmp_path: Path, somewhere: Somewhere
) -> None:
    file = str(tmp_path / "night.tar")
    run("backup", file)
    with somewhere():
        run("restore", file)
        name = Path(str(connection.settings_dict["NAME"])).name
        Tournament.objects.update(name="Otra cosa")
        with pytest.raises(CommandError, match=f"not empty: --replace {name}"):
            run("restore", file)
        with pytest.raises(CommandError, match="not 'baza'"):
            run("restore", file, "--replace", "baza")
        assert Tournament.objects.get().name == "Otra cosa"
        assert run("restore", file, "--check-only").startswith("would be restored: 1 clubs")
        assert Tournament.objects.get().name == "Otra cosa"
        run("restore", file, "--replace", name)
        assert Tournament.objects.get().name == night.name


def migrate_all_but_the_last() -> None:
    """Bring the empty database at hand to the migration before the last, by one step back.

    A backup of the first release goes through all of them in `tests/releases/test_upgrade.py`.
    """
    migrate_empty()
    ours = sorted(name for name in known_migrations() if name.startswith("tournaments."))
    call_command("migrate", *ours[-2].split("."), verbosity=0)


@pytest.mark.slow
def test_an_installation_that_was_only_migrated_counts_as_empty(
    night: Tournament, tmp_path: Path, somewhere: Somewhere
) -> None:
    backups.make_backup(tmp_path / "night.tar")
    with somewhere():
        migrate_empty()
        assert restore(tmp_path / "night.tar").tournaments == 1


@pytest.mark.slow
def test_a_backup_of_the_release_before_is_migrated(
    night: Tournament, tmp_path: Path, somewhere: Somewhere
) -> None:
    with somewhere():
        migrate_all_but_the_last()
        with connection.cursor() as cursor:
            cursor.execute("INSERT INTO tournaments_club (name, slug, city) VALUES ('P', 'p', '')")
        backup = backups.make_backup(tmp_path / "old.tar")
        assert set(read_archive(backup.path)["state"]) == {"tables"}
        name = Path(str(connection.settings_dict["NAME"])).name
        report = restore(backup.path, replace=name)
        assert report.migrated > 0
        assert any("only rows were compared" in note for note in report.notes)
        assert Club.objects.get().slug == "p"
        assert missing_guards() == ()


def test_a_tournament_that_cannot_be_ranked_is_noted_and_the_rest_is_kept_and_restored(
    night: Tournament, tmp_path: Path, somewhere: Somewhere
) -> None:
    """Fault 42: its rows were written past the services."""
    other = a_bot_liguilla(night.club)
    other.stages.update(format="unheard of")
    text = run("backup", str(tmp_path / "night.tar"))
    assert f"standings of {other.slug}: not computed: " in text
    stated = read_archive(tmp_path / "night.tar")["state"]["standings"]
    assert stated[night.slug] == standings_digest(night)
    assert stated[other.slug].startswith("not computed: ")
    with somewhere():
        text = run("restore", str(tmp_path / "night.tar"))
        assert f"nothing to compare with: standings of {other.slug}" in text
        assert Tournament.objects.count() == 2


def pack(path: Path, manifest: dict[str, Any]) -> None:
    """Write a backup of the database at hand that says this of itself."""
    part = path.parent / archives.PARTS[connection.vendor]
    archives.copy_database(part, dict)
    write_archive(path, manifest, {part.name: part})


def test_a_backup_that_does_not_say_what_it_holds_leaves_the_database_as_it_was(
    night: Tournament, tmp_path: Path, somewhere: Somewhere
) -> None:
    backup = backups.make_backup(tmp_path / "night.tar")
    manifest = read_archive(backup.path)
    manifest["state"]["standings"][night.slug] = "sha256:other"
    pack(tmp_path / "false.tar", manifest)
    with somewhere():
        run("restore", str(backup.path))
        before = database_state()
        name = Path(str(connection.settings_dict["NAME"])).name
        with pytest.raises(BackupError, match=f"standings of {night.slug}: sha256:other in the"):
            restore(tmp_path / "false.tar", replace=name)
        assert database_state() == before


def test_a_history_that_was_broken_before_is_restored_and_reported(
    night: Tournament, tmp_path: Path, somewhere: Somewhere
) -> None:
    with without_guards(connection):
        AuditEvent.objects.filter(sequence=2).update(actor="nadie")
    backups.make_backup(tmp_path / "night.tar")
    with somewhere():
        assert "broken already when the backup was made: edited at event 2" in run(
            "restore", str(tmp_path / "night.tar")
        )


@pytest.mark.slow
def test_a_backup_without_its_triggers_is_refused_whatever_the_database_had_before(
    night: Tournament, tmp_path: Path, somewhere: Somewhere
) -> None:
    """On PostgreSQL the old tables stay in another schema, with triggers of the same names."""
    with without_guards(connection):
        backups.make_backup(tmp_path / "bare.tar")
    with somewhere():
        migrate_empty()
        with pytest.raises(BackupError, match="lacks the trigger tournaments_auditcheckpoint_"):
            restore(tmp_path / "bare.tar")
        assert missing_guards() == ()


def test_one_who_signs_with_another_key_is_reported(
    night: Tournament, tmp_path: Path, somewhere: Somewhere, settings: Any
) -> None:
    backup = backups.make_backup(tmp_path / "night.tar")
    was = installation_key()
    settings.AUDIT_KEY = "3c" * 32
    with somewhere():
        (note,) = restore(backup.path).notes
        assert "signed with another key" in note
        assert note.endswith(f"audit_verify --key {was}")


def test_one_who_was_erased_since_is_erased_again(
    night: Tournament, tmp_path: Path, somewhere: Somewhere
) -> None:
    player = Player.objects.create(club=night.club, code="Z1", name="Zoe Luna", folded="zoe luna")
    backup = backups.make_backup(tmp_path / "night.tar")
    erase_player(SYSTEM, player)
    with somewhere():
        assert "1 who were erased since the backup are erased again" in run(
            "restore", str(backup.path)
        )
        assert Player.objects.get(pk=player.pk).name != "Zoe Luna"
        assert_history_is_complete()


def test_a_list_of_the_erased_that_does_not_read_is_named_before_anything_is_restored(
    night: Tournament, tmp_path: Path, somewhere: Somewhere, settings: Any
) -> None:
    backup = backups.make_backup(tmp_path / "night.tar")
    erased = settings.VAR / "erased.ndjson"
    erased.write_text('{"number": 1001, "player"\n')
    try:
        with somewhere():
            with pytest.raises(CommandError, match=r"erased\.ndjson is no list of .* line 1"):
                run("restore", str(backup.path))
            assert backups.is_empty()
    finally:
        erased.unlink()


def test_a_disk_that_gets_full_while_it_is_restored_is_named(
    night: Tournament, tmp_path: Path, somewhere: Somewhere, monkeypatch: pytest.MonkeyPatch
) -> None:
    backup = backups.make_backup(tmp_path / "night.tar")

    def fill_the_disk() -> None:
        raise OperationalError("disk I/O error")

    with somewhere():
        with monkeypatch.context() as full:
            full.setattr(backups, "rows_by_table", fill_the_disk)
            with pytest.raises(CommandError, match="disk I/O error"):
                run("restore", str(backup.path))
        assert backups.is_empty()


def test_no_device_is_replaced_by_a_backup(night: Tournament, tmp_path: Path) -> None:
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    for command in ("backup", "export_all"):
        with pytest.raises(CommandError, match="pipe: not a file"):
            run(command, str(pipe))
    assert pipe.is_fifo()


@pytest.mark.parametrize("options", [(), ("--keep", "3")])
def test_a_path_that_no_file_can_have_is_named(options: tuple[str, ...]) -> None:
    with pytest.raises(CommandError, match="xxx: File name too long"):
        run("backup", "/tmp/" + "x" * 5000, *options)  # noqa: S108 - nothing is written


def test_keys_are_in_a_backup_only_when_it_is_said(
    night: Tournament, tmp_path: Path, somewhere: Somewhere, settings: Any
) -> None:
    (settings.VAR / "secret-key").write_text("an older one")
    backups.make_backup(tmp_path / "without.tar")
    assert settings.SECRET_KEY.encode() not in (tmp_path / "without.tar").read_bytes()
    assert "the keys are in it" in run("backup", str(tmp_path / "with.tar"), "--with-keys")
    assert (tmp_path / "with.tar").stat().st_mode & 0o777 == 0o600
    with somewhere():
        with pytest.raises(CommandError, match="no keys in the backup"):
            run("restore", str(tmp_path / "without.tar"), "--with-keys")
        run("restore", str(tmp_path / "with.tar"), "--with-keys")
    assert (settings.VAR / "secret-key").read_text() == settings.SECRET_KEY
    assert (settings.VAR / "secret-key.before").read_text() == "an older one"
    assert (settings.VAR / "audit-key").read_text() == settings.AUDIT_KEY


def test_a_restored_key_that_a_variable_overrides_is_named(
    night: Tournament,
    tmp_path: Path,
    somewhere: Somewhere,
    settings: Any,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    backups.make_backup(tmp_path / "with.tar", keys=True)
    monkeypatch.setenv("BAZA_AUDIT_KEY", settings.AUDIT_KEY)
    monkeypatch.setenv("BAZA_SECRET_KEY", "another" * 9)
    settings.SECRET_KEY = "another" * 9
    with somewhere():
        notes = backups.restore(tmp_path / "with.tar", keys=True).notes
    path = settings.VAR / "secret-key"
    assert len(notes) == 1
    assert notes[0].startswith(f"BAZA_SECRET_KEY is set and wins over the restored key in {path}")


# --- files that are not whole --------------------------------------------------------------------


def test_a_file_that_is_damaged_or_cut_short_is_refused_with_the_place(
    night: Tournament, tmp_path: Path, somewhere: Somewhere
) -> None:
    backup = backups.make_backup(tmp_path / "night.tar")
    whole = backup.path.read_bytes()
    with tarfile.open(backup.path) as tar:
        members = tar.getmembers()
    part = members[2]
    cases = [
        (whole[:0], "manifest.json"),
        (whole[: members[0].offset_data + 9], "manifest.json"),
        (whole[: members[1].offset], "before manifest.sha256"),
        (changed(whole, members[0].offset_data + 30), "manifest.json is not as it was written"),
        (whole[: part.offset], f"before {part.name}"),
        (whole[: part.offset_data + part.size // 2], f"cut short in {part.name}"),
        (changed(whole, part.offset), f"before {part.name}"),
        (changed(whole, part.offset_data + part.size // 2), f"{part.name} is not as it was"),
    ]
    with somewhere():
        for content, place in cases:
            (tmp_path / "bad.tar").write_bytes(content)
            with pytest.raises(BackupError, match=place):
                restore(tmp_path / "bad.tar")
        assert connection.introspection.table_names() == []


def changed(content: bytes, at: int) -> bytes:
    """Return the content with one bit turned."""
    return content[:at] + bytes([content[at] ^ 1]) + content[at + 1 :]


def test_what_is_no_backup_of_this_service_is_refused(night: Tournament, tmp_path: Path) -> None:
    backup = backups.make_backup(tmp_path / "night.tar")
    manifest = read_archive(backup.path)
    other = {"sqlite": "postgresql", "postgresql": "sqlite"}[connection.vendor]
    later = [*manifest["migrations"], "tournaments.9999_later"]
    for changes, text in (
        ({"format": "baza-backup/2"}, "its format is"),
        ({"database": {"kind": other, "version": "1"}}, "use export_all and import_all"),
        ({"migrations": later}, "later release: tournaments.9999_later"),
    ):
        pack(tmp_path / "other.tar", {**manifest, **changes})
        with pytest.raises(BackupError, match=text):
            restore(tmp_path / "other.tar")
    with pytest.raises(BackupError, match="No such file"):
        restore(tmp_path / "none.tar")


def test_a_full_disk_leaves_the_backup_of_before_and_nothing_half_written(
    night: Tournament, tmp_path: Path
) -> None:
    folder = tmp_path / "kept"
    folder.mkdir()
    before = backups.make_backup(folder / "night.tar").path.read_bytes()
    soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (4096, hard))
    try:
        with pytest.raises(BackupError):
            backups.make_backup(folder / "night.tar")
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))
    assert (folder / "night.tar").read_bytes() == before
    assert [path.name for path in folder.iterdir()] == ["night.tar"]
    with pytest.raises(CommandError, match="No such file"):
        run("backup", str(tmp_path / "nowhere" / "night.tar"))


def test_what_does_not_read_gets_no_name_and_the_night_is_still_due(
    night: Tournament, tmp_path: Path, settings: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A disk that gives back other bytes than it was given."""
    folder = tmp_path / "kept"
    folder.mkdir()
    before = backups.make_backup(folder / "night.tar").path.read_bytes()

    def write_badly(path: Path, *what: Any) -> None:
        write_archive(path, *what)
        data = path.read_bytes()
        path.write_bytes(changed(data, len(data) // 2))

    monkeypatch.setattr(backups, "write_archive", write_badly)
    settings.BACKUPS = folder
    for make in (lambda: backups.make_backup(folder / "night.tar"), backups.back_up_when_due):
        with pytest.raises(BackupError, match="not as it was written"):
            make()
    assert {path.name for path in folder.iterdir()} == {"night.tar", ".lock"}
    assert (folder / "night.tar").read_bytes() == before
    assert backups.is_due(timezone.now())


# --- every night ---------------------------------------------------------------------------------


def test_a_folder_keeps_the_newest(night: Tournament, tmp_path: Path) -> None:
    for day in (1, 2, 3):
        (tmp_path / f"baza-2026010{day}-040000Z.tar").write_bytes(b"old")
    (tmp_path / "baza-of-the-club.tar").write_bytes(b"not ours")
    text = run("backup", str(tmp_path), "--keep", "2")
    assert text.count("removed") == 2
    backup_list = backups.backups_in(tmp_path)
    assert [backup.path.name for backup in backup_list][1:] == ["baza-20260103-040000Z.tar"]
    assert (tmp_path / "baza-of-the-club.tar").exists()
    with pytest.raises(CommandError, match="--keep takes"):
        run("backup", str(tmp_path / "one.tar"), "--keep", "2")


def test_a_backup_is_read_by_its_owner_alone_in_whatever_folder_it_lies(
    night: Tournament, tmp_path: Path
) -> None:
    tmp_path.chmod(0o755)
    call_command("backup", str(tmp_path / "club.tar"), stdout=io.StringIO())
    assert stat.S_IMODE((tmp_path / "club.tar").stat().st_mode) == 0o600


def test_one_backup_a_night_is_made_and_operators_see_its_age(
    night: Tournament, tmp_path: Path, settings: Any
) -> None:
    settings.BACKUPS = None
    back_up()
    assert backups.last_backup() is None
    settings.BACKUPS, settings.BACKUPS_KEPT = tmp_path, 2
    back_up()
    back_up()
    last = backups.last_backup()
    assert last is not None
    assert backups.backups_in(tmp_path) == [last]
    assert last.age < timedelta(minutes=10)
    assert read_archive(last.path)["state"]["standings"] == {night.slug: standings_digest(night)}


@pytest.mark.slow
def test_up_makes_a_backup_before_it_migrates_and_does_not_migrate_without(
    tmp_path: Path, somewhere: Somewhere, settings: Any
) -> None:
    folder: Path = settings.VAR / "backups"
    with somewhere():
        migrate_all_but_the_last()
        before = applied_migrations()
        folder.touch()
        with pytest.raises(CommandError, match="no backup can be made before the migrations"):
            prepare()
        assert applied_migrations() == before
        folder.unlink()
        text = prepare()
        (backup,) = backups.backups_in(folder)
        assert f"before the migrations: {backup.path}" in text
        assert read_archive(backup.path)["migrations"] == before
        assert set(applied_migrations()) == known_migrations()
        prepare()
        assert backups.backups_in(folder) == [backup]


class Here:
    """Runs the commands of `manage.py` in this process, which has the test's database."""

    def run(self, command: Sequence[str]) -> int:
        call_command(*command[2:])
        return 0


def prepare() -> str:
    """Prepare the database as `./baza up` does; return what it prints."""
    output = io.StringIO()
    up.Command(stdout=output).prepare_database(cast("Supervisor", Here()), empty=True)
    return output.getvalue()


@pytest.mark.parametrize(
    ("last", "now", "due"),
    [
        ("20260110-030000", "2026-01-10T02:59", False),
        ("20260110-025900", "2026-01-10T03:00", True),
        ("20260110-030000", "2026-01-11T02:59", False),
        ("20260110-030000", "2026-01-11T03:15", True),
        ("20260110-190000", "2026-01-12T18:00", True),
    ],
)
def test_a_backup_is_due_when_there_is_none_since_four_in_the_morning(
    last: str, now: str, due: bool, tmp_path: Path, settings: Any
) -> None:
    """By the clock of Madrid, an hour ahead of UTC in winter."""
    settings.BACKUPS = tmp_path
    (tmp_path / f"baza-{last}Z.tar").write_bytes(b"")
    assert backups.is_due(datetime.fromisoformat(now).replace(tzinfo=UTC)) == due


# --- what a backup leaves out, and how PostgreSQL is asked ---------------------------------------


def test_no_row_keeps_a_file_outside_the_database() -> None:
    fields = [field for model in apps.get_models() for field in model._meta.get_fields()]
    assert not [field for field in fields if isinstance(field, models.FileField)]


def test_no_password_stands_on_a_command_line(tmp_path: Path) -> None:
    url = "postgresql://olga:pass%20word%23@db.example:5433/baza?sslmode=require"
    described = read_database({"DATABASE_URL": url}, tmp_path)
    with archives.libpq_environment(described) as environment:
        service = Path(environment["PGSERVICEFILE"])
        assert service.stat().st_mode & 0o777 == 0o600
        assert set(service.read_text().splitlines()) == {
            *("[baza]", "dbname=baza", "user=olga", "password=pass word#", "host=db.example"),
            *("port=5433", "sslmode=require"),
        }
        assert not any("pass word#" in value for value in environment.values())
    assert not service.exists()


def test_a_program_that_is_missing_or_too_old_is_reported(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(archives, "INSTALLED", tmp_path / "none")
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(BackupError, match="pg_dump is missing: install"):
        archives.find_program("pg_dump", 15)
    program = tmp_path / "pg_dump"
    program.write_text("#!/bin/sh\necho 'pg_dump (PostgreSQL) 14.2'\n")
    program.chmod(0o755)
    assert archives.find_program("pg_dump", 14) == str(program)
    with pytest.raises(BackupError, match="of version 14, and the server of version 15"):
        archives.find_program("pg_dump", 15)
