"""What an installation had in earlier releases is there after the migrations, and before again.

An empty database goes once through all migrations, forth and back, and gets at some of them what
was new there: a step takes Django a sixth of a second of processor and more. So it is one test of
many parts, each of them about a club of its own.
"""

from typing import Any

import pytest
from django.apps.registry import Apps
from django.db import connection
from django.db.migrations.executor import MigrationExecutor

from tests.management.test_backups import Somewhere, somewhere
from tournaments.exchange.queries.contradictions import check_tournament
from tournaments.exchange.queries.trails import (
    check_club,
    check_club_rows,
    check_rows,
    installation_key,
    missing_guards,
)
from tournaments.models import AuditCheckpoint, AuditEvent, Club, Entry, Tournament

__all__ = ["somewhere"]

pytestmark = pytest.mark.django_db(transaction=True)

INITIAL, HOUSE_BOTS = "0001_initial", "0002_house_bots"
SEASONS, COTOS, WEBHOOKS = "0008_seasons", "0009_cotos_and_deals", "0018_webhooks"
RULINGS = "0030_interim_rulings"

COUNTS = {"pena": 1203, "otra": 2, "nueva": 0}
"""Events of the clubs that had some before there was a chain."""


def migrated(name: str) -> Apps:
    """Migrate to a migration, and return the models of its time."""
    MigrationExecutor(connection).migrate([("tournaments", name)])
    state = MigrationExecutor(connection).loader.project_state([("tournaments", name)])
    apps: Apps = state.apps
    return apps


def latest() -> Apps:
    """Run all migrations, and return the models of now."""
    ((_, name),) = MigrationExecutor(connection).loader.graph.leaf_nodes("tournaments")
    return migrated(name)


def objects(apps: Apps, model: str) -> Any:
    """Return the rows of a model of a time."""
    return apps.get_model("tournaments", model).objects


def make(apps: Apps, model: str, **fields: Any) -> Any:
    """Make a row of a model of a time."""
    return objects(apps, model).create(**fields)


def a_tournament(apps: Apps, slug: str, **fields: Any) -> Any:
    """Make a tournament, in a club of its own."""
    club = make(apps, "Club", name=slug, slug=slug)
    return make(apps, "Tournament", club=club, name=slug, slug=slug, **fields)


def three_bots(apps: Apps, tournament: Any) -> list[Any]:
    """Enter a bot of the house three times."""
    bot = objects(apps, "Bot").earliest("pk")
    return [
        make(apps, "Entry", tournament=tournament, number=n, name=name, folded=name, bot=bot)
        for n, name in enumerate(("azar uno", "azar dos", "azar tres"), 1)
    ]


def make_liguilla(apps: Apps) -> None:
    """Two bots, two turns, a match with its result, a bye."""
    league = a_tournament(apps, "liguilla", ruleset="cuatro", state="running")
    entries = three_bots(apps, league)
    stage = make(apps, "Stage", tournament=league, number=1, format="liguilla", turns=2)
    round_ = make(apps, "Round", stage=stage, number=1, seed="0" * 64, commitment="1" * 64)
    played = {"home": entries[0], "away": entries[1], "state": "accepted"}
    match = make(apps, "Match", round=round_, table=1, **played)
    make(apps, "Match", round=round_, table=2, home=entries[2], state="bye")
    points = {"home_hands": 3, "away_hands": 1, "home_points": 300, "away_points": 200}
    said = {"winner": "home", "reason": "the arbiter's word", "made_by": "test"}
    make(apps, "Result", match=match, version=1, **points, **said)


def check_liguilla(apps: Apps) -> None:
    stage = objects(apps, "Stage").get(tournament__slug="liguilla")
    assert stage.settings == {"turns": 2}
    assert (stage.entrants, len(stage.seed)) == ([1, 2, 3], 64)
    result = objects(apps, "Result").get()
    assert (result.depth, result.counts_from, result.counts_until) == ("ruling", 1, None)
    assert objects(apps, "Match").get(table=2).bye == "pairing"
    codes = objects(apps, "Entry").filter(tournament__slug="liguilla").values_list("code")
    assert len(set(codes)) == 3


def check_liguilla_of_before(apps: Apps) -> None:
    assert objects(apps, "Stage").get(tournament__slug="liguilla").turns == 2
    assert objects(apps, "Result").get().winner == "home"


def make_record(apps: Apps, match: Any, **fields: Any) -> Any:
    """Hand in a record of a match."""
    facts = {"digest": "sha256:1", "home_side": "AC", "verdict": {}, "submitter": "test"}
    values = {"source": "web", "text": "{}", "sha256": "0" * 64, "state": "accepted"}
    return make(apps, "Record", match=match, **facts, **values, **fields)


def go_through_cotos(apps: Apps) -> None:
    """A record from before there were cotos is a single one; on the way back the last is kept."""
    league = a_tournament(apps, "liga", ruleset="parejas-online")
    bot = objects(apps, "Bot").earliest("pk")
    entries = [
        make(apps, "Entry", tournament=league, number=n, name=c, folded=c, code=c, bot=bot)
        for n, c in enumerate(("una", "dos"), 1)
    ]
    stage = make(apps, "Stage", tournament=league, number=1, format="liguilla")
    round_ = make(apps, "Round", stage=stage, number=1, seed="0" * 64, commitment="1" * 64)
    match = make(apps, "Match", round=round_, table=1, home=entries[0], away=entries[1])
    first = make_record(apps, match)
    apps = migrated(COTOS)
    record = objects(apps, "Record").get()
    assert (record.coto, record.said_by) == (1, [])
    assert objects(apps, "Tournament").get(slug="liga").cotos == 1
    second = make_record(apps, record.match, coto=2)
    records = objects(migrated(SEASONS), "Record")
    assert dict(records.values_list("pk", "state")) == {
        first.pk: "superseded",
        second.pk: "accepted",
    }
    records.all().delete()


def make_events(apps: Apps) -> None:
    """Events of clubs, as they were before they were chained."""
    events = objects(apps, "AuditEvent")
    for slug, count in COUNTS.items():
        club = make(apps, "Club", name=slug, slug=slug)
        make(apps, "AuditCounter", club=club, last=count)
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


def check_events() -> None:
    """They are chained, and kept from then on."""
    reports_by_slug = {
        club.slug: check_club(club, set()) for club in Club.objects.filter(slug__in=COUNTS)
    }
    assert {slug: (report.holds, report.last) for slug, report in reports_by_slug.items()} == {
        slug: (True, count) for slug, count in COUNTS.items()
    }
    assert missing_guards() == ()
    assert not AuditCheckpoint.objects.exists()


def check_events_of_before(apps: Apps) -> None:
    """Going back forgets the chain."""
    assert objects(apps, "AuditEvent").filter(verb="test.done").count() == sum(COUNTS.values())
    with connection.cursor() as cursor:
        columns = connection.introspection.get_table_description(cursor, AuditEvent._meta.db_table)
    assert "digest" not in {column.name for column in columns}


def make_large(apps: Apps) -> None:
    """A tournament of 702 entries, and one of none."""
    tournament = a_tournament(apps, "grande", ruleset="parejas")
    more = {"name": "Sin nadie", "slug": "sin-nadie", "ruleset": "parejas"}
    make(apps, "Tournament", club=tournament.club, **more)
    entries = objects(apps, "Entry")
    bot = objects(apps, "Bot").earliest("pk")
    entries.bulk_create(
        entries.model(tournament=tournament, number=n, name=f"B{n}", folded=f"b{n}", bot=bot)
        for n in range(1, 703)
    )


def check_large() -> None:
    """Rows of before are written down as they are, some hundred in an event."""
    tournament = Tournament.objects.get(slug="grande")
    audit_events = AuditEvent.objects.filter(tournament=tournament.pk, verb="audit.baseline")
    rows = [event.facts["rows"] for event in audit_events.order_by("sequence")]
    assert [len(of_event.get("entry", ())) for of_event in rows] == [499, 203, 0]
    assert [list(of_event["tournament"][0]) for of_event in rows[2:]] == [rows[0]["tournament"][0]]
    assert check_club(tournament.club, {installation_key()}).faults == ()
    assert [fault.words() for fault in check_club_rows(tournament.club)] == []
    for each in tournament.club.tournaments.all():
        assert [fault.words() for fault in check_tournament(each).faults] == []
    Entry.objects.filter(number=702).update(joined_round=3)
    (fault,) = check_rows(tournament)
    assert (fault.code, fault.sequence) == ("row_changed", 2)


@pytest.mark.slow
def test_what_was_there_counts_as_before_and_goes_back_to_what_it_was(somewhere: Somewhere) -> None:
    with somewhere():
        go_there_and_back()


def go_there_and_back() -> None:
    """Migrate an empty database to the latest migration and back to the second."""
    assert objects(migrated(HOUSE_BOTS), "Bot").count() == 2
    assert not objects(migrated(INITIAL), "Bot").exists()
    apps = migrated(HOUSE_BOTS)
    assert objects(apps, "Bot").count() == 2
    make_liguilla(apps)
    go_through_cotos(migrated(SEASONS))
    make_events(migrated(WEBHOOKS))
    make_large(migrated(RULINGS))
    check_liguilla(latest())
    check_events()
    check_large()
    check_events_of_before(migrated(WEBHOOKS))
    check_liguilla_of_before(migrated(HOUSE_BOTS))
