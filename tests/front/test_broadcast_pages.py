"""The page of a tournament for those who watch: place, prizes, leaders, tables, upsets, cards."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest
from django.test import Client
from django.urls import reverse

from tests.clubs import (
    SYSTEM,
    a_swiss,
    play_out,
    play_the_club_night,
    submitted,
    the_liguilla,
    the_match,
    the_round,
)
from tests.support.day import a_day, next_round, play_round
from tournaments.core.permissions import Actor
from tournaments.director.services.tournaments import (
    change_tournament,
    close_round,
    finish,
    publish_round,
)
from tournaments.domain.scores import Score
from tournaments.live.queries.broadcast import broadcast
from tournaments.models import Entry, Tournament
from tournaments.results.services.matches import correct_result
from tournaments.standings.queries.standings import standings_page

pytestmark = pytest.mark.django_db


def page_of(tournament: Tournament) -> str:
    client = Client(headers={"accept-language": "en"})
    return client.get(f"/t/{tournament.slug}/").content.decode()


def test_the_page_announces_when_where_and_for_what_it_is_played() -> None:
    tournament = the_liguilla(published=1)
    texts = {
        "begins_at": datetime(2027, 4, 23, 15, 30, tzinfo=UTC),
        "place": "Casino, Coso 29",
        "prizes": "1.000 € & jamón",
    }
    change_tournament(SYSTEM, tournament, texts)
    page = page_of(tournament)
    assert 'datetime="2027-04-23T' in page
    assert "Casino, Coso 29" in page
    assert "1.000 € &amp; jamón" in page


def test_the_tables_still_playing_come_first_with_what_is_known_of_them() -> None:
    tournament = the_liguilla(published=1)
    correct_result(SYSTEM, the_match(tournament, 1, 1), Score(3, 1, 300, 200), reason="seen")
    cast = broadcast(tournament.slug, Actor.anonymous())
    assert [match.table for match in cast.matches] == [2, 3, 4, 1]
    assert (cast.played, cast.total, cast.more) == (1, 4, 0)
    page = page_of(tournament)
    assert "1 of 4 tables played" in page
    assert "3–1" in page


def test_nobody_leads_before_a_match_counts_and_three_stand_on_the_podium_at_the_end() -> None:
    tournament = the_liguilla()
    assert broadcast(tournament.slug, Actor.anonymous()).leaders == ()
    play_the_club_night(tournament)
    tournament.refresh_from_db()
    assert "In the lead" in page_of(tournament)
    for number in range(1, 8):
        close_round(SYSTEM, the_round(tournament, number))
    finish(SYSTEM, tournament)
    cast = broadcast(tournament.slug, Actor.anonymous())
    assert cast.is_over
    assert [row.rank for row in cast.leaders] == [1, 2, 3]
    assert "Podium" in page_of(tournament)


def test_the_last_trick_of_the_hand_recorded_last_is_shown_with_who_took_it() -> None:
    tournament = the_liguilla()
    assert broadcast(tournament.slug, Actor.anonymous()).last_hand is None
    assert submitted(tournament, 0).outcome == "accepted"
    tournament.refresh_from_db()
    last = broadcast(tournament.slug, Actor.anonymous()).last_hand
    assert last is not None
    assert last.match.round == 1
    page, address = page_of(tournament), reverse("last-trick", args=[last.match.pk, last.number])
    assert f'hx-get="{address}"' in page
    assert f'href="{reverse("hand", args=[last.match.pk, last.number])}"' in page  # without scripts
    part = Client(headers={"accept-language": "en"}).get(address).content.decode()
    assert part.count("<li>") == 4
    assert any(f"{name} takes it" in part for side in last.match.sides for name in side.players)


def test_a_pair_from_below_that_beats_one_far_above_it_is_an_upset() -> None:
    tournament = a_day(entered=10, late=0)
    play_round(tournament, 1)
    next_round(tournament, after=1)
    play_round(tournament, 2)
    next_round(tournament, after=2)
    publish_round(SYSTEM, the_round(tournament, 3))
    tournament.refresh_from_db()
    cast = broadcast(tournament.slug, Actor.anonymous())
    assert cast.upsets == ()
    rows = standings_page(tournament.slug, Actor.anonymous()).rows
    place = {row.number: row.rank for row in rows}
    match = max(cast.matches, key=lambda m: abs(place[m.home.number] - place[_away(m)]))
    low_is_home = place[match.home.number] > place[_away(match)]
    score = Score(3, 0, 300, 100) if low_is_home else Score(0, 3, 100, 300)
    correct_result(SYSTEM, the_match(tournament, 3, match.table), score, reason="seen")
    tournament.refresh_from_db()
    gap = abs(place[match.home.number] - place[_away(match)])
    upsets = broadcast(tournament.slug, Actor.anonymous()).upsets
    assert len(upsets) == int(gap >= 4)
    for upset in upsets:
        assert (upset.by, upset.low - upset.high) == ("place", gap)
        assert f"beat <bdi>{upset.loser}</bdi>, 3–0" in page_of(tournament)


def _away(match: object) -> int:
    return match.away.number  # type: ignore[attr-defined, no-any-return]


def test_before_places_are_known_the_ratings_say_who_was_expected_to_win() -> None:
    tournament = a_swiss()
    for entry in Entry.objects.filter(tournament=tournament):
        Entry.objects.filter(pk=entry.pk).update(rating=1000 + 100 * entry.number)
    play_out(publish_round(SYSTEM, the_round(tournament, 1)))
    tournament.refresh_from_db()
    cast = broadcast(tournament.slug, Actor.anonymous())
    for match in cast.matches:
        assert match.away is not None
        is_upset = match.away.number - match.home.number >= 2  # home wins; 150 points apart
        assert (match in [upset.match for upset in cast.upsets]) == is_upset
    assert {upset.by for upset in cast.upsets} <= {"rating"}
