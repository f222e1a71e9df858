"""The first record of a match of people, the plainest that is sent: many of them written as one.

Where one record is the whole of a match that has none and no result either, nothing that is there
has to be looked at, and the rows of many such records go into the database by a handful of
statements. Whoever has several of them has locked the tournament and the matches before.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from tournaments.audit import Told, write_all_events
from tournaments.models import Hand, Match, Record, Result, Tournament
from tournaments.services.analyses import analyse_all_accepted
from tournaments.services.answers import Outcome, Submitted
from tournaments.services.locks import bump
from tournaments.services.results import counts_at_once, result_row, score_facts
from tournaments.services.sent import Sent, State, hands_of


@dataclass(frozen=True, slots=True)
class First:
    """The first record of a match, with its row, which is to be written."""

    sent: Sent
    row: Record
    counts: bool

    @property
    def submitted(self) -> Submitted:
        """The answer to who sent it, once it is written."""
        outcome = Outcome.ACCEPTED if self.counts else Outcome.REPORTED
        return Submitted(outcome, self.sent.reading, self.sent.match, self.row)


def is_of_one_record(match: Match) -> bool:
    """Tell whether one record is the whole of the match, with deals of its own."""
    tournament = match.tournament
    is_whole = tournament.cotos == 1 and not tournament.deal_sets and not match.boards
    return is_whole and match.round.play_requested_at is None


def is_plain(match: Match) -> bool:
    """Tell whether one record of people is the whole of the match."""
    return is_of_one_record(match) and not match.is_of_bots


def first_of(sent: Sent) -> First:
    """Return a valid record as the first of its match, which is locked, plain and open."""
    return First(sent, sent.as_row(State.ACCEPTED), counts_at_once(sent.party, sent.match))


def write_firsts(tournament: Tournament, firsts: Sequence[First]) -> None:
    """Write records, hands, results, states and events, with one step of the version.

    The tournament and the matches are locked; nothing is locked after.
    """
    Record.objects.bulk_create([one.row for one in firsts])
    Hand.objects.bulk_create([hand for one in firsts for hand in _hands(one)])
    if any(one.counts for one in firsts):
        bump(tournament)
    results = [_result(one, tournament) for one in firsts]
    Result.objects.bulk_create(results)
    for counts, state in ((True, Match.State.ACCEPTED), (False, Match.State.REPORTED)):
        keys = [one.sent.match.pk for one in firsts if one.counts is counts]
        Match.objects.filter(pk__in=keys).update(state=state)
    analyse_all_accepted([one.row for one in firsts])
    told = [_told(one, result) for one, result in zip(firsts, results, strict=True)]
    write_all_events(told, club=tournament.club, tournament=tournament)
    for one in firsts:
        one.sent.match.state = Match.State.ACCEPTED if one.counts else Match.State.REPORTED


def _hands(first: First) -> list[Hand]:
    reading = first.sent.reading
    if reading.record is None:
        raise ValueError("what is no record is not accepted")
    return hands_of(first.row, reading.record, reading.verdict)


def _result(first: First, tournament: Tournament) -> Result:
    sent = first.sent
    row = result_row(
        sent.actor,
        sent.match,
        sent.score,
        Result.Depth.RECORD,
        {"record": first.row, "reported_for": sent.party},
        version=1,
    )
    row.counts_from = tournament.version if first.counts else None
    return row


def _told(first: First, result: Result) -> Told:
    verb = "record.accepted" if first.counts else "record.reported"
    facts = {"digest": first.row.digest, "score": score_facts(result), "rows": [first.row, result]}
    return first.sent.actor, verb, first.row, facts
