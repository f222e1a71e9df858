"""Clubs, tournaments and people for tests of pages, made through the services as a club would."""

from __future__ import annotations

import json
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from django.contrib.auth.models import User

import engine
from tests.clubs import link_player
from tests.support.scene_rows import reuse_rows
from tournaments import management
from tournaments.core.permissions import Actor
from tournaments.director.services import entries, tournaments
from tournaments.director.services.draws import draw
from tournaments.models import Club, Match, Membership, Round, Tournament
from tournaments.people.services import clubs
from tournaments.results.services import submit as submit_services

if TYPE_CHECKING:
    from tournaments.results.services.submission import SubmissionOutcome

CLUB_NIGHT = Path(management.__file__).parent / "commands" / "club_night"
PASSWORD = "siete de espadas"
PLAYERS = (CLUB_NIGHT / "players.csv").read_text(encoding="utf-8")
PAIRS = (CLUB_NIGHT / "pairs.csv").read_text(encoding="utf-8")


def first_lines(text: str, count: int) -> str:
    """Return the heading of a list and as many lines after it."""
    return "\n".join(text.splitlines()[: count + 1]) + "\n"


FOUR_PAIRS = first_lines(PAIRS, 4)
EIGHT_PLAYERS = first_lines(PLAYERS, 8)


def records_of(name: str) -> list[str]:
    """Return the records of one of the club night's files, as text."""
    return (CLUB_NIGHT / f"{name}.ndjson").read_text(encoding="utf-8").splitlines()


def record_between(match: Match, texts: list[str]) -> str:
    """Return the first record whose four players are those of the match."""
    assert match.away
    seat_names = {*match.home.seat_names, *match.away.seat_names}
    return next(text for text in texts if set(json.loads(text)["seats"]) == seat_names)


@dataclass
class Scene:
    """A club with its people and one tournament; ``organiser`` acts for it."""

    club: Club
    tournament: Tournament
    users: dict[str, User]

    @property
    def organiser(self) -> Actor:
        """The club's organiser as services know them."""
        return Actor.for_user(self.users["organiser"])

    @property
    def rounds(self) -> list[Round]:
        """The rounds in order."""
        return list(
            Round.objects.filter(stage__tournament=self.tournament)
            .select_related("stage__tournament__club")
            .order_by("number")
        )

    def matches(self, number: int = 1) -> list[Match]:
        """The matches of a round by table."""
        matches = Match.objects.with_names().filter(
            round__stage__tournament=self.tournament, round__number=number, away__isnull=False
        )
        return list(matches.order_by("table"))

    def submit(self, match: Match, text: str | None = None) -> SubmissionOutcome:
        """Hand in the match's own good record, or another text."""
        body = text if text is not None else record_between(match, records_of("records"))
        return submit_services.submit_record(self.organiser, match, body)


@dataclass(frozen=True)
class Spoiled:
    """A record in which a player plays a card that is in hand and not allowed."""

    text: str
    seat: str
    card: str
    legal: tuple[str, ...]


def spoiled(text: str) -> Spoiled:
    """Put a forbidden card into the first hand of a good record, where there first is one."""
    record = json.loads(text)
    tokens = record["hands"][0]["play"].split()
    for number, frame in enumerate(engine.frames(engine.parse_record(text), 0)[:-1]):
        hand = frame.hands[frame.turn or "A"]
        forbidden = [card for card in hand if card not in frame.legal]
        if forbidden and ":" not in tokens[number]:
            tokens[number] = forbidden[0]
            record["hands"][0]["play"] = " ".join(tokens)
            wrong = json.dumps(record, ensure_ascii=False)
            return Spoiled(wrong, frame.turn or "", forbidden[0], frame.legal)
    raise AssertionError("every card of this hand may be played")


def user_named(name: str, **fields: Any) -> User:
    """Create a user who signs in with `PASSWORD`."""
    return User.objects.create_user(username=name, password=PASSWORD, **fields)


def open_club() -> tuple[Club, dict[str, User]]:
    """Found a club with an organiser, an arbiter, a player and an outsider."""
    system = Actor.system()
    club = clubs.create_club(system, name="Peña La Sota", city="Zaragoza")
    users = {name: user_named(name) for name in ("organiser", "arbiter", "player", "outsider")}
    clubs.add_member(system, club, users["organiser"], Membership.Role.ORGANISER)
    clubs.add_member(system, club, users["arbiter"], Membership.Role.ARBITER)
    return club, users


@reuse_rows()
def draft(pairs: str = FOUR_PAIRS, players: str = EIGHT_PLAYERS) -> Scene:
    """A tournament whose pairs are entered and whose rounds are not drawn."""
    club, users = open_club()
    organiser = Actor.for_user(users["organiser"])
    tournament = tournaments.create_tournament(organiser, club, "Liguilla de otoño")
    entries.import_entries(organiser, tournament, players, pairs, as_written=True)
    link_player(organiser, club.players.get(code="J01"), users["player"])
    return Scene(club, tournament, users)


@reuse_rows()
def drawn() -> Scene:
    """A tournament with its rounds drawn, all of them drafts."""
    scene = draft()
    scene.tournament = draw(scene.organiser, scene.tournament)
    return scene


@reuse_rows()
def running() -> Scene:
    """A tournament in its first round, with the first table played."""
    scene = drawn()
    tournaments.publish_round(scene.organiser, scene.rounds[0])
    scene.submit(scene.matches()[0])
    return scene


@reuse_rows()
def club_night() -> Scene:
    """A tournament of the sample's eight pairs, all seven rounds published, nothing played."""
    scene = draft(PAIRS, PLAYERS)
    scene.tournament = draw(scene.organiser, scene.tournament)
    for round_ in scene.rounds:
        tournaments.publish_round(scene.organiser, round_)
    return scene
