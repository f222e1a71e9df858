"""Rows that several pages share, and how they are made from what was fetched."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Final

from tournaments.errors import Reason
from tournaments.models import Dispute, Entry, Match, Record, Result
from tournaments.models.results import UNRULED

CONFLICTS: Final = (Reason.CONFLICTING_LOG, Reason.CONFLICTING_REPORT)
"""The disputes that nobody opened by hand have the code of one of these as their reason."""


@dataclass(frozen=True, slots=True)
class Side:
    """One entry as it stands in a match."""

    number: int
    name: str
    players: tuple[str, ...]
    is_bot: bool


@dataclass(frozen=True, slots=True)
class ScoreRow:
    """A result; ``winner`` is ``home``, ``away`` or ``tie``."""

    home_hands: int
    away_hands: int
    home_points: int
    away_points: int
    winner: str


@dataclass(frozen=True, slots=True)
class MatchRow:
    """A match of a list; ``away`` is missing in a bye, ``score`` until there is a result.

    ``needs_arbiter``: bots tried as often as they may, or the match is in dispute.
    """

    pk: int
    round: int
    table: int
    home: Side
    away: Side | None
    state: str
    score: ScoreRow | None
    needs_arbiter: bool


@dataclass(frozen=True, slots=True)
class RecordRow:
    """A record of a list; ``code`` says why it was refused or contested."""

    pk: int
    state: str
    source: str
    code: str
    digest: str
    submitted_by: str
    created_at: datetime


@dataclass(frozen=True, slots=True)
class DisputeRow:
    """A dispute; ``record_pk`` and ``result_pk`` are what contradicted the live result, if any."""

    pk: int
    state: str
    reason: str
    opened_by: str
    opened_at: datetime
    ruling: str
    ruled_by: str
    ruled_at: datetime | None
    record_pk: int | None
    result_pk: int | None = None
    reviewed_by: str = ""

    @property
    def is_open(self) -> bool:
        """No arbiter has ruled on it."""
        return self.state in UNRULED


def side(entry: Entry) -> Side:
    """Return an entry fetched with its players."""
    return Side(entry.number, entry.name, entry.seat_names, entry.bot_id is not None)


def score_row(result: Result) -> ScoreRow:
    """Return the score of a result."""
    return ScoreRow(
        result.home_hands,
        result.away_hands,
        result.home_points,
        result.away_points,
        result.winner,
    )


def match_row(match: Match, result: Result | None) -> MatchRow:
    """Return a match fetched with its names, and its live result."""
    in_dispute = match.state == Match.State.DISPUTED
    given_up = match.state == Match.State.PENDING and match.abandoned_at is not None
    return MatchRow(
        pk=match.pk,
        round=match.round.number,
        table=match.table,
        home=side(match.home),
        away=None if match.away is None else side(match.away),
        state=match.state,
        score=None if result is None else score_row(result),
        needs_arbiter=in_dispute or given_up,
    )


def live_results(matches: Iterable[Match]) -> Mapping[int, Result]:
    """Return the live results of matches, by match; one query."""
    keys = [match.pk for match in matches]
    return {result.match_id: result for result in Result.objects.live().filter(match__in=keys)}


def record_row(record: Record) -> RecordRow:
    """Return a record."""
    return RecordRow(
        pk=record.pk,
        state=record.state,
        source=record.source,
        code=record.code,
        digest=record.digest,
        submitted_by=record.submitter,
        created_at=record.created_at,
    )


def dispute_row(dispute: Dispute) -> DisputeRow:
    """Return a dispute; one that a record or a report opened has the text of that refusal."""
    told = {reason.code: str(reason.text) for reason in CONFLICTS}
    return DisputeRow(
        pk=dispute.pk,
        state=dispute.state,
        reason=told.get(dispute.reason, dispute.reason),
        opened_by=dispute.opened_by,
        opened_at=dispute.opened_at,
        ruling=dispute.ruling,
        ruled_by=dispute.ruled_by,
        ruled_at=dispute.ruled_at,
        record_pk=dispute.record_id,
        result_pk=dispute.result_id,
        reviewed_by=dispute.reviewed_by,
    )
