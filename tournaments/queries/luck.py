"""A tournament with the luck of its deals taken off: what each entry's play has won."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from typing import Any

from django.db.models import QuerySet

import engine
from tournaments.models import AnalysedHand, Entry, Hand, Match, Record, Tournament
from tournaments.permissions import Actor
from tournaments.queries.analyses import SIGNS, home_sign
from tournaments.queries.heads import TournamentHead, open_tournament

SIDES = (("home", "home_partner"), ("away", "away_partner"))
"""Where entries sit, side by side; three at a table are not analysed."""

MATCH = "hand__record__match"
MARGINS = ("result", "luck", "skill")


@dataclass(frozen=True, slots=True)
class LuckRow:
    """An entry's points over its opponents' in ``hands`` analysed hands of so many ``matches``.

    ``result`` = ``luck`` + ``skill``, the luck-adjusted result; ``a_hand`` is the mean of ``skill``
    with a 95 % interval. Entries whose skill is level share a rank.
    """

    rank: int
    number: int
    name: str
    matches: int
    hands: int
    result: int
    luck: int
    skill: int
    a_hand: engine.Interval


@dataclass(frozen=True, slots=True)
class LuckPage:
    """The entries by what their play has won; ``analysed`` of ``total`` hands are through."""

    head: TournamentHead
    rows: tuple[LuckRow, ...]
    analysed: int
    total: int

    @property
    def word(self) -> str:
        """What changes whenever the table does."""
        return f"{self.head.version}-{self.analysed}-{self.total}"


def luck_page(slug: str, viewer: Actor) -> LuckPage:
    """Return a tournament's luck-adjusted table: three queries and those of the head.

    Matches count as they do in the standings; where other tables have still to play the same deals
    they are left out, for everybody. One query more for each stage with such deals.
    """
    this = open_tournament(slug, viewer)
    matches = _shown(this.tournament)
    hands = AnalysedHand.objects.counting().filter(hand__record__match__in=matches)
    places = [f"{MATCH}__{place}" for side in SIDES for place in side]
    margins = [f"analysis__{name}" for name in MARGINS]
    found = list(hands.order_by("pk").values(MATCH, "hand__record__home_side", *places, *margins))
    written = Hand.objects.filter(
        record__match__in=matches,
        record__state=Record.State.ACCEPTED,
        record__match__state=Match.State.ACCEPTED,
    )
    return LuckPage(this.head, tuple(_rows(this.tournament, found)), len(found), written.count())


def _shown(tournament: Tournament) -> QuerySet[Match]:
    """Return the matches whose cards everybody may see."""
    closed = [
        stage.pk
        for stage in tournament.stages.all()
        if stage.kind.same_deals and not stage.deals_are_open
    ]
    matches = Match.objects.filter(round__stage__tournament=tournament)
    return matches.exclude(round__stage__in=closed)


def _rows(tournament: Tournament, found: Iterable[dict[str, Any]]) -> Iterator[LuckRow]:
    """Yield the entries that have analysed hands, the most skilful first; one query."""
    seen: dict[int, list[tuple[int, ...]]] = defaultdict(list)
    for hand in found:
        home = home_sign(hand["hand__record__home_side"])
        for side, sign in zip(SIDES, SIGNS, strict=True):
            margins = tuple(sign * home * hand[f"analysis__{name}"] for name in MARGINS)
            for place in side:
                entry = hand[f"{MATCH}__{place}"]
                if entry is not None:
                    seen[entry].append((hand[MATCH], *margins))
    rows = [_row(entry, seen[entry.pk]) for entry in tournament.entries.filter(pk__in=seen)]
    skills = sorted((row.skill for row in rows), reverse=True)
    for row in sorted(rows, key=lambda row: (-row.skill, row.number)):
        yield replace(row, rank=skills.index(row.skill) + 1)


def _row(entry: Entry, hands: list[tuple[int, ...]]) -> LuckRow:
    matches, results, lucks, skills = zip(*hands, strict=True)
    return LuckRow(
        rank=0,
        number=entry.number,
        name=entry.name,
        matches=len(set(matches)),
        hands=len(hands),
        result=sum(results),
        luck=sum(lucks),
        skill=sum(skills),
        a_hand=engine.mean_interval(skills),
    )
