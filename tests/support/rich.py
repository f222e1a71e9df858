"""A club where everything has happened, for tests that go through every page of it.

A liguilla half played, with a dispute, a report to be confirmed, a match put off and one analysed;
a Swiss with a draft; a tournament whose entrants arrive; groups with a knock-out; duplicate deals
compared; bots that met, a ladder with its schedule; a program brought; a season; ratings.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from tests.arena.test_arena_queries import TEST, with_sets
from tests.clubs import (
    SYSTEM,
    house_bots,
    link_player,
    new_tournament,
    play_out,
    the_match,
    the_round,
)
from tests.director.test_boards import play
from tests.support import scenes
from tests.support.bot_tables import a_comparison, house_bot
from tournaments.analysis.services import analyse_record
from tournaments.arena.services.dispatch import play_round as ask_to_play
from tournaments.core.permissions import Actor
from tournaments.director.services.absences import penalise
from tournaments.director.services.draws import draw, draw_next
from tournaments.director.services.entries import enter_newcomers, import_entries
from tournaments.director.services.tournaments import close_round, create_tournament, publish_round
from tournaments.domain.scores import Score
from tournaments.models import Analysis, Bot, Club, Match, Tournament
from tournaments.people.services.bots import register_bot, submit_bot
from tournaments.ratings.services import refresh_ratings
from tournaments.results.services.matches import correct_result, dispute_result, postpone
from tournaments.results.services.reports import report_result
from tournaments.standings.services.seasons import add_tournament, create_season

if TYPE_CHECKING:
    from django.contrib.auth.models import User

LIGUILLA, SWISS, DOOR, CUP = "liguilla", "suizo", "puerta", "copa"
DUPLICATE, BOTS, SINGLE = "duplicada", "bots", "bots-sueltos"
SEASON, PROGRAM, REMOTE, COMPARED = "temporada", "ensayo", "lejano", "dos-versiones"


@dataclass(frozen=True)
class RichClub:
    """The club and those who look at it; the matches of its liguilla by what became of them."""

    club: Club
    users: dict[str, User]
    matches: dict[str, Match]


def rich_club() -> RichClub:
    """Found it and let all of it happen."""
    club, users = scenes.open_club()
    users["staff"] = scenes.user_named("staff", is_staff=True, is_superuser=True)
    matches = the_liguilla(club, users)
    the_swiss(club)
    the_door(club)
    the_cup(club)
    the_duplicate(club)
    the_bots(club)
    the_single_deals(club)
    season = create_season(SYSTEM, club, name="Temporada", best=1, slug=SEASON)
    for slug in (LIGUILLA, CUP):
        add_tournament(SYSTEM, season, Tournament.objects.get(slug=slug), weight="1.5")
    submit_bot(SYSTEM, club, name=PROGRAM.title(), language="python", source="print()")
    boss = Actor.for_user(users["organiser"])
    compared = submit_bot(boss, club, name="Dos versiones", language="python", source="print()")
    a_comparison(compared.bot)
    register_bot(boss, club, name=REMOTE.title(), kind=Bot.Kind.REMOTE)
    return RichClub(club, users, matches)


def the_liguilla(club: Club, users: dict[str, User]) -> dict[str, Match]:
    """Eight pairs: two rounds played by their records, the third at every stage of a match."""
    liguilla = create(club, "Liguilla de otoño", LIGUILLA)
    import_entries(SYSTEM, liguilla, scenes.PLAYERS, scenes.PAIRS)
    link_player(SYSTEM, club.players.get(code="J01"), users["player"])
    draw(SYSTEM, liguilla)
    scene = scenes.Scene(club, liguilla, users)
    for number in (1, 2):
        publish_round(SYSTEM, the_round(liguilla, number))
        for match in scene.matches(number):
            scene.submit(match)
    first = Analysis.objects.due().order_by("record")[0]
    analyse_record(first.record_id, gives_way=False)
    refresh_ratings(liguilla.pk)
    dispute_result(SYSTEM, scene.matches(2)[0], "Las diez de últimas de la mano 2 eran nuestras.")
    close_round(SYSTEM, the_round(liguilla, 1))
    publish_round(SYSTEM, the_round(liguilla, 3))
    own_match, *others = sorted(scene.matches(3), key=lambda match: not seats_the_player(match))
    reported, decided, put_off = others
    report_result(Actor.for_entry(reported.home), reported, score=Score(3, 1, 310, 222))
    correct_result(SYSTEM, decided, Score(0, 3, 120, 333), reason="El acta estaba del revés.")
    postpone(SYSTEM, put_off, None, reason="Faltaba uno.")
    penalise(SYSTEM, decided.home, round_number=3, match_points="0,5", reason="Llegaron tarde.")
    return {
        "own": own_match,
        "reported": reported,
        "decided": decided,
        "put off": put_off,
        "played": scene.matches(1)[0],
        "disputed": scene.matches(2)[0],
    }


def seats_the_player(match: Match) -> bool:
    """Return whether the first player of the club's list sits there."""
    away = match.away.seat_names if match.away else ()
    return "Pilar Martínez" in match.home.seat_names + away


def the_swiss(club: Club) -> None:
    """Seven pairs after a round, the second a draft."""
    swiss = create(club, "Suizo de invierno", SWISS, {"format": "swiss", "rules": {"rounds": 3}})
    enter_newcomers(SYSTEM, swiss, list(club.pairs.order_by("code"))[:7])
    draw(SYSTEM, swiss)
    play_out(publish_round(SYSTEM, the_round(swiss, 1)))
    draw_next(SYSTEM, swiss, after=1)


def the_door(club: Club) -> None:
    """Six pairs are entered, nothing is drawn."""
    door = create(club, "Social del domingo", DOOR, {"format": "swiss", "rules": {"rounds": 3}})
    enter_newcomers(SYSTEM, door, list(club.pairs.order_by("code"))[:6])


def the_cup(club: Club) -> None:
    """Two groups, then a knock-out whose first round is published."""
    stages = (
        {"format": "groups", "rules": {"groups": 2}},
        {"format": "knockout", "rules": {"take": 2, "third_place": True}},
    )
    cup = create(club, "Copa de primavera", CUP, *stages)
    enter_newcomers(SYSTEM, cup, list(club.pairs.order_by("code")))
    draw(SYSTEM, cup)
    for number in range(1, 4):
        the_lower_number_wins(cup, number)
    draw_next(SYSTEM, cup, after=3)
    publish_round(SYSTEM, the_round(cup, 4))


def the_lower_number_wins(cup: Tournament, number: int) -> None:
    """Play a round, so that nobody is level at its end."""
    round_ = publish_round(SYSTEM, the_round(cup, number))
    for match in round_.matches.with_names().filter(away__isnull=False):
        wins = match.away is not None and match.home.number < match.away.number
        score = Score(3, 1, 300, 200) if wins else Score(1, 3, 200, 300)
        correct_result(SYSTEM, match, score, reason="acta")
    close_round(SYSTEM, round_)


def the_duplicate(club: Club) -> None:
    """Four bots whose first round of common deals was played."""
    stage = {"format": "duplicate", "rules": {"movement": "howell"}}
    duplicate = create(club, "Duplicada", DUPLICATE, stage, options={"deals": 1})
    enter_newcomers(SYSTEM, duplicate, house_bots() * 2)
    draw(SYSTEM, duplicate)
    play(duplicate, 1)


def the_bots(club: Club) -> None:
    """Three bots under a test that stops them: two have met."""
    stage = {"format": "liguilla", "rules": {}}
    more: dict[str, Any] = {"options": {"deals": 1}, "deal_sets": 20, "stop": TEST}
    bots = create(club, "Liga de bots", BOTS, stage, ruleset="parejas-online", **more)
    enter_newcomers(SYSTEM, bots, [house_bot("simple", 1), house_bot("random", 2)])
    draw(SYSTEM, bots)
    ask_to_play(SYSTEM, publish_round(SYSTEM, the_round(bots, 1)))
    with_sets(the_match(bots, 1, 1), *[(150, 110), (140, 120), (130, 130)] * 4)


def the_single_deals(club: Club) -> None:
    """Two bots whose only match was played, and its deals published."""
    stage = {"format": "liguilla", "rules": {}}
    more: dict[str, Any] = {"options": {"deals": 1}, "ruleset": "parejas-online"}
    single = create(club, "Bots a una mano", SINGLE, stage, **more)
    enter_newcomers(SYSTEM, single, [house_bot("simple", 1), house_bot("random", 2)])
    draw(SYSTEM, single)
    play(single, 1)


def create(club: Club, name: str, slug: str, *stages: dict[str, Any], **more: Any) -> Tournament:
    """Create a tournament; of pairs to three hands unless said otherwise."""
    more.setdefault("options", {"to": 3})
    if stages:
        more["stages"] = list(stages)
    return create_tournament(SYSTEM, club, name, new_tournament(**more), slug=slug)
