"""What the papers read: rows alone, in a fixed number of queries, and whom they concern."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from tests.clubs import (
    NOBODY,
    SYSTEM,
    a_club,
    arbiter,
    play_the_club_night,
    the_liguilla,
    the_round,
)
from tests.support.counting import count_queries
from tests.support.day import a_day, play_round
from tests.support.refusals import refusal
from tournaments.core.errors import Reason
from tournaments.director.services.draws import draw
from tournaments.director.services.entries import enter_newcomers
from tournaments.director.services.settings import GameSettings, NewTournament
from tournaments.director.services.tournaments import close_round, create_tournament, publish_round
from tournaments.domain.names import sort_key
from tournaments.people.services.clubs import import_players
from tournaments.printing.queries.listing import print_page
from tournaments.printing.queries.papers import Addresses
from tournaments.printing.queries.rounds import PAPERS, codes_paper, round_papers
from tournaments.printing.queries.stages import (
    crosstable_paper,
    diplomas_paper,
    guides_paper,
    standings_paper,
)
from tournaments.sheets import rows

if TYPE_CHECKING:
    from tournaments.core.permissions import Actor
    from tournaments.models import Tournament

pytestmark = pytest.mark.django_db

HEAD = 4
"""Queries of the head for an anonymous visitor."""
WHERE = Addresses("https://baza.example/t/x/table/", "https://baza.example/t/x/come/")


def sheets(
    tournament: Tournament, what: str, viewer: Actor = NOBODY, round_: int = 1
) -> rows.Sheet:
    return round_papers(tournament.slug, round_, viewer, what, "es", WHERE).sheets[0]


def singles(format_: str, players: int, ruleset: str = "parejas", **rules: Any) -> Tournament:
    """Single players, the first round published."""
    club = a_club()
    lines = "".join(f"J{n:02},Jugador {n}\n" for n in range(1, players + 1))
    import_players(SYSTEM, club, "id,nombre\n" + lines, as_written=True)
    stages = [{"format": format_, "rules": {"rounds": 3, **rules}}]
    tournament = create_tournament(
        SYSTEM, club, "Solos", NewTournament(GameSettings(ruleset=ruleset), stages=stages)
    )
    enter_newcomers(SYSTEM, tournament, list(club.players.order_by("code")))
    draw(SYSTEM, tournament)
    publish_round(SYSTEM, the_round(tournament, 1))
    return tournament


def test_the_page_reads_the_head_alone() -> None:
    tournament = the_liguilla(published=2)
    page, queries = count_queries(lambda: print_page(tournament.slug, NOBODY))
    assert queries == HEAD
    assert [round_.number for round_ in page.rounds] == [2, 1]
    assert not page.codes
    assert not any(stage.diplomas for stage in page.stages)


def test_the_club_prints_drafts_codes_and_diplomas() -> None:
    tournament = the_liguilla(published=1)
    page = print_page(tournament.slug, arbiter(tournament.club))
    assert [round_.state for round_ in page.rounds] == ["draft"] * 6 + ["published"]
    assert page.codes
    head = sheets(tournament, "tables", arbiter(tournament.club), round_=2).head
    assert head.has_draft


def test_a_draft_is_printed_for_nobody_else() -> None:
    tournament = the_liguilla(published=1)
    with refusal(Reason.NOT_FOUND):
        sheets(tournament, "all", round_=2)
    with refusal(Reason.NOT_FOUND):
        sheets(tournament, "hats")


@pytest.mark.parametrize("what", ["all", *PAPERS])
def test_a_round_takes_two_queries_beside_the_head(what: str) -> None:
    tournament = the_liguilla(published=1)
    printed, queries = count_queries(
        lambda: round_papers(tournament.slug, 1, NOBODY, what, "es", WHERE)
    )
    assert queries == HEAD + 2
    assert len(printed.sheets) == (4 if what == "all" else 1)
    assert printed.name == f"{tournament.slug}-1" + ("" if what == "all" else f"-{what}")


def test_pairs_sit_across_and_everybody_has_a_line() -> None:
    tournament = the_liguilla(published=1)
    by_table = sheets(tournament, "tables")
    assert isinstance(by_table, rows.PairingsByTable)
    assert [side.letters for side in by_table.tables[0].sides] == ["A-C", "B-D"]
    by_name = sheets(tournament, "names")
    assert isinstance(by_name, rows.PairingsByName)
    assert len(by_name.lines) == 16
    assert [line.name for line in by_name.lines] == sorted(
        (line.name for line in by_name.lines), key=sort_key
    )


def test_who_rests_has_a_line_without_a_table() -> None:
    tournament = a_day(entered=5, late=0)
    publish_round(SYSTEM, the_round(tournament, 1))
    by_name = sheets(tournament, "names")
    assert isinstance(by_name, rows.PairingsByName)
    assert [line.table for line in by_name.lines].count(0) == 2


def test_score_sheets_are_ruled_for_the_longest_match() -> None:
    sheet = sheets(the_liguilla(published=1), "sheets")
    assert isinstance(sheet, rows.ScoreSheets)
    assert (sheet.counts, sheet.length, sheet.hands) == ("first_to", 3, tuple("12345"))


def test_single_players_have_guide_cards_and_a_seat_each() -> None:
    tournament = singles("individual", 8)
    printed = guides_paper(tournament.slug, NOBODY, None, "es")
    cards = printed.sheets[0]
    assert isinstance(cards, rows.GuideCards)
    assert len(cards.cards) == 8
    assert {turn.seat for card in cards.cards for turn in card.turns} == set("ABCD")
    with refusal(Reason.NOT_FOUND):
        crosstable_paper(tournament.slug, NOBODY, None, "es")


def test_three_at_a_table_have_sheets_of_three() -> None:
    sheet = sheets(singles("threes", 9, "arrastrado"), "sheets")
    assert isinstance(sheet, rows.ScoreSheets)
    assert [side.letters for side in sheet.tables[0].sides] == ["A", "B", "C"]
    assert len(sheet.hands) == 7


def test_five_at_a_table_whose_results_are_typed_have_sheets_and_cards_of_five() -> None:
    rules: dict[str, Any] = {"table_size": 5, "other_size": 5, "typed_only": True}
    tournament = singles("tables", 10, **rules)
    sheet = sheets(tournament, "sheets")
    assert isinstance(sheet, rows.ScoreSheets)
    assert [side.letters for side in sheet.tables[0].sides] == list("ABCDE")
    assert sheet.tables[0].typed_only
    cards = sheets(tournament, "cards")
    assert isinstance(cards, rows.TableCards)
    assert cards.tables == sheet.tables


def test_standings_and_crosstable_are_those_of_the_pages() -> None:
    tournament = the_liguilla()
    play_the_club_night(tournament)
    standings, queries = count_queries(lambda: standings_paper(tournament.slug, NOBODY, None, "es"))
    assert queries == HEAD + 9
    (sheet,) = standings.sheets
    assert isinstance(sheet, rows.Standings)
    assert [place.rank for place in sheet.groups[0][1]][:3] == [1, 2, 3]
    (table,) = crosstable_paper(tournament.slug, NOBODY, None, "es").sheets
    assert isinstance(table, rows.Crosstable)
    lines = table.groups[0][1]
    for place, line in enumerate(lines):
        assert line.cells[place].outcome == rows.SELF
        assert sum(cell.text == "" for cell in line.cells) == 1


def test_a_swiss_is_printed_round_by_round_by_places_of_the_table() -> None:
    tournament = a_day(entered=7, late=0)
    play_round(tournament, 1)
    (table,) = crosstable_paper(tournament.slug, NOBODY, None, "es").sheets
    assert isinstance(table, rows.Crosstable)
    assert table.rounds == (1,)
    (lines,) = (lines for _, lines in table.groups)
    parts = [line.cells[0].text.split("\n")[0] for line in lines]
    assert sum(text.startswith("+") for text in parts) == 1
    for place, other in enumerate(parts, start=1):
        if not other.startswith("+"):
            assert parts[int(other) - 1] == str(place)


def test_a_bracket_has_its_scores_and_whom_it_waits_for() -> None:
    tournament = a_day(entered=8, late=0, format="knockout")
    play_round(tournament, 1)
    (tree,) = crosstable_paper(tournament.slug, NOBODY, None, "es").sheets
    assert isinstance(tree, rows.Bracket)
    first = tree.columns[0].meetings
    assert all(meeting.score and meeting.winner is not None for meeting in first)
    assert any(meeting.score == "" for meeting in tree.columns[-1].meetings)


def test_diplomas_are_the_clubs_and_name_who_has_the_places() -> None:
    tournament = the_liguilla()
    play_the_club_night(tournament)
    staff = arbiter(tournament.club)

    def sheet_for(actor: Actor, *places: int) -> rows.Diplomas:
        (sheet,) = diplomas_paper(tournament.slug, actor, None, places, "es").sheets
        assert isinstance(sheet, rows.Diplomas)
        return sheet

    with refusal(Reason.SIGN_IN):
        sheet_for(NOBODY, 1)
    with refusal(Reason.NOT_FOUND):  # no round is closed
        sheet_for(staff, 1)
    closed = close_round(SYSTEM, the_round(tournament, 1))
    sheet = sheet_for(staff, 1, 3)
    assert [winner.place for winner in sheet.winners] == [1, 3]
    assert all(len(winner.players) == 2 for winner in sheet.winners)
    assert sheet.city == "Zaragoza"
    assert closed.closed_at is not None
    assert sheet.day is not None
    with refusal(Reason.NOT_FOUND):
        sheet_for(staff, 99)


def test_codes_are_for_the_clubs_people() -> None:
    tournament = the_liguilla(published=1)

    def sheet_for(actor: Actor) -> rows.Codes:
        (sheet,) = codes_paper(tournament.slug, actor, "es", WHERE).sheets
        assert isinstance(sheet, rows.Codes)
        return sheet

    with refusal(Reason.SIGN_IN):
        sheet_for(NOBODY)
    staff = arbiter(tournament.club)
    sheet, queries = count_queries(lambda: sheet_for(staff))
    assert [code.number for code in sheet.codes] == list(range(1, 9))
    first = tournament.entries.get(number=1)
    assert sheet.codes[0].address == f"{WHERE.come}?code={first.code}"
    assert queries == HEAD + 3  # one more for a member's head
