"""Lists, form, months, champions and diplomas follow the day of play, not that of typing."""

from collections.abc import Sequence
from datetime import date, datetime
from zoneinfo import ZoneInfo

import pytest
from django.conf import settings
from django.test import Client

from tests.clubs import (
    NOBODY,
    SYSTEM,
    house_bots,
    new_tournament,
    play_out,
    the_liguilla,
    the_round,
)
from tournaments.director.queries.cards import club_page
from tournaments.director.services.draws import draw
from tournaments.director.services.entries import enter_newcomers
from tournaments.director.services.tournaments import (
    create_tournament,
    finish,
    publish_round,
)
from tournaments.front.queries.home import front_page
from tournaments.front.queries.honours import club_honours
from tournaments.models import Bot, Club, Pair, Result, Tournament
from tournaments.printing.queries.stages import diplomas_paper
from tournaments.profiles.queries.players import player_page
from tournaments.profiles.queries.statistics import statistics_page
from tournaments.ratings.services import rebuild_ratings
from tournaments.sheets.rows import Diplomas
from tournaments.standings.queries.standings import standings_page

pytestmark = pytest.mark.django_db


def played(club: Club, begins_at: datetime | None, newcomers: Sequence[Pair | Bot]) -> Tournament:
    """A Swiss of one round, typed now."""
    tournament = create_tournament(
        SYSTEM,
        club,
        "Suizo",
        new_tournament(
            options={"to": 3},
            stages=[{"format": "swiss", "rules": {"rounds": 1}}],
            announcement={"begins_at": begins_at} if begins_at else {},
        ),
    )
    enter_newcomers(SYSTEM, tournament, newcomers)
    draw(SYSTEM, tournament)
    publish_round(SYSTEM, the_round(tournament, 1))
    play_out(the_round(tournament, 1))
    return finish(SYSTEM, tournament)


def at(year: int, month: int, day: int, hour: int = 17) -> datetime:
    return datetime(year, month, day, hour, tzinfo=ZoneInfo(settings.TIME_ZONE))


def test_a_year_that_is_typed_in_another_order_is_shown_as_it_was_played() -> None:
    club = the_liguilla(published=1).club
    pairs = list(club.pairs.order_by("pk")[:4])
    autumn = played(club, at(2025, 10, 10), pairs)
    new_year = played(club, at(2026, 1, 1, hour=0), pairs)  # still 2025 by universal time
    summer = played(club, at(2025, 7, 5), pairs)
    order = [new_year.slug, autumn.slug, summer.slug]
    listed = club_page(club.slug, NOBODY).tournaments
    assert [card.slug for card in listed if card.state == "finished"] == order
    assert [panel.card.slug for panel in front_page(NOBODY).finished] == order
    honours = club_honours(club.slug)
    assert [(row.slug, row.year) for row in honours.won] == list(
        zip(order, (2026, 2025, 2025), strict=True)
    )
    player = pairs[0].first
    Result.objects.update(depth=Result.Depth.SCORE)  # as if the tables had reported them
    rebuild_ratings(club.tournaments.all()[0].ruleset)
    page = player_page(player.pk, NOBODY)
    assert [row.tournament_slug for row in page.history.latest] == order
    assert [row.day for row in page.history.latest] == [
        date(2026, 1, 1),
        date(2025, 10, 10),
        date(2025, 7, 5),
    ]
    assert page.rating is not None
    assert [change.day for change in page.rating.changes] == [
        row.day for row in page.history.latest
    ]
    assert [point.number for point in page.rating.curve] == [1, 2, 3]
    months = {bar.label: bar.count for bar in statistics_page(club.slug).statistics.months}
    assert {label: count for label, count in months.items() if count} == {
        "2025-07": 2,
        "2025-10": 2,
        "2026-01": 2,
    }
    (diplomas,) = diplomas_paper(summer.slug, SYSTEM, None, (1,), "es").sheets
    assert isinstance(diplomas, Diplomas)
    assert diplomas.day == date(2025, 7, 5)
    text = Client().get(f"/clubs/{club.slug}/").text
    winners = text[text.index('id="winners"') :]
    assert f'href="/t/{new_year.slug}/">{new_year.name}</a></p>' in winners


def test_bots_are_no_champions_no_last_winners_and_no_attendance() -> None:
    club = the_liguilla(published=1).club
    bots = played(club, None, house_bots())
    assert club_honours(club.slug).won == ()
    assert front_page(NOBODY).finished == ()
    text = Client().get(f"/clubs/{club.slug}/").text
    assert 'id="winners"' not in text
    assert f'href="/t/{bots.slug}/"' in text  # in the list of tournaments
    mixed = played(club, None, [*house_bots(), *club.pairs.order_by("pk")[:2]])
    (won,) = club_honours(club.slug).won
    assert (won.slug, won.entries) == (mixed.slug, 2)
    (part,) = standings_page(mixed.slug, NOBODY).parts
    first = [row.who.replace("pair-", "/pairs/") + "/" for row in part.people_podium][:1]
    assert [champion.address for champion in won.champions] == first
    assert [row.rank for row in part.people_podium] == [1, 2]
    (panel,) = front_page(NOBODY).finished
    assert panel.podium == part.people_podium
