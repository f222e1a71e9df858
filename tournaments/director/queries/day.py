"""Control room, clock of a round, and pace of play at a club."""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from statistics import median
from typing import Any, Final

from django.utils import timezone

from tournaments.core.find import find_tournament, or_404
from tournaments.core.permissions import Actor, refuse_unless
from tournaments.director.queries.entries import Person, spare_people
from tournaments.director.queries.rows import (
    DisputeRow,
    MatchRow,
    cotos_won,
    dispute_row,
    live_results,
    match_row,
    shown_names,
)
from tournaments.director.queries.snapshot import tournament_snapshot
from tournaments.director.queries.state import takes_late_seats
from tournaments.director.queries.tournaments import (
    TournamentHead,
    VisibleTournament,
    open_fetched_tournament,
)
from tournaments.domain.card_points import uses_points
from tournaments.domain.stages import eliminated_entrants
from tournaments.domain.state import RoundFacts, closed_reason
from tournaments.models import Absence, Dispute, Entry, Match, Result, Round, Tournament
from tournaments.models.matches import PLACES, at_any_place

# --- Clocks ---------------------------------------------------------------------------------------
# The clock of a round: time left, and when it ends.


MINUTE = 60  # seconds
USUAL_MINUTES = 60
"""Proposed where no clock was started in the tournament before, and its settings say nothing."""


@dataclass(frozen=True, slots=True)
class Clock:
    """The clock of a round at a moment.

    ``state`` is ``unset``, ``running``, ``stopped`` or ``over``; ``left`` are whole seconds;
    ``ends_at`` is set only while it is running or over. ``minutes`` is how long the round lasts, or
    the proposed length; ``warning`` are the minutes before its end at which it warns, 0: none.
    """

    round: int
    state: str
    minutes: int
    left: int
    ends_at: datetime | None
    may_set: bool
    warning: int = 0

    @property
    def warns(self) -> bool:
        """Whether it is so near to the end that it warns."""
        return self.state == "running" and self.left <= self.warning * MINUTE

    @property
    def minutes_left(self) -> int:
        """Minutes left, rounded up."""
        return -(-self.left // MINUTE)


def round_clock(head: TournamentHead, number: int, *, now: datetime | None = None) -> Clock | None:
    """Return the clock of a round; None where none is set and the viewer may not set one.

    A closed round has no clock. ``head`` must belong to a viewer who may see the round. One query,
    two where the clock is to be set.
    """
    rounds = Round.objects.filter(stage__tournament=head.pk)
    round_ = or_404(rounds.select_related("stage").filter(number=number).first())
    facts = RoundFacts(head.state, number, round_.state)
    may_set = head.may.arbitrate and closed_reason("start_clock", facts) is None
    if round_.state == Round.State.CLOSED:
        return None
    clock = clock_of(round_, may_set=may_set, now=now)
    if clock is None and may_set:
        before = rounds.filter(minutes__isnull=False).order_by("-number").values_list("minutes")
        planned = round_.stage.round_minutes or head.round_minutes or USUAL_MINUTES
        if round_.stage.round_minutes:
            before = before.filter(stage=round_.stage)
        default_minutes = next((minutes for (minutes,) in before[:1] if minutes), planned)
        return Clock(number, "unset", default_minutes, 0, None, may_set)
    return clock


def clock_of(round_: Round, *, may_set: bool = False, now: datetime | None = None) -> Clock | None:
    """Return the clock of a round, fetched with its stage; None where none was started."""
    if round_.clock_started_at is None or not round_.minutes:
        return None
    ends = round_.clock_started_at + timedelta(minutes=round_.minutes)
    stopped, warning = round_.clock_stopped_at, round_.stage.warn_minutes or 0
    seconds_left = max(0, round((ends - (stopped or now or timezone.now())).total_seconds()))
    if stopped is not None:
        return Clock(round_.number, "stopped", round_.minutes, seconds_left, None, may_set, warning)
    state = "running" if seconds_left else "over"
    return Clock(round_.number, state, round_.minutes, seconds_left, ends, may_set, warning)


# --- Paces ----------------------------------------------------------------------------------------
# The pace of a club: minutes a hand, measured from its own rounds.


MIN_MATCHES: Final = 12
"""Matches; with fewer, no pace is shown."""
MAX_MATCHES: Final = 400  # the latest matches that are measured
MIN_MINUTES: Final = 2.0
MAX_MINUTES: Final = 30.0
"""Minutes a hand; matches outside were played by bots or written down the next day."""


@dataclass(frozen=True, slots=True)
class Pace:
    """The median of minutes a hand, over ``matches`` matches."""

    minutes: int
    matches: int


def paces(club_slug: str) -> Mapping[str, Pace]:
    """Return the pace of each ruleset that a club has played enough of. One query.

    A match lasts from the start of its round's clock, or else from the round's publication, to its
    first result.
    """
    results = Result.objects.filter(
        version=1,
        match__round__stage__tournament__club__slug=club_slug,
        match__round__published_at__isnull=False,
    ).exclude(depth__in=(Result.Depth.FORFEIT, Result.Depth.RULING))
    rows = results.order_by("-pk").values_list(
        "match__round__stage__tournament__ruleset",
        "match__round__clock_started_at",
        "match__round__published_at",
        "made_at",
        "home_hands",
        "away_hands",
        "third_hands",
    )
    measured: dict[str, list[float]] = defaultdict(list)
    for ruleset, clock, published, reported, *hands in rows[:MAX_MATCHES]:
        hands_played = sum(hand or 0 for hand in hands)
        started_at = clock or published
        if not hands_played or started_at is None:
            continue
        minutes = (reported - started_at).total_seconds() / MINUTE / hands_played
        if MIN_MINUTES <= minutes <= MAX_MINUTES:
            measured[ruleset].append(minutes)
    return {
        ruleset: Pace(round(median(samples)), len(samples))
        for ruleset, samples in measured.items()
        if len(samples) >= MIN_MATCHES
    }


# --- Control room ---------------------------------------------------------------------------------
# The tables of a running round by progress, what holds up the next one, and the open disputes.


States = Match.State

GROUPS: Final = {
    "waiting": (States.PENDING,),
    "reported": (States.REPORTED,),
    "disputed": (States.DISPUTED,),
    "postponed": (States.POSTPONED,),
    "done": (States.ACCEPTED,),
}
"""Groups of tables: the states of their matches."""
OPEN: Final = ("waiting", "reported")
"""Groups of tables whose result can be entered."""


@dataclass(frozen=True, slots=True)
class DeskRow:
    """A table of the desk; ``version`` is that of the shown result, 0 without one.

    ``to_decide``: the match ended level in a bracket, and nobody has said who goes on.

    ``at`` is the moment of that result, or else that at which the round was published. ``missing``
    are the sides (``home`` …) that are waited for: to arrive, where a check-in is held, or to
    confirm.
    """

    match: MatchRow
    group: str
    version: int
    reported_by: str
    at: datetime | None
    postponed_to: datetime | None
    missing: tuple[str, ...] = ()
    to_decide: bool = False


@dataclass(frozen=True, slots=True)
class DeskTable:
    """A table as the desk's script knows it; ``is_open``: its result can be entered."""

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
class NextStep:
    """What holds up the next round, and the step that solves it.

    ``kind``: ``rule`` on disputes, ``results`` that are missing, ``confirm`` reports, ``decide``
    who goes on from level matches, ``close`` the round, ``publish`` a draft, ``draw`` the next
    round, ``finish`` the tournament, ``begin`` it, ``play`` what was postponed; or nothing.
    ``tables`` are those that it is about.
    """

    kind: str
    round: int | None = None
    tables: tuple[DeskRow, ...] = ()


@dataclass(frozen=True, slots=True)
class DeskPage:
    """The desk of a round: ``counts`` by group, ``rows`` of the requested group, or of all.

    ``rounds`` are the numbers of those being played; ``tables`` are all tables of the round, in any
    group. While none is being played, ``draft`` is the next one that was drawn, if any, and
    ``rows`` are its tables. ``bye_names`` are the names of those who have a bye in the shown round.
    An ``outdated`` draft would be drawn otherwise now. ``without_points`` are the tables whose
    results lack card points, where those can decide places; where the stage ``needs_points`` none
    is taken without. ``no_longer_through`` are the names of those who sit in a published round of
    brackets though, since a result was corrected, others go on.
    """

    head: TournamentHead
    round: int | None
    rounds: tuple[int, ...]
    group: str
    counts: dict[str, int]
    rows: tuple[DeskRow, ...]
    disputes: tuple[QueuedDispute, ...]
    step: NextStep
    tables: tuple[DeskTable, ...] = ()
    draft: int | None = None
    outdated: bool = False
    no_longer_through: tuple[str, ...] = ()
    bye_names: tuple[str, ...] = ()
    without_points: tuple[DeskRow, ...] = ()
    needs_points: bool = False

    @property
    def total(self) -> int:
        """The number of matches of the round, without byes."""
        return sum(self.counts.values())

    def after(self, table: int) -> int | None:
        """Return the next table that waits for its result, starting over after the last one."""
        open_tables = [row.table for row in self.tables if row.is_open]
        later = (number for number in open_tables if number > table)
        return next(later, next(iter(open_tables), None))


def desk_page(slug: str, viewer: Actor, *, number: int | None = None, group: str = "") -> DeskPage:
    """Return the desk of a round, by default the first one that is being played.

    The head's queries and four. Refuses SIGN_IN, FORBIDDEN to all but the club's people, NOT_FOUND.
    """
    access = open_fetched_tournament(find_tournament(slug, viewer), viewer)
    refuse_unless(access.powers.submit and access.powers.arbitrate, viewer)
    rounds = tuple(
        round_.number for round_ in access.rounds if round_.state == Round.State.PUBLISHED
    )
    if number is None:
        number = next(iter(rounds), None)
    elif number not in rounds:
        or_404(None)  # refuses NOT_FOUND
    drafts = (round_.number for round_ in access.rounds if round_.state == Round.State.DRAFT)
    draft = None if rounds else next(drafts, None)
    shown_number = draft if number is None else number
    matches = [] if shown_number is None else _matches(slug, shown_number)
    rows = () if shown_number is None else _desk_rows(slug, shown_number, matches)
    return DeskPage(
        head=access.head,
        round=number,
        rounds=rounds,
        group=group if group in GROUPS else "",
        counts={name: sum(row.group == name for row in rows) for name in GROUPS},
        rows=tuple(row for row in rows if group not in GROUPS or row.group == group),
        disputes=_queued_disputes(slug),
        step=_next_step(access, number, draft, rows),
        tables=tuple(
            DeskTable(row.match.table, row.match.pk, row.match.names, row.group in OPEN)
            for row in rows
            if number is not None
        ),
        draft=draft,
        outdated=draft is not None and _is_outdated(access, draft),
        no_longer_through=() if number is None else _eliminated_names(access, number, rows),
        bye_names=tuple(match.home.shown_name for match in matches if match.state == States.BYE),
        without_points=_tables_without_points(matches, rows),
        needs_points=any(match.needs_points for match in matches),
    )


def _tables_without_points(
    matches: Sequence[Match], rows: tuple[DeskRow, ...]
) -> tuple[DeskRow, ...]:
    """Return the tables of a round whose results lack card points that can decide places."""
    stage = matches[0].round.stage if matches else None
    if stage is None or not uses_points(stage.format, stage.rules):
        return ()
    scores = ((row, row.match.score) for row in rows if row.group == "done")
    return tuple(
        row for row, score in scores if score and not (score.points_text or score.forfeits)
    )


def _is_outdated(access: VisibleTournament, number: int) -> bool:
    rounds = Round.objects.filter(stage__tournament=access.tournament)
    return rounds.get(number=number).is_outdated


def _eliminated_names(
    access: VisibleTournament, number: int, rows: tuple[DeskRow, ...]
) -> tuple[str, ...]:
    """Return the names at a round's tables of entries eliminated by the results before it."""
    if not access.head.has_brackets:
        return ()
    snapshot = tournament_snapshot(access.tournament)
    stage = next(round_.stage for round_ in access.rounds if round_.number == number)
    entries = [entry for row in rows for side in row.match.sides for entry in side.entries]
    out = eliminated_entrants(snapshot.rows, snapshot.stage(stage), number, entries)
    return tuple(snapshot.rows.by_number[entry].shown_name for entry in out)


def _next_step(
    access: VisibleTournament, number: int | None, draft: int | None, rows: tuple[DeskRow, ...]
) -> NextStep:
    """Return what holds up the next round."""
    if number is not None:
        for kind, group in (("rule", "disputed"), ("results", "waiting"), ("confirm", "reported")):
            if tables := tuple(row for row in rows if row.group == group):
                return NextStep(kind, number, tables)
        return _decide_step(number, rows) or NextStep("close", number)
    if draft is not None:
        return NextStep("publish", draft)
    open_verbs = access.head.may.verbs
    kinds = (("begin", "draw"), ("draw", "draw_next"), ("finish", "finish"))
    kind = next((kind for kind, verb in kinds if open_verbs[verb]), "")
    if not kind and access.head.state == Tournament.State.RUNNING:
        return _postponed_step(access)
    if kind in ("draw", "finish") and access.rounds:
        last = access.rounds[-1].number
        if level := _decide_step(last, _rows(access.head.slug, last)):
            return level
    return NextStep(kind, access.head.rounds_closed + 1 if kind == "draw" else None)


def _decide_step(number: int, rows: tuple[DeskRow, ...]) -> NextStep | None:
    """Return the tied matches of a round without a decision who goes on, as a step, or None."""
    tables = tuple(row for row in rows if row.to_decide)
    return NextStep("decide", number, tables) if tables else None


def _postponed_step(access: VisibleTournament) -> NextStep:
    """Return the first round that has postponed matches, with them, once all rounds are closed."""
    postponed = Match.objects.filter(
        round__stage__tournament=access.head.pk, state=Match.State.POSTPONED
    )
    numbers = postponed.order_by("round__number").values_list("round__number", flat=True)
    number = numbers.first()
    if number is None:
        return NextStep("")
    return NextStep("play", number, _rows(access.head.slug, number, state=Match.State.POSTPONED))


@dataclass(frozen=True, slots=True)
class Arrivals:
    """Who may still come: entries that are away and can return, and people who are not entered."""

    away: tuple[tuple[int, str], ...]
    people: tuple[Person, ...]


def arrivals(tournament: Tournament) -> Arrivals:
    """Return who may still come to a tournament: three queries."""
    absences = Absence.objects.filter(entry__tournament=tournament, until_round__isnull=True)
    absences = absences.exclude(kind__in=(Absence.Kind.EXPELLED, Absence.Kind.BENCHED))
    away = absences.order_by("entry__number").values_list("entry__number", flat=True)
    names = shown_names(tournament.pk)
    return Arrivals(tuple((number, names[number]) for number in away), spare_people(tournament))


@dataclass(frozen=True, slots=True)
class LateSeats:
    """Entries without a table in the running round, and places that wait for their players.

    ``places`` are number, name and table, those first that have not checked in.
    """

    idle: tuple[tuple[int, str], ...] = ()
    places: tuple[tuple[int, str, int], ...] = ()


def late_seats(page: DeskPage, tournament: Tournament) -> LateSeats | None:
    """Return who can be seated together in the shown round, if anybody; at most three queries."""
    waiting = [row for row in page.rows if row.group == "waiting" and not row.postponed_to]
    rounds = Round.objects.filter(stage__tournament=tournament, number=page.round or 0)
    round_ = rounds.select_related("stage").first()
    if not waiting or round_ is None or not takes_late_seats(round_.stage):
        return None
    homes, aways = round_.matches.values("home"), round_.matches.exclude(away=None).values("away")
    away = Absence.objects.filter(entry__tournament=tournament, until_round__isnull=True)
    idle = tournament.entries.with_players().filter(
        bot__isnull=True, number__in=round_.stage.entrants
    )
    idle = idle.exclude(pk__in=homes).exclude(pk__in=aways).exclude(pk__in=away.values("entry"))
    idle_rows = tuple((entry.number, entry.shown_name) for entry in idle.order_by("number"))
    places = [
        (side.side not in row.missing, side.entries[0], side.shown_name, row.match.table)
        for row in waiting
        for side in row.match.sides
    ]
    in_order = tuple(place[1:] for place in sorted(places, key=lambda place: place[0]))
    return LateSeats(idle_rows, in_order) if idle_rows else None


def waiting_match(entry: Entry, round_number: int) -> int | None:
    """Return the key of the match in which an entry is to play in a round, or None."""
    matches = Match.objects.filter(at_any_place(entry), round__number=round_number)
    return matches.filter(state=States.PENDING).values_list("pk", flat=True).first()


def seat_of(entry: Entry) -> tuple[int, int] | None:
    """Return the round being played and the table where an entry waits to play, or None."""
    playing = Match.objects.filter(
        at_any_place(entry), round__state=Round.State.PUBLISHED, state=Match.State.PENDING
    )
    return playing.values_list("round__number", "table").order_by("round__number").first()


def desk_table(slug: str, viewer: Actor, number: int, table: int) -> DeskRow | None:
    """Return a table of a round that is being played, or None. Refuses as `desk_page`."""
    access = open_fetched_tournament(find_tournament(slug, viewer), viewer)
    refuse_unless(access.powers.submit and access.powers.arbitrate, viewer)
    return next(iter(_rows(slug, number, table=table, round__state=Round.State.PUBLISHED)), None)


def _matches(slug: str, number: int, **filters: Any) -> list[Match]:
    """Return the matches of a round by table, byes among them."""
    matches = Match.objects.with_names().filter(
        round__stage__tournament__slug=slug, round__number=number, **filters
    )
    return list(matches.order_by("table"))


def _rows(slug: str, number: int, **filters: Any) -> tuple[DeskRow, ...]:
    return _desk_rows(slug, number, _matches(slug, number, **filters))


def _desk_rows(slug: str, number: int, matches: Sequence[Match]) -> tuple[DeskRow, ...]:
    """Return the tables of a round whose matches have been read."""
    table_matches = [match for match in matches if match.state != States.BYE]
    results, playing = live_results(table_matches), cotos_won(table_matches)
    places = (getattr(match, place) for match in table_matches for place in PLACES)
    arrived = {entry.number for entry in places if entry is not None and entry.checked_in_at}
    if arrived:
        arrived |= _numbers_that_played(slug, number)
    return tuple(
        _row(match, results.get(match.pk), playing.get(match.pk, ""), arrived)
        for match in table_matches
    )


def _numbers_that_played(slug: str, before: int) -> set[int]:
    """Return the numbers of the entries that played a round before this one. One query."""
    results = Result.objects.live().filter(
        match__round__stage__tournament__slug=slug, match__round__number__lt=before
    )
    results = results.exclude(depth=Result.Depth.FORFEIT)
    numbers = results.values_list(*(f"match__{place}__number" for place in PLACES))
    return {number for row in numbers for number in row if number is not None}


def _row(match: Match, result: Result | None, cotos: str, arrived: set[int]) -> DeskRow:
    row = match_row(match, result, cotos)
    group = next(name for name, states in GROUPS.items() if match.state in states)
    reported_for = "" if result is None else result.reported_for
    missing: tuple[str, ...] = ()
    if group == "reported":
        missing = tuple(side.side for side in row.sides if side.side != reported_for)
    elif group == "waiting" and arrived:
        missing = tuple(s.side for s in row.sides if not arrived.issuperset(s.entries))
    return DeskRow(
        match=row,
        group=group,
        version=0 if result is None else result.version,
        reported_by=next((s.shown_name for s in row.sides if s.side == reported_for), ""),
        at=match.round.published_at if result is None else result.made_at,
        postponed_to=match.postponed_to,
        missing=missing,
        to_decide=group == "done"
        and result is not None
        and result.winner == Result.Winner.TIE
        and not result.decided
        and match.round.stage.kind.in_brackets,
    )


def _queued_disputes(slug: str) -> tuple[QueuedDispute, ...]:
    """Return the disputes of the tournament that wait for their last ruling, oldest first."""
    open_disputes = Dispute.objects.unsettled().filter(match__round__stage__tournament__slug=slug)
    disputes = list(open_disputes.order_by("opened_at", "pk"))
    matches = list(
        Match.objects.with_names().filter(pk__in=[dispute.match_id for dispute in disputes])
    )
    results = live_results(matches)
    rows = {match.pk: match_row(match, results.get(match.pk)) for match in matches}
    return tuple(
        QueuedDispute(dispute_row(dispute), rows[dispute.match_id]) for dispute in disputes
    )
