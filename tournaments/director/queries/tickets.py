"""Tickets of a sign-up beside entries: which wait, who holds a place, who would move up."""

from typing import Final

from django.db.models import Q, QuerySet

from tournaments.director.queries.tournaments import TournamentHead
from tournaments.domain.names import name_of_two
from tournaments.models import Absence, Entry, SignUp, SignUpPerson, SignUpRequest, Tournament

LIVE: Final = Q(is_ticket=True, left_at=None, joined=None, entry=None)
"""Requests that wait for an entry."""


def active_entries(tournament: Tournament) -> QuerySet[Entry]:
    """Return the entries that hold a place: all but those withdrawn or expelled."""
    gone = Absence.objects.filter(
        until_round=None, kind__in=(Absence.Kind.WITHDRAWN, Absence.Kind.EXPELLED)
    )
    return tournament.entries.exclude(pk__in=gone.values("entry"))


def waiting_tickets(head: TournamentHead) -> int:
    """Return how many tickets wait to be entered into a draft, for its organiser; else 0."""
    is_open = head.state == Tournament.State.DRAFT and head.cancelled_at is None
    if not is_open or not head.may.manage:
        return 0
    return SignUpRequest.objects.filter(LIVE, signup__tournament=head.pk).count()


def name_of(pair_name: str, names: tuple[str, ...]) -> str:
    """Return the name of a request."""
    return pair_name or (name_of_two(*names) if len(names) == 2 else "".join(names[:1]))


def names_of(request: SignUpRequest) -> tuple[str, ...]:
    """Return the names of a request, with those of a partner that it was joined to; one query."""
    first = request.joined_id or request.pk
    people = SignUpPerson.objects.filter(Q(request=first) | Q(request__joined=first))
    return tuple(people.order_by("request__ticket", "seat").values_list("name", flat=True))


def next_to_move_up(tournament: Tournament) -> str:
    """Return the name of the first that waits for a place; empty where nobody can move up.

    After the draw nobody is entered from the list.
    """
    signup = SignUp.objects.filter(tournament=tournament).first()
    if signup is None or signup.places is None or tournament.state != Tournament.State.DRAFT:
        return ""
    in_from_list = max(0, signup.places - active_entries(tournament).count())
    waiting = signup.requests.filter(LIVE).order_by("ticket")[in_from_list:]
    request = waiting.first()
    return "" if request is None else name_of(request.pair_name, names_of(request))
