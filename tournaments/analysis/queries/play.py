"""Figures of play: average cost of cards, review queue for arbiters, standings without luck."""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Any, Final

from django.db.models import Count, OuterRef, Q, QuerySet, Subquery
from django.db.models.functions import Coalesce

import engine
from tournaments.analysis.queries.analyses import SIGNS, home_sign
from tournaments.core.find import find_club, find_main_player, or_404
from tournaments.core.permissions import Actor, may_arbitrate, public_condition, refuse_unless
from tournaments.director.queries.tournaments import TournamentHead, open_tournament
from tournaments.domain.sides import PLACES_BY_SIDE
from tournaments.models import (
    AnalysedHand,
    AnalysedSeat,
    Bot,
    Club,
    Entry,
    Hand,
    Match,
    Player,
    Record,
    Review,
    Season,
    Tournament,
)
from tournaments.models.people import is_one_with, plays_as

# --- Play -----------------------------------------------------------------------------------------
# The average cost of a player's cards, by role in the hand.


ROLES: Final = ("mano", "dealer_partner", "mano_partner", "dealer")
"""In the order in which they play to the first trick."""

SEVERITIES: Final = ("inaccuracy", "mistake", "decisive")
"""The judgements that are counted, as :attr:`AnalysedSeat.judgements` names them."""


LEAST_HANDS: Final = 20
"""Hands of a person whose figures a season shows; fewer say next to nothing."""


@dataclass(frozen=True, slots=True)
class RoleFigures:
    """The average loss a hand in one role (all of them: ``""``), with 95 % intervals.

    ``open`` is with all cards seen, ``fair`` given what the player could know, over ``choices``
    cards in all; the marks count cards, ``judgements`` those of the hands judged by their chance.
    ``hand_loss`` is what these cost of a hand, ``None`` without such hands; unlike ``fair`` it is
    of deals in which no best card was chosen, so not too large.
    ``signs`` are what pages show: the judgements of these hands, and the marks of the others.
    """

    role: str
    hands: int
    open: engine.Interval
    fair: engine.Interval
    choices: int
    slips: int
    mistakes: int
    blunders: int
    judgements: Mapping[str, int]
    hand_loss: engine.Interval | None
    signs: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class PlayPage:
    """Figures of a player's analysed hands: all of them first, then by role; empty without any."""

    name: str
    player: int | None
    bot: str
    ruleset: str
    rows: tuple[RoleFigures, ...]


def player_play(pk: int, ruleset: str = "") -> PlayPage:
    """Return the figures of a player, or of the main one, under one ruleset or all: two queries.

    They are public.
    """
    player = find_main_player(pk)
    play = figures(ruleset, is_one_with("player", player.pk))
    return PlayPage(player.name, player.pk, "", ruleset, play)


def bot_play(slug: str, ruleset: str = "") -> PlayPage:
    """Return a bot's figures in the same way."""
    bot = or_404(Bot.objects.filter(slug=slug).first())
    return PlayPage(bot.name, None, bot.slug, ruleset, figures(ruleset, Q(bot__slug=bot.slug)))


def figures(ruleset: str, condition: Q) -> tuple[RoleFigures, ...]:
    """Return the figures of a player or bot, of whom ``condition`` is true: one query."""
    prefix = "hand__record__match__round__stage__tournament__"
    hands = AnalysedHand.objects.counting().filter(public_condition(prefix))
    if ruleset:
        hands = hands.filter(**{f"{prefix}ruleset": ruleset})
    seats = list(AnalysedSeat.objects.filter(condition, hand__in=hands).order_by("pk"))
    if not seats:
        return ()
    by_role = [(role, [seat for seat in seats if seat.role == role]) for role in ROLES]
    return tuple(_figures(role, rows) for role, rows in [("", seats), *by_role] if rows)


@dataclass(frozen=True, slots=True)
class PersonLoss:
    """What a person's cards cost of a hand, over a season."""

    player: int
    name: str
    hand_loss: engine.Interval


def season_losses(season: Season) -> tuple[PersonLoss, ...]:
    """Return the losses of a season's people by name: one query.

    In its public tournaments, of those with ``LEAST_HANDS`` hands that are judged by their chance.
    """
    prefix = "hand__hand__record__match__round__stage__tournament__"
    seats = AnalysedSeat.objects.filter(
        public_condition(prefix),
        hand__in=AnalysedHand.objects.counting(),
        player__isnull=False,
        hand_loss__isnull=False,
        **{f"{prefix}seasons__season": season},
    )
    main = (
        Coalesce(f"player__same_as__{name}", f"player__{name}") for name in ("folded", "name", "pk")
    )
    losses: dict[tuple[str, str, int], list[float]] = defaultdict(list)
    for *person, loss in seats.values_list(*main, "hand_loss").order_by("pk"):
        losses[tuple(person)].append(loss)
    return tuple(
        PersonLoss(pk, name, engine.mean_interval(each))
        for (_folded, name, pk), each in sorted(losses.items())
        if len(each) >= LEAST_HANDS
    )


def _figures(role: str, seats: Sequence[AnalysedSeat]) -> RoleFigures:
    hand_losses = [seat.hand_loss for seat in seats if seat.hand_loss is not None]
    return RoleFigures(
        role=role,
        hands=len(seats),
        open=engine.mean_interval([seat.open_loss for seat in seats]),
        fair=engine.mean_interval([seat.fair_loss for seat in seats]),
        choices=sum(seat.choices for seat in seats),
        slips=sum(seat.slips for seat in seats),
        mistakes=sum(seat.mistakes for seat in seats),
        blunders=sum(seat.blunders for seat in seats),
        judgements={
            name: sum((seat.judgements or {}).get(name, 0) for seat in seats) for name in SEVERITIES
        },
        hand_loss=engine.mean_interval(hand_losses) if hand_losses else None,
        signs=tuple(sum(counts) for counts in zip(*map(_signs, seats), strict=True)),
    )


def _signs(seat: AnalysedSeat) -> tuple[int, ...]:
    """Return how many cards of a seat have the signs ?!, ? and ??."""
    if seat.judgements is None:
        return seat.slips, seat.mistakes, seat.blunders
    return tuple(seat.judgements[name] for name in SEVERITIES)


# --- Reviews --------------------------------------------------------------------------------------
# Players whose play fits hidden cards better than chance: a reason to look, no accusation.


RATE: Final = 0.01
"""Chance that the queue names anyone although all play honestly (docs/programs/analysis.md)."""

MAX_HANDS: Final = 8
"""Hands linked for each player: those in which the choices fitted hidden cards best."""


@dataclass(frozen=True, slots=True)
class HandLink:
    """A hand to review: its address, and how well the player's choices fitted in it."""

    match_pk: int
    number: int
    tournament: str
    choices: int
    fit: float


@dataclass(frozen=True, slots=True)
class NoteRow:
    """A review of a player: the arbiter's note, and the number of hands at that time."""

    made_by: str
    made_at: datetime
    hands: int
    note: str


@dataclass(frozen=True, slots=True)
class ReviewRow:
    """A player in the queue; ``a_hand``, ``error``, ``chance``, ``corrected`` are the engine's.

    ``notes`` have the newest first; ``looked_at`` means that no hand was added since.
    """

    player: int
    code: str
    name: str
    hands: int
    choices: int
    a_hand: float
    error: float
    chance: float
    corrected: float
    links: tuple[HandLink, ...]
    notes: tuple[NoteRow, ...]

    @property
    def is_reviewed(self) -> bool:
        """Whether an arbiter has reviewed the player since the last hand."""
        return any(note.hands >= self.hands for note in self.notes)


@dataclass(frozen=True, slots=True)
class ReviewPage:
    """The queue of a club: its rows out of ``tested`` players with enough hands.

    ``rate`` is the chance that it names anyone at all if all are honest.
    """

    club: str
    club_slug: str
    tested: int
    rate: float
    rows: tuple[ReviewRow, ...]


def review_page(slug: str, viewer: Actor) -> ReviewPage:
    """Return the queue of a club, for its arbiters alone: seven queries at most.

    Hands of the viewer's own matches are left out. Refuses SIGN_IN, FORBIDDEN.
    """
    club = find_club(slug)
    refuse_unless(may_arbitrate(viewer, club), viewer)
    seats = _by_player(_seats(club, viewer))
    fits = {player: [seat.fit for seat in rows] for player, rows in seats.items()}
    queued = engine.arbiter_queue(fits, rate=RATE)
    tested = sum(engine.fit_of(each).chance is not None for each in fits.values())
    people = Player.objects.in_bulk([item.player for item in queued])
    notes = _notes(club, people)
    return ReviewPage(
        club.name,
        club.slug,
        tested,
        RATE,
        tuple(
            _row(item, people[item.player], seats[item.player], notes.get(item.player, ()))
            for item in queued
        ),
    )


def review_row(slug: str, player_pk: int, viewer: Actor) -> ReviewRow:
    """Return one player's row of the queue; refuses NOT_FOUND for players not in it."""
    page = review_page(slug, viewer)
    return or_404(next((row for row in page.rows if row.player == player_pk), None))


def _seats(club: Club, viewer: Actor) -> QuerySet[AnalysedSeat]:
    """Return the seats with choices of the club's players, without the viewer's own matches."""
    hands = AnalysedHand.objects.counting().filter(
        analysis__version=engine.ANALYSIS_VERSION,
        hand__record__match__round__stage__tournament__club=club,
    )
    seats = AnalysedSeat.objects.filter(hand__in=hands, player__isnull=False, choices__gt=0)
    if viewer.user is None:
        return seats
    own_seats = AnalysedSeat.objects.filter(plays_as(viewer.user, "player"))
    return seats.exclude(
        hand__hand__record__match__in=own_seats.values("hand__hand__record__match")
    )


def _by_player(seats: QuerySet[AnalysedSeat]) -> Mapping[int, list[AnalysedSeat]]:
    """Return the seats by main player, each with its hand; one query."""
    hand = "hand__hand__record__match__round__stage__tournament"
    rows = seats.select_related("player", hand).order_by("pk")
    rows = rows.defer("hand__hand__record__text", "hand__hand__record__verdict")
    found_by: dict[int, list[AnalysedSeat]] = defaultdict(list)
    for seat in with_earlier_hands(rows):
        found_by[0 if seat.player is None else seat.player.main_pk].append(seat)
    return found_by


def with_earlier_hands(seats: QuerySet[AnalysedSeat]) -> QuerySet[AnalysedSeat]:
    """Annotate seats with the number of hands in ``earlier`` records of their match."""
    earlier = (
        Hand.objects.filter(
            record__match=OuterRef("hand__hand__record__match"),
            record__state=Record.State.ACCEPTED,
            record__coto__lt=OuterRef("hand__hand__record__coto"),
        )
        .order_by()
        .values("record__match")
        .annotate(count=Count("pk"))
        .values("count")
    )
    return seats.annotate(earlier=Coalesce(Subquery(earlier), 0))


def _notes(club: Club, players: Iterable[int]) -> Mapping[int, tuple[NoteRow, ...]]:
    """Return the notes on players, by player; one query."""
    found_by: dict[int, tuple[NoteRow, ...]] = defaultdict(tuple)
    of_players = Q(player__in=players) | Q(player__same_as__in=players)
    for row in Review.objects.filter(of_players, club=club).select_related("player"):
        note = NoteRow(row.made_by, row.made_at, row.hands, row.note)
        found_by[row.player.main_pk] = (*found_by[row.player.main_pk], note)
    return found_by


def _row(
    queued: engine.QueuedPlayer[int],
    player: Player,
    seats: Sequence[AnalysedSeat],
    notes: Sequence[NoteRow],
) -> ReviewRow:
    best = sorted(seats, key=lambda seat: (-seat.fit, seat.pk))[:MAX_HANDS]
    return ReviewRow(
        player=player.pk,
        code=player.code,
        name=player.name,
        hands=queued.fit.hands,
        choices=sum(seat.choices for seat in seats),
        a_hand=queued.fit.a_hand,
        error=queued.fit.error or 0.0,
        chance=queued.fit.chance or 0.0,
        corrected=queued.corrected,
        links=tuple(_link(seat) for seat in best),
        notes=tuple(notes),
    )


def _link(seat: AnalysedSeat) -> HandLink:
    match = seat.hand.hand.record.match
    number = seat.hand.hand.number + seat.earlier  # type: ignore[attr-defined]
    return HandLink(match.pk, number, match.tournament.name, seat.choices, seat.fit)


# --- Luck -----------------------------------------------------------------------------------------
# A tournament adjusted for the luck of its deals: the points won by each entry's play.


SIDES = PLACES_BY_SIDE[:2]
"""Matches of three sides are not analysed."""

MATCH = "hand__record__match"
MARGINS = ("result", "luck", "par")


@dataclass(frozen=True, slots=True)
class LuckRow:
    """An entry's points minus its opponents' in ``hands`` analysed hands of ``matches`` matches.

    ``result`` = ``luck`` + ``skill``, the luck-adjusted result; ``a_hand`` is the mean of ``skill``
    with a 95 % interval. ``scaled`` takes only part of par as luck; entries for which it leaves
    the same to play share a rank.
    """

    rank: int
    number: int
    name: str
    matches: int
    hands: int
    result: int
    luck: int
    skill: int
    a_hand: engine.Interval
    scaled: engine.ScaledLuck


@dataclass(frozen=True, slots=True)
class LuckPage:
    """The entries by skill; ``analysed`` of ``total`` hands are analysed."""

    head: TournamentHead
    rows: tuple[LuckRow, ...]
    analysed: int
    total: int
    scale: engine.LuckScale = engine.LUCK_SCALE

    @property
    def version(self) -> str:
        """Version of the table: changes whenever the table does."""
        return f"{self.head.version}-{self.analysed}-{self.total}"


def luck_page(slug: str, viewer: Actor) -> LuckPage:
    """Return a tournament's luck-adjusted table: three queries and those of the head.

    Matches count as they do in the standings; matches whose deals other tables have still to play
    are left out, for every viewer. One query more for each stage with such deals.
    """
    access = open_tournament(slug, viewer)
    matches = _public_matches(access.tournament)
    hands = AnalysedHand.objects.counting().filter(hand__record__match__in=matches)
    places = [f"{MATCH}__{place}" for side in SIDES for place in side]
    margins = [f"analysis__{name}" for name in MARGINS]
    hand_rows = list(
        hands.order_by("pk").values(MATCH, "hand__record__home_side", *places, *margins)
    )
    record_hands = Hand.objects.filter(
        record__match__in=matches,
        record__state=Record.State.ACCEPTED,
        record__match__results__counts_from__isnull=False,
        record__match__results__counts_until__isnull=True,
    )
    return LuckPage(
        access.head,
        tuple(_rows(access.tournament, hand_rows)),
        len(hand_rows),
        record_hands.count(),
    )


def has_luck(tournament: Tournament) -> bool:
    """Return whether the luck-adjusted table of a tournament has an analysed hand; one query."""
    hands = AnalysedHand.objects.counting()
    # Counted: with a limit PostgreSQL may look for the first one from the end of a big table
    return hands.filter(hand__record__match__in=_public_matches(tournament)).count() > 0


def _public_matches(tournament: Tournament) -> QuerySet[Match]:
    """Return the matches whose cards are public."""
    secret = [stage.pk for stage in tournament.stages.all() if stage.keeps_deals_secret]
    matches = Match.objects.filter(round__stage__tournament=tournament)
    return matches.exclude(round__stage__in=secret)


def _rows(tournament: Tournament, hand_rows: Iterable[dict[str, Any]]) -> Iterator[LuckRow]:
    """Yield the entries that have analysed hands, the most skilful first; one query."""
    margins_by_entry: dict[int, list[tuple[int, ...]]] = defaultdict(list)
    for hand in hand_rows:
        home = home_sign(hand["hand__record__home_side"])
        for side, sign in zip(SIDES, SIGNS, strict=True):
            margins = tuple(sign * home * hand[f"analysis__{name}"] for name in MARGINS)
            for place in side:
                entry = hand[f"{MATCH}__{place}"]
                if entry is not None:
                    margins_by_entry[entry].append((hand[MATCH], *margins))
    rows = [
        _luck_row(entry, margins_by_entry[entry.pk])
        for entry in tournament.entries.filter(pk__in=margins_by_entry)
    ]
    skills = sorted((row.scaled.skill for row in rows), reverse=True)
    for row in sorted(rows, key=lambda row: (-row.scaled.skill, row.number)):
        yield replace(row, rank=skills.index(row.scaled.skill) + 1)


def _luck_row(entry: Entry, hands: list[tuple[int, ...]]) -> LuckRow:
    matches = {match for match, *_ in hands}
    margins = [engine.Margins(*each) for _match, *each in hands]
    skills = [each.result - each.luck for each in margins]
    return LuckRow(
        rank=0,
        number=entry.number,
        name=entry.name,
        matches=len(matches),
        hands=len(hands),
        result=sum(each.result for each in margins),
        luck=sum(each.luck for each in margins),
        skill=sum(skills),
        a_hand=engine.mean_interval(skills),
        scaled=engine.scale_luck(margins),
    )
