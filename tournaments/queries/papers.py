"""A tournament read as the rows that pairing and standings work on."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from datetime import datetime
from fractions import Fraction
from typing import Any

from django.db.models import Q

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
from tournaments.models.matches import SIDES

PLACES = ("home", "home_partner", "away", "away_partner", "third")
MATCH = (
    "pk",
    "round_id",
    "table",
    "state",
    "bye",
    "boards",
    "pinned",
    *(f"{place}__number" for place in PLACES),
)
RESULT = (
    "match_id",
    "home_hands",
    "away_hands",
    "third_hands",
    "home_points",
    "away_points",
    "third_points",
    "forfeits",
    "decided",
    "hand_scores",
)


def rows_of(tournament: Tournament, *, at_version: int | None = None) -> TournamentRows:
    """Return a tournament as rows: what counts now, or what counted in an earlier version.

    Drafts of rounds are in it, marked as such. Nine queries, whatever the size.
    """
    counting = Result.objects.filter(match__round__stage__tournament=tournament)
    counting = counting.counting() if at_version is None else counting.counted_at(at_version)
    results = {row["match_id"]: row for row in counting.values(*RESULT)}
    tables: dict[int, list[Table]] = {}
    matches = Match.objects.filter(round__stage__tournament=tournament)
    for row in matches.order_by("round_id", "table").values(*MATCH):
        tables.setdefault(row["round_id"], []).append(_table(row, results.get(row["pk"])))
    rounds: dict[int, list[Round]] = {}
    for round_ in RoundRow.objects.filter(stage__tournament=tournament).order_by("number"):
        drawn = Round(round_.number, tuple(tables.get(round_.pk, ())), State(round_.state))
        rounds.setdefault(round_.stage_id, []).append(drawn)
    return TournamentRows(
        name=tournament.name,
        ruleset=tournament.ruleset,
        options=tournament.options,
        entrants=_entrants(tournament),
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
            )
            for stage in tournament.stages.order_by("number")
        ),
        penalties=_penalties(tournament),
    )


def _table(row: Mapping[str, Any], result: Mapping[str, Any] | None) -> Table:
    home, home_partner, away, away_partner, third = (row[f"{place}__number"] for place in PLACES)
    pairs = ((home, home_partner), (away, away_partner), (third, None))
    sides = tuple(
        tuple(number for number in side if number is not None)
        for side in pairs
        if side[0] is not None
    )
    bye = Bye(row["bye"]) if row["bye"] else None
    boards = tuple(row["boards"])
    if result is None:
        return Table(row["table"], sides, bye, boards=boards, pinned=row["pinned"])
    seats = SIDES[: len(sides)]
    return Table(
        row["table"],
        sides,
        bye,
        marks=tuple(Mark(result[f"{s}_hands"] or 0, result[f"{s}_points"] or 0) for s in seats),
        forfeits=tuple(SIDES.index(side) for side in result["forfeits"]),
        decided=SIDES.index(result["decided"]) if result["decided"] else None,
        boards=boards,
        board_points=tuple(
            tuple(hand[side] for side in seats) for hand in result["hand_scores"] if boards
        ),
        pinned=row["pinned"],
    )


def _entrants(tournament: Tournament) -> tuple[Entrant, ...]:
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
    entries: Iterable[Entry] = tournament.entries.with_players().order_by("number")
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
