"""Erases what sign-ups hold of people, also of those who never became players."""

from collections.abc import Collection
from datetime import datetime, timedelta
from typing import Any

from django.db.models import Q
from django.db.models.functions import Coalesce

from tournaments.core.audit import write_tournament_event
from tournaments.core.permissions import Actor
from tournaments.director.services.tickets import part_from
from tournaments.domain.names import fold_name
from tournaments.domain.pseudonyms import ERASED
from tournaments.models import (
    CashEntry,
    Club,
    Entry,
    Player,
    PushSubscription,
    SignUp,
    SignUpNews,
    SignUpPerson,
    SignUpRequest,
)
from tournaments.signup.queries.contacts import end_for_contacts, keeping_period


def erase_request(actor: Actor, request: SignUpRequest, at: datetime) -> None:
    """Erase names, contact and remarks of a request; one without an entry leaves the list."""
    request.people.update(name=ERASED, folded=fold_name(ERASED), erased_at=at)
    SignUpRequest.objects.filter(pk=request.pk).update(
        pair_name="", reserve="", origin="", contact="", left_why=""
    )
    SignUpNews.objects.filter(request=request).delete()
    PushSubscription.objects.filter(code=request.code).delete()
    parted: list[SignUpRequest] = []
    if not Entry.objects.filter(request=request.joined_id or request.pk).exists():
        parted = part_from(request)
        SignUpRequest.objects.filter(pk=request.pk).update(
            left_at=Coalesce("left_at", at), joined=None
        )
    request.cash_entries.update(payee="", note="")
    request.refresh_from_db()
    rows = [request, *parted, *request.people.all(), *request.cash_entries.all()]
    tournament = request.signup.tournament
    write_tournament_event(
        actor, "sign_up.erased", tournament, tournament, ticket=request.ticket, rows=rows
    )


def rename_in_sign_ups(
    club: Club, player: Player, old: Collection[str], called: str
) -> dict[str, list[int]]:
    """Replace the names of an erased player in the requests of a club, with their contacts.

    Returns the keys of the rows that the audit compares, by kind.
    """
    named = Q(folded__in={fold_name(name) for name in old}, player=None)
    people = SignUpPerson.objects.filter(
        named | Q(player=player), request__signup__tournament__club=club
    )
    keys = dict(people.values_list("pk", "request"))
    requests = list(keys.values())
    people.update(name=called, folded=fold_name(called))
    SignUpRequest.objects.filter(pk__in=requests).update(contact="", reserve="")
    SignUpNews.objects.filter(request__in=requests).delete()
    codes = SignUpRequest.objects.filter(pk__in=requests).values_list("code", flat=True)
    PushSubscription.objects.filter(code__in=list(codes)).delete()
    lines = CashEntry.objects.filter(request__in=requests)
    lines.update(payee="", note="")
    return {
        "signupperson": list(keys),
        "signuprequest": requests,
        "cashentry": list(lines.values_list("pk", flat=True)),
    }


def erased_people() -> list[dict[str, Any]]:
    """Return the persons of sign-ups that were erased, as entries of the list of erasures.

    Their numbers are negative: the list is keyed by number, and those of players are positive.
    """
    people = SignUpPerson.objects.filter(erased_at__isnull=False).order_by("pk")
    return [
        {
            "number": -person.pk,
            "player": None,
            "user": None,
            "person": person.pk,
            "at": person.erased_at.isoformat(),
        }
        for person in people
        if person.erased_at is not None
    ]


def repeat_erased_person(key: int, at: datetime) -> bool:
    """Erase the request of a person again after a restore; return whether there was one."""
    requests = SignUpRequest.objects.filter(people__pk=key, people__erased_at=None)
    requests = requests.select_related("signup__tournament__club")
    request = requests.filter(made_at__lte=at).first()
    if request is None:
        return False
    erase_request(Actor.system(), request, at)
    return True


def delete_contacts(limit: datetime) -> int:
    """Empty the contacts of tournaments that ended before then, by `end_for_contacts`.

    The addresses for news go with them.
    """
    with_contacts = SignUpRequest.objects.filter(~Q(contact="") | Q(news__isnull=False))
    signups = SignUp.objects.filter(pk__in=with_contacts.values("signup"))
    count = 0
    for signup in signups.select_related("tournament"):
        put_off = keeping_period() if signup.contacts_kept else timedelta()
        if end_for_contacts(signup) + put_off < limit:
            count += with_contacts.filter(signup=signup).update(contact="")
            SignUpNews.objects.filter(request__signup=signup).delete()
    return count
