"""Events of the release before are chained by the migration; going back forgets the chain."""

import pytest
from django.db import connection

from tests.audited import assert_history_is_complete
from tests.models.test_migrations import at_the_latest, latest, migrated
from tournaments.exchange.queries.trails import check_club, check_rows, missing_guards
from tournaments.models import AuditCheckpoint, AuditEvent, Club, Entry, Tournament

BEFORE = ("tournaments", "0018_webhooks")

__all__ = ["at_the_latest"]


@pytest.mark.slow
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
    chain_reports_by_slug = {club.slug: check_club(club, set()) for club in Club.objects.all()}
    assert {
        slug: (report.holds, report.last) for slug, report in chain_reports_by_slug.items()
    } == {
        "pena": (True, 1203),
        "otra": (True, 2),
        "nueva": (True, 0),
    }
    assert missing_guards() == ()
    assert not AuditCheckpoint.objects.exists()
    model = migrated(BEFORE).get_model("tournaments", "AuditEvent").objects
    assert model.count() == 1205
    with connection.cursor() as cursor:
        columns = connection.introspection.get_table_description(cursor, AuditEvent._meta.db_table)
    assert "digest" not in {column.name for column in columns}


@pytest.mark.slow
def test_rows_of_before_are_written_down_as_they_are(at_the_latest: None) -> None:
    apps = migrated(("tournaments", "0030_interim_rulings"))
    club = apps.get_model("tournaments", "Club").objects.create(name="Peña", slug="pena")
    tournament = apps.get_model("tournaments", "Tournament").objects.create(
        club=club, name="Liga", slug="liga", ruleset="parejas"
    )
    apps.get_model("tournaments", "Tournament").objects.create(
        club=club, name="Sin nadie", slug="sin-nadie", ruleset="parejas"
    )
    entries = apps.get_model("tournaments", "Entry").objects
    bot = apps.get_model("tournaments", "Bot").objects.earliest("pk")
    entries.bulk_create(
        entries.model(tournament=tournament, number=n, name=f"B{n}", folded=f"b{n}", bot=bot)
        for n in range(1, 703)
    )
    latest()
    audit_events = AuditEvent.objects.filter(tournament=tournament.pk, verb="audit.baseline")
    rows = [event.facts["rows"] for event in audit_events.order_by("sequence")]
    assert [len(of_event.get("entry", ())) for of_event in rows] == [499, 203, 0]
    assert [list(of_event["tournament"][0]) for of_event in rows[2:]] == [rows[0]["tournament"][0]]
    assert_history_is_complete()
    Entry.objects.filter(number=702).update(joined_round=3)
    (fault,) = check_rows(Tournament.objects.get(pk=tournament.pk))
    assert (fault.code, fault.sequence) == ("row_changed", 2)
