"""Taking many records at once that bots have played under their leases: the rows, and the fence.

A match is taken here when everything about it is as its player left it: the lease is live, the
match waits, nobody has given it a result, its records are those that it had. Then what judging
would say of each record is known, and all of them are written by a handful of statements, with one
step of the tournament's version. Of every other match nothing is written: it goes alone
(:mod:`.playing`), and judging says what is to be said.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Final, NamedTuple

from django.db import transaction

from tournaments.audit import write_events
from tournaments.metrics import SUBMISSIONS
from tournaments.models import Attempt, Entry, Hand, Match, Record, Result, Round, Tournament
from tournaments.models.matches import PLACES
from tournaments.permissions import Actor
from tournaments.queries.state import match_facts, refusal_of
from tournaments.services import attempts
from tournaments.services.answers import Outcome
from tournaments.services.courses import Course, Step
from tournaments.services.judging import home_side_at, mismatch
from tournaments.services.leases import Lease, live
from tournaments.services.locks import bump, lock_tournament
from tournaments.services.readings import read_made
from tournaments.services.results import More, close_if_complete, result_row, score_facts
from tournaments.services.sent import Sent, State, hands_of
from tournaments.services.sitting import Finished

NOBODY: Final[frozenset[int]] = frozenset()
"""The players that the service itself is."""


TABLE: Final = (*(f"{place}_id" for place in PLACES), "state", "lineup", "boards", "round_id")
"""What a match has to be as it was left, when its records are written."""


class Draft(NamedTuple):
    """A record that was played and is not written yet, and what it does to its match."""

    number: int
    finished: Finished
    sent: Sent
    step: Step

    @property
    def identity(self) -> tuple[str, str]:
        """What tells it from other records: its digest, and where home sat."""
        return self.sent.reading.verdict.digest or "", self.sent.side


@dataclass
class Run:
    """A match at play: ``there`` are the digests and sides of the records that it has."""

    match: Match
    lease: Lease
    course: Course
    there: list[tuple[str, str]]
    drafts: list[Draft] = field(default_factory=list)
    is_begun: bool = False

    @property
    def is_over(self) -> bool:
        """The last record of the match is played."""
        return bool(self.drafts) and self.drafts[-1].step.ending is not None

    @property
    def number(self) -> int:
        """The number of its next record."""
        return len(self.there) + len(self.drafts) + 1

    def written(self) -> None:
        """Take note that the drafts are rows now."""
        self.there += [draft.identity for draft in self.drafts]
        self.drafts, self.is_begun = [], True


class _Row(NamedTuple):
    """A draft as it is written."""

    draft: Draft
    row: Record

    @property
    def match(self) -> Match:
        """The match that it is about."""
        return self.draft.sent.match


def records_there(match_pks: Collection[int]) -> dict[int, list[tuple[str, str]]]:
    """Return digests and sides of the accepted records of matches, in order."""
    found: dict[int, list[tuple[str, str]]] = defaultdict(list)
    rows = Record.objects.accepted().filter(match__in=match_pks).order_by("match_id", "coto")
    for match, digest, side in rows.values_list("match", "digest", "home_side"):
        found[match].append((digest, side))
    return found


def draft_of(match: Match, number: int, finished: Finished, course: Course) -> Draft | None:
    """Return a record that was played as it is to be written; nothing where it is not plain.

    It is replayed as everybody's record is, and set against its match; the course goes on by it.
    """
    lost = finished.lost
    if lost.forfeits or lost.absent or finished.leaving:
        return None
    reading = read_made(finished.record)
    if reading.record is None or reading.fault is not None:
        return None
    side = home_side_at(match, reading)
    sent = Sent(Actor.system(), match, reading, Record.Source.BOT, side, NOBODY)
    if mismatch(sent, reading.record):
        return None
    return Draft(number, finished, sent, course.step(reading, side))


def take(tournament: Tournament, runs: Sequence[Run]) -> set[int]:
    """Write the drafts of matches of a tournament; answers which matches have to go alone."""
    with transaction.atomic():
        now = lock_tournament(tournament)
        ready = _as_left(now, runs) if _terms(now) == _terms(tournament) else []
        rows = [_Row(draft, _row(draft)) for run in ready for draft in run.drafts]
        if rows:
            _write(now, rows, runs[0].lease.token)
    SUBMISSIONS.labels(Outcome.ACCEPTED).inc(len(rows))
    return {run.match.pk for run in runs} - {run.match.pk for run in ready}


def _terms(tournament: Tournament) -> tuple[Any, ...]:
    """Return what a record, and how many records, make a match."""
    length = tournament.deal_sets, tournament.stop, tournament.cotos
    return tournament.slug, tournament.ruleset, tournament.options, *length


def _as_left(tournament: Tournament, runs: Sequence[Run]) -> list[Run]:
    """Lock the matches in order; return those runs whose match is as its player left it."""
    by_key = {run.match.pk: run for run in runs}
    rows = Match.objects.select_for_update(no_key=True).filter(pk__in=by_key).order_by("pk")
    facts = {pk: facts for pk, *facts in rows.values_list("pk", *TABLE)}
    holds = live(*(run.lease for run in runs))
    settled = set(Result.objects.filter(match__in=holds).values_list("match", flat=True))
    there = records_there(holds)
    _renew_rounds(tournament, runs)
    others = _called_otherwise(runs)
    return [
        run
        for pk, run in by_key.items()
        if pk in holds
        and pk not in settled
        and facts[pk] == [getattr(run.match, name) for name in TABLE]
        and there.get(pk, []) == run.there
        and others.isdisjoint(entry.pk for side in run.match.sides for entry in side)
        and not refusal_of("submit", match_facts(run.match))
        and not _says_twice(run)
    ]


def _renew_rounds(tournament: Tournament, runs: Sequence[Run]) -> None:
    """Hang the matches under rounds and a tournament as they are now."""
    rounds = Round.objects.in_bulk({run.match.round_id for run in runs})
    for run in runs:
        stage = run.match.round.stage
        stage.tournament = tournament
        run.match.round = rounds[run.match.round_id]
        run.match.round.stage = stage


def _called_otherwise(runs: Sequence[Run]) -> set[int]:
    """Return the entries at the tables that have another name now."""
    known = {entry.pk: entry for run in runs for side in run.match.sides for entry in side}
    now = Entry.objects.filter(pk__in=known).values_list("pk", "name", "seats", "bot")
    same = {
        pk for pk, *facts in now if facts == [known[pk].name, known[pk].seats, known[pk].bot_id]
    }
    return set(known) - same


def _says_twice(run: Run) -> bool:
    """Tell whether the match would have the same record twice."""
    all_ = [*run.there, *(draft.identity for draft in run.drafts)]
    return len(set(all_)) < len(all_)


def _row(draft: Draft) -> Record:
    return draft.sent.as_row(State.ACCEPTED, coto=draft.number)


def _write(tournament: Tournament, rows: Sequence[_Row], token: str) -> None:
    """Write records, hands, results, states, ends of attempts and events."""
    Record.objects.bulk_create([row.row for row in rows])
    Hand.objects.bulk_create([hand for row in rows for hand in _hands(row)])
    results = _write_results(tournament, rows)
    told = [_told(row, results.get(row.match.pk)) for row in rows]
    decided = {row.match.pk: row.match for row in rows if row.draft.step.ending}
    if decided:
        waits = Match.objects.filter(pk__in=decided)
        waits.update(state=Match.State.ACCEPTED, lease_token="", lease_until=None)
        attempts.end_together(decided, token, Attempt.Outcome.PLAYED)
        for match in {match.round_id: match for match in decided.values()}.values():
            close_if_complete(match)
    write_events(Actor.system(), told, club=tournament.club, tournament=tournament)


def _hands(row: _Row) -> list[Hand]:
    reading = row.draft.sent.reading
    if reading.record is None:
        raise ValueError("what is no record is not accepted")
    return hands_of(row.row, reading.record, reading.verdict)


def _write_results(tournament: Tournament, rows: Sequence[_Row]) -> dict[int, Result]:
    """Give the matches that are decided their results, which count from the next version on."""
    results = {}
    if any(row.draft.step.ending for row in rows):
        bump(tournament)
    for row in rows:
        ending, match = row.draft.step.ending, row.match
        if ending is not None:
            more: More = {"record": row.row, "hand_scores": ending.rows}
            depth = Result.Depth.RECORD
            result = result_row(Actor.system(), match, ending.score, depth, more, version=1)
            result.counts_from = tournament.version
            results[match.pk] = result
    Result.objects.bulk_create(results.values())
    return results


def _told(row: _Row, result: Result | None) -> tuple[str, Record, Mapping[str, Any]]:
    """Return the event of a record."""
    step = row.draft.step
    score = score_facts(result) if step.ending else step.facts
    rows = [row.row] if result is None or not step.ending else [row.row, result]
    return "record.accepted", row.row, {"digest": row.row.digest, "score": score, "rows": rows}
