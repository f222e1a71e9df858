"""Replaying what is stored: does every accepted record still say what its rows say?"""

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import islice

from django.db.models import QuerySet

import engine
from tournaments.domain.cotos import coto_of
from tournaments.domain.seating import sides_of
from tournaments.domain.sets import sets_of, stored_part, tally
from tournaments.models import Record, Result
from tournaments.models.matches import SIDES

BATCH = 200


@dataclass(frozen=True, slots=True)
class Replay:
    """One accepted record replayed again; ``differences`` names the stored fields that disagree."""

    record_pk: int
    match: str
    hands: int
    differences: tuple[str, ...]


def count_replays(tournament: str | None = None) -> int:
    """How many records :func:`replays` will go through."""
    return _accepted(tournament).count()


def replays(tournament: str | None = None) -> Iterator[Replay]:
    """Replay every accepted record, or those of one tournament, a batch at a time."""
    rows = _accepted(tournament).select_related("match__round__stage__tournament")
    records = rows.prefetch_related("hands", "results", "match__results").iterator(chunk_size=BATCH)
    while batch := list(islice(records, BATCH)):
        verdicts = engine.audit_many(record.text.encode() for record in batch)
        for record, verdict in zip(batch, verdicts, strict=True):
            differences = tuple(_differences(record, verdict))
            yield Replay(record.pk, record.match.label, len(record.hands.all()), differences)


def _accepted(tournament: str | None) -> "QuerySet[Record]":
    rows = Record.objects.accepted().order_by("pk")
    return (
        rows
        if tournament is None
        else rows.filter(match__round__stage__tournament__slug=tournament)
    )


def _differences(record: Record, verdict: "engine.Verdict | engine.ValidVerdict") -> Iterator[str]:
    if not verdict.valid:
        yield f"verdict: {', '.join(fault.code for fault in verdict.faults)}"
        return
    if verdict.digest != record.digest:
        yield "digest"
    stored = [(hand.number, dict(hand.points), hand.winner) for hand in record.hands.all()]
    replayed = [(hand.number, dict(hand.points or {}), hand.winner) for hand in verdict.hands]
    if stored != replayed:
        yield "hands"
    tournament = record.match.tournament
    if tournament.cotos > 1 or tournament.deal_sets:
        yield from _of_a_set(record) if tournament.deal_sets else _of_a_coto(record)
        return
    for result in record.results.all():
        score = verdict.score or {}
        hands = (result.home_hands, result.away_hands, result.third_hands)
        replayed_hands = [score.get(side) for side in sides_of(record.home_side)]
        if [won for won in hands if won is not None] != replayed_hands:
            yield f"result, version {result.version}"


def _of_a_coto(record: Record) -> Iterator[str]:
    """Compare a coto with the results of its match that were made from records."""
    for result in record.match.results.all():
        if not result.live or result.depth != Result.Depth.RECORD:
            continue
        rows = result.hand_scores
        won = [sum(row["winner"] == side for row in rows) for side in SIDES]
        hands = (result.home_hands, result.away_hands, result.third_hands or 0)
        coto = coto_of(record.verdict, record.home_side)
        is_said = record.coto <= len(rows) and rows[record.coto - 1] == {
            **dict(zip(SIDES, coto.points, strict=False)),
            "winner": SIDES[coto.winner],
        }
        if not is_said or tuple(won) != hands:
            yield f"result, version {result.version}"


def _of_a_set(record: Record) -> Iterator[str]:
    """Compare the sets of a match, when its last record comes up, with the result of them all."""
    live = [one for one in record.results.all() if one.live and one.depth == Result.Depth.RECORD]
    for result in live:
        sides = len(sides_of(record.home_side))
        sets = sets_of(
            [
                stored_part(one.verdict, one.home_side)
                for one in record.match.records.accepted().order_by("coto")
            ]
        )
        score = tally(sets, sides)
        rows = [{side: row[side] for side in SIDES[:sides]} for row in result.hand_scores]
        points = [dict(zip(SIDES, one.points, strict=False)) for one in sets]
        hands = (result.home_hands, result.away_hands, result.third_hands or 0)
        if rows != points or hands[:sides] != score.hands:
            yield f"result, version {result.version}"
