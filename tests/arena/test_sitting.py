"""Bots that are compiled sit down: nothing is held while that takes its time."""

import pytest
from django.db import connection

import engine
from tests.clubs import SYSTEM, a_club, house_bots, the_round
from tournaments.arena.services.dispatch import play_round
from tournaments.arena.services.playing import PlayOutcome, play_match
from tournaments.director.services.draws import draw
from tournaments.director.services.entries import enter_newcomers
from tournaments.director.services.settings import GameSettings, NewTournament
from tournaments.director.services.tournaments import create_tournament, publish_round
from tournaments.models import Bot, Match, Record

pytestmark = pytest.mark.django_db


def a_match_of(bots: list[Bot]) -> Match:
    """A due match of two bots in a tournament of their own."""
    tournament = create_tournament(
        SYSTEM, a_club(), "Torneo de bots", NewTournament(GameSettings(options={"to": 1}))
    )
    enter_newcomers(SYSTEM, tournament, bots)
    draw(SYSTEM, tournament)
    publish_round(SYSTEM, the_round(tournament, 1))
    return Match.objects.due().filter(round=play_round(SYSTEM, the_round(tournament, 1))).get()


def quick() -> Bot:
    """The house bot; made again where a test has emptied the database."""
    fields = {"name": "Rápido", "kind": Bot.Kind.QUICK}
    return Bot.objects.get_or_create(slug="rapido", defaults=fields)[0]


@pytest.fixture
def warmed(monkeypatch: pytest.MonkeyPatch) -> list[bool]:
    """For each time that something is compiled, whether a worker held a match meanwhile."""
    lock_states: list[bool] = []
    monkeypatch.setattr(
        engine, "warm_bots", lambda: lock_states.append(Match.objects.leased().exists())
    )
    return lock_states


def test_a_match_of_two_quick_bots_is_played_and_accepted() -> None:
    match = a_match_of([quick(), quick()])
    assert play_match(match.pk) == PlayOutcome.ACCEPTED
    record = Record.objects.get(match=match)
    assert (record.state, record.source) == ("accepted", "bot")
    assert engine.audit(record.text).valid


def test_what_quick_plays_with_is_compiled_before_the_match_is_claimed(warmed: list[bool]) -> None:
    match = a_match_of([house_bots()[0], quick()])
    assert play_match(match.pk) == PlayOutcome.ACCEPTED
    assert warmed == [False]


def test_nothing_is_compiled_for_bots_that_play_by_rule(warmed: list[bool]) -> None:
    match = a_match_of(house_bots())
    assert play_match(match.pk) == PlayOutcome.ACCEPTED
    assert warmed == []


def test_nothing_is_compiled_for_a_match_that_is_not_due(warmed: list[bool]) -> None:
    match = a_match_of([quick(), quick()])
    play_match(match.pk)
    assert play_match(match.pk) == PlayOutcome.SKIPPED
    assert warmed == [False]


@pytest.mark.django_db(transaction=True)
def test_no_transaction_is_open_while_something_is_compiled(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    match = a_match_of([house_bots()[0], quick()])
    inside: list[bool] = []
    monkeypatch.setattr(engine, "warm_bots", lambda: inside.append(connection.in_atomic_block))
    assert play_match(match.pk) == PlayOutcome.ACCEPTED
    assert inside == [False]
