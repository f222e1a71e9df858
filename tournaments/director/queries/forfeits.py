"""Hands that bots lost without playing them: of a match, a round and a stage."""

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Final

from django.db.models import Count, QuerySet, Sum
from django.db.models.functions import Coalesce

from tournaments.core.db import row_of
from tournaments.core.permissions import (
    Actor,
    may_see_deals,
)
from tournaments.domain.sides import PLACES
from tournaments.models import (
    BotForfeit,
    Round,
)

MAX_FORFEITS: Final = 50
"""Limit of forfeits on a bot's page, the latest first."""


@dataclass(frozen=True, slots=True)
class ForfeitRow:
    """A hand that a bot lost by a fault, in record ``part`` of a match.

    The play is left out (``hides_play``) while other tables have yet to play that deal; ``stderr``
    is for those who may change the bot. ``version`` is None for house bots.
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
        """Number of hands that it cost."""
        return 1 + self.unplayed


def forfeits_of_match(match_pk: int, viewer: Actor) -> tuple[ForfeitRow, ...]:
    """Return the forfeits of a match in the order of play; one query.

    Standard error is only on the bots' own pages, for their authors.
    """
    rows = BotForfeit.objects.filter(match=match_pk).order_by("part", "hand")
    return forfeit_rows(rows, viewer, may_change=False)


def forfeits_of_round(slug: str, number: int) -> Mapping[int, int]:
    """Return how many hands of a round bots lost by faults, by match; one query."""
    rounds = Round.objects.filter(stage__tournament__slug=slug, number=number)
    return lost_hands(BotForfeit.objects.filter(match__round__in=rounds), "match")


def forfeits_in_stage(slug: str, number: int) -> Mapping[int, int]:
    """Return how many hands of a stage bots lost by faults, by entry number; one query."""
    rows = BotForfeit.objects.filter(
        match__round__stage__tournament__slug=slug, match__round__stage__number=number
    )
    columns = [f"match__{place}__number" for place in PLACES]
    hands_lost: Counter[int] = Counter()
    for place, unplayed, *numbers in rows.order_by().values_list(
        "facts__place", "unplayed", *columns
    ):
        hands_lost[dict(zip(PLACES, numbers, strict=True))[place]] += 1 + unplayed
    return dict(hands_lost)


def lost_hands(forfeits: QuerySet[BotForfeit], column: str) -> dict[int, int]:
    """Return the number of hands that forfeits cost, by bot or by match; one query."""
    costs = Count("pk") + Coalesce(Sum("unplayed"), 0)
    return dict(forfeits.order_by().values(column).annotate(cost=costs).values_list(column, "cost"))


def forfeit_rows(
    rows: QuerySet[BotForfeit], viewer: Actor, *, may_change: bool
) -> tuple[ForfeitRow, ...]:
    """Return forfeits; one query, and those that decide who may see deals in duplicate."""
    fetched = rows.select_related("bot", "version", "match__round__stage__tournament__club")
    return tuple(
        _forfeit(row, hides=not may_see_deals(viewer, row.match), may_change=may_change)
        for row in fetched
    )


def _forfeit(row: BotForfeit, *, hides: bool, may_change: bool) -> ForfeitRow:
    return row_of(
        ForfeitRow,
        row,
        bot=row.bot.name,
        bot_slug=row.bot.slug,
        match_pk=row.match_id,
        tournament=row.match.tournament.name,
        round=row.match.round.number,
        table=row.match.table,
        facts={} if hides else row.facts,
        reply="" if hides else row.reply,
        legal="" if hides else row.legal,
        stderr=row.stderr if may_change and not hides else "",
        play="" if hides else row.play,
        version=None if row.version is None else row.version.number,
        hides_play=hides,
    )
