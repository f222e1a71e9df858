"""What services do leaves a chain that holds: going back, bringing a tournament, ending one."""

from typing import Any

import pytest

from tests.audited import assert_history_is_complete
from tests.clubs import SYSTEM, a_club, a_swiss, play_out, the_round
from tournaments.core.audit import redact_events
from tournaments.core.jobs import Job
from tournaments.director.services import tournaments
from tournaments.director.services.restoring import go_back
from tournaments.director.services.tournaments import finish, publish_round
from tournaments.domain.trail.chain import Texts
from tournaments.exchange import tasks as exchange_tasks
from tournaments.exchange.queries.contradictions import check_tournament
from tournaments.exchange.queries.exports import export_of
from tournaments.exchange.queries.trails import check_club, installation_key
from tournaments.exchange.services.checkpoints import write_checkpoint
from tournaments.exchange.services.imports import import_tournament
from tournaments.models import AuditCheckpoint, AuditEvent, Club, Tournament

pytestmark = pytest.mark.django_db


def holds(club: Club) -> bool:
    assert_history_is_complete()
    return check_club(club, {installation_key()}).holds


def played() -> Tournament:
    tournament = a_swiss(4, rounds=1)
    play_out(publish_round(SYSTEM, the_round(tournament, 1)))
    return tournament


def test_going_back_is_one_more_event_of_the_chain() -> None:
    tournament = a_swiss(6)
    write_checkpoint(tournament.club_id)
    count = AuditEvent.objects.count()
    go_back(SYSTEM, tournament.restore_points.filter(verb="tournament.drawn").latest("pk"))
    assert AuditEvent.objects.count() == count + 1
    assert holds(tournament.club)


def test_events_of_another_place_join_the_chain_of_this_one() -> None:
    tournament = played()
    created = AuditEvent.objects.get(verb="tournament.created", tournament=tournament)
    texts = Texts("somebody", "something", {"rows": created.facts["rows"]})
    redact_events(SYSTEM, tournament.club, {created.sequence: texts})
    document = export_of(tournament.slug, SYSTEM)
    assert holds(tournament.club)
    Tournament.objects.filter(pk=tournament.pk).update(slug="el-de-antes")
    club = a_club("Otra")
    copy = import_tournament(SYSTEM, club, document)
    audit_events = AuditEvent.objects.filter(club=club, tournament=copy)
    assert len({event.digest for event in audit_events}) == len(audit_events) > 5
    assert all(event.salt for event in audit_events)
    assert check_club(club, {installation_key()}).holds
    assert check_tournament(copy).faults == ()


def test_a_closed_round_is_signed_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    posted: list[Any] = []
    monkeypatch.setattr(tournaments, "post", lambda *arguments: posted.append(arguments))
    tournament = played()
    assert posted == [(Job.SIGN_HISTORY, tournament.club_id)]


def test_the_end_of_a_tournament_is_signed(monkeypatch: pytest.MonkeyPatch) -> None:
    tournament = played()
    posted: list[Any] = []
    monkeypatch.setattr(tournaments, "post", lambda *arguments: posted.append(arguments))
    finish(SYSTEM, tournament)
    assert posted == [(Job.SIGN_HISTORY, tournament.club_id)]
    exchange_tasks.sign(tournament.club_id)
    last = AuditEvent.objects.latest("sequence")
    assert (last.verb, last.digest) == (
        "tournament.signed",
        AuditCheckpoint.objects.get(club=tournament.club).digest,
    )
    exchange_tasks.sign_all()
    assert AuditCheckpoint.objects.count() == 1
