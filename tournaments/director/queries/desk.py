"""Control room, clock of a round, and pace of play at a club."""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from statistics import median
from typing import Any, Final

from django.utils import timezone

from tournaments.core.find import find_tournament, or_404
from tournaments.core.permissions import Actor, club_rights, refuse_unless
from tournaments.director.queries.drafts import NextRound, next_to_draw
from tournaments.director.queries.entries import Person, spare_people
from tournaments.director.queries.filled import FilledBefore, filled_before
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
from tournaments.director.queries.state import RoundState, takes_late_seats
from tournaments.director.queries.tournaments import (
    StageHead,
    TournamentHead,
    VisibleTournament,
    open_fetched_tournament,
)
from tournaments.domain.card_points import uses_points
from tournaments.domain.sides import PLACES, SIDES
from tournaments.domain.stages import eliminated_entrants
from tournaments.domain.state import RoundFacts, closed_reason
from tournaments.models import Absence, Dispute, Entry, Match, Result, Round, Tournament
from tournaments.models.matches import at_any_place

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
        *(f"{side}_hands" for side in SIDES),
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
    ``tables`` are those that it is about. ``stage`` is set where several are played side by side,
    ``draw`` for the round to be drawn; an ``outdated`` draft would be drawn otherwise now.
    ``reported`` is how many results of the round wait for the other side.
    """

    kind: str
    round: int | None = None
    tables: tuple[DeskRow, ...] = ()
    stage: StageHead | None = None
    draw: NextRound | None = None
    outdated: bool = False
    reported: int = 0


@dataclass(frozen=True, slots=True)
class DeskBoard:
    """A round that the desk shows, with its stage."""

    round: int
    stage: StageHead


@dataclass(frozen=True, slots=True)
class DeskPage:
    """The desk of a round: ``counts`` by group, ``rows`` of the requested group, or of all.

    ``boards`` are the rounds that it shows: the requested one, or of each stage that is being
    played the first, ``round`` being the number of the first of all. ``rounds`` are the numbers of
    those being played; ``tables`` are all tables of the shown ones, in any group. While none is
    being played, ``draft`` is the next one that was drawn, if any, and ``rows`` are its tables.
    There is a step for each stage, ``step`` is the first. ``bye_names`` are the names of those who
    have a bye in the shown rounds. ``without_points`` are the tables whose results lack card
    points, where those can decide places; where the stage ``needs_points`` none is taken without,
    and where it is ``typed_only`` places are typed.
    ``no_longer_through`` are the names of those who sit in a published round of brackets though,
    since a result was corrected, others go on; ``filled`` the stages that are played with others
    than those who would qualify now.
    """

    head: TournamentHead
    round: int | None
    rounds: tuple[int, ...]
    group: str
    counts: dict[str, int]
    rows: tuple[DeskRow, ...]
    disputes: tuple[QueuedDispute, ...]
    steps: tuple[NextStep, ...]
    boards: tuple[DeskBoard, ...] = ()
    tables: tuple[DeskTable, ...] = ()
    draft: int | None = None
    no_longer_through: tuple[str, ...] = ()
    filled: tuple[FilledBefore, ...] = ()
    bye_names: tuple[str, ...] = ()
    without_points: tuple[DeskRow, ...] = ()
    needs_points: bool = False
    typed_only: bool = False

    @property
    def shown(self) -> tuple[int, ...]:
        """The numbers of the rounds that it shows."""
        return tuple(board.round for board in self.boards)

    @property
    def step(self) -> NextStep:
        """What holds up the next round of the first stage."""
        return self.steps[0]

    @property
    def is_of_several(self) -> bool:
        """Whether it shows rounds of several stages."""
        return len(self.shown) > 1

    @property
    def asked(self) -> int | None:
        """The number of the round that links and forms name; None for all that are shown."""
        return None if self.is_of_several else self.round

    @property
    def drafts_together(self) -> int | None:
        """The first draft that can be published together with others, or None."""
        ready = [step for step in self.steps if step.kind == "publish" and not step.outdated]
        return ready[0].round if len(ready) > 1 else None

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
    """Return the desk of a round, by default of the first one of each stage that is being played.

    The head's queries and four. Refuses SIGN_IN, FORBIDDEN to all but the club's people, NOT_FOUND.
    """
    access = open_fetched_tournament(find_tournament(slug, viewer), viewer)
    refuse_unless(access.powers.submit and access.powers.arbitrate, viewer)
    published = tuple(
        round_.number for round_ in access.rounds if round_.state == Round.State.PUBLISHED
    )
    if number is not None and number not in published:
        or_404(None)  # refuses NOT_FOUND
    # Until a round is published the desk shows drafts, whose tables take no result yet.
    drafts = () if published else _first_rounds(access, Round.State.DRAFT)
    at_play = _first_rounds(access, Round.State.PUBLISHED) if number is None else (number,)
    shown = at_play or drafts
    stages = {round_.number: round_.stage for round_ in access.rounds}
    matches = _matches(slug, *shown)
    rows = _desk_rows(slug, shown[0], matches) if shown else ()
    return DeskPage(
        head=access.head,
        round=at_play[0] if at_play else None,
        rounds=published,
        boards=tuple(
            DeskBoard(shown_number, access.head.stage(stages[shown_number]))
            for shown_number in shown
        ),
        group=group if group in GROUPS else "",
        counts={name: sum(row.group == name for row in rows) for name in GROUPS},
        rows=tuple(row for row in rows if group not in GROUPS or row.group == group),
        disputes=_queued_disputes(slug),
        steps=_next_steps(access, at_play, rows),
        tables=_tables_of(rows) if at_play else (),
        draft=drafts[0] if drafts else None,
        no_longer_through=tuple(
            name for played in at_play for name in _eliminated_names(access, played, rows)
        ),
        filled=filled_before(access.tournament) if len(access.head.stages) > 1 else (),
        bye_names=tuple(match.home.shown_name for match in matches if match.state == States.BYE),
        without_points=_tables_without_points(matches, rows),
        needs_points=any(match.needs_points for match in matches),
        typed_only=any(match.round.stage.rules.typed_only for match in matches),
    )


def _tables_of(rows: Sequence[DeskRow]) -> tuple[DeskTable, ...]:
    """Return the tables that a typed line can name."""
    return tuple(
        DeskTable(row.match.table, row.match.pk, row.match.names, row.group in OPEN) for row in rows
    )


def desk_clocks(page: DeskPage) -> tuple[Clock, ...]:
    """Return the clocks of the rounds that are shown: one of those that were published together."""
    if page.round is None:
        return ()
    if not page.is_of_several:
        clock = round_clock(page.head, page.round)
        return () if clock is None else (clock,)
    rounds = Round.objects.filter(stage__tournament=page.head.pk, number__in=page.shown)
    firsts: dict[datetime | None, int] = {}
    for number, published_at in rounds.order_by("number").values_list("number", "published_at"):
        firsts.setdefault(published_at, number)
    clocks = (round_clock(page.head, number) for number in firsts.values())
    return tuple(clock for clock in clocks if clock is not None)


def _first_rounds(access: VisibleTournament, state: str) -> tuple[int, ...]:
    """Return the number of the first round in a state of each stage, in order.

    Where no two stages can be played side by side, the first of all.
    """
    firsts: dict[int, int] = {}
    for round_ in access.rounds:
        if round_.state == state:
            firsts.setdefault(round_.stage, round_.number)
    numbers = tuple(firsts.values())
    return numbers if access.head.has_stages_beside else numbers[:1]


def _tables_without_points(
    matches: Sequence[Match], rows: tuple[DeskRow, ...]
) -> tuple[DeskRow, ...]:
    """Return the tables whose results lack card points that can decide places.

    Where places are typed, points are written down or not as the club likes.
    """
    stages = {match.round.number: match.round.stage for match in matches}
    using = {n for n, stage in stages.items() if uses_points(stage.format, stage.rules)}
    done = (row for row in rows if row.group == "done" and row.match.round in using)
    scores = ((row, row.match.score) for row in done)
    return tuple(
        row
        for row, score in scores
        if score and not (score.points_text or score.forfeits or score.places)
    )


def _eliminated_names(
    access: VisibleTournament, number: int, rows: tuple[DeskRow, ...]
) -> tuple[str, ...]:
    """Return the names at a round's tables of entries eliminated by the results before it."""
    if not access.head.has_brackets:
        return ()
    snapshot = tournament_snapshot(access.tournament)
    stage = next(round_.stage for round_ in access.rounds if round_.number == number)
    own = (row for row in rows if row.match.round == number)
    entries = [entry for row in own for side in row.match.sides for entry in side.entries]
    out = eliminated_entrants(snapshot.rows, snapshot.stage(stage), number, entries)
    return tuple(snapshot.rows.by_number[entry].shown_name for entry in out)


def _next_steps(
    access: VisibleTournament, playing: tuple[int, ...], rows: tuple[DeskRow, ...]
) -> tuple[NextStep, ...]:
    """Return what holds up the next round, of each stage that is played side by side."""
    head = access.head
    steps = [
        _step_of_round(number, tuple(row for row in rows if row.match.round == number))
        for number in playing
    ]
    if steps and not head.is_side_by_side:
        return tuple(steps)
    states = {round_.number: round_ for round_ in access.rounds}
    busy = {states[number].stage for number in playing}
    drafts = [n for n in _first_rounds(access, Round.State.DRAFT) if states[n].stage not in busy]
    outdated = _outdated_rounds(access) if drafts else set()
    steps += [NextStep("publish", number, outdated=number in outdated) for number in drafts]
    steps += [NextStep("draw", one.number, draw=one) for one in next_to_draw(head)]
    if steps and steps[0].kind != "draw":
        return tuple(_with_stage(step, states, head) for step in steps)
    if access.rounds:
        last = access.rounds[-1].number
        if (level := _decide_step(last, _rows(head.slug, last))) and (steps or _may_finish(head)):
            return (level,)
    return tuple(_with_stage(step, states, head) for step in steps) or (_last_step(access),)


def _step_of_round(number: int, rows: tuple[DeskRow, ...]) -> NextStep:
    for kind, group in (("rule", "disputed"), ("results", "waiting"), ("confirm", "reported")):
        if tables := tuple(row for row in rows if row.group == group):
            reported = sum(row.group == "reported" for row in rows)
            return NextStep(kind, number, tables, reported=reported)
    return _decide_step(number, rows) or NextStep("close", number)


def _with_stage(step: NextStep, states: Mapping[int, RoundState], head: TournamentHead) -> NextStep:
    """Return a step with its stage, where several are played side by side."""
    if not head.is_side_by_side or step.round is None:
        return step
    stage = step.draw.stage if step.draw else head.stage(states[step.round].stage)
    return replace(step, stage=stage)


def _outdated_rounds(access: VisibleTournament) -> set[int]:
    drafts = Round.objects.filter(stage__tournament=access.tournament, state=Round.State.DRAFT)
    return {draft.number for draft in drafts if draft.is_outdated}


def _may_finish(head: TournamentHead) -> bool:
    return head.may.verbs["finish"]


def _last_step(access: VisibleTournament) -> NextStep:
    """Return the step before the first round or after the last one."""
    open_verbs = access.head.may.verbs
    if open_verbs["draw"]:
        return NextStep("begin")
    if open_verbs["finish"]:
        return NextStep("finish")
    if access.head.state == Tournament.State.RUNNING:
        return _postponed_step(access)
    return NextStep("")


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
    """Entries without a table in a running round, and places that wait for their players.

    ``places`` are number, name and table, those first that have not checked in.
    """

    idle: tuple[tuple[int, str], ...] = ()
    places: tuple[tuple[int, str, int], ...] = ()
    round: int = 0


def late_seats(page: DeskPage, tournament: Tournament) -> LateSeats | None:
    """Return who can be seated together in the shown round, if anybody; at most three queries."""
    waiting = [row for row in page.rows if row.group == "waiting" and not row.postponed_to]
    rounds = Round.objects.filter(stage__tournament=tournament, number__in=page.shown)
    taking = (one for one in rounds.select_related("stage") if takes_late_seats(one.stage))
    round_ = next(taking, None)
    if not waiting or page.round is None or round_ is None:
        return None
    waiting = [row for row in waiting if row.match.round == round_.number]
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
    return LateSeats(idle_rows, in_order, round_.number) if idle_rows else None


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


def desk_table(slug: str, viewer: Actor, number: int | None, table: int) -> DeskRow | None:
    """Return a table of a round that is being played, or None. Refuses as `desk_page`.

    Without a ``number`` it is searched in the rounds that the desk shows.
    """
    tournament = find_tournament(slug, viewer)
    if number is None:
        access = open_fetched_tournament(tournament, viewer)
        powers, numbers = access.powers, _first_rounds(access, Round.State.PUBLISHED)
    else:
        powers, numbers = club_rights(viewer, tournament.club), (number,)
    refuse_unless(powers.submit and powers.arbitrate, viewer)
    rows = _rows(slug, *numbers, table=table, round__state=Round.State.PUBLISHED)
    return next(iter(rows), None)


def _matches(slug: str, *numbers: int, **filters: Any) -> list[Match]:
    """Return the matches of rounds by table, byes among them."""
    if not numbers:
        return []
    matches = Match.objects.with_names().filter(
        round__stage__tournament__slug=slug, round__number__in=numbers, **filters
    )
    return list(matches.order_by("round__number", "table"))


def _rows(slug: str, *numbers: int, **filters: Any) -> tuple[DeskRow, ...]:
    return _desk_rows(slug, min(numbers, default=0), _matches(slug, *numbers, **filters))


def _desk_rows(slug: str, number: int, matches: Sequence[Match]) -> tuple[DeskRow, ...]:
    """Return the tables whose matches have been read, ``number`` being their first round."""
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
