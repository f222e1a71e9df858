"""The facts that a decision about a record depends on: the record and its locked match."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Final

from tournaments.core.permissions import Actor, may_vouch, own_at, side_of
from tournaments.director.services.rounds import cards_at
from tournaments.domain.boards import Cards
from tournaments.domain.cotos import Coto, coto_of
from tournaments.domain.scores import Score
from tournaments.domain.seating import home_side, score_of
from tournaments.domain.sets import Part, part_of
from tournaments.models import Hand, Match, Record, Result
from tournaments.results.services.leases import Lease, live
from tournaments.results.services.parse import ParsedRecord

CLUB: Final = "club"
"""The club's name in `Record.said_by`, for a record that no side of the match submits."""

Endings = dict[tuple[str, str], Coto | Part]
"""Results of cotos or parts read before, by the records' digest and seats of home."""

HEAVY: Final = ("text", "verdict")
"""Large columns of a record that decisions do not need."""


@dataclass(frozen=True, slots=True)
class SubmittedRecord:
    """A parsed record that an actor submits for a match.

    ``home`` are the seats of the home side, empty when the names do not fit. ``party`` is the
    actor's side, empty for the club. ``vouches``: hands without their play are accepted.
    """

    actor: Actor
    match: Match
    parsed: ParsedRecord
    source: Record.Source
    home: str
    party: str
    vouches: bool

    @property
    def voice(self) -> str:
        """The submitter in `Record.said_by`: a side, or the club."""
        return self.party or CLUB

    @property
    def score(self) -> Score:
        """The score of the record."""
        return score_of(self.parsed.verdict, self.home)


def submitted_record(
    actor: Actor,
    match: Match,
    parsed: ParsedRecord,
    source: Record.Source,
    own: frozenset[int] | None = None,
) -> SubmittedRecord:
    """Return a record as it is submitted for a match, which was read with its names.

    ``own`` are the players of the actor, where they are known.
    """
    party = side_of(actor, match, own_at(actor, match) if own is None else own)
    vouches = parsed.is_audited or may_vouch(actor, match)
    return SubmittedRecord(actor, match, parsed, source, _home_side(match, parsed), party, vouches)


def _home_side(match: Match, parsed: ParsedRecord) -> str:
    if match.away is None or not parsed.seats:
        return ""
    return home_side(match.current_names(parsed.seats), *match.names)


@dataclass(frozen=True, slots=True)
class AcceptedRecord:
    """An accepted record of a match, without its text.

    ``row`` is missing while it is not written; ``ended`` is the result of its coto or its part of
    a deal set, where there are any.
    """

    coto: int
    digest: str
    home: str
    said_by: tuple[str, ...]
    row: Record | None = None
    ended: Coto | Part | None = None

    def is_same_as(self, submission: SubmittedRecord) -> bool:
        """Return whether these are the same hands with the same people at the seats."""
        digest = submission.parsed.verdict.digest
        return (self.digest, self.home) == (digest, submission.home)


@dataclass(frozen=True, slots=True)
class MatchSnapshot:
    """A match and its rows as they are while it is locked.

    ``accepted`` are its records in the order of their numbers, ``results`` all versions, ``cards``
    those of a duplicate table's deals. ``lease_is_live`` is about the lease of the worker, if one
    submits.
    """

    match: Match
    accepted: tuple[AcceptedRecord, ...] = ()
    results: tuple[Result, ...] = ()
    cards: Sequence[Cards | None] = ()
    lease_is_live: bool = True

    @property
    def live(self) -> Result | None:
        """The live result."""
        return next((result for result in self.results if result.live), None)

    def same(self, submission: SubmittedRecord) -> AcceptedRecord | None:
        """Return the accepted record with the same content, if any."""
        return next((one for one in self.accepted if one.is_same_as(submission)), None)

    def after(self, accepted: AcceptedRecord) -> MatchSnapshot:
        """Return the match with another accepted record, which did not decide it."""
        return replace(self, accepted=(*self.accepted, accepted))


def read_snapshots(
    matches: Iterable[Match], leases: Collection[Lease] = (), known: Endings | None = None
) -> dict[int, MatchSnapshot]:
    """Read the facts for decisions about locked matches; a handful of queries.

    ``leases`` are the worker's. ``known`` are endings that need not be read; new ones are added to
    it.
    """
    by_key = {match.pk: match for match in matches}
    records: dict[int, list[Record]] = defaultdict(list)
    accepted = Record.objects.accepted().filter(match__in=by_key).defer(*HEAVY)
    for record in accepted.order_by("match_id", "coto"):
        records[record.match_id].append(record)
    results: dict[int, list[Result]] = defaultdict(list)
    for result in Result.objects.filter(match__in=by_key).order_by("match_id", "version"):
        results[result.match_id].append(result)
    endings = {} if known is None else known
    several = [
        record
        for pk, of_match in records.items()
        if by_key[pk].tournament.cotos > 1 or by_key[pk].tournament.deal_sets
        for record in of_match
        if (record.digest, record.home_side) not in endings
    ]
    _read_endings(several, by_key, endings)
    held = live(*leases) if leases else set(by_key)
    return {
        pk: MatchSnapshot(
            match,
            tuple(_accepted_record(record, endings) for record in records[pk]),
            tuple(results[pk]),
            cards_at(match),
            lease_is_live=pk in held,
        )
        for pk, match in by_key.items()
    }


def _accepted_record(record: Record, endings: Endings) -> AcceptedRecord:
    digest, home = record.digest, record.home_side
    said_by = tuple(record.said_by)
    return AcceptedRecord(record.coto, digest, home, said_by, record, endings.get((digest, home)))


def _read_endings(
    records: Sequence[Record], matches: Mapping[int, Match], endings: Endings
) -> None:
    """Read how the cotos, or the parts of deal sets, of accepted records ended: two queries."""
    if not records:
        return
    keys = [record.pk for record in records]
    hands: dict[int, list[Mapping[str, int]]] = defaultdict(list)
    rows = Hand.objects.filter(record__in=keys).order_by("record_id", "number")
    for pk, points in rows.values_list("record", "points"):
        hands[pk].append(points)
    scores = dict(Record.objects.filter(pk__in=keys).values_list("pk", "verdict__score"))
    for record in records:
        score, played, home = scores[record.pk], hands[record.pk], record.home_side
        if matches[record.match_id].tournament.deal_sets:
            ended: Coto | Part = part_of(score, played, home)
        else:
            ended = coto_of({"score": score, "hands": [{"points": one} for one in played]}, home)
        endings[record.digest, home] = ended
