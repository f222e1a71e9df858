"""Everything goes to an empty installation of either kind of database, and is equal there."""

from __future__ import annotations

import hashlib
import io
import json
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

import pytest
from django.apps import apps
from django.contrib.auth.models import User
from django.core.management import CommandError, call_command
from django.db import connection

from tests.clubs import SYSTEM, a_bot_liguilla, club_night_lines, organiser, program, the_liguilla
from tests.migrated import migrate_empty
from tournaments.director.services.settings import GameSettings, NewTournament
from tournaments.director.services.tournaments import create_tournament
from tournaments.environment import read_database
from tournaments.exchange.queries.trails import check_club, installation_key
from tournaments.exchange.services.checkpoints import write_checkpoint
from tournaments.models import ApiToken, AuditEvent, Bot, Club, Tournament, Webhook
from tournaments.operations.queries import (
    NOT_EXPORTED,
    all_standings,
    export_lines,
    exported_columns,
    exported_models,
    histories,
    rows_by_table,
)
from tournaments.operations.services.archives import on_database
from tournaments.results.queries.records import trailer_of
from tournaments.results.services.submit import submit_to_tournament
from tournaments.webhooks.services.webhooks import add_webhook

if TYPE_CHECKING:
    from pathlib import Path

pytestmark = pytest.mark.django_db(transaction=True)

Elsewhere = Callable[[], Any]


@pytest.fixture(params=["sqlite", pytest.param("postgresql", marks=pytest.mark.slow)])
def elsewhere(request: pytest.FixtureRequest, tmp_path: Path) -> Elsewhere:
    """Give what makes an empty installation of either kind, and works on it."""
    if request.param == "sqlite":
        url = f"sqlite:///{tmp_path / 'elsewhere.sqlite3'}"
    else:
        url = request.getfixturevalue("postgres_url")
    changes = read_database({"DATABASE_URL": url}, tmp_path)

    @contextmanager
    def check_counts() -> Iterator[None]:
        with on_database(**changes):
            migrate_empty()
            try:
                yield
            finally:
                if connection.vendor == "postgresql":
                    with connection.cursor() as cursor:
                        cursor.execute("DROP SCHEMA public CASCADE; CREATE SCHEMA public")

    return check_counts


@pytest.fixture
def club() -> Club:
    """A club with people, bots, a webhook and half a club night, signed."""
    tournament = the_liguilla()
    club = tournament.club
    organiser(club)
    program(club, "games:submit")
    a_bot_liguilla(club)
    add_webhook(SYSTEM, club, url="https://example.com/hook")
    for line in club_night_lines()[:10]:
        submit_to_tournament(SYSTEM, tournament, line)
    write_checkpoint(club.pk)
    return club


def run(*words: str) -> str:
    output = io.StringIO()
    call_command(*words, stdout=output, stderr=output)
    return output.getvalue()


@pytest.mark.slow
def test_everything_arrives_and_goes_on(club: Club, tmp_path: Path, elsewhere: Elsewhere) -> None:
    """Chains, checkpoints and standings are equal byte for byte; nobody's password is there."""
    file = tmp_path / "all.ndjson"
    assert "rows" in run("export_all", str(file))
    source_state = histories(), all_standings(), row_counts()
    with elsewhere():
        text = run("import_all", str(file))
        assert "the standings are equal byte for byte" in text
        assert "accounts have no password" in text
        assert (histories(), all_standings(), row_counts()) == source_state
        olga = User.objects.get(username="olga")
        assert not olga.has_usable_password()
        assert not ApiToken.objects.exists()
        assert Webhook.objects.get().state == Webhook.State.PAUSED
        tournament = Tournament.objects.get(slug="liguilla-de-otono")
        submit_to_tournament(SYSTEM, tournament, club_night_lines()[10])
        create_tournament(
            SYSTEM, tournament.club, "Otra", NewTournament(GameSettings(options={"to": 3}))
        )
        assert check_club(tournament.club, {installation_key()}).holds
        with pytest.raises(CommandError, match="not empty"):
            run("import_all", str(file))


@pytest.mark.slow
@pytest.mark.parametrize("elsewhere", ["sqlite"], indirect=True)  # names depend on no database
def test_a_tournament_that_cannot_be_ranked_arrives_and_is_named(
    club: Club, tmp_path: Path, elsewhere: Elsewhere
) -> None:
    """Fault 42: its rows were written past the services."""
    bots = Tournament.objects.get(slug="torneo-de-bots")
    bots.stages.update(format="unheard of")
    run("export_all", str(tmp_path / "all.ndjson"))
    with elsewhere():
        text = run("import_all", str(tmp_path / "all.ndjson"))
        assert f"nothing to compare with: standings of {bots.slug}: not computed: " in text


def row_counts() -> dict[str, int]:
    """Count the rows of the tables that are taken along."""
    tables = {model._meta.db_table for model in exported_models()}
    return {name: count for name, count in rows_by_table().items() if name in tables}


def test_no_secret_is_in_it(club: Club, tmp_path: Path) -> None:
    User.objects.update(password="argon2-of-olga")
    run("export_all", str(tmp_path / "all.ndjson"))
    text = (tmp_path / "all.ndjson").read_text()
    webhook, token = Webhook.objects.get(), ApiToken.objects.get()
    for secret in ("argon2-of-olga", webhook.salt, webhook.mark, token.digest):
        assert secret not in text


def test_every_model_is_taken_along_or_left_for_a_reason() -> None:
    model_labels = {model._meta.label for model in apps.get_app_config("tournaments").get_models()}
    assert {model._meta.label for model in exported_models()} == model_labels - set(
        NOT_EXPORTED
    ) | {"auth.User"}
    assert set(NOT_EXPORTED) < model_labels
    for model in exported_models():
        for name, field in exported_columns(model).items():
            other = field.related_model
            if isinstance(other, type) and other._meta.label in NOT_EXPORTED:
                assert field.null, f"{model._meta.label}.{name}"


@pytest.mark.slow
@pytest.mark.parametrize("elsewhere", ["sqlite"], indirect=True)
def test_a_file_that_does_not_fit_is_refused_with_its_line_and_nothing_is_there(
    club: Club, tmp_path: Path, elsewhere: Elsewhere
) -> None:
    lines = list(export_lines())
    number = next(n for n, line in enumerate(lines) if b'"tournaments.Result"' in line)
    result = json.loads(lines[number])
    bad = tmp_path / "bad.ndjson"

    def refusal_of(*changes: tuple[int, bytes], end: bool = True) -> str:
        changed = list(lines)
        for at, line in changes:
            changed[at] = line
        write(bad, changed, end=end)
        with pytest.raises(CommandError) as refused:
            run("import_all", str(bad))
        return str(refused.value)

    def row(**fields: Any) -> bytes:
        return json.dumps({**result, **fields}).encode() + b"\n"

    with elsewhere():
        assert f"cut short in line {len(lines)}" in refusal_of(end=False)
        assert f"line {number + 1}: nothing is known of rows of 'auth.Cat'" in refusal_of(
            (number, row(row="auth.Cat"))
        )
        assert f"line {number + 1}: tournaments.Result: size" in refusal_of((number, row(size=1)))
        assert f"line {number + 1}: no JSON" in refusal_of((number, b"{\n"))
        assert f"line {number + 1}: no object" in refusal_of((number, b"7\n"))
        assert f"line {number + 1}: " in refusal_of((number, row(made_at="yesterday")))
        assert "is named that is not there" in refusal_of((number, row(record_id=10**6)))
        assert "standings of liguilla-de-otono" in refusal_of((number, row(home_points=1)))
        assert "line 1: its format" in refusal_of((0, b'{"format":"other"}\n'))
        assert "bring it into the release that wrote it" in refusal_of(
            (0, lines[0].replace(b'"schema":"', b'"schema":"x'))
        )
        event = next(n for n, line in enumerate(lines) if b'"tournaments.AuditEvent"' in line)
        assert "histories of casino" in refusal_of(
            (event, lines[event].replace(b"system", b"nobody"))
        )
        bad.write_bytes(b"".join(lines) + trailer_of(len(lines), "0" * 64))
        with pytest.raises(CommandError, match="the hash of its"):
            run("import_all", str(bad))
        with pytest.raises(CommandError, match="No such file"):
            run("import_all", str(tmp_path / "none"))
        assert not Club.objects.exists()
        assert not AuditEvent.objects.exists()
        assert Bot.objects.exists()
    with pytest.raises(CommandError, match="No such file"):
        run("export_all", str(tmp_path / "nowhere" / "all.ndjson"))


def write(path: Path, lines: list[bytes], *, end: bool) -> None:
    """Write a file of these lines, with the line that ends them or without."""
    body = b"".join(lines)
    trailer = trailer_of(len(lines), hashlib.sha256(body).hexdigest())
    path.write_bytes(body + (trailer if end else b""))
