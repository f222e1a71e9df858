"""Pages about bots: the list, one bot with its versions, forfeits."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any, Final

from django.db.models import Q, QuerySet

from tournaments.arena.queries.comparisons import ComparisonRow, comparison_rows
from tournaments.arena.queries.ladders import LadderRow, bots_to_enter, ladders_of_bot
from tournaments.core.db import row_of
from tournaments.core.find import first_by_name, not_found_unless, or_404
from tournaments.core.permissions import (
    Actor,
    may_change_bot,
    may_compare_versions,
    may_connect_bot,
    may_see_deals,
    public_condition,
    visible_condition,
)
from tournaments.director.queries.forfeits import MAX_FORFEITS, ForfeitRow, forfeit_rows, lost_hands
from tournaments.director.queries.rows import MatchRow, cotos_won, live_results, match_row
from tournaments.domain.names import sort_key
from tournaments.models import (
    Bot,
    BotForfeit,
    BotVersion,
    Club,
    Match,
    Player,
    Rating,
    Record,
    Round,
    Stage,
)
from tournaments.models.matches import at_any_place
from tournaments.people.queries import first_named
from tournaments.results.queries.records import RecordsFile, record_lines, write_lines_file

MAX_MATCHES: Final = 20
"""Limit of matches on a bot's page, the latest first."""

MAX_COMPARISONS: Final = 20
"""Limit of comparisons on a bot's page, the latest first."""

MAX_BOTS: Final = 500
"""Limit of bots on the page of all bots."""

GROUPS: Final[Mapping[str, Q]] = {
    "house": ~Q(kind__in=(Bot.Kind.PROGRAM, Bot.Kind.REMOTE)),
    "program": Q(kind=Bot.Kind.PROGRAM),
    "remote": Q(kind=Bot.Kind.REMOTE),
}
"""Filters of the list of bots."""

State = BotVersion.State


@dataclass(frozen=True, slots=True)
class BotRating:
    """A bot's rating under a ruleset; of several, the one with most matches comes first."""

    ruleset: str
    rating: int
    margin: int
    provisional: bool
    matches: int


@dataclass(frozen=True, slots=True)
class BotCard:
    """A bot in a list.

    ``state`` is ``ready``, ``checking``, ``refused``, ``empty`` (a program without a version),
    ``benched`` or ``retired``; ``club_slug`` is empty for a house bot. ``forfeits`` counts the
    hands lost by faults, those lost while benched included.
    """

    pk: int
    slug: str
    name: str
    kind: str
    club: str
    club_slug: str
    owner: str
    state: str
    rating: BotRating | None
    forfeits: int


@dataclass(frozen=True, slots=True)
class BotsPage:
    """All bots by name, or those of a ``group`` or club.

    ``clubs`` are those to which the viewer may bring a bot, ``in_club`` is the club asked for,
    ``to_enter`` are the viewer's bots that can play and are on no ladder.
    """

    bots: tuple[BotCard, ...]
    group: str
    in_club: Club | None
    clubs: tuple[Club, ...]
    to_enter: tuple[Bot, ...]


@dataclass(frozen=True, slots=True)
class CheckLine:
    """One check of a version; ``check`` and ``message`` by language.

    ``reply``: what the bot last wrote where it failed. ``stderr`` is for those who may change the
    bot.
    """

    number: int
    check: Mapping[str, str]
    state: str
    code: str
    message: Mapping[str, str]
    required: bool
    reply: str = ""
    stderr: str = ""


@dataclass(frozen=True, slots=True)
class VersionRow:
    """A version with the progress of its check: ``of`` is the number of lines, 0 before it begins.

    ``stuck``: it was interrupted too often, the last time by ``fault``, a fault of the machine.
    """

    number: int
    language: str
    sha256: str
    trusted: bool
    state: str
    made_by: str
    made_at: datetime
    checked_at: datetime | None
    lines: tuple[CheckLine, ...]
    of: int
    stuck: bool
    fault: str

    @property
    def done(self) -> int:
        """Number of checks made."""
        return len(self.lines)

    @property
    def failed(self) -> tuple[CheckLine, ...]:
        """The required checks that failed: these refuse the version."""
        return tuple(line for line in self.lines if line.state == "failed" and line.required)

    @property
    def remarks(self) -> tuple[CheckLine, ...]:
        """The other checks that did not hold."""
        return tuple(line for line in self.lines if line.state != "ok" and line not in self.failed)


@dataclass(frozen=True, slots=True)
class LogRow:
    """How a bot behaved at a place of a match: its answers by milliseconds, its standard error."""

    place: str
    counts: Mapping[str, int]
    stderr: str

    @property
    def times(self) -> tuple[tuple[int, int], ...]:
        """Upper bounds in milliseconds, with the number of answers below each and not the last."""
        return tuple(
            (2 ** int(digits), n) for digits, n in sorted(self.counts.items(), key=_digits)
        )


@dataclass(frozen=True, slots=True)
class BotMatch:
    """A match of a bot in a list; ``versions`` are the numbers of the programs by place.

    ``logs`` are those of the bot, for those who may change it.
    """

    tournament: str
    slug: str
    at: datetime | None
    match: MatchRow
    ruleset: str = ""
    versions: Mapping[str, int] = field(default_factory=dict)
    logs: tuple[LogRow, ...] = ()


@dataclass(frozen=True, slots=True)
class BotPage:
    """A bot with its versions, newest first, its latest forfeits and its latest matches.

    ``benched_for`` says when and where it was benched: the keys of `Bot.benched_for`. ``ladders``
    are those on which the viewer may enter it.
    """

    card: BotCard
    about: str
    rulesets: tuple[str, ...]
    benched_at: datetime | None
    benched_for: Mapping[str, Any]
    retired_at: datetime | None
    versions: tuple[VersionRow, ...]
    ratings: tuple[BotRating, ...]
    forfeits: tuple[ForfeitRow, ...]
    matches: tuple[BotMatch, ...]
    may_change: bool
    may_connect: bool
    ladders: tuple[LadderRow, ...]
    comparisons: tuple[ComparisonRow, ...]
    may_compare: bool

    @property
    def ready_versions(self) -> tuple[int, ...]:
        """Numbers of the versions that may play, newest first."""
        return tuple(version.number for version in self.versions if version.state == State.READY)

    @property
    def is_program(self) -> bool:
        """Only programs have versions."""
        return self.card.kind == Bot.Kind.PROGRAM

    @property
    def is_moving(self) -> bool:
        """A check is waiting or running."""
        return any(
            version.state == State.CHECKING and not version.stuck for version in self.versions
        )


def _digits(item: tuple[str, int]) -> int:
    return int(item[0])


def find_bot(slug: str) -> Bot:
    """Return a bot with its club and its author; visible to all. Refuses NOT_FOUND."""
    return or_404(Bot.objects.select_related("club", "owner").filter(slug=slug).first())


def find_version(slug: str, number: int) -> BotVersion:
    """Return a version with its bot; visible to all. Refuses NOT_FOUND."""
    versions = BotVersion.objects.select_related("bot__club")
    return or_404(versions.filter(bot__slug=slug, number=number).first())


# --- list of bots ---------------------------------------------------------------------------------


def bots_page(viewer: Actor, group: str = "", club: str = "") -> BotsPage:
    """Return the page of all bots: five queries at most, two more for a signed-in viewer.

    Refuses NOT_FOUND for an unknown group or club.
    """
    not_found_unless(not group or group in GROUPS)
    bots = Bot.objects.filter(GROUPS.get(group, Q()))
    chosen_club = or_404(Club.objects.filter(slug=club).first()) if club else None
    if chosen_club is not None:
        bots = bots.filter(club=chosen_club)
    cards = _cards(Bot.objects.filter(pk__in=first_by_name(bots, MAX_BOTS)))
    sorted_cards = tuple(sorted(cards, key=lambda card: (sort_key(card.name), card.pk)))
    clubs = clubs_to_submit_to(viewer)
    return BotsPage(sorted_cards, group, chosen_club, clubs, bots_to_enter(viewer))


def bots_after(
    slug: str, count: int, params: Mapping[str, str] | None = None
) -> tuple[BotCard, ...]:
    """Return ``count`` bots after a short name, by short name; three queries.

    ``params`` may filter by ``kind``, by ``state``, by ``club`` (its short name), and by a part of
    the ``name``.
    """
    fields = {"kind": "kind", "club": "club__slug"}
    filters = params or {}
    narrowed = {field: filters[name] for name, field in fields.items() if name in filters}
    bots = Bot.objects.filter(slug__gt=slug, **narrowed)
    if "state" in filters:
        bots = bots.in_state(filters["state"])
    return _cards(first_named(bots, count, filters.get("name", "")))


def clubs_to_submit_to(viewer: Actor) -> tuple[Club, ...]:
    """Return the clubs to which the viewer may bring a bot: as member or as player."""
    if viewer.user is None or viewer.token is not None:
        return ()
    own_clubs = Player.objects.filter(user=viewer.user).values("club")
    condition = Q(memberships__user=viewer.user) | Q(pk__in=own_clubs)
    clubs = Club.objects.filter(condition).distinct()
    return tuple(sorted(clubs, key=lambda club: sort_key(club.name)))


def _cards(bots: QuerySet[Bot]) -> tuple[BotCard, ...]:
    """Return the cards of bots; three queries."""
    rows = list(bots.select_related("club", "owner"))
    keys = [bot.pk for bot in rows]
    ratings = _ratings(keys)
    hands_lost = lost_hands(BotForfeit.objects.filter(bot__in=keys), "bot")
    newest = _states(keys)
    return tuple(
        card_of(bot, newest.get(bot.pk, ()), ratings.get(bot.pk, ()), hands_lost.get(bot.pk, 0))
        for bot in rows
    )


def card_of(
    bot: Bot, states: Sequence[str], ratings: Sequence[BotRating], forfeits: int
) -> BotCard:
    """Return the card of a bot; ``states`` are those of its versions, newest first."""
    return BotCard(
        pk=bot.pk,
        slug=bot.slug,
        name=bot.name,
        kind=bot.kind,
        club="" if bot.club is None else bot.club.name,
        club_slug="" if bot.club is None else bot.club.slug,
        owner="" if bot.owner is None else bot.owner.get_username(),
        state=_state(bot, states),
        rating=ratings[0] if ratings else None,
        forfeits=forfeits,
    )


def _state(bot: Bot, states: Sequence[str]) -> str:
    if bot.retired_at is not None:
        return "retired"
    if bot.benched_at is not None:
        return "benched"
    if bot.kind != Bot.Kind.PROGRAM or State.READY in states:
        return "ready"
    return states[0] if states else "empty"


def _states(bots: Sequence[int]) -> dict[int, list[str]]:
    """Return the states of the versions of bots, newest first; one query."""
    states: dict[int, list[str]] = {}
    rows = BotVersion.objects.filter(bot__in=bots).order_by("bot", "-number")
    for bot, state in rows.values_list("bot", "state"):
        states.setdefault(bot, []).append(state)
    return states


def _ratings(bots: Sequence[int]) -> dict[int, list[BotRating]]:
    """Return the ratings of bots, those with most matches first; one query."""
    ratings: dict[int, list[BotRating]] = {}
    rows = Rating.objects.filter(bot__in=bots).select_related("ledger")
    for row in rows.order_by("-matches", "pk"):
        estimate = row.estimate
        ratings.setdefault(row.bot_id or 0, []).append(
            BotRating(
                row.ledger.ruleset,
                estimate.shown,
                estimate.margin,
                estimate.is_provisional,
                row.matches,
            )
        )
    return ratings


# --- one bot --------------------------------------------------------------------------------------


def bot_page(slug: str, viewer: Actor) -> BotPage:
    """Return a bot's page: nine queries at most, some more for a signed-in viewer."""
    bot = find_bot(slug)
    may_change = may_change_bot(viewer, bot)
    may_compare = bot.kind == Bot.Kind.PROGRAM and may_compare_versions(viewer, bot)
    versions = tuple(
        version_row(version, may_change=may_change) for version in bot.versions.defer("source")
    )
    ratings = _ratings([bot.pk]).get(bot.pk, [])
    hands_lost = lost_hands(BotForfeit.objects.filter(bot=bot), "bot").get(bot.pk, 0)
    forfeits = bot.forfeits.order_by("-made_at", "-pk")[:MAX_FORFEITS]
    return BotPage(
        card=card_of(bot, [version.state for version in versions], ratings, hands_lost),
        about=bot.about,
        rulesets=tuple(bot.rulesets),
        benched_at=bot.benched_at,
        benched_for=bot.benched_for,
        retired_at=bot.retired_at,
        versions=versions,
        ratings=tuple(ratings),
        forfeits=forfeit_rows(forfeits, viewer, may_change=may_change),
        matches=_matches(bot, viewer if may_change else None),
        may_change=may_change,
        may_connect=bot.kind == Bot.Kind.REMOTE and may_connect_bot(viewer, bot),
        comparisons=comparison_rows(bot.comparisons.all()[:MAX_COMPARISONS]) if may_compare else (),
        may_compare=may_compare and bot.retired_at is None,
        ladders=ladders_of_bot(bot, viewer) if may_change else (),
    )


def version_page(slug: str, number: int, viewer: Actor) -> VersionRow:
    """Return a version of a bot with the report of its check."""
    version = find_version(slug, number)
    return version_row(version, may_change=may_change_bot(viewer, version.bot))


def version_row(version: BotVersion, *, may_change: bool) -> VersionRow:
    """Return a version with the report of its check."""
    report = version.report
    output = report.get("output", {})
    return row_of(
        VersionRow,
        version,
        lines=tuple(
            CheckLine(
                **line,
                reply=line_output.get("reply", ""),
                stderr=line_output.get("stderr", "") if may_change else "",
            )
            for line in report.get("lines", ())
            for line_output in (output.get(str(line["number"]), {}),)
        ),
        of=report.get("of", 0),
        stuck=version.is_stuck,
        fault=version.check_fault,
    )


def _matches(bot: Bot, reader: Actor | None) -> tuple[BotMatch, ...]:
    """Return a bot's latest matches that are public; four queries, five with logs."""
    rows = _played_by(bot, public_condition("round__stage__tournament__"))
    return _match_rows(rows.order_by("-round__published_at", "-pk")[:MAX_MATCHES], bot, reader)


def matches_after(slug: str, before: str, count: int, viewer: Actor) -> tuple[BotMatch, ...]:
    """Return matches of a bot, latest first, with keys below ``before`` unless it is empty."""
    bot = find_bot(slug)
    rows = _played_by(bot, visible_condition(viewer, "round__stage__tournament__"))
    if before:
        rows = rows.filter(pk__lt=int(before))
    reader = viewer if may_change_bot(viewer, bot) else None
    return _match_rows(rows.order_by("-pk")[:count], bot, reader)


def records_of(slug: str, viewer: Actor) -> RecordsFile:
    """Write the accepted records of a bot's matches in closed rounds, the oldest first.

    Matches whose deals are secret are left out. Refuses NOT_FOUND.
    """
    bot = find_bot(slug)
    matches = _played_by(bot, visible_condition(viewer, "round__stage__tournament__"))
    closed = matches.filter(round__state=Round.State.CLOSED).order_by()
    stages = Stage.objects.filter(rounds__matches__in=closed.values("pk")).distinct()
    secret = [stage.pk for stage in stages if stage.keeps_deals_secret]
    closed = closed.exclude(~Q(boards=[]), round__stage__in=secret)
    records = (
        Record.objects.accepted().filter(match__in=closed.values("pk")).order_by("match", "coto")
    )
    return write_lines_file(lambda: record_lines(records))


def _played_by(bot: Bot, visibility: Q) -> QuerySet[Match]:
    plays = at_any_place(bot, "__bot")
    published = ~Q(round__state=Round.State.DRAFT)
    return Match.objects.with_names().filter(plays, published, visibility, away__isnull=False)


def _match_rows(rows: QuerySet[Match], bot: Bot, reader: Actor | None) -> tuple[BotMatch, ...]:
    """Return matches of a bot, with its logs for a ``reader``, who may change it."""
    matches = list(rows)
    logs = _logs(bot, matches, reader) if reader is not None else {}
    results, playing = live_results(matches), cotos_won(matches)
    keys = {pk for match in matches for pk in match.versions.values()}
    numbers = dict(BotVersion.objects.filter(pk__in=keys).values_list("pk", "number"))
    return tuple(
        BotMatch(
            match.tournament.name,
            match.tournament.slug,
            match.round.published_at,
            match_row(match, results.get(match.pk), playing.get(match.pk, "")),
            match.tournament.ruleset,
            {place: numbers[pk] for place, pk in match.versions.items() if pk in numbers},
            tuple(logs.get(match.pk, ())),
        )
        for match in matches
    )


def _logs(bot: Bot, matches: Sequence[Match], reader: Actor) -> dict[int, list[LogRow]]:
    """Return the logs of a bot by match, none while others have still to play its deals."""
    open_ = [match.pk for match in matches if may_see_deals(reader, match)]
    logs: dict[int, list[LogRow]] = {}
    for row in bot.logs.filter(match__in=open_).order_by("match", "place"):
        logs.setdefault(row.match_id, []).append(LogRow(row.place, row.times, row.stderr))
    return logs


# --- forfeits -------------------------------------------------------------------------------------


def forfeits_after(slug: str, before: str, count: int, viewer: Actor) -> tuple[ForfeitRow, ...]:
    """Return forfeits of a bot, latest first, with keys below ``before`` unless it is empty."""
    bot = find_bot(slug)
    visibility = visible_condition(viewer, "match__round__stage__tournament__")
    rows = bot.forfeits.filter(visibility).order_by("-pk")
    if before:
        rows = rows.filter(pk__lt=int(before))
    return forfeit_rows(rows[:count], viewer, may_change=may_change_bot(viewer, bot))
