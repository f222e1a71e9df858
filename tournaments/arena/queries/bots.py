"""The pages about bots: all of them, one of them with its versions and all that it did wrong."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, Final

from django.db.models import Count, Q, QuerySet, Sum
from django.db.models.functions import Coalesce

from tournaments.core.find import found, visible
from tournaments.core.permissions import (
    Actor,
    may_change_bot,
    may_connect_bot,
    may_see_deals,
    public,
    visible_to,
)
from tournaments.director.queries.rows import MatchRow, in_play, live_results, match_row
from tournaments.models import (
    Bot,
    BotForfeit,
    BotVersion,
    Club,
    Match,
    Player,
    Rating,
    Round,
)
from tournaments.models.matches import PLACES

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from datetime import datetime

MOST_FORFEITS: Final = 50
"""Latest forfeits that a bot's page lists."""

MOST_MATCHES: Final = 20
"""Latest matches that it lists."""

MOST_BOTS: Final = 500
"""Bots that the page of all of them lists."""

GROUPS: Final[Mapping[str, Q]] = {
    "house": ~Q(kind__in=(Bot.Kind.PROGRAM, Bot.Kind.REMOTE)),
    "program": Q(kind=Bot.Kind.PROGRAM),
    "remote": Q(kind=Bot.Kind.REMOTE),
}
"""What the list can be cut down to."""

State = BotVersion.State


@dataclass(frozen=True, slots=True)
class BotRating:
    """A bot's rating under a ruleset; of several, the one of most matches stands first."""

    ruleset: str
    rating: int
    margin: int
    provisional: bool
    matches: int


@dataclass(frozen=True, slots=True)
class BotCard:
    """A bot of a list.

    ``state`` is ``ready``, ``checking``, ``refused``, ``empty`` (a program without a version),
    ``benched`` or ``retired``; ``club_slug`` is empty for a bot of the house. ``forfeits`` counts
    the hands that it lost by what it did, those lost on the bench included.
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
    """All bots by name, cut down to a ``group`` and a club if asked to.

    ``clubs`` are those to which the viewer may bring one, ``in_club`` the club asked for.
    """

    bots: tuple[BotCard, ...]
    group: str
    in_club: Club | None
    clubs: tuple[Club, ...]


@dataclass(frozen=True, slots=True)
class CheckLine:
    """One check of a version; ``check`` and ``message`` by language, ``en`` and ``es``."""

    number: int
    check: Mapping[str, str]
    state: str
    code: str
    message: Mapping[str, str]
    required: bool


@dataclass(frozen=True, slots=True)
class VersionRow:
    """A version, and how far its check is: ``of`` so many lines, 0 before it has begun.

    ``stuck``: it was broken off too often, the last time by ``fault``, a fault of the machine.
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
        """How many checks have been made."""
        return len(self.lines)

    @property
    def failed(self) -> tuple[CheckLine, ...]:
        """The required ones that failed: these refuse it."""
        return tuple(line for line in self.lines if line.state == "failed" and line.required)

    @property
    def remarks(self) -> tuple[CheckLine, ...]:
        """What did not hold without being required."""
        return tuple(line for line in self.lines if line.state != "ok" and line not in self.failed)


@dataclass(frozen=True, slots=True)
class ForfeitRow:
    """A hand that a bot lost by what it did, of record ``part`` of a match.

    What was played is left out (``hides_play``) while other tables have still to play that deal,
    ``stderr`` for all but those who may change the bot. ``version`` is missing for house bots.
    """

    pk: int
    bot: str
    bot_slug: str
    match_pk: int
    tournament: str
    round: int
    table: int
    part: int
    hand: int
    seat: str
    code: str
    facts: Mapping[str, Any]
    reply: str
    legal: str
    stderr: str
    play: str
    version: int | None
    unplayed: int
    made_at: datetime
    hides_play: bool = False

    @property
    def hands(self) -> int:
        """How many hands it cost."""
        return 1 + self.unplayed


@dataclass(frozen=True, slots=True)
class BotMatch:
    """A match of a bot in a list."""

    tournament: str
    slug: str
    at: datetime | None
    match: MatchRow


@dataclass(frozen=True, slots=True)
class BotPage:
    """A bot with its versions, newest first, its latest forfeits and its latest matches.

    ``benched_for`` says when and where it was benched: the keys of `Bot.benched_for`.
    """

    card: BotCard
    about: str
    benched_at: datetime | None
    benched_for: Mapping[str, Any]
    retired_at: datetime | None
    versions: tuple[VersionRow, ...]
    ratings: tuple[BotRating, ...]
    forfeits: tuple[ForfeitRow, ...]
    matches: tuple[BotMatch, ...]
    may_change: bool
    may_connect: bool

    @property
    def is_program(self) -> bool:
        """Versions are brought of it."""
        return self.card.kind == Bot.Kind.PROGRAM

    @property
    def is_moving(self) -> bool:
        """A check is still to come or under way."""
        return any(one.state == State.CHECKING and not one.stuck for one in self.versions)


def find_bot(slug: str, viewer: Actor) -> Bot:
    """Return a bot with its club and its author; everybody sees bots."""
    del viewer
    return found(Bot.objects.select_related("club", "owner").filter(slug=slug).first())


def find_version(slug: str, number: int, viewer: Actor) -> BotVersion:
    """Return a version with its bot; everybody sees that it is there."""
    del viewer
    versions = BotVersion.objects.select_related("bot__club")
    return found(versions.filter(bot__slug=slug, number=number).first())


# --- All of them ----------------------------------------------------------------------------------


def bots_page(viewer: Actor, group: str = "", club: str = "") -> BotsPage:
    """Return the bots: four queries at most, one more for a viewer who is known.

    NOT_FOUND for a group or a club that there is not.
    """
    visible(not group or group in GROUPS)
    bots = Bot.objects.filter(GROUPS.get(group, Q()))
    asked = found(Club.objects.filter(slug=club).first()) if club else None
    if asked is not None:
        bots = bots.filter(club=asked)
    return BotsPage(_cards(bots[:MOST_BOTS]), group, asked, clubs_of_bringer(viewer))


def bots_after(
    slug: str, count: int, wanted: Mapping[str, str] | None = None
) -> tuple[BotCard, ...]:
    """Return the next bots in the order of their short names; three queries.

    ``wanted`` may narrow them to a ``kind``, to a ``state``, and to a ``club`` by its short name.
    """
    fields = {"kind": "kind", "club": "club__slug"}
    said = wanted or {}
    narrowed = {field: said[name] for name, field in fields.items() if name in said}
    bots = Bot.objects.filter(slug__gt=slug, **narrowed)
    if "state" in said:
        bots = bots.in_state(said["state"])
    return _cards(bots.order_by("slug")[:count])


def clubs_of_bringer(viewer: Actor) -> tuple[Club, ...]:
    """Return the clubs to which somebody signed in may bring a bot: as member or as player."""
    if viewer.user is None or viewer.token is not None:
        return ()
    own = Player.objects.filter(user=viewer.user).values("club")
    theirs = Q(memberships__user=viewer.user) | Q(pk__in=own)
    return tuple(Club.objects.filter(theirs).distinct().order_by("name"))


def _cards(bots: QuerySet[Bot]) -> tuple[BotCard, ...]:
    """Return bots in short; three queries."""
    rows = list(bots.select_related("club", "owner"))
    keys = [bot.pk for bot in rows]
    ratings = _ratings(keys)
    lost = lost_hands(BotForfeit.objects.filter(bot__in=keys), "bot")
    newest = _states(keys)
    return tuple(
        card_of(bot, newest.get(bot.pk, ()), ratings.get(bot.pk, ()), lost.get(bot.pk, 0))
        for bot in rows
    )


def card_of(
    bot: Bot, states: Sequence[str], ratings: Sequence[BotRating], forfeits: int
) -> BotCard:
    """Return a bot in short; ``states`` are those of its versions, the newest first."""
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
    """Return the states of the versions of bots, the newest first; one query."""
    states: dict[int, list[str]] = {}
    rows = BotVersion.objects.filter(bot__in=bots).order_by("bot", "-number")
    for bot, state in rows.values_list("bot", "state"):
        states.setdefault(bot, []).append(state)
    return states


def _ratings(bots: Sequence[int]) -> dict[int, list[BotRating]]:
    """Return the ratings of bots, those of most matches first; one query."""
    ratings: dict[int, list[BotRating]] = {}
    rows = Rating.objects.filter(bot__in=bots).select_related("ledger")
    for row in rows.order_by("-matches", "pk"):
        shown = row.estimate
        ratings.setdefault(row.bot_id or 0, []).append(
            BotRating(
                row.ledger.ruleset, shown.shown, shown.margin, shown.is_provisional, row.matches
            )
        )
    return ratings


# --- One of them ----------------------------------------------------------------------------------


def bot_page(slug: str, viewer: Actor) -> BotPage:
    """Return a bot: at most nine queries, and two for a viewer who is known."""
    bot = find_bot(slug, viewer)
    may_change = may_change_bot(viewer, bot)
    versions = tuple(version_row(one) for one in bot.versions.defer("source"))
    ratings = _ratings([bot.pk]).get(bot.pk, [])
    lost = lost_hands(BotForfeit.objects.filter(bot=bot), "bot").get(bot.pk, 0)
    forfeits = _forfeits(bot.forfeits.order_by("-made_at", "-pk")[:MOST_FORFEITS], viewer)
    return BotPage(
        card=card_of(bot, [one.state for one in versions], ratings, lost),
        about=bot.about,
        benched_at=bot.benched_at,
        benched_for=bot.benched_for,
        retired_at=bot.retired_at,
        versions=versions,
        ratings=tuple(ratings),
        forfeits=tuple(_told(row, may_change) for row in forfeits),
        matches=_matches(bot),
        may_change=may_change,
        may_connect=bot.kind == Bot.Kind.REMOTE and may_connect_bot(viewer, bot),
    )


def version_row(version: BotVersion) -> VersionRow:
    """Return a version with what its check has said."""
    report = version.report
    return VersionRow(
        number=version.number,
        language=version.language,
        sha256=version.sha256,
        trusted=version.trusted,
        state=version.state,
        made_by=version.made_by,
        made_at=version.made_at,
        checked_at=version.checked_at,
        lines=tuple(CheckLine(**line) for line in report.get("lines", ())),
        of=report.get("of", 0),
        stuck=version.is_stuck,
        fault=version.check_fault,
    )


def _matches(bot: Bot) -> tuple[BotMatch, ...]:
    """Return the latest matches of a bot that everybody may see; three queries."""
    places = ("home", "home_partner", "away", "away_partner", "third")
    plays = Q(*[(f"{place}__bot", bot) for place in places], _connector=Q.OR)
    seen = ~Q(round__state=Round.State.DRAFT) & public("round__stage__tournament__")
    rows = Match.objects.with_names().filter(plays, seen, away__isnull=False)
    matches = list(rows.order_by("-round__published_at", "-pk")[:MOST_MATCHES])
    results, playing = live_results(matches), in_play(matches)
    return tuple(
        BotMatch(
            match.tournament.name,
            match.tournament.slug,
            match.round.published_at,
            match_row(match, results.get(match.pk), playing.get(match.pk, "")),
        )
        for match in matches
    )


# --- What bots did wrong --------------------------------------------------------------------------


def forfeits_after(slug: str, before: str, count: int, viewer: Actor) -> tuple[ForfeitRow, ...]:
    """Return forfeits of a bot, the latest first, from before a key (empty: from the latest on)."""
    bot = find_bot(slug, viewer)
    seen = visible_to(viewer, "match__round__stage__tournament__")
    rows = bot.forfeits.filter(seen).order_by("-pk")
    if before:
        rows = rows.filter(pk__lt=int(before))
    may_change = may_change_bot(viewer, bot)
    return tuple(_told(row, may_change) for row in _forfeits(rows[:count], viewer))


def forfeits_of_match(match_pk: int, viewer: Actor) -> tuple[ForfeitRow, ...]:
    """Return what bots did wrong in a match, in the order in which they did it; one query.

    What they wrote to standard error is on their own pages, for their authors.
    """
    found_rows = BotForfeit.objects.filter(match=match_pk).order_by("part", "hand")
    rows = _forfeits(found_rows, viewer)
    return tuple(_told(row, False) for row in rows)


def forfeits_of_round(slug: str, number: int) -> Mapping[int, int]:
    """Return how many hands of a round bots lost by what they did, by match; one query."""
    rounds = Round.objects.filter(stage__tournament__slug=slug, number=number)
    return lost_hands(BotForfeit.objects.filter(match__round__in=rounds), "match")


def forfeits_in_stage(slug: str, number: int) -> Mapping[int, int]:
    """Return how many hands bots lost in a stage by what they did, by entry; one query."""
    rows = BotForfeit.objects.filter(
        match__round__stage__tournament__slug=slug, match__round__stage__number=number
    )
    who = [f"match__{place}__number" for place in PLACES]
    lost: Counter[int] = Counter()
    for place, unplayed, *numbers in rows.order_by().values_list("facts__place", "unplayed", *who):
        lost[dict(zip(PLACES, numbers, strict=True))[place]] += 1 + unplayed
    return dict(lost)


def lost_hands(forfeits: QuerySet[BotForfeit], by: str) -> dict[int, int]:
    """Return the hands that forfeits cost, by bot or by match; one query."""
    costs = Count("pk") + Coalesce(Sum("unplayed"), 0)
    return dict(forfeits.order_by().values(by).annotate(cost=costs).values_list(by, "cost"))


def _forfeits(rows: QuerySet[BotForfeit], viewer: Actor) -> list[ForfeitRow]:
    """Return forfeits; one query, and what it takes to know who may see deals in duplicate."""
    fetched = rows.select_related("bot", "version", "match__round__stage__tournament__club")
    return [_forfeit(row, hides=not may_see_deals(viewer, row.match)) for row in fetched]


def _forfeit(row: BotForfeit, *, hides: bool) -> ForfeitRow:
    return ForfeitRow(
        pk=row.pk,
        bot=row.bot.name,
        bot_slug=row.bot.slug,
        match_pk=row.match_id,
        tournament=row.match.tournament.name,
        round=row.match.round.number,
        table=row.match.table,
        part=row.part,
        hand=row.hand,
        seat=row.seat,
        code=row.code,
        facts={} if hides else row.facts,
        reply="" if hides else row.reply,
        legal="" if hides else row.legal,
        stderr=row.stderr,
        play="" if hides else row.play,
        version=None if row.version is None else row.version.number,
        unplayed=row.unplayed,
        made_at=row.made_at,
        hides_play=hides,
    )


def _told(row: ForfeitRow, may_change: bool) -> ForfeitRow:
    """Leave out what is for the author alone."""
    return row if may_change else replace(row, stderr="")
