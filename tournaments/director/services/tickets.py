"""Takes tickets off the list of a sign-up, and puts them on it again with their entries."""

from collections.abc import Iterable

from django.db.models import Q
from django.utils import timezone

from tournaments.models import Entry, SignUpRequest


def leave_list(request: SignUpRequest, why: str) -> None:
    """Take a locked request off the list; a partner that it was joined to waits by itself again."""
    request.partners.update(joined=None)
    request.left_at, request.left_why, request.joined = timezone.now(), why, None
    request.save(update_fields=["left_at", "left_why", "joined"])


def leave_with_entry(request: SignUpRequest) -> None:
    """Take the request of a removed entry off the list, with the partner that shares it."""
    together = SignUpRequest.objects.filter(Q(pk=request.pk) | Q(joined=request))
    together.update(left_at=timezone.now(), left_why="")


def return_with_entries(entries: Iterable[Entry]) -> None:
    """Put the requests of entries that came back on the list again; the codes are theirs."""
    for entry in entries:
        if entry.request is None:
            continue
        together = Q(pk=entry.request.pk) | Q(joined=entry.request)
        SignUpRequest.objects.filter(together).update(left_at=None, left_why="")
        Entry.objects.filter(pk=entry.pk).update(code=entry.request.code)
