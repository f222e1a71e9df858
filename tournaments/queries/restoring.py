"""What going back to a restore point would undo, and what stands in its way."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django.core import serializers
from django.db.models import Exists, OuterRef, Q, QuerySet

from tournaments.models import (
    Dispute,
    Entry,
    Match,
    Record,
    RestorePoint,
    Result,
    Round,
    Stage,
    Tournament,
)

STRUCTURE = ("tournaments.entry", "tournaments.stage", "tournaments.round", "tournaments.match")
"""The rows that a restore point holds, in the order in which they can be written again."""

Structure = Entry | Stage | Round | Match


@dataclass(frozen=True, slots=True)
class PointRow:
    """A moment that the tournament can be taken back to: before ``verb`` was done."""

    pk: int
    verb: str
    round: int | None
    made_by: str
    made_at: datetime
    used_at: datetime | None


@dataclass(frozen=True, slots=True)
class Effects:
    """What follows from going back.

    ``removed`` are the rounds that would be gone, ``withdrawn`` those that would be drafts again,
    ``reopened`` those closed since, ``restored`` those that come back; ``entries`` are the names of
    those who entered since and would be gone. ``live`` are the matches of
    these rounds that have results, records or disputes: with any, one cannot go back.
    """

    removed: tuple[int, ...]
    withdrawn: tuple[int, ...]
    reopened: tuple[int, ...]
    restored: tuple[int, ...]
    entries: tuple[str, ...]
    live: tuple[str, ...]

    @property
    def is_safe(self) -> bool:
        """Nothing that was played would be lost."""
        return not self.live


def snapshot(tournament: Tournament) -> dict[str, Any]:
    """Return the state, entries, stages, rounds and matches of a tournament, ready for JSON."""
    rows = [
        *tournament.entries.order_by("pk"),
        *tournament.stages.order_by("pk"),
        *Round.objects.filter(stage__tournament=tournament).order_by("pk"),
        *Match.objects.filter(round__stage__tournament=tournament).order_by("pk"),
    ]
    return {"state": tournament.state, "rows": serializers.serialize("json", rows)}


def restore_points(tournament: Tournament) -> tuple[PointRow, ...]:
    """Return the restore points of a tournament, the latest first; one query."""
    points = RestorePoint.objects.filter(tournament=tournament).order_by("-pk")
    return tuple(
        PointRow(p.pk, p.verb, p.round_number, p.made_by, p.made_at, p.used_at)
        for p in points.defer("snapshot")
    )


def effects(tournament: Tournament, point: RestorePoint) -> Effects:
    """Return what going back to a point would do."""
    before = kept_rows(point)
    rounds_before = {row.pk: row for row in before if isinstance(row, Round)}
    matches_before = {row.pk: row for row in before if isinstance(row, Match)}
    rounds = {row.pk: row for row in Round.objects.filter(stage__tournament=tournament)}
    removed = [row for pk, row in rounds.items() if pk not in rounds_before]
    withdrawn: list[Round] = []
    reopened: list[Round] = []
    for pk, row in rounds.items():
        was = rounds_before.get(pk)
        if was is not None and was.state != row.state:
            (withdrawn if was.state == Round.State.DRAFT else reopened).append(row)
    changed = _changed(tournament, matches_before)
    touched = [row.pk for row in (*removed, *withdrawn)]
    concerned = Q(round__in=touched) | Q(pk__in=changed)
    live = with_play(Match.objects.filter(round__stage__tournament=tournament).filter(concerned))
    return Effects(
        removed=_numbers(removed),
        withdrawn=_numbers(withdrawn),
        reopened=_numbers(reopened),
        restored=_numbers([row for pk, row in rounds_before.items() if pk not in rounds]),
        entries=tuple(entered_since(tournament, before).values_list("name", flat=True)),
        live=tuple(match.label for match in live.select_related("round__stage__tournament")),
    )


def entered_since(tournament: Tournament, before: Sequence[Structure]) -> QuerySet[Entry]:
    """Return the entries that are not among the rows of a point."""
    known = [row.pk for row in before if isinstance(row, Entry)]
    return tournament.entries.exclude(pk__in=known).order_by("number")


def with_play(matches: QuerySet[Match]) -> QuerySet[Match]:
    """Keep the matches that have a result, a record or a dispute."""
    return matches.filter(
        Exists(Result.objects.filter(match=OuterRef("pk")))
        | Exists(Record.objects.filter(match=OuterRef("pk")))
        | Exists(Dispute.objects.filter(match=OuterRef("pk")))
    ).order_by("round__number", "table")


def kept_rows(point: RestorePoint) -> Sequence[Structure]:
    """Return the rows that a point holds, in the order in which they can be written."""
    rows = [kept.object for kept in serializers.deserialize("json", point.snapshot["rows"])]
    structure = [row for row in rows if isinstance(row, Entry | Stage | Round | Match)]
    return sorted(structure, key=lambda row: STRUCTURE.index(row._meta.label_lower))


def _changed(tournament: Tournament, before: dict[int, Match]) -> list[int]:
    """Return the matches that have other people at the table than they had, or are new."""
    matches = Match.objects.filter(round__stage__tournament=tournament)
    return [
        match.pk
        for match in matches
        if match.pk not in before or _seated(before[match.pk]) != _seated(match)
    ]


def _seated(match: Match) -> tuple[int | None, ...]:
    return (
        match.home_id,
        match.home_partner_id,
        match.away_id,
        match.away_partner_id,
        match.third_id,
    )


def _numbers(rounds: Sequence[Round]) -> tuple[int, ...]:
    return tuple(sorted(round_.number for round_ in rounds))
