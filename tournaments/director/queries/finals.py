"""Final places and means of finished tournaments, read together and cached by their versions."""

from collections import defaultdict
from collections.abc import Collection, Iterable, Sequence

from tournaments.core.cache import get_many_cached, set_cached
from tournaments.director.queries.snapshot import is_expelled, key_of, rows_of_all
from tournaments.domain.prizes import close_gaps
from tournaments.domain.season import FinalPlace, final_places
from tournaments.domain.sources import Means, means_of, worth_of
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


def means_of_all(tournaments: Iterable[Tournament]) -> dict[int, tuple[str, dict[int, Means]]]:
    """Return by the keys of tournaments what a match is worth, and the entrants' means by number.

    Eight queries for all those that are not cached.
    """
    keys = {key_of("means", tournament, 0): tournament for tournament in tournaments}
    means = get_many_cached(keys)
    rows = rows_of_all([tournament for key, tournament in keys.items() if key not in means])
    for key, tournament in keys.items():
        if tournament.pk in rows:
            of = rows[tournament.pk]
            means[key] = f"{worth_of(of)} {tournament.cotos}", means_of(of)
            set_cached(key, means[key])
    return {tournament.pk: means[key] for key, tournament in keys.items()}


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
