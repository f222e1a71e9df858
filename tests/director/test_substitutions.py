"""A substitute plays in place of one of the pair, in the rounds of the substitution."""

import pytest
from django.db.models import Q
from django.utils import translation

from tests.clubs import SYSTEM, a_bot_liguilla, stranger, the_round
from tests.support.day import a_day, entry, late_pair, next_round, play_round, spare
from tests.support.refusals import refusal
from tournaments.core.errors import Reason, Refusal
from tournaments.director.services.entries import enter_late
from tournaments.director.services.rounds import pair, swap, unpair
from tournaments.director.services.substitutions import end_substitution, substitute
from tournaments.director.services.tournaments import publish_round
from tournaments.models import Match, Player, Substitution, Tournament
from tournaments.people.services.clubs import create_players
from tournaments.results.queries.own_table import own_table_version

pytestmark = pytest.mark.django_db


def names(tournament: Tournament, round_: int, number: int = 1) -> tuple[str, ...]:
    matches = Match.objects.with_names().filter(round=the_round(tournament, round_))
    for match in matches:
        for side, entries in enumerate(match.sides):
            if number in {side_entry.number for side_entry in entries}:
                return match.names_at(side)
    raise AssertionError("not in the round")


def name_substitute(
    tournament: Tournament, from_round: int, until: int | None = None
) -> Substitution:
    pair = entry(tournament, 1).pair
    assert pair is not None
    return substitute(
        SYSTEM,
        entry(tournament, 1),
        leaves=pair.first,
        comes=spare(tournament),
        from_round=from_round,
        until_round=until,
    )


def test_the_substitute_sits_at_the_table_that_is_drawn() -> None:
    tournament = a_day(4)
    substitution = name_substitute(tournament, 1)
    assert names(tournament, 1) == (substitution.comes.name, "Jugador 2")


def test_and_at_the_tables_that_are_drawn_later() -> None:
    tournament = a_day(4)
    substitution = name_substitute(tournament, 2)
    play_round(tournament, 1)
    next_round(tournament, 1)
    assert names(tournament, 1) == ("Jugador 1", "Jugador 2")
    assert names(tournament, 2) == (substitution.comes.name, "Jugador 2")


def test_what_has_been_played_stays_as_it_was_played() -> None:
    tournament = a_day(4)
    play_round(tournament, 1)
    name_substitute(tournament, 1)
    assert names(tournament, 1) == ("Jugador 1", "Jugador 2")


def test_when_they_leave_the_pair_is_itself_again() -> None:
    tournament = a_day(4)
    substitution = name_substitute(tournament, 1)
    play_round(tournament, 1)
    end_substitution(SYSTEM, substitution, until_round=2)
    next_round(tournament, 1)
    publish_round(SYSTEM, the_round(tournament, 2))
    assert names(tournament, 2) == ("Jugador 1", "Jugador 2")


def test_nobody_substitutes_who_plays_themselves() -> None:
    tournament = a_day(4)
    pair, other = entry(tournament, 1).pair, entry(tournament, 2).pair
    assert pair is not None
    assert other is not None
    with refusal(Reason.PLAYER_TWICE):
        substitute(SYSTEM, entry(tournament, 1), leaves=pair.first, comes=other.first, from_round=1)


def test_nobody_substitutes_in_two_pairs_at_once() -> None:
    tournament = a_day(4)
    name_substitute(tournament, 1, until=3)
    other = entry(tournament, 2).pair
    assert other is not None
    player = spare(tournament)
    with refusal(Reason.PLAYER_TWICE):
        substitute(SYSTEM, entry(tournament, 2), leaves=other.first, comes=player, from_round=2)
    substitute(SYSTEM, entry(tournament, 2), leaves=other.first, comes=player, from_round=3)


def test_a_bot_is_not_substituted_and_the_refusal_says_who_can_be() -> None:
    tournament = a_bot_liguilla()
    bot = entry(tournament, 1)
    create_players(SYSTEM, tournament.club, ["Nieves Otal"])
    with pytest.raises(Refusal) as refused:
        substitute(SYSTEM, bot, leaves=spare(tournament), comes="Nuria Pla", from_round=1)
    assert refused.value.reason is Reason.NOT_IN_ENTRY
    with translation.override("en"):
        assert refused.value.message.startswith("Only a player of the entry is substituted: “")


def test_only_one_of_the_pair_can_be_replaced() -> None:
    tournament = a_day(4)
    other = entry(tournament, 2).pair
    assert other is not None
    with refusal(Reason.NOT_IN_ENTRY):
        substitute(
            SYSTEM,
            entry(tournament, 1),
            leaves=other.first,
            comes=spare(tournament),
            from_round=1,
        )


def test_another_substitute_takes_over_from_the_first() -> None:
    tournament = a_day(4)
    name_substitute(tournament, 1)
    pair = entry(tournament, 1).pair
    assert pair is not None
    people = Player.objects.filter(club=tournament.club, substitutions__isnull=True)
    free = people.filter(pairs_as_first__isnull=True, pairs_as_second__isnull=True)[0]
    substitute(SYSTEM, entry(tournament, 1), leaves=pair.first, comes=free, from_round=1)
    assert names(tournament, 1) == (free.name, "Jugador 2")
    assert Substitution.objects.count() == 1


def test_a_stranger_names_nobody() -> None:
    tournament = a_day(4)
    pair = entry(tournament, 1).pair
    assert pair is not None
    with refusal(Reason.FORBIDDEN):
        substitute(
            stranger(),
            entry(tournament, 1),
            leaves=pair.first,
            comes=spare(tournament),
            from_round=1,
        )


def test_the_substitute_still_plays_when_the_draft_is_arranged_by_hand() -> None:
    tournament = a_day(4)
    substitution = name_substitute(tournament, 1)
    round_ = the_round(tournament, 1)
    mine = round_.matches.get(Q(home__number=1) | Q(away__number=1))
    other = entry(tournament, next(iter({1, 2, 3, 4} - seated_at(mine))))
    swap(SYSTEM, round_, entry(tournament, 1), other)
    assert names(tournament, 1) == (substitution.comes.name, "Jugador 2")
    mine = round_.matches.get(Q(home__number=1) | Q(away__number=1))
    two = [entry(tournament, number) for number in sorted(seated_at(mine))]
    unpair(SYSTEM, mine)
    pair(SYSTEM, round_, *two)
    assert names(tournament, 1) == (substitution.comes.name, "Jugador 2")


def seated_at(match: Match) -> set[int]:
    return {side_entry.number for side in match.sides for side_entry in side}


def test_a_late_pair_meets_the_substitute_of_a_pair_that_waits() -> None:
    tournament = a_day(5)
    round_ = publish_round(SYSTEM, the_round(tournament, 1))
    waiting = round_.matches.get(state="bye").home
    waiting = entry(tournament, waiting.number)
    assert waiting.pair is not None
    comes = spare(tournament)
    substitute(SYSTEM, waiting, leaves=waiting.pair.first, comes=comes, from_round=1)
    enter_late(SYSTEM, tournament, late_pair(tournament))
    assert comes.name in names(tournament, 1, waiting.number)


def test_the_pages_of_both_own_tables_are_informed_of_a_substitute() -> None:
    tournament = a_day(4)
    round_ = publish_round(SYSTEM, the_round(tournament, 1))
    mine = round_.matches.get(Q(home__number=1) | Q(away__number=1))
    entries = [entry(tournament, number) for number in sorted(seated_at(mine))]
    before = [own_table_version(side_entry) for side_entry in entries]
    name_substitute(tournament, 1)
    after = [own_table_version(side_entry) for side_entry in entries]
    assert not set(before) & set(after)


def test_a_substitution_made_by_mistake_is_taken_back_from_its_first_round() -> None:
    tournament = a_day(4)
    substitution = name_substitute(tournament, 1)
    with refusal(Reason.BAD_ROUNDS):
        end_substitution(SYSTEM, substitution, until_round=0)
    end_substitution(SYSTEM, substitution, until_round=1)
    assert names(tournament, 1) == ("Jugador 1", "Jugador 2")
    assert not Substitution.objects.exists()
    name_substitute(tournament, 1)
    assert names(tournament, 1)[0] == spare(tournament).name
