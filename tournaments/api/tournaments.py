"""Tournaments: what there is, who plays, who leads and why, and what is played when."""

from functools import partial

from drf_spectacular.utils import OpenApiParameter
from rest_framework.request import Request

import engine
from tournaments.api import filters
from tournaments.api.doors import reads
from tournaments.api.pages import PARAMETERS, Page, cut
from tournaments.api.shapes import standings as tables
from tournaments.api.shapes import tournaments as shapes
from tournaments.api.tokens import actor_of
from tournaments.domain.pairing import FORMATS
from tournaments.errors import Reason, Refusal
from tournaments.models import Match, Tournament
from tournaments.queries import crosstables, heads, people, progress, standings, sums
from tournaments.queries import entries as entered
from tournaments.queries import history as events
from tournaments.queries import rounds as drawn
from tournaments.queries.progress import Progress
from tournaments.queries.rows import MatchRow

STAGE = OpenApiParameter(
    "stage",
    {"type": "integer", "minimum": 1, "maximum": 999},
    description="The number of a stage; without it, the one in play.",
)
NARROWED = (
    filters.one_of("state", Tournament.State.values, "Those in this state alone."),
    filters.one_of("ruleset", tuple(engine.RULESETS), "Those under these rules alone."),
    filters.one_of("format", tuple(FORMATS), "Those with a stage of this format alone."),
    filters.short_name("club", "Those of this club alone."),
    filters.moment("changed_since", "Those in which anything was done since this moment."),
)
MATCHES = (
    filters.number("round", "Those of this round alone."),
    filters.number("table", "Those at this table alone."),
    filters.number("entry", "Those in which this entry sits alone."),
    filters.one_of("state", Match.State.values, "Those in this state alone."),
)
EVENTS = (
    filters.verb("verb", "Events of this kind: `round.published`, or all of `round`."),
    filters.moment("since", "Events since this moment."),
)


@reads(
    shapes.Tournaments,
    tag="tournaments",
    name="list_tournaments",
    parameters=(*PARAMETERS, *filters.described(NARROWED)),
)
def all_tournaments(request: Request) -> Page[people.TournamentCard]:
    """All tournaments; a draft is listed for members of its club.

    A member needs a token with the scope `games:read`.
    """
    said = filters.wanted(request, NARROWED)
    fetch = partial(people.tournaments_after, viewer=actor_of(request), wanted=said)
    return cut(request, fetch, lambda tournament: tournament.slug)


@reads(tables.Stages, tag="tournaments", name="read_stages")
def stages(request: Request, slug: str) -> heads.TournamentHead:
    """The stages of the tournament: their formats, and how far each has come."""
    return heads.tournament_head(slug, actor_of(request))


@reads(shapes.Entries, tag="tournaments", name="read_entries")
def entries(request: Request, slug: str) -> entered.EntriesPage:
    """Who plays in the tournament."""
    return entered.entries_page(slug, actor_of(request))


@reads(tables.Standings, tag="tournaments", name="read_standings", parameters=[STAGE])
def table(request: Request, slug: str) -> standings.StandingsPage:
    """The table of a stage, and what decided each place."""
    return standings.standings_page(slug, actor_of(request), stage_of(request))


@reads(tables.Sums, tag="tournaments", name="read_sums", parameters=[STAGE])
def entry_sums(request: Request, slug: str, number: int) -> sums.SumsPage:
    """One entry's line of the table: its rounds, and what each number is the sum of."""
    return sums.entry_sums(slug, number, actor_of(request), stage_of(request))


@reads(tables.Crosstable, tag="tournaments", name="read_crosstable", parameters=[STAGE])
def crosstable(request: Request, slug: str) -> crosstables.CrosstablePage:
    """Everybody against everybody, and round by round."""
    return crosstables.crosstable_page(slug, actor_of(request), stage_of(request))


@reads(shapes.Rounds, tag="tournaments", name="read_rounds")
def rounds(request: Request, slug: str) -> drawn.RoundsPage:
    """All published rounds with their matches; members of the club see the drafts as well."""
    return drawn.rounds_page(slug, actor_of(request))


@reads(shapes.Round, tag="tournaments", name="read_round")
def round_(request: Request, slug: str, number: int) -> drawn.RoundPage:
    """One round; while bots play in it, how far they have come."""
    return drawn.round_page(slug, number, actor_of(request))


@reads(shapes.Progress, tag="tournaments", name="read_round_progress")
def round_progress(request: Request, slug: str, number: int) -> Progress:
    """How far the bots of a round have come, without its matches; 404 where no bots meet."""
    return progress.round_progress(slug, number, actor_of(request))[1]


@reads(
    shapes.Matches,
    tag="matches",
    name="list_matches",
    parameters=(*PARAMETERS, *filters.described(MATCHES)),
)
def matches(request: Request, slug: str) -> Page[MatchRow]:
    """The matches of all rounds that may be seen, by round and table."""
    viewer, said = actor_of(request), filters.wanted(request, MATCHES)

    def fetch(after: str, count: int) -> tuple[MatchRow, ...]:
        number, table = map(int, (after or "0.0").split("."))
        return drawn.matches_after(slug, (number, table), count, viewer, said)

    return cut(request, fetch, lambda match: f"{match.round}.{match.table}")


@reads(
    shapes.History,
    tag="tournaments",
    name="read_history",
    parameters=(*PARAMETERS, *filters.described(EVENTS)),
)
def history(request: Request, slug: str) -> Page[events.EventRow]:
    """Who did what, when: for members of the club, by a token with the scope `audit:read`."""
    said = filters.wanted(request, EVENTS)

    def fetch(after: str, count: int) -> tuple[events.EventRow, ...]:
        return events.history_after(slug, int(after or 0), count, actor_of(request), **said)

    return cut(request, fetch, lambda event: str(event.sequence))


def stage_of(request: Request) -> int | None:
    """Return the stage that is asked for, if one is."""
    text = request.query_params.get("stage")
    if text is None:
        return None
    if not (text.isascii() and text.isdigit() and len(text) < 4 and int(text) > 0):
        raise Refusal(Reason.BAD_PARAMETER, name="stage")
    return int(text)
