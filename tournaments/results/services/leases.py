"""Leases: the right of one worker to play one bot match for a while."""

import logging
import mmap
import secrets
import threading
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import timedelta
from typing import Any, Final, NamedTuple

from django.db import DatabaseError, connection, transaction
from django.db.models import F, QuerySet
from django.db.models.functions import Greatest, Now

from tournaments.domain.sides import PLACES
from tournaments.models import Attempt, Bot, BotForfeit, BotVersion, Entry, Match, Round
from tournaments.models.matches import LEASE, set_entries
from tournaments.results.services import turns

# --- Leaving --------------------------------------------------------------------------------------
# A flag that the workers of this machine shut down: then they begin nothing new.
#
# The parent process sets it and its child processes, which play, read it. They share a page of
# memory, since a signal to the parent reaches none of the children.


_DRAINING: Final = mmap.mmap(-1, 1)


def set_draining(leaving: bool = True) -> None:
    """Set or clear the flag that play is to stop."""
    _DRAINING[0] = leaving


def is_draining() -> bool:
    """Return whether play is to stop."""
    return bool(_DRAINING[0])


# --- Leases ---------------------------------------------------------------------------------------
# A lease is a token in the match's row and its end by the database's clock. A worker that returns
# after another took over finds another token, and its result is refused: the token is the fence.
# While a worker plays, a thread extends the lease every `RENEWAL_SECONDS` seconds
# (:func:`renew_leases`); a dead or stopped worker does not, and half a minute later another may
# try.


logger = logging.getLogger(__name__)

RENEWAL_SECONDS: Final = 10.0
"""Seconds between two extensions of a lease, which lasts 35 seconds."""

MAX_RENEWALS: Final = 30
"""Extensions of one lease, at most: 300 seconds, the longest that a task lives (`arena.tasks`)."""

NO_PAUSE: Final = timedelta(0)


class PlayInterrupted(Exception):  # noqa: N818 - what happens to the play
    """The worker shuts down: matches not yet submitted are left to other workers."""


class LeaseExpired(Exception):  # noqa: N818 - what has happened to the lease
    """The lease has expired: others may play the match."""


@dataclass(frozen=True, slots=True)
class Lease:
    """One attempt at one match; ``counted``: the claim has added it to the match's attempts."""

    match_pk: int
    token: str
    counted: bool = False


@transaction.atomic
def claim_match(match_pk: int) -> Lease | None:
    """Lease a due match for one attempt; ``None`` when it is not due or already leased.

    The first claim fixes which version of each program plays the match.
    """
    if not Match.objects.select_for_update(of=("self",), no_key=True).filter(pk=match_pk):
        return None
    lease = Lease(match_pk, secrets.token_hex(16), counted=True)
    due = Match.objects.due().filter(pk=match_pk)
    kinds = [f"{place}__bot__kind" for place in PLACES]
    row = due.values("versions", *kinds, *(f"{place}__bot" for place in PLACES)).first()
    if row is None:
        return None
    Match.objects.filter(pk=match_pk).update(
        lease_token=lease.token,
        lease_until=Now() + LEASE,
        attempts=F("attempts") + 1,
        versions=_versions(row),
    )
    turns.store_attempts([match_pk], lease.token)
    return lease


class LeasedBatch(NamedTuple):
    """The leases of matches that were claimed together, all with one token.

    ``others`` are the keys of those that have to be claimed one by one, if they are due at all.
    """

    leases: Sequence[Lease] = ()
    others: Sequence[int] = ()


@transaction.atomic
def claim_batch(match_pks: Collection[int]) -> LeasedBatch:
    """Lease due matches for one attempt each, if they can be played together.

    A match with a failed attempt or a lost hand is left to be claimed alone, so that it cannot
    harm the others; so is one that another transaction has locked, and one with the same deals as
    other tables, which may have to wait for them. These attempts are not counted: a lost one may
    have been another match's fault.
    """
    rows = Match.objects.filter(pk__in=match_pks).order_by("pk")
    locked = rows.select_for_update(of=("self",), no_key=True, skip_locked=True)
    locked_pks = set(locked.values_list("pk", flat=True))
    tried = turns.attempt_outcomes(locked_pks)
    alone = {key for key, outcomes in tried.items() if not outcomes <= turns.HARMLESS_OUTCOMES}
    if tried:
        alone.update(BotForfeit.objects.filter(match__in=tried).values_list("match", flat=True))
    due = Match.objects.due().filter(pk__in=locked_pks - alone).order_by("pk")
    boards = dict(due.values_list("pk", "boards"))
    keys, token = [key for key in boards if not boards[key]], secrets.token_hex(16)
    alone.update(key for key in boards if boards[key])
    if keys:
        Match.objects.filter(pk__in=keys).update(lease_token=token, lease_until=Now() + LEASE)
        turns.store_attempts(keys, token)
    others = [key for key in dict.fromkeys(match_pks) if key in alone or key not in locked_pks]
    return LeasedBatch([Lease(key, token) for key in keys], others)


def read_matches(leases: Iterable[Lease]) -> list[Match]:
    """Read leased matches of bots with rounds and entries, each of these rows read once.

    Those whose draw was undone since the claim are left out.
    """
    by_key = Match.objects.in_bulk([lease.match_pk for lease in leases])
    matches = [by_key[lease.match_pk] for lease in leases if lease.match_pk in by_key]
    rounds = Round.objects.select_related("stage__tournament__club")
    read = rounds.in_bulk({match.round_id for match in matches})
    for match in matches:
        match.round = read[match.round_id]
    keys = {getattr(match, f"{place}_id") for match in matches for place in PLACES}
    entries = Entry.objects.in_bulk(keys - {None})
    bots = Bot.objects.in_bulk({entry.bot_id for entry in entries.values()})
    for entry in entries.values():
        entry.bot = bots[entry.bot_id or 0]
    set_entries(matches, entries)
    return matches


def release_batch(begun: Sequence[Lease], unbegun: Sequence[Lease], detail: str = "") -> None:
    """Release leases of one claim before their end; no attempt is counted.

    Attempts at matches not ``begun`` are deleted.
    """
    first, *_ = leases = [*begun, *unbegun]
    with transaction.atomic():
        keys = [lease.match_pk for lease in leases]
        leased = Match.objects.filter(pk__in=keys, lease_token=first.token)
        # By key, the order in which all transactions lock several matches.
        locked_matches = leased.select_for_update(of=("self",), no_key=True).order_by("pk")
        attempts = Greatest(F("attempts") - int(first.counted), 0)
        matches = Match.objects.filter(pk__in=list(locked_matches.values_list("pk", flat=True)))
        matches.update(lease_until=None, woken_at=None, attempts=attempts)
        turns.store_outcome(
            [lease.match_pk for lease in begun], first.token, Attempt.Outcome.PARTLY, detail
        )
        turns.delete_attempts([lease.match_pk for lease in unbegun], first.token)


def _versions(match: Mapping[str, Any]) -> dict[str, int]:
    """Return the version of each program by place: the one fixed before, else the latest."""
    versions: dict[str, int] = dict(match["versions"])
    for place in PLACES:
        if match[f"{place}__bot__kind"] != Bot.Kind.PROGRAM or place in versions:
            continue
        ready = BotVersion.objects.filter(
            bot=match[f"{place}__bot"], state=BotVersion.State.READY
        ).order_by("-number")
        if (last := ready.values_list("pk", flat=True).first()) is not None:
            versions[place] = last
    return versions


def extend_leases(*leases: Lease) -> bool:
    """Extend leases that still hold, from now on; returns whether any did.

    Of several, rows that are locked by others are skipped until the next time.
    """
    if len(leases) == 1:
        return _select_live(*leases).update(lease_until=Now() + LEASE) == 1
    with transaction.atomic():
        live_matches = _select_live(*leases).select_for_update(
            of=("self",), no_key=True, skip_locked=True
        )
        keys = list(live_matches.order_by("pk").values_list("pk", flat=True))
        return Match.objects.filter(pk__in=keys).update(lease_until=Now() + LEASE) > 0


def release_lease(
    lease: Lease,
    outcome: Attempt.Outcome,
    detail: str = "",
    *,
    counts: bool = True,
    pause: timedelta = NO_PAUSE,
) -> None:
    """Release a lease before its end, so that another attempt can start after a ``pause``.

    ``outcome`` and ``detail`` say why; with ``counts`` off the attempt is not counted.
    """
    with transaction.atomic():
        matches = Match.objects.filter(pk=lease.match_pk, lease_token=lease.token)
        until = Now() + pause if pause else None
        attempts = Greatest(F("attempts") + int(counts) - int(lease.counted), 0)
        matches.update(lease_until=until, woken_at=None, attempts=attempts)
        turns.store_outcome([lease.match_pk], lease.token, outcome, detail)


class LeaseRenewer:
    """Extends leases in a thread; the player of the matches calls :meth:`check`."""

    def __init__(self, *leases: Lease) -> None:
        self._leases = leases
        self._done = threading.Event()
        self._is_lost = False

    def check(self) -> None:
        """Raise :class:`LeaseExpired` or :class:`PlayInterrupted` when play must stop here."""
        if self._is_lost:
            raise LeaseExpired
        if is_draining():
            raise PlayInterrupted

    def run(self) -> None:
        """Extend the leases every `RENEWAL_SECONDS` seconds until :meth:`stop` is called."""
        try:
            for _ in range(MAX_RENEWALS):
                if self._done.wait(RENEWAL_SECONDS):
                    return
                self._extend()
        finally:
            connection.close()

    def _extend(self) -> None:
        try:
            self._is_lost = not extend_leases(*self._leases)
        except DatabaseError as error:
            logger.warning("the lease of match %s waits: %s", self._leases[0].match_pk, error)

    def stop(self) -> None:
        """Stop extending the leases."""
        self._done.set()


@contextmanager
def renew_leases(*leases: Lease) -> Iterator[LeaseRenewer]:
    """Extend leases in a thread while the context lasts."""
    renewer = LeaseRenewer(*leases)
    name = f"lease {leases[0].match_pk}"
    thread = threading.Thread(target=renewer.run, name=name, daemon=True)
    thread.start()
    try:
        yield renewer
    finally:
        renewer.stop()
        thread.join()


def live_leases(*leases: Lease) -> set[int]:
    """Return the matches whose leases still hold; certain only while they are locked."""
    return set(_select_live(*leases).values_list("pk", flat=True))


def _select_live(*leases: Lease) -> QuerySet[Match]:
    """Select the matches with valid leases; tokens are unique, so two lists are enough."""
    keys, tokens = {lease.match_pk for lease in leases}, {lease.token for lease in leases}
    matches = Match.objects.filter(pk__in=keys, lease_token__in=tokens)
    return matches.filter(lease_until__gt=Now())
