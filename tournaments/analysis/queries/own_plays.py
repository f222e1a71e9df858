"""Cards to try again: the costly ones of a person's own hands, and those of a club's week."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import timedelta
from typing import Any, Final

from django.db.models import F, Q, QuerySet
from django.utils import timezone

import engine
from tournaments.analysis.queries.analyses import sign_of
from tournaments.analysis.queries.play import SEVERITIES, with_earlier_hands
from tournaments.core.errors import Reason, Refusal
from tournaments.core.find import find_club
from tournaments.core.permissions import Actor, public_condition, visible_condition
from tournaments.models import AnalysedHand, AnalysedSeat, Entry, Player, Round, Stage
from tournaments.models.people import plays_as

WEEK: Final = timedelta(days=7)
MOST_SEATS: Final = 60  # of the newest; each has the answer of its hand, 22 kB
MOST_CARDS: Final = 30
COSTLIEST_LAST: Final = tuple(engine.MARKS.values())

MATCH: Final = "hand__hand__record__match"
ROUND: Final = f"{MATCH}__round"
TOURNAMENT: Final = f"{ROUND}__stage__tournament"


@dataclass(frozen=True, slots=True)
class CostlyCard:
    """The place of a card that got a sign: neither the card nor the sign, so as to try it again."""

    match_pk: int
    tournament: str
    round: int
    number: int
    trick: int
    token: int


@dataclass(frozen=True, slots=True)
class CostlyCards:
    """Cards to try again, the costliest first; of a club's week, or a person's own."""

    cards: tuple[CostlyCard, ...]
    club: str = ""
    club_slug: str = ""


def own_costly_cards(viewer: Actor) -> CostlyCards:
    """Return those of the viewer: an account's players, and the people of entries by their codes.

    Two queries. Refuses SIGN_IN without either.
    """
    if viewer.user is None and not viewer.codes:
        raise Refusal(Reason.SIGN_IN)
    conditions = [] if viewer.user is None else [plays_as(viewer.user, "player")]
    for slug, code in viewer.codes:
        entries = Entry.objects.filter(tournament__slug=slug, code=code)
        conditions.append(Q(player__in=people_of(entries)) & Q(**{f"{TOURNAMENT}__slug": slug}))
    seats = AnalysedSeat.objects.filter(
        Q(*conditions, _connector=Q.OR), visible_condition(viewer, f"{TOURNAMENT}__")
    )
    return CostlyCards(_costliest(seats))


def people_of(entries: QuerySet[Entry]) -> QuerySet[Player]:
    """Return the players of entries, substitutes too."""
    paths = ("player", "pair__first", "pair__second", "substitutions__comes")
    of_entries = (
        Q(pk__in=entries.filter(**{f"{path}__isnull": False}).values(path)) for path in paths
    )
    return Player.objects.filter(Q(*of_entries, _connector=Q.OR))


def costly_cards_of_club(slug: str) -> CostlyCards:
    """Return those of public rounds of a club that closed in the last week: three queries."""
    club = find_club(slug)
    rounds = Round.objects.filter(
        public_condition("stage__tournament__"),
        stage__tournament__club=club,
        state=Round.State.CLOSED,
        closed_at__gte=timezone.now() - WEEK,
    )
    seats = AnalysedSeat.objects.filter(player__isnull=False, **{f"{ROUND}__in": rounds})
    return CostlyCards(_costliest(seats), club.name, club.slug)


def _costliest(seats: QuerySet[AnalysedSeat]) -> tuple[CostlyCard, ...]:
    """Return the costliest cards of the newest seats that have one: two queries.

    Cards of deals that other tables still have to play are left out.
    """
    is_judged = Q(judgements__isnull=False)
    marked = Q(slips__gt=0) | Q(mistakes__gt=0) | Q(blunders__gt=0)
    severe = Q(*(Q(**{f"judgements__{name}__gt": 0}) for name in SEVERITIES), _connector=Q.OR)
    rows = seats.filter(
        ~is_judged & marked | is_judged & severe, hand__in=AnalysedHand.objects.counting()
    )
    columns = {
        "match": F(MATCH),
        "round": F(f"{ROUND}__number"),
        "stage": F(f"{ROUND}__stage"),
        "tournament": F(f"{TOURNAMENT}__name"),
        "number": F("hand__hand__number") + F("earlier"),
        "plays": F("hand__analysis__answer__plays"),
    }
    found: list[Any] = list(
        with_earlier_hands(rows).order_by("-pk").values("seat", **columns)[:MOST_SEATS]
    )
    stages = Stage.objects.select_related("tournament").in_bulk({row["stage"] for row in found})
    secret = {pk for pk, stage in stages.items() if stage.keeps_deals_secret}
    cards = [
        (_cost_order(play), _card(row, play))
        for row in found
        if row["stage"] not in secret
        for play in row["plays"]
        if play["seat"] == row["seat"] and play.get("figures") and sign_of(play)
    ]
    cards.sort(key=lambda each: each[0], reverse=True)
    return tuple(card for _order, card in cards[:MOST_CARDS])


def _cost_order(play: Mapping[str, Any]) -> tuple[int, float, float]:
    """Return the key that sorts a card: by its sign, then by what it cost."""
    return COSTLIEST_LAST.index(sign_of(play)), play.get("hand_loss") or 0, play.get("gain") or 0


def _card(row: Mapping[str, Any], play: Mapping[str, Any]) -> CostlyCard:
    return CostlyCard(
        row["match"],
        row["tournament"],
        row["round"],
        row["number"],
        play["trick"],
        play["token"],
    )
