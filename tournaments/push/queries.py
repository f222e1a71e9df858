"""The messages to browsers: a table, a place on the list, another day, a cancelled tournament."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Final

from django.db.models import Q
from django.utils import timezone
from django.utils.translation import gettext as _

from tournaments.core.permissions import NOBODY, Actor, may_see_poster
from tournaments.director.queries.days import DayRow, days_of
from tournaments.domain.feed import PUBLIC
from tournaments.domain.sides import PLACES
from tournaments.domain.signup import Letter, News, letter_of
from tournaments.models import (
    AuditEvent,
    Entry,
    Match,
    PushSubscription,
    Round,
    SignUpRequest,
    Tournament,
)
from tournaments.results.queries.own_table import own_entry
from tournaments.signup.queries.news import from_store, letters_of, news_of, when_of
from tournaments.signup.queries.places import find_sign_up

LASTS: Final = timedelta(minutes=10)
"""How long after an act its message is sent; the push service keeps it no longer, either."""

PUBLISHED: Final = "round.published"


@dataclass(frozen=True, slots=True)
class Message:
    """A message to a browser: a line, and the name of the page that it opens.

    It is sent until ``until``.
    """

    text: str
    page: str
    until: datetime


@dataclass(frozen=True, slots=True)
class Holder:
    """Whose a subscription is: that of an entry, of a request alone, or everybody's.

    ``news`` is what holds for them now (`domain.signup.News`).
    """

    news: News
    is_everybody: bool
    entry: Entry | None = None

    @property
    def page(self) -> str:
        """The name of the page that a message opens."""
        if self.is_everybody:
            return "rounds"
        return "own-request" if self.entry is None else "own-table"


@dataclass(frozen=True, slots=True)
class TournamentFacts:
    """What the messages of a tournament are made of.

    ``holders`` are those of the subscriptions, by key; one that belongs to nobody any more has
    none. ``events`` are those of the last minutes, ``rounds`` the rounds that were published in
    them by key, ``tables`` their tables by round and entry; 0 is a bye.
    """

    tournament: Tournament
    days: tuple[DayRow, ...]
    holders: Mapping[int, Holder]
    events: tuple[AuditEvent, ...]
    rounds: Mapping[int, Round]
    tables: Mapping[tuple[int, int], int]


def is_open_to_all(tournament: Tournament) -> bool:
    """Return whether everybody sees a tournament or its poster, so that everybody may follow it."""
    return may_see_poster(NOBODY, tournament)


def facts_of(tournament: Tournament, rows: Sequence[PushSubscription]) -> TournamentFacts:
    """Return the facts for messages to some subscriptions of a tournament.

    A dozen queries for any number of them, and one for each account.
    """
    days = days_of(tournament)
    recent = AuditEvent.objects.filter(
        tournament=tournament,
        verb__in=PUBLIC,
        at__gt=timezone.now() - LASTS,
        sequence__gt=min((row.position for row in rows), default=0),
    )
    events = tuple(recent.order_by("sequence"))
    keys = [event.subject_pk for event in events if event.verb == PUBLISHED]
    rounds = Round.objects.filter(pk__in=keys, state=Round.State.PUBLISHED).in_bulk()
    return TournamentFacts(
        tournament, days, holders_of(tournament, days, rows), events, rounds, _tables_of(rounds)
    )


def holders_of(
    tournament: Tournament, days: tuple[DayRow, ...], rows: Sequence[PushSubscription]
) -> Mapping[int, Holder]:
    """Return whose the subscriptions are, by key; without those that belong to nobody any more.

    A code is that of a request until it has an entry, which takes it over.
    """
    codes = {row.code for row in rows if row.code}
    asked = SignUpRequest.objects.filter(signup__tournament=tournament, code__in=codes)
    request_by_code = {request.code: request for request in asked}
    firsts = {request.joined_id or request.pk for request in request_by_code.values()}
    entries = list(tournament.entries.filter(Q(code__in=codes) | Q(request__in=firsts)))
    entry_by_code = {entry.code: entry for entry in entries}
    entry_by_request = {entry.request_id: entry for entry in entries}
    signup = find_sign_up(tournament) if request_by_code else None
    letters = {} if signup is None else letters_of(signup)
    general = news_of(tournament, days, is_in=True)
    found = {}
    for row in rows:
        if not row.code and row.user is None:
            found[row.pk] = Holder(general, is_everybody=True)
            continue
        request = request_by_code.get(row.code)
        entry = entry_by_code.get(row.code)
        if row.user is not None:
            entry = own_entry(tournament, Actor.for_user(row.user))
        elif entry is None and request is not None:
            entry = entry_by_request.get(request.joined_id or request.pk)
        if entry is not None or (request is not None and request.left_at is None):
            letter = None if request is None else letters.get(request.pk)
            news = general if letter is None else letter.news
            found[row.pk] = Holder(news, is_everybody=False, entry=entry)
    return found


def _tables_of(rounds: Mapping[int, Round]) -> Mapping[tuple[int, int], int]:
    """Return the tables of some rounds, by round and entry; 0 is a bye."""
    places = [f"{place}_id" for place in PLACES]
    rows = Match.objects.filter(round__in=rounds).values_list("round", "table", "state", *places)
    return {
        (round_, entry): 0 if state == Match.State.BYE else table
        for round_, table, state, *entries in rows
        for entry in entries
        if entry is not None
    }


def messages_of(facts: TournamentFacts, row: PushSubscription) -> list[Message]:
    """Return the messages to a subscription about events after its position, in its language.

    Nothing of what was long ago: not of a place or a day either, whose change no event states.
    """
    holder = facts.holders[row.pk]
    events = [event for event in facts.events if event.sequence > row.position]
    if not events:
        return []
    found = []
    until = events[-1].at + LASTS
    letter = letter_of(from_store(row.told), holder.news)
    if letter is Letter.IN:
        found.append(Message(_("You are in."), holder.page, until))
    page = "poster" if holder.is_everybody else holder.page
    if letter is Letter.CANCELLED:
        text = _("The tournament is cancelled: %(reason)s")
        said = {"reason": facts.tournament.cancel_reason}
        found.append(Message(text % said, page, until))
    if letter is Letter.MOVED:
        days = "; ".join(when_of(facts.tournament, facts.days))
        found.append(Message(_("The day has moved: %(days)s") % {"days": days}, page, until))
    published = [event for event in events if event.verb == PUBLISHED]
    drawn = [facts.rounds[one.subject_pk] for one in published if one.subject_pk in facts.rounds]
    if drawn:  # of rounds that are published together, the first in which the entry plays
        entry = holder.entry
        own = [one for one in drawn if entry is not None and (one.pk, entry.pk) in facts.tables]
        first = min(own or drawn, key=lambda round_: round_.number)
        text = _text_of_round(facts, first, entry)
        found.append(Message(text, holder.page, published[-1].at + LASTS))
    return found


def _text_of_round(facts: TournamentFacts, round_: Round, entry: Entry | None) -> str:
    """Return where an entry sits in a round, else that the round is drawn."""
    table = None if entry is None else facts.tables.get((round_.pk, entry.pk))
    said = {"round": round_.number, "table": table}
    if table is None:
        return _("Round %(round)s is drawn.") % said
    if table == 0:
        return _("Round %(round)s: you sit out") % said
    return _("Round %(round)s: your table is %(table)s.") % said
