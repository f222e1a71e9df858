"""Final places of finished tournaments, read together and cached by their versions."""

from collections.abc import Iterable

from tournaments.core.cache import get_many_cached, set_cached
from tournaments.director.queries.snapshot import key_of, rows_of_all
from tournaments.domain.season import FinalPlace, final_places
from tournaments.models import Tournament


def final_places_of(tournaments: Iterable[Tournament]) -> dict[int, tuple[FinalPlace, ...]]:
    """Return the final places of tournaments by their keys, best first.

    Eight queries for all those that are not cached.
    """
    keys = {key_of("places", tournament, 0): tournament for tournament in tournaments}
    places = get_many_cached(keys)
    missing = [tournament for key, tournament in keys.items() if key not in places]
    rows = rows_of_all(missing)
    for key, tournament in keys.items():
        if tournament.pk in rows:
            places[key] = final_places(rows[tournament.pk])
            set_cached(key, places[key])
    return {tournament.pk: places[key] for key, tournament in keys.items()}
