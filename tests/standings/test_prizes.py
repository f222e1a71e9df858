"""Prizes by the services: the list, who gets what, what was handed out and what changed since."""

from typing import Any

import pytest

from tests.clubs import (
    SYSTEM,
    a_club,
    arbiter,
    organiser,
    stranger,
    the_round,
)
from tests.signup.test_signing_up import surnames
from tests.support.refusals import refusal
from tournaments.core.errors import Reason
from tournaments.director.services.absences import expel
from tournaments.director.services.draws import draw
from tournaments.director.services.entries import enter_list
from tournaments.director.services.settings import GameSettings, NewTournament
from tournaments.director.services.tournaments import (
    create_tournament,
    finish,
    publish_round,
)
from tournaments.domain.roster import ListedEntrant, Reading
from tournaments.domain.scores import Score
from tournaments.models import AuditEvent, CashEntry, PrizeLine, Tournament
from tournaments.results.services.matches import correct_result
from tournaments.signup.queries.cash import takings_of
from tournaments.signup.queries.money import owed_by_entry
from tournaments.signup.services.money import request_of_entry
from tournaments.signup.services.requests import set_sign_up
from tournaments.standings.queries.prizes import (
    CeremonyRow,
    ceremony_rows,
    prize_list,
    season_prizes,
)
from tournaments.standings.queries.seasons import season_page
from tournaments.standings.services.prizes import (
    NewPrize,
    hand_out,
    set_prizes,
    set_season_prizes,
    take_back,
)
from tournaments.standings.services.seasons import add_tournament, close_season, create_season

pytestmark = pytest.mark.django_db

THREE = [NewPrize(n, n, cents=cents) for n, cents in enumerate((60000, 30000, 10000), 1)]


def level(pairs: int) -> Tournament:
    """A Swiss whose first round is published and not played: all share the first place."""
    new = NewTournament(
        GameSettings(options={"to": 3}), stages=[{"format": "swiss", "rules": {"rounds": 3}}]
    )
    tournament = create_tournament(SYSTEM, a_club(), "Torneo de feria", new)
    names = [ListedEntrant((f"Ana {name}", f"Luis {name}")) for name in map(surnames, range(pairs))]
    enter_list(SYSTEM, tournament, names, Reading(is_new_in_doubt=True))
    draw(SYSTEM, tournament)
    publish_round(SYSTEM, the_round(tournament, 1))
    tournament.refresh_from_db()
    return tournament


def money(tournament: Tournament) -> dict[int, int]:
    return {one.number: one.cents for one in prize_list(tournament).recipients}


def called(tournament: Tournament) -> tuple[CeremonyRow, ...]:
    return ceremony_rows(tournament, prize_list(tournament))


def row_of_place(tournament: Tournament, place: int) -> CeremonyRow:
    return next(row for row in called(tournament) if row.recipient.place == place)


def give(tournament: Tournament, place: int, **more: Any) -> tuple[CashEntry, ...]:
    row = row_of_place(tournament, place)
    entry = tournament.entries.get(number=row.recipient.number)
    return hand_out(SYSTEM, entry, cents=max(0, row.cents_left), **more)


# --- The list -------------------------------------------------------------------------------------


@pytest.mark.parametrize("sharers", [3, 5, 7, 8])
def test_money_of_a_place_that_all_share_sums_to_the_cent(sharers: int) -> None:
    tournament = level(sharers)
    lines = [NewPrize(n, n, cents=cents) for n, cents in enumerate((60001, 30000, 10001), 1)]
    set_prizes(SYSTEM, tournament, lines)
    shares = list(money(tournament).values())
    assert (len(shares), sum(shares)) == (sharers, 100002)
    assert max(shares) - min(shares) <= 1
    assert all(one.shared == sharers for one in prize_list(tournament).recipients)


def test_shares_of_what_was_taken_of_31_entries_leave_five_per_cent() -> None:
    tournament = level(31)
    for entry in tournament.entries.with_players():
        CashEntry.objects.create(
            tournament=tournament,
            request=request_of_entry(SYSTEM, entry),
            kind="paid",
            cents=1200,
            made_by="mesa",
        )
    CashEntry.objects.create(tournament=tournament, kind="waived", cents=1200, made_by="mesa")
    assert takings_of(tournament) == 37200
    set_prizes(
        SYSTEM, tournament, [NewPrize(n, n, percent=p) for n, p in enumerate((45, 35, 15), 1)]
    )
    assert [line.amount for line in prize_list(tournament).lines] == [16740, 13020, 5580]
    assert sum(money(tournament).values()) == 37200 - 1860
    CashEntry.objects.create(tournament=tournament, kind="refund", cents=-1200, made_by="mesa")
    assert prize_list(tournament).lines[0].amount == 16200


@pytest.mark.parametrize(
    ("entries", "scale_up", "amounts"),
    [
        (31, True, [46500, 23000, 7500]),
        (52, False, [60000, 30000, 10000]),
        (52, True, [78000, 39000, 13000]),
    ],
)
def test_amounts_meant_for_forty_entries(
    entries: int, amounts: list[int], *, scale_up: bool
) -> None:
    tournament = level(entries)
    tournament = set_prizes(SYSTEM, tournament, THREE, meant_for=40, scale_up=scale_up, unit=500)
    assert [line.amount for line in prize_list(tournament).lines] == amounts
    assert sum(money(tournament).values()) == sum(amounts)


def test_a_list_is_set_as_a_whole_and_equal_lines_stay() -> None:
    tournament = level(4)
    set_prizes(SYSTEM, tournament, THREE)
    assert [line.cents for line in tournament.prize_lines.all()] == [60000, 30000, 10000]
    before = set(tournament.prize_lines.values_list("pk", flat=True))
    set_prizes(SYSTEM, tournament, [*reversed(THREE), NewPrize(0, 0, text="  Una  botella ")])
    assert [line.cents for line in tournament.prize_lines.all()] == [10000, 30000, 60000, None]
    assert before < set(tournament.prize_lines.values_list("pk", flat=True))
    assert tournament.prize_lines.get(first=0).text == "Una botella"
    assert all("botella" not in one.goods for one in prize_list(tournament).recipients)
    assert [line.text for line in prize_list(tournament).for_all] == ["Una botella"]
    event = AuditEvent.objects.filter(verb="prizes.set").last()
    assert event is not None
    assert event.facts["lines"][0]["cents"] == 10000
    set_prizes(SYSTEM, tournament, [*reversed(THREE), NewPrize(0, 0, text="Una botella")])
    assert AuditEvent.objects.filter(verb="prizes.set").last() == event


@pytest.mark.parametrize(
    "lines",
    [
        [NewPrize(2, 1, cents=100)],
        [NewPrize(0, 3, text="Vino")],
        [NewPrize(1, 1)],
        [NewPrize(1, 1, cents=100, percent=10)],
        [NewPrize(1, 1, percent=101)],
        [NewPrize(1, 2, percent=40), NewPrize(3, 3, percent=21)],
        [NewPrize(1, 1, percent=51, per="person")],
        [NewPrize(1, 1, cents=100, stage=7)],
        [NewPrize(0, 0, cents=100)],
        [NewPrize(1, 1, cents=-1)],
        [NewPrize(1, 1, text="x" * 201)],
        [NewPrize(1, 1, text="Copa", per="table")],
        [NewPrize(1, 1, text="Copa")] * 61,
    ],
)
def test_lists_that_cannot_be_used_are_refused(lines: list[NewPrize]) -> None:
    tournament = level(2)
    with refusal(Reason.BAD_PRIZE):
        set_prizes(SYSTEM, tournament, lines)
    assert not PrizeLine.objects.exists()


def test_who_may_do_what() -> None:
    tournament = level(2)
    set_prizes(organiser(tournament.club), tournament, THREE)
    for actor in (arbiter(tournament.club), stranger()):
        with refusal(Reason.FORBIDDEN):
            set_prizes(actor, tournament, [])
    with refusal(Reason.FORBIDDEN):
        hand_out(stranger(), tournament.entries.get(number=1), cents=45000)
    rows = hand_out(arbiter(tournament.club), tournament.entries.get(number=1), cents=45000)
    with refusal(Reason.FORBIDDEN):
        take_back(stranger(), rows[0])


def test_goods_of_a_shared_place_go_by_lot_and_those_for_each_person_are_counted() -> None:
    tournament = level(3)
    lines = [NewPrize(1, 1, text="Jamón", per="person"), NewPrize(2, 2, text="Queso")]
    set_prizes(SYSTEM, tournament, lines)
    prizes = prize_list(tournament)
    assert sorted(one.goods for one in prizes.recipients) == [("2 × Jamón",), ("Queso",)]
    assert prizes.by_lot
    assert prize_list(tournament).recipients == prizes.recipients


def test_a_stage_has_prizes_of_its_own_and_before_the_draw_nobody_gets_any() -> None:
    tournament = level(4)
    set_prizes(SYSTEM, tournament, [NewPrize(1, 1, cents=40000), NewPrize(1, 1, 1, text="Vino")])
    found = prize_list(tournament).recipients
    assert [(one.stage, one.cents) for one in found] == [(None, 10000)] * 4 + [(1, 0)]
    new = NewTournament(GameSettings(options={"to": 3}))
    draft = create_tournament(SYSTEM, tournament.club, "Otro", new)
    set_prizes(SYSTEM, draft, THREE)
    assert prize_list(draft).recipients == ()
    assert [line.amount for line in prize_list(draft).lines] == [None] * 3


# --- The ceremony ---------------------------------------------------------------------------------


def test_the_last_is_called_first_and_what_was_handed_out_is_noted(night: Tournament) -> None:
    set_prizes(SYSTEM, night, [*THREE, NewPrize(1, 1, text="Copa")])
    assert [row.recipient.place for row in called(night)] == [3, 2, 1]
    rows = give(night, 1, payee="Ana, por los dos")
    assert [(row.cents, row.payee) for row in rows] == [
        (-60000, "Ana, por los dos"),
        (0, "Ana, por los dos"),
    ]
    row = row_of_place(night, 1)
    assert (row.cents_left, row.goods_left, row.is_open, row.is_changed) == (0, (), False, False)
    with refusal(Reason.PRIZE_CHANGED):
        give(night, 1)
    assert CashEntry.objects.count() == 2
    event = AuditEvent.objects.get(verb="prize.handed_out")
    assert event.facts == {"ticket": 1, "place": 1}
    assert takings_of(night) == 0


def test_a_prize_that_is_handed_out_leaves_the_fee_that_its_entry_owes(night: Tournament) -> None:
    set_sign_up(SYSTEM, night, {"fee_cents": 2000})
    set_prizes(SYSTEM, night, THREE)
    owed = owed_by_entry(night)
    assert set(owed.values()) == {2000}
    give(night, 1)
    assert owed_by_entry(night) == owed


def test_a_note_is_taken_back_by_a_second_row_once(night: Tournament) -> None:
    set_prizes(SYSTEM, night, THREE)
    (note,) = give(night, 2)
    reversal = take_back(SYSTEM, note)
    assert (reversal.cents, reversal.reverses, reversal.kind) == (30000, note, "prize")
    assert row_of_place(night, 2).cents_left == 30000
    with refusal(Reason.ALREADY_TAKEN_BACK):
        take_back(SYSTEM, note)
    with refusal(Reason.NOT_FOUND):
        take_back(SYSTEM, reversal)
    give(night, 2)
    assert sum(CashEntry.objects.values_list("cents", flat=True)) == -30000


def test_a_prize_that_was_handed_out_stays_on_the_list(night: Tournament) -> None:
    set_prizes(SYSTEM, night, THREE)
    (note,) = give(night, 1)
    with refusal(Reason.PRIZE_HANDED_OUT):
        set_prizes(SYSTEM, night, THREE[1:])
    take_back(SYSTEM, note)
    with refusal(Reason.PRIZE_HANDED_OUT):
        set_prizes(SYSTEM, night, [NewPrize(1, 1, cents=50000)])
    set_prizes(SYSTEM, night, [*THREE, NewPrize(4, 4, text="Vino")])
    assert night.prize_lines.count() == 4


def test_a_correction_after_handing_out_shows_the_difference_and_changes_nothing(
    night: Tournament,
) -> None:
    set_prizes(SYSTEM, night, [*THREE, NewPrize(1, 1, text="Copa")])
    first, second = (row_of_place(night, place).recipient for place in (1, 2))
    for place in (3, 2, 1):
        give(night, place)
    finish(SYSTEM, night)
    cash = list(CashEntry.objects.order_by("pk").values())
    for match in the_matches_of(night, first.number):
        is_home = match.home_id == night.entries.get(number=first.number).pk
        correct_result(
            SYSTEM,
            match,
            Score(0, 3, 60, 180) if is_home else Score(3, 0, 180, 60),
            reason="Al revés",
        )
    night.refresh_from_db()
    assert list(CashEntry.objects.order_by("pk").values()) == cash
    winner = row_of_place(night, 1)
    assert winner.recipient.number == second.number
    assert (winner.cents_left, winner.is_changed) == (30000, True)
    assert [text for _, text in winner.goods_left] == ["Copa"]
    (loser,) = (row for row in called(night) if row.recipient.number == first.number)
    assert (loser.cents_over, loser.goods_over) == (60000, ("Copa",))
    assert (loser.recipient.place, loser.is_open) == (0, False)
    give(night, 1)
    for note in loser.given:
        take_back(SYSTEM, CashEntry.objects.get(pk=note.pk))
    assert first.number not in {row.recipient.number for row in called(night)}
    assert not row_of_place(night, 1).is_changed


def the_matches_of(tournament: Tournament, number: int) -> list[Any]:
    matches = [
        match
        for round_number in range(1, 8)
        for match in the_round(tournament, round_number).matches.all()
    ]
    pk = tournament.entries.get(number=number).pk
    return [match for match in matches if pk in (match.home_id, match.away_id)]


def test_a_finalist_who_is_expelled_gets_nothing_and_the_next_moves_up(night: Tournament) -> None:
    set_prizes(SYSTEM, night, THREE)
    before = [row.recipient.number for row in reversed(called(night))]
    winner = night.entries.get(number=before[0])
    expel(SYSTEM, winner, "Cartas marcadas")
    night.refresh_from_db()
    after = [row.recipient.number for row in reversed(called(night))]
    assert after[:2] == before[1:]
    assert before[0] not in after
    assert [one.cents for one in prize_list(night).recipients] == [60000, 30000, 10000]
    with refusal(Reason.PRIZE_CHANGED):
        hand_out(SYSTEM, winner, cents=60000)


def test_a_note_outlives_the_name_of_its_entry(night: Tournament) -> None:
    set_prizes(SYSTEM, night, THREE)
    give(night, 1)
    CashEntry.objects.update(payee="", note="")
    assert not row_of_place(night, 1).is_open


# --- Seasons --------------------------------------------------------------------------------------


def test_a_season_gives_money_and_goods_by_its_table(night: Tournament) -> None:
    finish(SYSTEM, night)
    season = create_season(SYSTEM, night.club, name="Temporada")
    add_tournament(SYSTEM, season, night)
    for line in (
        NewPrize(1, 1, percent=5),
        NewPrize(1, 1, stage=1),
        NewPrize(0, 0, raffled=True, text="Vino"),
    ):
        with refusal(Reason.BAD_PRIZE):
            set_season_prizes(SYSTEM, season, [line])
    with refusal(Reason.FORBIDDEN):
        set_season_prizes(arbiter(night.club), season, [])
    lines = [
        NewPrize(1, 1, cents=30_000, text="Trofeo"),
        NewPrize(2, 3, text="Placa"),
        NewPrize(0, 0, text="Cena"),
    ]
    set_season_prizes(SYSTEM, season, lines)
    table = season_page(night.club.slug, season.slug, SYSTEM).lines
    prizes = season_prizes(season, table)
    first = prizes.recipients[0]
    assert (first.name, first.cents, first.goods) == (table[0].name, 30_000, ("Trofeo",))
    assert [line.text for line in prizes.for_all] == ["Cena"]
    close_season(SYSTEM, season)
    with refusal(Reason.SEASON_CLOSED):
        set_season_prizes(SYSTEM, season, [])
