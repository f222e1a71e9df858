"""Takes tickets off the list of a sign-up, and puts them on it again with their entries."""

from collections.abc import Iterable

from django.db.models import Q
from django.utils import timezone

from tournaments.models import Entry, SignUpRequest


def leave_list(request: SignUpRequest, why: str) -> list[SignUpRequest]:
    """Take a locked request off the list; a partner that it was joined to waits by itself again.

    Returns the requests that were changed, as do the others.
    """
    parted = part_from(request)
    request.left_at, request.left_why, request.joined = timezone.now(), why, None
    request.save(update_fields=["left_at", "left_why", "joined"])
    return [request, *parted]


def part_from(request: SignUpRequest) -> list[SignUpRequest]:
    """Take the partners of a locked request away from it."""
    partners = list(request.partners.order_by("ticket"))
    for partner in partners:
        partner.joined = None
    SignUpRequest.objects.bulk_update(partners, ["joined"])
    return partners


def leave_with_entry(request: SignUpRequest) -> list[SignUpRequest]:
    """Take the request of a removed entry off the list, with the partner that shares it."""
    together = SignUpRequest.objects.filter(Q(pk=request.pk) | Q(joined=request))
    together.update(left_at=timezone.now(), left_why="")
    return list(together.order_by("ticket"))


def return_with_entries(entries: Iterable[Entry]) -> list[SignUpRequest]:
    """Put the requests of entries that came back on the list again; the codes are theirs."""
    returned: list[SignUpRequest] = []
    for entry in entries:
        if entry.request is None:
            continue
        together = SignUpRequest.objects.filter(Q(pk=entry.request.pk) | Q(joined=entry.request))
        together.update(left_at=None, left_why="")
        Entry.objects.filter(pk=entry.pk).update(code=entry.request.code)
        returned += together.order_by("ticket")
    return returned
