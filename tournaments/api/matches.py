"""Matches, and their hands step by step."""

from rest_framework.request import Request

from tournaments.api.doors import reads
from tournaments.api.shapes.matches import Hand, Match
from tournaments.api.tokens import actor_of
from tournaments.queries import matches


@reads(Match, tag="matches", name="read_match")
def match(request: Request, pk: int) -> matches.MatchPage:
    """One match: its hands, its result and how that came about."""
    return matches.match_page(pk, actor_of(request))


@reads(Hand, tag="matches", name="read_hand")
def hand(request: Request, pk: int, number: int) -> matches.HandPage:
    """One hand of the accepted record: the deal, every trick, and a frame after each token."""
    return matches.hand_page(pk, number, actor_of(request))
