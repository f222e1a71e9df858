"""The results desk: the tables of a running round by how far they are, and what is in dispute."""

from __future__ import annotations

import zlib
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Final

from tournaments.models import Dispute, Match, Result, Round
from tournaments.permissions import Actor, refuse_unless
from tournaments.queries.find import find_tournament, found
from tournaments.queries.heads import TournamentHead, opened
from tournaments.queries.rows import (
    DisputeRow,
    MatchRow,
    dispute_row,
    in_play,
    live_results,
    match_row,
)

States = Match.State

GROUPS: Final = {
    "waiting": (States.PENDING,),
    "reported": (States.REPORTED,),
    "disputed": (States.DISPUTED,),
    "postponed": (States.POSTPONED,),
    "done": (States.ACCEPTED,),
}
"""How far a table is, by the states of its match."""
OPEN: Final = ("waiting", "reported")
"""Groups of tables whose result can be noted."""


@dataclass(frozen=True, slots=True)
class DeskRow:
    """A table of the desk; ``version`` is that of the result that is shown, 0 without one."""

    match: MatchRow
    group: str
    version: int
    reported_by: str
    at: datetime | None
    postponed_to: datetime | None


@dataclass(frozen=True, slots=True)
class DeskTable:
    """A table as the script of the desk knows it; ``is_open``: its result can be noted."""

    table: int
    match: int
    names: str
    is_open: bool


@dataclass(frozen=True, slots=True)
class QueuedDispute:
    """A dispute that waits for a ruling, with its match."""

    dispute: DisputeRow
    match: MatchRow


@dataclass(frozen=True, slots=True)
class DeskPage:
    """The desk of a round: ``counts`` by group, ``rows`` of the group asked for, or of all.

    ``rounds`` are the numbers of those being played, ``tables`` all tables of the round, whatever
    group is asked for. ``seen`` is a word that changes whenever what is shown does.
    """

    head: TournamentHead
    round: int | None
    rounds: tuple[int, ...]
    group: str
    counts: dict[str, int]
    rows: tuple[DeskRow, ...]
    disputes: tuple[QueuedDispute, ...]
    tables: tuple[DeskTable, ...] = ()

    @property
    def total(self) -> int:
        """The matches of the round, byes not counted."""
        return sum(self.counts.values())

    @property
    def seen(self) -> str:
        """What changes whenever something that is shown does."""
        shown = [
            (row.match.pk, row.match.state, row.version, row.match.needs_arbiter, row.match.in_play)
            for row in self.rows
        ]
        queue = [(one.dispute.pk, one.dispute.state) for one in self.disputes]
        counts = sorted(self.counts.items())
        told = repr((self.round, self.group, counts, shown, queue, self.tables))
        return f"{zlib.crc32(told.encode()):08x}"

    def after(self, table: int) -> int | None:
        """Return the next table that waits for its result, from the first one again at the end."""
        waiting = [one.table for one in self.tables if one.is_open]
        later = (number for number in waiting if number > table)
        return next(later, next(iter(waiting), None))


def desk_page(slug: str, viewer: Actor, *, number: int | None = None, group: str = "") -> DeskPage:
    """Return the desk of a round, by default the first one that is being played.

    The head's queries and four. Refuses SIGN_IN, FORBIDDEN to all but the club's people, NOT_FOUND.
    """
    this = opened(find_tournament(slug, viewer), viewer)
    refuse_unless(this.powers.submit and this.powers.arbitrate, viewer)
    rounds = tuple(one.number for one in this.rounds if one.state == Round.State.PUBLISHED)
    if number is None:
        number = next(iter(rounds), None)
    elif number not in rounds:
        found(None)
    rows = () if number is None else _rows(slug, number)
    return DeskPage(
        head=this.head,
        round=number,
        rounds=rounds,
        group=group if group in GROUPS else "",
        counts={name: sum(row.group == name for row in rows) for name in GROUPS},
        rows=tuple(row for row in rows if group not in GROUPS or row.group == group),
        disputes=_queue(slug),
        tables=tuple(
            DeskTable(row.match.table, row.match.pk, row.match.names, row.group in OPEN)
            for row in rows
        ),
    )


def desk_table(slug: str, viewer: Actor, number: int, table: int) -> DeskRow | None:
    """Return a table of a round that is being played, if there is one. Refuses as `desk_page`."""
    this = opened(find_tournament(slug, viewer), viewer)
    refuse_unless(this.powers.submit and this.powers.arbitrate, viewer)
    return next(iter(_rows(slug, number, table=table, round__state=Round.State.PUBLISHED)), None)


def _rows(slug: str, number: int, **wanted: Any) -> tuple[DeskRow, ...]:
    matches = Match.objects.with_names().filter(
        round__stage__tournament__slug=slug, round__number=number, **wanted
    )
    played = list(matches.exclude(state=States.BYE).order_by("table"))
    results, playing = live_results(played), in_play(played)
    return tuple(_row(match, results.get(match.pk), playing.get(match.pk, "")) for match in played)


def _row(match: Match, result: Result | None, so_far: str) -> DeskRow:
    row = match_row(match, result, so_far)
    names = {side.word: side.name for side in row.sides}
    return DeskRow(
        match=row,
        group=next(name for name, states in GROUPS.items() if match.state in states),
        version=0 if result is None else result.version,
        reported_by="" if result is None else names.get(result.reported_for, ""),
        at=None if result is None else result.made_at,
        postponed_to=match.postponed_to,
    )


def _queue(slug: str) -> tuple[QueuedDispute, ...]:
    """Return the disputes of the tournament that wait for their last ruling, the oldest first."""
    waiting = Dispute.objects.unsettled().filter(match__round__stage__tournament__slug=slug)
    disputes = list(waiting.order_by("opened_at", "pk"))
    matches = _matches(dispute.match_id for dispute in disputes)
    return tuple(QueuedDispute(dispute_row(one), matches[one.match_id]) for one in disputes)


def _matches(keys: Iterable[int]) -> dict[int, MatchRow]:
    matches = list(Match.objects.with_names().filter(pk__in=list(keys)))
    results = live_results(matches)
    return {match.pk: match_row(match, results.get(match.pk)) for match in matches}
