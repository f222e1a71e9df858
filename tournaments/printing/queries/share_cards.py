"""What the pictures say that are shown where an address is shared: for everybody or not at all."""

from django.utils.formats import date_format
from django.utils.timezone import localtime
from django.utils.translation import gettext, ngettext

from tournaments.core.permissions import Actor
from tournaments.director.queries.tournaments import TournamentHead
from tournaments.sheets.rows import CardRow, ShareCard
from tournaments.standings.queries.standings import standings_page
from tournaments.standings.queries.texts import amount


def share_card(slug: str) -> ShareCard:
    """Return what the card to share says of a tournament that everybody sees.

    The queries of the standings page. Refuses NOT_FOUND.
    """
    page = standings_page(slug, Actor.anonymous())
    head, words = page.head, (page.head.place or page.head.club_name)
    begins = "" if head.begins_at is None else date_format(localtime(head.begins_at), "DATE_FORMAT")
    parts = page.parts
    leaders = page.rows if len(parts) == 1 else [part.rows[0] for part in parts if part.rows]
    top_rows = leaders if head.decided else ()
    return ShareCard(
        title=head.name,
        line=" · ".join(filter(None, (words, begins))),
        rows=tuple(CardRow(row.rank, row.shown_name, amount(row.match_points)) for row in top_rows),
        state=_state_of(head),
        note=head.prizes
        or ngettext("%(count)s entry", "%(count)s entries", head.entries) % {"count": head.entries},
    )


def _state_of(head: TournamentHead) -> str:
    """Return how far a tournament is, in the active language."""
    if head.state == "finished":
        return gettext("Final standings")
    if head.current_round is None:
        return head.club_name
    facts = {"number": head.current_round, "rounds": head.rounds}
    if head.rounds_known:
        return gettext("Round %(number)s of %(rounds)s") % facts
    return gettext("Round %(number)s") % facts
