"""A tournament read as the rows that pairing and standings work on."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from datetime import datetime
from fractions import Fraction
from functools import lru_cache
from typing import Any, Final

from django.db.models import Q, TextField
from django.db.models.functions import Cast

from tournaments.domain.rows import (
    Bye,
    Entrant,
    Mark,
    Penalty,
    Round,
    Stage,
    State,
    Table,
    TournamentRows,
)
from tournaments.models import Absence, ByeRequest, Entry, Match, Result, Tournament
from tournaments.models import Penalty as PenaltyRow
from tournaments.models import Round as RoundRow
from tournaments.models.matches import PLACES, SIDES

MATCH = ("pk", "round_id", "table", "bye", "pinned", *(f"{place}_id" for place in PLACES))
RESULT = (
    "match_id",
    "home_hands",
    "away_hands",
    "third_hands",
    "home_points",
    "away_points",
    "third_points",
    "decided",
)
ENTRY = (
    *("tournament_id", "number", "name", "seats", "rating", "origin", "apart", "joined_round"),
    *("player__name", "pair__first__name", "pair__second__name", "bot__slug"),
)
"""What is read of each row; lists are read as text, since nearly all of them are empty."""


EMPTY: Final = "[]"

TOLD: Final = (*RESULT[1:], "absent")
"""What of a result a table is made of."""

REMEMBERED: Final = 10_000
"""Tables that a process need not make again."""


def entries_of(tournament: Tournament) -> tuple[Entry, ...]:
    """Return a tournament's entries, of each what its rows are made of; one query."""
    return tuple(tournament.entries.with_players().only(*ENTRY).order_by("number"))


def rows_of(
    tournament: Tournament,
    *,
    at_version: int | None = None,
    entries: tuple[Entry, ...] | None = None,
) -> TournamentRows:
    """Return a tournament as rows: what counts now, or what counted in an earlier version.

    Drafts of rounds are in it, marked as such. Eight queries, whatever the size, one less where the
    ``entries`` have been read (`entries_of`).
    """
    if entries is None:
        entries = entries_of(tournament)
    numbers: dict[int | None, int] = {entry.pk: entry.number for entry in entries}
    found = Match.objects.filter(round__stage__tournament=tournament)
    found = found.order_by("round_id", "table").annotate(dealt=Cast("boards", TextField()))
    matches = list(found.values(*MATCH, "dealt"))
    counting = Result.objects.filter(match__round__stage__tournament=tournament)
    counting = counting.counting() if at_version is None else counting.counted_at(at_version)
    absent = counting.annotate(absent=Cast("forfeits", TextField()))
    has_boards = any(row["dealt"] != EMPTY for row in matches)
    told = absent.values(*RESULT, "absent", *(["hand_scores"] if has_boards else []))
    results = {row["match_id"]: row for row in told}
    tables: dict[int, list[Table]] = {}
    for row in matches:
        table = _table(row, results.get(row["pk"]), numbers)
        tables.setdefault(row["round_id"], []).append(table)
    rounds: dict[int, list[Round]] = {}
    for round_ in RoundRow.objects.filter(stage__tournament=tournament).order_by("number"):
        drawn = Round(round_.number, tuple(tables.get(round_.pk, ())), State(round_.state))
        rounds.setdefault(round_.stage_id, []).append(drawn)
    return TournamentRows(
        name=tournament.name,
        ruleset=tournament.ruleset,
        options=options_of(tournament),
        entrants=_entrants(tournament, entries),
        stages=tuple(
            Stage(
                number=stage.number,
                format=stage.format,
                rules=stage.rules,
                entrants=tuple(stage.entrants),
                rounds=tuple(rounds.get(stage.pk, ())),
                seed=stage.seed,
                lots={int(number): lot for number, lot in stage.lots.items()},
                name=stage.name,
                drawn=stage.drawn,
            )
            for stage in tournament.stages.order_by("number")
        ),
        penalties=_penalties(tournament),
    )


def options_of(tournament: Tournament) -> dict[str, Any]:
    """Return the house rules and the length of a match, with its deal sets where bots play them."""
    of_sets = {"deal_sets": tournament.deal_sets, "stop": tournament.stop}
    return {**tournament.options, **{name: said for name, said in of_sets.items() if said}}


def _table(
    row: Mapping[str, Any], result: Mapping[str, Any] | None, numbers: Mapping[int | None, int]
) -> Table:
    seated = tuple(numbers.get(row[f"{place}_id"]) for place in PLACES)
    told = None if result is None else tuple(result[name] for name in TOLD)
    scores: tuple[tuple[tuple[str, int], ...], ...] = ()
    if result is not None and row["dealt"] != EMPTY:
        scores = tuple(tuple(hand.items()) for hand in result["hand_scores"])
    return _made(row["table"], seated, row["bye"], row["dealt"], row["pinned"], told, scores)


@lru_cache(maxsize=REMEMBERED)
def _made(
    number: int,
    seated: tuple[int | None, ...],
    bye: str,
    dealt: str,
    pinned: bool,
    told: tuple[Any, ...] | None,
    scores: tuple[tuple[tuple[str, int], ...], ...],
) -> Table:
    """Return a table; from one version to the next nearly all are made of the same values."""
    home, home_partner, away, away_partner, third = seated
    pairs = ((home, home_partner), (away, away_partner), (third, None))
    sides = tuple(
        tuple(number for number in side if number is not None)
        for side in pairs
        if side[0] is not None
    )
    rest, boards = Bye(bye) if bye else None, _listed(dealt)
    if told is None:
        return Table(number, sides, rest, boards=boards, pinned=pinned)
    seats, said = SIDES[: len(sides)], dict(zip(TOLD, told, strict=True))
    hands = [dict(hand) for hand in scores]
    return Table(
        number,
        sides,
        rest,
        marks=tuple(Mark(said[f"{s}_hands"] or 0, said[f"{s}_points"] or 0) for s in seats),
        forfeits=tuple(SIDES.index(side) for side in _listed(said["absent"])),
        decided=SIDES.index(said["decided"]) if said["decided"] else None,
        boards=boards,
        board_points=tuple(tuple(hand[side] for side in seats) for hand in hands),
        pinned=pinned,
    )


def _listed(text: str) -> tuple[Any, ...]:
    return () if text == EMPTY else tuple(json.loads(text))


def _entrants(tournament: Tournament, entries: Iterable[Entry]) -> tuple[Entrant, ...]:
    absences: dict[int, list[tuple[int, int | None]]] = {}
    of_this = Q(entry__tournament=tournament)
    for entry, start, end in Absence.objects.filter(of_this).values_list(
        "entry", "from_round", "until_round"
    ):
        absences.setdefault(entry, []).append((start, end))
    byes: dict[int, list[tuple[int, Bye]]] = {}
    for entry, round_, kind in ByeRequest.objects.filter(of_this).values_list(
        "entry", "round_number", "kind"
    ):
        byes.setdefault(entry, []).append((round_, Bye(kind)))
    return tuple(
        Entrant(
            number=entry.number,
            name=entry.name,
            players=entry.seat_names,
            rating=entry.rating,
            club=entry.origin,
            apart=tuple(entry.apart),
            joined=entry.joined_round,
            absences=tuple(sorted(absences.get(entry.pk, ()), key=lambda span: span[0])),
            byes=tuple(sorted(byes.get(entry.pk, ()))),
        )
        for entry in entries
    )


def _penalties(tournament: Tournament) -> tuple[Penalty, ...]:
    rows = PenaltyRow.objects.filter(entry__tournament=tournament, revoked_at__isnull=True)
    rows = rows.select_related("entry").order_by("round_number", "pk")
    return tuple(_penalty(row) for row in rows)


def penalties_at(rows: Iterable[PenaltyRow], moment: datetime) -> tuple[Penalty, ...]:
    """Return the penalties, fetched with their entries, that stood at a moment."""
    stood = (
        row
        for row in rows
        if row.made_at <= moment and (row.revoked_at is None or row.revoked_at > moment)
    )
    return tuple(_penalty(row) for row in sorted(stood, key=lambda row: (row.round_number, row.pk)))


def _penalty(row: PenaltyRow) -> Penalty:
    return Penalty(
        entrant=row.entry.number,
        round=row.round_number,
        match_points=Fraction(str(row.match_points)),
        hands=row.hands,
        points=row.points,
        reason=row.reason,
    )
