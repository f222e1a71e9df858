"""Boards filled from one table: the line between them is fixed once one is published."""

import json
from dataclasses import replace

import pytest
from django.db.models import Q
from django.test import Client
from django.urls import reverse

from tests.clubs import SYSTEM, organiser, the_round, user
from tests.director.test_boards_side_by_side import (
    A,
    B,
    assert_proof_holds,
    both_drawn,
    entries_of,
    play,
    tables,
    two_boards,
)
from tests.support.day import the_people
from tests.support.refusals import refusal
from tests.support.scene_rows import reuse_rows
from tools.verify_export import Report, check_proof
from tournaments.core.errors import Reason
from tournaments.director.queries.drafts import draft_page
from tournaments.director.queries.filled import filled_before
from tournaments.director.queries.snapshot import rows_of
from tournaments.director.queries.state import round_states
from tournaments.director.services.absences import penalise, withdraw
from tournaments.director.services.draws import draw, draw_next
from tournaments.director.services.entries import enter_late, enter_newcomers
from tournaments.director.services.rounds import discard_round, draw_again, swap
from tournaments.director.services.settings import GameSettings, NewTournament
from tournaments.director.services.tournaments import create_tournament, publish_round
from tournaments.domain.file.proofs import bundle_from_bytes, bundle_to_bytes
from tournaments.domain.proof import prove
from tournaments.domain.ranking import ranking
from tournaments.domain.rows import TournamentRows
from tournaments.domain.scores import Score
from tournaments.domain.stages import begin_stage, next_draw, stage_of, with_round, with_stage
from tournaments.domain.verification import all_hold, verify
from tournaments.exchange.queries.proofs import proof_file
from tournaments.models import Entry, Match, Pair, Player, Round, Tournament
from tournaments.results.queries.effects import correction_effect
from tournaments.results.services.matches import correct_result

pytestmark = pytest.mark.django_db

C = 4


@reuse_rows({}, {"board": "knockout"})
def three_boards(board: str = "liguilla") -> Tournament:
    """A Swiss of twelve is over; boards of four take its places from 1, 5 and 9 on."""
    club, pairs = the_people(12)
    boards = [
        {"format": board, "rules": {"take": take, "take_from": first, "source": 1}}
        for first, take in ((0, 4), (4, 4), (8, 0))
    ]
    stages = [{"format": "swiss", "rules": {"rounds": 3}}, *boards]
    tournament = create_tournament(
        SYSTEM, club, "Torneo", NewTournament(GameSettings(options={"to": 3}), stages=stages)
    )
    enter_newcomers(SYSTEM, tournament, pairs)
    draw(SYSTEM, tournament)
    for number in (1, 2, 3):
        if number > 1:
            draw_next(SYSTEM, tournament, after=number - 1)
        play(publish_round(SYSTEM, the_round(tournament, number)))
    tournament.refresh_from_db()
    return tournament


def entry(tournament: Tournament, number: int) -> Entry:
    return tournament.entries.with_players().get(number=number)


def board_drawn(tournament: Tournament, stage: int) -> Round:
    return draw_next(SYSTEM, tournament, after=round_states(tournament)[-1].number, stage=stage)


def correct(tournament: Tournament) -> Match:
    """Let 9, third of its group and on board B, have beaten 8, second and on board A."""
    match = Match.objects.with_names().get(
        Q(home__number=8, away__number=9) | Q(home__number=9, away__number=8),
        round__stage__tournament=tournament,
        round__stage__number=1,
    )
    hands = (3, 0) if match.home.number == 9 else (0, 3)
    correct_result(SYSTEM, match, Score(*hands, 300, 300), reason="a slip")
    return match


def assert_both_verifiers_agree(tournament: Tournament) -> None:
    assert_proof_holds(tournament)
    report = Report()
    check_proof(report, json.loads(proof_file(tournament)), set())
    assert report.faults == []
    named = ("who qualified is not checked", "the best of those who are on no other board")
    assert any(name in text for text in report.checked + report.notes for name in named)


def board_b_alone(tournament: Tournament) -> Round:
    """Discard the draft of board A and publish board B."""
    first, second = both_drawn(tournament)
    discard_round(SYSTEM, first)
    return publish_round(SYSTEM, second)


def test_three_boards_drawn_from_the_last_to_the_first_have_their_own_places() -> None:
    tournament = three_boards()
    for stage in (C, B, A):
        publish_round(SYSTEM, board_drawn(tournament, stage))
    rows = rows_of(tournament)
    order = [line.entrant for line in ranking(rows, stage_of(rows, 1))]
    boards = [entries_of(tournament, stage) for stage in (A, B, C)]
    assert boards == [set(order[:4]), set(order[4:8]), set(order[8:])]
    assert [stage_of(rows, stage).rules.without for stage in (A, B, C)] == [(3, 4), (4,), ()]
    assert_both_verifiers_agree(tournament)


def test_who_qualifies_by_a_correction_stays_on_the_board_that_was_published() -> None:
    tournament = two_boards()
    board_b_alone(tournament)
    on_b = entries_of(tournament, B)
    correct(tournament)
    draft = board_drawn(tournament, A)
    assert entries_of(tournament, A) == set(range(1, 17)) - on_b
    whys = draft_page(tournament.slug, draft.number, SYSTEM, "en").whys
    assert [why for why in whys if "9" in why and "but plays in stage 3" in why], whys
    publish_round(SYSTEM, draft)
    assert_both_verifiers_agree(tournament)


def test_a_penalty_moves_nobody_over_a_fixed_line() -> None:
    tournament = two_boards()
    board_b_alone(tournament)
    best = min(set(range(1, 17)) - entries_of(tournament, B))
    penalise(SYSTEM, entry(tournament, best), round_number=1, match_points="9", reason="noise")
    publish_round(SYSTEM, board_drawn(tournament, A))
    assert entries_of(tournament, A) == set(range(1, 17)) - entries_of(tournament, B)
    assert_both_verifiers_agree(tournament)


def test_a_board_of_which_one_has_left_is_played_by_one_fewer() -> None:
    tournament = two_boards(board_a="liguilla", board_b="liguilla")
    board_b_alone(tournament)
    on_b = entries_of(tournament, B)
    leaver = min(set(range(1, 17)) - on_b)
    withdraw(SYSTEM, entry(tournament, leaver))
    draft = publish_round(SYSTEM, board_drawn(tournament, A))
    assert entries_of(tournament, A) == set(range(1, 17)) - on_b - {leaver}
    assert draft.matches.filter(bye="pairing").count() == 1
    assert_both_verifiers_agree(tournament)


def test_a_draft_changed_by_hand_cannot_be_published_with_an_entry_of_the_other_board() -> None:
    tournament = two_boards()
    of_b, of_a = board_drawn(tournament, B), board_drawn(tournament, A)
    one, other = of_a.matches.with_names().order_by("table")[:2]
    swap(SYSTEM, of_a, one.home, other.home)
    correct(tournament)
    assert the_round(tournament, of_a.number).is_outdated
    assert entries_of(tournament, A) & entries_of(tournament, B) == {8}
    publish_round(SYSTEM, the_round(tournament, of_b.number))
    with refusal(Reason.ROUND_IMPOSSIBLE) as refused:
        publish_round(SYSTEM, the_round(tournament, of_a.number), as_is=True)
    assert "juega en la fase 3" in refused.value.message
    publish_round(SYSTEM, draw_again(SYSTEM, the_round(tournament, of_a.number)))
    assert not entries_of(tournament, A) & entries_of(tournament, B)
    assert_both_verifiers_agree(tournament)


def test_a_board_drawn_by_the_old_order_verifies_as_drawn_and_is_named() -> None:
    """Until November 2026 a board took nobody of a stage beside which it had begun."""
    tournament = three_boards()
    board_of_c = publish_round(SYSTEM, board_drawn(tournament, C))
    assert board_of_c.number == 4
    rows = rows_of(tournament)
    order = [line.entrant for line in ranking(rows, stage_of(rows, 1))]
    old_rules = replace(stage_of(rows, B).rules, beside=C, without=())
    board = replace(stage_of(rows, B), rules=old_rules, seed="00")
    rows = with_stage(rows, board)
    taken = begin_stage(rows, B, by_beside=True)
    assert set(taken) == set(order[:4]), "the places of board A"
    rows = with_stage(rows, replace(board, entrants=taken))
    draw_ = next_draw(rows, stage=B)
    bundle = prove(with_round(rows, B, draw_.tables))
    findings = verify(bundle)
    assert all_hold(findings), [finding for finding in findings if not finding.holds]
    assert [(f.code, f.stage) for f in findings if f.code == "filled_by_beside"] == [
        ("filled_by_beside", B)
    ]


def open_tables(tournament: Tournament) -> list[int]:
    matches = Match.objects.filter(round__stage__tournament=tournament, away__isnull=False)
    return list(matches.filter(round__state="published").values_list("table", flat=True))


def assert_no_table_twice(tournament: Tournament) -> None:
    numbers = open_tables(tournament)
    assert len(set(numbers)) == len(numbers), numbers


def late(tournament: Tournament, code: str) -> Entry:
    first, second = (
        Player.objects.create(club=tournament.club, code=name, name=name, folded=name.lower())
        for name in (f"{code}1", f"{code}2")
    )
    pair = Pair.objects.create(
        club=tournament.club, code=f"P{code}", name=code, folded=code, first=first, second=second
    )
    return enter_late(SYSTEM, tournament, pair)


def test_a_board_that_has_grown_takes_no_table_that_the_other_plays_at() -> None:
    tournament = two_boards(board_a="liguilla")
    for round_ in both_drawn(tournament):
        publish_round(SYSTEM, round_)
    for code in ("X", "Y"):
        late(tournament, code)
    play(the_round(tournament, 4))
    publish_round(SYSTEM, the_round(tournament, 5))
    assert_no_table_twice(tournament)
    assert tables(the_round(tournament, 5)) == [1, 2, 3, 4, 9]
    assert_both_verifiers_agree(tournament)


def test_a_late_pair_against_one_with_a_bye_gets_a_table_that_is_free() -> None:
    tournament = two_boards(board_a="swiss")
    first, _ = both_drawn(tournament)
    publish_round(SYSTEM, first, together=True)
    late(tournament, "X")
    play(the_round(tournament, 4))
    publish_round(SYSTEM, board_drawn(tournament, A))
    against = late(tournament, "Y")
    match = Match.objects.get(away=against)
    assert match.table == 9, "tables 5 to 8 are those of board B"
    assert_no_table_twice(tournament)
    assert_both_verifiers_agree(tournament)


def test_who_qualified_before_a_correction_is_said_wherever_it_is_shown() -> None:
    tournament = two_boards()
    for round_ in both_drawn(tournament):
        publish_round(SYSTEM, round_)
    assert filled_before(tournament) == ()
    match = correct(tournament)
    of_a, of_b = filled_before(Tournament.objects.get(pk=tournament.pk))
    place = (match.round.number, match.table)
    assert [(one.round, one.table) for one in of_a.tables] == [place]
    assert [entry.number for entry in (*of_a.comes_in, *of_a.drops_out)] == [9, 8]
    assert [entry.number for entry in (*of_b.comes_in, *of_b.drops_out)] == [8, 9]
    organiser(tournament.club)
    client = Client(headers={"accept-language": "en"})
    client.force_login(user("olga"))
    of_match = f"Round {place[0]}, table {place[1]}"
    text = f"Stage 2 was filled before this result was corrected: {of_match}"
    for name in ("tournament", "crosstable", "control"):
        page = client.get(reverse(name, args=[tournament.slug])).content.decode()
        assert text in page, name
    answer = client.get(f"/api/v1/tournaments/{tournament.slug}/standings/?stage=2").json()
    assert [one["stage"] for one in answer["filled"]] == [A]
    findings = verify(bundle_from_bytes(proof_file(tournament)))
    named = [(one.stage, one.facts["tables"]) for one in findings if one.code == "filled_before"]
    assert named == [(A, f"{place[0]}.{place[1]}"), (B, f"{place[0]}.{place[1]}")]
    assert_both_verifiers_agree(tournament)
    effect = correction_effect(tournament, match, Score(0, 3, 100, 200))
    assert effect.filled == (A, B)


def exchanged(rows: TournamentRows, one: int, other: int) -> TournamentRows:
    """Let two entrants have sat in each other's place on both boards."""
    places = {one: other, other: one}

    def seats(numbers: tuple[int, ...]) -> tuple[int, ...]:
        return tuple(places.get(number, number) for number in numbers)

    for number in (A, B):
        stage = stage_of(rows, number)
        rounds = tuple(
            replace(
                round_,
                tables=tuple(
                    replace(table, sides=tuple(map(seats, table.sides))) for table in round_.tables
                ),
            )
            for round_ in stage.rounds
        )
        rows = with_stage(rows, replace(stage, entrants=seats(stage.entrants), rounds=rounds))
    return rows


def test_a_forged_line_is_found_by_both_verifiers() -> None:
    tournament = two_boards()
    board_b_alone(tournament)
    publish_round(SYSTEM, board_drawn(tournament, A))
    rows = rows_of(tournament)
    on_a = stage_of(rows, A)
    other = max(stage_of(rows, B).entrants)
    twice = with_stage(rows, replace(on_a, entrants=(*on_a.entrants, other)))
    for forged, fault in (
        (twice, f"entrants [{other}] play on both boards"),
        (exchanged(rows, 8, 9), "stage 3: [8] play, and not [9]"),
    ):
        bundle = prove(forged)
        assert not all_hold(verify(bundle))
        report = Report()
        check_proof(report, json.loads(bundle_to_bytes(bundle)), set())
        assert [text for text in report.faults if fault in text], report.faults
