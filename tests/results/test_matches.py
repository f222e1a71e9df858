"""Disputes and corrections."""

import pytest

from tests.clubs import (
    NOBODY,
    SYSTEM,
    a_bot_liguilla,
    a_club,
    arbiter,
    club_night_lines,
    link_player,
    organiser,
    play_the_club_night,
    program,
    record,
    stranger,
    submitted,
    text,
    the_liguilla,
    the_match,
    the_round,
    user,
)
from tests.support.refusals import refusal
from tournaments.core.errors import Reason
from tournaments.core.permissions import Actor
from tournaments.director.services.tournaments import close_round, finish
from tournaments.domain.scores import Score
from tournaments.models import AuditEvent, Dispute, Hand, Match, Record, Result, Tournament
from tournaments.results.services.matches import correct_result, dispute_result, rule_on_dispute
from tournaments.results.services.submit import submit_record
from tournaments.standings.queries.standings import standings_page

pytestmark = pytest.mark.django_db


@pytest.fixture
def liguilla(db: None) -> Tournament:
    """The club night, all rounds published, its first match played: 0-3."""
    tournament = the_liguilla()
    submitted(tournament, 0)
    tournament.refresh_from_db()
    return tournament


@pytest.fixture
def match(liguilla: Tournament) -> Match:
    """Las Cuarenta – Las Fuentes, decided 0-3."""
    return the_match(liguilla, 1, 1)


@pytest.fixture
def dispute(match: Match) -> Dispute:
    """A contested record in which home wins 3-2."""
    other = record(3)
    other["seats"] = record(0)["seats"]
    assert submit_record(SYSTEM, match, text(other)).outcome == "contested"
    return Dispute.objects.get()


def live(match: Match) -> tuple[int, int]:
    result = match.results.get(live=True)
    return (result.home_hands, result.away_hands)


# --- Disputes -----------------------------------------------------------------------------------


def test_one_who_may_submit_may_dispute_and_the_result_counts_until_the_ruling(
    match: Match,
) -> None:
    link_player(SYSTEM, match.tournament.club.players.get(name="Pilar Martínez"), user("pilar"))
    dispute = dispute_result(
        Actor.for_user(user("pilar")), match, "  La tercera mano se apuntó mal. "
    )
    assert (dispute.state, dispute.reason, dispute.opened_by) == (
        "open",
        "La tercera mano se apuntó mal.",
        "pilar",
    )
    assert Match.objects.get(pk=match.pk).state == "disputed"
    assert live(match) == (0, 3)
    assert match.results.counting().exists()
    page = standings_page(match.tournament.slug, NOBODY)
    assert page.provisional
    assert page.rows[0].match_points > 0
    rule_on_dispute(SYSTEM, dispute, "void", reason="Se repite.")
    assert not match.results.counting().exists()
    assert standings_page(match.tournament.slug, NOBODY).rows[0].match_points == 0


def test_only_a_result_can_be_disputed_once_and_with_a_reason(match: Match) -> None:
    with refusal(Reason.REASON_MISSING):
        dispute_result(SYSTEM, match, " \n")
    dispute_result(SYSTEM, match, "Por si acaso.")
    with refusal(Reason.ALREADY_DISPUTED):
        dispute_result(SYSTEM, match, "Otra vez.")
    with refusal(Reason.NOTHING_TO_DISPUTE):
        dispute_result(SYSTEM, the_match(match.tournament, 1, 2), "Por si acaso.")


def test_strangers_open_no_disputes(match: Match) -> None:
    with refusal(Reason.SIGN_IN):
        dispute_result(NOBODY, match, "Porque sí.")
    with refusal(Reason.FORBIDDEN):
        dispute_result(stranger(), match, "Porque sí.")


def test_upheld_the_result_counts_again_as_a_new_version(match: Match, dispute: Dispute) -> None:
    version = Tournament.objects.get().version
    ruled = rule_on_dispute(arbiter(match.tournament.club), dispute, "uphold", reason="Vale.")
    assert (ruled.state, ruled.ruling, ruled.ruled_by) == ("upheld", "Vale.", "alberto")
    assert ruled.ruled_at is not None
    assert Match.objects.get(pk=match.pk).state == "accepted"
    assert live(match) == (0, 3)
    assert Tournament.objects.get().version == version + 1
    first, second = match.results.order_by("version")
    assert (first.live, second.live, second.reason) == (False, True, "Vale.")
    assert (second.depth, second.record, second.counts_from) == (
        "record",
        first.record,
        version + 1,
    )
    assert first.counts_until == version + 1, "it counted until the ruling"
    assert Record.objects.get(state="contested") == dispute.record


def test_amended_by_the_contested_record_that_one_counts(match: Match, dispute: Dispute) -> None:
    first = Record.objects.accepted().get()
    rule_on_dispute(SYSTEM, dispute, "amend", reason="Era esta.", record=dispute.record)
    accepted = Record.objects.accepted().get()
    assert accepted == dispute.record
    assert Record.objects.get(pk=first.pk).state == "superseded"
    assert live(match) == (3, 2)
    assert match.results.get(live=True).record == accepted
    assert [result.version for result in match.results.all()] == [2, 1]
    assert Hand.objects.filter(record=accepted).count() == 5
    assert Match.objects.get(pk=match.pk).state == "accepted"


def test_amended_by_a_score_the_record_stays_what_was_played(
    match: Match, dispute: Dispute
) -> None:
    first = Record.objects.accepted().get()
    rule_on_dispute(SYSTEM, dispute, "amend", reason="Renuncio.", score=Score(3, 0, 200, 100))
    assert Record.objects.accepted().get() == first
    result = match.results.get(live=True)
    assert (live(match), result.record, result.reason) == ((3, 0), None, "Renuncio.")


def test_voided_the_match_is_to_be_played_again(match: Match, dispute: Dispute) -> None:
    rule_on_dispute(SYSTEM, dispute, "void", reason="Baraja incompleta.")
    assert Match.objects.get(pk=match.pk).state == "pending"
    assert not match.results.filter(live=True).exists()
    assert not Record.objects.accepted().exists()
    assert standings_page(match.tournament.slug, NOBODY).rows[0].played == 0
    second_record = record(2)
    second_record["seats"] = record(0)["seats"]
    assert submit_record(SYSTEM, match, text(second_record)).outcome == "accepted"
    assert match.results.get(live=True).version == 2


def test_a_voided_record_sent_again_counts_again(match: Match, dispute: Dispute) -> None:
    rule_on_dispute(SYSTEM, dispute, "void", reason="Faltaba una firma.")
    assert submit_record(SYSTEM, match, club_night_lines()[0]).outcome == "accepted"


def test_a_ruling_is_an_event_with_what_was_and_what_is(match: Match, dispute: Dispute) -> None:
    rule_on_dispute(SYSTEM, dispute, "amend", reason="Era esta.", record=dispute.record)
    facts = AuditEvent.objects.get(verb="dispute.ruled").facts
    assert facts["ruling"] == "amend"
    assert facts["reason"] == "Era esta."
    assert (facts["before"]["home_hands"], facts["after"]["home_hands"]) == (0, 3)


def test_a_ruling_says_how_and_why_and_is_made_once(match: Match, dispute: Dispute) -> None:
    with refusal(Reason.UNKNOWN_RULING):
        rule_on_dispute(SYSTEM, dispute, "shrug", reason="No sé.")
    with refusal(Reason.REASON_MISSING):
        rule_on_dispute(SYSTEM, dispute, "uphold", reason="")
    with refusal(Reason.AMENDMENT_MISSING):
        rule_on_dispute(SYSTEM, dispute, "amend", reason="Sí.")
    with refusal(Reason.AMENDMENT_MISSING):
        rule_on_dispute(
            SYSTEM,
            dispute,
            "amend",
            reason="Sí.",
            score=Score(3, 0, 0, 0),
            record=dispute.record,
        )
    with refusal(Reason.AMENDMENT_MISSING):
        accepted = Record.objects.accepted().get()
        rule_on_dispute(SYSTEM, dispute, "amend", reason="Sí.", record=accepted)
    with refusal(Reason.IMPOSSIBLE_SCORE):
        rule_on_dispute(SYSTEM, dispute, "amend", reason="Sí.", score=Score(3, 3, 0, 0))
    assert Dispute.objects.get().state == "open"
    rule_on_dispute(SYSTEM, dispute, "uphold", reason="Vale.")
    with refusal(Reason.ALREADY_RULED):
        rule_on_dispute(SYSTEM, dispute, "void", reason="No vale.")


# --- Corrections --------------------------------------------------------------------------------


def test_a_correction_is_a_new_version_and_the_old_one_is_kept(match: Match) -> None:
    version = Tournament.objects.get().version
    result = correct_result(
        arbiter(match.tournament.club), match, Score(3, 1, 300, 250), reason="Se contó mal."
    )
    assert (result.version, result.made_by, result.reason) == (2, "alberto", "Se contó mal.")
    old = match.results.get(version=1)
    assert (old.live, old.home_hands, old.away_hands) == (False, 0, 3)
    assert Tournament.objects.get().version == version + 1
    assert standings_page(match.tournament.slug, NOBODY).rows[0].name == "Las Cuarenta"
    facts = AuditEvent.objects.get(verb="result.corrected").facts
    assert (facts["before"]["away_hands"], facts["after"]["away_hands"]) == (3, 1)


def test_a_match_that_was_not_played_can_be_given_a_result(liguilla: Tournament) -> None:
    match = the_match(liguilla, 1, 2)
    result = correct_result(SYSTEM, match, Score(0, 3, 0, 0), reason="No se presentaron.")
    assert (result.version, result.record) == (1, None)
    assert Match.objects.get(pk=match.pk).state == "accepted"


@pytest.mark.parametrize(
    "score",
    [
        Score(4, 0, 0, 0),
        Score(3, 3, 0, 0),
        Score(-1, 3, 0, 0),
        Score(3, 0, -5, 0),
        Score(3, 0, 500, 200),
        Score(0, 0, 1, 0),
    ],
)
def test_an_impossible_score_is_refused(match: Match, score: Score) -> None:
    with refusal(Reason.IMPOSSIBLE_SCORE):
        correct_result(SYSTEM, match, score, reason="Porque sí.")
    assert live(match) == (0, 3)


@pytest.mark.parametrize("score", [Score(0, 0, 0, 0), Score(2, 2, 400, 300), Score(3, 0, 690, 0)])
def test_a_match_cut_short_can_be_given_what_was_played(match: Match, score: Score) -> None:
    correct_result(SYSTEM, match, score, reason="Se fue la luz.")
    assert live(match) == (score.home_hands, score.away_hands)


def test_a_score_of_a_fixed_number_of_hands_has_no_more_of_them(match: Match) -> None:
    Tournament.objects.update(options={"deals": 4})
    with refusal(Reason.IMPOSSIBLE_SCORE):
        correct_result(SYSTEM, match, Score(3, 2, 0, 0), reason="Porque sí.")
    correct_result(SYSTEM, match, Score(2, 2, 0, 0), reason="Porque sí.")
    assert match.results.get(live=True).winner == "tie"


def test_a_correction_needs_a_reason_and_a_match_in_order(match: Match) -> None:
    score = Score(3, 0, 0, 0)
    with refusal(Reason.REASON_MISSING):
        correct_result(SYSTEM, match, score, reason="")
    dispute_result(SYSTEM, match, "Mal.")
    with refusal(Reason.ALREADY_DISPUTED):
        correct_result(SYSTEM, match, score, reason="Mal.")
    bots = a_bot_liguilla(match.tournament.club, entries=3)
    bye = Match.objects.filter(state="bye", round__stage__tournament=bots)[0]
    with refusal(Reason.NOTHING_TO_PLAY):
        correct_result(SYSTEM, bye, score, reason="Mal.")
    with refusal(Reason.ROUND_NOT_OPEN):
        correct_result(SYSTEM, the_match(bots, 2, 1), score, reason="Mal.")


def test_after_the_end_a_correction_moves_the_standings_and_nothing_else() -> None:
    tournament = the_liguilla()
    play_the_club_night(tournament)
    for number in range(1, 8):
        close_round(SYSTEM, the_round(tournament, number))
    finish(SYSTEM, tournament)
    before = standings_page(tournament.slug, NOBODY).rows
    pairings = list(Match.objects.values_list("round", "table", "home", "away"))
    match = the_match(tournament, 7, 3)  # La Magdalena 1-3 Torrero
    correct_result(SYSTEM, match, Score(3, 1, 360, 320), reason="Acta del revés.")
    after = standings_page(tournament.slug, NOBODY).rows
    assert [row.name for row in before][:2] == ["Torrero", "Los del Coso"]
    assert [row.name for row in after][:2] == ["Torrero", "Los del Coso"]
    assert after[0].match_points == 10
    assert after[1].decided_by == "direct_encounter"
    assert list(Match.objects.values_list("round", "table", "home", "away")) == pairings
    assert Tournament.objects.get().state == "finished"


# --- Who ----------------------------------------------------------------------------------------


def test_arbiters_decide_but_never_at_their_own_table(match: Match, dispute: Dispute) -> None:
    club = match.tournament.club
    score = Score(3, 0, 0, 0)
    for actor, reason in (
        (NOBODY, Reason.SIGN_IN),
        (stranger(), Reason.FORBIDDEN),
        (arbiter(a_club("Otro"), "otto"), Reason.FORBIDDEN),
        (program(club, "games:submit", of="pepa"), Reason.FORBIDDEN),
    ):
        with refusal(reason):
            rule_on_dispute(actor, dispute, "void", reason="Porque sí.")
        with refusal(reason):
            correct_result(actor, match, score, reason="Porque sí.")
    link_player(SYSTEM, club.players.get(name="Julián Cortés"), user("alberto"))
    with refusal(Reason.OWN_TABLE):
        rule_on_dispute(arbiter(club), dispute, "void", reason="Porque sí.")
    with refusal(Reason.OWN_TABLE):
        correct_result(arbiter(club), match, score, reason="Porque sí.")
    with refusal(Reason.OWN_TABLE):
        correct_result(organiser(club, "alberto"), match, score, reason="Porque sí.")
    other = the_match(match.tournament, 1, 2)
    correct_result(arbiter(club), other, score, reason="No se presentaron.")
    assert Result.objects.get(match=other).made_by == "alberto"
