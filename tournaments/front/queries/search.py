"""The search for clubs, tournaments and people."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import islice
from typing import Any, Final

from django.db.models import Q

from tournaments.core.permissions import Actor, visible_condition
from tournaments.director.queries.cards import TournamentCard, cards_of, posted
from tournaments.domain.names import is_found, search_words
from tournaments.domain.pseudonyms import without_pseudonyms
from tournaments.models import Club, Tournament
from tournaments.people.queries import ClubCard, club_cards, public_players

MIN_LETTERS: Final = 2
MAX_FOUND: Final = 20  # of each kind


@dataclass(frozen=True, slots=True)
class FoundPerson:
    """A person who is entered in a public tournament."""

    pk: int
    name: str
    club: str


@dataclass(frozen=True, slots=True)
class SearchPage:
    """What was found for ``words``; ``is_short``: too few letters to look for."""

    words: str
    is_short: bool
    clubs: tuple[ClubCard, ...] = ()
    tournaments: tuple[TournamentCard, ...] = ()
    people: tuple[FoundPerson, ...] = ()

    @property
    def is_empty(self) -> bool:
        """Return whether nothing was found."""
        return not (self.clubs or self.tournaments or self.people)


def search_page(words: str, viewer: Actor) -> SearchPage:
    """Return clubs, tournaments and people in whose name each word begins a word; seven queries.

    Of people only those entered in a public tournament, and none that was erased. Names are
    compared here, not in the database: its collations differ from machine to machine.
    """
    wanted = search_words(words)
    if sum(map(len, wanted)) < MIN_LETTERS:
        return SearchPage(words, is_short=bool(wanted))
    clubs = Club.objects.all()
    coming = posted(Tournament.objects.all()).order_by().values("pk")
    visible = Tournament.objects.filter(visible_condition(viewer) | Q(pk__in=coming))
    club_keys = _found(clubs.values_list("pk", "name"), wanted)
    keys = _found(visible.order_by("-pk").values_list("pk", "name"), wanted)
    people = public_players().order_by("folded", "pk").values_list("pk", "name", "club__name")
    return SearchPage(
        words,
        is_short=False,
        clubs=club_cards(clubs.filter(pk__in=[pk for pk, _name in club_keys])),
        tournaments=cards_of(visible.filter(pk__in=[pk for pk, _name in keys])),
        people=tuple(FoundPerson(*row) for row in _found(people, wanted)),
    )


def _found(rows: Iterable[tuple[Any, ...]], wanted: Sequence[str]) -> list[tuple[Any, ...]]:
    """Return the first rows that have the wanted words in their second column, a name."""
    found = (row for row in rows if is_found(wanted, without_pseudonyms(row[1])))
    return list(islice(found, MAX_FOUND))
