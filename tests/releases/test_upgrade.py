"""What 0.1.0 has left is found after the upgrade, and what it answered is answered alike.

`0.1.0/` holds a backup of its database and its answers (README there).
"""

from __future__ import annotations

import json
import lzma
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from django.core.management import call_command
from django.core.management.color import no_style
from django.db import connection, transaction
from django.db.migrations.loader import MigrationLoader
from django.test import Client, override_settings

from tests.clubs import SYSTEM, a_club
from tests.flushing import without_guards
from tests.releases.released import RELEASES
from tournaments.domain.file.proofs import bundle_from_bytes
from tournaments.domain.trail.rows import BASELINE
from tournaments.domain.verification import all_hold, verify
from tournaments.environment import read_database
from tournaments.exchange.queries import exports
from tournaments.exchange.services.imports import import_tournament
from tournaments.models import AuditEvent
from tournaments.operations.queries import all_standings, rows_by_table, standings_digest
from tournaments.operations.services import archives
from tournaments.operations.services.archives import on_database, read_archive
from tournaments.operations.services.backups import restore

if TYPE_CHECKING:
    from collections.abc import Iterator

pytestmark = pytest.mark.django_db(transaction=True)

FOLDER = Path(__file__).parent / "0.1.0"
BACKUP = FOLDER / "backup.tar"
ANSWERS: dict[str, dict[str, str]] = json.loads(
    lzma.decompress((FOLDER / "answers.json.xz").read_bytes())
)
"""By kind, then by the tournament's short name, the text that 0.1.0 answered."""

GROWN = "tournaments_auditevent"
"""The one table to which the migrations append rows: two baselines of each tournament."""


def answers(*kinds: str) -> list[Any]:
    """Return a parameter for each answer of these kinds: kind, short name, text."""
    return [
        pytest.param(kind, slug, text, id=f"{kind} of {slug}")
        for kind in kinds
        for slug, text in ANSWERS[kind].items()
    ]


@pytest.fixture(
    scope="module", params=["sqlite", pytest.param("postgresql", marks=pytest.mark.slow)]
)
def database(
    request: pytest.FixtureRequest,
    tmp_path_factory: pytest.TempPathFactory,
    django_db_setup: None,
    django_db_blocker: Any,
) -> Iterator[dict[str, Any]]:
    """Give the settings of a database of 0.1.0 that this release has upgraded."""
    folder = tmp_path_factory.mktemp("upgraded")
    with django_db_blocker.unblock():
        file = read_database({"DATABASE_URL": f"sqlite:///{folder / 'baza.sqlite3'}"}, folder)
        if request.param == "sqlite":
            # `restore` repeats the erasures on the list in VAR, which is of other tests.
            with on_database(**file), override_settings(VAR=folder):
                restore(BACKUP)
            yield file
            return
        url = request.getfixturevalue("postgres_url")
        server = read_database({"DATABASE_URL": url}, folder)
        read_archive(BACKUP, folder)
        copy = archives.unpack(folder / archives.PARTS["sqlite"])
        move(file | {"NAME": str(copy)}, server)
        yield server
        with on_database(**server), connection.cursor() as cursor:
            cursor.execute("DROP SCHEMA public CASCADE; CREATE SCHEMA public")


def move(file: dict[str, Any], server: dict[str, Any]) -> None:
    """Copy the rows of 0.1.0 from SQLite to PostgreSQL at its schema, and upgrade there."""
    apps = MigrationLoader(None).project_state([("tournaments", RELEASES[0].migration)]).apps
    models = [apps.get_model("auth.User"), *apps.get_app_config("tournaments").get_models()]
    with on_database(**file):
        rows = [row for model in models for row in model._base_manager.all()]
    with on_database(**server):
        call_command("migrate", "tournaments", RELEASES[0].migration, verbosity=0)
        tables = ", ".join(connection.ops.quote_name(model._meta.db_table) for model in models)
        with transaction.atomic(), without_guards(connection), connection.cursor() as cursor:
            cursor.execute(f"TRUNCATE {tables} CASCADE")  # the migrations made house bots
            for row in rows:
                row.save_base(raw=True, force_insert=True)
            for statement in connection.ops.sequence_reset_sql(no_style(), models):
                cursor.execute(statement)
        call_command("migrate", verbosity=0)


@pytest.fixture
def upgraded(database: dict[str, Any]) -> Iterator[None]:
    """Work on the upgraded database."""
    with on_database(**database):
        yield


@pytest.mark.usefixtures("upgraded")
def test_every_row_is_there_and_every_standings_is_as_it_was() -> None:
    state, rows = read_archive(BACKUP)["state"], rows_by_table()
    for table, count in state["tables"].items():
        if table.startswith(("auth_user", "tournaments_")) and table != GROWN:
            assert (table, rows[table]) == (table, count)
    kinds = AuditEvent.objects.filter(verb=BASELINE, facts__why="kinds").count()
    assert kinds > 0
    assert rows[GROWN] == state["tables"][GROWN] + 2 * rows["tournaments_tournament"] + kinds
    assert all_standings() == state["standings"]


@pytest.mark.usefixtures("upgraded")
def test_histories_and_records_hold() -> None:
    call_command("audit_verify", "--key", read_archive(BACKUP)["audit_key"])
    call_command("audit")


@pytest.mark.usefixtures("upgraded")
@pytest.mark.parametrize(("kind", "slug", "text"), answers("file", "trf", "records-export"))
def test_files_are_written_byte_for_byte_alike(kind: str, slug: str, text: str) -> None:
    assert answer(kind, slug) == text


@pytest.mark.usefixtures("upgraded")
@pytest.mark.parametrize(("kind", "slug", "text"), answers("standings", "crosstable"))
def test_tables_are_answered_alike(kind: str, slug: str, text: str) -> None:
    """The tournament's head counts its rounds and matches otherwise since 0.2.0."""
    new_answer, old_answer = json.loads(answer(kind, slug)), json.loads(text)
    assert new_answer.pop("tournament").keys() >= old_answer.pop("tournament").keys()
    assert without_additions(new_answer, old_answer) == old_answer


def without_additions(new: Any, old: Any) -> Any:
    """Return an answer without the fields that the old one lacks."""
    if isinstance(new, dict) and isinstance(old, dict):
        return {key: without_additions(new[key], old[key]) for key in old if key in new}
    if isinstance(new, list) and isinstance(old, list) and len(new) == len(old):
        return [without_additions(*rows) for rows in zip(new, old, strict=True)]
    return new


@pytest.mark.usefixtures("upgraded")
@pytest.mark.parametrize(("kind", "slug", "text"), answers("proof"))
def test_proofs_state_what_they_did(kind: str, slug: str, text: str) -> None:
    new_answer, old_answer = json.loads(answer(kind, slug)), json.loads(text)
    assert old_answer["proof"].pop("made_by") == "baza 0.1.0"
    assert {key: new_answer["proof"][key] for key in old_answer["proof"]} == old_answer.pop("proof")
    assert {key: new_answer[key] for key in old_answer} == old_answer


@pytest.mark.usefixtures("upgraded")
def test_pages_open() -> None:
    client = Client()
    paths = ["/", "/clubs/el-ebro/", "/clubs/pena-la-sota/", "/clubs/pena-la-sota/seasons/"]
    paths += [f"/t/{slug}/{page}" for slug in ANSWERS["file"] for page in ("", "files/")]
    assert {path: client.get(path).status_code for path in paths} == dict.fromkeys(paths, 200)


@pytest.mark.parametrize(("_kind", "slug", "text"), answers("proof"))
def test_its_proofs_hold(_kind: str, slug: str, text: str) -> None:
    assert all_hold(verify(bundle_from_bytes(text)))


@pytest.mark.parametrize(("_kind", "slug", "text"), answers("export"))
def test_its_exports_come_in_with_their_digest(_kind: str, slug: str, text: str) -> None:
    tournament = import_tournament(SYSTEM, a_club(), text)
    assert tournament.slug == slug
    assert standings_digest(tournament) == read_archive(BACKUP)["state"]["standings"][slug]


FOR_THE_CLUB = {"file": exports.tournament_file, "proof": exports.proof}


def answer(kind: str, slug: str) -> str:
    """Return what the API answers about a tournament; file and proof as its club gets them.

    While a duplicate is played, others get no points of its deals.
    """
    if kind in FOR_THE_CLUB:
        return FOR_THE_CLUB[kind](slug, SYSTEM).decode()
    path = "records/export" if kind == "records-export" else kind
    response = Client(headers={"accept-language": "en"}).get(f"/api/v1/tournaments/{slug}/{path}/")
    assert response.status_code == 200
    return response.getvalue().decode()
