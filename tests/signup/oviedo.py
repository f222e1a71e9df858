"""Qualifiers of a town and the final of their first three, with an independent count of who comes.

The reference reads the scores that the scene wrote down, and none of the service's tables.
"""

from collections.abc import Collection, Iterable, Mapping, Sequence
from random import Random
from typing import NamedTuple

from tests.clubs import SYSTEM, the_round
from tests.support.day import the_people
from tournaments.director.services.draws import draw
from tournaments.director.services.entries import enter_newcomers
from tournaments.director.services.posting import post_tournament
from tournaments.director.services.settings import GameSettings, NewTournament
from tournaments.director.services.tournaments import (
    close_round,
    create_tournament,
    finish,
    publish_round,
)
from tournaments.domain.scores import Score
from tournaments.models import Club, Match, Pair, SignUpSource, Tournament
from tournaments.results.services.matches import correct_result
from tournaments.signup.services.sources import set_sources

TAKE = 3


class Line(NamedTuple):
    """A match: home won it; ``away`` is 0 of a bye."""

    home: int
    away: int
    hands: int
    points: int


# --- The scene ------------------------------------------------------------------------------------


def a_qualifier(
    club: Club, name: str, pairs: Sequence[Pair], margins: Iterable[int] = (), **more: object
) -> tuple[Tournament, list[Line]]:
    """A finished Swiss of one round: home wins table n by the n-th margin of card points."""
    rules = {"rounds": 1, "order": ["hand_difference", "point_difference"]}
    stages = [{"format": "swiss", "rules": rules}]
    new = NewTournament(GameSettings(options={"to": 3}), stages=stages, **more)  # type: ignore[arg-type]
    tournament = create_tournament(SYSTEM, club, name, new)
    enter_newcomers(SYSTEM, tournament, pairs)
    draw(SYSTEM, tournament)
    round_ = publish_round(SYSTEM, the_round(tournament, 1))
    margins, lines = list(margins) or Random(name).sample(range(1, 90), 8), []
    for match in Match.objects.with_names().filter(round=round_).order_by("table"):
        if match.away is None:
            lines.append(Line(match.home.number, 0, 0, 0))
            continue
        points = margins[match.table - 1]
        correct_result(SYSTEM, match, Score(3, 1, 200 + points, 200), reason="as it was played")
        lines.append(Line(match.home.number, match.away.number, 2, points))
    close_round(SYSTEM, round_)
    tournament.refresh_from_db()
    return finish(SYSTEM, tournament, early=True), lines


def a_final(club: Club, sources: Sequence[Tournament], name: str = "La final") -> Tournament:
    """A posted Swiss whose sign-up takes the first three of each source."""
    stages = [{"format": "swiss", "rules": {"rounds": 3}}]
    new = NewTournament(GameSettings(options={"to": 3}), stages=stages)
    final = create_tournament(SYSTEM, club, name, new)
    post_tournament(SYSTEM, final)
    final.refresh_from_db()
    set_sources(SYSTEM, final, sources, TAKE)
    return final


def a_circuit(sizes: Sequence[int]) -> tuple[Tournament, dict[int, list[Line]]]:
    """A final with a finished source for each size, and the matches of each by its key."""
    club, pairs = the_people(sum(sizes))
    lines, sources, first = {}, [], 0
    for number, size in enumerate(sizes, 1):
        source, played = a_qualifier(club, f"Centro {number}", pairs[first : first + size])
        first += size
        sources.append(source)
        lines[source.pk] = played
    final = a_final(club, sources)
    keys = SignUpSource.objects.values_list("tournament", "pk")
    return final, {pk: lines[tournament] for tournament, pk in keys}


# --- The reference --------------------------------------------------------------------------------


def order_of(lines: Iterable[Line]) -> list[list[int]]:
    """Return the entries from the best, those who share a place together."""
    found: dict[tuple[int, int, int], list[int]] = {}
    for line in lines:
        found.setdefault((1, line.hands, line.points), []).append(line.home)
        if line.away:
            found.setdefault((0, -line.hands, -line.points), []).append(line.away)
    return [sorted(found[key]) for key in sorted(found, reverse=True)]


def who_comes(
    circuit: Mapping[int, Iterable[Line]], gone: Collection[tuple[int, int]] = (), take: int = TAKE
) -> set[tuple[int, int]]:
    """Return the source and number of all who are through without a lot."""
    coming = set()
    for source, lines in circuit.items():
        free = take
        for level in order_of(lines):
            there = [number for number in level if (source, number) not in gone]
            if len(there) > free:
                break
            coming |= {(source, number) for number in there}
            free -= len(there)
    return coming
