"""Tournaments: what there is, who plays, who leads, and what is played when."""

from functools import partial

from rest_framework.request import Request

from tournaments.api.doors import reads
from tournaments.api.pages import PARAMETERS, Page, cut
from tournaments.api.shapes import tournaments as shapes
from tournaments.api.tokens import actor_of
from tournaments.queries import people, tournaments


@reads(shapes.Tournaments, tag="tournaments", name="list_tournaments", parameters=PARAMETERS)
def all_tournaments(request: Request) -> Page[people.TournamentCard]:
    """All tournaments; a draft is listed for members of its club.

    A member needs a token with the scope `games:read`.
    """
    fetch = partial(people.tournaments_after, viewer=actor_of(request))
    return cut(request, fetch, lambda tournament: tournament.slug)


@reads(shapes.Tournament, tag="tournaments", name="read_tournament")
def tournament(request: Request, slug: str) -> tournaments.TournamentHead:
    """One tournament: its rules, its state, and how far it has come."""
    return tournaments.tournament_head(slug, actor_of(request))


@reads(shapes.Entries, tag="tournaments", name="read_entries")
def entries(request: Request, slug: str) -> tournaments.EntriesPage:
    """Who plays in the tournament."""
    return tournaments.entries_page(slug, actor_of(request))


@reads(shapes.Standings, tag="tournaments", name="read_standings")
def standings(request: Request, slug: str) -> tournaments.StandingsPage:
    """The table, and what decided each place."""
    return tournaments.standings_page(slug, actor_of(request))


@reads(shapes.Crosstable, tag="tournaments", name="read_crosstable")
def crosstable(request: Request, slug: str) -> tournaments.CrosstablePage:
    """Everybody against everybody."""
    return tournaments.crosstable_page(slug, actor_of(request))


@reads(shapes.Rounds, tag="tournaments", name="read_rounds")
def rounds(request: Request, slug: str) -> tournaments.RoundsPage:
    """All published rounds with their matches; members of the club see the drafts as well."""
    return tournaments.rounds_page(slug, actor_of(request))


@reads(shapes.Round, tag="tournaments", name="read_round")
def round_(request: Request, slug: str, number: int) -> tournaments.RoundPage:
    """One round; while bots play in it, how far they have come."""
    return tournaments.round_page(slug, number, actor_of(request))


@reads(shapes.History, tag="tournaments", name="read_history", parameters=PARAMETERS)
def history(request: Request, slug: str) -> Page[tournaments.EventRow]:
    """Who did what, when: for members of the club, by a token with the scope `audit:read`."""

    def fetch(after: str, count: int) -> tuple[tournaments.EventRow, ...]:
        return tournaments.history_after(slug, int(after or 0), count, actor_of(request))

    return cut(request, fetch, lambda event: str(event.sequence))
