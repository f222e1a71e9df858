"""What the pages of standings read: stages, groups, sums, who met whom, effects."""

from fractions import Fraction

import pytest

from tests.clubs import NOBODY, SYSTEM, a_club, a_swiss, arbiter, play_out, the_match, the_round
from tests.support.counting import again, count_queries
from tests.support.day import a_day, entry, next_round, play_round, the_people
from tests.support.refusals import refusal
from tests.support.scene_rows import reuse_rows
from tournaments.core.errors import Reason
from tournaments.director.queries.rounds import round_page
from tournaments.director.queries.tournaments import tournament_head
from tournaments.director.services.absences import penalise, withdraw
from tournaments.director.services.draws import draw
from tournaments.director.services.entries import enter_newcomers
from tournaments.director.services.settings import GameSettings, NewTournament
from tournaments.director.services.tournaments import close_round, create_tournament, publish_round
from tournaments.domain.scores import Score
from tournaments.models import Tournament
from tournaments.people.services.clubs import import_players
from tournaments.results.queries.what_if import effect_page
from tournaments.results.services.matches import correct_result, dispute_result, postpone
from tournaments.standings.queries.crosstables import crosstable_page
from tournaments.standings.queries.standings import entry_sums, standings_page

pytestmark = pytest.mark.django_db


@pytest.fixture
def swiss() -> Tournament:
    return two_rounds_played()


@reuse_rows()
def two_rounds_played() -> Tournament:
    """Seven pairs after two rounds, the third published."""
    tournament = a_day(entered=7, late=0)
    for number in (1, 2):
        play_round(tournament, number)
        next_round(tournament, number)
    publish_round(SYSTEM, the_round(tournament, 3))
    return tournament


def groups_and_final(played: int = 3) -> Tournament:
    """Eight pairs in two groups of four, two of each going on to a knock-out."""
    club, pairs = the_people(8, a_club())
    stages = [
        {"format": "groups", "rules": {"groups": 2}},
        {"format": "knockout", "rules": {"take": 2, "third_place": True}},
    ]
    tournament = create_tournament(
        SYSTEM, club, "Grupos", NewTournament(GameSettings(options={"to": 3}), stages=stages)
    )
    enter_newcomers(SYSTEM, tournament, pairs)
    draw(SYSTEM, tournament)
    for number in range(1, played + 1):
        the_best_win(tournament, number)
    tournament.refresh_from_db()
    return tournament


def the_best_win(tournament: Tournament, number: int) -> None:
    """Play a round in which the lower number wins every match, so that nobody is level."""
    round_ = publish_round(SYSTEM, the_round(tournament, number))
    for match in round_.matches.with_names().filter(away__isnull=False):
        home_wins = match.away is not None and match.home.number < match.away.number
        score = Score(3, 1, 300, 200) if home_wins else Score(1, 3, 200, 300)
        correct_result(SYSTEM, match, score, reason="acta")
    close_round(SYSTEM, round_)


# --- Stages and groups --------------------------------------------------------------------------


def test_each_group_has_a_table_of_its_own() -> None:
    page = standings_page(groups_and_final().slug, NOBODY)
    assert [group.group for group in page.groups] == [1, 2]
    assert [len(group.rows) for group in page.groups] == [4, 4]
    assert [row.rank for row in page.rows] == [1, 2, 3, 4, 1, 2, 3, 4]
    assert page.columns == ("direct_encounter", "hand_difference", "point_difference")


def test_the_stages_say_how_far_they_have_come() -> None:
    tournament = groups_and_final(played=2)
    head = tournament_head(tournament.slug, NOBODY)
    assert [(stage.format, stage.state, stage.rounds_closed) for stage in head.stages] == [
        ("groups", "running", 2),
        ("knockout", "waiting", 0),
    ]
    the_best_win(tournament, 3)
    head = tournament_head(tournament.slug, NOBODY)
    assert [stage.state for stage in head.stages] == ["finished", "waiting"]
    next_round(tournament, 3)
    head = tournament_head(tournament.slug, NOBODY)
    assert [stage.state for stage in head.stages] == ["finished", "running"]
    assert head.current_stage.number == 2


def test_the_stage_in_play_is_shown_unless_another_is_asked_for() -> None:
    tournament = groups_and_final()
    next_round(tournament, 3)
    assert standings_page(tournament.slug, NOBODY).stage.format == "knockout"
    assert standings_page(tournament.slug, NOBODY, 1).stage.format == "groups"
    with refusal(Reason.NOT_FOUND):
        standings_page(tournament.slug, NOBODY, 3)


def test_a_stage_that_has_not_begun_has_nobody_in_it() -> None:
    page = standings_page(groups_and_final().slug, NOBODY, 2)
    assert (page.stage.state, page.rows) == ("waiting", ())


def test_who_is_entered_stands_in_the_first_stage_before_the_draw() -> None:
    tournament = a_swiss(6, drawn=False)
    page = standings_page(tournament.slug, arbiter(tournament.club))
    assert [row.number for row in page.rows] == [1, 2, 3, 4, 5, 6]
    assert all(row.shared and row.rank == 1 for row in page.rows)


# --- What counts --------------------------------------------------------------------------------


def test_a_bye_counts_as_soon_as_a_match_of_its_round_has_a_result(swiss: Tournament) -> None:
    rested = next(m for m in round_page(swiss.slug, 3, NOBODY).round.matches if m.away is None)

    def match_points() -> float:
        rows = standings_page(swiss.slug, NOBODY).rows
        return next(row.match_points for row in rows if row.number == rested.home.number)

    before = match_points()
    correct_result(SYSTEM, the_match(swiss, 3, 1), Score(3, 0, 300, 10), reason="acta")
    assert match_points() == before + 2


def test_what_is_disputed_counts_until_the_ruling_and_what_is_put_off_does_not(
    swiss: Tournament,
) -> None:
    before = standings_page(swiss.slug, NOBODY)
    assert not before.provisional
    correct_result(SYSTEM, the_match(swiss, 3, 1), Score(3, 0, 300, 10), reason="acta")
    counted_ = standings_page(swiss.slug, NOBODY).rows
    dispute_result(SYSTEM, the_match(swiss, 3, 1), "Mal.")
    postpone(SYSTEM, the_match(swiss, 3, 2), None)
    page = standings_page(swiss.slug, NOBODY)
    assert (page.stage.disputed, page.stage.postponed, page.stage.reported) == (1, 1, 0)
    assert page.provisional
    assert page.rows == counted_ != before.rows


def test_penalties_withdrawals_and_broken_points_are_in_the_row(swiss: Tournament) -> None:
    penalise(SYSTEM, entry(swiss, 2), round_number=1, match_points="0,5", reason="came late")
    withdraw(SYSTEM, entry(swiss, 3), "ill")
    rows = {row.number: row for row in standings_page(swiss.slug, NOBODY).rows}
    assert abs(rows[2].match_points) % 1 == 0.5
    assert [(penalty.match_points, penalty.reason) for penalty in rows[2].penalties] == [
        (0.5, "came late")
    ]
    assert (rows[3].withdrawn, rows[1].withdrawn) == (True, False)
    assert isinstance(rows[1].match_points, int)


# --- Sums ---------------------------------------------------------------------------------------


def test_every_number_is_the_sum_of_what_is_shown(swiss: Tournament) -> None:
    penalise(SYSTEM, entry(swiss, 2), round_number=1, match_points=1, points=30, reason="late")
    for row in standings_page(swiss.slug, NOBODY).rows:
        page = entry_sums(swiss.slug, row.number, NOBODY)
        assert page.row == row
        assert [sum_row.code for sum_row in page.sums] == [
            "match_points",
            *(v.code for v in row.values),
        ]
        for sum_row in page.sums:
            assert {term.round for term in sum_row.terms} <= {line.round for line in page.rounds}
            counted_ = sum(Fraction(term.amount) for term in sum_row.terms if not term.cut)
            assert sum_row.number is None or counted_ == Fraction(sum_row.number)


def test_the_dropped_opponent_is_shown_with_the_reason(swiss: Tournament) -> None:
    page = entry_sums(swiss.slug, 1, NOBODY)
    buchholz = next(sum_row for sum_row in page.sums if sum_row.code == "buchholz_cut1")
    assert [term.cut for term in buchholz.terms if term.cut] == ["cut_least"]


def test_the_rounds_lead_to_their_matches_and_opponents(swiss: Tournament) -> None:
    page = entry_sums(swiss.slug, the_match(swiss, 3, 1).home.number, NOBODY)
    assert [line.round for line in page.rounds] == [1, 2, 3]
    last = page.rounds[-1]
    assert (last.kind, last.state, last.match_pk) == ("open", "pending", the_match(swiss, 3, 1).pk)
    away = the_match(swiss, 3, 1).away
    assert away is not None
    assert [opponent.number for opponent in last.opponents] == [away.number]


def test_the_line_above_is_reported_and_the_first_has_none(swiss: Tournament) -> None:
    rows = standings_page(swiss.slug, NOBODY).rows
    assert entry_sums(swiss.slug, rows[0].number, NOBODY).above is None
    assert entry_sums(swiss.slug, rows[3].number, NOBODY).above == rows[2]


def test_who_is_not_in_the_stage_has_no_sums(swiss: Tournament) -> None:
    with refusal(Reason.NOT_FOUND):
        entry_sums(swiss.slug, 99, NOBODY)


# --- Who met whom -------------------------------------------------------------------------------


def test_a_swiss_is_shown_round_by_round(swiss: Tournament) -> None:
    page = crosstable_page(swiss.slug, NOBODY)
    assert (page.view, page.rounds) == ("rounds", (1, 2, 3))
    match = the_match(swiss, 1, 1)
    row = next(row for row in page.rows if row.number == match.home.number)
    assert match.away is not None
    assert row.rounds[0][:4] == ("played", "won", match.pk, (match.away.number,))
    assert row.cells == ()
    assert {row.rounds[2].kind for row in page.rows} == {"open", "pairing_bye"}


def test_groups_have_a_crosstable_each() -> None:
    page = crosstable_page(groups_and_final().slug, NOBODY, 1)
    assert page.view == "crosstable"
    for group in page.groups:
        for place, row in enumerate(group.rows):
            assert [len(cell) for cell in row.cells] == [int(n != place) for n in range(4)]


def test_a_knock_out_is_shown_as_a_bracket() -> None:
    tournament = groups_and_final()
    next_round(tournament, 3)
    publish_round(SYSTEM, the_round(tournament, 4))
    page = crosstable_page(tournament.slug, NOBODY)
    assert (page.view, [column.board.value for column in page.columns]) == (
        "bracket",
        ["main", "main", "third"],
    )
    tables = [meeting.table for meeting in page.columns[0].meetings]
    assert tables == [(4, 1), (4, 2)]
    assert page.matches[4, 1] == the_match(tournament, 4, 1).pk


@pytest.mark.parametrize("format_", ["knockout", "double", "repesca"])
def test_the_champion_is_who_has_won_the_last_match_of_a_bracket(format_: str) -> None:
    tournament = a_day(4, format=format_)
    assert crosstable_page(tournament.slug, NOBODY).champion is None
    play_round(tournament, 1)
    number = 1
    while crosstable_page(tournament.slug, NOBODY).champion is None:
        next_round(tournament, number)
        number += 1
        play_round(tournament, number)
    page = crosstable_page(tournament.slug, NOBODY)
    assert page.has_final
    (first,) = [row.number for row in page.rows if row.rank == 1]
    assert page.champion == first


def test_a_draft_of_the_next_round_is_in_no_table_and_no_bracket() -> None:
    tournament = groups_and_final()
    next_round(tournament, 3)
    page = crosstable_page(tournament.slug, NOBODY)
    assert all(m.table is None for column in page.columns for m in column.meetings)


def test_individuals_have_guide_cards_with_partner_and_seat() -> None:
    club = a_club()
    people = "".join(f"J{n},Jugador {n}\n" for n in range(1, 9))
    import_players(SYSTEM, club, "id,nombre\n" + people, as_written=True)
    tournament = create_tournament(
        SYSTEM,
        club,
        "Individual",
        NewTournament(stages=[{"format": "individual", "rules": {"rounds": 3}}]),
    )
    enter_newcomers(SYSTEM, tournament, list(club.players.order_by("pk")))
    draw(SYSTEM, tournament)
    publish_round(SYSTEM, the_round(tournament, 1))
    page = crosstable_page(tournament.slug, NOBODY)
    assert page.view == "cards"
    first = page.cards[0].turns
    assert len(first) == 1
    assert (len(first[0].partners), len(first[0].opponents)) == (1, 2)
    seats = [card.turns[0].seat for card in page.cards]
    assert sorted(seats) == sorted("ABCDABCD")


# --- Effects ------------------------------------------------------------------------------------


def test_what_a_correction_would_change_is_reported_and_nothing_is_changed() -> None:
    tournament = groups_and_final()
    boss = arbiter(tournament.club)
    before = standings_page(tournament.slug, NOBODY).rows
    loser = before[2]
    match = next(
        match
        for number in (1, 2, 3)
        for table in (1, 2, 3, 4)
        if (match := the_match(tournament, number, table)).away is not None
        and {match.home.number, match.away.number} == {before[1].number, loser.number}
    )
    score = Score(0, 3, 0, 300) if match.home.number == before[1].number else Score(3, 0, 300, 0)
    page = effect_page(match.pk, boss, score)
    assert [row.number for row in page.comes_in] == [loser.number]
    assert len(page.drops_out) == 1
    assert page.changes_places
    assert standings_page(tournament.slug, NOBODY).rows == before


def test_the_effect_is_the_table_that_the_correction_gives(swiss: Tournament) -> None:
    match, score = the_match(swiss, 2, 1), Score(0, 3, 0, 300)
    effect = effect_page(match.pk, arbiter(swiss.club), score)
    correct_result(SYSTEM, match, score, reason="acta del revés")
    after = standings_page(swiss.slug, NOBODY).rows
    assert [(row.number, row.after) for row in effect.rows] == [(r.number, r.rank) for r in after]


def test_others_than_the_clubs_people_see_no_effect(swiss: Tournament) -> None:
    with refusal(Reason.NOT_FOUND):
        effect_page(the_match(swiss, 1, 1).pk, NOBODY, Score(3, 0, 0, 0))


# --- Queries ------------------------------------------------------------------------------------


def test_what_is_kept_takes_the_heads_queries_alone(swiss: Tournament) -> None:
    head = count_queries(lambda: tournament_head(swiss.slug, NOBODY))[1]
    assert head == 4
    assert count_queries(lambda: standings_page(swiss.slug, NOBODY))[1] == head + 9
    assert again(lambda: standings_page(swiss.slug, NOBODY)) == head
    assert count_queries(lambda: crosstable_page(swiss.slug, NOBODY))[1] == head + 10
    assert again(lambda: crosstable_page(swiss.slug, NOBODY)) == head
    still_at_table = the_match(swiss, 3, 1).home.number
    assert count_queries(lambda: entry_sums(swiss.slug, still_at_table, NOBODY))[1] == head + 11
    assert again(lambda: entry_sums(swiss.slug, still_at_table, NOBODY)) == head + 10


def test_a_round_that_is_closed_leaves_the_table_as_it_is(swiss: Tournament) -> None:
    play_out(the_round(swiss, 3))
    page = standings_page(swiss.slug, NOBODY)
    assert page.stage.rounds_closed == 3
    assert sum(row.match_points for row in page.rows) == 3 * 8
