"""The hand of the week: of the hands lately played, the one in which play moved most points."""

from dataclasses import dataclass
from datetime import timedelta
from typing import Final

from django.db.models import QuerySet
from django.db.models.functions import Abs

import engine
from tournaments.analysis.queries.analyses import TurnRow, hand_analysis
from tournaments.core.cache import get_or_compute
from tournaments.core.live_version import live_version_of_match
from tournaments.core.permissions import NOBODY, public_condition
from tournaments.models import AnalysedHand, Round
from tournaments.results.queries.matches import HandPage, hand_page

CHOICE_SECONDS: Final = 600  # chosen: the choice sorts the hands of a week, and changes rarely
TOURNAMENT: Final = "hand__record__match__round__stage__tournament__"
MATCH: Final = "hand__record__match__"
SEATS: Final = 4
FOUR_SEATS: Final = tuple(
    name for name, rules in engine.RULESETS.items() if len(rules.seats) == SEATS
)
TRICKS: Final = 10  # of a hand that is played to its end by four


@dataclass(frozen=True, slots=True)
class HandChoice:
    """The hand of the week, by its number in a match, at a version of the tournament."""

    match: int
    number: int
    version: str


@dataclass(frozen=True, slots=True)
class ShownCard:
    """A card of a trick at one of the places a, b, c and d around the table."""

    place: str
    code: str
    name: str
    wins: bool
    decides: bool


@dataclass(frozen=True, slots=True)
class ShownTrick:
    """A trick of the hand of the week; ``is_turn`` is the one with the card that decided."""

    number: int
    cards: tuple[ShownCard, ...]
    is_turn: bool


@dataclass(frozen=True, slots=True)
class HandOfTheWeek:
    """The hand of the week, trick by trick; it ``plays`` where all its tricks were played."""

    page: HandPage
    turn: TurnRow | None
    seats: tuple[tuple[str, str], ...]
    tricks: tuple[ShownTrick, ...]

    @property
    def plays(self) -> bool:
        """Return whether all tricks were played, which the animation needs."""
        return len(self.tricks) == TRICKS


def week_choice() -> HandChoice | None:
    """Return the hand of the last week with play in which play, not the deal, moved most points."""
    choice = get_or_compute("front:week", _choose, seconds=CHOICE_SECONDS)
    if not choice:
        return None
    match, number = choice
    chosen = {f"{MATCH}pk": match, "hand__number": number}
    if not _public_hands().filter(**chosen).exists():
        return None
    return HandChoice(match, number, live_version_of_match(match, NOBODY))


def _choose() -> tuple[int, int] | tuple[()]:
    """Return a match and a number of a hand in it; empty without one, as None is not cached."""
    hands = _public_hands()
    latest = hands.order_by("-hand__record__created_at").first()
    if latest is None:
        return ()
    since = latest.hand.record.created_at - timedelta(days=7)
    week = hands.filter(hand__record__created_at__gt=since)
    most = week.order_by(Abs("analysis__skill").desc(), "hand_id")
    key: tuple[int, int] = most.values_list(f"{MATCH}pk", "hand__number")[0]
    return key


def _public_hands() -> QuerySet[AnalysedHand]:
    """Return the analysed hands that four people played in closed rounds, without common deals."""
    return AnalysedHand.objects.counting().filter(
        public_condition(TOURNAMENT),
        hand__record__coto=1,
        hand__play__isnull=False,
        **{
            "analysis__answer__decided_by": "card",  # there is something to tell
            f"{MATCH}round__state": Round.State.CLOSED,
            f"{MATCH}boards": [],
            f"{MATCH}home__bot": None,
            f"{MATCH}away__bot": None,
            f"{TOURNAMENT}ruleset__in": FOUR_SEATS,
            f"{TOURNAMENT}deal_sets": 0,
        },
    )


def hand_of_the_week(choice: HandChoice) -> HandOfTheWeek:
    """Return the hand of a choice, trick by trick: ten queries and one replay."""
    page = hand_page(choice.match, choice.number, NOBODY)
    turn = hand_analysis(page).turn
    places = dict(zip(page.seats, "abcd", strict=True))
    tricks = tuple(
        ShownTrick(
            trick.number,
            tuple(
                ShownCard(
                    places[seat],
                    card,
                    page.seats[seat],
                    wins=seat == trick.winner,
                    decides=turn is not None and (seat, card) == (turn.seat, turn.card),
                )
                for seat, card in trick.cards
            ),
            is_turn=trick.number == (1 if turn is None else turn.trick),
        )
        for trick in page.tricks
    )
    seats = tuple((places[seat], name) for seat, name in page.seats.items())
    return HandOfTheWeek(page, turn, seats, tricks)
