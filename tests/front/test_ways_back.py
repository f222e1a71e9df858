"""The ways back beside the play are tried: sign-up, money, prizes, days, seasons, bots, rulings."""

from collections.abc import Callable
from datetime import UTC, date, datetime, time
from typing import Any

import pytest

from tests.clubs import SYSTEM, a_bot_liguilla, the_match, the_round
from tests.signup.test_signing_up import a_posted, ask, pairs
from tests.support.day import a_day
from tests.support.walks import digest
from tournaments.arena.services.arena import pause_round, resume_round
from tournaments.arena.services.dispatch import play_round
from tournaments.director.services.days import (
    DayPlan,
    NewDay,
    add_day,
    change_day,
    plan_days,
    remove_day,
)
from tournaments.director.services.plan import set_plan
from tournaments.director.services.posting import (
    cancel_tournament,
    post_tournament,
)
from tournaments.director.services.restoring import go_back
from tournaments.director.services.settings import GameSettings, NewTournament
from tournaments.director.services.tournaments import publish_round
from tournaments.domain.scores import Score
from tournaments.models import (
    CashEntry,
    Day,
    Dispute,
    Match,
    Round,
    Season,
    SignUp,
    SignUpRequest,
    Tournament,
)
from tournaments.results.services.matches import (
    correct_result,
    dispute_result,
    forfeit,
    rule_on_dispute,
)
from tournaments.signup.queries.places import request_rows
from tournaments.signup.services.closing import close_sign_up, reopen_sign_up
from tournaments.signup.services.money import pay, reverse, waive
from tournaments.signup.services.requests import (
    change_name,
    change_request,
    join,
    part,
    set_sign_up,
    take_off,
)
from tournaments.standings.queries.prizes import ceremony_rows, prize_list
from tournaments.standings.services.prizes import NewPrize, hand_out, set_prizes, take_back
from tournaments.standings.services.seasons import (
    add_tournament,
    create_season,
    remove_tournament,
    set_season_rules,
)

pytestmark = pytest.mark.django_db

Step = Callable[[Tournament], object]


def seen(tournament: Tournament) -> dict[str, Any]:
    """What people see of a tournament beside its draw: what a way back has to restore."""
    tournament.refresh_from_db()
    signup = SignUp.objects.filter(tournament=tournament).first()
    tickets = [] if signup is None else request_rows(signup)
    rounds = Round.objects.filter(stage__tournament=tournament).order_by("number")
    season = Season.objects.first()
    prizes = ceremony_rows(tournament, prize_list(tournament))
    return {
        "draw": digest(tournament),
        "poster": (tournament.posted_at is None, tournament.cancelled_at, tournament.begins_at),
        "plan": list(tournament.stages.order_by("number").values_list("format", "settings")),
        "form": (None, None) if signup is None else (signup.places, signup.closed_at),
        "tickets": [
            (one.names, one.partners, one.entry, one.balance.state)
            for one in tickets
            if one.is_ticket and one.left_at is None
        ],
        "prizes": [(one.recipient.number, one.recipient.cents, one.cents_left) for one in prizes],
        "days": list(tournament.days.order_by("number").values_list("starts_at", "place")),
        "rounds": list(rounds.values_list("number", "day__number", "paused_at")),
        "season": None if season is None else (season.best, season.events.count()),
    }


def posted() -> Tournament:
    tournament = a_posted(fee_cents=2000, singles=True)
    pairs(tournament, 3)
    for name in ("Iris Vega", "Noé Lara"):
        ask(tournament, name)
    return tournament


def published() -> Tournament:
    tournament = a_day(6)
    publish_round(SYSTEM, the_round(tournament, 1))
    create_season(SYSTEM, tournament.club, name="Temporada", best=3)
    return tournament


def level() -> Tournament:
    tournament = published()
    set_prizes(SYSTEM, tournament, [NewPrize(1, 1, cents=6000)])
    return tournament


def planned() -> Tournament:
    tournament = published()
    plan_days(SYSTEM, tournament, TUESDAYS)
    return tournament


def reported() -> Tournament:
    tournament = published()
    correct_result(SYSTEM, a_match(tournament), Score(3, 1, 300, 200), reason="from the sheet")
    return tournament


def of_bots() -> Tournament:
    tournament = a_bot_liguilla()
    play_round(SYSTEM, the_round(tournament, 1))
    return tournament


def ticket(tournament: Tournament, number: int) -> SignUpRequest:
    return SignUpRequest.objects.get(signup__tournament=tournament, ticket=number)


def last_line(tournament: Tournament) -> CashEntry:
    return CashEntry.objects.filter(tournament=tournament).latest("pk")


def a_match(tournament: Tournament) -> Match:
    return the_match(tournament, 1, 1)


def season_of(tournament: Tournament) -> Season:
    return tournament.club.seasons.get()


def first_day(tournament: Tournament) -> Day:
    return tournament.days.order_by("number")[0]


def rule_as_it_was(tournament: Tournament) -> None:
    rule_on_dispute(SYSTEM, Dispute.objects.get(), "uphold", reason="as the sheet says")


TUESDAYS = DayPlan(on=(1,), at=time(20, 30), first=date(2027, 3, 2), count=3)
LAST = datetime(2027, 3, 16, 19, 30, tzinfo=UTC)
SWISS, LIGUILLA = (
    NewTournament(GameSettings(options={"to": 3}), stages=[stage])
    for stage in ({"format": "swiss", "rules": {"rounds": 3}}, {"format": "liguilla"})
)
ROWS: dict[str, tuple[Callable[[], Tournament], Step, Step]] = {
    "cancel": (
        posted,
        lambda t: cancel_tournament(SYSTEM, t, "rain"),
        lambda t: post_tournament(SYSTEM, t),
    ),
    "set_sign_up": (
        posted,
        lambda t: set_sign_up(SYSTEM, t, {"places": 9}),
        lambda t: set_sign_up(SYSTEM, t, {"places": 4}),
    ),
    "change_name": (
        posted,
        lambda t: change_name(SYSTEM, ticket(t, 1), 1, "Olga Ruiz"),
        lambda t: change_request(SYSTEM, ticket(t, 1), {"names": ("Ana Albiac", "Luis Albiac")}),
    ),
    "add_request": (
        posted,
        lambda t: ask(t, "Eva Pons", "Raúl Mora"),
        lambda t: take_off(SYSTEM, ticket(t, 6), "a slip"),
    ),
    "join": (
        posted,
        lambda t: join(SYSTEM, ticket(t, 4), ticket(t, 5)),
        lambda t: part(SYSTEM, ticket(t, 4)),
    ),
    "pay": (
        posted,
        lambda t: pay(SYSTEM, ticket(t, 1)),
        lambda t: reverse(SYSTEM, last_line(t)),
    ),
    "waive": (
        posted,
        lambda t: waive(SYSTEM, ticket(t, 1), "member"),
        lambda t: reverse(SYSTEM, last_line(t)),
    ),
    "close_sign_up": (
        posted,
        lambda t: close_sign_up(SYSTEM, t),
        lambda t: (go_back(SYSTEM, t.restore_points.latest("pk")), reopen_sign_up(SYSTEM, t)),
    ),
    "set_plan": (
        posted,
        lambda t: set_plan(SYSTEM, t, LIGUILLA),
        lambda t: set_plan(SYSTEM, t, SWISS),
    ),
    "set_prizes": (
        level,
        lambda t: set_prizes(SYSTEM, t, [NewPrize(1, 2, cents=100)]),
        lambda t: set_prizes(SYSTEM, t, [NewPrize(1, 1, cents=6000)]),
    ),
    "hand_out": (
        level,
        lambda t: hand_out(SYSTEM, t.entries.get(number=1), cents=1000),
        lambda t: take_back(SYSTEM, last_line(t)),
    ),
    "add_day": (
        published,
        lambda t: add_day(SYSTEM, t, NewDay(play_by=date(2027, 3, 2))),
        lambda t: remove_day(SYSTEM, first_day(t)),
    ),
    "change_day": (
        planned,
        lambda t: change_day(SYSTEM, first_day(t), {"place": "Bar Sol"}),
        lambda t: change_day(SYSTEM, first_day(t), {"place": ""}),
    ),
    "remove_day": (
        planned,
        lambda t: remove_day(SYSTEM, t.days.latest("number")),
        lambda t: add_day(SYSTEM, t, NewDay(LAST)),
    ),
    "add": (
        published,
        lambda t: add_tournament(SYSTEM, season_of(t), t),
        lambda t: remove_tournament(SYSTEM, season_of(t), t),
    ),
    "set_season_rules": (
        published,
        lambda t: set_season_rules(SYSTEM, season_of(t), best=2),
        lambda t: set_season_rules(SYSTEM, season_of(t), best=3),
    ),
    "pause": (
        of_bots,
        lambda t: pause_round(SYSTEM, the_round(t, 1)),
        lambda t: resume_round(SYSTEM, the_round(t, 1)),
    ),
    "correct": (
        reported,
        lambda t: correct_result(SYSTEM, a_match(t), Score(1, 3, 100, 300), reason="turned"),
        lambda t: correct_result(SYSTEM, a_match(t), Score(3, 1, 300, 200), reason="as it was"),
    ),
    "dispute": (reported, lambda t: dispute_result(SYSTEM, a_match(t), "no"), rule_as_it_was),
    "forfeit": (
        reported,
        lambda t: forfeit(SYSTEM, a_match(t), ["home"], reason="left"),
        lambda t: correct_result(SYSTEM, a_match(t), Score(3, 1, 300, 200), reason="a slip"),
    ),
}
"""By the verbs of the table in `docs/clubs/ways-back.md`: a scene, the act, its way back."""


@pytest.mark.parametrize("verb", sorted(ROWS))
def test_what_is_taken_back_is_seen_as_before(verb: str) -> None:
    scene, act, back = ROWS[verb]
    tournament = scene()
    before = seen(tournament)
    act(tournament)
    assert seen(tournament) != before
    back(tournament)
    assert seen(tournament) == before
