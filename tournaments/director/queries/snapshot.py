"""A tournament as frozen rows for pairing and standings, cached by its version."""

from __future__ import annotations

import json
import threading
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from datetime import datetime
from fractions import Fraction
from functools import lru_cache
from typing import Any, Final

from django.db import connection
from django.db.models import Exists, OuterRef, Q, QuerySet, TextField
from django.db.models.functions import Cast

from tournaments.director.queries.rows import competitor_ref
from tournaments.domain.next_stages import with_fixed_lines
from tournaments.domain.ranking import tally_of
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
from tournaments.domain.sides import PLACES, PLACES_BY_SIDE, SCORES, SIDES
from tournaments.domain.stages import stage_of
from tournaments.domain.tiebreaks import Tally
from tournaments.models import Absence, ByeRequest, Entry, Match, Result, Tournament
from tournaments.models import Penalty as PenaltyRow
from tournaments.models import Round as RoundRow
from tournaments.models import Stage as StageModel

# --- Rows -----------------------------------------------------------------------------------------
# Reading a tournament as the rows that pairing and standings work on.


MATCH = ("pk", "round_id", "table", "bye", "pinned", *(f"{place}_id" for place in PLACES))
RESULT = (
    "match_id",
    *SCORES,
    "places",
    "decided",
    "cut",
)
ENTRY = (
    "tournament_id",
    "number",
    "name",
    "seats",
    "rating",
    "origin",
    "apart",
    "joined_round",
    "fixed_table",
    "player__name",
    "pair__first__name",
    "pair__second__name",
    "bot__slug",
)
"""Columns read of each model. JSON lists are read as text: nearly all of them are empty."""


EMPTY: Final = "[]"

RESULT_VALUES: Final = (*RESULT[1:], "absent")
"""Columns of a result that its `Table` is built from."""

MAX_CACHED_TABLES: Final = 10_000
"""Tables cached by `_build_table` in a process."""


def is_expelled() -> Exists:
    """Return the condition that an entry is expelled: it has results, but no place and no prize."""
    return Exists(Absence.objects.filter(entry=OuterRef("pk"), kind=Absence.Kind.EXPELLED))


def entries_of(tournament: Tournament) -> tuple[Entry, ...]:
    """Return a tournament's entries with the columns that rows are made from; one query."""
    return tuple(tournament.entries.with_players().only(*ENTRY).order_by("number"))


def rows_of(
    tournament: Tournament,
    *,
    at_version: int | None = None,
    entries: tuple[Entry, ...] | None = None,
) -> TournamentRows:
    """Return a tournament as rows: as it is now, or with the results of an earlier version.

    Drafts of rounds are included, marked as such. Stages without a published round have the lines
    that are fixed by now (`with_fixed_lines`). Eight queries at any size, one less where the
    ``entries`` have been read (`entries_of`).
    """
    counting = Result.objects.filter(match__round__stage__tournament=tournament)
    counting = counting.counting() if at_version is None else counting.counted_at(at_version)
    read = entries_of(tournament) if entries is None else entries
    return _rows_of_all([tournament], counting, read)[tournament.pk]


def rows_of_all(tournaments: Sequence[Tournament]) -> dict[int, TournamentRows]:
    """Return tournaments as rows, as they are now, by key: eight queries for all of them."""
    if not tournaments:
        return {}
    entries = Entry.objects.with_players().filter(tournament__in=tournaments).only(*ENTRY)
    counting = Result.objects.filter(match__round__stage__tournament__in=tournaments).counting()
    return _rows_of_all(tournaments, counting, tuple(entries.order_by("number")))


def _rows_of_all(
    tournaments: Sequence[Tournament], counting: QuerySet[Result], entries: tuple[Entry, ...]
) -> dict[int, TournamentRows]:
    numbers: dict[int | None, int] = {entry.pk: entry.number for entry in entries}
    tables = _tables(tournaments, counting, numbers)
    rounds: dict[int, list[Round]] = defaultdict(list)
    for row in RoundRow.objects.filter(stage__tournament__in=tournaments).order_by("number"):
        tables_of_round = tuple(tables.get(row.pk, ()))
        rounds[row.stage_id].append(Round(row.number, tables_of_round, State(row.state)))
    stages: dict[int, list[Stage]] = defaultdict(list)
    for stage in StageModel.objects.filter(tournament__in=tournaments).order_by("number"):
        stages[stage.tournament_id].append(_stage(stage, tuple(rounds.get(stage.pk, ()))))
    entrants = _entrants(tournaments, entries)
    penalties = _penalties(tournaments)
    rows = (
        TournamentRows(
            name=tournament.name,
            ruleset=tournament.ruleset,
            # House rules, the length of a match, and the deal sets and test of bot matches.
            options={
                **tournament.options,
                **({"deal_sets": tournament.deal_sets} if tournament.deal_sets else {}),
                **({"stop": tournament.stop} if tournament.stop else {}),
            },
            entrants=tuple(entrants.get(tournament.pk, ())),
            stages=tuple(stages.get(tournament.pk, ())),
            penalties=tuple(penalties.get(tournament.pk, ())),
        )
        for tournament in tournaments
    )
    keys = (tournament.pk for tournament in tournaments)
    return dict(zip(keys, map(with_fixed_lines, rows), strict=True))


def _tables(
    tournaments: Sequence[Tournament],
    counting: QuerySet[Result],
    numbers: Mapping[int | None, int],
) -> dict[int, list[Table]]:
    """Return the tables by the keys of their rounds; two queries."""
    queryset = Match.objects.filter(round__stage__tournament__in=tournaments)
    queryset = queryset.order_by("round_id", "table").annotate(dealt=Cast("boards", TextField()))
    matches = list(queryset.values(*MATCH, "dealt"))
    absent = counting.annotate(absent=Cast("forfeits", TextField()))
    has_boards = any(row["dealt"] != EMPTY for row in matches)
    score_values = absent.values(*RESULT, "absent", *(["hand_scores"] if has_boards else []))
    results = {row["match_id"]: row for row in score_values}
    tables: dict[int, list[Table]] = defaultdict(list)
    for row in matches:
        tables[row["round_id"]].append(_table(row, results.get(row["pk"]), numbers))
    return tables


def _stage(stage: StageModel, rounds: tuple[Round, ...]) -> Stage:
    return Stage(
        number=stage.number,
        format=stage.format,
        rules=stage.rules,
        entrants=tuple(stage.entrants),
        rounds=rounds,
        seed=stage.seed,
        lots={int(number): lot for number, lot in stage.lots.items()},
        name=stage.name,
        drawn=stage.drawn,
    )


def _table(
    row: Mapping[str, Any], result: Mapping[str, Any] | None, numbers: Mapping[int | None, int]
) -> Table:
    entrants = tuple(numbers.get(row[f"{place}_id"]) for place in PLACES)
    score_values = None
    if result is not None:
        known = {**result, "places": tuple(result["places"] or ())}
        score_values = tuple(known[name] for name in RESULT_VALUES)
    scores: tuple[tuple[tuple[str, int], ...], ...] = ()
    if result is not None and row["dealt"] != EMPTY:
        scores = tuple(tuple(hand.items()) for hand in result["hand_scores"])
    return _build_table(
        row["table"], entrants, row["bye"], row["dealt"], row["pinned"], score_values, scores
    )


@lru_cache(maxsize=MAX_CACHED_TABLES)
def _build_table(
    number: int,
    entrants: tuple[int | None, ...],
    bye: str,
    dealt: str,
    pinned: bool,
    score_values: tuple[Any, ...] | None,
    scores: tuple[tuple[tuple[str, int], ...], ...],
) -> Table:
    """Build a table; cached, since between versions nearly all tables keep the same values."""
    seated = dict(zip(PLACES, entrants, strict=True))
    places = ((seated[place] for place in side) for side in PLACES_BY_SIDE)
    entries = (tuple(number for number in side if number is not None) for side in places)
    sides = tuple(side for side in entries if side)
    rest, boards = Bye(bye) if bye else None, _parse_list(dealt)
    if score_values is None:
        return Table(number, sides, rest, boards=boards, pinned=pinned)
    seats, values = SIDES[: len(sides)], dict(zip(RESULT_VALUES, score_values, strict=True))
    hands = [dict(hand) for hand in scores]
    return Table(
        number,
        sides,
        rest,
        marks=tuple(Mark(values[f"{s}_hands"] or 0, values[f"{s}_points"] or 0) for s in seats),
        forfeits=tuple(SIDES.index(side) for side in _parse_list(values["absent"])),
        decided=SIDES.index(values["decided"]) if values["decided"] else None,
        boards=boards,
        board_points=tuple(tuple(hand[side] for side in seats) for hand in hands),
        pinned=pinned,
        cut=values["cut"],
        places=values["places"],
    )


def _parse_list(text: str) -> tuple[Any, ...]:
    return () if text == EMPTY else tuple(json.loads(text))


def _entrants(
    tournaments: Sequence[Tournament], entries: Iterable[Entry]
) -> dict[int, list[Entrant]]:
    """Return the entrants by the keys of their tournaments; two queries."""
    absences: dict[int, list[tuple[int, int | None]]] = {}
    of_these = Q(entry__tournament__in=tournaments)
    for entry, start, end in Absence.objects.filter(of_these).values_list(
        "entry", "from_round", "until_round"
    ):
        absences.setdefault(entry, []).append((start, end))
    byes: dict[int, list[tuple[int, Bye]]] = {}
    for entry, round_, kind in ByeRequest.objects.filter(of_these).values_list(
        "entry", "round_number", "kind"
    ):
        byes.setdefault(entry, []).append((round_, Bye(kind)))
    entrants: dict[int, list[Entrant]] = defaultdict(list)
    for row in entries:
        entrants[row.tournament_id].append(
            Entrant(
                number=row.number,
                name=row.name,
                players=row.seat_names,
                rating=row.rating,
                club=row.origin,
                apart=tuple(row.apart),
                joined=row.joined_round,
                absences=tuple(sorted(absences.get(row.pk, ()), key=lambda span: span[0])),
                byes=tuple(sorted(byes.get(row.pk, ()))),
                fixed_table=row.fixed_table,
            )
        )
    return entrants


def _penalties(tournaments: Sequence[Tournament]) -> dict[int, list[Penalty]]:
    """Return the penalties in force by the keys of their tournaments; one query."""
    rows = PenaltyRow.objects.filter(entry__tournament__in=tournaments, revoked_at__isnull=True)
    penalties: dict[int, list[Penalty]] = defaultdict(list)
    for row in sorted(rows.select_related("entry"), key=_order):
        penalties[row.entry.tournament_id].append(_penalty(row))
    return penalties


def penalties_at(rows: Iterable[PenaltyRow], moment: datetime) -> tuple[Penalty, ...]:
    """Return the penalties, fetched with their entries, that were in force at a moment."""
    in_force = (
        row
        for row in rows
        if row.made_at <= moment and (row.revoked_at is None or row.revoked_at > moment)
    )
    return tuple(map(_penalty, sorted(in_force, key=_order)))


def _order(row: PenaltyRow) -> tuple[Any, ...]:
    """Return a key that orders penalties as they were given, also those that were imported."""
    return row.round_number, row.made_at, row.pk


def _penalty(row: PenaltyRow) -> Penalty:
    return Penalty(
        entrant=row.entry.number,
        round=row.round_number,
        match_points=Fraction(str(row.match_points)),
        hands=row.hands,
        points=row.points,
        reason=row.reason,
    )


# --- Versions -------------------------------------------------------------------------------------
# Cache of tournament versions in a process, shared by all pages that show a version.
#
# Every change of the standings bumps `Tournament.version`. The rows of a version, and the sums of
# its stages, are read and computed by the first thread that needs them; other threads wait for it
# and share them. Nothing here depends on the viewer. Inside a transaction the cache is neither read
# nor filled: what it reads may be rolled back.


MAX_CACHED: Final = 4
"""Tournaments that a process keeps."""

cached_snapshots: dict[int, TournamentSnapshot] = {}
"""The newest requested version by tournament, the least recently used first."""

_cache_lock = threading.Lock()


class TournamentSnapshot:
    """A version of a tournament, read once when it is first needed: eight queries."""

    def __init__(self, tournament: Tournament) -> None:
        self.tournament = tournament
        self.key = key_of("paper", tournament, 0)
        self._reading = threading.RLock()
        self._rows: TournamentRows | None = None
        self._who_by_number: dict[int, str] = {}
        self._expelled: frozenset[int] | None = None
        self._tallies: dict[int, Tally] = {}
        self._matches: Mapping[tuple[int, int], int] | None = None

    @property
    def rows(self) -> TournamentRows:
        """The tournament as rows. Drafts of rounds may be of an earlier moment."""
        with self._reading:
            if self._rows is None:
                entries = entries_of(self.tournament)
                self._who_by_number = {entry.number: competitor_ref(entry) for entry in entries}
                self._rows = rows_of(self.tournament, entries=entries)
            return self._rows

    @property
    def competitor_refs(self) -> Mapping[int, str]:
        """Reference of the pair, player or bot of each entry (`competitor_ref`), by number."""
        with self._reading:
            _ = self.rows  # reads `_who_by_number` with them
            return self._who_by_number

    @property
    def expelled(self) -> frozenset[int]:
        """The numbers of the entries that are expelled; one query, once."""
        with self._reading:
            if self._expelled is None:
                out = self.tournament.entries.filter(is_expelled())
                self._expelled = frozenset(out.values_list("number", flat=True))
            return self._expelled

    @property
    def names(self) -> Mapping[int, str]:
        """The names of the entries by their numbers."""
        return {entrant.number: entrant.name for entrant in self.rows.entrants}

    @property
    def matches(self) -> Mapping[tuple[int, int], int]:
        """The primary keys of the matches by round and table; one query, once."""
        with self._reading:
            if self._matches is None:
                matches = Match.objects.filter(round__stage__tournament=self.tournament).order_by()
                rows = matches.values_list("round__number", "table", "pk")
                self._matches = {(round_, table): pk for round_, table, pk in rows}
            return self._matches

    def stage(self, number: int) -> Stage:
        """Return a stage; before the first one begins, its entrants are all entries."""
        stage = stage_of(self.rows, number)
        is_first = number == self.rows.stages[0].number
        if stage.entrants or not is_first:
            return stage
        return replace(stage, entrants=tuple(entrant.number for entrant in self.rows.entrants))

    def tally(self, number: int) -> Tally:
        """Return the sums of a stage that every criterion is computed from."""
        with self._reading:
            if number not in self._tallies:
                self._tallies[number] = tally_of(self.rows, self.stage(number))
            return self._tallies[number]


def tournament_snapshot(tournament: Tournament) -> TournamentSnapshot:
    """Return a version of a tournament, from the cache if it is the cached one.

    A version older than the cached one is read for its caller and not cached.
    """
    if connection.in_atomic_block:
        return TournamentSnapshot(tournament)
    key = key_of("paper", tournament, 0)
    with _cache_lock:
        snapshot = cached_snapshots.pop(tournament.pk, None)
        if snapshot is None or (
            snapshot.key != key and not _is_later(snapshot.tournament, tournament)
        ):
            snapshot = TournamentSnapshot(tournament)
        cached_snapshots[tournament.pk] = snapshot
        while len(cached_snapshots) > MAX_CACHED:
            del cached_snapshots[next(iter(cached_snapshots))]
    return snapshot if snapshot.key == key else TournamentSnapshot(tournament)


def _is_later(tournament: Tournament, other: Tournament) -> bool:
    """Return whether one is a later version of the other."""
    return tournament.created_at == other.created_at and tournament.version > other.version


def key_of(prefix: str, tournament: Tournament, stage: int) -> str:
    """Return the cache key for a value of a stage in this version of the tournament."""
    born = int(tournament.created_at.timestamp() * 1_000_000)
    return f"{prefix}:{tournament.pk}:{born}:{tournament.version}:{stage}"
