"""Gives an entry that signed up in no other way a request, so that money can be noted for it."""

from tournaments.core.permissions import Actor
from tournaments.domain.names import fold_name
from tournaments.models import Entry, SignUpPerson, SignUpRequest
from tournaments.signup.services.requests import sign_up_of


def request_of_entry(actor: Actor, entry: Entry) -> SignUpRequest:
    """Return the request of an entry of a locked tournament; it is made where there is none.

    The cash book names requests, because entries are deleted and their numbers used again. The
    request has the entry's code and owes nothing.
    """
    if entry.request is not None:
        return entry.request
    signup = sign_up_of(entry.tournament)
    signup.last_ticket += 1
    signup.save(update_fields=["last_ticket"])
    request = SignUpRequest.objects.create(
        signup=signup,
        ticket=signup.last_ticket,
        pair_name=entry.name if entry.pair_id else "",
        code=entry.code,
        told_in=True,
        made_by=actor.label,
    )
    SignUpPerson.objects.bulk_create(
        SignUpPerson(request=request, seat=seat, name=name, folded=fold_name(name))
        for seat, name in enumerate(entry.seat_names, 1)
    )
    entry.request = request
    entry.save(update_fields=["request"])
    return request
