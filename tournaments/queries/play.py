"""What somebody's cards cost, on average, by what he was in the hand."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

import engine
from tournaments.models import AnalysedHand, AnalysedSeat, Bot, Player
from tournaments.permissions import Actor, public
from tournaments.queries.find import found

ROLES: Final = ("mano", "dealer_partner", "mano_partner", "dealer")
"""In the order in which they play to the first trick."""


@dataclass(frozen=True, slots=True)
class RoleFigures:
    """The average loss a hand in one role (all of them: ``""``), with 95 % intervals.

    ``open`` is with all cards seen, ``fair`` given what he could know, over ``choices`` cards in
    all; the marks count cards.
    """

    role: str
    hands: int
    open: engine.Interval
    fair: engine.Interval
    choices: int
    slips: int
    mistakes: int
    blunders: int


@dataclass(frozen=True, slots=True)
class PlayPage:
    """Somebody's play over his analysed hands: all of them first, then by role; empty without."""

    name: str
    player: int | None
    bot: str
    ruleset: str
    rows: tuple[RoleFigures, ...]


def player_play(pk: int, viewer: Actor, ruleset: str = "") -> PlayPage:
    """Return a player's figures, under one ruleset or all: two queries."""
    del viewer  # everybody sees them, as everybody sees the hands
    player = found(Player.objects.filter(pk=pk).first())
    return PlayPage(player.name, player.pk, "", ruleset, figures(ruleset, player=player.pk))


def bot_play(slug: str, viewer: Actor, ruleset: str = "") -> PlayPage:
    """Return a bot's figures in the same way."""
    del viewer
    bot = found(Bot.objects.filter(slug=slug).first())
    return PlayPage(bot.name, None, bot.slug, ruleset, figures(ruleset, bot__slug=bot.slug))


def figures(ruleset: str, **who: int | str) -> tuple[RoleFigures, ...]:
    """Return the figures of a player or bot: one query."""
    of = "hand__record__match__round__stage__tournament__"
    hands = AnalysedHand.objects.counting().filter(public(of))
    if ruleset:
        hands = hands.filter(**{f"{of}ruleset": ruleset})
    seats = list(AnalysedSeat.objects.filter(hand__in=hands, **who).order_by("pk"))
    if not seats:
        return ()
    by_role = [(role, [seat for seat in seats if seat.role == role]) for role in ROLES]
    return tuple(_figures(role, rows) for role, rows in [("", seats), *by_role] if rows)


def _figures(role: str, seats: Sequence[AnalysedSeat]) -> RoleFigures:
    return RoleFigures(
        role=role,
        hands=len(seats),
        open=engine.mean_interval([seat.open_loss for seat in seats]),
        fair=engine.mean_interval([seat.fair_loss for seat in seats]),
        choices=sum(seat.choices for seat in seats),
        slips=sum(seat.slips for seat in seats),
        mistakes=sum(seat.mistakes for seat in seats),
        blunders=sum(seat.blunders for seat in seats),
    )
