"""The proof that the service gives out holds; every later change in it is found."""

import json
from collections.abc import Callable
from typing import Any

import pytest

from tests.clubs import (
    SYSTEM,
    a_club,
    a_swiss,
    house_bots,
    organiser,
    play_out,
    play_the_club_night,
    submitted,
    the_liguilla,
    the_match,
    the_round,
)
from tests.support.day import a_day, entry, late_pair, play_round
from tournaments.cli.main import main
from tournaments.director.queries.snapshot import rows_of
from tournaments.director.services.absences import penalise, withdraw
from tournaments.director.services.draws import draw, draw_next, set_seeding
from tournaments.director.services.entries import describe_entry, enter_late, enter_newcomers
from tournaments.director.services.rounds import discard_round, pin, swap
from tournaments.director.services.settings import GameSettings, NewTournament
from tournaments.director.services.tournaments import close_round, create_tournament, publish_round
from tournaments.domain.file.proofs import bundle_from_bytes, bundle_to_bytes
from tournaments.domain.scores import Score
from tournaments.domain.stages import begin_stage
from tournaments.domain.verification import Finding, all_hold, verify
from tournaments.exchange.queries.proofs import proof_file, proof_of
from tournaments.models import Tournament
from tournaments.results.services.matches import correct_result

pytestmark = pytest.mark.django_db


def wrong(tournament: Tournament, after: int | None = None) -> list[Finding]:
    """What a stranger finds wrong who has nothing but the file."""
    bundle = bundle_from_bytes(proof_file(tournament, after))
    return [finding for finding in verify(bundle) if not finding.holds]


def correct(tournament: Tournament, round_: int, table: int) -> None:
    """Turn a result round."""
    score = Score(1, 3, 180, 310)
    correct_result(SYSTEM, the_match(tournament, round_, table), score, reason="turned round")


def test_the_club_night_is_proved() -> None:
    tournament = the_liguilla()
    play_the_club_night(tournament)
    bundle = proof_of(tournament)
    assert all_hold(verify(bundle))
    assert len(bundle.proof.records) == 28
    assert not bundle.proof.drawings  # nothing was different when its rounds were drawn


def test_every_round_of_a_swiss_is_drawn_again_from_what_was_known_then() -> None:
    tournament = a_swiss(9, rounds=4)
    for number in range(1, 5):
        play_round(tournament, number)
        if number < 4:
            draw_next(SYSTEM, tournament, after=number)
    assert wrong(tournament) == []
    assert wrong(tournament, 2) == []
    assert proof_of(tournament, 2).rows.stages[0].rounds[-1].number == 2


def test_a_result_corrected_after_the_next_round_was_paired_keeps_the_proof() -> None:
    tournament = a_swiss(8, rounds=4)
    for number in (1, 2):
        play_round(tournament, number)
        draw_next(SYSTEM, tournament, after=number)
    publish_round(SYSTEM, the_round(tournament, 3))
    correct(tournament, 1, 1)
    correct(tournament, 2, 2)
    bundle = proof_of(tournament)
    assert {drawing.round for drawing in bundle.proof.drawings} == {2, 3}
    assert all_hold(verify(bundle))


def test_a_swiss_with_a_late_pair_and_a_withdrawal_is_proved() -> None:
    tournament = a_day(7, late=3, rounds=5)
    publish_round(SYSTEM, the_round(tournament, 1))
    enter_late(SYSTEM, tournament, late_pair(tournament))  # sits down opposite the bye
    play_out(the_round(tournament, 1))
    draw_next(SYSTEM, tournament, after=1)
    play_round(tournament, 2)
    enter_late(SYSTEM, tournament, late_pair(tournament))  # plays from the third round on
    draw_next(SYSTEM, tournament, after=2)
    publish_round(SYSTEM, the_round(tournament, 3))
    withdraw(SYSTEM, entry(tournament, 2), reason="ill")
    play_out(the_round(tournament, 3))
    draw_next(SYSTEM, tournament, after=3)
    play_round(tournament, 4)
    assert wrong(tournament) == []
    first = next(d for d in proof_of(tournament).proof.drawings if d.round == 1)
    assert first.was.later == (8, 9)
    assert first.edited is not None
    assert "entry.late" in first.edited.reason


def test_a_table_that_an_entry_keeps_is_in_the_facts_of_each_draw() -> None:
    tournament = a_swiss(9, rounds=4)
    play_round(tournament, 1)
    describe_entry(SYSTEM, entry(tournament, 3), fixed_table=4)
    draw_next(SYSTEM, tournament, after=1)
    play_round(tournament, 2)
    assert wrong(tournament) == []
    proved_round = proof_of(tournament).rows.stages[0].rounds[1]
    assert [t.number for t in proved_round.tables if 3 in t.entrants and not t.is_bye] in ([4], [])
    draw_next(SYSTEM, tournament, after=2)
    describe_entry(SYSTEM, entry(tournament, 3), fixed_table=0)
    play_round(tournament, 3)
    assert wrong(tournament) == []


def test_a_round_arranged_by_hand_says_who_did_what() -> None:
    tournament = a_swiss(8, rounds=3)
    play_round(tournament, 1)
    draw_next(SYSTEM, tournament, after=1)
    olga = organiser(tournament.club)
    first_entry, other = the_match(tournament, 2, 1).home, the_match(tournament, 2, 2).home
    swap(olga, the_round(tournament, 2), first_entry, other)
    pin(olga, the_match(tournament, 2, 3))  # pinned after the draw: it was not pinned then
    play_round(tournament, 2)
    (drawing,) = [d for d in proof_of(tournament).proof.drawings if d.edited]
    assert drawing.edited is not None
    assert (drawing.round, drawing.edited.by) == (2, "olga")
    assert drawing.edited.reason == f"draft.swapped: {first_entry.name}, {other.name}"
    assert wrong(tournament) == []


def test_a_rematch_made_by_hand_is_reported_as_done_knowingly() -> None:
    tournament = a_swiss(8, rounds=3)
    play_round(tournament, 1)
    match = the_match(tournament, 1, 1)
    draw_next(SYSTEM, tournament, after=1)
    assert match.away is not None
    sits = next(
        m for m in the_round(tournament, 2).matches.with_names() if match.home in {m.home, m.away}
    )
    against = sits.away if sits.home == match.home else sits.home
    assert against is not None
    swap(SYSTEM, the_round(tournament, 2), match.away, against)
    publish_round(SYSTEM, the_round(tournament, 2))
    bundle = proof_of(tournament)
    (drawing,) = [d for d in bundle.proof.drawings if d.edited]
    assert drawing.edited is not None
    assert drawing.edited.accepts == ("rematch",)
    assert all_hold(verify(bundle))


def play_by_number(tournament: Tournament, number: int) -> None:
    """Play a round in which the lower number always wins."""
    round_ = publish_round(SYSTEM, the_round(tournament, number))
    for match in round_.matches.with_names().filter(away__isnull=False):
        assert match.away is not None
        home_wins = match.home.number < match.away.number
        score = Score(3, 1, 320, 200) if home_wins else Score(1, 3, 200, 320)
        correct_result(SYSTEM, match, score, reason="as the table wrote it down")
    close_round(SYSTEM, round_)


def groups_and_final(played: int = 4) -> Tournament:
    """Two groups of four, then a knock-out of the best two of each, whose first round is played."""
    stages = [
        {"format": "groups", "rules": {"groups": 2}},
        {"format": "knockout", "rules": {"take": 2}},
    ]
    tournament = create_tournament(
        SYSTEM, a_club(), "Copa", NewTournament(GameSettings(options={"to": 3}), stages=stages)
    )
    kinds = house_bots()
    enter_newcomers(SYSTEM, tournament, [kinds[n % 2] for n in range(8)])
    draw(SYSTEM, tournament)
    for number in (1, 2, 3):
        play_by_number(tournament, number)
    draw_next(SYSTEM, tournament, after=3)
    if played == 4:
        play_by_number(tournament, 4)
    return tournament


def test_groups_and_their_final_are_proved() -> None:
    tournament = groups_and_final()
    report = verify(proof_of(tournament))
    assert all_hold(report)
    assert "qualified" in {finding.code for finding in report}


def test_who_went_on_is_proved_from_the_results_and_penalties_of_that_moment() -> None:
    tournament = groups_and_final()
    began = tournament.stages.get(number=2).entrants
    for table in (1, 2, 3, 4):
        correct(tournament, 3, table)
    penalise(SYSTEM, entry(tournament, 1), round_number=3, match_points=4, reason="shouting")
    assert list(begin_stage(rows_of(tournament), 2)) != began
    assert wrong(tournament) == []
    draw_next(SYSTEM, tournament, after=4)
    play_by_number(tournament, 5)
    assert wrong(tournament) == []


def test_a_final_begins_again_when_others_qualify_before_it_has_a_round() -> None:
    tournament = groups_and_final(played=3)
    before = tournament.stages.get(number=2)
    discard_round(SYSTEM, the_round(tournament, 4))
    for table in (1, 2, 3, 4):
        correct(tournament, 3, table)
    penalise(SYSTEM, entry(tournament, 1), round_number=3, match_points=4, reason="shouting")
    draw_next(SYSTEM, tournament, after=3)
    final = tournament.stages.get(number=2)
    assert set(final.entrants) != set(before.entrants)
    assert [draw_row["number"] for draw_row in final.draws] == [1, 2]
    play_by_number(tournament, 4)
    assert wrong(tournament) == []


def test_a_final_whose_draft_was_deleted_keeps_its_draw_while_the_same_qualify() -> None:
    tournament = groups_and_final(played=3)
    before = tournament.stages.get(number=2)
    discard_round(SYSTEM, the_round(tournament, 4))
    draw_next(SYSTEM, tournament, after=3)
    final = tournament.stages.get(number=2)
    assert (final.entrants, final.draws) == (before.entrants, before.draws)


def by_lot() -> Tournament:
    """A knock-out of eight whose order will be drawn by lot."""
    tournament = a_day(8, format="knockout", drawn=False)
    set_seeding(SYSTEM, tournament.stages.get(), "lot")
    return tournament


def of_one_club(tournament: Tournament, number: int) -> None:
    """Give those who meet at the first table of a draft one club: another order would part them."""
    match = the_match(tournament, number, 1)
    assert match.away is not None
    for opponent in (match.home, match.away):
        describe_entry(SYSTEM, entry(tournament, opponent.number), origin="Casino")


def test_a_club_named_after_the_draw_does_not_make_its_proof_fail() -> None:
    tournament = by_lot()
    draw(SYSTEM, tournament)
    of_one_club(tournament, 1)
    rows = rows_of(tournament)
    assert list(begin_stage(rows, 1)) != list(rows.stages[0].entrants)
    play_round(tournament, 1)
    assert wrong(tournament) == []
    document = json.loads(proof_file(tournament))
    document["stages"][0]["entrants"].reverse()
    report = verify(bundle_from_bytes(json.dumps(document)))
    assert "not_seeded" in {finding.code for finding in report if not finding.holds}


def test_a_club_known_at_the_draw_is_in_its_proof() -> None:
    tournament = by_lot()
    for number in range(1, 5):
        describe_entry(SYSTEM, entry(tournament, number), origin="Casino")
    draw(SYSTEM, tournament)
    for number in range(1, 5):
        describe_entry(SYSTEM, entry(tournament, number), origin="")
    play_round(tournament, 1)
    assert wrong(tournament) == []
    (draw_row,) = json.loads(proof_file(tournament))["proof"]["draws"]
    assert draw_row["entrants"] == [{"number": n, "club": "Casino"} for n in range(1, 5)]


def test_one_who_leaves_after_the_draw_of_the_final_does_not_make_its_proof_fail() -> None:
    tournament = groups_and_final(played=3)
    withdraw(SYSTEM, the_match(tournament, 4, 1).home, reason="ill")
    play_by_number(tournament, 4)
    assert wrong(tournament) == []


def test_what_is_not_published_is_not_in_the_file() -> None:
    tournament = groups_and_final()
    draw_next(SYSTEM, tournament, after=4)
    rows = proof_of(tournament).rows
    assert [r.number for r in rows.stages[1].rounds] == [4]
    before = proof_of(tournament, 3).rows
    assert before.stages[1].entrants == ()
    assert before.stages[1].seed == ""


# --- every change is found ---------------------------------------------------------------------


def turned_result(document: dict[str, Any]) -> None:
    table = document["stages"][0]["rounds"][0]["tables"][1]
    table["hands"].reverse()


def other_pairing(document: dict[str, Any]) -> None:
    first_table, other = document["stages"][0]["rounds"][1]["tables"][:2]
    first_table["sides"][0], other["sides"][0] = other["sides"][0], first_table["sides"][0]


def other_place(document: dict[str, Any]) -> None:
    lines = document["proof"]["standings"][0]["lines"]
    lines[0]["entrant"], lines[1]["entrant"] = lines[1]["entrant"], lines[0]["entrant"]


TAMPERINGS: list[tuple[Callable[[dict[str, Any]], None], str, tuple[int, int]]] = [
    (turned_result, "table_differs", (2, 1)),
    (other_pairing, "table_differs", (2, 1)),
    (other_place, "standing_differs", (3, 0)),
]


@pytest.fixture
def proved() -> dict[str, Any]:
    tournament = a_swiss(8, rounds=3)
    for number in (1, 2, 3):
        play_round(tournament, number)
        if number < 3:
            draw_next(SYSTEM, tournament, after=number)
    document: dict[str, Any] = json.loads(proof_file(tournament))
    return document


@pytest.mark.parametrize(("tamper", "code", "place"), TAMPERINGS)
def test_what_was_tampered_with_is_named_with_its_round_and_table(
    proved: dict[str, Any],
    tamper: Callable[[dict[str, Any]], None],
    code: str,
    place: tuple[int, int],
) -> None:
    tamper(proved)
    faults = [f for f in verify(bundle_from_bytes(json.dumps(proved))) if not f.holds]
    assert (code, place) in {(f.code, (f.round, f.table)) for f in faults}
    if tamper is not other_place:
        assert "contents_changed" in {f.code for f in faults}


def test_the_command_says_that_the_file_holds(
    tmp_path: Any, capsys: pytest.CaptureFixture[str]
) -> None:
    tournament = the_liguilla(published=1)
    submitted(tournament, 0)
    file = tmp_path / "proof.json"
    file.write_bytes(proof_file(tournament))
    assert main(["verify-tournament", str(file)]) == 0
    changed = json.loads(file.read_text())
    other = changed["stages"][0]["rounds"][0]["tables"]
    other[0]["sides"], other[1]["sides"] = other[1]["sides"], other[0]["sides"]
    file.write_text(json.dumps(changed))
    capsys.readouterr()
    assert main(["verify-tournament", str(file)]) == 1
    assert "1" in capsys.readouterr().out


def test_a_file_that_was_read_is_written_byte_for_byte_the_same() -> None:
    tournament = the_liguilla(published=2)
    play = proof_file(tournament)
    assert bundle_to_bytes(bundle_from_bytes(play)) == play
