"""Short names are unique by the database: many who want the same one at the same moment."""

import pytest
from django.utils.text import slugify

from tests.clubs import SYSTEM, a_club, a_draft, organiser
from tests.results.test_concurrency import AT_ONCE, at_once
from tournaments.director.services.tournaments import create_tournament, discard_tournament
from tournaments.models import Bot
from tournaments.people.services.bots import register_bot
from tournaments.people.services.clubs import create_club
from tournaments.standings.services.seasons import create_season

pytestmark = pytest.mark.django_db(transaction=True)

NAME = "Copa de Navidad"


@pytest.mark.parametrize("what", ["club", "tournament", "season", "bot"])
def test_many_of_one_name_made_at_once_get_short_names_of_their_own(what: str) -> None:
    club = a_club()
    boss = organiser(club)
    create = {
        "club": lambda: create_club(SYSTEM, name=NAME).slug,
        "tournament": lambda: create_tournament(boss, club, NAME).slug,
        "season": lambda: create_season(boss, club, name=NAME).slug,
        "bot": lambda: register_bot(boss, club, name=NAME, kind=Bot.Kind.REMOTE).slug,
    }[what]
    stem = slugify(NAME)
    numbered = [f"{stem}-{number}" for number in range(2, AT_ONCE + 1)]
    assert sorted(at_once(*[create] * AT_ONCE)) == sorted([stem, *numbered])


@pytest.mark.parametrize("what", ["club", "tournament", "season"])
def test_of_many_who_want_one_short_name_at_once_one_gets_it(what: str) -> None:
    club = a_club()
    boss = organiser(club)
    create = {
        "club": lambda: create_club(SYSTEM, name=NAME, slug="copa").slug,
        "tournament": lambda: create_tournament(boss, club, NAME, slug="copa").slug,
        "season": lambda: create_season(boss, club, name=NAME, slug="copa").slug,
    }[what]
    responses = at_once(*[create] * AT_ONCE)
    assert sorted(responses) == ["copa", *["slug_taken"] * (AT_ONCE - 1)]


def test_a_draft_thrown_away_by_many_at_once_is_thrown_away_once() -> None:
    club = a_club()
    draft, boss = a_draft(club), organiser(club)

    def discard() -> str:
        discard_tournament(boss, draft)
        return "gone"

    responses = at_once(*[discard] * AT_ONCE)
    assert sorted(responses) == ["gone", *["not_found"] * (AT_ONCE - 1)]
