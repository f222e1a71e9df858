"""Final places of finished tournaments, read together and cached by their versions."""

from collections import defaultdict
from collections.abc import Collection, Iterable, Sequence

from tournaments.core.cache import get_many_cached, set_cached
from tournaments.director.queries.snapshot import is_expelled, key_of, rows_of_all
from tournaments.domain.prizes import close_gaps
from tournaments.domain.season import FinalPlace, final_places
from tournaments.models import Entry, Tournament


def final_places_of(tournaments: Iterable[Tournament]) -> dict[int, tuple[FinalPlace, ...]]:
    """Return the final places of tournaments by their keys, best first.

    Those who were expelled have none, also where that was after the end: the next move up. Nine
    queries for all those that are not cached.
    """
    keys = {key_of("places", tournament, 0): tournament for tournament in tournaments}
    places = get_many_cached(keys)
    missing = [tournament for key, tournament in keys.items() if key not in places]
    rows, expelled = rows_of_all(missing), _expelled(missing)
    for key, tournament in keys.items():
        if tournament.pk in rows:
            places[key] = _without(final_places(rows[tournament.pk]), expelled[tournament.pk])
            set_cached(key, places[key])
    return {tournament.pk: places[key] for key, tournament in keys.items()}


def _expelled(tournaments: Collection[Tournament]) -> dict[int, set[int]]:
    """Return the numbers of those who were expelled by the keys of their tournaments; one query."""
    numbers: dict[int, set[int]] = defaultdict(set)
    if tournaments:
        out = Entry.objects.filter(is_expelled(), tournament__in=tournaments)
        for tournament, number in out.values_list("tournament", "number"):
            numbers[tournament].add(number)
    return numbers


def _without(places: Sequence[FinalPlace], left_out: Collection[int]) -> tuple[FinalPlace, ...]:
    ranks = close_gaps([(place.who, place.rank) for place in places], left_out)
    return tuple(place._replace(rank=ranks[place.who]) for place in places if place.who in ranks)
