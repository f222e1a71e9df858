"""History of rated matches: which count, in which order, with which people at the seats."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import datetime
from itertools import repeat
from typing import Any, Final

from django.db.models import Exists, F, OuterRef, Q, Sum
from django.db.models.functions import Coalesce

from tournaments.core.permissions import public_condition
from tournaments.domain.awards import strength_at_table
from tournaments.domain.ratings import Estimate, MatchToRate, Ratings, is_contest
from tournaments.domain.rows import SCORED_BY_HANDS, SCORED_BY_POINTS, Scoring
from tournaments.domain.sides import PLACES, PLACES_BY_SIDE, SCORES, SIDES
from tournaments.models import (
    Entry,
    Hand,
    Match,
    Player,
    RatingLedger,
    Result,
    Stage,
    Tournament,
)

Key = str
"""Key of a rated person: ``p12`` is the player, ``b4`` the bot of that primary key."""

Seats = tuple[tuple[Key, ...], ...]
"""The keys of the people at the seats of each side."""

RATING_ORDER: Final = (
    "match__round__published_at",
    "match__round__stage__tournament",
    "match__round__number",
    "match__table",
    "match",
)
"""Order in which matches are rated: by round, then by table.

The time of the result does not matter, so a correction or a late result is rated in its place.
"""

RATED_DEPTHS: Final = (Result.Depth.RECORD, Result.Depth.HANDS, Result.Depth.SCORE)
"""Depths of the results that are rated: those reported from the table."""

HISTORY_RULE: Final = 2
"""Number of the rule by which `rated_history` chooses matches and ranks their sides.

Raised with every change of that rule: all stored ratings are then out of date, and the next sweep
computes them from the start. 0: records alone (until release 0.2); 1: three and four at a table by
points, not hands (until 0.4).
"""

RULE_STEP: Final = 10**12
"""What a number of the rule adds to a sum of versions: more than any such sum."""

PEOPLE_COLUMNS: Final = ("seats", "player", "bot")
"""Columns of an entry that give its keys; a pair's players are added where pairs can play."""


@dataclass(frozen=True, slots=True)
class RatedRow:
    """A match that counts for ratings.

    ``marks`` are the hands won by each side, or its points where the stage is scored by points, or
    how many sides it is better than by rank at the table; where places were stated, these below
    zero.
    """

    match_pk: int
    result_pk: int
    at: datetime
    sides: Seats
    marks: tuple[int, ...]

    @property
    def sides_text(self) -> str:
        """The keys at the seats as text, as stored with the ratings."""
        return "/".join("+".join(side) for side in self.sides)


def rated_history(ruleset: str, mains: Mapping[Key, Key] | None = None) -> list[RatedRow]:
    """Return the rated matches under a ruleset, in order; three queries.

    Merged players count as their main ones: as stored, or as in ``mains``.

    A match is rated if its counting result was reported from the table, all of its players are
    known, no one sat on two sides, and its tournament is public. Without points it is left out
    where the stage is scored by points: who won is not known there.
    """
    stages = Stage.objects.filter(tournament__ruleset=ruleset)
    scorings = {stage.pk: stage.rules.scoring for stage in stages}
    results = (
        Result.objects.counting()
        .filter(
            public_condition("match__round__stage__tournament__"),
            depth__in=RATED_DEPTHS,
            match__away__isnull=False,
            match__round__stage__tournament__ruleset=ruleset,
        )
        .order_by(*RATING_ORDER)
        .values("pk", "match", "match__lineup", *SCORES, "places", *_ROUND_COLUMNS, **_columns())
    )
    mains = main_keys() if mains is None else mains
    rows = (_row(result, scorings, mains) for result in results.iterator(chunk_size=5000))
    return [row for row in rows if row is not None]


def stale_rulesets() -> tuple[str, ...]:
    """Return the rulesets that have changed since they were last rated; two queries.

    Every change that matters to ratings bumps the version of its tournament.
    """
    rated = dict(RatingLedger.objects.values_list("ruleset", "versions"))
    return tuple(
        ruleset
        for ruleset, versions in sorted(_versions().items())
        if rated.get(ruleset) != versions
    )


def is_checked(result: str = "") -> Q:
    """Return the condition that a result comes from a record of which every card was checked.

    ``result`` is the path to the result, such as ``rated__result__``.
    """
    unplayed = Hand.objects.filter(record=OuterRef(f"{result}record"), play__isnull=True)
    return Q(~Exists(unplayed), **{f"{result}depth": Result.Depth.RECORD})


def versions_of(ruleset: str) -> int:
    """Return the sum of the versions of a ruleset's tournaments, which never decreases.

    The number of the rule is in it, so that it also differs after a change of `HISTORY_RULE`.
    """
    return _versions().get(ruleset, 0)


def rate_history(rows: Iterable[RatedRow]) -> dict[Key, tuple[Estimate, int]]:
    """Return the ratings that a history gives, with the numbers of matches; nothing is stored."""
    ratings, index = Ratings(), dict[Key, int]()
    for row in rows:
        for key in (key for side in row.sides for key in side if key not in index):
            index[key] = ratings.add_player()
        sides = tuple(tuple(index[key] for key in side) for side in row.sides)
        ratings.add(MatchToRate(sides, row.marks))
    return {key: (ratings[person], ratings.matches[person]) for key, person in index.items()}


def main_keys(club: int | None = None) -> dict[Key, Key]:
    """Return the key of the main player of each merged one of a club, or of all; one query."""
    merged = Player.objects.exclude(same_as=None)
    rows = (merged if club is None else merged.filter(club=club)).values_list("pk", "same_as")
    return {key_of(pk, None): key_of(main, None) for pk, main in rows}


def with_mains(sides: Seats, mains: Mapping[Key, Key]) -> Seats:
    """Return the seats with the main players (:func:`main_keys`) of those who are merged."""
    return tuple(tuple(mains.get(key, key) for key in side) for side in sides)


def seats_of(match: Match) -> Seats:
    """Return who holds the seats of a match fetched with its names; empty for an unknown side."""
    return tuple(
        _seats(SIDES[index], match.lineup, [_keys_of_entry(entry) for entry in side])
        for index, side in enumerate(match.sides)
    )


def key_of(player_pk: int | None, bot_pk: int | None) -> Key:
    """Return the key of a player or a bot."""
    return f"b{bot_pk}" if player_pk is None else f"p{player_pk}"


_ROUND_COLUMNS: Final = ("match__round__published_at", "match__round__stage")


def _columns() -> dict[str, F]:
    """Return the columns that give the entries at each place of a match."""
    columns = {}
    for place in PLACES:
        for field in PEOPLE_COLUMNS:
            columns[f"{place}_{field}"] = F(f"match__{place}__{field}")
        for field in ("first", "second"):
            columns[f"{place}_{field}"] = F(f"match__{place}__pair__{field}")
    return columns


def _versions() -> dict[str, int]:
    # Discarded drafts too: without them the sum would decrease, and come back to what it was.
    tournaments = Tournament._base_manager.all()  # noqa: SLF001 - Django's own name
    rows = tournaments.values("ruleset").order_by("ruleset")
    sums = rows.annotate(all=Coalesce(Sum("version"), 0)).values_list("ruleset", "all")
    return {ruleset: HISTORY_RULE * RULE_STEP + versions for ruleset, versions in sums}


def _row(
    result: Mapping[str, Any], scorings: Mapping[int, Scoring], mains: Mapping[Key, Key]
) -> RatedRow | None:
    """Return a result as a rated row; None when it cannot be rated.

    ``scorings`` are those of the stages, by primary key; ``mains`` as of :func:`main_keys`.
    """
    sides = with_mains(_sides(result), mains)
    if not is_contest(sides):
        return None
    marks = _marks(result, scorings[result["match__round__stage"]], len(sides))
    if marks is None:
        return None
    return RatedRow(
        match_pk=result["match"],
        result_pk=result["pk"],
        at=result["match__round__published_at"],
        sides=sides,
        marks=marks,
    )


def _marks(result: Mapping[str, Any], scoring: Scoring, sides: int) -> tuple[int, ...] | None:
    """Return what ranks each side, more being better; None without the points that decide.

    That are places where they were stated, else hands or points; by the rank at the table both.
    """
    if result["places"]:
        return tuple(-place for place in result["places"])
    hands, points = (
        tuple(result[f"{side}_{field}"] or 0 for side in SIDES[:sides])
        for field in ("hands", "points")
    )
    if scoring is Scoring.TABLE:
        strengths = tuple(map(strength_at_table, hands, points, repeat(sides)))
        return tuple(map(sorted(strengths).index, strengths))
    if scoring in SCORED_BY_HANDS:
        return hands
    if any(points):
        return points
    return None if scoring in SCORED_BY_POINTS else hands


def _sides(result: Mapping[str, Any]) -> Seats:
    keys = {place: _keys_at(result, place) for place in PLACES}
    lineup = result["match__lineup"]
    return tuple(
        _seats(side, lineup, (keys[place] for place in places))
        for side, places in zip(SIDES, PLACES_BY_SIDE, strict=True)
        if result[f"{side}_seats"] is not None
    )


def _keys_at(result: Mapping[str, Any], place: str) -> tuple[Key, ...]:
    """Return the keys at the seats of an entry."""
    names = ("seats", "player", "bot", "first", "second")
    seats, player, bot, first, second = (result[f"{place}_{name}"] for name in names)
    if first is not None:
        return (key_of(first, None), key_of(second, None))
    if player is None and bot is None:
        return ()
    return (key_of(player, bot),) * int(seats)


def _keys_of_entry(entry: Entry) -> tuple[Key, ...]:
    if entry.pair is not None:
        return (key_of(entry.pair.first_id, None), key_of(entry.pair.second_id, None))
    return (key_of(entry.player_id, entry.bot_id),) * entry.seats


def _seats(
    side: str, lineup: Mapping[str, Any], entries: Iterable[tuple[Key, ...]]
) -> tuple[Key, ...]:
    """Return the keys at the seats of a side, substitutes included; empty if one is unknown."""
    stands_in = lineup.get(side)
    if stands_in is None:
        return tuple(key for entry in entries for key in entry)
    if not all(isinstance(player, int) for player in stands_in["players"]):
        return ()
    return tuple(key_of(player, None) for player in stands_in["players"])
