"""Clubs, tournaments and records for tests, made by the services as they are in life."""

import dataclasses
import json
from functools import cache
from pathlib import Path
from typing import Any

from django.contrib.auth.models import User
from django.db import transaction

from tests.support.scene_rows import reuse_rows
from tournaments.accounts.services.invitations import issue_token
from tournaments.core.find import lock_club
from tournaments.core.permissions import Actor
from tournaments.director.services.draws import draw
from tournaments.director.services.entries import enter_newcomers, import_entries
from tournaments.director.services.settings import GameSettings, NewTournament
from tournaments.director.services.tournaments import close_round, create_tournament, publish_round
from tournaments.domain.scores import Score
from tournaments.models import ApiToken, Bot, Club, Match, Membership, Player, Round, Tournament
from tournaments.people.services.clubs import add_member, create_club, give_account
from tournaments.results.services.matches import correct_result
from tournaments.results.services.submission import SubmissionOutcome
from tournaments.results.services.submit import submit_record, submit_to_tournament

CLUB_NIGHT = Path(__file__).parents[1] / "tournaments/management/commands/club_night"
SYSTEM = Actor.system()
NOBODY = Actor.anonymous()


def user(name: str) -> User:
    account, _ = User.objects.get_or_create(username=name)
    return account


def a_club(name: str = "Casino de Zaragoza") -> Club:
    return create_club(SYSTEM, name=name, city="Zaragoza")


def organiser(club: Club, name: str = "olga") -> Actor:
    add_member(SYSTEM, club, user(name), Membership.Role.ORGANISER)
    return Actor.for_user(user(name))


def arbiter(club: Club, name: str = "alberto") -> Actor:
    add_member(SYSTEM, club, user(name), Membership.Role.ARBITER)
    return Actor.for_user(user(name))


@transaction.atomic
def link_player(actor: Actor, player: Player, account: User) -> None:
    """Give a player an account, as accepting an invitation does."""
    give_account(actor, lock_club(player.club), player, account)


def stranger(name: str = "elena") -> Actor:
    return Actor.for_user(user(name))


def program(club: Club, *scopes: str, of: str = "olga") -> Actor:
    """A program with a token of a user, who is made an organiser."""
    organiser(club, of)
    token, _ = issue_token(SYSTEM, club, user(of), name="marcador", scopes=scopes)
    return Actor.from_token(ApiToken.objects.select_related("user", "club").get(pk=token.pk))


def csv(name: str) -> bytes:
    return (CLUB_NIGHT / name).read_bytes()


@cache
def club_night_lines() -> tuple[str, ...]:
    """The 28 records of the sample club night, in the order of rounds and tables."""
    return tuple((CLUB_NIGHT / "records.ndjson").read_text(encoding="utf-8").splitlines())


@cache
def disputed_lines() -> tuple[str, ...]:
    """The 24 records brought to the arbiter, each with one defect."""
    return tuple((CLUB_NIGHT / "disputed.ndjson").read_text(encoding="utf-8").splitlines())


def record(index: int) -> dict[str, Any]:
    """A record of the club night (from 0) to be changed at will."""
    loaded: dict[str, Any] = json.loads(club_night_lines()[index])
    return loaded


def text(document: object) -> str:
    return json.dumps(document, ensure_ascii=False)


def new_tournament(**fields: Any) -> NewTournament:
    """A tournament to be created, of fields of its game and of its own."""
    game_fields = [field.name for field in dataclasses.fields(GameSettings) if field.name in fields]
    game = {name: fields.pop(name) for name in game_fields}
    return NewTournament(GameSettings(**game), **fields)


def a_draft(club: Club, name: str = "Liguilla de otoño", **options: Any) -> Tournament:
    return create_tournament(SYSTEM, club, name, new_tournament(options={"to": 3}, **options))


@reuse_rows({}, {"published": 1}, {"published": 2})
def the_liguilla(club: Club | None = None, published: int = 7) -> Tournament:
    """The liguilla of the club night, drawn, with its first rounds published."""
    tournament = a_draft(club or a_club())
    import_entries(SYSTEM, tournament, csv("players.csv"), csv("pairs.csv"))
    draw(SYSTEM, tournament)
    for number in range(1, published + 1):
        publish_round(SYSTEM, the_round(tournament, number))
    tournament.refresh_from_db()
    return tournament


def house_bots() -> list[Bot]:
    """The two plain bots of the house."""
    return [Bot.objects.get(slug=slug) for slug in ("azar", "sencillo")]


def a_bot_liguilla(
    club: Club | None = None, entries: int = 4, published: int = 1, to: int = 1
) -> Tournament:
    """A liguilla of the house bots, half of either kind, with its first rounds published."""
    club = club or a_club()
    tournament = create_tournament(
        SYSTEM, club, "Torneo de bots", NewTournament(GameSettings(options={"to": to}))
    )
    kinds = house_bots()
    enter_newcomers(SYSTEM, tournament, [kinds[n % 2] for n in range(entries)])
    draw(SYSTEM, tournament)
    for number in range(1, published + 1):
        publish_round(SYSTEM, the_round(tournament, number))
    tournament.refresh_from_db()
    return tournament


@reuse_rows()
def a_swiss(entries: int = 6, rounds: int = 3, drawn: bool = True, **more: Any) -> Tournament:
    """A Swiss of `entries` bots (their results are reported by hand), its first round a draft."""
    stages = [{"format": "swiss", "rules": {"rounds": rounds}}, *more.pop("then", ())]
    tournament = create_tournament(
        SYSTEM,
        a_club(),
        "Suizo de invierno",
        new_tournament(options={"to": 3}, stages=stages, **more),
    )
    kinds = house_bots()
    enter_newcomers(SYSTEM, tournament, [kinds[n % 2] for n in range(entries)])
    if drawn:
        draw(SYSTEM, tournament)
    tournament.refresh_from_db()
    return tournament


def play_out(round_: Round) -> None:
    """Let home win every match of a published round, by more points the higher the table.

    The arbiter gives the results; the round is closed.
    """
    for match in round_.matches.with_names().filter(state=Match.State.PENDING):
        score = Score(3, 1, 300 + 10 * match.table, 200)
        correct_result(SYSTEM, match, score, reason="as the table wrote it down")
    close_round(SYSTEM, round_)


def the_round(tournament: Tournament, number: int) -> Round:
    rounds = Round.objects.select_related("stage__tournament__club")
    return rounds.get(stage__tournament=tournament, number=number)


def the_match(tournament: Tournament, round_: int, table: int) -> Match:
    matches = Match.objects.with_names().filter(round__stage__tournament=tournament)
    return matches.get(round__number=round_, table=table)


def submitted(tournament: Tournament, index: int, actor: Actor = SYSTEM) -> SubmissionOutcome:
    """Submit a record of the club night (from 0) for the match it was played in."""
    match = the_match(tournament, index // 4 + 1, index % 4 + 1)
    return submit_record(actor, match, club_night_lines()[index])


def play_the_club_night(tournament: Tournament) -> None:
    """Submit all 28 records."""
    for line in club_night_lines():
        assert submit_to_tournament(SYSTEM, tournament, line).outcome == "accepted"
