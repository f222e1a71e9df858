"""Matches that one side, or both, did not play; and those put off."""

from datetime import UTC, datetime, timedelta

import pytest
from django.utils import timezone

from tests.clubs import (
    NOBODY,
    SYSTEM,
    a_bot_liguilla,
    arbiter,
    club_night_lines,
    organiser,
    stranger,
    submitted,
    the_liguilla,
    the_match,
    the_round,
)
from tests.support.event_tables import (
    WON,
    age,
    away,
    by_code,
    counting,
    home,
    lines_of,
    now,
    table_1,
)
from tests.support.refusals import refusal
from tournaments.core.errors import Reason
from tournaments.director.queries.snapshot import rows_of
from tournaments.director.queries.state import hands_lost
from tournaments.director.services.tournaments import close_round, finish
from tournaments.domain.awards import awards
from tournaments.models import AuditEvent, Match, Round, Tournament
from tournaments.results.services.matches import dispute_result, forfeit, no_show, postpone, resume
from tournaments.results.services.reports import confirm_due, confirm_result, report_result
from tournaments.results.services.submit import submit_record

pytestmark = pytest.mark.django_db

SUNDAY = datetime(2026, 12, 6, 17, 0, tzinfo=UTC)


def points(match: Match) -> tuple[int, ...]:
    """The match points of the sides of a match that counts."""
    stage = rows_of(match.tournament).stages[0]
    return tuple(int(n) for n in awards(stage)[match.round.number, match.table])


# --- Forfeits -----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("absent", "winner", "worth"),
    [
        (["away"], "home", (2, 0)),
        (["home"], "away", (0, 2)),
        (["home", "away"], "nobody", (0, 0)),
    ],
)
def test_who_does_not_play_loses_and_nobody_makes_points(
    match: Match, absent: list[str], winner: str, worth: tuple[int, ...]
) -> None:
    judge = arbiter(match.tournament.club)
    result = forfeit(judge, match, absent, reason="No vinieron.")
    assert (result.depth, result.winner, result.forfeits) == ("forfeit", winner, absent)
    assert (result.home_hands, result.away_points) == (0, 0)
    assert (now(match).state, counting(match)) == ("accepted", result)
    assert points(match) == worth
    facts = AuditEvent.objects.get(verb="match.forfeited").facts
    assert (facts["before"], facts["forfeits"]) == (None, absent)


def test_a_forfeit_takes_the_place_of_what_was_reported(match: Match) -> None:
    submitted(match.tournament, 0)
    forfeit(SYSTEM, match, ["away"], reason="Jugó quien no debía.")
    assert [r.live for r in match.results.order_by("version")] == [False, True]
    facts = AuditEvent.objects.get(verb="match.forfeited").facts
    assert (facts["before"]["winner"], facts["after"]["winner"]) == ("away", "home")
    assert facts["effect"]["moves"]


def test_a_forfeit_needs_an_arbiter_a_reason_and_a_side(match: Match) -> None:
    for actor, reason in (
        (NOBODY, Reason.SIGN_IN),
        (stranger(), Reason.FORBIDDEN),
        (by_code(match, "home"), Reason.FORBIDDEN),
    ):
        with refusal(reason):
            forfeit(actor, match, ["away"], reason="No vino.")
    home(match)
    with refusal(Reason.OWN_TABLE):
        forfeit(organiser(match.tournament.club, "pilar"), match, ["away"], reason="No vino.")
    with refusal(Reason.REASON_MISSING):
        forfeit(SYSTEM, match, ["away"], reason="")
    for sides in ([], ["third"], ["home", "nobody"]):
        with refusal(Reason.UNKNOWN_SIDE):
            forfeit(SYSTEM, match, sides, reason="No vino.")
    report_result(SYSTEM, match, score=WON)
    dispute_result(SYSTEM, match, "Mal.")
    with refusal(Reason.ALREADY_DISPUTED):
        forfeit(SYSTEM, match, ["away"], reason="No vino.")
    with refusal(Reason.ROUND_CLOSED):
        report_result(SYSTEM, the_match(match.tournament, 2, 1), score=WON)
    drafted = the_match(match.tournament, 2, 1)
    with refusal(Reason.ROUND_NOT_OPEN):
        forfeit(SYSTEM, drafted, ["away"], reason="No vino.")


def test_bots_do_not_stay_away() -> None:
    match = the_match(a_bot_liguilla(), 1, 1)
    with refusal(Reason.BOTS_ARE_THERE):
        forfeit(SYSTEM, match, ["home"], reason="No vino.")


# --- Absence ------------------------------------------------------------------------------------


def test_the_absent_are_waited_for_from_the_publication(match: Match) -> None:
    Tournament.objects.update(no_show_minutes=20)
    Round.objects.filter(number=1).update(published_at=timezone.now())  # the scene may be older
    with refusal(Reason.NO_SHOW_TOO_EARLY) as raised:
        no_show(SYSTEM, match, ["away"])
    assert raised.value.params == {"minutes": 20}
    Round.objects.filter(number=1).update(published_at=timezone.now() - timedelta(minutes=21))
    result = no_show(arbiter(match.tournament.club), match, ["away"])
    assert (result.winner, result.reason, result.depth) == ("home", "no_show", "forfeit")


def test_each_step_of_lateness_costs_a_hand_after_the_grace_of_the_first_round(
    match: Match,
) -> None:
    Tournament.objects.update(no_show_minutes=30, late_minutes=5, grace_minutes=10)

    def lost_after(minutes: int, round_: int = 1) -> int:
        begun = timezone.now() - timedelta(minutes=minutes)
        Round.objects.filter(number=round_).update(published_at=begun, state=Round.State.PUBLISHED)
        return hands_lost(the_match(match.tournament, round_, 1))

    assert [lost_after(minutes) for minutes in (9, 14, 15, 21, 26)] == [0, 0, 1, 2, 3]
    assert lost_after(100) == match.length.most_of_a_side  # no more than the match has
    assert lost_after(6, round_=2) == 1
    lost_after(39)
    with refusal(Reason.NO_SHOW_TOO_EARLY) as raised:
        no_show(SYSTEM, the_match(match.tournament, 1, 1), ["away"])
    assert raised.value.params == {"minutes": 40}
    Tournament.objects.update(late_minutes=None)
    assert lost_after(26) == 0


def test_the_clock_of_the_round_counts_from_its_start_and_not_while_it_stands(
    match: Match,
) -> None:
    now_ = timezone.now()
    Round.objects.filter(number=1).update(
        published_at=now_ - timedelta(hours=2), clock_started_at=now_ - timedelta(minutes=5)
    )
    with refusal(Reason.NO_SHOW_TOO_EARLY):
        no_show(SYSTEM, match, ["away"])
    Round.objects.filter(number=1).update(
        clock_started_at=now_ - timedelta(minutes=40),
        clock_stopped_at=now_ - timedelta(minutes=30),
    )
    with refusal(Reason.NO_SHOW_TOO_EARLY):
        no_show(SYSTEM, match, ["away"])
    Round.objects.filter(number=1).update(clock_stopped_at=None)
    assert no_show(SYSTEM, match, ["home", "away"]).winner == "nobody"


def test_who_has_a_result_was_there(match: Match) -> None:
    Round.objects.filter(number=1).update(published_at=timezone.now() - timedelta(hours=1))
    report_result(home(match), match, score=WON)
    with refusal(Reason.HAS_RESULT):
        no_show(SYSTEM, match, ["away"])
    Round.objects.filter(number=1).update(state="closed", closed_at=timezone.now())
    with refusal(Reason.ROUND_NOT_OPEN):
        no_show(SYSTEM, the_match(match.tournament, 1, 2), ["away"])


# --- Put off ------------------------------------------------------------------------------------


def a_round_closed_but_for(match: Match) -> None:
    """Put a match of round 1 off, play the others, and close the round."""
    postpone(SYSTEM, match, SUNDAY)
    for index in range(1, 4):
        submitted(match.tournament, index)
    close_round(SYSTEM, the_round(match.tournament, 1))


def test_a_round_closes_over_a_match_put_off_and_its_result_comes_later(match: Match) -> None:
    a_round_closed_but_for(match)
    assert (now(match).state, now(match).postponed_to) == ("postponed", SUNDAY)
    assert sorted(line.played for line in lines_of(match.tournament)) == [0, 0, *[1] * 6]
    assert report_result(home(match), match, score=WON).outcome == "reported"
    assert counting(match) is None
    assert confirm_result(away(match), match) == counting(match)
    with refusal(Reason.ROUND_CLOSED):
        report_result(away(match), match, score=WON.reversed())


def test_the_record_of_a_match_put_off_is_taken_after_its_round(match: Match) -> None:
    a_round_closed_but_for(match)
    assert submit_record(SYSTEM, match, club_night_lines()[0]).outcome == "accepted"
    assert now(match).state == "accepted"


def test_time_confirms_a_match_that_was_put_off_too(match: Match) -> None:
    a_round_closed_but_for(match)
    report_result(home(match), match, score=WON)
    age(match, 100)
    assert confirm_due() == 1
    assert now(match).state == "accepted"


def test_the_tournament_does_not_end_over_a_match_put_off() -> None:
    tournament = the_liguilla()
    match = table_1(tournament)
    postpone(SYSTEM, match, None)
    for number in range(1, 8):
        for table in range(1, 5):
            if (number, table) != (1, 1):
                report_result(SYSTEM, the_match(tournament, number, table), score=WON)
        close_round(SYSTEM, the_round(tournament, number))
    with refusal(Reason.TOURNAMENT_UNFINISHED):
        finish(SYSTEM, tournament)
    report_result(SYSTEM, match, score=WON)
    assert finish(SYSTEM, tournament).state == "finished"


def test_a_match_is_put_off_again_or_played_after_all(match: Match) -> None:
    judge = arbiter(match.tournament.club)
    with refusal(Reason.NOT_POSTPONED):
        resume(judge, match)
    postpone(judge, match, None, reason="Nieve.")
    postpone(judge, match, SUNDAY)
    facts = AuditEvent.objects.filter(verb="match.postponed").order_by("sequence")
    assert [(f.facts["before"], f.facts["after"]) for f in facts] == [
        (None, None),
        (None, SUNDAY.isoformat()),
    ]
    assert resume(judge, match).state == "pending"
    assert now(match).postponed_to is None
    report_result(SYSTEM, match, score=WON)
    with refusal(Reason.HAS_RESULT):
        postpone(judge, match, SUNDAY)


def test_once_its_round_is_closed_a_match_is_not_resumed(match: Match) -> None:
    a_round_closed_but_for(match)
    with refusal(Reason.ROUND_CLOSED):
        resume(SYSTEM, match)


def test_players_put_nothing_off(match: Match) -> None:
    for actor, reason in ((NOBODY, Reason.SIGN_IN), (home(match), Reason.FORBIDDEN)):
        with refusal(reason):
            postpone(actor, match, SUNDAY)
    with refusal(Reason.ROUND_NOT_OPEN):
        postpone(SYSTEM, the_match(match.tournament, 2, 1), SUNDAY)


def test_a_match_put_off_can_be_given_as_lost(match: Match) -> None:
    a_round_closed_but_for(match)
    forfeit(SYSTEM, match, ["home", "away"], reason="No se jugó.")
    assert now(match).state == "accepted"
    assert points(match) == (0, 0)
