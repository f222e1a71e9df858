"""The poster of a tournament: what people read before it is played, and what is coming."""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django.utils.translation import get_language

from tournaments.core.find import not_found_unless, or_404
from tournaments.core.permissions import Actor, may_see_poster
from tournaments.director.queries.tournaments import TournamentHead, open_fetched_tournament
from tournaments.domain.messages import has_message, message
from tournaments.domain.signup import Fee
from tournaments.domain.state import closed_reason
from tournaments.models import SignUp, Tournament
from tournaments.signup.queries.places import (
    fee_of,
    find_sign_up,
    places_of,
    sign_up_facts,
    ticket_rows,
)
from tournaments.signup.queries.sources import (
    OthersRow,
    SourceRow,
    Sources,
    sources_of,
    stated_rows,
)


@dataclass(frozen=True, slots=True)
class PosterSource:
    """A tournament whose first ``take`` come; of a private one without its name and its people.

    ``people`` are the names of those who are through, each with the place.
    """

    name: str
    slug: str
    take: int
    is_finished: bool
    people: tuple[tuple[int, str], ...]


@dataclass(frozen=True, slots=True)
class PosterOthers:
    """The best of the others over all sources: how many, in which order, and who, by place."""

    take: int
    order: str
    people: tuple[tuple[int, str], ...]


@dataclass(frozen=True, slots=True)
class Poster:
    """A tournament as its poster shows it.

    ``free`` is the number of places left, None without a limit; ``closed`` the code why nobody can
    sign up on the web now, empty while they can; without ``has_form`` they never can. ``names``
    are of those who are in, where the organiser shows them. ``stated`` are tournaments of other
    clubs or systems with how many come from each.
    """

    head: TournamentHead
    house_rules: tuple[tuple[str, str], ...]
    fee: Fee | None
    places: int | None
    free: int | None
    closed: str
    has_form: bool
    closes_at: datetime | None
    names: tuple[str, ...]
    sources: tuple[PosterSource, ...] = ()
    others: PosterOthers | None = None
    stated: tuple[tuple[str, int], ...] = ()


def find_poster(slug: str, viewer: Actor) -> Poster:
    """Return the poster of a tournament; NOT_FOUND for those who may not see it."""
    tournament = or_404(Tournament.objects.select_related("club").filter(slug=slug).first())
    not_found_unless(may_see_poster(viewer, tournament))
    return poster_of(tournament, viewer)


def poster_of(tournament: Tournament, viewer: Actor) -> Poster:
    """Return the poster of a tournament that the viewer may see."""
    head = open_fetched_tournament(tournament, viewer, for_poster=True).head
    signup = find_sign_up(tournament)
    places = None if signup is None else places_of(tournament, signup)
    reason = closed_reason("sign_up", sign_up_facts(tournament, signup, places))
    sources = Sources() if signup is None else sources_of(signup)
    return Poster(
        head=head,
        house_rules=house_rules_of(head.options),
        fee=None if signup is None or not signup.fee_cents else fee_of(signup),
        places=None if signup is None else signup.places,
        free=None if places is None else places.free,
        closed="" if reason is None else reason.code,
        has_form=signup is not None and (signup.opens_when_posted or signup.opens_at is not None),
        closes_at=None if signup is None else signup.closes_at,
        names=() if signup is None else _names_in(signup, sources.rows),
        sources=tuple(map(_poster_source, sources.rows)),
        others=None if sources.others is None else _poster_others(sources.others),
        stated=() if signup is None else _stated(signup),
    )


def _names_in(signup: SignUp, sources: Sequence[SourceRow]) -> tuple[str, ...]:
    """Return the names of those who are in, where they are shown; none of a private source."""
    if not signup.shows_names:
        return ()
    private = {source.pk for source in sources if not source.is_open}
    rows = [row for row in ticket_rows(signup) if row.is_in and not row.left_at]
    return tuple(row.name for row in rows if row.source_id not in private)


def _poster_source(source: SourceRow) -> PosterSource:
    coming = sorted((*source.through, *source.invited), key=lambda row: row.place)
    return PosterSource(
        name=source.tournament.name if source.is_open else source.origin,
        slug=source.tournament.slug if source.is_open else "",
        take=source.take,
        is_finished=source.is_finished,
        people=tuple((row.place, row.name) for row in coming if source.is_open),
    )


def _poster_others(others: OthersRow) -> PosterOthers:
    open_ = [other.row for other in others.through if other.source.is_open]
    return PosterOthers(others.take, others.order, tuple((row.place, row.name) for row in open_))


def _stated(signup: SignUp) -> tuple[tuple[str, int], ...]:
    """Return the tournaments elsewhere with how many come from each."""
    return tuple(Counter(row.origin for row in stated_rows(signup) if not row.is_gone).items())


def house_rules_of(options: Mapping[str, Any]) -> tuple[tuple[str, str], ...]:
    """Return the house rules among the options of a match, each with its value, in words."""
    language = get_language()
    rules = []
    for name, value in options.items():
        if has_message(f"rules.{name}"):
            code = f"rules.{name}.{value}"
            text = message(language, code) if has_message(code) else str(value)
            rules.append((message(language, f"rules.{name}"), text))
    return tuple(rules)
