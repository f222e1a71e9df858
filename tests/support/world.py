"""A filled club, and everybody who may call: for tests that call every address."""

from __future__ import annotations

from dataclasses import dataclass

from tests.api.test_routes import addresses
from tests.core.test_tokens_api import stranger
from tests.support.scenes import Scene, running, user_named
from tournaments.accounts.services.invitations import issue_token
from tournaments.core.permissions import Actor
from tournaments.director.services.settings import GameSettings, NewTournament
from tournaments.director.services.tournaments import create_tournament
from tournaments.domain.plans import PLANS
from tournaments.models import ApiToken, Membership
from tournaments.people.services.clubs import add_member
from tournaments.signup.services.closing import close_sign_up
from tournaments.signup.services.links import make_link
from tournaments.signup.services.money import pay
from tournaments.signup.services.requests import Application, set_sign_up, sign_up


@dataclass(frozen=True)
class World:
    """Tokens by the role of their bearers, and the values for the parameters of an address."""

    tokens: dict[str, str]
    places: dict[str, list[object]]

    def value(self, path: str, name: str, number: int) -> object:
        """Return something that is there under this name of an address, another each time.

        ``path`` is as the document writes it: `/api/v1/tournaments/{slug}/`.
        """
        noun = path.removeprefix("/api/v1/").partition("/")[0]
        above = path.partition(f"/{{{name}}}/")[0].rpartition("/")[2]
        values = self.places.get(f"{above}.{name}") or self.places[f"{noun}.{name}"]
        return values[number % len(values)]


def filled_world() -> World:
    """Fill a club: a round in play, records good and bad, bots, a season, other tournaments."""
    # Made now: a no-show may be reported some time after the publication.
    scene = running.__wrapped__()  # type: ignore[attr-defined]
    for name, plan in PLANS.items():
        draft = create_tournament(
            scene.organiser,
            scene.club,
            f"Torneo: {name}",
            NewTournament(
                GameSettings(ruleset="arrastrado" if plan.seats == 3 else "parejas-online"),
                stages=plan.stages({}),
            ),
            slug=name.replace("_", "-"),
        )
        for person in ("Ana Gil", "Luis Sanz"):
            sign_up(scene.organiser, draft, Application((person,)))
        set_sign_up(scene.organiser, draft, {"places": 1})
        close_sign_up(scene.organiser, draft, (1, 2))
    set_sign_up(scene.organiser, scene.tournament, {"fee_cents": 2000})
    link, _secret = make_link(scene.organiser, scene.tournament, "Bar Central", 4)
    line = pay(scene.organiser, scene.tournament.entries.get(number=1))
    paths = addresses(scene)
    tournament = [str(paths["slug"])]
    places: dict[str, list[object]] = {
        "clubs.slug": [paths["club"]],
        "tables.table": ["standings", "results", "entries"],
        "clubs.season": [paths["season"]],
        "clubs.id": [paths["webhook"]],
        "players.code": ["J01", "J98", "J96"],
        "pairs.code": ["P1", "P97", "P96"],
        "clubs.delivery": [paths["delivery"]],
        "clubs.verb": ["ping", "pause", "resume", "secret", "redeliver"],
        "players.id": [paths["player"]],
        "restore-points.id": [paths["point"]],
        "byes.id": [paths["bye"]],
        "penalties.id": [paths["penalty"]],
        "substitutions.id": [paths["substitution"]],
        "bots.slug": [paths["bot"], "lejano"],
        "bots.number": [1],
        "bots.id": [paths["turn"]],
        "comparisons.id": [paths["comparison"]],
        "tournaments.slug": [
            slug for name in PLANS for slug in tournament * 2 + [name.replace("_", "-")]
        ],
        "days.number": [1],
        "tournaments.number": [1, 1, 1, 2],
        "tournaments.ticket": [1],
        "tournaments.line": [line.pk],
        "links.id": [link.pk],
        "matches.id": [paths["played"], paths["waiting"], paths["played"], paths["hidden"]],
        "matches.number": [1],
        "disputes.id": [1],
        "records.id": [paths["accepted"], paths["refused"]],
    }
    return World(tokens_of(scene), places)


def tokens_of(scene: Scene) -> dict[str, str]:
    """Issue a token to everybody, and one for each scope alone."""
    every = tuple(ApiToken.Scope.values)
    boss = scene.users["staff"] = user_named("staff", is_staff=True, is_superuser=True)
    add_member(Actor.system(), scene.club, boss, Membership.Role.ORGANISER)
    tokens = {"anonymous": "", "stranger": stranger(scene).headers["authorization"][7:]}
    tokens |= {
        role: token(scene, role, every) for role in ("player", "arbiter", "organiser", "staff")
    }
    return tokens | {scope: token(scene, "organiser", (scope,)) for scope in every}


def token(scene: Scene, role: str, scopes: tuple[str, ...]) -> str:
    """Issue a token of a member of the club, with these scopes."""
    user = scene.users[role]
    return issue_token(
        Actor.system(), scene.club, user, name=f"{role}, {len(scopes)}", scopes=scopes
    )[1]
