"""A record that somebody sent about a match, and what can become of it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from types import MappingProxyType
from typing import Any, Final

import engine
from tournaments.audit import write_event
from tournaments.domain.scores import Score
from tournaments.domain.seating import score_of
from tournaments.errors import Reason, Refusal
from tournaments.models import Dispute, Hand, Match, Record, Result
from tournaments.permissions import Actor, side_of
from tournaments.services.analyses import analyse_when_accepted
from tournaments.services.answers import Outcome, Submitted
from tournaments.services.evidence import take_note, take_room
from tournaments.services.readings import Reading
from tournaments.services.results import (
    board_scores,
    confirm,
    contest,
    end_lease,
    is_own_report,
    replace_result,
    rows_of,
    score_facts,
    score_in,
)

State = Record.State
NOTHING: Final[Mapping[str, Any]] = MappingProxyType({})

CLUB: Final = "club"
"""What a record is said by, when no side of the match says it."""


@dataclass(frozen=True)
class Sent:
    """A reading of somebody's about a locked match, and what can become of it."""

    actor: Actor
    match: Match
    reading: Reading
    source: Record.Source
    side: str
    own: frozenset[int] | None = None
    """The players that the actor is, where they are known already."""

    @cached_property
    def results(self) -> list[Result]:
        """The versions of the match's result that there were before; it is locked."""
        return list(self.match.results.order_by())

    @property
    def live(self) -> Result | None:
        """The last word on the match before."""
        return next((result for result in self.results if result.live), None)

    def says_the_same_as(self, record: Record) -> bool:
        """Tell whether the record tells of the same hands with the same people at the seats."""
        return (record.digest, record.home_side) == (self.reading.verdict.digest, self.side)

    @cached_property
    def party(self) -> str:
        """The side that the record comes from; none when it is the club's."""
        return side_of(self.actor, self.match, self.own)

    @property
    def score(self) -> Score:
        """The score that the record comes to."""
        return score_of(self.reading.verdict, self.side)

    @property
    def voice(self) -> str:
        """Who says it, as records keep it: a side, or the club."""
        return self.party or CLUB

    def kept(self, coto: int = 1, *, is_first: bool = False) -> Record:
        """Write it down as accepted, with its hands, in place of the one that was there.

        ``is_first`` says that none was.
        """
        if self.reading.record is None:
            raise ValueError("what is no record is not accepted")
        if not is_first:
            self.match.records.accepted().filter(coto=coto).update(state=State.SUPERSEDED)
        row = self._written(State.ACCEPTED, coto=coto)
        write_hands(row, self.reading.record, self.reading.verdict)
        analyse_when_accepted(row)
        return row

    def accepted(self, there: Record | None, *, counts: bool, confirmed_by: str = "") -> Submitted:
        """Take it: the record, its hands, the result; and the new standings, once it counts.

        ``there`` is the accepted record in whose place it comes.
        """
        row = self.kept(is_first=there is None)
        end_lease(self.match)
        result = replace_result(
            self.actor,
            self.match,
            self.score,
            depth=Result.Depth.RECORD,
            counts=counts,
            before=self.results,
            record=row,
            hand_scores=board_scores(self.match, self.reading.verdict, self.side),
            reported_for=self.party,
            confirmed_by=confirmed_by,
        )
        is_first = there is None and not self.results
        rows = (row, result) if is_first else ()
        return self.taken(row, score_facts(result), counts=counts, rows=rows)

    def taken(
        self,
        row: Record,
        score: Mapping[str, Any] | None,
        *,
        counts: bool,
        rows: Sequence[Record | Result | Dispute] = (),
    ) -> Submitted:
        """Note that the record was accepted, or reported, and answer with it.

        ``rows`` are those that it changed, where they are known.
        """
        verb = "record.accepted" if counts else "record.reported"
        rows = rows or rows_of(self.match, row)
        self._note(verb, row, digest=row.digest, score=score, rows=rows)
        outcome = Outcome.ACCEPTED if counts else Outcome.REPORTED
        return Submitted(outcome, self.reading, self.match, row)

    def said_too(self, accepted: Record) -> None:
        """Keep that this side says the same as a record that is there."""
        if self.voice not in accepted.said_by:
            accepted.said_by = [*accepted.said_by, self.voice]
            accepted.save(update_fields=["said_by"])

    def again(self, accepted: Record, live: Result | None) -> Submitted:
        """Answer with the record that is there; from another side, it confirms that one."""
        self.said_too(accepted)
        is_reported = self.match.state == Match.State.REPORTED
        if live is None or not is_reported or is_own_report(self.match, live, self.party):
            return self.known(accepted)
        confirm(self.actor, self.match, live)
        return Submitted(Outcome.CONFIRMED, self.reading, self.match, accepted)

    def known(self, accepted: Record) -> Submitted:
        """Answer with a record that is there."""
        return Submitted(Outcome.DUPLICATE, self.reading, self.match, accepted)

    def beside(self, live: Result, accepted: Record | None) -> Submitted:
        """Set it against the result that is there."""
        if is_own_report(self.match, live, self.party):
            return self.accepted(accepted, counts=False)
        agrees = accepted is None and score_in(live).agrees_with(self.score)
        if agrees and self.match.state == Match.State.ACCEPTED:
            return self.accepted(accepted, counts=True, confirmed_by=live.confirmed_by)
        if agrees and self.match.state == Match.State.REPORTED:
            confirmed = self.accepted(accepted, counts=True, confirmed_by=live.made_by)
            return replace(confirmed, outcome=Outcome.CONFIRMED)
        return self.contested()

    def refused(self, refusal: Refusal | None) -> Submitted:
        """Keep it as evidence, once, with the code of the refusal or of the first fault."""
        answer = Submitted(Outcome.REFUSED, self.reading, self.match, None, refusal)
        same = {"state": State.REFUSED, "sha256": self.reading.sha256, "code": answer.code}
        row = self.match.records.filter(**same).first()
        if row is None and not take_room(self.actor, self.match, len(self.reading.body)):
            return self._unkept(answer)
        if row is None:
            params = refusal.params if refusal else {}
            row = self._written(State.REFUSED, answer.code, params)
            self._note("record.refused", row, code=row.code, sha256=row.sha256)
        return replace(answer, record=row)

    def contested(self, coto: int = 1, refusal: Refusal | None = None) -> Submitted:
        """Keep it beside the accepted one, and ask the arbiter; what he ruled on stays ruled."""
        refusal = refusal or Refusal(Reason.CONFLICTING_LOG)
        known = self.match.records.filter(
            coto=coto,
            state__in=(State.CONTESTED, State.SUPERSEDED),
            digest=self.reading.verdict.digest,
            home_side=self.side,
        ).first()
        answer = Submitted(Outcome.CONTESTED, self.reading, self.match, known, refusal)
        if known is None and not self._may_contest():
            return self._unkept(answer)
        row = known or self._written(State.CONTESTED, refusal.code, refusal.params, coto=coto)
        if known is None:
            self._note("record.contested", row, digest=row.digest, rows=[row])
            contest(self.actor, self.match, refusal.code, record=row)
        return replace(answer, record=row)

    def _may_contest(self) -> bool:
        """Tell whether there is room for it; the first of a match always opens its dispute."""
        has_room = take_room(self.actor, self.match, len(self.reading.body))
        return has_room or not self.match.records.filter(state=State.CONTESTED).exists()

    def _unkept(self, answer: Submitted) -> Submitted:
        """Note the digest of what is not kept, there being enough of it."""
        take_note(self.actor)
        facts = {"code": answer.code, "size": len(self.reading.body), "sha256": self.reading.sha256}
        self._note("record.unkept", self.match, **facts)
        return replace(answer, is_kept=False)

    def _written(
        self,
        state: Record.State,
        code: str = "",
        params: Mapping[str, Any] = NOTHING,
        coto: int = 1,
    ) -> Record:
        row = self.as_row(state, code, params, coto)
        row.save(force_insert=True)
        return row

    def as_row(
        self,
        state: Record.State,
        code: str = "",
        params: Mapping[str, Any] = NOTHING,
        coto: int = 1,
    ) -> Record:
        """Return it as a row that is not written yet."""
        return Record(
            match=self.match,
            coto=coto,
            said_by=[self.voice],
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

    def _note(self, verb: str, subject: Record | Match, **facts: Any) -> None:
        tournament = self.match.tournament
        write_event(self.actor, verb, subject, club=tournament.club, tournament=tournament, **facts)


def write_hands(row: Record, record: engine.Record, verdict: engine.Verdict) -> None:
    """Write the hands of a valid record, with the points that the replay gave."""
    Hand.objects.bulk_create(hands_of(row, record, verdict))


def hands_of(row: Record, record: engine.Record, verdict: engine.Verdict) -> list[Hand]:
    """Return the hands of a valid record as rows that are not written yet."""
    return [
        Hand(
            record_id=row.pk,
            number=replayed.number,
            dealer=hand.dealer,
            trump=hand.trump or "",
            deal=None if hand.deal is None else dict(hand.deal),
            play=hand.play,
            points=dict(replayed.points or {}),
            winner=replayed.winner or "",
        )
        for hand, replayed in zip(record.hands, verdict.hands, strict=True)
    ]
