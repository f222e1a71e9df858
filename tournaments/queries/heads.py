"""The head of a tournament's pages: what it is, how far it has got, what the viewer may do."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from django.db.models import Count, Q

from tournaments.models import Match, Round, Tournament
from tournaments.permissions import Actor, Powers, powers
from tournaments.queries.find import found, visible

LEAST_ENTRIES = 2
WAITING = (Match.State.PENDING, Match.State.REPORTED, Match.State.POSTPONED)
"""States of a match whose result is still to come, or to be confirmed."""


@dataclass(frozen=True, slots=True)
class TournamentMay:
    """What the viewer may do with the tournament as it stands.

    ``manage`` and ``arbitrate`` are his rights; the others also ask whether it is time.
    """

    manage: bool
    arbitrate: bool
    history: bool
    enter: bool
    draw: bool
    finish: bool


@dataclass(frozen=True, slots=True)
class TournamentHead:
    """A tournament in short. Byes are no matches; ``decided`` ones have a result.

    ``current_round`` is the first one being played, if one is.
    """

    pk: int
    slug: str
    name: str
    club_name: str
    club_slug: str
    state: str
    ruleset: str
    options: Mapping[str, Any]
    version: int
    entries: int
    rounds: int
    rounds_closed: int
    current_round: int | None
    matches: int
    decided: int
    disputed: int
    may: TournamentMay


@dataclass(frozen=True, slots=True)
class RoundState:
    """How far one round has got."""

    number: int
    state: str
    matches: int
    decided: int
    disputed: int


@dataclass(frozen=True, slots=True)
class Opened:
    """A tournament that the viewer may see, with what every page about it needs."""

    tournament: Tournament
    head: TournamentHead
    rounds: tuple[RoundState, ...]
    powers: Powers

    @property
    def visible_rounds(self) -> tuple[int, ...]:
        """The numbers of the rounds that the viewer may see."""
        return tuple(
            round_.number
            for round_ in self.rounds
            if self.powers.member or round_.state != Round.State.DRAFT
        )


def open_tournament(slug: str, viewer: Actor) -> Opened:
    """Return a tournament by its short name: four queries, three for a viewer unknown."""
    tournaments = Tournament.objects.select_related("club")
    return opened(found(tournaments.filter(slug=slug).first()), viewer)


def opened(tournament: Tournament, viewer: Actor) -> Opened:
    """Return a tournament that has been fetched with its club."""
    allowed = powers(viewer, tournament.club)
    visible(allowed.member or tournament.state != Tournament.State.DRAFT)
    rounds = round_states(tournament)
    return Opened(tournament, _head(tournament, rounds, allowed), rounds, allowed)


def round_states(tournament: Tournament) -> tuple[RoundState, ...]:
    """Return the rounds in order, with counts of their matches; one query."""
    played = ~Q(matches__state=Match.State.BYE)
    rows = (
        Round.objects.filter(stage__tournament=tournament)
        .order_by("number")
        .annotate(
            total=Count("matches", filter=played),
            open=Count("matches", filter=Q(matches__state__in=WAITING)),
            disputed=Count("matches", filter=Q(matches__state=Match.State.DISPUTED)),
        )
        .values_list("number", "state", "total", "open", "disputed")
    )
    return tuple(
        RoundState(number, state, total, total - pending - disputed, disputed)
        for number, state, total, pending, disputed in rows
    )


def _head(
    tournament: Tournament, rounds: tuple[RoundState, ...], allowed: Powers
) -> TournamentHead:
    entries = tournament.entries.count()
    closed = sum(round_.state == Round.State.CLOSED for round_ in rounds)
    matches = sum(round_.matches for round_ in rounds)
    decided = sum(round_.decided for round_ in rounds)
    playing = (r.number for r in rounds if r.state == Round.State.PUBLISHED)
    is_draft = tournament.state == Tournament.State.DRAFT
    is_running = tournament.state == Tournament.State.RUNNING
    is_over = closed == len(rounds) and decided == matches
    return TournamentHead(
        pk=tournament.pk,
        slug=tournament.slug,
        name=tournament.name,
        club_name=tournament.club.name,
        club_slug=tournament.club.slug,
        state=tournament.state,
        ruleset=tournament.ruleset,
        options=tournament.options,
        version=tournament.version,
        entries=entries,
        rounds=len(rounds),
        rounds_closed=closed,
        current_round=next(playing, None),
        matches=matches,
        decided=decided,
        disputed=sum(round_.disputed for round_ in rounds),
        may=TournamentMay(
            manage=allowed.manage,
            arbitrate=allowed.arbitrate,
            history=allowed.read_history,
            enter=allowed.manage and is_draft,
            draw=allowed.manage and is_draft and entries >= LEAST_ENTRIES,
            finish=allowed.manage and is_running and is_over,
        ),
    )
