"""Takes requests for a place, changes them, joins singles and takes requests off the list."""

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from itertools import zip_longest
from typing import Any, Final

from django.db import transaction
from django.db.models import Count
from django.utils import timezone
from django.utils.translation import gettext

from tournaments.core.audit import Deleted, write_tournament_event
from tournaments.core.errors import Reason, Refusal
from tournaments.core.find import lock_tournament, not_found_unless, refresh_row
from tournaments.core.names import (
    validate_name,
    validate_person,
    validate_reason,
    validate_remark,
)
from tournaments.core.permissions import Actor, club_rights, may_manage, refuse_unless
from tournaments.director.queries.lists import MAX_ENTRIES
from tournaments.director.queries.state import refuse_closed, role_of
from tournaments.director.services.entries import remove_entry
from tournaments.director.services.tickets import leave_list, part_from
from tournaments.domain.names import fold_name
from tournaments.domain.person_names import judge_person
from tournaments.models import (
    Player,
    SignUp,
    SignUpLink,
    SignUpPerson,
    SignUpRequest,
    Tournament,
)
from tournaments.models.entries import new_code
from tournaments.models.tournaments import MAX_LINE_LENGTH
from tournaments.signup.queries.confirmed import CONFIRMED
from tournaments.signup.queries.places import (
    due_of,
    entry_of_request,
    places_of,
    request_facts,
    seats_of,
    sign_up_facts,
    standing_of,
)

MAX_PLACES: Final = MAX_ENTRIES
"""Places of a tournament, at most."""

MAX_CENTS: Final = 100_000_00
"""An amount, at most; chosen: more is a typing error."""

SETTINGS: Final = (
    *("opens_at", "opens_when_posted", "closes_at", "places", "minimum", "most_waiting", "singles"),
    *("only_paid", "condition"),
    *("asks_contact", "shows_names", "fee_cents", "fee_per", "member_cents"),
    *("best_others", "others_order"),
)
"""Columns of a sign-up that an organiser sets."""


@dataclass(frozen=True, slots=True)
class Application:
    """What people write to get a place: their names, and what else the organiser asks for.

    Names in doubt are right ``as_written``. All are judged, also those of players of the club: no
    answer shows who is known.
    """

    names: tuple[str, ...]
    pair_name: str = ""
    reserve: str = ""
    origin: str = ""
    contact: str = ""
    members: int = 0
    agreed: bool = False
    form_key: str | None = None
    as_written: bool = False


# --- Settings -------------------------------------------------------------------------------------


def sign_up_of(tournament: Tournament) -> SignUp:
    """Return the sign-up of a locked tournament; it is created with its defaults where needed."""
    signup, _ = SignUp.objects.select_related("tournament__club").get_or_create(
        tournament=tournament
    )
    return signup


@transaction.atomic
def set_sign_up(
    actor: Actor, tournament: Tournament, changes: Mapping[str, Any], *, moves_due: bool = False
) -> SignUp:
    """Set how people sign up (`SETTINGS`); fields left out stay, present values change nothing.

    With ``opens_when_posted`` the moment of posting is ``opens_at``; ``opens_at`` alone ends that.
    A request owes the fee that was promised to it; with ``moves_due`` those on the list owe the new
    one. Refuses FORBIDDEN, TOURNAMENT_OVER, BAD_SIGN_UP, BAD_REASON, REASON_TOO_LONG.
    """
    refuse_unless(may_manage(actor, tournament.club), actor)
    tournament = lock_tournament(tournament)
    signup = sign_up_of(tournament)
    refuse_closed("set_sign_up", sign_up_facts(tournament, signup))
    new = {name: changes[name] for name in SETTINGS if name in changes}
    if "opens_at" in new:
        new.setdefault("opens_when_posted", False)
    if new.get("opens_when_posted"):
        new["opens_at"] = tournament.posted_at
    if "condition" in new:
        new["condition"] = line_of(new["condition"])
    new = {name: value for name, value in new.items() if value != getattr(signup, name)}
    if not new:
        return signup
    for name, value in new.items():
        setattr(signup, name, value)
    _check_settings(signup)
    signup.save(update_fields=list(new))
    on_list = _move_due(signup) if moves_due else []
    facts = {name: _for_event(value) for name, value in new.items()}
    write_tournament_event(
        actor,
        "sign_up.set",
        tournament,
        tournament,
        after=facts,
        moves_due=moves_due,
        rows=on_list,
    )
    return signup


def _move_due(signup: SignUp) -> list[SignUpRequest]:
    """Let the requests on the list owe the fee of now; returns them."""
    on_list = list(signup.requests.filter(left_at=None).annotate(count=Count("people")))
    for request in on_list:
        request.due_cents = due_of(signup, request.count, request.members)
    SignUpRequest.objects.bulk_update(on_list, ["due_cents"])
    return list(on_list)


def _for_event(value: Any) -> Any:
    return value.isoformat() if isinstance(value, datetime) else value


def _check_settings(signup: SignUp) -> None:
    if signup.most_waiting is not None and signup.most_waiting > MAX_PLACES:
        raise Refusal(Reason.BAD_SIGN_UP, text="most_waiting")
    for name in ("places", "minimum"):
        value = getattr(signup, name)
        if value is not None and not 1 <= value <= MAX_PLACES:
            raise Refusal(Reason.BAD_SIGN_UP, text=name)
    for name in ("fee_cents", "member_cents"):
        if not 0 <= (getattr(signup, name) or 0) <= MAX_CENTS:
            raise Refusal(Reason.BAD_SIGN_UP, text=name)
    if signup.best_others > MAX_PLACES:
        raise Refusal(Reason.BAD_SIGN_UP, text="best_others")
    for name, choices in (("fee_per", SignUp.Per), ("others_order", SignUp.OthersOrder)):
        if getattr(signup, name) not in choices.values:
            raise Refusal(Reason.BAD_SIGN_UP, text=name)
    opens, closes = signup.opens_at, signup.closes_at
    if closes is not None and opens is not None and closes <= opens:
        raise Refusal(Reason.BAD_SIGN_UP, text=gettext("it would close before it opens"))


def line_of(text: str) -> str:
    """Return a text as one line. Refuses BAD_REASON, REASON_TOO_LONG."""
    line = " ".join(validate_remark(text).split())
    if len(line) > MAX_LINE_LENGTH:
        raise Refusal(Reason.REASON_TOO_LONG, most=MAX_LINE_LENGTH)
    return line


# --- Signing up -----------------------------------------------------------------------------------


@transaction.atomic
def sign_up(
    actor: Actor, tournament: Tournament, application: Application, link: SignUpLink | None = None
) -> SignUpRequest:
    """Note a request for a place, with the next ticket, under the tournament's lock.

    The organiser adds at any time before the draw, others while the form on the web is open; a bar
    or centre with its ``link``. A form that was sent before (``form_key``) is answered with the
    request that it made. A name that is on the list is noted like any other: no answer shows
    who is on it. Refuses SIGN_UP_CLOSED, WAITING_LIST_FULL on the web, TOURNAMENT_CANCELLED,
    NOT_A_DRAFT, WRONG_NAMES, BAD_NAME, BAD_REASON, REASON_TOO_LONG, CONDITION_MISSING,
    CONTACT_MISSING, QUOTA_USED.
    """
    is_staff = link is None and may_manage(actor, tournament.club)
    application = _clean(application)  # before the lock: others wait behind it
    tournament = lock_tournament(tournament)
    signup = sign_up_of(tournament)
    if application.form_key is not None:
        before = signup.requests.filter(form_key=application.form_key).first()
        if before is not None:
            return before
    is_public = link is None and not is_staff
    places = places_of(tournament, signup) if is_public else None
    facts = sign_up_facts(tournament, signup, places)
    refuse_closed("add_request" if is_staff else "sign_up", facts)
    _check_application(signup, application, is_staff=is_staff)
    if link is not None:
        _check_quota(signup, link)
    made_by = actor.label if is_staff else "web" if link is None else "link"
    request = store_request(signup, application, made_by, link=link)
    people = store_people(request, application.names)
    write_tournament_event(
        actor,
        "sign_up.requested",
        tournament,
        tournament,
        ticket=request.ticket,
        rows=[request, *people],
        **_confirmed(application.names),
    )
    return request


def _confirmed(names: Iterable[str]) -> dict[str, bool]:
    """Return what the event says of names in doubt: stored ones are right as they are written."""
    return {CONFIRMED: True} if any(map(judge_person, names)) else {}


def _clean(application: Application) -> Application:
    """Return an application as it is stored.

    Refuses BAD_NAME, DOUBTFUL_NAME, SAME_PERSON_TWICE, BAD_REASON.
    """

    def name(text: str) -> str:
        return validate_name(text) if text.strip() else ""

    names = tuple(
        validate_person(text, as_written=application.as_written)
        for text in application.names
        if text.strip()
    )
    _refuse_twice(names)
    return replace(
        application,
        names=names,
        members=min(application.members, len(names)),  # of a pair that has become a single
        pair_name=name(application.pair_name),
        reserve=name(application.reserve),
        origin=name(application.origin),
        contact=line_of(application.contact),
    )


def _refuse_twice(names: Sequence[str]) -> None:
    """Refuse SAME_PERSON_TWICE where both names of a pair are the same."""
    if len({fold_name(name) for name in names}) < len(names):
        raise Refusal(Reason.SAME_PERSON_TWICE, text=names[0])


def _check_application(signup: SignUp, application: Application, *, is_staff: bool) -> None:
    seats, people = seats_of(signup.tournament), len(application.names)
    fewest = 1 if is_staff or signup.singles else seats
    if not fewest <= people <= seats:
        raise Refusal(Reason.WRONG_NAMES, count=seats)
    if is_staff:
        return
    if signup.condition and not application.agreed:
        raise Refusal(Reason.CONDITION_MISSING, text=signup.condition)
    if signup.asks_contact and not application.contact:
        raise Refusal(Reason.CONTACT_MISSING)


def _check_quota(signup: SignUp, link: SignUpLink) -> None:
    """Refuse NOT_FOUND for a link that was revoked, QUOTA_USED for one that is used up."""
    link = refresh_row(signup.links.filter(revoked_at=None), link)
    if signup.requests.filter(link=link, left_at=None).count() >= link.quota:
        raise Refusal(Reason.QUOTA_USED, most=link.quota)


def store_request(
    signup: SignUp, application: Application, made_by: str, **columns: Any
) -> SignUpRequest:
    """Store a request with the next ticket; its people are stored apart (`store_people`).

    ``columns`` are further ones of the request: its link, or its source and place there.
    """
    signup.last_ticket += 1
    signup.save(update_fields=["last_ticket"])
    link = columns.get("link")
    request = SignUpRequest(
        signup=signup,
        ticket=signup.last_ticket,
        pair_name=application.pair_name,
        reserve=application.reserve,
        origin=application.origin if link is None else link.origin,
        contact=application.contact,
        members=application.members,
        agreed_at=timezone.now() if application.agreed else None,
        due_cents=due_of(signup, len(application.names), application.members),
        code=free_code(signup),
        form_key=application.form_key,
        made_by=made_by,
        **columns,
    )
    request.told_in = standing_of(request, signup).is_in
    request.save()
    return request


def store_people(
    request: SignUpRequest, names: Iterable[str], players: Iterable[Player] = ()
) -> list[SignUpPerson]:
    """Store the people of a new request, with the ``players`` of the club that they are."""
    return SignUpPerson.objects.bulk_create(
        SignUpPerson(request=request, seat=seat, name=name, folded=fold_name(name), player=player)
        for seat, (name, player) in enumerate(zip_longest(names, players), 1)
    )


def free_code(signup: SignUp) -> str:
    """Return a code that no request and no entry of the locked tournament has."""
    while True:
        code = new_code()
        is_used = signup.requests.filter(code=code).exists()
        if not is_used and not signup.tournament.entries.filter(code=code).exists():
            return code


# --- What its people may do -----------------------------------------------------------------------


def is_own(actor: Actor, request: SignUpRequest) -> bool:
    """Return whether the actor has given the code of a request."""
    return (request.signup.tournament.slug, request.code) in actor.codes


@transaction.atomic
def change_name(
    actor: Actor, request: SignUpRequest, seat: int, name: str, *, as_written: bool = False
) -> SignUpRequest:
    """Change one of the names of a request, which its people can do once.

    Refuses FORBIDDEN, TOURNAMENT_OVER, REQUEST_LEFT, REQUEST_ENTERED, NAME_CHANGED, BAD_NAME,
    SAME_PERSON_TWICE, and DOUBTFUL_NAME unless it is right ``as_written``.
    """
    name = validate_person(name, as_written=as_written)
    tournament, request = _lock(request)
    _refuse_closed_to(actor, "change_name", request)
    people = request.people.filter(seat=seat)
    _refuse_twice([name, *request.people.exclude(seat=seat).values_list("name", flat=True)])
    if not people.exclude(name=name).exists():
        return request
    if people.exclude(folded=fold_name(name)).exists():  # else only capitals are put right
        request.renamed_at = timezone.now()
        request.save(update_fields=["renamed_at"])
        people.update(player=None)
    people.update(name=name, folded=fold_name(name))
    write_tournament_event(
        actor,
        "sign_up.changed",
        tournament,
        tournament,
        ticket=request.ticket,
        rows=people,
        **_confirmed([name]),
    )
    return request


@transaction.atomic
def leave(actor: Actor, request: SignUpRequest) -> SignUpRequest:
    """Give a place back; who comes back gets a new ticket.

    Refuses FORBIDDEN, TOURNAMENT_OVER, TOURNAMENT_CANCELLED, REQUEST_LEFT, REQUEST_ENTERED.
    """
    tournament, request = _lock(request)
    _refuse_closed_to(actor, "leave", request)
    rows = leave_list(request, "")
    write_tournament_event(
        actor, "sign_up.left", tournament, tournament, ticket=request.ticket, rows=rows
    )
    return request


def _lock(request: SignUpRequest) -> tuple[Tournament, SignUpRequest]:
    """Lock the tournament of a request and read the request again."""
    tournament = lock_tournament(request.signup.tournament)
    rows = SignUpRequest.objects.select_related("joined", "signup__tournament__club")
    return tournament, refresh_row(rows, request)


def _refuse_closed_to(actor: Actor, verb: str, request: SignUpRequest) -> None:
    """Refuse a verb that needs the request's code or the right to manage."""
    club = request.signup.tournament.club
    own = is_own(actor, request)
    refuse_unless(own or may_manage(actor, club), actor)
    role = role_of(actor, club_rights(actor, club), own=own)
    refuse_closed(verb, request_facts(request, request.signup.tournament), role)


# --- What the organiser does ----------------------------------------------------------------------


@transaction.atomic
def change_request(
    actor: Actor,
    request: SignUpRequest,
    changes: Mapping[str, Any],
    *,
    moves_due: bool = True,
    as_written: bool = False,
) -> SignUpRequest:
    """Correct the ``names`` of a request, and its columns in `CHANGEABLE`.

    The names of joined singles are those of the earlier ticket, as it is shown, and stay as many.
    With ``moves_due`` what it owes follows the number of its people and members. Refuses FORBIDDEN,
    TOURNAMENT_OVER, REQUEST_LEFT, WRONG_NAMES, BAD_NAME, SAME_PERSON_TWICE, BAD_REASON, and
    DOUBTFUL_NAME unless the names are right ``as_written``.
    """
    refuse_unless(may_manage(actor, request.signup.tournament.club), actor)
    tournament, request = _lock(request)
    refuse_closed("change_request", request_facts(request, tournament))
    joined = [request, *request.partners.order_by("ticket")]
    before = tuple(person.name for one in joined for person in one.people.order_by("seat"))
    values = {name: getattr(request, name) for name in CHANGEABLE}
    values |= {name: changes[name] for name in CHANGEABLE if name in changes}
    names = tuple(changes.get("names", before))
    is_same = names == before  # names of before are not judged again
    new = _clean(Application(names, **values, as_written=as_written or is_same))
    _check_application(request.signup, new, is_staff=True)
    is_joined = len(joined) > 1 or request.joined is not None
    if is_joined and len(new.names) != len(joined):
        raise Refusal(Reason.WRONG_NAMES, count=len(joined))
    for name in CHANGEABLE:
        setattr(request, name, getattr(new, name))
    request.save(update_fields=CHANGEABLE)
    people: list[SignUpPerson | Deleted] = []
    if is_joined:
        for one, name in zip(joined, new.names, strict=True):
            people += _set_people(one, (name,))
    elif new.names != before:
        people += _set_people(request, new.names)
    if moves_due:
        count = 1 if is_joined else len(new.names)
        request.due_cents = due_of(request.signup, count, request.members)
        request.save(update_fields=["due_cents"])
    write_tournament_event(
        actor,
        "sign_up.changed",
        tournament,
        tournament,
        ticket=request.ticket,
        rows=[request, *people],
        **({} if is_same else _confirmed(new.names)),
    )
    return request


def _set_people(request: SignUpRequest, names: Sequence[str]) -> list[SignUpPerson | Deleted]:
    """Give a request these people; returns their rows, and the deleted ones."""
    surplus = request.people.exclude(seat__lte=len(names))
    rows: list[SignUpPerson | Deleted] = [
        Deleted("signupperson", pk) for pk in surplus.values_list("pk", flat=True)
    ]
    surplus.delete()
    for seat, name in enumerate(names, 1):
        person = {"name": name, "folded": fold_name(name)}
        request.people.filter(seat=seat).exclude(folded=person["folded"]).update(player=None)
        row, _ = SignUpPerson.objects.update_or_create(request=request, seat=seat, defaults=person)
        rows.append(row)
    return rows


CHANGEABLE: Final = ("pair_name", "reserve", "origin", "contact", "members")
"""Columns of a request that an organiser corrects."""


@transaction.atomic
def take_off(actor: Actor, request: SignUpRequest, reason: str) -> SignUpRequest:
    """Take a request off the list, with a reason; its entry, if it has one, is removed too.

    Refuses FORBIDDEN, TOURNAMENT_OVER, REQUEST_LEFT, REQUEST_ENTERED once drawn, REASON_MISSING.
    """
    refuse_unless(may_manage(actor, request.signup.tournament.club), actor)
    reason = validate_reason(reason)
    tournament, request = _lock(request)
    refuse_closed("take_off", request_facts(request, tournament))
    if (entry := entry_of_request(request)) is not None:
        remove_entry(actor, entry, keeps_ticket=True)
    rows = leave_list(request, reason[:MAX_LINE_LENGTH])
    write_tournament_event(
        actor,
        "sign_up.left",
        tournament,
        tournament,
        ticket=request.ticket,
        reason=reason,
        rows=rows,
    )
    return request


@transaction.atomic
def take_off_several(
    actor: Actor, tournament: Tournament, tickets: Collection[int], reason: str
) -> list[SignUpRequest]:
    """Take several requests off the list with one reason, or none of them.

    Refuses FORBIDDEN, NOT_FOUND for a ticket that there is not, NOTHING_LISTED, and as `take_off`.
    """
    refuse_unless(may_manage(actor, tournament.club), actor)
    if not tickets:
        raise Refusal(Reason.NOTHING_LISTED)
    tournament = lock_tournament(tournament)
    rows = SignUpRequest.objects.select_related("joined", "signup__tournament__club")
    rows = rows.filter(signup__tournament=tournament, is_ticket=True, ticket__in=tickets)
    requests = list(rows.order_by("ticket"))
    not_found_unless(len(requests) == len(set(tickets)))
    return [take_off(actor, request, reason) for request in requests]


@transaction.atomic
def join(actor: Actor, request: SignUpRequest, other: SignUpRequest) -> SignUpRequest:
    """Join two singles; they hold the place of the earlier ticket. Returns that request.

    Refuses FORBIDDEN, NOT_SINGLE, TOURNAMENT_OVER, TOURNAMENT_CANCELLED, REQUEST_LEFT,
    REQUEST_ENTERED.
    """
    refuse_unless(may_manage(actor, request.signup.tournament.club), actor)
    tournament, request = _lock(request)
    other = refresh_row(request.signup.requests.select_related("joined", "signup"), other)
    for one in (request, other):
        refuse_closed("join", request_facts(one, tournament))
    if request.pk == other.pk:
        raise Refusal(Reason.NOT_SINGLE)
    first, second = sorted((request, other), key=lambda one: one.ticket)
    second.joined = first
    second.save(update_fields=["joined"])
    tickets = [first.ticket, second.ticket]
    write_tournament_event(
        actor, "sign_up.joined", tournament, tournament, tickets=tickets, rows=[second]
    )
    return first


@transaction.atomic
def part(actor: Actor, request: SignUpRequest) -> SignUpRequest:
    """Take two joined singles apart again; each has the place of its own ticket.

    Refuses FORBIDDEN, TOURNAMENT_OVER, TOURNAMENT_CANCELLED, REQUEST_LEFT, REQUEST_ENTERED.
    """
    refuse_unless(may_manage(actor, request.signup.tournament.club), actor)
    tournament, request = _lock(request)
    refuse_closed("leave", request_facts(request, tournament))
    if partners := part_from(request):
        tickets = [request.ticket, *(partner.ticket for partner in partners)]
        write_tournament_event(
            actor, "sign_up.changed", tournament, tournament, tickets=tickets, rows=partners
        )
    return request


@transaction.atomic
def note_told(actor: Actor, request: SignUpRequest) -> SignUpRequest:
    """Note that the people of a request know its place of now. Refuses FORBIDDEN."""
    refuse_unless(may_manage(actor, request.signup.tournament.club), actor)
    tournament, request = _lock(request)
    stands_in = entry_of_request(request) is not None
    request.told_in = stands_in or standing_of(request, request.signup).is_in
    request.save(update_fields=["told_in"])
    write_tournament_event(actor, "sign_up.told", tournament, tournament, ticket=request.ticket)
    return request


@transaction.atomic
def renew_code(actor: Actor, request: SignUpRequest) -> SignUpRequest:
    """Give a request another code, and its entry too: the link of before leads nowhere.

    Refuses FORBIDDEN, TOURNAMENT_OVER, REQUEST_LEFT.
    """
    refuse_unless(may_manage(actor, request.signup.tournament.club), actor)
    tournament, request = _lock(request)
    refuse_closed("change_request", request_facts(request, tournament))
    request.code = free_code(request.signup)
    request.save(update_fields=["code"])
    tournament.entries.filter(request=request).update(code=request.code)
    write_tournament_event(
        actor, "sign_up.code_renewed", tournament, tournament, ticket=request.ticket
    )
    return request
