"""A match's page and the page of a hand."""

from datetime import timedelta

import pytest
from django.utils import translation

import engine
from tests.clubs import (
    NOBODY,
    SYSTEM,
    a_bot_liguilla,
    a_club,
    arbiter,
    club_night_lines,
    disputed_lines,
    link_player,
    organiser,
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
from tests.support.coto_matches import best_of_three, submit_coto
from tests.support.counting import count_queries
from tests.support.refusals import refusal
from tournaments.core.errors import Reason
from tournaments.core.find import (
    find_bots,
    find_club,
    find_dispute,
    find_match,
    find_pairs,
    find_record,
    find_round,
    find_tournament,
)
from tournaments.core.permissions import Actor
from tournaments.director.queries.rounds import round_page
from tournaments.director.services.tournaments import close_round
from tournaments.domain.scores import Score
from tournaments.models import Dispute, Match, Tournament
from tournaments.results.queries.matches import hand_page, match_page
from tournaments.results.services.matches import correct_result, dispute_result, rule_on_dispute
from tournaments.results.services.reports import report_result
from tournaments.results.services.submit import submit_record

pytestmark = pytest.mark.django_db


@pytest.fixture
def liguilla(db: None) -> Tournament:
    """The club night with its first round published and its first match played."""
    tournament = the_liguilla(published=1)
    submitted(tournament, 0)
    return tournament


@pytest.fixture
def match(liguilla: Tournament) -> Match:
    """Las Cuarenta 0-3 Las Fuentes."""
    return the_match(liguilla, 1, 1)


# --- The match ----------------------------------------------------------------------------------


def test_a_match_shows_its_result_its_hands_and_its_record(match: Match) -> None:
    page = match_page(match.pk, NOBODY)
    assert (page.label, page.round_state, page.home_side) == (
        "liguilla-de-otono/1/1",
        "published",
        "AC",
    )
    assert page.seats == ("Pilar Martínez", "Teresa Beltrán", "Jesús Ibáñez", "Julián Cortés")
    assert page.match.score is not None
    assert (page.match.score.home_hands, page.match.score.away_hands) == (0, 3)
    assert [(h.number, h.home_points, h.away_points, h.winner) for h in page.hands] == [
        (1, 54, 96, "away"),
        (2, 48, 82, "away"),
        (3, 27, 123, "away"),
    ]
    first = page.hands[0]
    assert (first.dealer, first.trump, first.audited) == ("D", "Rb", True)
    assert (first.declarations, first.last_trick) == (("B:20o",), "away")
    assert page.record is not None
    assert page.records == (page.record,)
    assert (page.record.state, page.record.submitted_by) == ("accepted", "system")
    assert [(r.version, r.live, r.reason) for r in page.results] == [(1, True, "")]


def test_home_is_home_wherever_it_sat(match: Match) -> None:
    tournament = match.tournament
    document = record(1)
    a, b, c, d = document["seats"]
    document["seats"] = [b, a, d, c]
    other = the_match(tournament, 1, 2)
    submit_record(SYSTEM, other, text(document))
    page = match_page(other.pk, NOBODY)
    assert page.home_side == "BD"
    home = [hand.home_points for hand in page.hands]
    assert home == [hand["points"]["BD"] for hand in document["hands"]]
    assert hand_page(other.pk, 1, NOBODY).sides == {"AC": "Torrero", "BD": "Los del Coso"}


def test_a_match_not_played_has_nothing_to_show(liguilla: Tournament) -> None:
    page = match_page(the_match(liguilla, 1, 2).pk, NOBODY)
    assert (page.match.score, page.record, page.hands, page.records, page.seats) == (
        None,
        None,
        (),
        (),
        (),
    )


def test_evidence_is_for_the_club_for_who_plays_and_for_who_sent_it(match: Match) -> None:
    club = match.tournament.club
    scorer = program(club, "games:submit", of="pepa")
    submit_record(SYSTEM, match, disputed_lines()[0])
    submit_record(scorer, match, disputed_lines()[1])
    link_player(SYSTEM, club.players.get(name="Pilar Martínez"), user("pilar"))

    def record_codes(viewer: Actor) -> list[str]:
        return [row.code for row in match_page(match.pk, viewer).records]

    assert record_codes(arbiter(club)) == ["play.must_overtrump", "declare.forfeited", ""]
    assert record_codes(Actor.for_user(user("pilar"))) == record_codes(arbiter(club))
    assert record_codes(scorer) == ["play.must_overtrump", ""]
    assert record_codes(stranger()) == record_codes(NOBODY) == [""]


def test_disputes_and_corrections_stay_to_be_read(match: Match) -> None:
    other = record(3)
    other["seats"] = record(0)["seats"]
    contested = submit_record(SYSTEM, match, text(other)).record
    assert contested is not None
    page = match_page(match.pk, NOBODY)
    (dispute,) = page.disputes
    assert (dispute.state, dispute.record_pk, dispute.ruling) == ("open", contested.pk, "")
    assert "conflicting_log" not in dispute.reason
    assert page.match.needs_arbiter
    rule_on_dispute(SYSTEM, Dispute.objects.get(), "uphold", reason="Vale.")
    correct_result(SYSTEM, match, Score(0, 2, 100, 200), reason="Una mano de más.")
    page = match_page(match.pk, NOBODY)
    assert [(d.state, d.ruling) for d in page.disputes] == [("upheld", "Vale.")]
    assert [(r.version, r.live, r.reason, r.score.away_hands) for r in page.results] == [
        (3, True, "Una mano de más.", 2),
        (2, False, "Vale.", 3),
        (1, False, "", 3),
    ]


def test_what_may_be_done_with_a_match(match: Match) -> None:
    club = match.tournament.club

    def may(pk: int, viewer: Actor) -> tuple[bool, bool, bool, bool]:
        flags = match_page(pk, viewer).may
        return (flags["submit"], flags["correct"], flags["dispute"], flags["rule"])

    judge = arbiter(club)
    link_player(SYSTEM, club.players.get(name="Pilar Martínez"), user("pilar"))
    pilar = Actor.for_user(user("pilar"))
    assert may(match.pk, NOBODY) == (False, False, False, False)
    assert may(match.pk, stranger()) == (False, False, False, False)
    assert may(match.pk, judge) == (True, True, True, False)
    assert may(match.pk, pilar) == (True, False, True, False)
    dispute_result(pilar, match, "Mal.")
    assert may(match.pk, judge) == (True, False, False, True)
    pending = the_match(match.tournament, 1, 2).pk
    assert may(pending, judge) == (True, True, False, False)
    assert may(pending, pilar) == (False, False, False, False)
    assert may(the_match(match.tournament, 2, 1).pk, judge) == (False, False, False, False)
    rule_on_dispute(judge, Dispute.objects.get(), "uphold", reason="Vale.")
    for index in range(1, 4):
        submitted(match.tournament, index)
    close_round(SYSTEM, the_round(match.tournament, 1))
    assert may(match.pk, judge) == (False, True, True, False)


def test_who_may_confirm_what_was_reported(liguilla: Tournament) -> None:
    pending = the_match(liguilla, 1, 2)
    assert pending.away is not None
    home, away = Actor.for_entry(pending.home), Actor.for_entry(pending.away)
    judge = arbiter(liguilla.club)

    def may(viewer: Actor) -> tuple[bool, bool, bool]:
        flags = match_page(pending.pk, viewer).may
        return (flags["report"], flags["confirm"], flags["dispute"])

    assert [may(actor) for actor in (home, away, judge, NOBODY)] == [
        (True, False, False),
        (True, False, False),
        (True, False, False),
        (False, False, False),
    ]
    report_result(home, pending, score=Score(3, 1, 0, 0))
    assert [may(actor) for actor in (home, away, judge, NOBODY)] == [
        (True, False, True),
        (True, True, True),
        (True, True, True),
        (False, False, False),
    ]
    stranger_here = Actor.for_entry(the_match(liguilla, 1, 3).home)
    assert may(stranger_here) == (False, False, False)


def test_a_reported_match_says_who_is_waited_for_and_until_when(liguilla: Tournament) -> None:
    pending = the_match(liguilla, 1, 2)
    assert pending.away is not None
    report_result(Actor.for_entry(pending.away), pending, score=Score(3, 1, 0, 0))
    page = match_page(pending.pk, NOBODY)
    assert page.waiting is not None
    assert (page.waiting.reported_by, page.waiting.confirmed_by) == (
        pending.away.name,
        (pending.home.name,),
    )
    assert page.live is not None
    assert page.waiting.until == page.live.made_at + timedelta(minutes=10)
    assert not page.live.counts


def test_what_contradicts_a_report_is_reported_beside_it(liguilla: Tournament) -> None:
    pending = the_match(liguilla, 1, 2)
    assert pending.away is not None
    report_result(Actor.for_entry(pending.home), pending, score=Score(3, 1, 0, 0))
    report_result(Actor.for_entry(pending.away), pending, score=Score(1, 3, 0, 0))
    page = match_page(pending.pk, NOBODY)
    assert page.contested is not None
    assert (page.contested.score.text, page.contested.contradicts) == ("1–3", True)
    assert [result.is_superseded for result in page.results] == [False, False]
    judge = match_page(pending.pk, arbiter(liguilla.club)).may
    assert (judge["take_up"], judge["rule"], judge["correct"], judge["report"]) == (
        True,
        True,
        False,
        False,
    )


def test_a_level_match_is_decided_where_a_person_has_to_go_on(liguilla: Tournament) -> None:
    level = the_match(liguilla, 1, 2)
    judge = arbiter(liguilla.club)
    correct_result(judge, level, Score(2, 2, 0, 0), reason="Se acabó el tiempo.")
    assert not match_page(level.pk, judge).may["decide"]
    liguilla.stages.update(format="knockout")
    assert match_page(level.pk, judge).may["decide"]
    assert not match_page(level.pk, NOBODY).may["decide"]


def test_nobody_submits_for_bots(liguilla: Tournament) -> None:
    bots = a_bot_liguilla(liguilla.club)
    page = match_page(the_match(bots, 1, 1).pk, organiser(liguilla.club))
    assert (page.may["submit"], page.may["correct"]) == (False, True)


def test_a_match_of_a_round_in_draft_is_for_the_clubs_people(liguilla: Tournament) -> None:
    pk = the_match(liguilla, 2, 1).pk
    assert match_page(pk, arbiter(liguilla.club)).round_state == "draft"
    for viewer in (NOBODY, organiser(a_club("Otro"), "otto")):
        with refusal(Reason.NOT_FOUND):
            match_page(pk, viewer)
    for pk in (987654, 10**30):
        with refusal(Reason.NOT_FOUND):
            match_page(pk, NOBODY)


# --- The hand -----------------------------------------------------------------------------------


def test_a_hand_can_be_stepped_through(match: Match) -> None:
    page = hand_page(match.pk, 1, NOBODY)
    assert (page.number, page.total, page.previous, page.next) == (1, 3, None, 2)
    assert page.seats == {
        "A": "Pilar Martínez",
        "B": "Teresa Beltrán",
        "C": "Jesús Ibáñez",
        "D": "Julián Cortés",
    }
    assert page.sides == {"AC": "Las Cuarenta", "BD": "Las Fuentes"}
    assert (page.dealer, page.trump) == ("D", "Rb")
    assert page.deal["A"] == ("4b", "2e", "7c", "3o", "5b", "3e", "Cb", "Re", "5e", "6c")
    assert page.frames[0].token is None
    assert len(page.frames) == 1 + 41
    assert page.frames[-1].points == page.points == {"AC": 54, "BD": 96}
    assert (page.winner, page.declarations) == ("BD", ("B:20o",))


def test_its_tricks_name_who_led_what_fell_and_who_took_it(match: Match) -> None:
    page = hand_page(match.pk, 1, NOBODY)
    assert [trick.number for trick in page.tricks] == list(range(1, 11))
    first = page.tricks[0]
    assert (first.leader, first.winner) == ("A", "D")
    assert first.cards == (("A", "2e"), ("B", "Se"), ("C", "4e"), ("D", "1e"))
    tricks = engine.audit(club_night_lines()[0]).hands[0].tricks
    assert tuple((t.leader, " ".join(c for _, c in t.cards)) for t in page.tricks) == tricks


def test_a_hand_is_explained_with_the_rule_of_every_card(match: Match) -> None:
    with translation.override("en"):
        page = hand_page(match.pk, 1, NOBODY)
    assert [trick.number for trick in page.explained] == list(range(1, 11))
    assert page.explained[1].remarks[:2] == (
        ("R6.1", "B declares B:20o"),
        ("R4.1", "D leads 2o"),
    )
    assert page.explained[-1].remarks[-1] == ("R7.2", "AC 54, BD 96: BD wins the hand")


def test_a_hand_without_its_play_shows_its_result_alone(liguilla: Tournament) -> None:
    document = record(1)
    document["hands"][0] = {
        "dealer": document["hands"][0]["dealer"],
        "play": None,
        "points": document["hands"][0]["points"],
        "winner": document["hands"][0]["winner"],
    }
    match = the_match(liguilla, 1, 2)
    assert submit_record(SYSTEM, match, text(document)).outcome == "accepted"
    page = hand_page(match.pk, 1, NOBODY)
    assert (page.frames, page.tricks, page.explained, page.deal) == ((), (), (), {})
    assert page.points == document["hands"][0]["points"]
    assert [hand.audited for hand in match_page(match.pk, NOBODY).hands] == [
        False,
        True,
        True,
        True,
    ]


@pytest.mark.parametrize("number", [0, 4, -1, 10**9])
def test_a_hand_that_was_not_played_is_not_found(match: Match, number: int) -> None:
    with refusal(Reason.NOT_FOUND):
        hand_page(match.pk, number, NOBODY)


def test_a_match_without_a_record_has_no_hands(liguilla: Tournament) -> None:
    with refusal(Reason.NOT_FOUND):
        hand_page(the_match(liguilla, 1, 2).pk, 1, NOBODY)


# --- Finding, and queries -----------------------------------------------------------------------


def test_rows_are_found_by_what_addresses_say(liguilla: Tournament, match: Match) -> None:
    boss = organiser(liguilla.club)
    assert find_club("casino-de-zaragoza") == liguilla.club
    assert find_tournament("liguilla-de-otono", NOBODY) == liguilla
    assert find_round("liguilla-de-otono", 1, NOBODY).number == 1
    assert find_round("liguilla-de-otono", 2, boss).number == 2
    assert find_match(match.pk, NOBODY) == match
    dispute = dispute_result(SYSTEM, match, "Mal.")
    assert find_dispute(dispute.pk, NOBODY) == dispute
    assert find_record(match.records.get().pk, NOBODY) == match.records.get()
    pairs = find_pairs("liguilla-de-otono", ["P2", "P1"], boss)
    assert [pair.code for pair in pairs] == ["P2", "P1"]
    azar, sencillo = find_bots("liguilla-de-otono", [1, 2], boss)
    assert (azar.slug, sencillo.slug) == ("azar", "sencillo")


def test_what_is_not_there_or_not_to_be_seen_is_not_found(liguilla: Tournament) -> None:
    slug = liguilla.slug
    evidence = submit_record(SYSTEM, the_match(liguilla, 1, 2), disputed_lines()[0]).record
    assert evidence is not None
    boss = organiser(liguilla.club)
    with refusal(Reason.NOT_FOUND):
        find_club("no")
    with refusal(Reason.NOT_FOUND):
        find_tournament("no", NOBODY)
    with refusal(Reason.NOT_FOUND):
        find_round(slug, 2, NOBODY)
    with refusal(Reason.NOT_FOUND):
        find_match(the_match(liguilla, 2, 1).pk, NOBODY)
    with refusal(Reason.NOT_FOUND):
        find_record(evidence.pk, NOBODY)
    with refusal(Reason.NOT_FOUND):
        find_dispute(987654, NOBODY)
    with refusal(Reason.NOT_FOUND):
        find_pairs(slug, ["P1"], NOBODY)
    with refusal(Reason.NOT_FOUND):
        find_pairs(slug, ["P99"], boss)
    with refusal(Reason.NOT_FOUND):
        find_bots(slug, [987654], boss)


def test_pages_take_as_many_queries_however_much_there_is(match: Match) -> None:
    for line in disputed_lines()[:5]:
        submit_record(SYSTEM, match, line)
    boss = organiser(match.tournament.club)
    assert count_queries(lambda: match_page(match.pk, NOBODY))[1] == 10
    assert count_queries(lambda: match_page(match.pk, boss))[1] == 11
    assert count_queries(lambda: hand_page(match.pk, 2, NOBODY))[1] == 8
    assert count_queries(lambda: hand_page(match.pk, 2, boss))[1] == 9


# --- Several cotos ------------------------------------------------------------------------------


def test_a_match_in_play_says_how_it_stands(db: None) -> None:
    match = the_match(best_of_three(), 1, 1)
    submit_coto(SYSTEM, match, "home")
    page = match_page(match.pk, NOBODY)
    assert (page.match.in_play, page.match.score, page.head.cotos) == ("1–0", None, 2)
    assert match_page(match.pk, arbiter(match.tournament.club)).may["dispute"]
    rows = round_page(match.tournament.slug, 1, NOBODY).round.matches
    assert [row.in_play for row in rows] == ["1–0", "", "", ""]
    submit_coto(SYSTEM, match, "home", 2)
    page = match_page(match.pk, NOBODY)
    assert page.match.score is not None
    assert (page.match.in_play, page.match.score.text) == ("", "2–0")


def test_the_hands_of_all_cotos_are_counted_through(db: None) -> None:
    match = the_match(best_of_three(), 1, 1)
    for winner, number in (("home", 1), ("away", 1), ("home", 2)):
        submit_coto(SYSTEM, match, winner, number)
    page = match_page(match.pk, NOBODY)
    assert [(hand.number, hand.coto, hand.winner) for hand in page.hands] == [
        (1, 1, "home"),
        (2, 2, "away"),
        (3, 3, "home"),
    ]
    for hand in page.hands:
        stepped = hand_page(match.pk, hand.number, NOBODY)
        assert (stepped.coto, stepped.total) == (hand.coto, 3)
        assert stepped.points == {"AC": hand.home_points, "BD": hand.away_points}
        assert stepped.frames[-1].points == stepped.points
    with refusal(Reason.NOT_FOUND):
        hand_page(match.pk, 4, NOBODY)
