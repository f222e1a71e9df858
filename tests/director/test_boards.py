"""Duplicate: the same cards at every table, dealt by the service or by the first to play them."""

from collections import Counter
from collections.abc import Mapping
from fractions import Fraction
from typing import Any

import pytest

import engine
from tests.clubs import (
    NOBODY,
    SYSTEM,
    a_club,
    arbiter,
    csv,
    house_bots,
    organiser,
    text,
    the_match,
    the_round,
)
from tests.support.event_tables import by_code, counting, lines_of, now
from tests.support.refusals import refusal
from tournaments.arena.services.dispatch import play_round
from tournaments.arena.services.playing import PlayOutcome, play_match
from tournaments.core.errors import Reason
from tournaments.core.find import find_record
from tournaments.director.queries.boards import boards_page
from tournaments.director.queries.snapshot import rows_of
from tournaments.director.services.draws import draw
from tournaments.director.services.entries import enter_newcomers, import_entries
from tournaments.director.services.settings import GameSettings, NewTournament
from tournaments.director.services.tournaments import close_round, create_tournament, publish_round
from tournaments.domain.boards import deal_of
from tournaments.models import AuditEvent, Match, Record, Stage, Tournament
from tournaments.results.queries.matches import hand_page, match_page
from tournaments.results.queries.records import records_after, replays
from tournaments.results.services.matches import rule_on_dispute
from tournaments.results.services.submission import SubmissionOutcome
from tournaments.results.services.submit import submit_record

pytestmark = pytest.mark.django_db

RULES = engine.RULESETS["parejas-online"]


def a_duplicate(*, bots: int = 0, dealt_by: str = "") -> Tournament:
    """Six bots, or the pairs of the club night, at a Howell of two deals a round, drawn."""
    rules = {"movement": "howell", **({"dealt_by": dealt_by} if dealt_by else {})}
    tournament = create_tournament(
        SYSTEM,
        a_club(),
        "Duplicada",
        NewTournament(
            GameSettings(options={"deals": 2}), stages=[{"format": "duplicate", "rules": rules}]
        ),
        slug="duplicada",
    )
    if bots:
        enter_newcomers(SYSTEM, tournament, house_bots() * (bots // 2))
    else:
        import_entries(SYSTEM, tournament, csv("players.csv"), csv("pairs.csv"))
    draw(SYSTEM, tournament)
    tournament.refresh_from_db()
    return tournament


def the_stage(tournament: Tournament) -> Stage:
    return tournament.stages.select_related("tournament").get()


def play(tournament: Tournament, number: int) -> None:
    publish_round(SYSTEM, the_round(tournament, number))
    play_round(SYSTEM, the_round(tournament, number))
    for match in the_round(tournament, number).matches.exclude(state="bye"):
        assert play_match(match.pk) is PlayOutcome.ACCEPTED
    close_round(SYSTEM, the_round(tournament, number))


# --- A whole Howell -----------------------------------------------------------------------------


def test_six_bots_play_a_howell_to_its_table_by_match_points() -> None:
    tournament = a_duplicate(bots=6)
    for number in range(1, 6):
        play(tournament, number)
    stage = the_stage(tournament)
    assert AuditEvent.objects.get(verb="tournament.drawn").facts["deals_commitment"] == (
        stage.commitment
    )
    last = AuditEvent.objects.filter(verb="round.closed").latest("sequence")
    seed = last.facts["deals_seed"]
    assert engine.commitment("duplicada/1", bytes.fromhex(seed)) == stage.commitment

    results: dict[int, dict[tuple[int, int], int]] = {}
    for match in Match.objects.with_names().filter(round__stage=stage):
        record = engine.parse_record(match.records.get().text)
        assert engine.audit(record).valid
        assert record.tags["boards"] == " ".join(map(str, match.boards))
        for board, hand, row in zip(
            match.boards, record.hands, match.results.get().hand_scores, strict=True
        ):
            dealt = deal_of(RULES, seed, "duplicada/1", board)
            assert (hand.deal, hand.dealer, hand.trump) == (
                dealt.hands,
                dealt.dealer,
                dealt.trump,
            )
            assert (row["board"], hand.points) == (board, {"AC": row["home"], "BD": row["away"]})
            key = (match.round.number, match.table)
            results.setdefault(board, {})[key] = row["home"] - row["away"]
    assert len(results) == 10, "five sets of two deals"
    assert {len(tables) for tables in results.values()} == {3}, "each deal at three tables"
    assert {line.entrant: line.match_points for line in lines_of(tournament)} == (
        match_points(stage, results)
    )
    assert not [replay for replay in replays(tournament.slug) if replay.differences]


def match_points(
    stage: Stage, results: Mapping[int, Mapping[tuple[int, int], int]]
) -> dict[int, Fraction]:
    """Count two for each result on a deal that is lower, one for each that is equal."""
    counts: Counter[int] = Counter()
    for match in Match.objects.with_names().filter(round__stage=stage):
        assert match.away is not None
        for board in match.boards:
            score = results[board][match.round.number, match.table]
            for key, other in results[board].items():
                if key != (match.round.number, match.table):
                    counts[match.home.number] += 2 * (score > other) + (score == other)
                    counts[match.away.number] += 2 * (score < other) + (score == other)
    return {number: Fraction(points) for number, points in counts.items()}


def test_the_deal_goes_round_from_deal_to_deal() -> None:
    dealers = [deal_of(RULES, "00", "x/1", board).dealer for board in range(1, 6)]
    assert dealers == ["A", "B", "C", "D", "A"]


# --- Who may see what ---------------------------------------------------------------------------


def test_nobody_but_the_organisers_sees_a_deal_that_is_still_to_be_played() -> None:
    tournament = a_duplicate(bots=6)
    page = boards_page(tournament.slug, organiser(tournament.club))
    assert [board.number for board in page.boards] == list(range(1, 11))
    assert all(len(hand.cards) == 10 for board in page.boards for hand in board.hands)
    play(tournament, 1)
    match = the_match(tournament, 1, 1)
    record = match.records.get()
    for viewer in (NOBODY, by_code(the_match(tournament, 2, 1), "home")):
        page = boards_page(tournament.slug, viewer)
        assert (page.boards, page.seed, page.is_open) == ((), "", False)
        assert page.commitment == the_stage(tournament).commitment
    match_view = match_page(match.pk, NOBODY)
    assert (match_view.hides_deals, match_view.hands, match_view.records) == (True, (), ())
    assert records_after(tournament.slug, 0, 9, NOBODY, {}) == ()
    assert records_after(tournament.slug, 0, 9, organiser(tournament.club), {})
    for look in (lambda: hand_page(match.pk, 1, NOBODY), lambda: find_record(record.pk, NOBODY)):
        with refusal(Reason.NOT_FOUND):
            look()
    assert hand_page(match.pk, 1, arbiter(tournament.club)).total == 2
    for number in range(2, 6):
        play(tournament, number)
    page = boards_page(tournament.slug, NOBODY)
    assert (page.is_open, page.seed) == (True, the_stage(tournament).deal_seed)
    assert match_page(match.pk, NOBODY).hands
    sheet = [result for board in page.boards for result in board.results]
    assert len(sheet) == 30
    for board in page.boards:
        assert sum(sum(result.awards) for result in board.results) == 12
        dealt = deal_of(RULES, page.seed, "duplicada/1", board.number)
        assert {hand.seat: set(hand.cards) for hand in board.hands} == {
            seat: set(cards.split()) for seat, cards in dealt.hands.items()
        }


def test_a_postponed_table_keeps_the_deals_secret() -> None:
    tournament = a_duplicate(bots=6)
    for number in range(1, 6):
        play(tournament, number)
    Match.objects.filter(pk=the_match(tournament, 5, 1).pk).update(state="postponed")
    assert not the_stage(tournament).deals_are_open
    assert boards_page(tournament.slug, NOBODY).boards == ()


def test_a_tournament_without_shared_deals_has_no_such_page() -> None:
    tournament = create_tournament(SYSTEM, a_club(), "Liga")
    with refusal(Reason.NOT_FOUND):
        boards_page(tournament.slug, SYSTEM)


# --- Records of people --------------------------------------------------------------------------


def played(match: Match, dealt: list[engine.Deal], *, turn: int = 0) -> dict[str, Any]:
    """Let bots play deals for the people of a match, all seats turned by `turn`."""
    home, away = match.names_at(0), match.names_at(1)
    names = [home[0], away[0], home[1], away[1]]
    seats = [names[(seat - turn) % 4] for seat in range(4)]
    deals = [turned(deal, turn) for deal in dealt]
    bots = {seat: engine.HOUSE_BOTS["simple"](b"x") for seat in "ABCD"}
    return engine.play_match(RULES, bots, b"", "", seats, {"deals": len(deals)}, dealt=deals)


def turned(deal: engine.Deal, by: int) -> engine.Deal:
    """Return a deal with every hand moved by `by` seats."""
    hands = {"ABCD"[(n + by) % 4]: deal.hands[seat] for n, seat in enumerate("ABCD")}
    return engine.Deal("ABCD"[("ABCD".index(deal.dealer) + by) % 4], deal.trump, hands)


def boards(match: Match, seed: str = "") -> list[engine.Deal]:
    """Return the deals of a table, from the stage's seed or another."""
    stage = match.round.stage
    return [deal_of(RULES, seed or stage.deal_seed, stage.label, board) for board in match.boards]


def submit_match(match: Match, dealt: list[engine.Deal], **more: Any) -> SubmissionOutcome:
    return submit_record(SYSTEM, match, text(played(match, dealt, **more)))


@pytest.fixture
def match(db: None) -> Match:
    """Round 1, table 1 of the pairs of the club night, playing deals that are committed to."""
    tournament = a_duplicate()
    publish_round(SYSTEM, the_round(tournament, 1))
    return the_match(tournament, 1, 1)


@pytest.mark.parametrize("turn", [0, 1, 2, 3])
def test_a_table_may_write_its_seats_as_it_likes(match: Match, turn: int) -> None:
    answer = submit_match(match, boards(match), turn=turn)
    assert (answer.outcome, answer.code) == ("accepted", "")
    straight = played(match, boards(match))
    if turn in {0, 2}:
        points = [hand["points"] for hand in straight["hands"]]
        result = counting(match)
        assert result is not None
        assert [row["home"] for row in result.hand_scores] == [point["AC"] for point in points]


def test_a_record_of_other_cards_is_refused_with_its_hand(match: Match) -> None:
    dealt = [boards(match)[0], boards(match, "ab" * 32)[1]]
    answer = submit_match(match, dealt)
    assert (answer.outcome, answer.code, answer.status) == ("refused", "other_deal", 422)
    assert answer.record is not None
    assert answer.record.params == {"hand": 2, "board": match.boards[1]}
    assert now(match).state == "pending"


def test_the_cards_have_to_be_held_at_the_right_side(match: Match) -> None:
    wrong = [turned(deal, 1) for deal in boards(match)]
    deals = [engine.Deal(deal.dealer, deal.trump, deal.hands) for deal in wrong]
    assert submit_match(match, deals).code == "other_deal"


def test_hands_whose_cards_nobody_wrote_down_are_taken_for_those_of_the_deal(match: Match) -> None:
    record = played(match, boards(match))
    for hand in record["hands"]:
        hand.update(deal=None, trump=None, play=None)
    assert submit_record(SYSTEM, match, text(record)).outcome == "accepted"


# --- Dealt at the table -------------------------------------------------------------------------


def two_tables() -> tuple[Match, Match]:
    """Return two tables that play the same deals, dealt by the first to play."""
    tournament = a_duplicate(dealt_by="table")
    for number in range(1, 8):
        publish_round(SYSTEM, the_round(tournament, number))
    first = the_match(tournament, 1, 1)
    others = Match.objects.with_names().filter(round__stage=first.round.stage)
    second = next(
        candidate for candidate in others if candidate.boards == first.boards and candidate != first
    )
    return first, second


def test_the_first_table_settles_the_cards_of_a_deal() -> None:
    first, second = two_tables()
    by_hand = boards(first, "cd" * 32)
    assert submit_match(first, by_hand, turn=1).outcome == "accepted"
    assert submit_match(second, by_hand, turn=2).outcome == "accepted"
    organised = boards_page(first.tournament.slug, SYSTEM)
    boards_by_number = {board.number: board for board in organised.boards if board.hands}
    assert sorted(boards_by_number) == sorted(first.boards)


def test_a_table_that_plays_other_cards_is_for_the_arbiter() -> None:
    first, second = two_tables()
    assert submit_match(first, boards(first, "cd" * 32)).outcome == "accepted"
    answer = submit_match(second, boards(second, "ef" * 32))
    assert (answer.outcome, answer.code, now(second).state) == (
        "contested",
        "cards_differ",
        "disputed",
    )
    assert now(first).state == "accepted"
    dispute = second.disputes.get()
    rule_on_dispute(SYSTEM, dispute, "amend", reason="Se barajó mal.", record=answer.record)
    result = counting(second)
    assert result is not None
    assert [row["board"] for row in result.hand_scores] == second.boards


def test_a_table_can_put_right_the_cards_that_it_settled_itself() -> None:
    first, _second = two_tables()
    home = by_code(first, "home")
    for seed in ("cd", "ef"):
        record = played(first, boards(first, seed * 32))
        assert submit_record(home, first, text(record)).outcome == "reported"
    assert Record.objects.accepted().count() == 1


def test_bots_play_the_cards_that_another_table_settled() -> None:
    tournament = a_duplicate(bots=6, dealt_by="table")
    publish_round(SYSTEM, the_round(tournament, 1))
    play_round(SYSTEM, the_round(tournament, 1))
    tables = list(the_round(tournament, 1).matches.with_names())
    same_tables = [table for table in tables if table.boards == tables[0].boards]
    assert len(same_tables) == 3, "in the first round of a Howell for six all tables play the same"
    first, second, _third = same_tables
    by_hand = boards(first, "cd" * 32)
    bots = {seat: engine.HOUSE_BOTS["simple"](b"x") for seat in "ABCD"}
    home, away = first.names_at(0), first.names_at(1)
    seats = [home[0], away[0], home[1], away[1]]
    record = engine.play_match(RULES, bots, b"", "", seats, {"deals": 2}, dealt=by_hand)
    assert submit_record(SYSTEM, first, text(record)).outcome == "accepted"
    assert play_match(second.pk) is PlayOutcome.ACCEPTED
    parsed = engine.parse_record(second.records.get().text)
    assert [
        {seat: set(cards.split()) for seat, cards in (hand.deal or {}).items()}
        for hand in parsed.hands
    ] == [{seat: set(cards.split()) for seat, cards in deal.hands.items()} for deal in by_hand]


def test_what_is_dealt_is_no_part_of_what_pairings_follow_from() -> None:
    tournament = a_duplicate(bots=6)
    assert the_stage(tournament).deal_seed not in repr(rows_of(tournament))
