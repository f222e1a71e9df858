"""Ladders that are open to bots, and what their authors may do there."""

from collections.abc import Iterable
from dataclasses import dataclass

from django.db.models import Exists, OuterRef, QuerySet

from tournaments.core.permissions import Actor, may_enter_bot
from tournaments.director.queries.tournaments import TournamentHead
from tournaments.domain.match_parts import TWO_SIDED
from tournaments.models import Absence, Bot, Club, Entry, Tournament


@dataclass(frozen=True, slots=True)
class LadderRow:
    """A bot and the ladder of its club under a ruleset; ``slug`` is empty until there is one.

    ``is_in``: the bot plays on it. ``is_silent``: its client has not asked for turns lately, so
    that it would be absent from a round.
    """

    bot: str
    bot_slug: str
    ruleset: str
    slug: str
    is_in: bool
    is_silent: bool


def open_ladders() -> QuerySet[Tournament]:
    """Return the ladders that are open to bots, the newest first."""
    ladders = Tournament.objects.filter(open_to_bots=True).order_by("-pk")
    return ladders.exclude(state=Tournament.State.FINISHED)


def ladder_of(club: Club | None, ruleset: str) -> Tournament | None:
    """Return the ladder of a club under a ruleset, if there is one."""
    return open_ladders().filter(club=club, ruleset=ruleset).first()


def without_those_away(entries: QuerySet[Entry]) -> QuerySet[Entry]:
    """Return the entries that have not left; one that is absent for a round stays."""
    away = Absence.objects.filter(entry=OuterRef("pk"), until_round__isnull=True)
    return entries.exclude(Exists(away))


def ladders_of_bot(bot: Bot, viewer: Actor) -> tuple[LadderRow, ...]:
    """Return the ladders on which the viewer may enter a bot: three queries at most."""
    if not may_enter_bot(viewer, bot) or not Bot.objects.playable().filter(pk=bot.pk).exists():
        return ()
    rulesets = [name for name in TWO_SIDED if bot.plays(name)]
    ladders = {ladder.ruleset: ladder for ladder in open_ladders().filter(club=bot.club)}
    return _rows((bot, name, ladders.get(name)) for name in rulesets)


def ladder_bots(head: TournamentHead, viewer: Actor) -> tuple[LadderRow, ...]:
    """Return the viewer's bots that may play on a ladder that is open to bots: two queries."""
    if viewer.user is None or head.state == Tournament.State.FINISHED:
        return ()
    own = Bot.objects.playable().filter(owner=viewer.user, club__slug=head.club_slug)
    bots = own.select_related("club").order_by("name", "pk")
    ladder = Tournament(pk=head.pk, slug=head.slug)
    return _rows(
        (bot, head.ruleset, ladder)
        for bot in bots
        if bot.plays(head.ruleset) and may_enter_bot(viewer, bot)
    )


def bots_to_enter(viewer: Actor) -> tuple[Bot, ...]:
    """Return the viewer's bots that can play and are on no ladder; one query."""
    if viewer.user is None:
        return ()
    entered = Entry.objects.filter(bot=OuterRef("pk"), tournament__in=open_ladders())
    own = Bot.objects.playable().filter(owner=viewer.user, club__isnull=False)
    bots = own.exclude(Exists(entered)).select_related("club").order_by("name", "pk")
    return tuple(bot for bot in bots if may_enter_bot(viewer, bot))


def _rows(places: Iterable[tuple[Bot, str, Tournament | None]]) -> tuple[LadderRow, ...]:
    rows = list(places)
    keys = {bot.pk for bot, _ruleset, _ladder in rows}
    entries = without_those_away(Entry.objects.filter(bot__in=keys))
    is_in = set(entries.values_list("tournament", "bot")) if rows else set()
    silent = set(Bot.objects.silent().filter(pk__in=keys).values_list("pk", flat=True))
    return tuple(
        LadderRow(
            bot=bot.name,
            bot_slug=bot.slug,
            ruleset=ruleset,
            slug="" if ladder is None else ladder.slug,
            is_in=ladder is not None and (ladder.pk, bot.pk) in is_in,
            is_silent=bot.pk in silent,
        )
        for bot, ruleset, ladder in rows
    )
