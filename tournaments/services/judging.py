"""Deciding about a record: what was read is set against a match that is locked.

The first objection decides, in this order: a lease that has run out, what the engine finds (a form
that is no record, then a broken rule), another ruleset or length, other seats, a match that is
unfinished or not audited, a round that is not open. A record of the club counts at once; one that
a side submits waits for the other. The same record again is answered with the one accepted, and
confirms it when it comes from another side; another one, once there is a result, is kept beside it
and opens a dispute, unless a side puts right what it reported itself.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from types import MappingProxyType
from typing import Any, Final

from django.db import transaction

import engine
from tournaments.audit import write_event
from tournaments.domain.scores import Score
from tournaments.domain.seating import home_side, score_of
from tournaments.errors import Reason, Refusal
from tournaments.models import Hand, Match, Record, Result, Round, Tournament
from tournaments.permissions import Actor, may_vouch, side_of
from tournaments.services.answers import Outcome, Submitted
from tournaments.services.leases import Lease, is_live
from tournaments.services.locks import lock_match
from tournaments.services.matching import seated
from tournaments.services.readings import Reading
from tournaments.services.results import (
    SETTLED,
    board_scores,
    confirm,
    contest,
    counts_at_once,
    is_own_report,
    length_of,
    replace_result,
    score_facts,
    score_in,
)

State = Record.State
Source = Record.Source
NOTHING: Final[Mapping[str, Any]] = MappingProxyType({})


@transaction.atomic
def judge(
    actor: Actor, match: Match, reading: Reading, source: Source, lease: Lease | None
) -> Submitted:
    """Decide about a reading, in the order that the module's docstring gives."""
    if reading.document is None:
        return _unreadable(actor, match, reading)
    match = lock_match(match)
    sent = _Sent(actor, match, reading, source, _home_side(match, reading))
    if lease is not None and not is_live(lease):
        return sent.refused(Refusal(Reason.LATE_RESULT))
    if reading.record is None or reading.fault is not None:
        return sent.refused(None)
    if refusal := _mismatch(sent, reading.record):
        return sent.refused(refusal)
    accepted = match.records.accepted().first()
    live = match.results.live().first()
    if accepted is not None and sent.says_the_same_as(accepted):
        return sent.again(accepted, live)
    if refusal := not_open(match) or _settled(live, accepted):
        return sent.refused(refusal)
    if live is None:
        return sent.accepted(counts=counts_at_once(sent.party, match))
    return sent.beside(live, accepted)


def _home_side(match: Match, reading: Reading) -> str:
    if match.away is None or not reading.seats:
        return ""
    sides = [match.names_at(number) for number in range(len(match.sides))]
    return home_side(reading.seats, *sides)


def _mismatch(sent: _Sent, record: engine.Record) -> Refusal | None:
    """Return why a valid record is not one of this match, if it is not."""
    match, tournament = sent.match, sent.match.tournament
    if match.away is None:
        return Refusal(Reason.NOTHING_TO_PLAY)
    if record.ruleset.name != tournament.ruleset:
        return Refusal(
            Reason.RULESET_MISMATCH, expected=tournament.ruleset, found=record.ruleset.name
        )
    expected, found = _agreed(match), _played_under(record)
    if found != expected:
        return Refusal(Reason.OPTIONS_MISMATCH, expected=expected, found=found)
    people = sum(len(match.names_at(number)) for number in range(len(match.sides)))
    if len(record.seats) != people:
        return Refusal(Reason.WRONG_TABLE, expected=people, found=len(record.seats))
    if not sent.side:
        return Refusal(Reason.PAIRING_MISMATCH, expected=seated(match))
    if not sent.reading.is_finished:
        return Refusal(Reason.INCOMPLETE)
    if not sent.reading.is_audited and not may_vouch(sent.actor, match):
        return Refusal(Reason.UNAUDITED)
    return None


def not_open(match: Match) -> Refusal | None:
    """Return why the match takes no records and reports now, if it takes none.

    It does while its round is played, and afterwards as long as it lacks its result: when it was
    postponed, or its result was voided.
    """
    is_running = match.tournament.state == Tournament.State.RUNNING
    is_decided = match.state == Match.State.ACCEPTED
    is_open = match.round.state == Round.State.PUBLISHED or (
        match.round.state == Round.State.CLOSED and not is_decided
    )
    if is_running and is_open:
        return None
    return Refusal(Reason.ROUND_CLOSED, round=match.round.number)


def _settled(live: Result | None, accepted: Record | None) -> Refusal | None:
    """Return SETTLED for a match whose result is the arbiter's own word."""
    if live is None or accepted is not None or live.depth not in SETTLED:
        return None
    return Refusal(Reason.SETTLED)


def _agreed(match: Match) -> str:
    """Return what a record of the match has to be played under."""
    tournament, length = match.tournament, length_of(match)
    seats = list(engine.RULESETS[tournament.ruleset].seats)
    options = length.options(tournament.options)
    empty = {"format": "baza/1", "ruleset": tournament.ruleset, "options": options}
    return _played_under(engine.parse_record({**empty, "seats": seats, "hands": []}))


def _played_under(record: engine.Record) -> str:
    """Return how long the match of a record is, and what its rules change of their ruleset."""
    length = f"to {record.target}" if record.deals is None else f"deals {record.deals}"
    changed = [f"{name} {value}" for name, value in sorted(record.house_rules.items())]
    return ", ".join([length, *changed])


@dataclass(frozen=True)
class _Sent:
    """A reading of somebody's about a locked match, and what can become of it."""

    actor: Actor
    match: Match
    reading: Reading
    source: Source
    side: str

    def says_the_same_as(self, record: Record) -> bool:
        """Tell whether the record tells of the same hands with the same people at the seats."""
        return (record.digest, record.home_side) == (self.reading.verdict.digest, self.side)

    @property
    def party(self) -> str:
        """The side that the record comes from; none when it is the club's."""
        return side_of(self.actor, self.match)

    @property
    def score(self) -> Score:
        """The score that the record comes to."""
        return score_of(self.reading.verdict, self.side)

    def accepted(self, *, counts: bool, confirmed_by: str = "") -> Submitted:
        """Take it: the record, its hands, the result; and the new standings, once it counts."""
        if self.reading.record is None:
            raise ValueError("what is no record is not accepted")
        self.match.records.accepted().update(state=State.SUPERSEDED)
        row = self._written(State.ACCEPTED)
        write_hands(row, self.reading.record, self.reading.verdict)
        Match.objects.filter(pk=self.match.pk).update(lease_token="", lease_until=None)
        result = replace_result(
            self.actor,
            self.match,
            self.score,
            depth=Result.Depth.RECORD,
            counts=counts,
            record=row,
            hand_scores=board_scores(self.match, self.reading.verdict, self.side),
            reported_for=self.party,
            confirmed_by=confirmed_by,
        )
        verb = "record.accepted" if counts else "record.reported"
        self._note(verb, row, digest=row.digest, score=score_facts(result))
        outcome = Outcome.ACCEPTED if counts else Outcome.REPORTED
        return Submitted(outcome, self.reading, self.match, row)

    def again(self, accepted: Record, live: Result | None) -> Submitted:
        """Answer with the record that is there; from another side, it confirms that one."""
        is_reported = self.match.state == Match.State.REPORTED
        if live is None or not is_reported or is_own_report(self.match, live, self.party):
            return Submitted(Outcome.DUPLICATE, self.reading, self.match, accepted)
        confirm(self.actor, self.match, live)
        return Submitted(Outcome.CONFIRMED, self.reading, self.match, accepted)

    def beside(self, live: Result, accepted: Record | None) -> Submitted:
        """Set it against the result that is there."""
        if is_own_report(self.match, live, self.party):
            return self.accepted(counts=False)
        agrees = accepted is None and score_in(live).agrees_with(self.score)
        if agrees and self.match.state == Match.State.ACCEPTED:
            return self.accepted(counts=True, confirmed_by=live.confirmed_by)
        if agrees and self.match.state == Match.State.REPORTED:
            confirmed = self.accepted(counts=True, confirmed_by=live.made_by)
            return replace(confirmed, outcome=Outcome.CONFIRMED)
        return self.contested()

    def refused(self, refusal: Refusal | None) -> Submitted:
        """Keep it as evidence, once, with the code of the refusal or of the first fault."""
        answer = Submitted(Outcome.REFUSED, self.reading, self.match, None, refusal)
        same = {"state": State.REFUSED, "sha256": self.reading.sha256, "code": answer.code}
        row = self.match.records.filter(**same).first()
        if row is None:
            params = refusal.params if refusal else {}
            row = self._written(State.REFUSED, answer.code, params)
            self._note("record.refused", row, code=row.code, sha256=row.sha256)
        return replace(answer, record=row)

    def contested(self) -> Submitted:
        """Keep it beside the accepted one, and ask the arbiter; what he ruled on stays ruled."""
        refusal = Refusal(Reason.CONFLICTING_LOG)
        known = self.match.records.filter(
            state__in=(State.CONTESTED, State.SUPERSEDED),
            digest=self.reading.verdict.digest,
            home_side=self.side,
        ).first()
        row = known or self._written(State.CONTESTED, refusal.code)
        if known is None:
            self._note("record.contested", row, digest=row.digest)
            contest(self.actor, self.match, Reason.CONFLICTING_LOG.code, record=row)
        return Submitted(Outcome.CONTESTED, self.reading, self.match, row, refusal)

    def _written(
        self, state: Record.State, code: str = "", params: Mapping[str, Any] = NOTHING
    ) -> Record:
        return Record.objects.create(
            match=self.match,
            state=state,
            source=self.source,
            text=self.reading.text,
            sha256=self.reading.sha256,
            digest=self.reading.verdict.digest or "",
            home_side=self.side,
            verdict=self.reading.verdict_json,
            code=code,
            params=dict(params),
            submitted_by=self.actor.user,
            submitter=self.actor.label[:200],
        )

    def _note(self, verb: str, subject: Record, **facts: Any) -> None:
        tournament = self.match.tournament
        write_event(self.actor, verb, subject, club=tournament.club, tournament=tournament, **facts)


def write_hands(row: Record, record: engine.Record, verdict: engine.Verdict) -> None:
    """Write the hands of a valid record, with the points that the replay gave."""
    Hand.objects.bulk_create(
        Hand(
            record=row,
            number=replayed.number,
            dealer=hand.dealer,
            trump=hand.trump or "",
            deal=None if hand.deal is None else dict(hand.deal),
            play=hand.play,
            points=dict(replayed.points or {}),
            winner=replayed.winner or "",
        )
        for hand, replayed in zip(record.hands, verdict.hands, strict=True)
    )


def _unreadable(actor: Actor, match: Match, reading: Reading) -> Submitted:
    """Note a body that holds no JSON object; it is not kept."""
    answer = Submitted(Outcome.REFUSED, reading, match, None)
    _note_unkept(actor, "record.unreadable", match, match.tournament, answer)
    return answer


@transaction.atomic
def note_unmatched(
    actor: Actor, tournament: Tournament, reading: Reading, refusal: Refusal
) -> Submitted:
    """Note a body that fits no match of the tournament; it is not kept.

    When it is no record at all, that is the objection.
    """
    objection = None if reading.error else refusal
    answer = Submitted(Outcome.REFUSED, reading, None, None, objection)
    verb = "record.unreadable" if reading.error else "record.unmatched"
    _note_unkept(actor, verb, tournament, tournament, answer)
    return answer


def _note_unkept(
    actor: Actor,
    verb: str,
    subject: Match | Tournament,
    tournament: Tournament,
    answer: Submitted,
) -> None:
    facts: dict[str, Any] = {
        "code": answer.code,
        "reason": answer.reason,
        "size": len(answer.reading.body),
        "sha256": answer.reading.sha256,
    }
    write_event(actor, verb, subject, club=tournament.club, tournament=tournament, **facts)
