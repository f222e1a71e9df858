"""A match's page, and the page of one of its hands."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django.db.models import Q, QuerySet

import engine
from tournaments.domain.seating import sides_of
from tournaments.models import ApiToken, Match, Record, Result, Round, Tournament
from tournaments.models.matches import SIDES
from tournaments.permissions import Actor, Powers, plays_in
from tournaments.queries.find import find_match, found, visible
from tournaments.queries.heads import TournamentHead, opened
from tournaments.queries.rows import (
    DisputeRow,
    MatchRow,
    RecordRow,
    ScoreRow,
    dispute_row,
    match_row,
    record_row,
    score_row,
)

__all__ = ["DisputeRow", "MatchRow", "RecordRow", "ScoreRow"]

OBJECTIONABLE = (Match.State.ACCEPTED, Match.State.REPORTED)
"""States of a match with a result that can be disputed."""

PUBLIC = (Record.State.ACCEPTED, Record.State.SUPERSEDED)
"""Records that everybody may see: those that counted."""


@dataclass(frozen=True, slots=True)
class HandRow:
    """A hand of the accepted record; ``winner`` and ``last_trick`` are ``home`` or ``away``.

    ``declarations`` are tokens such as ``A:40``. A hand that is not ``audited`` lacks its play.
    """

    number: int
    dealer: str
    trump: str
    home_points: int
    away_points: int
    winner: str
    audited: bool
    last_trick: str
    declarations: tuple[str, ...]
    third_points: int | None = None


@dataclass(frozen=True, slots=True)
class ResultRow:
    """A version of the result; the ``live`` one is the last word, and ``counts`` when confirmed.

    ``depth`` is what it rests on, ``reported_for`` the side that reported it (none: the club).
    """

    version: int
    live: bool
    score: ScoreRow
    reason: str
    made_by: str
    made_at: datetime
    depth: str = ""
    counts: bool = False
    reported_for: str = ""
    confirmed_by: str = ""


@dataclass(frozen=True, slots=True)
class MatchMay:
    """What the viewer may do with the match now."""

    submit: bool
    correct: bool
    dispute: bool
    rule: bool


@dataclass(frozen=True, slots=True)
class MatchPage:
    """A match with all that is known of it.

    ``record`` is the accepted one; ``records`` those that the viewer may see, the newest first;
    ``results`` the newest version first. ``seats`` are the names as the accepted record has them,
    ``home_side`` where home sat.
    """

    head: TournamentHead
    match: MatchRow
    label: str
    round_state: str
    hands: tuple[HandRow, ...]
    record: RecordRow | None
    records: tuple[RecordRow, ...]
    results: tuple[ResultRow, ...]
    disputes: tuple[DisputeRow, ...]
    home_side: str
    seats: tuple[str, ...]
    may: MatchMay


@dataclass(frozen=True, slots=True)
class TrickRow:
    """A trick: who led, the cards as they fell, who took it."""

    number: int
    leader: str
    cards: tuple[tuple[str, str], ...]
    winner: str


@dataclass(frozen=True, slots=True)
class HandPage:
    """One hand of the accepted record, step by step.

    ``frames`` starts before the first card; it is empty for a hand without its play. ``sides``
    names the entry that sat at each side; ``verdict`` is the hand's part of the record's.
    """

    head: TournamentHead
    match: MatchRow
    number: int
    total: int
    previous: int | None
    next: int | None
    seats: Mapping[str, str]
    sides: Mapping[str, str]
    dealer: str
    trump: str
    deal: Mapping[str, tuple[str, ...]]
    frames: tuple[engine.Frame, ...]
    tricks: tuple[TrickRow, ...]
    declarations: tuple[str, ...]
    points: Mapping[str, int]
    winner: str
    digest: str
    record_pk: int
    verdict: Mapping[str, Any]


def match_page(pk: int, viewer: Actor) -> MatchPage:
    """Return a match: ten queries at most, however many hands and records it has."""
    match = find_match(pk, viewer)
    this = opened(match.tournament, viewer)
    is_player = plays_in(viewer, match)
    results = list(match.results.all())
    live = next((result for result in results if result.live), None)
    accepted = match.records.accepted().first()
    records = _records(match, viewer, all_of_them=this.powers.member or is_player)
    return MatchPage(
        head=this.head,
        match=match_row(match, live),
        label=match.label,
        round_state=match.round.state,
        hands=_hands(accepted),
        record=None if accepted is None else record_row(accepted),
        records=tuple(record_row(record) for record in records),
        results=tuple(_result_row(result) for result in results),
        disputes=tuple(dispute_row(dispute) for dispute in match.disputes.all()),
        home_side=accepted.home_side if accepted else "",
        seats=_seats(accepted) if accepted else (),
        may=_may(match, this.powers, viewer, is_player=is_player),
    )


def hand_page(pk: int, number: int, viewer: Actor) -> HandPage:
    """Return a hand of a match's accepted record: six queries at most."""
    match = find_match(pk, viewer)
    this = opened(match.tournament, viewer)
    record = found(match.records.accepted().first())
    parsed = engine.parse_record(record.text)
    total = len(parsed.hands)
    visible(1 <= number <= total)
    hand, verdict = parsed.hands[number - 1], record.verdict["hands"][number - 1]
    frames = engine.frames(parsed, number - 1)
    seats = dict(zip(parsed.ruleset.seats, parsed.seats, strict=True))
    return HandPage(
        head=this.head,
        match=match_row(match, match.results.live().first()),
        number=number,
        total=total,
        previous=number - 1 if number > 1 else None,
        next=number + 1 if number < total else None,
        seats=seats,
        sides=_sides(match, record.home_side),
        dealer=hand.dealer,
        trump=hand.trump or "",
        deal={seat: tuple(cards.split()) for seat, cards in (hand.deal or {}).items()},
        frames=frames,
        tricks=_tricks(frames),
        declarations=tuple(verdict["declarations"]),
        points=verdict["points"] or {},
        winner=verdict["winner"] or "",
        digest=record.digest,
        record_pk=record.pk,
        verdict=verdict,
    )


def _records(match: Match, viewer: Actor, *, all_of_them: bool) -> QuerySet[Record]:
    """Return the records that the viewer may see, without their texts and verdicts."""
    records = match.records.defer("text", "verdict")
    if all_of_them:
        return records
    if viewer.user is None:
        return records.filter(state__in=PUBLIC)
    return records.filter(Q(state__in=PUBLIC) | Q(submitted_by=viewer.user))


def _hands(record: Record | None) -> tuple[HandRow, ...]:
    """Return the hands of the accepted record, as its verdict has them."""
    if record is None:
        return ()
    sides = sides_of(record.home_side)
    who = {"": "", **dict(zip(sides, SIDES, strict=False))}
    verdicts = {hand["number"]: hand for hand in record.verdict["hands"]}
    return tuple(
        HandRow(
            number=hand.number,
            dealer=hand.dealer,
            trump=hand.trump,
            home_points=hand.points[sides[0]],
            away_points=hand.points[sides[1]],
            winner=who[hand.winner],
            audited=verdicts[hand.number]["audited"],
            last_trick=who[verdicts[hand.number]["last_trick"] or ""],
            declarations=tuple(verdicts[hand.number]["declarations"]),
            third_points=hand.points[sides[2]] if len(sides) == len(SIDES) else None,
        )
        for hand in record.hands.all()
    )


def _seats(record: Record) -> tuple[str, ...]:
    return engine.parse_record(record.text).seats


def _sides(match: Match, home_side: str) -> dict[str, str]:
    """Return who sat at which seats, by the names of the entries."""
    names = (" + ".join(entry.name for entry in side) for side in match.sides)
    return dict(sorted(zip(sides_of(home_side), names, strict=False)))


def _result_row(result: Result) -> ResultRow:
    return ResultRow(
        version=result.version,
        live=result.live,
        score=score_row(result),
        reason=result.reason,
        made_by=result.made_by,
        made_at=result.made_at,
        depth=result.depth,
        counts=result.counts_from is not None and result.counts_until is None,
        reported_for=result.reported_for,
        confirmed_by=result.confirmed_by,
    )


def _tricks(frames: Iterable[engine.Frame]) -> tuple[TrickRow, ...]:
    """Return the tricks that were completed."""
    return tuple(
        TrickRow(frame.trick, frame.table[0][0], frame.table, frame.won)
        for frame in frames
        if frame.won is not None
    )


def _may(match: Match, allowed: Powers, viewer: Actor, *, is_player: bool) -> MatchMay:
    state = match.state
    is_running = match.tournament.state == Tournament.State.RUNNING
    takes_records = is_running and match.round.state == Round.State.PUBLISHED
    is_known = match.round.state != Round.State.DRAFT and state != Match.State.BYE
    may_submit = allowed.submit or (is_player and viewer.allows(ApiToken.Scope.SUBMIT))
    may_rule = allowed.arbitrate and not is_player
    return MatchMay(
        submit=may_submit and takes_records and is_known and not match.is_of_bots,
        correct=may_rule and is_known and state != Match.State.DISPUTED,
        dispute=may_submit and is_running and state in OBJECTIONABLE,
        rule=may_rule and state == Match.State.DISPUTED,
    )
