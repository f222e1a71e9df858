"""What the pictures say that are shown where an address is shared: for everybody or not at all."""

from django.utils.formats import date_format
from django.utils.timezone import localtime
from django.utils.translation import gettext, ngettext

from tournaments.analysis.queries.analyses import KeyCard, match_analysis
from tournaments.core.find import not_found_unless
from tournaments.core.permissions import NOBODY
from tournaments.core.templatetags import card_name, suit_name
from tournaments.director.queries.rounds import round_page
from tournaments.director.queries.rows import MatchRow
from tournaments.director.queries.tournaments import TournamentHead
from tournaments.people.queries import photo_of
from tournaments.printing.queries.stages import bracket_columns
from tournaments.results.queries.matches import hand_page, match_page
from tournaments.sheets.rows import CardRow, ShareCard
from tournaments.signup.queries.poster import find_poster
from tournaments.standings.queries.crosstables import crosstable_page
from tournaments.standings.queries.seasons import season_page
from tournaments.standings.queries.standings import standings_page
from tournaments.standings.queries.texts import amount


def share_card(slug: str) -> ShareCard:
    """Return the leaders of a tournament that has begun, or what is to be won.

    The queries of the standings page. Refuses NOT_FOUND.
    """
    page = standings_page(slug, NOBODY)
    head, parts = page.head, page.parts
    leaders = page.rows if len(parts) == 1 else [part.rows[0] for part in parts if part.rows]
    top_rows = leaders if head.decided else ()
    return ShareCard(
        title=head.name,
        line=_day_and_place(head),
        rows=tuple(
            CardRow(str(row.rank), row.shown_name, amount(row.match_points), row.rank == 1)
            for row in top_rows
        ),
        state=_state_of(head),
        note=head.prizes
        or ngettext("%(count)s entry", "%(count)s entries", head.entries) % {"count": head.entries},
    )


def poster_card(slug: str) -> ShareCard:
    """Return day, place and places left of a posted tournament.

    The queries of its poster. Refuses NOT_FOUND.
    """
    poster = find_poster(slug, NOBODY)
    head = poster.head
    not_found_unless(not head.is_private)
    if head.cancelled_at:
        note = gettext("cancelled")
    elif poster.free:
        facts = {"count": poster.free, "places": poster.places}
        note = ngettext(
            "%(count)s of %(places)s is free", "%(count)s of %(places)s are free", poster.free
        )
        note %= facts
    else:
        note = head.prizes
    line, photo = _day_and_place(head, "DATETIME_FORMAT"), photo_of(head.club_slug)
    return ShareCard(head.name, line, (), head.club_name, note, photo)


def round_card(slug: str, number: int) -> ShareCard:
    """Return the first tables of a published round, each with its score.

    The queries of its page. Refuses NOT_FOUND.
    """
    page = round_page(slug, number, NOBODY)
    tables = tuple(
        CardRow(str(match.table), match.names, "" if match.score is None else match.score.text)
        for match in page.round.matches
        if match.away
    )
    name = gettext("Round %(number)s") % {"number": number}
    return ShareCard(page.head.name, name, tables, page.head.club_name)


def bracket_card(slug: str) -> ShareCard:
    """Return the latest meetings of a bracket whose sides are known; else the leaders.

    The queries of its page. Refuses NOT_FOUND.
    """
    page = crosstable_page(slug, NOBODY)
    meetings = [
        CardRow("", " – ".join(map(str, meeting.sides)), meeting.score)
        for column in reversed(bracket_columns(page))
        for meeting in column.meetings
        if all(isinstance(side, str) and side for side in meeting.sides)
    ]
    if not meetings:
        return share_card(slug)
    return ShareCard(
        page.head.name, _day_and_place(page.head), tuple(meetings), _state_of(page.head)
    )


def match_card(pk: int) -> ShareCard:
    """Return the sides of a match with what each has won, and its costliest card.

    The queries of its page. Refuses NOT_FOUND, also while its deals are secret.
    """
    page = match_page(pk, NOBODY)
    not_found_unless(not page.hides_deals)
    sides = tuple(
        CardRow("", side.shown_name, "" if side.counted is None else str(side.counted), side.won)
        for side in page.match.sides
    )
    analysis = match_analysis(page)
    costliest = None if analysis is None else analysis.costliest
    note = "" if costliest is None else f"{gettext('The costliest card')}: {_key_card(costliest)}"
    return ShareCard(page.head.name, _round_and_table(page.match), sides, page.head.club_name, note)


def hand_card(pk: int, number: int) -> ShareCard:
    """Return whose hand it is, which of their match, and its trumps.

    The queries of its page. Refuses NOT_FOUND, also while its deals are secret.
    """
    page = hand_page(pk, number, NOBODY)
    place = gettext("Hand %(number)s of %(total)s") % {"number": number, "total": page.total}
    line = f"{place} · {_round_and_table(page.match)}"
    note = gettext("Trumps: %(suit)s") % {"suit": suit_name(page.trump)} if page.trump else ""
    return ShareCard(page.match.names, line, (), page.head.name, note)


def season_card(slug: str, season: str) -> ShareCard:
    """Return the leaders of a season. The queries of its page. Refuses NOT_FOUND."""
    page = season_page(slug, season, NOBODY)
    leaders = tuple(
        CardRow(str(line.rank), line.shown_name, amount(round(line.total, 2)), line.rank == 1)
        for line in page.lines
    )
    played = len(page.counted)
    note = ngettext("%(count)s tournament", "%(count)s tournaments", played) % {"count": played}
    return ShareCard(page.name, page.club_name, leaders, note)


def _day_and_place(head: TournamentHead, style: str = "DATE_FORMAT") -> str:
    begins = "" if head.begins_at is None else date_format(localtime(head.begins_at), style)
    return " · ".join(filter(None, (head.place or head.club_name, begins)))


def _round_and_table(match: MatchRow) -> str:
    name = gettext("Round %(number)s") % {"number": match.round}
    return f"{name} · {gettext('Table %(table)s') % {'table': match.table}}"


def _key_card(key: KeyCard) -> str:
    return f"{card_name(key.card)} ({key.name})"


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
