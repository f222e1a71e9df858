"""The page of an entry's own table: the match, the clock, and what waits for confirmation."""

import zlib
from dataclasses import dataclass
from datetime import datetime, timedelta

from django.db.models import Q
from django.utils import timezone

from tournaments.core.permissions import Actor
from tournaments.director.queries.rows import MatchRow, live_results, match_row
from tournaments.director.queries.tournaments import TournamentHead, opened
from tournaments.models import Dispute, Entry, Match, Result, Round, Tournament
from tournaments.results.queries.matches import MatchPage, match_page

PLACES = ("home", "away", "home_partner", "away_partner", "third")
IN_ROUND = tuple(
    f"round__{name}" for name in ("state", "minutes", "clock_started_at", "clock_stopped_at")
)
"""Fields of a match's round that the page shows."""


@dataclass(frozen=True, slots=True)
class Clock:
    """The clock of a round: its end, or, while it is stopped, the ``left`` minutes."""

    ends_at: datetime
    left: int
    is_stopped: bool
    is_over: bool


@dataclass(frozen=True, slots=True)
class OwnTablePage:
    """The page of an entry's own table; ``current`` is missing while it has no match to play.

    ``others`` are its matches of other rounds without a result that counts, ``bye`` its bye in the
    running round.
    """

    head: TournamentHead
    number: int
    name: str
    current: MatchPage | None
    clock: Clock | None
    bye: MatchRow | None
    others: tuple[MatchRow, ...]
    by_code: bool


def own_entry(tournament: Tournament, viewer: Actor) -> Entry | None:
    """Return the viewer's entry, by its code or as one of its players."""
    if viewer.entry is not None:
        return viewer.entry if viewer.entry.tournament_id == tournament.pk else None
    if viewer.user is None:
        return None
    own = (
        Q(pair__first__user=viewer.user)
        | Q(pair__second__user=viewer.user)
        | Q(player__user=viewer.user)
        | Q(substitutions__comes__user=viewer.user)
    )
    return tournament.entries.filter(own).order_by("number").first()


def own_table_page(tournament: Tournament, entry: Entry, viewer: Actor) -> OwnTablePage:
    """Return the page of an entry's own table.

    The head's queries, two, and those of a match's page.
    """
    this = opened(tournament, viewer)
    matches = list(Match.objects.with_names().filter(_played_by(entry)).order_by("round__number"))
    running = [match for match in matches if match.round.state == Round.State.PUBLISHED]
    current = next((match for match in running if match.state != Match.State.BYE), None)
    waiting = [
        match
        for match in matches
        if match != current and match.state not in {Match.State.ACCEPTED, Match.State.BYE}
    ]
    results = live_results(waiting)
    rows = tuple(match_row(match, results.get(match.pk)) for match in waiting)
    bye = next((match for match in running if match.state == Match.State.BYE), None)
    playing = current or bye
    return OwnTablePage(
        head=this.head,
        number=entry.number,
        name=entry.shown_name,
        current=None if current is None else match_page(current.pk, viewer),
        clock=None if playing is None else clock_of(playing.round),
        bye=None if bye is None or current is not None else match_row(bye, None),
        others=rows,
        by_code=viewer.entry is not None,
    )


def own_table_version(entry: Entry) -> str:
    """Return a version that changes whenever the page of an entry's own table does.

    Three small queries, however large the tournament. Other tables do not change it, so that not
    every phone reloads its page with every result.
    """
    tournament = entry.tournament
    matches = Match.objects.filter(_played_by(entry)).order_by("pk")
    keys = matches.values("pk")
    results = Result.objects.filter(match__in=keys).order_by("pk")
    disputes = Dispute.objects.filter(match__in=keys).order_by("pk")
    content = (
        (tournament.state, tournament.name, entry.name),
        list(matches.values_list("pk", "table", "state", "postponed_to", *IN_ROUND)),
        list(results.values_list("pk", "live", "counts_from")),
        list(disputes.values_list("pk", "state")),
    )
    return f"{zlib.crc32(repr(content).encode()):08x}"


def _played_by(entry: Entry) -> Q:
    """Return the condition for matches of an entry in rounds that are not drafts."""
    mine = Q()
    for place in PLACES:
        mine |= Q(**{place: entry})
    return mine & Q(round__state__in=(Round.State.PUBLISHED, Round.State.CLOSED))


def clock_of(round_: Round) -> Clock | None:
    """Return the clock of a round by this machine's time; ``None`` where none was started."""
    if round_.clock_started_at is None or round_.minutes is None:
        return None
    now = timezone.now()
    stopped = round_.clock_stopped_at
    ends_at = round_.clock_started_at + timedelta(minutes=round_.minutes)
    left = ends_at - (stopped or now)
    minutes = max(0, -(-int(left.total_seconds()) // 60))
    return Clock(ends_at, minutes, is_stopped=stopped is not None, is_over=left <= timedelta(0))
