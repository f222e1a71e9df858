"""What the pages about bots read, and how many queries that takes."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from django.urls import reverse

from tests.arena.test_bots_pages import LINE, a_forfeit, checked
from tests.clubs import (
    NOBODY,
    SYSTEM,
    a_bot_liguilla,
    a_club,
    house_bots,
    organiser,
    stranger,
    the_match,
    user,
)
from tests.people.test_bots_brought import FIRST_STEPS
from tests.support.counting import count_queries
from tests.support.refusals import refusal
from tests.support.scene_rows import reuse_rows
from tournaments.arena.queries.bots import (
    bot_page,
    bots_after,
    bots_page,
    clubs_to_submit_to,
    forfeits_after,
)
from tournaments.core.errors import Reason
from tournaments.core.permissions import Actor
from tournaments.director.queries.forfeits import (
    forfeits_in_stage,
    forfeits_of_match,
    forfeits_of_round,
)
from tournaments.models import Bot, BotVersion, Player, Rating, RatingLedger, Stage, Tournament
from tournaments.people.services.bots import register_bot, submit_bot

if TYPE_CHECKING:
    from django.test import Client

pytestmark = pytest.mark.django_db


@pytest.fixture
def tournament(db: None) -> Tournament:
    return two_kinds_of_bots()


@reuse_rows()
def two_kinds_of_bots() -> Tournament:
    return a_bot_liguilla()


def the_bot(slug: str = "azar") -> Bot:
    return Bot.objects.get(slug=slug)


def state_of(version: BotVersion) -> str:
    (card,) = [card for card in bots_page(NOBODY).bots if card.slug == version.bot.slug]
    return card.state


def test_the_list_takes_as_many_queries_for_many_bots_as_for_few(tournament: Tournament) -> None:
    a_forfeit(the_match(tournament, 1, 1), the_bot())
    _few, before = count_queries(lambda: bots_page(NOBODY))
    for number in range(5):
        register_bot(SYSTEM, tournament.club, name=f"Bot {number}", kind="remote")
    _page, after = count_queries(lambda: bots_page(NOBODY))
    assert before == after == 5
    assert count_queries(lambda: bots_after("", 10))[1] == 4


def test_a_bots_page_takes_as_many_queries_whatever_happened(tournament: Tournament) -> None:
    _page, before = count_queries(lambda: bot_page("azar", NOBODY))
    for hand in range(1, 5):
        a_forfeit(the_match(tournament, 1, 1), the_bot(), hand=hand)
    page, after = count_queries(lambda: bot_page("azar", NOBODY))
    assert before == after <= 9
    assert (page.card.forfeits, len(page.forfeits), len(page.matches)) == (4, 4, 2)


def test_the_standings_tell_the_hands_that_a_bot_lost_by_what_it_did(
    tournament: Tournament, client: Client
) -> None:
    slug = tournament.slug
    assert forfeits_in_stage(slug, 1) == {}
    match = the_match(tournament, 1, 1)
    a_forfeit(match, the_bot(), hand=1)
    a_forfeit(match, the_bot(), hand=2, unplayed=1)
    forfeits, queries = count_queries(lambda: forfeits_in_stage(slug, 1))
    assert (forfeits, queries) == ({match.home.number: 3}, 1)
    assert forfeits_in_stage(slug, 2) == {}
    path = reverse("tournament", args=[slug])
    page = client.get(path, headers={"Accept-Language": "es"}).content.decode()
    assert page.count("3 manos perdidas por faltas") == 1


def test_the_state_of_a_bot_is_that_of_the_best_of_its_versions() -> None:
    club = a_club()
    bare = register_bot(SYSTEM, club, name="Vacío", kind="program")
    assert bot_page(bare.slug, NOBODY).card.state == "empty"
    version = submit_bot(SYSTEM, club, name="Ensayo", language="python", source=FIRST_STEPS)
    assert state_of(version) == "checking"
    checked(version, "refused", LINE)
    assert state_of(version) == "refused"
    checked(version, "ready", LINE)
    version.bot.versions.create(number=2, language="perl", source="1", sha256="", made_by="")
    assert state_of(version) == "ready"
    Bot.objects.filter(pk=version.bot.pk).update(benched_at="2026-01-01T00:00Z")
    assert state_of(version) == "benched"
    Bot.objects.filter(pk=version.bot.pk).update(retired_at="2026-01-01T00:00Z")
    assert state_of(version) == "retired"


def test_the_rating_of_most_matches_stands_first() -> None:
    bot = house_bots()[0]
    for ruleset, matches in (("parejas", 3), ("cuatro", 9)):
        ledger = RatingLedger.objects.create(ruleset=ruleset)
        Rating.objects.create(ledger=ledger, bot=bot, mu=30.0, variance=1.0, matches=matches)
    page = bot_page(bot.slug, NOBODY)
    assert [rating.ruleset for rating in page.ratings] == ["cuatro", "parejas"]
    assert page.card.rating == page.ratings[0]
    assert (page.ratings[0].rating, page.ratings[0].margin) == (1200, 80)


def test_forfeits_are_shown_to_all_and_standard_error_to_who_may_change_the_bot(
    tournament: Tournament,
) -> None:
    bot = register_bot(SYSTEM, tournament.club, name="De lejos", kind="remote")
    a_forfeit(the_match(tournament, 1, 1), bot)
    for viewer, expected in (
        (NOBODY, ""),
        (stranger(), ""),
        (organiser(tournament.club), "secreto"),
    ):
        (row,) = bot_page(bot.slug, viewer).forfeits
        assert expected in row.stderr
        assert bool(row.stderr) == bool(expected)
        assert forfeits_after(bot.slug, "", 5, viewer) == (row,)
        assert (row.reply, row.legal, row.play) == ('{"id":3,"say":"1o"}', "2o 3o", "7o 4o")


def test_what_was_played_is_kept_while_other_tables_have_still_to_play_the_deal(
    tournament: Tournament,
) -> None:
    match = the_match(tournament, 1, 1)
    a_forfeit(match, the_bot())
    Stage.objects.update(format="duplicate")
    type(match).objects.filter(pk=match.pk).update(boards=[1, 2])
    (row,) = forfeits_of_match(match.pk, NOBODY)
    assert row.hides_play
    assert (row.reply, row.legal, row.play, dict(row.facts)) == ("", "", "", {})
    (whole,) = forfeits_of_match(match.pk, organiser(tournament.club))
    assert whole.play == "7o 4o"


def test_a_round_counts_the_hands_that_bots_lost_at_each_table(tournament: Tournament) -> None:
    match, other = (the_match(tournament, 1, table) for table in (1, 2))
    a_forfeit(match, the_bot(), hand=1)
    a_forfeit(match, the_bot(), hand=2, unplayed=3)
    counts, queries = count_queries(lambda: forfeits_of_round(tournament.slug, 1))
    assert (dict(counts), queries) == ({match.pk: 5}, 1)
    assert other.pk not in counts
    assert forfeits_of_round(tournament.slug, 2) == {}


def test_a_bot_is_brought_to_the_clubs_that_one_belongs_to_or_plays_in() -> None:
    club, other = a_club(), a_club("El Ebro")
    Player.objects.create(club=other, code="J1", name="Olga", folded="olga", user=user("olga"))
    assert clubs_to_submit_to(organiser(club)) == (club, other)
    assert clubs_to_submit_to(Actor.for_user(user("elena"))) == ()
    assert clubs_to_submit_to(NOBODY) == ()


def test_a_group_or_a_club_that_there_is_not_is_not_found() -> None:
    with refusal(Reason.NOT_FOUND):
        bots_page(NOBODY, "robots")
    with refusal(Reason.NOT_FOUND):
        bots_page(NOBODY, "", "nowhere")
