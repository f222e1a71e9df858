"""The release before reads and writes the schema of this one, and this one goes on from there."""

from typing import Any

import pytest
from django.apps.registry import Apps
from django.db import connection, transaction
from django.db.migrations.loader import MigrationLoader

from tests.clubs import SYSTEM, a_bot_liguilla, club_night_lines, organiser, the_liguilla
from tests.releases.released import RELEASED
from tournaments.core.audit import write_event
from tournaments.exchange.queries.trails import check_club, installation_key
from tournaments.models import AuditEvent, Club, Record, Result
from tournaments.operations.queries import rows_by_table, standings_digest
from tournaments.results.services.submit import submit_to_tournament

pytestmark = pytest.mark.django_db(transaction=True)

MAIN = {
    "AuditCounter",
    "AuditEvent",
    "Bot",
    "Club",
    "Entry",
    "Hand",
    "Match",
    "Membership",
    "Pair",
    "Player",
    "Record",
    "Result",
    "Round",
    "Stage",
    "Tournament",
}
GUARDED = "AuditEvent"


@pytest.fixture(scope="module")
def before() -> Apps:
    """Give the models as the release before knew them."""
    return MigrationLoader(None).project_state([("tournaments", RELEASED)]).apps


def night() -> Any:
    """Play half the club night; there are members and bots too."""
    tournament = the_liguilla()
    organiser(tournament.club)
    a_bot_liguilla(tournament.club)
    for line in club_night_lines()[:14]:
        submit_to_tournament(SYSTEM, tournament, line)
    return tournament


def test_it_reads_changes_removes_and_adds_rows_of_every_table(before: Apps) -> None:
    """Each row is fetched, saved, removed and inserted again, with the columns that it knew."""
    tournament = night()
    counts, digest = rows_by_table(), standings_digest(tournament)
    models = set()
    with transaction.atomic():
        for model in before.get_app_config("tournaments").get_models():
            rows = list(model._default_manager.all())
            if not rows or model.__name__ == GUARDED:
                continue
            for row in rows:
                row.save(force_update=True)
            stored_rows = model._default_manager.filter(pk__in=[row.pk for row in rows])
            stored_rows._raw_delete(using="default")
            for row in rows:
                row.save(force_insert=True)
            models.add(model.__name__)
        connection.check_constraints()
    assert models >= MAIN - {GUARDED}
    assert rows_by_table() == counts
    assert standings_digest(tournament) == digest


def test_its_events_join_the_chain(before: Apps) -> None:
    """It writes history as it always did; the next event of this release chains what it wrote."""
    club = night().club
    counters = before.get_model("tournaments", "AuditCounter")._default_manager
    events = before.get_model("tournaments", "AuditEvent")._default_manager
    with transaction.atomic():
        counter = counters.select_for_update().get(pk=club.pk)
        counter.last += 1
        counter.save()
        events.create(
            club_id=club.pk,
            sequence=counter.last,
            verb="test.before",
            actor="olga",
            subject_type="club",
            subject_pk=club.pk,
            subject=str(club),
        )
    with transaction.atomic():
        write_event(SYSTEM, "test.after", club, club=club)
    assert check_club(club, {installation_key()}).holds
    assert AuditEvent.objects.get(verb="test.before").digest


def test_a_club_that_it_founds_is_one_of_this_release(before: Apps) -> None:
    """Rows that it inserts get what this release adds by the defaults of the database."""
    values: dict[str, Any] = {}
    rows: tuple[tuple[str, dict[str, Any]], ...] = (
        ("Club", {"name": "Peña", "slug": "pena", "city": "Huesca"}),
        ("Tournament", {"name": "Copa", "slug": "copa", "ruleset": "cuatro", "club": "Club"}),
        ("Stage", {"format": "liguilla", "tournament": "Tournament"}),
        ("Round", {"number": 1, "seed": "0" * 64, "commitment": "1" * 64, "stage": "Stage"}),
    )
    for name, fields in rows:
        model = before.get_model("tournaments", name)
        values[name] = model._default_manager.create(
            **{key: values.get(str(value), value) for key, value in fields.items()}
        )
    club = Club.objects.get(slug="pena")
    assert standings_digest(club.tournaments.get()).startswith("sha256:")
    assert not Record.objects.exists()
    assert not Result.objects.exists()
