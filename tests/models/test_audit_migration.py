"""Events of the release before are chained by the migration; going back forgets the chain."""

from django.db import connection

from tests.models.test_migrations import at_the_latest, latest, migrated
from tournaments.models import AuditCheckpoint, AuditEvent, Club
from tournaments.queries.trails import check_club, missing_guards

BEFORE = ("tournaments", "0018_webhooks")

__all__ = ["at_the_latest"]


def test_what_was_done_before_is_chained_and_kept_from_then_on(
    at_the_latest: None,
) -> None:
    apps = migrated(BEFORE)
    events = apps.get_model("tournaments", "AuditEvent").objects
    for slug, count in (("pena", 1203), ("otra", 2), ("nueva", 0)):
        club = apps.get_model("tournaments", "Club").objects.create(name=slug, slug=slug)
        apps.get_model("tournaments", "AuditCounter").objects.create(club=club, last=count)
        events.bulk_create(
            events.model(
                club=club,
                sequence=number,
                verb="test.done",
                actor="olga",
                subject_type="club",
                subject_pk=club.pk,
                subject="Peña",
                facts={"n": number, "part": 0.5},
            )
            for number in range(1, count + 1)
        )
    latest()
    found = {club.slug: check_club(club, set()) for club in Club.objects.all()}
    assert {slug: (one.holds, one.last) for slug, one in found.items()} == {
        "pena": (True, 1203),
        "otra": (True, 2),
        "nueva": (True, 0),
    }
    assert missing_guards() == ()
    assert not AuditCheckpoint.objects.exists()
    kept = migrated(BEFORE).get_model("tournaments", "AuditEvent").objects
    assert kept.count() == 1205
    with connection.cursor() as cursor:
        columns = connection.introspection.get_table_description(cursor, AuditEvent._meta.db_table)
    assert "digest" not in {column.name for column in columns}
