"""What was said of a tournament is said otherwise while it can be, and a draft is thrown away."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest

from tests.audited import assert_history_is_complete
from tests.clubs import NOBODY, SYSTEM, a_club, a_draft, arbiter, csv, organiser, the_liguilla
from tests.support.refusals import refusal
from tournaments.core.errors import Reason
from tournaments.director.queries.cards import club_page
from tournaments.director.services.draws import draw
from tournaments.director.services.entries import import_entries
from tournaments.director.services.restoring import go_back
from tournaments.director.services.tournaments import (
    change_tournament,
    create_tournament,
    discard_tournament,
)
from tournaments.exchange.queries.trails import check_club, installation_key
from tournaments.models import AuditEvent, Entry, Stage, Tournament
from tournaments.operations.queries import export_lines
from tournaments.standings.services.seasons import add_tournament, create_season
from tournaments.webhooks.services.webhooks import add_webhook

pytestmark = pytest.mark.django_db


@pytest.fixture
def draft() -> Tournament:
    """The pairs of the club night, entered and not drawn."""
    tournament = a_draft(a_club())
    import_entries(SYSTEM, tournament, csv("players.csv"), csv("pairs.csv"))
    tournament.refresh_from_db()
    return tournament


def test_an_organiser_changes_a_draft_and_the_history_shows_what_it_was(draft: Tournament) -> None:
    fields = {
        "name": " Liguilla de  invierno ",
        "confirm_minutes": 90,
        "bye_quota": draft.bye_quota,
    }
    changed = change_tournament(organiser(draft.club), draft, fields)
    assert (changed.name, changed.confirm_minutes) == ("Liguilla de invierno", 90)
    assert (changed.slug, changed.version) == (draft.slug, draft.version + 1)
    event = AuditEvent.objects.get(verb="tournament.changed")
    assert event.facts == {
        "before": {"name": "Liguilla de otoño", "confirm_minutes": 10},
        "after": {"name": "Liguilla de invierno", "confirm_minutes": 90},
    }


def test_what_it_is_already_changes_nothing(draft: Tournament) -> None:
    fields = {"name": draft.name, "confirmation": True, "visibility": "public"}
    assert change_tournament(SYSTEM, draft, fields).version == draft.version
    assert not AuditEvent.objects.filter(verb="tournament.changed").exists()


def test_once_drawn_the_name_can_change_and_what_was_agreed_cannot(draft: Tournament) -> None:
    tournament = draw(SYSTEM, draft)
    assert (
        change_tournament(SYSTEM, tournament, {"name": "Otra", "confirm_minutes": 10}).name
        == "Otra"
    )
    with refusal(Reason.ROUNDS_DRAWN):
        change_tournament(SYSTEM, tournament, {"confirm_minutes": 24, "name": "Una más"})
    tournament.refresh_from_db()
    assert (tournament.name, tournament.confirm_minutes) == ("Otra", 10)


def test_the_name_of_a_tournament_that_is_over_stays() -> None:
    tournament = the_liguilla()
    Tournament.objects.update(state=Tournament.State.FINISHED)
    with refusal(Reason.TOURNAMENT_OVER):
        change_tournament(SYSTEM, tournament, {"name": "Otra"})
    assert change_tournament(SYSTEM, tournament, {"visibility": "private"}).visibility == "private"


def test_what_cannot_be_agreed_is_refused(draft: Tournament) -> None:
    for changes, reason in (
        ({"name": "  "}, Reason.BAD_NAME),
        ({"no_show_minutes": -1}, Reason.BAD_OPTIONS),
        ({"visibility": "half"}, Reason.BAD_OPTIONS),
    ):
        with refusal(reason):
            change_tournament(SYSTEM, draft, changes)


def test_organisers_alone_change_it_and_throw_it_away(draft: Tournament) -> None:
    for actor, reason in ((arbiter(draft.club), Reason.FORBIDDEN), (NOBODY, Reason.SIGN_IN)):
        with refusal(reason):
            change_tournament(actor, draft, {"name": "Otra"})
        with refusal(reason):
            discard_tournament(actor, draft)


def test_a_draft_goes_with_what_hangs_on_it_and_the_club_keeps_its_people(
    draft: Tournament,
) -> None:
    club, boss = draft.club, organiser(draft.club)
    season = create_season(boss, club, name="Temporada")
    add_tournament(boss, season, draft)
    add_webhook(boss, club, url="https://club.example/baza", tournament=draft)
    people = club.players.count(), club.pairs.count()
    discard_tournament(boss, draft)
    assert not Tournament.objects.exists()
    assert not Entry.objects.exists()
    assert not Stage.objects.exists()
    assert not season.events.exists()
    assert not club.webhooks.exists()
    assert (club.players.count(), club.pairs.count()) == people
    assert club_page(club.slug, boss).tournaments == ()


def test_its_history_stays_and_proves_itself(draft: Tournament) -> None:
    club = draft.club
    before = AuditEvent.objects.filter(club=club).count()
    discard_tournament(SYSTEM, draft)
    event = AuditEvent.objects.get(verb="tournament.discarded")
    assert (event.subject, event.facts["slug"]) == ("Liguilla de otoño", "liguilla-de-otono")
    assert event.facts["entries"] == 8
    assert AuditEvent.objects.filter(club=club).count() == before + 1
    assert event.tournament is not None
    assert event.tournament.discarded_at is not None
    assert check_club(club, (installation_key(),)).faults == ()


def test_a_copy_of_the_whole_database_has_what_its_history_names(draft: Tournament) -> None:
    discard_tournament(SYSTEM, draft)
    assert len([line for line in export_lines() if f'"~{draft.pk}"'.encode() in line]) == 1


def test_its_short_name_is_free_again(draft: Tournament) -> None:
    discard_tournament(SYSTEM, draft)
    second_draft = a_draft(draft.club)
    assert second_draft.slug == draft.slug
    discard_tournament(SYSTEM, second_draft)
    assert create_tournament(SYSTEM, draft.club, "Otra", slug=draft.slug).slug == draft.slug


def test_what_was_drawn_is_not_thrown_away_before_it_is_taken_back(draft: Tournament) -> None:
    tournament = draw(SYSTEM, draft)
    with refusal(Reason.ROUNDS_DRAWN):
        discard_tournament(SYSTEM, tournament)
    go_back(SYSTEM, tournament.restore_points.get())
    discard_tournament(SYSTEM, tournament)
    assert not Tournament.objects.exists()


def test_what_announces_a_tournament_can_change_until_it_is_over(draft: Tournament) -> None:
    tournament = draw(SYSTEM, draft)
    begins = datetime(2027, 4, 23, 15, 30, tzinfo=UTC)
    fields = {"begins_at": begins, "place": " Casino ", "prizes": "Jamón"}
    changed = change_tournament(SYSTEM, tournament, fields)
    assert (changed.begins_at, changed.place, changed.prizes) == (begins, "Casino", "Jamón")
    event = AuditEvent.objects.get(verb="tournament.changed")
    assert event.facts["before"] == {"begins_at": "None", "place": "", "prizes": ""}
    assert event.facts["after"]["begins_at"] == "2027-04-23 15:30:00+00:00"
    for unseen in ({"place": "\u200b"}, {"prizes": " \u2060 "}):
        with refusal(Reason.BAD_REASON):
            change_tournament(SYSTEM, changed, unseen)
    for wrong in ({"prizes": "x" * 201}, {"place": "one\ntwo"}, {"place": "x" * 101}):
        with refusal(Reason.BAD_OPTIONS):
            change_tournament(SYSTEM, changed, wrong)
    Tournament.objects.update(state=Tournament.State.FINISHED)
    with refusal(Reason.TOURNAMENT_OVER):
        change_tournament(SYSTEM, changed, {"prizes": "Nada"})


def test_the_ruleset_of_a_draft_is_changed_where_seats_and_format_still_fit(
    draft: Tournament,
) -> None:
    change_tournament(SYSTEM, draft, {"ruleset": "cuatro"})
    event = AuditEvent.objects.get(verb="tournament.changed")
    changes = {"before": {"ruleset": "parejas-online"}, "after": {"ruleset": "cuatro"}}
    assert event.facts == {**changes, "rows": event.facts["rows"]}
    assert event.facts["rows"].keys() == {"tournament"}
    for ruleset, reason in (
        ("habanero", Reason.WRONG_UNIT),  # it is for two players, and pairs are entered
        ("arrastrado", Reason.WRONG_SEATS),  # in a liguilla two sides meet
        ("brisca", Reason.UNKNOWN_RULESET),
    ):
        with refusal(reason):
            change_tournament(SYSTEM, draft, {"ruleset": ruleset})
    assert_history_is_complete()
    draft.entries.all().delete()
    changed = change_tournament(SYSTEM, draft, {"ruleset": "habanero"})
    assert (changed.ruleset, changed.unit) == ("habanero", "player")
    changed = change_tournament(SYSTEM, draft, {"ruleset": "cuatro"})
    assert (changed.ruleset, changed.unit) == ("cuatro", "pair")


def test_once_drawn_the_ruleset_stays(draft: Tournament) -> None:
    tournament = draw(SYSTEM, draft)
    with refusal(Reason.ROUNDS_DRAWN):
        change_tournament(SYSTEM, tournament, {"ruleset": "cuatro"})
