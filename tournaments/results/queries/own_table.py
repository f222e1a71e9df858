"""The page of an entry's own table: the match, the clock, and what waits for confirmation."""

import zlib
from collections.abc import Iterable
from dataclasses import dataclass

from django.db.models import Q
from django.utils import timezone

from tournaments.core.permissions import Actor
from tournaments.director.queries.desk import Clock, clock_of
from tournaments.director.queries.entries import OwnPage, own_page
from tournaments.director.queries.rows import MatchRow, TableSide, live_results, match_row
from tournaments.director.queries.state import role_of
from tournaments.director.queries.tournaments import TournamentHead, VisibleTournament
from tournaments.models import Dispute, Entry, Match, Record, Result, Round, Tournament
from tournaments.models.matches import at_any_place, day_of
from tournaments.models.people import plays_as
from tournaments.results.queries.matches import MatchPage, page_of

ROUND_COLUMNS = tuple(
    f"round__{name}" for name in ("state", "minutes", "clock_started_at", "clock_stopped_at", "day")
)
"""Fields of a match's round that the page shows."""
MATCH_COLUMNS = (
    *("pk", "table", "state", "postponed_to", "proposed_day", "day_proposed_by"),
    *("lineup", "abandoned_at"),
)
"""Fields of a match that the page shows."""
DECIDED_COLUMNS = (
    "penalties__pk",
    "penalties__revoked_at",
    "substitutions__pk",
    "substitutions__until_round",
)
"""What was decided about an entry that the page shows."""
WAITING_OR_BYE = (Match.State.PENDING, Match.State.BYE)


@dataclass(frozen=True, slots=True)
class DayRow:
    """A match of an entry's own day, seen from its side of the table; in a bye, ``match`` alone."""

    match: MatchRow
    own: TableSide
    others: tuple[TableSide, ...]

    @property
    def opponents(self) -> str:
        """The names of the other sides."""
        return ", ".join(side.shown_name for side in self.others)

    @property
    def score(self) -> str:
        """The hands, the own ones first; empty until there is a result."""
        sides = (self.own, *self.others)
        counted = [str(side.counted) for side in sides if side.counted is not None]
        return "–".join(counted) if self.others else ""

    @property
    def outcome(self) -> str:
        """How the match ended: ``won``, ``lost``, ``level``, or empty until its result counts."""
        if self.match.state != Match.State.ACCEPTED or self.match.score is None:
            return ""
        if self.own.won:
            return "won"
        best = min if self.match.score.places else max
        is_first = self.own.counted == best(
            side.counted for side in (self.own, *self.others) if side.counted is not None
        )
        has_lost = self.own.absent or any(side.won for side in self.others)
        return "level" if is_first and not has_lost else "lost"


@dataclass(frozen=True, slots=True)
class OwnTablePage:
    """The page of an entry's own table; ``current`` is missing while it has no match to play.

    ``day`` are its matches, round by round, also those of later rounds that are published, of which
    ``next`` is the first. ``others`` are its matches of other rounds without a result that counts,
    ``bye`` its bye in the running round; ``you`` is the entry itself.
    """

    head: TournamentHead
    number: int
    name: str
    you: OwnPage
    current: MatchPage | None
    clock: Clock | None
    bye: MatchRow | None
    day: tuple[DayRow, ...]
    next: DayRow | None
    others: tuple[MatchRow, ...]
    by_code: bool

    @property
    def now(self) -> DayRow | None:
        """The current match, seen from the entry's side."""
        key = None if self.current is None else self.current.match.pk
        return next((row for row in self.day if row.match.pk == key), None)


def own_entry(tournament: Tournament, viewer: Actor) -> Entry | None:
    """Return the viewer's entry, by its code or as one of its players."""
    if viewer.entry is not None:
        return viewer.entry if viewer.entry.tournament_id == tournament.pk else None
    if viewer.user is None:
        return None
    paths = ("pair__first", "pair__second", "player", "substitutions__comes")
    is_own = Q(*(plays_as(viewer.user, path) for path in paths), _connector=Q.OR)
    return tournament.entries.filter(is_own).order_by("number").first()


def own_table_page(access: VisibleTournament, entry: Entry, viewer: Actor) -> OwnTablePage:
    """Return the page of an entry's own table.

    The queries of its matches, two, of the entry, and of the page of a match.
    """
    matches = Match.objects.filter(_played_by(entry)).order_by("round__number").list_with_names()
    results = live_results(matches)
    day = tuple(day_row(match_row(match, results.get(match.pk)), entry) for match in matches)
    playing = _current_match(matches)
    current = None if playing is None or playing.state == Match.State.BYE else playing
    bye = playing if current is None else None
    return OwnTablePage(
        head=access.head,
        number=entry.number,
        name=entry.shown_name,
        you=own_page(
            entry,
            role_of(viewer, access.powers, own=True),
            asks_check_in=current is None and not _plays_today(matches),
        ),
        current=None if current is None else page_of(current, viewer, access),
        clock=None if playing is None else clock_of(playing.round),
        bye=None if bye is None else match_row(bye, None),
        day=day,
        next=_next(day, playing),
        others=tuple(
            row.match
            for row, match in zip(day, matches, strict=True)
            if match != current and match.state not in {Match.State.ACCEPTED, Match.State.BYE}
        ),
        by_code=viewer.entry is not None,
    )


def day_row(match: MatchRow, entry: Entry) -> DayRow:
    """Return a match as the people of one of its entries see it."""
    own_side = next(side for side in match.sides if entry.number in side.entries)
    return DayRow(match, own_side, tuple(side for side in match.sides if side is not own_side))


def _current_match(matches: list[Match]) -> Match | None:
    """Return the match of the running rounds that its people play now, or a bye.

    That is the first without a result that counts and not put off, or else the last.
    """
    running_matches = [match for match in matches if match.round.state == Round.State.PUBLISHED]
    not_now = (Match.State.ACCEPTED, Match.State.BYE, Match.State.POSTPONED)
    to_play = (match for match in running_matches if match.state not in not_now)
    return next(to_play, running_matches[-1] if running_matches else None)


def _plays_today(matches: Iterable[Match]) -> bool:
    """Return whether a round of these matches was published today: its people have come."""
    today = timezone.localdate()
    return any(day_of(m.round.published_at) >= today for m in matches if m.round.published_at)


def _next(day: tuple[DayRow, ...], playing: Match | None) -> DayRow | None:
    """Return the match or bye of the round after the one that is played, if it is published."""
    if playing is None:
        return None
    later = (row for row in day if row.match.round > playing.round.number)
    return next((row for row in later if row.match.state in WAITING_OR_BYE), None)


def own_table_version(entry: Entry) -> str:
    """Return a version that changes whenever the page of an entry's own table does.

    Seven small queries, eight where several cotos make a match, however large the tournament. Other
    tables do not change it, so that not every phone reloads its page with every result.
    """
    tournament = entry.tournament
    matches = Match.objects.filter(_played_by(entry)).order_by("pk")
    keys = matches.values("pk")
    results = Result.objects.filter(match__in=keys).order_by("pk")
    disputes = Dispute.objects.filter(match__in=keys).order_by("pk")
    decided = Entry.objects.filter(pk=entry.pk)
    cotos = Record.objects.accepted().filter(match__in=keys).order_by("pk")
    content = (
        (tournament.state, tournament.name, tournament.announcement, tournament.announced_at),
        (tournament.check_in_closed_at, tournament.self_check_in, tournament.bye_quota),
        (entry.name, entry.checked_in_at),
        list(tournament.days.order_by("pk").values_list("pk", "sequence")),
        list(entry.absences.order_by("pk").values_list("kind", "until_round")),
        list(entry.bye_requests.order_by("pk").values_list("round_number", "kind")),
        list(decided.order_by(*DECIDED_COLUMNS).values_list(*DECIDED_COLUMNS)),
        list(matches.values_list(*MATCH_COLUMNS, *ROUND_COLUMNS)),
        list(results.values_list("pk", "live", "counts_from")),
        list(disputes.values_list("pk", "state")),
        list(cotos.values_list("pk", flat=True)) if tournament.cotos > 1 else (),
    )
    return f"{zlib.crc32(repr(content).encode()):08x}"


def _played_by(entry: Entry) -> Q:
    """Return the condition for matches of an entry in rounds that are not drafts."""
    return at_any_place(entry) & Q(round__state__in=(Round.State.PUBLISHED, Round.State.CLOSED))
