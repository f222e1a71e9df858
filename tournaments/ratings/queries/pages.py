"""Queries of the rating pages: a club's list, a rating curve, effects of a match."""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import date, datetime
from typing import Any, Final

from django.core.paginator import Page, Paginator
from django.db.models import Count, F, OuterRef, Q, QuerySet, Subquery, Value
from django.db.models.functions import Coalesce, Mod

from tournaments.core.find import find_club, find_main_player, not_found_unless, or_404
from tournaments.core.permissions import is_public, public_condition
from tournaments.domain.names import PARTNERS
from tournaments.domain.ratings import (
    MOST_ORDERED,
    NEWCOMER,
    PROVISIONAL_ABOVE,
    VARIANCE,
    Estimate,
    Preview,
    Ratings,
    is_contest,
    preview,
)
from tournaments.models import (
    Bot,
    Club,
    Entry,
    Match,
    Rating,
    RatingChange,
    Result,
)
from tournaments.models.matches import day_played
from tournaments.ratings.queries.history import (
    RATED_DEPTHS,
    Key,
    Seats,
    is_checked,
    key_of,
    main_keys,
    seats_of,
    with_mains,
)

MAX_POINTS: Final = 240
"""Points of a curve; longer curves are thinned evenly."""

MAX_CHANGES: Final = 30
"""Latest matches that a rating page lists."""

MAX_ROWS: Final = 200
"""Lines of a page of a club's ratings; shorter lists are whole."""

STATES_TO_PLAY: Final = (Match.State.PENDING, Match.State.POSTPONED)
"""States of a match that is still to be played."""


@dataclass(frozen=True, slots=True)
class RatingRow:
    """A line of a club's list. ``rank`` is None as long as the rating is provisional.

    ``rating`` ± ``margin`` is shown, computed from ``mu`` and ``sigma``. ``player`` is the primary
    key of a player and ``code`` the player's code, ``bot`` the short name of a bot. Of ``matches``
    those that rest on ``checked`` cards are counted, the others on results that were typed.
    """

    rank: int | None
    name: str
    player: int | None
    code: str
    bot: str
    rating: int
    margin: int
    provisional: bool
    mu: float
    sigma: float
    matches: int
    checked: int

    @property
    def is_bot(self) -> bool:
        """Whether it is a program."""
        return bool(self.bot)


@dataclass(frozen=True, slots=True)
class RatingsPage:
    """A club's ratings under one ruleset, the best first, provisional ones last.

    ``ratings`` are those of the page that ``pager`` describes. ``rulesets`` are those with ratings
    in the club, the most played first; ``ruleset`` is empty
    where there are none. ``established`` and ``provisional`` split the rows. Where nobody is rated
    ``unrated`` is how many results count nevertheless: those that were set by an arbiter.
    """

    club: str
    club_slug: str
    ruleset: str
    rulesets: tuple[str, ...]
    ratings: tuple[RatingRow, ...]
    pager: Page[Any]
    unrated: int = 0

    @property
    def established(self) -> tuple[RatingRow, ...]:
        """The rows with a rank."""
        return tuple(row for row in self.ratings if not row.provisional)

    @property
    def provisional(self) -> tuple[RatingRow, ...]:
        """The rows with too few matches for a rank."""
        return tuple(row for row in self.ratings if row.provisional)


@dataclass(frozen=True, slots=True)
class CurvePoint:
    """A rating after a number of matches, with its margin, and the day of the last of them."""

    number: int
    at: datetime
    day: date
    rating: int
    margin: int


@dataclass(frozen=True, slots=True)
class ChangeRow:
    """The change of a rating by a match, and the day on which it was played."""

    match_pk: int
    at: datetime
    day: date
    tournament: str
    round: int
    before: int
    after: int
    margin: int

    @property
    def change(self) -> int:
        """The difference of the shown ratings."""
        return self.after - self.before


@dataclass(frozen=True, slots=True)
class RatingPage:
    """A rating under one ruleset: the curve as it was computed, the changes latest day first.

    ``club_slug`` is empty for a house bot. Without matches there is no ``rating`` and no ruleset.
    """

    name: str
    club: str
    club_slug: str
    player: int | None
    bot: str
    ruleset: str
    rulesets: tuple[str, ...]
    rating: RatingRow | None
    curve: tuple[CurvePoint, ...]
    changes: tuple[ChangeRow, ...]


@dataclass(frozen=True, slots=True)
class Effect:
    """Effect of a result on one person: shown rating before and after."""

    name: str
    side: int
    before: int
    after: int
    margin: int
    provisional: bool

    @property
    def change(self) -> int:
        """The difference of the shown ratings."""
        return self.after - self.before


@dataclass(frozen=True, slots=True)
class Ending:
    """A possible result of a match (``marks`` of its sides, more being better), and its effects.

    ``percent`` is its probability, None for a tie. ``order`` are the names of the sides from the
    first place to the last; ``winner`` is the first of them, empty for a tie.
    """

    marks: tuple[int, ...]
    percent: int | None
    order: tuple[str, ...]
    winner: str
    effects: tuple[Effect, ...]


@dataclass(frozen=True, slots=True)
class OwnPlace:
    """What a place would change for each person on it; ``place`` is 0 for all level."""

    place: int
    effects: tuple[Effect, ...]


@dataclass(frozen=True, slots=True)
class ExpectedResult:
    """Expected result of a side in percent; a tie counts as half a win."""

    name: str
    percent: int


@dataclass(frozen=True, slots=True)
class MatchRatings:
    """Ratings on a match's page: the effects of each possible result, or of the actual one.

    ``people`` are those at the table. Before the match there are ``endings``, of four sides and
    more ``places`` in their stead, and what the sides may ``expect``, afterwards ``moved``.
    """

    ruleset: str
    people: tuple[Effect, ...]
    expect: tuple[ExpectedResult, ...]
    endings: tuple[Ending, ...]
    moved: tuple[Effect, ...]
    places: tuple[OwnPlace, ...] = ()

    @property
    def is_of_two(self) -> bool:
        """Whether two sides play."""
        return len(self.expect) == 2


# --- A club's list -------------------------------------------------------------------------------


def ratings_page(
    slug: str, ruleset: str = "", *, number: str | None = None, size: int | None = None
) -> RatingsPage:
    """Return a club's ratings: three queries, where nobody is rated too.

    Its players are listed, and the bots that have entered its tournaments; with a ``size`` only
    those of the page of this ``number``. Refuses NOT_FOUND for a ruleset without ratings there.
    """
    club = find_club(slug)
    ratings = list(_of_club(club))
    people = Counter(name for name, *_row in ratings)
    rulesets = tuple(sorted(people, key=lambda name: (-people[name], name)))
    not_found_unless(not ruleset or ruleset in rulesets)
    chosen_ruleset = ruleset or (rulesets[0] if rulesets else "")
    ordered = _in_order(row for row in ratings if row[0] == chosen_ruleset)
    pager = Paginator(ordered, size or max(len(ordered), 1)).get_page(number)
    ranks = dict(_ranked(ordered[: pager.end_index()])[max(pager.start_index() - 1, 0) :])
    rows = _with_checked(Rating.objects.filter(pk__in=ranks)).in_bulk() if ranks else {}
    return RatingsPage(
        club.name,
        club.slug,
        chosen_ruleset,
        rulesets,
        tuple(_row(rows[pk], rank) for pk, rank in ranks.items()),
        pager,
        0 if ratings else _unrated(club),
    )


def _unrated(club: Club) -> int:
    """Count the results of matches of a club that count and that no table reported; one query."""
    results = Result.objects.counting().filter(
        public_condition("match__round__stage__tournament__"),
        match__away__isnull=False,
        match__round__stage__tournament__club=club,
    )
    return results.exclude(depth__in=RATED_DEPTHS).count()


def _of_club(club: Club) -> QuerySet[Rating, Any]:
    """Return what ratings of a club are ranked by; one query that filters by its people first."""
    ratings = Rating.objects.order_by()
    bot_entries = Entry.objects.filter(tournament__club=club, bot__isnull=False)
    of_bots = ratings.filter(bot__in=bot_entries.order_by().values("bot"))
    columns = ("ledger__ruleset", "pk", "mu", "variance")
    of_players = ratings.filter(player__club=club).values_list(*columns)
    return of_players.union(of_bots.values_list(*columns))


def _with_checked(ratings: QuerySet[Rating]) -> QuerySet[Rating]:
    """Fetch the people and the ledger along, and count the matches that rest on checked cards."""
    checked = RatingChange.objects.filter(is_checked("rated__result__"), rating=OuterRef("pk"))
    count = checked.order_by().values("rating").values(count=Count("pk"))
    people = ratings.select_related("player", "bot", "ledger")
    return people.annotate(checked=Coalesce(Subquery(count), 0))


def _in_order(ratings: Iterable[tuple[str, int, float, float]]) -> list[tuple[int, Estimate]]:
    """Return the keys of ratings with their estimates, the best first, provisional ones last."""
    rows = [(variance**0.5, mu, pk) for _ruleset, pk, mu, variance in ratings]
    rows.sort(key=lambda row: (row[0] > PROVISIONAL_ABOVE, -row[1], row[2]))
    return [(pk, Estimate(mu, sigma)) for sigma, mu, pk in rows]


def _ranked(ordered: Iterable[tuple[int, Estimate]]) -> list[tuple[int, int | None]]:
    """Return keys and ranks; equal shown ratings share one, provisional ones have none."""
    ranked: list[tuple[int, int | None]] = []
    shown, rank = None, 0
    for place, (pk, estimate) in enumerate(ordered, 1):
        if estimate.shown != shown:
            shown, rank = estimate.shown, place
        ranked.append((pk, None if estimate.is_provisional else rank))
    return ranked


def _row(rating: Rating, rank: int | None = None) -> RatingRow:
    player, bot, estimate = rating.player, rating.bot, rating.estimate
    return RatingRow(
        rank=rank,
        name=str(player or bot),
        player=None if player is None else player.pk,
        code="" if player is None else player.code,
        bot="" if bot is None else bot.slug,
        rating=estimate.shown,
        margin=estimate.margin,
        provisional=estimate.is_provisional,
        mu=estimate.mu,
        sigma=estimate.sigma,
        matches=rating.matches,
        checked=rating.checked,  # type: ignore[attr-defined]  # by `_with_checked`
    )


# --- A rating curve ------------------------------------------------------------------------------


def player_rating(pk: int, ruleset: str = "") -> RatingPage:
    """Return the rating of a player, or of the main one: five queries at most.

    Refuses NOT_FOUND, also for a ruleset without a rating.
    """
    player = find_main_player(pk)
    ratings = Rating.objects.filter(player=player)
    return _person(player.name, player.club, ratings, ruleset, player=player.pk)


def bot_rating(slug: str, ruleset: str = "") -> RatingPage:
    """Return a bot's rating: five queries at most. NOT_FOUND for a ruleset without one."""
    bot = or_404(Bot.objects.select_related("club").filter(slug=slug).first())
    return _person(bot.name, bot.club, Rating.objects.filter(bot=bot), ruleset, bot=bot.slug)


def _person(
    name: str,
    club: Club | None,
    ratings: QuerySet[Rating],
    ruleset: str,
    *,
    player: int | None = None,
    bot: str = "",
) -> RatingPage:
    rows = list(_with_checked(ratings).order_by("-matches", "pk"))
    rulesets = tuple(row.ledger.ruleset for row in rows)
    not_found_unless(not ruleset or ruleset in rulesets)
    rating = rows[rulesets.index(ruleset) if ruleset else 0] if rows else None
    return RatingPage(
        name=name,
        club="" if club is None else club.name,
        club_slug="" if club is None else club.slug,
        player=player,
        bot=bot,
        ruleset="" if rating is None else rating.ledger.ruleset,
        rulesets=rulesets,
        rating=None if rating is None else _row(rating),
        curve=() if rating is None else _curve(rating),
        changes=() if rating is None else _changes(rating),
    )


def _curve(rating: Rating) -> tuple[CurvePoint, ...]:
    """Return the curve, thinned if it is long; its last point is the last match. One query."""
    step = -(-rating.matches // MAX_POINTS)
    points = rating.changes.annotate(over=Mod(F("number"), Value(step)))
    sample = points.filter(over=rating.matches % step).order_by("number")
    rows = sample.annotate(day=day_played("rated__match__"))
    return tuple(
        CurvePoint(number, rated_at, day, estimate.shown, estimate.margin)
        for number, rated_at, day, mu, variance in rows.values_list(
            "number", "rated__at", "day", "mu", "variance"
        )
        for estimate in [Estimate(mu, variance**0.5)]
    )


def _changes(rating: Rating) -> tuple[ChangeRow, ...]:
    """Return the changes by the latest matches; one query."""
    rows = rating.changes.select_related("rated__match__round__stage__tournament")
    rows = rows.annotate(day=day_played("rated__match__"))
    return tuple(
        ChangeRow(
            match_pk=row.rated.match_id,
            at=row.rated.at,
            day=row.day,
            tournament=row.rated.match.tournament.name,
            round=row.rated.match.round.number,
            before=row.before.shown,
            after=row.after.shown,
            margin=row.after.margin,
        )
        for row in rows.order_by("-day", "-number")[:MAX_CHANGES]
    )


# --- A match -------------------------------------------------------------------------------------


def match_ratings(match: Match) -> MatchRatings | None:
    """Return the effects of a match on ratings: two queries; None for a match that is not rated."""
    sides = with_mains(seats_of(match), main_keys(match.tournament.club_id))
    if not is_contest(sides) or not is_public(match.tournament):
        return None
    if match.state in STATES_TO_PLAY:
        return _possible_effects(match, sides)
    effects = _actual_effects(match, sides)
    if not effects:
        return None
    return MatchRatings(match.tournament.ruleset, effects, (), (), effects)


def _possible_effects(match: Match, sides: Seats) -> MatchRatings:
    """Return what each result of a match that is to be played would change: one query."""
    ruleset = match.tournament.ruleset
    names = _names(match, sides)
    forecast = _forecast(ruleset, sides)
    titles = tuple(PARTNERS.join(entry.shown_name for entry in side) for side in match.sides)
    people = _side_effects(names, sides, forecast.before, forecast.before)
    percents = _percents(forecast.chances)
    expect = tuple(ExpectedResult(*row) for row in zip(titles, percents, strict=True))
    if len(sides) > MOST_ORDERED:
        places = tuple(_own_places(names, sides, forecast))
        return MatchRatings(ruleset, people, expect, (), (), places)
    # A race to a number of hands has no tie.
    may_tie = "deals" in match.tournament.options or match.round.stage.rules.typed_only
    endings = tuple(
        _ending(
            outcome.marks,
            outcome.chance,
            titles,
            _side_effects(names, sides, forecast.before, outcome.after),
        )
        for outcome in forecast.outcomes
        if may_tie or len(set(outcome.marks)) > 1
    )
    return MatchRatings(ruleset, people, expect, endings, ())


def _own_places(names: Mapping[Key, str], sides: Seats, forecast: Preview) -> Iterator[OwnPlace]:
    """Yield what each place would change for each side on it, then what all level would."""
    *on_places, level = (
        _side_effects(names, sides, forecast.before, outcome.after) for outcome in forecast.outcomes
    )
    count = len(sides)
    for place in range(count):
        of_place = on_places[place * count : (place + 1) * count]
        yield OwnPlace(
            place + 1,
            tuple(e for side, effects in enumerate(of_place) for e in effects if e.side == side),
        )
    yield OwnPlace(0, level)


def _forecast(ruleset: str, sides: Seats) -> Preview:
    """Return the chances of a match and the ratings after each result; newcomers count as usual."""
    keys = list(dict.fromkeys(key for side in sides for key in side))
    existing, ratings = _existing_ratings(ruleset, keys), Ratings()
    index: dict[Key, int] = {}
    for key in keys:
        rating = existing.get(key)
        mu, variance = (NEWCOMER.mu, VARIANCE) if rating is None else (rating.mu, rating.variance)
        index[key] = ratings.add_player(mu, variance)
    return preview(ratings, [tuple(index[key] for key in side) for side in sides])


def _side_effects(
    names: Mapping[Key, str],
    sides: Seats,
    before: Sequence[Sequence[Estimate]],
    after: Sequence[Sequence[Estimate]],
) -> tuple[Effect, ...]:
    """Return the effect on each person at the table; a bot may hold both seats of a side."""
    effects = []
    for side, keys in enumerate(sides):
        estimates = dict(zip(keys, zip(before[side], after[side], strict=True), strict=True))
        effects += [_effect(names[key], side, *change) for key, change in estimates.items()]
    return tuple(effects)


def _actual_effects(match: Match, sides: Seats) -> tuple[Effect, ...]:
    """Return the effects of a finished match; one query."""
    names = _names(match, sides)
    rows = RatingChange.objects.filter(rated__match=match).select_related("rating")
    changes = {key_of(row.rating.player_id, row.rating.bot_id): row for row in rows}
    return tuple(
        _effect(names[key], side, changes[key].before, changes[key].after)
        for side, keys in enumerate(sides)
        for key in dict.fromkeys(keys)
        if key in changes
    )


def _existing_ratings(ruleset: str, keys: Sequence[Key]) -> Mapping[Key, Rating]:
    """Return the existing ratings of these keys; one query."""
    players = [int(key[1:]) for key in keys if key[0] == "p"]
    bots = [int(key[1:]) for key in keys if key[0] == "b"]
    rows = Rating.objects.filter(ledger__ruleset=ruleset)
    return {
        key_of(row.player_id, row.bot_id): row
        for row in rows.filter(Q(player__in=players) | Q(bot__in=bots))
    }


def _names(match: Match, sides: Seats) -> dict[Key, str]:
    """Return the names of those at the table; a bot that holds both seats has its entry's."""
    names: dict[Key, str] = {}
    for side, keys in enumerate(sides):
        alone = len(set(keys)) == 1
        entry = match.sides[side][0]
        for key, name in zip(keys, match.names_at(side), strict=False):
            names.setdefault(key, entry.name if alone and entry.bot_id else name)
    return names


def _effect(name: str, side: int, before: Estimate, after: Estimate) -> Effect:
    return Effect(name, side, before.shown, after.shown, after.margin, after.is_provisional)


def _ending(
    marks: tuple[int, ...],
    chance: float | None,
    titles: tuple[str, ...],
    effects: tuple[Effect, ...],
) -> Ending:
    order = sorted(range(len(marks)), key=lambda side: (-marks[side], side))
    is_tie = len(set(marks)) == 1
    return Ending(
        marks=marks,
        percent=None if chance is None else round(100 * chance),
        order=tuple(titles[side] for side in order),
        winner="" if is_tie else titles[order[0]],
        effects=effects,
    )


def _percents(chances: Sequence[float]) -> list[int]:
    """Round probabilities to percents that sum to 100: the largest takes the rounding error."""
    percents = [round(100 * chance) for chance in chances]
    percents[percents.index(max(percents))] += 100 - sum(percents)
    return percents
