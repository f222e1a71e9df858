"""What merging two players or pairs would change, and why they cannot be merged."""

from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from difflib import SequenceMatcher
from typing import Any, Final

from django.db.models import Q, QuerySet

from tournaments.core.errors import Reason, Refusal
from tournaments.domain.names import fold_name
from tournaments.domain.ratings import Estimate
from tournaments.models import Club, Entry, Erasure, Match, Pair, Player, Rating, Season, Tournament
from tournaments.profiles.queries.person import (
    entries_of,
    match_keys,
    tournaments_showing,
    unfinished_tournaments,
)
from tournaments.ratings.queries.history import key_of, main_keys, rate_history, rated_history
from tournaments.standings.queries.seasons import Key as SeasonKey
from tournaments.standings.queries.seasons import (
    Mains,
    SeasonStanding,
    counted_events,
    season_standings,
    season_table,
)

MAX_FOUND: Final = 20
"""People that a search shows."""

Mergeable = Player | Pair


@dataclass(frozen=True, slots=True)
class PersonRef:
    """A player or pair in a list; ``tournaments`` are short names and names, the latest first."""

    pk: int
    code: str
    name: str
    tournaments: tuple[tuple[str, str], ...] = ()


@dataclass(frozen=True, slots=True)
class MergedPair:
    """The names of a pair that is merged with its player, and of the one that stays."""

    merged: str
    main: str


@dataclass(frozen=True, slots=True)
class ShownRating:
    """A rating as it is shown, with its margin and the number of its matches."""

    rating: int
    margin: int
    matches: int


@dataclass(frozen=True, slots=True)
class RatingChange:
    """The rating of one of the two under a ruleset, before and after; None without matches."""

    ruleset: str
    name: str
    before: ShownRating | None
    after: ShownRating | None


@dataclass(frozen=True, slots=True)
class SeasonChange:
    """The lines of a season that a merge changes, before and after."""

    slug: str
    name: str
    before: tuple[SeasonStanding, ...]
    after: tuple[SeasonStanding, ...]


@dataclass(frozen=True, slots=True)
class MergePreview:
    """What merging ``merged`` into ``main`` changes; ``pairs`` are merged with their players.

    ``refusal`` is why it is not possible.
    """

    merged: PersonRef
    main: PersonRef
    pairs: tuple[MergedPair, ...]
    ratings: tuple[RatingChange, ...]
    seasons: tuple[SeasonChange, ...]
    refusal: Refusal | None


# --- the rule ------------------------------------------------------------------------------------


def refuse_merge(row: Mergeable, main: Mergeable) -> None:
    """Refuse to merge two players or two pairs that cannot be the same.

    Refuses MERGED_WITH_ITSELF, OTHER_CLUB, MERGED_ALREADY, OTHERS_MERGED, PLAYED_TOGETHER; of
    players ALREADY_ERASED, ACCOUNT_STAYS; of pairs OTHER_PAIR.
    """
    if row.pk == main.pk:
        raise Refusal(Reason.MERGED_WITH_ITSELF, text=row.name)
    if row.club_id != main.club_id:
        raise Refusal(Reason.OTHER_CLUB, text=main.name)
    for either in (row, main):
        if either.same_as_id is not None:
            raise Refusal(Reason.MERGED_ALREADY, text=either.name)
    if row.merged.exists():
        raise Refusal(Reason.OTHERS_MERGED, text=row.name)
    if (
        isinstance(row, Pair)
        and isinstance(main, Pair)
        and row.main_player_pks != main.main_player_pks
    ):
        raise Refusal(Reason.OTHER_PAIR, text=main.name)
    if isinstance(row, Player):
        _refuse_personal(row, main)
    if places := _together(row, main):
        raise Refusal(Reason.PLAYED_TOGETHER, text=", ".join(places)[:200])


def _refuse_personal(player: Player, main: Mergeable) -> None:
    """Refuse ALREADY_ERASED for either, and ACCOUNT_STAYS for one who is merged with an account."""
    if Erasure.objects.filter(player_key__in=(player.pk, main.pk)).exists():
        raise Refusal(Reason.ALREADY_ERASED)
    if player.user_id is not None:
        raise Refusal(Reason.ACCOUNT_STAYS, text=player.name)


def _together(row: Mergeable, main: Mergeable) -> list[str]:
    """Return where both play at once: names of tournaments, and of a pair of the two."""
    others = [main, *main.merged.all()]
    rounds, rounds_of_others = _rounds_of([row]), _rounds_of(others)
    names = {rounds[round_] for round_ in rounds.keys() & rounds_of_others.keys()}
    entered = (set(unfinished_tournaments(_entries(rows))) for rows in ([row], others))
    names |= set.intersection(*entered)
    if isinstance(row, Player):
        is_both = Q(first=row, second__in=others) | Q(first__in=others, second=row)
        names.update(Pair.objects.filter(is_both).values_list("name", flat=True))
    return sorted(names)


def _entries(rows: Iterable[Mergeable]) -> QuerySet[Entry]:
    """Return the entries of players, alone or in a pair, or of pairs."""
    conditions = [
        Q(player=row) | Q(pair__first=row) | Q(pair__second=row)
        if isinstance(row, Player)
        else Q(pair=row)
        for row in rows
    ]
    return Entry.objects.filter(Q(*conditions, _connector=Q.OR))


def _rounds_of(rows: Iterable[Mergeable]) -> dict[int, str]:
    """Return the tournament's name for every round in which one of them has a match."""
    keys: set[int] = set()
    for row in rows:
        entries = list(_entries([row]).values_list("pk", flat=True))
        keys |= match_keys(entries, row if isinstance(row, Player) else None)
    matches = Match.objects.filter(pk__in=keys)
    return dict(matches.values_list("round", "round__stage__tournament__name"))


def pairs_to_merge(player: Player, main: Player) -> list[tuple[Pair, Pair]]:
    """Return the pairs that become the same two people with a merge, each with its main one.

    Those into which others are merged already stay as they are.
    """
    pairs = Pair.objects.filter(club=player.club_id, same_as=None)
    rows = list(pairs.select_related("first", "second").order_by("pk"))
    found = []
    for pair in rows:
        people = pair.main_player_pks
        if player.pk in people and not pair.merged.exists():
            after = people - {player.pk} | {main.pk}
            same = next((row for row in rows if row.main_player_pks == after), None)
            if same is not None:
                found.append((pair, same))
    return found


def pairs_of_other_people(club: Club) -> list[Pair]:
    """Return the merged pairs of a club whose two people are not those of the main pair."""
    pairs = club.pairs.with_players().exclude(same_as=None).order_by("code")
    return [pair for pair in pairs if pair.main_player_pks != pair.main.main_player_pks]


# --- the pages -----------------------------------------------------------------------------------


def candidates(row: Mergeable, text: str) -> tuple[PersonRef, ...]:
    """Return the club's players or pairs with a text in name or code, the most alike names first.

    Two queries: people are compared by similarity of their names in compared form.
    """
    rows: QuerySet[Any] = type(row)._default_manager.exclude(pk=row.pk)  # noqa: SLF001 - Django's
    rows = rows.filter(club=row.club_id, same_as=None)
    if text:
        rows = rows.filter(Q(folded__contains=fold_name(text)) | Q(code__iexact=text.strip()))
    found = sorted(rows, key=lambda other: (-_likeness(row.folded, other.folded), other.pk))
    return tuple(PersonRef(other.pk, other.code, other.name) for other in found[:MAX_FOUND])


def _likeness(one: str, other: str) -> float:
    return SequenceMatcher(None, one, other, autojunk=False).ratio()


def merge_preview(row: Mergeable, main: Mergeable) -> MergePreview:
    """Return what merging changes. The ratings are computed from the whole history of a ruleset."""
    try:
        refuse_merge(row, main)
    except Refusal as raised:
        return MergePreview(_ref(row), _ref(main), (), (), (), raised)
    pairs: list[tuple[Pair, Pair]] = []
    if isinstance(row, Player) and isinstance(main, Player):
        pairs = pairs_to_merge(row, main)
    elif isinstance(row, Pair) and isinstance(main, Pair):
        pairs = [(row, main)]
    return MergePreview(
        merged=_ref(row),
        main=_ref(main),
        pairs=tuple(MergedPair(pair.name, same.name) for pair, same in pairs),
        ratings=tuple(_ratings(row, main)) if isinstance(row, Player) else (),
        seasons=tuple(_seasons(row, main, pairs)),
        refusal=None,
    )


def _ref(row: Mergeable) -> PersonRef:
    """Return a player or pair with the tournaments of its entries, the latest first."""
    entries = _entries([row, *row.merged.all()])
    tournaments = Tournament.objects.filter(entries__in=entries).distinct().order_by("-pk")
    return PersonRef(row.pk, row.code, row.name, tuple(tournaments.values_list("slug", "name")))


def _ratings(row: Mergeable, main: Mergeable) -> Iterator[RatingChange]:
    """Yield the ratings of both before, and of the main one after, by ruleset."""
    keys = {key_of(row.pk, None): row.name, key_of(main.pk, None): main.name}
    merged_key, main_key = keys
    rated = Rating.objects.filter(player__in=(row.pk, main.pk)).select_related("ledger")
    before = {(rating.ledger.ruleset, key_of(rating.player_id, None)): rating for rating in rated}
    for ruleset in sorted({ruleset for ruleset, key in before if key == merged_key}):
        after = rate_history(rated_history(ruleset, {**main_keys(), merged_key: main_key}))
        for key, name in keys.items():
            rating = before.get((ruleset, key))
            yield RatingChange(
                ruleset,
                name,
                None if rating is None else _shown(rating.estimate, rating.matches),
                after.get(key) and _shown(*after[key]),
            )


def _shown(estimate: Estimate, matches: int) -> ShownRating:
    return ShownRating(estimate.shown, estimate.margin, matches)


def _seasons(
    row: Mergeable, main: Mergeable, pairs: Sequence[tuple[Pair, Pair]]
) -> Iterator[SeasonChange]:
    """Yield the seasons of the club in which the one that is merged has a place."""
    mains = Mains.of(row.club)
    keys: set[SeasonKey] = {("pair", pair.pk) for two in pairs for pair in two}
    merged_keys: set[SeasonKey] = {("pair", pair.pk) for pair, _same in pairs}
    if isinstance(row, Player) and isinstance(main, Player):
        mains = replace(mains, players={**mains.players, row.pk: main})
        keys |= {("player", row.pk), ("player", main.pk)}
        merged_keys.add(("player", row.pk))
    mains = replace(mains, pairs={**mains.pairs, **{pair.pk: same for pair, same in pairs}})
    for season in Season.objects.filter(club=row.club_id).select_related("club"):
        events = list(season.events.select_related("tournament").order_by("order"))
        before = _lines(season_standings(season, events), keys)
        if merged_keys & {line.key for line in before}:
            after = _lines(season_table(season, counted_events(events), mains), keys)
            yield SeasonChange(season.slug, season.name, before, after)


def _lines(
    table: Iterable[SeasonStanding], keys: Collection[SeasonKey]
) -> tuple[SeasonStanding, ...]:
    return tuple(line for line in table if line.key in keys)


# --- splitting -----------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class SplitEvent:
    """A tournament of a player that may go to another person, and what helps to decide."""

    slug: str
    name: str
    begins_at: datetime | None
    partner: str
    origin: str
    is_over: bool


def split_events(player: Player) -> tuple[SplitEvent, ...]:
    """Return the tournaments that show a player, the latest first; two queries."""
    keys = entries_of(player).order_by().values("pk")
    rows = Entry.objects.with_players().filter(pk__in=keys)
    entries = {entry.tournament_id: entry for entry in rows}
    events = []
    for tournament in tournaments_showing(player).order_by("-pk"):
        entry = entries.get(tournament.pk)  # none where it was a substitute alone
        others = [other.name for other in entry.players if other != player] if entry else []
        events.append(
            SplitEvent(
                tournament.slug,
                tournament.name,
                tournament.begins_at,
                partner=", ".join(others),
                origin=entry.origin if entry else "",
                is_over=tournament.state == Tournament.State.FINISHED,
            )
        )
    return tuple(events)
