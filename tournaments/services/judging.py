"""Deciding about a record: what was read is set against a match that is locked.

The first objection decides, in this order: a lease that has run out, what the engine finds (a form
that is no record, then a broken rule), another ruleset or length, other seats, a match that is
unfinished or not audited, a round that is not open. A record of the club counts at once; one that
a side submits waits for the other. The same record again is answered with the one accepted, and
confirms it when it comes from another side; another one, once there is a result, is kept beside it
and opens a dispute, unless a side puts right what it reported itself. Where several cotos make a
match, :mod:`.cotos` decides what becomes of each; of deal sets, :mod:`.sets`. Where all tables play
the same deals, a record of other cards is refused; if it is the tables that deal, it opens a
dispute.
"""

from __future__ import annotations

import json
from functools import lru_cache
from typing import Any

from django.db import transaction

import engine
from tournaments.audit import write_event
from tournaments.domain.seating import home_side
from tournaments.errors import Reason, Refusal
from tournaments.models import Match, Record, Result, Tournament
from tournaments.models.rows import one_or_none
from tournaments.permissions import Actor, may_vouch, own_at
from tournaments.queries.state import match_facts, refusal_of
from tournaments.services.answers import Outcome, Submitted
from tournaments.services.boards import is_dealt_here, other_deal
from tournaments.services.cotos import judge_coto
from tournaments.services.evidence import take_note
from tournaments.services.leases import Lease, is_live
from tournaments.services.locks import lock_match
from tournaments.services.matching import seated
from tournaments.services.readings import Reading
from tournaments.services.results import SETTLED, counts_at_once, length_of
from tournaments.services.sent import Sent
from tournaments.services.sets import judge_set_record

Source = Record.Source


@transaction.atomic(savepoint=False)
def judge(
    actor: Actor, match: Match, reading: Reading, source: Source, lease: Lease | None
) -> Submitted:
    """Decide about a reading, in the order that the module's docstring gives."""
    if reading.document is None:
        return _unreadable(actor, match, reading)
    match = lock_match(match)
    own = own_at(actor, match)
    sent = Sent(actor, match, reading, source, home_side_at(match, reading), own)
    if lease is not None and not is_live(lease):
        return sent.refused(Refusal(Reason.LATE_RESULT))
    if reading.record is None or reading.fault is not None:
        return sent.refused(None)
    if refusal := mismatch(sent, reading.record):
        return sent.refused(refusal)
    if match.tournament.deal_sets:
        return judge_set_record(sent, refusal_of("submit", match_facts(match)))
    if match.tournament.cotos > 1:
        return judge_coto(sent, refusal_of("submit", match_facts(match)))
    return _judge_whole(sent, reading.record)


def _judge_whole(sent: Sent, record: engine.Record) -> Submitted:
    """Decide about a valid record that is the whole of its match."""
    match = sent.match
    accepted = one_or_none(match.records.accepted())
    live = sent.live
    if accepted is not None and sent.says_the_same_as(accepted):
        return sent.again(accepted, live)
    if refusal := refusal_of("submit", match_facts(match)) or _settled(live, accepted):
        return sent.refused(refusal)
    if refusal := other_deal(match, record, sent.side):
        return sent.contested(refusal=refusal)
    if live is None:
        return sent.accepted(accepted, counts=counts_at_once(sent.party, match))
    return sent.beside(live, accepted)


def home_side_at(match: Match, reading: Reading) -> str:
    """Return at which seats home sat in what was read; nothing when the names do not fit."""
    if match.away is None or not reading.seats:
        return ""
    return home_side(match.as_called_now(reading.seats), *match.names)


def mismatch(sent: Sent, record: engine.Record) -> Refusal | None:
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
    people = sum(map(len, match.names))
    if len(record.seats) != people:
        return Refusal(Reason.WRONG_TABLE, expected=people, found=len(record.seats))
    if not sent.side:
        return Refusal(Reason.PAIRING_MISMATCH, expected=seated(match))
    if not sent.reading.is_finished:
        return Refusal(Reason.INCOMPLETE)
    if not sent.reading.is_audited and not may_vouch(sent.actor, match):
        return Refusal(Reason.UNAUDITED)
    return None if is_dealt_here(match) else other_deal(match, record, sent.side)


def _settled(live: Result | None, accepted: Record | None) -> Refusal | None:
    """Return SETTLED for a match whose result is the arbiter's own word."""
    if live is None or accepted is not None or live.depth not in SETTLED:
        return None
    return Refusal(Reason.SETTLED)


def _agreed(match: Match) -> str:
    """Return what a record of the match has to be played under."""
    tournament, length = match.tournament, length_of(match)
    options = length.options(tournament.options)
    return _agreed_by(tournament.ruleset, json.dumps(options, sort_keys=True))


@lru_cache(maxsize=256)
def _agreed_by(ruleset: str, options: str) -> str:
    seats = list(engine.RULESETS[ruleset].seats)
    empty = {"format": "baza/1", "ruleset": ruleset, "options": json.loads(options)}
    return _played_under(engine.parse_record({**empty, "seats": seats, "hands": []}))


def _played_under(record: engine.Record) -> str:
    """Return how long the match of a record is, and what its rules change of their ruleset."""
    length = f"to {record.target}" if record.deals is None else f"deals {record.deals}"
    changed = [f"{name} {value}" for name, value in sorted(record.house_rules.items())]
    return ", ".join([length, *changed])


def _unreadable(actor: Actor, match: Match, reading: Reading) -> Submitted:
    """Note a body that holds no JSON object; it is not kept. Refuses EVIDENCE_FULL."""
    answer = Submitted(Outcome.REFUSED, reading, match, None)
    _note_unkept(actor, "record.unreadable", match, match.tournament, answer)
    return answer


@transaction.atomic
def note_unmatched(
    actor: Actor, tournament: Tournament, reading: Reading, refusal: Refusal
) -> Submitted:
    """Note a body that fits no match of the tournament; it is not kept.

    When it is no record at all, that is the objection. Refuses EVIDENCE_FULL.
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
    take_note(actor)
    facts: dict[str, Any] = {
        "code": answer.code,
        "reason": answer.reason,
        "size": len(answer.reading.body),
        "sha256": answer.reading.sha256,
    }
    write_event(actor, verb, subject, club=tournament.club, tournament=tournament, **facts)
