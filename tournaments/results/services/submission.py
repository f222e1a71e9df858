"""The values of a submission: the parsed record, its match as it is locked, and the outcome."""

from __future__ import annotations

import hashlib
import json
from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from functools import cached_property
from typing import Any, Final

from django.utils.translation import get_language
from django.utils.translation import gettext_lazy as _

import engine
from tournaments.core.errors import Reason, Refusal
from tournaments.core.faults import FAULT_STATUS
from tournaments.core.permissions import Actor, may_submit_without_play, own_players_at, side_of
from tournaments.director.queries.boards import TABLE, boards_dealt
from tournaments.domain.boards import Cards, cards_of, deal_of, first_different_hand, to_deal
from tournaments.domain.match_parts import Coto, Part, coto_of, part_of
from tournaments.domain.scores import Score, home_side, score_of
from tournaments.models import Hand, Match, Record, Result
from tournaments.results.services.leases import Lease, live_leases

# --- Parsed ---------------------------------------------------------------------------------------


@dataclass(frozen=True)
class ParsedRecord:
    """A parsed body: ``document`` is its JSON object, ``record`` the record in it, if it is one.

    ``error`` is why it is none; ``verdict`` is never missing.
    """

    body: bytes
    document: Mapping[str, Any] | None
    record: engine.Record | None
    error: engine.RecordError | None
    verdict: engine.Verdict

    @cached_property
    def sha256(self) -> str:
        """The hash of the submitted bytes."""
        return hashlib.sha256(self.body).hexdigest()

    @property
    def text(self) -> str:
        """The submitted text. Only for a body that holds a JSON object, which is UTF-8."""
        return self.body.decode("utf-8")

    @property
    def seats(self) -> tuple[str, ...]:
        """The names at the seats, as far as they can be read, even from a faulty record."""
        seats = self.record.seats if self.record else (self.document or {}).get("seats")
        if not isinstance(seats, list | tuple) or not all(isinstance(s, str) for s in seats):
            return ()
        return tuple(seats)

    @property
    def fault(self) -> engine.Fault | None:
        """The engine's first fault, if any."""
        return self.verdict.faults[0] if self.verdict.faults else None

    @property
    def fault_status(self) -> int:
        """The HTTP status of that fault: 413, 400, or 422 for a record that breaks the rules."""
        if self.error is None:
            return 422
        if self.error.reason == "too_large" and self.document is None:
            return 413
        return FAULT_STATUS.get(self.error.fault.code, 400)

    @property
    def is_finished(self) -> bool:
        """The match was played to its end."""
        return not any(notice.code == "match.unfinished" for notice in self.verdict.notices)

    @property
    def is_audited(self) -> bool:
        """Every hand has its play."""
        return all(hand.audited for hand in self.verdict.hands)

    @cached_property
    def verdict_json(self) -> dict[str, Any]:
        """The verdict as it is stored, in English; pages translate it."""
        return self.verdict.as_dict("en")


NumberedRecord = tuple[int, "engine.RecordSource"]
"""A record of a file with its number: the line of NDJSON, else it counts from 1."""


def parse_content(content: engine.RecordSource, raw: bytes = b"") -> ParsedRecord:
    """Replay a record of a file; ``raw`` are the bytes to keep of one that cannot be read."""
    if isinstance(content, bytes):
        return parse_record(content.rstrip(b"\r\n"))
    if isinstance(content, engine.TextRecord):
        try:
            return parse_record(engine.text_to_json(content))
        except engine.RecordError as error:
            content = error
    return ParsedRecord(raw, None, None, content, engine.unreadable_verdict(content))


def parse_record(body: bytes | str | ParsedRecord) -> ParsedRecord:
    """Parse and replay a body, unless that was done; never raises for a bad one."""
    if isinstance(body, ParsedRecord):
        return body
    raw = body.encode("utf-8", "surrogatepass") if isinstance(body, str) else body
    try:
        document = _object(raw)
    except engine.RecordError as error:
        return ParsedRecord(raw, None, None, error, engine.audit(raw))
    return _parsed(raw, document)


def parse_document(document: dict[str, Any]) -> ParsedRecord:
    """Replay a record that bots played here, as :func:`parse_record` does with its text."""
    return _parsed(json.dumps(document, ensure_ascii=False).encode(), document)


def _parsed(raw: bytes, document: dict[str, Any] | None) -> ParsedRecord:
    record, error = None, None
    try:
        record = engine.parse_record(raw if document is None else document)
    except engine.RecordError as refused:
        error = refused
    return ParsedRecord(raw, document, record, error, engine.audit(record or document or raw))


def _object(raw: bytes) -> dict[str, Any] | None:
    """Return the JSON object that the bytes hold, ``None`` when they hold something else."""
    if len(raw) > engine.MAX_BYTES:
        return None
    value = engine.read_json(raw)
    return value if isinstance(value, dict) else None


# --- Outcome --------------------------------------------------------------------------------------


NOT_KEPT_TEXT: Final = _("It was not kept, but for its digest: there is enough evidence already.")


class OutcomeKind(StrEnum):
    """The kinds of outcomes."""

    ACCEPTED = "accepted"
    """The record counts."""
    REPORTED = "reported"
    """The record is valid, and counts once the other side has confirmed it."""
    CONFIRMED = "confirmed"
    """The record agrees with the other side's report: the result counts now."""
    DUPLICATE = "duplicate"
    REFUSED = "refused"
    CONTESTED = "contested"


@dataclass(frozen=True)
class SubmissionOutcome:
    """The answer to a submission.

    ``refusal`` is the service's objection, if it has one; without it a refused record has broken a
    rule of the game or of the form. ``record`` is missing when only an event could be written.
    ``replayed``: this answer was given before, under the same idempotency key; ``is_kept`` is
    false where there is enough evidence already.
    """

    outcome: OutcomeKind
    parsed: ParsedRecord
    match: Match | None
    record: Record | None
    refusal: Refusal | None = None
    replayed: bool = False
    is_kept: bool = True

    @property
    def verdict(self) -> engine.Verdict:
        """The engine's verdict on the submitted body."""
        return self.parsed.verdict

    @property
    def code(self) -> str:
        """The stable code of the refusal or objection; empty without one."""
        if self.refusal is not None:
            return self.refusal.code
        fault = self.parsed.fault if self.outcome is OutcomeKind.REFUSED else None
        return fault.code if fault else ""

    @property
    def status(self) -> int:
        """The HTTP status of the answer."""
        if self.refusal is not None:
            return self.refusal.status
        if self.outcome is OutcomeKind.REFUSED:
            return self.parsed.fault_status
        return 201 if self.outcome in {OutcomeKind.ACCEPTED, OutcomeKind.REPORTED} else 200

    @property
    def message(self) -> str:
        """Why it was refused or contested, in the current language; it adds if it was not kept."""
        return self._refusal_text if self.is_kept else f"{self._refusal_text} {NOT_KEPT_TEXT}"

    @property
    def _refusal_text(self) -> str:
        if self.refusal is not None:
            return self.refusal.message
        fault = self.parsed.fault if self.outcome is OutcomeKind.REFUSED else None
        return engine.explain(fault, get_language()) if fault else ""

    @property
    def reason(self) -> str:
        """The finer code of a fault of form, such as ``duplicate_key``; empty otherwise."""
        return self.parsed.error.reason if self.parsed.error else ""

    @property
    def line(self) -> int | None:
        """The line of a fault of form, where it is known."""
        return self.parsed.error.line if self.parsed.error else None

    @property
    def column(self) -> int | None:
        """The column of a fault of form, where it is known."""
        return self.parsed.error.column if self.parsed.error else None


def stored_answer(submitted: SubmissionOutcome) -> dict[str, Any] | None:
    """Return the stored form of an answer, to repeat it later; None if the service refuses.

    The engine's faults are final; the club may remove the cause of a service's refusal, and then
    the same record is judged again.
    """
    if submitted.refusal is not None:
        return None
    return {
        "outcome": submitted.outcome,
        "match": submitted.match.pk if submitted.match else None,
        "record": submitted.record.pk if submitted.record else None,
        "is_kept": submitted.is_kept,
    }


# --- Boards ---------------------------------------------------------------------------------------
# The deals of duplicate tables: their source, and whether a record was played with them.


def deals_of(match: Match) -> tuple[engine.Deal, ...]:
    """Return the deals that a duplicate table plays, in their order; empty for other matches.

    They come from the stage's seed; where tables deal, a deal that another table has dealt is that
    of its first accepted record.
    """
    stage = match.round.stage
    if not match.boards or not stage.deal_seed:
        return ()
    rules = engine.RULESETS[match.tournament.ruleset]
    dealt = boards_dealt(stage, but=match) if stage.rules.dealt_by == TABLE else {}
    return tuple(
        to_deal(rules, dealt[board])
        if board in dealt
        else deal_of(rules, stage.deal_seed, stage.label, board)
        for board in match.boards
    )


def deal_refusal(
    match: Match, cards: Sequence[Cards | None], record: engine.Record, side: str
) -> Refusal | None:
    """Return the refusal of a record not played with the deals of its table, or None; no query.

    ``cards`` are those of :func:`deal_cards`. The code is OTHER_DEAL, or CARDS_DIFFER where the
    tables deal and another table was the first.
    """
    if not cards:
        return None
    played_cards = [
        None if hand.deal is None else cards_of(hand.dealer, hand.trump, hand.deal, hand.stock)
        for hand in record.hands
    ]
    index = first_different_hand(played_cards, cards, side)
    if index is None:
        return None
    if is_dealt_at_table(match):
        return Refusal(Reason.CARDS_DIFFER)
    return Refusal(Reason.OTHER_DEAL, hand=index + 1, board=match.boards[index])


def is_dealt_at_table(match: Match) -> bool:
    """Return whether the first table to play a deal of this duplicate match deals it."""
    return bool(match.boards) and match.round.stage.rules.dealt_by == TABLE


def deal_cards(match: Match) -> Sequence[Cards | None]:
    """Return the cards of a duplicate table's deals, as far as they are known; else empty."""
    stage = match.round.stage
    if not match.boards or not stage.kind.same_deals:
        return ()
    if is_dealt_at_table(match):
        dealt = boards_dealt(stage, but=match)
        return [dealt.get(board) for board in match.boards]
    if not stage.deal_seed:
        return ()
    return [cards_of(deal.dealer, deal.trump, deal.hands, deal.stock) for deal in deals_of(match)]


# --- Snapshot -------------------------------------------------------------------------------------


CLUB: Final = "club"
"""The club's name in `Record.said_by`, for a record that no side of the match submits."""

Endings = dict[tuple[str, str], Coto | Part]
"""Results of cotos or parts read before, by the records' digest and seats of home."""

LARGE_COLUMNS: Final = ("text", "verdict")
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
    def submitter(self) -> str:
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
    own_players: frozenset[int] | None = None,
) -> SubmittedRecord:
    """Return a record as it is submitted for a match, which was read with its names.

    ``own_players`` are the players of the actor, where they are known.
    """
    party = side_of(
        actor, match, own_players_at(actor, match) if own_players is None else own_players
    )
    vouches = parsed.is_audited or may_submit_without_play(actor, match)
    home = ""
    if match.away is not None and parsed.seats:
        home = home_side(match.current_names(parsed.seats), *match.names)
    return SubmittedRecord(actor, match, parsed, source, home, party, vouches)


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

    def has_same_content(self, submission: SubmittedRecord) -> bool:
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

    def accepted_like(self, submission: SubmittedRecord) -> AcceptedRecord | None:
        """Return the accepted record with the same content, if any."""
        return next(
            (record for record in self.accepted if record.has_same_content(submission)), None
        )

    def after(self, accepted: AcceptedRecord) -> MatchSnapshot:
        """Return the match with another accepted record, which did not decide it."""
        return replace(self, accepted=(*self.accepted, accepted))


def read_snapshots(
    matches: Iterable[Match], leases: Collection[Lease] = (), known_endings: Endings | None = None
) -> dict[int, MatchSnapshot]:
    """Read the facts for decisions about locked matches; a handful of queries.

    ``leases`` are the worker's. ``known_endings`` are endings that need not be read; new ones are
    added to it.
    """
    by_key = {match.pk: match for match in matches}
    records: dict[int, list[Record]] = defaultdict(list)
    accepted = Record.objects.accepted().filter(match__in=by_key).defer(*LARGE_COLUMNS)
    for record in accepted.order_by("match_id", "coto"):
        records[record.match_id].append(record)
    results: dict[int, list[Result]] = defaultdict(list)
    for result in Result.objects.filter(match__in=by_key).order_by("match_id", "version"):
        results[result.match_id].append(result)
    endings = {} if known_endings is None else known_endings
    several = [
        record
        for pk, of_match in records.items()
        if by_key[pk].tournament.cotos > 1 or by_key[pk].tournament.deal_sets
        for record in of_match
        if (record.digest, record.home_side) not in endings
    ]
    _read_endings(several, by_key, endings)
    live_pks = live_leases(*leases) if leases else set(by_key)
    return {
        pk: MatchSnapshot(
            match,
            tuple(_accepted_record(record, endings) for record in records[pk]),
            tuple(results[pk]),
            deal_cards(match),
            lease_is_live=pk in live_pks,
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
        score, record_hands, home = scores[record.pk], hands[record.pk], record.home_side
        if matches[record.match_id].tournament.deal_sets:
            ending: Coto | Part = part_of(score, record_hands, home)
        else:
            ending = coto_of(
                {
                    "score": score,
                    "hands": [{"points": hand_points} for hand_points in record_hands],
                },
                home,
            )
        endings[record.digest, home] = ending
