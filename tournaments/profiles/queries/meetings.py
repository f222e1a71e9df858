"""Matches as one side saw them, and head-to-head records."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from typing import Any, Final

from django.db.models import Count, F, Max, Q, Sum
from django.db.models.functions import Coalesce

from tournaments.core.find import (
    find_club,
    find_main_pair,
    find_main_player,
    main_players,
    not_found_unless,
    or_404,
)
from tournaments.core.permissions import public_condition
from tournaments.domain.names import PARTNERS, fold_name, sort_key
from tournaments.domain.sides import PLACES, PLACES_BY_SIDE, SCORES, SIDES
from tournaments.models import Bot, Club, Entry, Pair, Player, Result, Tournament
from tournaments.models.matches import at_any_place, day_played
from tournaments.ratings.queries.history import Key, key_of

# --- Meetings -------------------------------------------------------------------------------------
# The matches of a player, pair or bot, with partners and opponents.


MAX_MATCHES: Final = 2000
"""Limit of matches read for a player, pair or bot, the latest first."""

KINDS: Final = ("player", "pair", "bot")

WON, TIED, LOST = "won", "tied", "lost"


@dataclass(frozen=True, slots=True)
class Competitor:
    """A player, pair or bot; ``keys`` are the people who must all sit on its side of a table.

    ``slug`` is a bot's short name. ``folded`` is a player's name normalised for comparison,
    ``earlier`` are the normalised names before corrections. House bots have no club.
    """

    kind: str
    pk: int
    name: str
    slug: str
    keys: frozenset[Key]
    folded: str = ""
    club: str = ""
    club_slug: str = ""
    club_pk: int | None = None
    earlier: frozenset[str] = frozenset()

    @property
    def ref(self) -> str:
        """Its name in URLs: ``player-12``, ``pair-5``, ``bot-azar``."""
        return f"{self.kind}-{self.slug or self.pk}"


@dataclass(frozen=True, slots=True)
class Person:
    """A player (``pk``) or bot (``slug``) at a table; ``ref`` as in `Competitor`."""

    key: Key
    name: str
    pk: int | None
    slug: str

    @property
    def ref(self) -> str:
        """Its name in URLs."""
        return f"bot-{self.slug}" if self.slug else f"player-{self.pk}"


@dataclass(frozen=True, slots=True)
class PlayedMatch:
    """A match that counts, seen from one side.

    ``entries`` are the numbers of the entries on that side, ``name`` their names, ``against`` those
    of the opponents. ``hands`` and ``points`` are (for, against), summed over all opponents.
    ``side`` is the index of the side. A ``forfeit`` was not played, but counts. ``place`` is its
    place at the table, 0 where none was typed; where one was there are no hands.
    """

    match_pk: int
    tournament_pk: int
    tournament: str
    tournament_slug: str
    round: int
    day: date | None
    side: int
    entries: tuple[int, ...]
    name: str
    partners: tuple[Person, ...]
    opponents: tuple[Person, ...]
    against: str
    outcome: str
    hands: tuple[int, int]
    points: tuple[int, int]
    forfeit: bool
    place: int = 0


@dataclass(frozen=True, slots=True)
class Tally:
    """Sums over matches."""

    matches: int = 0
    won: int = 0
    tied: int = 0
    lost: int = 0
    hands_for: int = 0
    hands_against: int = 0
    points_for: int = 0
    points_against: int = 0

    @property
    def percent(self) -> int:
        """Matches won in percent, with a tie as half a win."""
        return round(100 * (self.won + self.tied / 2) / self.matches) if self.matches else 0

    @property
    def hand_difference(self) -> int:
        """Hands won less hands lost."""
        return self.hands_for - self.hands_against

    @property
    def point_difference(self) -> int:
        """Points made less points conceded."""
        return self.points_for - self.points_against


def tally_of(matches: Iterable[PlayedMatch]) -> Tally:
    """Return the sums of matches."""
    rows = list(matches)
    return Tally(
        matches=len(rows),
        won=sum(row.outcome == WON for row in rows),
        tied=sum(row.outcome == TIED for row in rows),
        lost=sum(row.outcome == LOST for row in rows),
        hands_for=sum(row.hands[0] for row in rows),
        hands_against=sum(row.hands[1] for row in rows),
        points_for=sum(row.points[0] for row in rows),
        points_against=sum(row.points[1] for row in rows),
    )


# --- identity ------------------------------------------------------------------------------------


def find_competitor(word: str) -> Competitor:
    """Return the player, pair or bot of a `Competitor.ref`, the main one of merged ones.

    One query. Refuses NOT_FOUND.
    """
    kind, _, name = word.partition("-")
    not_found_unless(kind in KINDS)
    if kind == "bot":
        return competitor_of_bot(
            or_404(Bot.objects.select_related("club").filter(slug=name).first())
        )
    not_found_unless(name.isascii() and name.isdigit() and len(name) < 10)
    if kind == "pair":
        return competitor_of_pair(find_main_pair(int(name)))
    return competitor_of_player(find_main_player(int(name)))


def competitor_of_player(player: Player) -> Competitor:
    """Return the `Competitor` of a main player fetched with its club."""
    keys = frozenset((key_of(player.pk, None),))
    earlier = frozenset(map(fold_name, player.earlier_names))
    club = _club(player.club)
    return Competitor("player", player.pk, player.name, "", keys, player.folded, *club, earlier)


def competitor_of_pair(pair: Pair) -> Competitor:
    """Return the `Competitor` of a main pair fetched with its players and club."""
    keys = frozenset(key_of(player.main_pk, None) for player in (pair.first, pair.second))
    return Competitor("pair", pair.pk, pair.shown_name, "", keys, "", *_club(pair.club))


def competitor_of_bot(bot: Bot) -> Competitor:
    """Return the `Competitor` of a bot fetched with its club."""
    keys = frozenset((key_of(None, bot.pk),))
    return Competitor("bot", bot.pk, bot.name, bot.slug, keys, "", *_club(bot.club))


def _club(club: Club | None) -> tuple[str, str, int | None]:
    return ("", "", None) if club is None else (club.name, club.slug, club.pk)


def results_version(club: int | None = None) -> str:
    """Return a cache key of the results of a club, or of all clubs.

    It changes with every result and when a tournament ends. One query.
    """
    rows = Tournament.objects.all() if club is None else Tournament.objects.filter(club=club)
    totals = rows.aggregate(
        all=Coalesce(Sum("version"), 0),
        over=Count("pk", filter=Q(state=Tournament.State.FINISHED)),
        born=Max("created_at"),
    )
    born = int(totals["born"].timestamp() * 1_000_000) if totals["born"] else 0
    return f"{totals['all']}-{totals['over']}-{born}"


# --- matches played ------------------------------------------------------------------------------


def matches_of(competitor: Competitor, club: int | None = None) -> tuple[PlayedMatch, ...]:
    """Return the matches that count, by day, latest first, of all clubs or of one: four queries.

    Merged players count and are shown as their main ones. A match in which ``competitor`` sat on
    more than one side is left out.
    """
    mains = main_players(club if competitor.club_pk is None else competitor.club_pk)
    rows = _results(competitor, club, mains)
    table = _entries(rows, mains)
    seen = (_seen_from(row, table, competitor, mains) for row in rows)
    return tuple(match for match in seen if match is not None)


def _results(
    competitor: Competitor, club: int | None, mains: Mapping[int, Player]
) -> list[dict[str, Any]]:
    people = [int(key[1:]) for key in competitor.keys if key[0] == "p"]
    people += [pk for pk, main in mains.items() if main.pk in people]
    bots = [int(key[1:]) for key in competitor.keys if key[0] == "b"]
    entries = Entry.objects.filter(
        Q(player__in=people)
        | Q(pair__first__in=people)
        | Q(pair__second__in=people)
        | Q(substitutions__comes__in=people)
        | Q(bot__in=bots)
    )
    # Two queries: given the keys, the database uses the indexes of the five places, with a
    # subquery it does not.
    keys = set(entries.values_list("pk", flat=True))
    results = Result.objects.counting().filter(
        public_condition("match__round__stage__tournament__"),
        at_any_place(keys, "__in", "match__"),
        match__away__isnull=False,
    )
    if club is not None:
        results = results.filter(match__round__stage__tournament__club=club)
    by_day = ("-day", "-match__round__published_at", "-match__round__number", "-match")
    ordered = results.annotate(day=day_played("match__")).order_by(*by_day)
    return list(ordered.values(*_PLAIN, **_COLUMNS)[:MAX_MATCHES])


_PLAIN: Final = (
    "winner",
    "forfeits",
    "depth",
    "match",
    "day",
    *SCORES,
    "places",
)
_COLUMNS: Final = {
    "lineup": F("match__lineup"),
    "round": F("match__round__number"),
    "tournament": F("match__round__stage__tournament"),
    "tournament_name": F("match__round__stage__tournament__name"),
    "tournament_slug": F("match__round__stage__tournament__slug"),
    **{place: F(f"match__{place}") for place in PLACES},
}


@dataclass(frozen=True, slots=True)
class _Seated:
    """An entry with its people."""

    number: int
    name: str
    people: tuple[Person, ...]


def _entries(rows: Sequence[Mapping[str, Any]], mains: Mapping[int, Player]) -> dict[int, _Seated]:
    """Return the entries of matches by key; one query."""
    keys = {row[place] for row in rows for place in PLACES if row[place] is not None}
    entries = Entry.objects.with_players().filter(pk__in=keys)
    return {
        entry.pk: _Seated(entry.number, entry.shown_name, tuple(_people(entry, mains)))
        for entry in entries
    }


def _people(entry: Entry, mains: Mapping[int, Player]) -> Iterator[Person]:
    if entry.bot is not None:
        yield Person(key_of(None, entry.bot.pk), entry.bot.name, None, entry.bot.slug)
    for player in entry.players:
        yield _person(player.pk, player.name, mains)


def _person(pk: int, name: str, mains: Mapping[int, Player]) -> Person:
    """Return a player who sat under a name; of a merged one the main one."""
    main = mains.get(pk)
    pk, name = (pk, name) if main is None else (main.pk, main.name)
    return Person(key_of(pk, None), name, pk, "")


def _seen_from(
    row: Mapping[str, Any],
    table: Mapping[int, _Seated],
    competitor: Competitor,
    mains: Mapping[int, Player],
) -> PlayedMatch | None:
    """Return a match seen from the one side where all of ``competitor`` sat; otherwise None."""
    sides = [_side(row, table, side, mains) for side in SIDES if row[side] is not None]
    own_sides = [
        n
        for n, (people, _) in enumerate(sides)
        if competitor.keys <= {person.key for person in people}
    ]
    if len(own_sides) != 1:
        return None
    side = own_sides[0]
    others = [n for n in range(len(sides)) if n != side]
    return PlayedMatch(
        match_pk=row["match"],
        tournament_pk=row["tournament"],
        tournament=row["tournament_name"],
        tournament_slug=row["tournament_slug"],
        round=row["round"],
        day=row["day"],
        side=side,
        entries=tuple(entry.number for entry in sides[side][1]),
        name=_join_names(sides[side][1]),
        partners=tuple(person for person in sides[side][0] if person.key not in competitor.keys),
        opponents=tuple(person for n in others for person in sides[n][0]),
        against=", ".join(_join_names(sides[n][1]) for n in others),
        outcome=_outcome(row, side),
        hands=_for_and_against(row, "hands", side, others),
        points=_for_and_against(row, "points", side, others),
        forfeit=row["depth"] == Result.Depth.FORFEIT,
        place=row["places"][side] if row["places"] else 0,
    )


def _side(
    row: Mapping[str, Any], table: Mapping[int, _Seated], side: str, mains: Mapping[int, Player]
) -> tuple[tuple[Person, ...], tuple[_Seated, ...]]:
    """Return the people of a side, substitutes included, and the entries that sat there."""
    places = [place for place in PLACES_BY_SIDE[SIDES.index(side)] if row[place] is not None]
    entries = tuple(table[row[place]] for place in places)
    stands_in = row["lineup"].get(side)
    if stands_in is None:
        return tuple(person for entry in entries for person in entry.people), entries
    substitutes = zip(stands_in["players"], stands_in["names"], strict=False)
    people = (_person(pk, name, mains) for pk, name in substitutes if isinstance(pk, int))
    return tuple(people), entries


def _join_names(entries: Iterable[_Seated]) -> str:
    return PARTNERS.join(entry.name for entry in entries)


def _outcome(row: Mapping[str, Any], side: int) -> str:
    """Return how a match ended for a side: who shares the first place has tied."""
    if SIDES[side] in row["forfeits"]:
        return LOST
    if row["winner"] != Result.Winner.TIE:
        return WON if row["winner"] == SIDES[side] else LOST
    hands = [row[f"{name}_hands"] or 0 for name in SIDES]
    is_first = row["places"][side] == 1 if row["places"] else hands[side] == max(hands)
    return TIED if is_first else LOST


def _for_and_against(
    row: Mapping[str, Any], field: str, side: int, others: Sequence[int]
) -> tuple[int, int]:
    numbers = [row[f"{name}_{field}"] or 0 for name in SIDES]
    return numbers[side], sum(numbers[n] for n in others)


# --- Head to head ---------------------------------------------------------------------------------
# All matches between two players, pairs or bots in the tournaments of a club.


MAX_CHOICES: Final = 1000
"""Limit of each list of choices: players, pairs, bots."""


@dataclass(frozen=True, slots=True)
class Choice:
    """An option of the two lists: ``ref`` as in `Competitor`."""

    ref: str
    name: str


@dataclass(frozen=True, slots=True)
class Meetings:
    """The meetings in one tournament with their sums, seen from the first of the two."""

    name: str
    slug: str
    tally: Tally
    matches: tuple[PlayedMatch, ...]


@dataclass(frozen=True, slots=True)
class HeadToHeadPage:
    """Two players, pairs or bots, seen from ``one``; either is None until it is chosen.

    ``tally`` sums up all meetings; ``tournaments`` lists them, latest first.
    """

    club: str
    club_slug: str
    players: tuple[Choice, ...]
    pairs: tuple[Choice, ...]
    bots: tuple[Choice, ...]
    one: Competitor | None
    other: Competitor | None
    tally: Tally
    tournaments: tuple[Meetings, ...]

    @property
    def is_same(self) -> bool:
        """Both choices are the same, or a pair and one of its players."""
        if self.one is None or self.other is None:
            return False
        return bool(self.one.keys & self.other.keys)


def head_to_head(slug: str, one: str = "", other: str = "") -> HeadToHeadPage:
    """Return the meetings of two in a club: ten queries at most. Refuses NOT_FOUND."""
    club = find_club(slug)
    first = find_competitor(one) if one else None
    second = find_competitor(other) if other else None
    matches: tuple[PlayedMatch, ...] = ()
    if first is not None and second is not None and not first.keys & second.keys:
        matches = tuple(
            row
            for row in matches_of(first, club.pk)
            if second.keys <= {person.key for person in row.opponents}
        )
    players, pairs, bots = _choices(club)
    return HeadToHeadPage(
        club=club.name,
        club_slug=club.slug,
        players=players,
        pairs=pairs,
        bots=bots,
        one=first,
        other=second,
        tally=tally_of(matches),
        tournaments=_by_tournament(matches),
    )


def _by_tournament(matches: Iterable[PlayedMatch]) -> tuple[Meetings, ...]:
    groups: dict[str, list[PlayedMatch]] = {}
    for row in matches:
        groups.setdefault(row.tournament_slug, []).append(row)
    return tuple(
        Meetings(rows[0].tournament, slug, tally_of(rows), tuple(rows))
        for slug, rows in groups.items()
    )


def _choices(club: Club) -> tuple[tuple[Choice, ...], ...]:
    """Return the choices of a club: its players, its pairs, and the bots entered there."""
    players = club.players.filter(same_as=None).values_list("pk", "name")
    pairs = club.pairs.filter(same_as=None).select_related("first", "second")
    club_bots = Bot.objects.filter(Q(club=club) | Q(entries__tournament__club=club))
    bots = club_bots.order_by().distinct().values_list("slug", "name")
    return (
        tuple(Choice(f"player-{pk}", name) for pk, name in _by_name(players)),
        tuple(
            Choice(f"pair-{pk}", name)
            for pk, name in _by_name((pair.pk, pair.shown_name) for pair in pairs)
        ),
        tuple(Choice(f"bot-{slug}", name) for slug, name in _by_name(bots)),
    )


def _by_name(rows: Iterable[tuple[Any, str]]) -> list[tuple[Any, str]]:
    """Return the first rows of a key and a name in the order of the names."""
    return sorted(rows, key=lambda row: (sort_key(row[1]), row[0]))[:MAX_CHOICES]
