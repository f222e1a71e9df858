"""What workers have tried: a row for every lease of a bot match, and how it ended."""

import os
import socket
from collections.abc import Collection

from django.db.models import F, Q
from django.db.models.functions import Now

from tournaments.models import Attempt
from tournaments.services.turns import storable

Outcome = Attempt.Outcome

LONGEST_DETAIL = 10_000
"""Characters that are kept of what went wrong: the last ones."""

HARMLESS = frozenset((Outcome.PLAYED, Outcome.PARTLY, Outcome.WAITING, Outcome.LATE))
"""Ends of attempts at which nothing had gone wrong."""


def host_name() -> str:
    """Return where we work, as attempts name it."""
    return socket.gethostname()[:180]


def worker_name() -> str:
    """Return who works here: host and process."""
    return f"{host_name()}:{os.getpid()}"


def begin(match_pk: int, token: str) -> Attempt:
    """Note that a lease was given; whoever had one before and said no word has lost it."""
    _lose(Q(match=match_pk))
    return Attempt.objects.create(
        match_id=match_pk, token=token, worker=worker_name(), started_at=Now()
    )


def end(match_pk: int, token: str, outcome: Attempt.Outcome, detail: str = "") -> None:
    """Note how an attempt ended."""
    kept = storable(detail)[-LONGEST_DETAIL:]
    Attempt.objects.filter(match=match_pk, token=token).update(
        outcome=outcome, detail=kept, ended_at=Now()
    )


def begin_together(match_pks: Collection[int], token: str) -> None:
    """Note that leases of one token were given, of matches that nobody is at."""
    worker = worker_name()
    Attempt.objects.bulk_create(
        Attempt(match_id=key, token=token, worker=worker, started_at=Now()) for key in match_pks
    )


def end_together(
    match_pks: Collection[int], token: str, outcome: Attempt.Outcome, detail: str = ""
) -> None:
    """Note how attempts of one token ended, unless that is known already."""
    mine = Attempt.objects.filter(match__in=match_pks, token=token, outcome="")
    mine.update(outcome=outcome, detail=detail, ended_at=Now())


def forget_together(match_pks: Collection[int], token: str) -> None:
    """Forget attempts that were given up before anything was tried."""
    Attempt.objects.filter(match__in=match_pks, token=token, outcome="").delete()


def outcomes_of(match_pks: Collection[int]) -> dict[int, set[str]]:
    """Return how the attempts at matches have ended, of those that were tried before."""
    found: dict[int, set[str]] = {}
    rows = Attempt.objects.filter(match__in=match_pks).order_by()
    for match, outcome in rows.values_list("match", "outcome"):
        found.setdefault(match, set()).add(outcome)
    return found


def note_lost() -> int:
    """Note as lost what is under way with a lease that has run out; answers how many."""
    held = Q(match__lease_token=F("token"), match__lease_until__gte=Now())
    return _lose(~held)


def _lose(which: Q) -> int:
    under_way = Attempt.objects.filter(which, outcome="")
    keys = list(under_way.values_list("pk", flat=True))
    lost = Attempt.objects.filter(pk__in=keys, outcome="")
    return lost.update(outcome=Attempt.Outcome.LOST, ended_at=Now()) if keys else 0
