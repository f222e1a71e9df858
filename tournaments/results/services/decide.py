"""Decides about a parsed record: a pure function of the record and its locked match.

The first objection decides, in this order: an expired lease, the engine's faults (no record, then
a broken rule), another ruleset or length, other seats, a match that is unfinished or not audited,
a round that is not open. A record of the club counts at once; one that a side submits waits for
confirmation. The same record again is answered with the accepted one, and confirms it when it
comes from another side; a different one, once there is a result, is stored as contested and opens
a dispute, unless a side corrects its own report.

Where several cotos make a match there is one record for each, in order, until a side has won
enough: until then the match has no result. The tag ``coto`` is the number of a record's coto;
without it, it is the next one. Deal sets are played by bots alone, record by record in order.
Where all tables play the same deals, a record of other cards is refused; if the tables deal, it
opens a dispute.
"""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import lru_cache
from types import MappingProxyType
from typing import Any, Final

import engine
from tournaments.core.errors import Reason, Refusal
from tournaments.director.queries.rows import score_in
from tournaments.director.queries.state import match_facts, refusal_of
from tournaments.domain.match_parts import (
    Coto,
    DealSet,
    Part,
    can_end_with,
    coto_of,
    decided_by,
    is_decided,
    part_of,
    sets_of,
    tally,
)
from tournaments.domain.scores import Score
from tournaments.models import Match, Record, Result
from tournaments.results.services.results import (
    TAG,
    SetPlace,
    board_scores,
    coto_rows,
    counts_at_once,
    identify_part,
    is_at,
    is_own_report,
    place_of,
    score_so_far_facts,
    set_rows,
)
from tournaments.results.services.submission import (
    CLUB,
    AcceptedRecord,
    MatchSnapshot,
    OutcomeKind,
    SubmittedRecord,
    deal_refusal,
    is_dealt_at_table,
)

NO_FACTS: Final[Mapping[str, Any]] = MappingProxyType({})


@dataclass(frozen=True, slots=True)
class NewScore:
    """The score of the result that an accepted record gives its match."""

    score: Score
    hand_scores: Sequence[Mapping[str, Any]] = ()
    confirmed_by: str = ""


@dataclass(frozen=True, slots=True)
class Decision:
    """A decision about a submission; nothing of it is written yet.

    ``duplicate_of`` is the accepted record with the same content. ``number`` is that of the record
    within its match. ``counts``: it needs no confirmation. ``withdraws``: the live result is
    withdrawn first. ``result`` is the new one. ``progress`` are the facts of the event of a record
    that does not decide its match.
    """

    submission: SubmittedRecord
    snapshot: MatchSnapshot
    outcome: OutcomeKind
    refusal: Refusal | None = None
    duplicate_of: AcceptedRecord | None = None
    number: int = 1
    counts: bool = False
    withdraws: bool = False
    result: NewScore | None = None
    progress: Mapping[str, Any] = field(default_factory=dict)
    ended: Coto | Part | None = None

    @property
    def is_accepted(self) -> bool:
        """The record becomes the accepted one of its number, whether it counts yet or not."""
        takes = {OutcomeKind.ACCEPTED, OutcomeKind.REPORTED, OutcomeKind.CONFIRMED}
        return self.outcome in takes and self.duplicate_of is None

    @property
    def accepted(self) -> AcceptedRecord:
        """The submitted record as an accepted one, not yet written."""
        parsed, said_by = self.submission.parsed, (self.submission.submitter,)
        digest = parsed.verdict.digest or ""
        return AcceptedRecord(self.number, digest, self.submission.home, said_by, ended=self.ended)

    @property
    def adds_submitter(self) -> bool:
        """Another side submits the same as an accepted record; never in deal sets."""
        duplicate, of_bots = self.duplicate_of, self.submission.match.tournament.deal_sets
        return (
            duplicate is not None
            and not of_bots
            and self.submission.submitter not in duplicate.said_by
        )

    @property
    def replaces(self) -> bool:
        """An accepted record of the same number is superseded."""
        return any(record.coto == self.number for record in self.snapshot.accepted)

    @property
    def is_addition(self) -> bool:
        """No existing row changes but the state of the match."""
        return not (self.replaces or self.withdraws or (self.result and self.snapshot.results))


def decide(submission: SubmittedRecord, snapshot: MatchSnapshot) -> Decision:
    """Decide about a submission, in the order of the module's docstring; no query."""
    case = _Case(submission, snapshot)
    if not snapshot.lease_is_live:
        return case.refuse(Refusal(Reason.LATE_RESULT))
    record = submission.parsed.record
    if record is None or submission.parsed.fault is not None:
        return case.refuse(None)
    if refusal := _mismatch(submission, snapshot, record):
        return case.refuse(refusal)
    closed = refusal_of("submit", match_facts(snapshot.match, snapshot.live))
    if snapshot.match.tournament.deal_sets:
        return _decide_part(case, record, closed)
    if snapshot.match.tournament.cotos > 1:
        return _decide_coto(case, record, closed)
    return _decide_whole(case, record, closed)


@dataclass(frozen=True, slots=True)
class _Case:
    """A submission with its match, and methods for the possible decisions."""

    submission: SubmittedRecord
    snapshot: MatchSnapshot

    @property
    def match(self) -> Match:
        return self.snapshot.match

    @property
    def is_own_report(self) -> bool:
        """The live result waits for confirmation, and the actor's side reported it."""
        live = self.snapshot.live
        return live is not None and is_own_report(self.match, live, self.submission.party)

    @property
    def counts_at_once(self) -> bool:
        return counts_at_once(self.submission.party, self.match)

    def refuse(self, refusal: Refusal | None) -> Decision:
        """Refuse the record; without ``refusal`` for the engine's first fault."""
        return Decision(self.submission, self.snapshot, OutcomeKind.REFUSED, refusal)

    def contest(self, number: int = 1, refusal: Refusal | None = None) -> Decision:
        """Store the record as one that contradicts the accepted result."""
        objection = refusal or Refusal(Reason.CONFLICTING_LOG)
        return Decision(
            self.submission, self.snapshot, OutcomeKind.CONTESTED, objection, number=number
        )

    def repeat(self, duplicate: AcceptedRecord, *, confirms: bool) -> Decision:
        """Answer with the accepted record of the same content, and confirm the live result."""
        outcome = OutcomeKind.CONFIRMED if confirms else OutcomeKind.DUPLICATE
        return Decision(self.submission, self.snapshot, outcome, duplicate_of=duplicate)

    def accept(self, *, counts: bool, confirms: bool = False, **kwargs: Any) -> Decision:
        """Accept the record; ``confirms``: it agrees with a result that waits for confirmation."""
        outcome = OutcomeKind.ACCEPTED if counts else OutcomeKind.REPORTED
        if confirms:
            outcome = OutcomeKind.CONFIRMED
        return Decision(self.submission, self.snapshot, outcome, counts=counts, **kwargs)


# --- the record fits its match --------------------------------------------------------------------


def _mismatch(
    submission: SubmittedRecord, snapshot: MatchSnapshot, record: engine.Record
) -> Refusal | None:
    """Return why a valid record does not fit this match, ``None`` if it fits."""
    match, tournament = snapshot.match, snapshot.match.tournament
    if match.away is None:
        return Refusal(Reason.NOTHING_TO_PLAY)
    if match.round.stage.rules.typed_only:
        return Refusal(Reason.TYPED_ONLY)
    if record.ruleset.name != tournament.ruleset:
        return Refusal(
            Reason.RULESET_MISMATCH, expected=tournament.ruleset, found=record.ruleset.name
        )
    expected, actual = _agreed_terms(match), _terms_of(record)
    if actual != expected:
        return Refusal(Reason.OPTIONS_MISMATCH, expected=expected, found=actual)
    people = sum(map(len, match.names))
    if len(record.seats) != people:
        return Refusal(Reason.WRONG_TABLE, expected=people, found=len(record.seats))
    if not submission.home:
        return Refusal(Reason.PAIRING_MISMATCH, expected=_describe_seats(match))
    if not submission.parsed.is_finished:
        return Refusal(Reason.INCOMPLETE)
    if not submission.vouches:
        return Refusal(Reason.UNAUDITED)
    if is_dealt_at_table(match):
        return None
    return deal_refusal(match, snapshot.cards, record, submission.home)


def _describe_seats(match: Match) -> str:
    """Return the entries and players of a match, side by side, for a refusal."""
    return " – ".join(
        f"{' + '.join(entry.name for entry in side)} ({', '.join(match.names_at(number))})"
        for number, side in enumerate(match.sides)
    )


def _agreed_terms(match: Match) -> str:
    """Return the length and house rules that a record of the match must have."""
    tournament, length = match.tournament, match.length
    options = length.options(tournament.options)
    return _terms_under(tournament.ruleset, json.dumps(options, sort_keys=True))


@lru_cache(maxsize=256)  # parsing an empty record costs as much as the rest of a decision
def _terms_under(ruleset: str, options: str) -> str:
    seats = list(engine.RULESETS[ruleset].seats)
    empty = {"format": "baza/1", "ruleset": ruleset, "options": json.loads(options)}
    return _terms_of(engine.parse_record({**empty, "seats": seats, "hands": []}))


def _terms_of(record: engine.Record) -> str:
    """Return the length and house rules of a record."""
    length = f"to {record.target}" if record.deals is None else f"deals {record.deals}"
    changed = [f"{name} {value}" for name, value in sorted(record.house_rules.items())]
    return ", ".join([length, *changed])


# --- a match of one record ------------------------------------------------------------------------


def _decide_whole(case: _Case, record: engine.Record, closed: Refusal | None) -> Decision:
    """Decide about a valid record of a match of one record."""
    snapshot, submission, match = case.snapshot, case.submission, case.match
    live = snapshot.live
    if duplicate := snapshot.accepted_like(submission):
        is_reported = live is not None and match.state == Match.State.REPORTED
        return case.repeat(duplicate, confirms=is_reported and not case.is_own_report)
    if closed:
        return case.refuse(closed)
    if refusal := deal_refusal(match, snapshot.cards, record, submission.home):
        return case.contest(refusal=refusal)
    hand_scores = board_scores(match, submission.parsed.verdict, submission.home)
    result = NewScore(submission.score, hand_scores)
    if live is None:
        return case.accept(counts=case.counts_at_once, result=result)
    if case.is_own_report:
        return case.accept(counts=False, result=result)
    agrees = not snapshot.accepted and score_in(live).agrees_with(submission.score)
    if agrees and match.state == Match.State.ACCEPTED:
        return case.accept(counts=True, result=replace(result, confirmed_by=live.confirmed_by))
    if agrees and match.state == Match.State.REPORTED:
        result = replace(result, confirmed_by=live.made_by)
        return case.accept(counts=True, confirms=True, result=result)
    return case.contest()


# --- a match of several cotos ---------------------------------------------------------------------


def _decide_coto(case: _Case, record: engine.Record, closed: Refusal | None) -> Decision:
    """Decide about a valid record of one coto."""
    snapshot = case.snapshot
    if duplicate := snapshot.accepted_like(case.submission):
        return case.repeat(duplicate, confirms=_confirms_cotos(case, duplicate))
    next_number = len(snapshot.accepted) + 1
    number = _coto_number(record, next_number)
    if refusal := closed or _refuse_coto(snapshot, number, next_number):
        return case.refuse(refusal)
    new = coto_of(case.submission.parsed.verdict_json, case.submission.home)
    if number < next_number:
        return _correct_coto(case, number, new)
    return _next_coto(case, number, new)


def _coto_number(record: engine.Record, next_number: int) -> int:
    """Return the number of the coto that a record is about: its tag, else the next one."""
    tag = str(record.tags.get(TAG, ""))
    is_number = tag.isascii() and tag.isdigit() and len(tag) <= 2
    return int(tag) if is_number else next_number


def _cotos_in(snapshot: MatchSnapshot) -> list[Coto]:
    return [record.ended for record in snapshot.accepted if isinstance(record.ended, Coto)]


def _refuse_coto(snapshot: MatchSnapshot, number: int, next_number: int) -> Refusal | None:
    """Return why a coto of this number cannot be accepted now, ``None`` if it can."""
    match = snapshot.match
    if 0 < number < next_number:
        return None
    cotos = _cotos_in(snapshot)
    if decided_by(cotos, match.tournament.cotos) is not None:
        won = tally(cotos, len(match.sides)).hands
        return Refusal(Reason.MATCH_DECIDED, text="-".join(map(str, won)))
    if number != next_number:
        return Refusal(Reason.OTHER_COTO, expected=next_number, found=number)
    return Refusal(Reason.ALREADY_DISPUTED) if match.state == Match.State.DISPUTED else None


def _confirms_cotos(case: _Case, duplicate: AcceptedRecord) -> bool:
    """Return whether the repeated coto confirms the result: two sides agree on every coto."""
    live = case.snapshot.live
    if live is None or case.match.state != Match.State.REPORTED or case.is_own_report:
        return False
    voices = [
        (*record.said_by, case.submission.submitter) if record is duplicate else record.said_by
        for record in case.snapshot.accepted
    ]
    return live.depth == Result.Depth.RECORD and _are_agreed(voices)


def _are_agreed(by_coto: Sequence[Sequence[str]]) -> bool:
    """Return whether the club, or two sides, have submitted every coto."""
    return all(CLUB in voices or len(set(voices)) >= 2 for voices in by_coto)


def _next_coto(case: _Case, number: int, new: Coto) -> Decision:
    """Accept the next coto, if it does not contradict the reported result."""
    match, live = case.match, case.snapshot.live
    cotos = [*_cotos_in(case.snapshot), new]
    withdraws = False
    if live is not None and not can_end_with(cotos, match.tournament.cotos, score_in(live)):
        if not case.is_own_report:
            return case.contest(number)
        withdraws, live = True, None
    if live is None or case.is_own_report:
        return _accept_coto(case, number, cotos, withdraws=withdraws)
    confirmed_by = live.made_by if match.state == Match.State.REPORTED else live.confirmed_by
    return _accept_coto(case, number, cotos, agrees=True, confirmed_by=confirmed_by)


def _correct_coto(case: _Case, number: int, new: Coto) -> Decision:
    """Replace a coto that the actor's side alone has submitted; contest any other."""
    match, snapshot, party = case.match, case.snapshot, case.submission.party
    cotos = _cotos_in(snapshot)
    cotos[number - 1] = new
    end = decided_by(cotos, match.tournament.cotos)
    is_alone = bool(party) and snapshot.accepted[number - 1].said_by == (party,)
    is_own = snapshot.live is None or case.is_own_report
    is_disputed = match.state == Match.State.DISPUTED
    if not is_alone or not is_own or is_disputed or end not in {None, len(cotos)}:
        return case.contest(number)
    return _accept_coto(case, number, cotos, withdraws=end is None and snapshot.live is not None)


def _accept_coto(
    case: _Case,
    number: int,
    cotos: Sequence[Coto],
    *,
    withdraws: bool = False,
    agrees: bool = False,
    confirmed_by: str = "",
) -> Decision:
    """Accept a coto; with the deciding one the match gets its result.

    ``agrees``: the match has a live result that these cotos lead to.
    """
    match, submission = case.match, case.submission
    kwargs: dict[str, Any] = {"number": number, "withdraws": withdraws, "ended": cotos[number - 1]}
    if decided_by(cotos, match.tournament.cotos) is None:
        progress = score_so_far_facts(match, cotos)
        return case.accept(counts=case.counts_at_once, progress=progress, **kwargs)
    voices = [record.said_by for record in case.snapshot.accepted if record.coto != number]
    counts = agrees or case.counts_at_once or _are_agreed([*voices, (submission.submitter,)])
    score = tally(cotos, len(match.sides))
    result = NewScore(score, coto_rows(cotos), confirmed_by)
    confirms = agrees and match.state == Match.State.REPORTED
    return case.accept(counts=counts, confirms=confirms, result=result, **kwargs)


# --- a match of deal sets -------------------------------------------------------------------------


def _decide_part(case: _Case, record: engine.Record, closed: Refusal | None) -> Decision:
    """Decide about a valid record of a match of deal sets.

    Refuses PLAYED_BY_BOTS for people, SETTLED where there is a result, OTHER_PART for a record
    that is not the next one.
    """
    snapshot, submission, match = case.snapshot, case.submission, case.match
    if duplicate := snapshot.accepted_like(submission):
        return case.repeat(duplicate, confirms=False)
    place = place_of(match, len(snapshot.accepted) + 1)
    if refusal := closed or _refuse_part(case, place, record):
        return case.refuse(refusal)
    verdict = submission.parsed.verdict
    hands = (hand.points for hand in verdict.hands)
    new = part_of(verdict.score or {}, hands, submission.home)
    sets = _sets_if_over(snapshot, place, new)
    kwargs: dict[str, Any] = {"number": place.number, "ended": new}
    if sets is None:
        return case.accept(counts=True, progress=place.facts, **kwargs)
    score = tally(sets, len(match.sides))
    return case.accept(counts=True, result=NewScore(score, set_rows(sets)), **kwargs)


def _refuse_part(case: _Case, place: SetPlace, record: engine.Record) -> Refusal | None:
    """Return why a record cannot be accepted as the next one, ``None`` if it can."""
    if case.submission.source != Record.Source.BOT:
        return Refusal(Reason.PLAYED_BY_BOTS)
    if case.snapshot.live is not None:
        return Refusal(Reason.SETTLED)
    if is_at(case.match, place, record, case.submission.home):
        return None
    part = " ".join(str(value) for value in identify_part(record).values() if value)[:100]
    return Refusal(Reason.OTHER_PART, expected=place.number, found=part)


def _sets_if_over(
    snapshot: MatchSnapshot, place: SetPlace, new: Part
) -> tuple[DealSet, ...] | None:
    """Return the sets of a match that ends with this record, else ``None``."""
    tournament = snapshot.match.tournament
    is_last = place.seating == len(snapshot.match.sides)
    if not is_last or not (tournament.stop or place.set == tournament.deal_sets):
        return None
    parts = [record.ended for record in snapshot.accepted if isinstance(record.ended, Part)]
    sets = sets_of([*parts, new])
    # No set before the last one has decided the match: it would have its result.
    if len(sets) >= tournament.deal_sets:
        return sets
    return sets if is_decided(sets, engine.Sprt(**tournament.stop)) else None
