"""Rounds of a tournament, their tables, and the progress of bot rounds."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from itertools import accumulate
from typing import Any, Final

from django.db.models import Count, OuterRef, Q, QuerySet, Subquery
from django.utils import timezone

from tournaments.core.db import row_of
from tournaments.core.find import find_round, not_found_unless, or_404
from tournaments.core.permissions import Actor, own_numbers
from tournaments.director.queries.days import DayRow, row_of_day
from tournaments.director.queries.drafts import draft_tables
from tournaments.director.queries.outdated import DraftDifferences, draft_differences
from tournaments.director.queries.replanning import has_begun
from tournaments.director.queries.rows import (
    MatchRow,
    arrangement_of,
    cotos_won,
    live_results,
    match_row,
)
from tournaments.director.queries.snapshot import rows_of
from tournaments.director.queries.state import facts_of_round, first_draft_before, role_of
from tournaments.director.queries.tournaments import (
    StageHead,
    TournamentHead,
    VisibleTournament,
    open_tournament,
)
from tournaments.domain.state import Verbs, verbs
from tournaments.models import Arena, Attempt, Entry, Hand, Match, Record, Round
from tournaments.models.matches import at_any_place, set_entries

# --- Progress -------------------------------------------------------------------------------------
# Progress of a round of bots: matches, hands, speed, estimated end.


RATE_PERIOD: Final = timedelta(seconds=60)
"""Period over which the speed is measured."""

MIN_RECORDS: Final = 4
"""Records within `RATE_PERIOD` below which no speed is shown."""


@dataclass(frozen=True, slots=True)
class Progress:
    """The progress of the bot matches of a round.

    Of ``total`` matches, ``played`` have a result, ``running`` are leased by a worker, ``stuck``
    are left to the arbiter, ``waiting`` are the rest; ``workers`` are the workers that play (host
    and process). ``records`` and ``hands`` have been accepted; ``rate`` is in hands a second
    lately, ``estimated_end`` follows from it. Both are None while too little or nothing is being
    played. ``paused`` is the round, ``arena_paused`` the whole service. ``finished``: nothing is
    left to play; ``all_played``: and each match has a record, none was decided or put off instead.
    """

    total: int
    played: int
    running: int
    waiting: int
    stuck: int
    asked: bool
    finished: bool
    all_played: bool = False
    paused: bool = False
    arena_paused: bool = False
    records: int = 0
    hands: int = 0
    workers: tuple[str, ...] = ()
    rate: float | None = None
    estimated_end: datetime | None = None

    @property
    def is_moving(self) -> bool:
        """Whether the bots have been asked to play and have not finished."""
        return self.asked and not self.finished

    @property
    def can_request_play(self) -> bool:
        """Whether matches are left that the bots were not asked to play, or gave up."""
        return not self.finished and (not self.asked or self.stuck > 0)

    @property
    def is_paused(self) -> bool:
        """Whether the round or the arena is paused, so that no further match begins."""
        return self.paused or self.arena_paused

    @property
    def board(self) -> str:
        """Version of the list of matches: changes whenever the list does."""
        flags = f"{int(self.asked)}{int(self.paused)}"
        return f"{self.played}-{self.running}-{self.stuck}-{flags}"

    @property
    def version(self) -> str:
        """Version of the progress: changes whenever anything shown does."""
        end = "" if self.estimated_end is None else f"{self.estimated_end:%d%H%M}"
        rate = "" if self.rate is None else f"{self.rate:.1f}"
        workers = "".join(self.workers)
        return f"{self.board}-{int(self.arena_paused)}-{self.hands}-{rate}-{end}-{workers}"


def round_progress(slug: str, number: int, viewer: Actor) -> tuple[Round, Progress]:
    """Return a round and its progress: the round's queries and five; two once all is played.

    Refuses NOT_FOUND where no match of it is between bots.
    """
    round_ = find_round(slug, number, viewer)
    return round_, or_404(progress_of(round_))


def progress_of(round_: Round) -> Progress | None:
    """Return the progress of the bots of a round; None where no match is between bots."""
    pending = Q(state=Match.State.PENDING)
    counts = round_.matches.of_bots().aggregate(
        total=Count("pk"),
        open=Count("pk", filter=pending),
        stuck=Count("pk", filter=pending & Q(abandoned_at__isnull=False)),
        thirds=Count("third"),
        fourths=Count("fourth"),
    )
    if not counts["total"]:
        return None
    at_play = counts["open"] > 0 and round_.play_requested_at is not None
    workers = _workers(round_) if at_play else []
    arena_paused = at_play and Arena.objects.paused().exists()
    played_counts = _PlayedCounts.of(round_)
    rate = _rate(round_) if at_play else None
    to_play = counts["open"] - counts["stuck"]
    per_set = 2 + bool(counts["thirds"]) + bool(counts["fourths"])
    hands_left = played_counts.hands_left(to_play, per_set * round_.stage.tournament.deal_sets)
    is_paused = round_.paused_at is not None or arena_paused
    return Progress(
        total=counts["total"],
        played=counts["total"] - counts["open"],
        running=len(workers),
        waiting=max(0, to_play - len(workers)),
        stuck=counts["stuck"],
        asked=round_.play_requested_at is not None,
        finished=not counts["open"],
        all_played=played_counts.decided == counts["total"],
        paused=round_.paused_at is not None,
        arena_paused=arena_paused,
        records=played_counts.records,
        hands=played_counts.hands,
        workers=tuple(sorted({worker for worker in workers if worker})),
        rate=rate,
        estimated_end=None if is_paused else _estimated_end(hands_left, rate),
    )


@dataclass(frozen=True, slots=True)
class _PlayedCounts:
    """Counts of accepted records and hands, and those of decided matches."""

    records: int
    hands: int
    decided: int
    decided_hands: int

    @classmethod
    def of(cls, round_: Round) -> _PlayedCounts:
        rows = list(
            Hand.objects.filter(
                record__match__in=round_.matches.of_bots(), record__state=Record.State.ACCEPTED
            )
            .order_by()
            .values_list("record__match__state", "record__match")
            .annotate(hands=Count("pk"), records=Count("record", distinct=True))
            .values_list("record__match__state", "hands", "records")
        )
        over = [hands for state, hands, _ in rows if state != Match.State.PENDING]
        hands, records = sum(row[1] for row in rows), sum(row[2] for row in rows)
        return cls(records, hands, len(over), sum(over))

    def hands_left(self, matches: int, records_a_match: int) -> float | None:
        """Return the expected number of hands left, from the hands a match so far; or None."""
        if self.decided:
            a_match = self.decided_hands / self.decided
        elif self.records and records_a_match:
            a_match = self.hands / self.records * records_a_match
        else:
            return None
        return max(0.0, a_match * matches - (self.hands - self.decided_hands))


def _workers(round_: Round) -> list[str]:
    """Return the worker of each match that is leased, empty where unknown."""
    holds = Attempt.objects.filter(match=OuterRef("pk"), token=OuterRef("lease_token"))
    leased = round_.matches.of_bots().leased().filter(state=Match.State.PENDING)
    matches = leased.annotate(worker=Subquery(holds.values("worker")[:1]))
    return [worker or "" for worker in matches.values_list("worker", flat=True)]


def _rate(round_: Round) -> float | None:
    now = timezone.now()
    records = Record.objects.accepted().filter(
        match__round=round_, source=Record.Source.BOT, created_at__gt=now - RATE_PERIOD
    )
    rows = records.order_by("created_at").annotate(played=Count("hands"))
    return pace(list(rows.values_list("created_at", "played")), now)


def _estimated_end(hands_left: float | None, rate: float | None) -> datetime | None:
    if hands_left is None or not rate:
        return None
    return timezone.now() + timedelta(seconds=hands_left / rate)


def pace(records: Sequence[tuple[datetime, int]], now: datetime) -> float | None:
    """Return hands a second from the time and hands of each record, in order of time.

    The time runs from the first record, so its own hands are not counted. None with fewer than
    `MIN_RECORDS`.
    """
    if len(records) < MIN_RECORDS:
        return None
    seconds = (now - records[0][0]).total_seconds()
    return sum(hands for _, hands in records[1:]) / seconds if seconds > 0 else None


# --- Rounds ---------------------------------------------------------------------------------------
# The rounds of a tournament, and one round with its tables and the reasons of its pairings.


UNFINISHED: Final = (Match.State.PENDING, Match.State.REPORTED, Match.State.DISPUTED)
"""States of a match that keep its round open; a postponed match does not."""


@dataclass(frozen=True, slots=True)
class RoundRow:
    """A round; its ``seed`` is shown once it is closed, its ``commitment`` once it is published.

    ``stage`` is set in the list of all rounds. ``is_next``: a draft before which no other is to be
    published. ``outdated`` is a draft that would be drawn otherwise now. ``day`` is when it is
    planned.
    ``arrangement`` is the digest of a draft's places (`arrangement_of`), else empty.
    """

    number: int
    state: str
    published_at: datetime | None
    closed_at: datetime | None
    commitment: str
    seed: str
    matches: tuple[MatchRow, ...]
    outdated: bool = False
    arrangement: str = ""
    stage: StageHead | None = None
    is_next: bool = False
    day: DayRow | None = None

    @property
    def tables(self) -> int:
        """The number of its tables, without byes."""
        return sum(match.away is not None for match in self.matches)


MAX_TABLES: Final = 200
"""Tables that the page of all rounds lists; those of a round at play are always listed."""


@dataclass(frozen=True, slots=True)
class RoundsPage:
    """The rounds that the viewer may see, by number.

    ``at_play`` are the numbers of the first published round of each stage; without one, those of
    the drafts that come next, or that of the last round. ``own`` are the viewer's entries.
    """

    head: TournamentHead
    rounds: tuple[RoundRow, ...]
    at_play: tuple[int, ...] = ()
    own: frozenset[int] = frozenset()

    @property
    def newest_first(self) -> list[RoundRow]:
        """The rounds as the page lists them: those at play first, the others from the last on."""
        return sorted(self.rounds, key=lambda row: (row.number not in self.at_play, -row.number))

    @property
    def listed(self) -> frozenset[int]:
        """The numbers of the rounds whose tables the page lists, of the others on their own page.

        These are the first ones, as long as they have `MAX_TABLES` together.
        """
        tables = accumulate(row.tables for row in self.newest_first)
        rows = zip(self.newest_first, tables, strict=True)
        return frozenset(
            row.number for row, all_ in rows if all_ <= MAX_TABLES or row.number in self.at_play
        )


@dataclass(frozen=True, slots=True)
class RoundPage:
    """One round of ``stage``; ``progress`` is None when no match of it is between bots.

    An ``opened`` round has a file of bots' records that anybody can check against its seed.
    ``names`` are those of all entries by number, for the reasons of the pairings. ``differences``
    are those of an outdated draft from the draw of now. ``own`` are the viewer's entries.
    """

    head: TournamentHead
    stage: StageHead
    names: Mapping[int, str]
    round: RoundRow
    previous: int | None
    next: int | None
    progress: Progress | None
    may: Verbs
    opened: bool = False
    differences: DraftDifferences | None = None
    own: frozenset[int] = frozenset()

    @property
    def disputed(self) -> tuple[MatchRow, ...]:
        """The matches that keep a published round open until an arbiter has ruled."""
        if self.round.state != Round.State.PUBLISHED:
            return ()
        return tuple(match for match in self.round.matches if match.state == Match.State.DISPUTED)

    @property
    def unfinished(self) -> tuple[MatchRow, ...]:
        """The matches that keep the round open."""
        return tuple(match for match in self.round.matches if match.state in UNFINISHED)


def rounds_page(slug: str, viewer: Actor) -> RoundsPage:
    """Return the rounds with their matches: the head's queries and four; own entries take one."""
    access = open_tournament(slug, viewer)
    numbers = access.visible_rounds
    queryset = Round.objects.filter(stage__tournament=access.tournament, number__in=numbers)
    rounds = list(queryset.select_related("stage__tournament", "day").order_by("number"))
    entries = access.tournament.entries.with_players().in_bulk()
    matches = _matches_with_entries(rounds, entries)
    by_round: dict[int, list[tuple[MatchRow, Match]]] = {}
    for row, match in zip(_match_rows(matches), matches, strict=True):
        by_round.setdefault(row.round, []).append((row, match))
    first_published: dict[int, int] = {}
    for round_ in rounds:
        if round_.state == Round.State.PUBLISHED:
            first_published.setdefault(round_.stage_id, round_.number)
    rows = tuple(
        replace(
            _round_row(
                round_,
                tuple(row for row, _ in by_round.get(round_.number, ())),
                [match for _, match in by_round.get(round_.number, ())],
            ),
            stage=access.head.stage(round_.stage.number),
            is_next=round_.state == Round.State.DRAFT
            and not first_draft_before(access.rounds, round_.number),
        )
        for round_ in rounds
    )
    drafts = tuple(row.number for row in rows if row.is_next)
    last = tuple(row.number for row in rows[-1:])
    return RoundsPage(
        access.head,
        rows,
        at_play=tuple(first_published.values()) or drafts or last,
        own=own_numbers(viewer, access.tournament),
    )


def matches_after(
    slug: str, after: tuple[int, int], count: int, viewer: Actor, filters: Mapping[str, Any]
) -> tuple[MatchRow, ...]:
    """Return the next ``count`` matches after a round and a table: the head's queries and four.

    ``filters`` may filter them by ``round``, ``table``, ``state``, and ``entry`` (its number, at
    any place).
    """
    access = open_tournament(slug, viewer)
    number, table = after
    later = Q(round__number__gt=number) | Q(round__number=number, table__gt=table)
    rows = Match.objects.filter(
        later, round__stage__tournament=access.tournament, round__number__in=access.visible_rounds
    )
    for name, field in (("round", "round__number"), ("table", "table"), ("state", "state")):
        if name in filters:
            rows = rows.filter(**{field: filters[name]})
    if "entry" in filters:
        rows = rows.filter(at_any_place(filters["entry"], "__number"))
    keys = list(rows.order_by("round__number", "table").values_list("pk", flat=True)[:count])
    matches = list(
        Match.objects.with_names().filter(pk__in=keys).order_by("round__number", "table")
    )
    return _match_rows(matches)


def matches_of_rounds(access: VisibleTournament, numbers: Collection[int]) -> tuple[MatchRow, ...]:
    """Return the matches of rounds by round and table: at most five queries."""
    rounds = _rounds(access).filter(number__in=numbers)
    entries = access.tournament.entries.with_players().in_bulk()
    rows = _match_rows(_matches_with_entries(list(rounds), entries))
    return tuple(sorted(rows, key=lambda row: (row.round, row.table)))


def _rounds(access: VisibleTournament) -> QuerySet[Round]:
    rounds = Round.objects.select_related("stage__tournament", "day")
    return rounds.filter(stage__tournament=access.tournament)


def _matches_with_entries(rounds: Sequence[Round], entries: Mapping[int, Entry]) -> list[Match]:
    """Return the matches of rounds by table, with these entries, by key, at them; one query.

    An entry of many matches is one object, instead of being joined to each of them.
    """
    by_key = {round_.pk: round_ for round_ in rounds}
    matches = list(Match.objects.filter(round__in=by_key).order_by("table"))
    for match in matches:
        match.round = by_key[match.round_id]
    set_entries(matches, entries)
    return matches


def _match_rows(matches: Sequence[Match]) -> tuple[MatchRow, ...]:
    """Return the rows of matches fetched with their names; two queries."""
    results, playing = live_results(matches), cotos_won(matches)
    return tuple(
        match_row(match, results.get(match.pk), playing.get(match.pk, "")) for match in matches
    )


def is_for_bots(slug: str, number: int) -> bool:
    """Return whether a round has matches between bots, so that its page shows their progress."""
    matches = Match.objects.filter(round__stage__tournament__slug=slug, round__number=number)
    return matches.of_bots().exists()


def _has_begun(access: VisibleTournament, round_: Round) -> bool:
    """Return whether a round drawn ahead has begun; no query where that decides nothing."""
    is_asked = access.head.may.manage and round_.stage.is_drawn_ahead
    return is_asked and round_.state == Round.State.PUBLISHED and has_begun(round_)


def round_page(slug: str, number: int, viewer: Actor) -> RoundPage:
    """Return one round: the head's queries and four.

    Five more while bots play in it, two where it could be planned again, one for own entries.
    """
    access = open_tournament(slug, viewer)
    numbers = access.visible_rounds
    not_found_unless(number in numbers)
    round_ = _rounds(access).get(number=number)
    entries = access.tournament.entries.with_players().in_bulk()
    matches = _matches_with_entries([round_], entries)
    rows = _match_rows(matches)
    is_of_bots = any(row.away is not None and row.home.is_bot and row.away.is_bot for row in rows)
    progress = progress_of(round_) if is_of_bots else None
    index = numbers.index(number)
    state = next(row for row in access.rounds if row.number == number)
    return RoundPage(
        head=access.head,
        stage=access.head.stage(state.stage),
        names={entry.number: entry.shown_name for entry in entries.values()},
        round=_round_row(round_, rows, matches),
        previous=numbers[index - 1] if index else None,
        next=numbers[index + 1] if index + 1 < len(numbers) else None,
        progress=progress,
        may=verbs(
            facts_of_round(
                round_,
                unfinished=state.unfinished,
                disputed=state.disputed,
                bots=progress is not None,
                earlier_draft=first_draft_before(access.rounds, number),
                begun=_has_begun(access, round_),
            ),
            role_of(viewer, access.powers),
        ),
        opened=round_.state == Round.State.CLOSED and _has_bots_records(matches),
        differences=_differences(access, round_) if round_.is_outdated else None,
        own=own_numbers(viewer, access.tournament),
    )


def _differences(access: VisibleTournament, round_: Round) -> DraftDifferences:
    rows = rows_of(access.tournament)
    return draft_differences(rows, round_, draft_tables(rows, round_))


def _round_row(round_: Round, rows: tuple[MatchRow, ...], matches: Iterable[Match]) -> RoundRow:
    is_draft = round_.state == Round.State.DRAFT
    is_closed = round_.state == Round.State.CLOSED
    return row_of(
        RoundRow,
        round_,
        commitment="" if is_draft else round_.commitment,
        seed=round_.seed if is_closed else "",
        matches=rows,
        arrangement=arrangement_of(matches) if is_draft else "",
        outdated=round_.is_outdated,
        stage=None,
        is_next=False,
        day=None if round_.day is None else row_of_day(round_.day, round_.stage.tournament),
    )


def _has_bots_records(matches: list[Match]) -> bool:
    """Return whether bots have played matches with the round's own deals: at most one query."""
    match_pks = [match.pk for match in matches if match.is_of_bots and not match.boards]
    records = Record.objects.accepted().filter(match__in=match_pks, source=Record.Source.BOT)
    return bool(match_pks) and records.exists()
