"""Compares two versions of a bot: deal sets, until a sequential test (`engine.Sprt`) decides.

A comparison is no tournament of the club: it has rows of its own, which no list, feed, rating or
export reads (docs/decisions/version-comparisons.md). Its row is the truth: a message only wakes a
worker, whose lease keeps a second one out, and each deal set is stored in one transaction that
checks the lease. Its deals follow from its seed, so that a repeated set has the same cards.
"""

from __future__ import annotations

import json
import logging
import secrets
import time
import zlib
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from datetime import timedelta
from typing import Any, Final

from django.db import transaction
from django.db.models import F
from django.db.models.functions import Now

import engine
from tournaments.arena.queries.comparisons import test_of_sets
from tournaments.arena.services.table import InterruptibleBot, process_of
from tournaments.core.errors import Reason, Refusal
from tournaments.core.find import lock_bot, refresh_row
from tournaments.core.jobs import Job, post
from tournaments.core.permissions import Actor, may_compare_versions, refuse_unless
from tournaments.domain.contest import OPEN
from tournaments.domain.match_parts import TWO_SIDED, complete_stop
from tournaments.models import Bot, BotVersion, VersionComparison
from tournaments.models.comparisons import COMPARISON_LEASE, VersionComparisonQuerySet
from tournaments.people.services.bots import refuse_unless_played, refuse_without_sandbox
from tournaments.people.services.programs import write_bot_event
from tournaments.results.services.leases import LeaseExpired, PlayInterrupted, is_draining

logger = logging.getLogger(__name__)

MAX_SETS: Final = 1000
"""Deal sets of one comparison at most."""

MAX_KEPT: Final = 5
"""Comparisons of a bot that may be kept."""

TEST: Final[Mapping[str, Any]] = {"model": "points", "low": 0, "high": 4}
"""No better, against four points a record better: what 1,000 sets can tell apart."""

SLICE_SECONDS: Final = 20.0
"""Seconds after which a comparison goes to the end of the queue."""

RENEWAL_SECONDS: Final = 10.0
"""Seconds between two extensions of a lease."""

PAUSE_AFTER_FAULT: Final = timedelta(seconds=10)
"""Pause of a comparison after a fault of the machine."""

MAX_AT_ONCE: Final = 100
"""Limit of comparisons that one sweep wakes."""

Outcome = VersionComparison.Outcome


@transaction.atomic
def compare_versions(
    actor: Actor,
    bot: Bot,
    version: BotVersion,
    base: BotVersion,
    *,
    ruleset: str,
    sets: int = MAX_SETS,
) -> VersionComparison:
    """Let a version of a bot play another one, to see whether it is better.

    One comparison of a bot goes on at a time. Refuses FORBIDDEN, BOT_RETIRED, SAME_VERSION,
    NO_READY_VERSION, NOT_ITS_RULESET, BAD_OPTIONS, SANDBOX_MISSING, COMPARISON_RUNNING.
    """
    refuse_unless(may_compare_versions(actor, bot), actor)
    bot = lock_bot(bot)
    if bot.retired_at is not None:
        raise Refusal(Reason.BOT_RETIRED, text=bot.name)
    if version == base:
        raise Refusal(Reason.SAME_VERSION)
    if any(each.state != BotVersion.State.READY for each in (version, base)):
        raise Refusal(Reason.NO_READY_VERSION, text=bot.name)
    if ruleset not in TWO_SIDED:
        raise Refusal(Reason.BAD_OPTIONS, text="ruleset")
    refuse_unless_played([bot], ruleset)
    if not 0 < sets <= MAX_SETS:
        raise Refusal(Reason.BAD_OPTIONS, text="sets")
    if not (version.trusted and base.trusted):
        refuse_without_sandbox()
    if bot.comparisons.playing().exists():
        raise Refusal(Reason.COMPARISON_RUNNING, text=bot.name)
    comparison: VersionComparison = bot.comparisons.create(
        version=version,
        base=base,
        ruleset=ruleset,
        sets=sets,
        stop=complete_stop(TEST),
        seed=secrets.token_hex(32),
    )
    numbers = {"version": version.number, "base": base.number}
    write_bot_event(actor, "bot.versions_compared", bot, **numbers, ruleset=ruleset, sets=sets)
    post(Job.PLAY_COMPARISON, comparison.pk)
    return comparison


@transaction.atomic
def stop_comparison(actor: Actor, comparison: VersionComparison) -> VersionComparison:
    """End a comparison; one that has ended stays as it is. Refuses FORBIDDEN."""
    refuse_unless(may_compare_versions(actor, comparison.bot), actor)
    _end(VersionComparison.objects.playing().filter(pk=comparison.pk), Outcome.STOPPED)
    comparison.refresh_from_db()
    return comparison


@transaction.atomic
def keep_comparison(
    actor: Actor, comparison: VersionComparison, *, kept: bool = True
) -> VersionComparison:
    """Keep a comparison for good, or let it be deleted. Refuses FORBIDDEN, TOO_MANY_KEPT."""
    refuse_unless(may_compare_versions(actor, comparison.bot), actor)
    bot = lock_bot(comparison.bot)  # two at once would both find a free place
    comparison = refresh_row(bot.comparisons.all(), comparison)
    others = bot.comparisons.filter(kept=True).exclude(pk=comparison.pk)
    if kept and others.count() >= MAX_KEPT:
        raise Refusal(Reason.TOO_MANY_KEPT, most=MAX_KEPT)
    comparison.kept = kept
    comparison.save(update_fields=["kept"])
    return comparison


@transaction.atomic
def wake_due() -> int:
    """Send messages for the comparisons that are due; return how many.

    Those that broke off too often have ended.
    """
    _end(VersionComparison.objects.exhausted(), Outcome.BROKEN)
    due = VersionComparison.objects.due().without_recent_message()
    keys = list(due.order_by("pk").values_list("pk", flat=True)[:MAX_AT_ONCE])
    VersionComparison.objects.filter(pk__in=keys).update(woken_at=Now())
    for key in keys:
        post(Job.PLAY_COMPARISON, key)
    return len(keys)


def delete_old() -> None:
    """Delete the comparisons whose time is over, with their records."""
    VersionComparison.objects.outdated().delete()


def _end(comparisons: VersionComparisonQuerySet, outcome: str) -> int:
    """End comparisons; a worker that plays one of them finds its lease gone."""
    return comparisons.update(
        outcome=outcome, ended_at=Now(), lease_token="", lease_until=None, tries=0
    )


def options_of(ruleset: str) -> dict[str, Any]:
    """Return the options of a record: one hand, or one game of a race, are most sets a minute."""
    return {"to": 1} if engine.RULESETS[ruleset].race_to else {"deals": 1}


# --- Playing --------------------------------------------------------------------------------------


def play_comparison(comparison_pk: int) -> None:
    """Play deal sets of a comparison, if it is due, for some seconds."""
    comparison = _claim(comparison_pk)
    if comparison is None:
        return
    play = _ComparisonPlay(comparison)
    try:
        play.play()
    except (LeaseExpired, PlayInterrupted):
        play.release(tries=0)
    except engine.BotFailure as fault:  # of the machine: those of a version cost it hands
        logger.warning("comparison %s is continued later: %s", comparison, fault)
        play.release(fault=str(fault)[:2000], lease_until=Now() + PAUSE_AFTER_FAULT)
    except Exception as error:
        play.release(fault=f"{type(error).__name__}: {error}"[:2000])
        raise


@transaction.atomic
def _claim(comparison_pk: int) -> VersionComparison | None:
    """Lease a comparison that is due; ``None`` if it is not."""
    rows = VersionComparison.objects.filter(pk=comparison_pk)
    locked = rows.select_for_update(of=("self",), no_key=True)
    comparison: VersionComparison | None = locked.select_related("bot", "version", "base").first()
    if comparison is None or not rows.due().exists():
        return None
    comparison.lease_token = secrets.token_hex(16)
    rows.update(
        lease_token=comparison.lease_token,
        lease_until=Now() + COMPARISON_LEASE,
        tries=F("tries") + 1,
    )
    return comparison


class _ComparisonPlay:
    """A claimed comparison with the sets that it has played."""

    def __init__(self, comparison: VersionComparison) -> None:
        self.comparison = comparison
        self.options = options_of(comparison.ruleset)
        self.extended_at = time.monotonic()
        rows = comparison.played.values_list("version_points", "base_points", "forfeits")
        self.points: list[tuple[int, int]] = []
        self.forfeits: list[Sequence[Mapping[str, int]]] = []
        for version_points, base_points, forfeits in rows:
            self.points.append((version_points, base_points))
            self.forfeits.append(forfeits)

    @property
    def held(self) -> VersionComparisonQuerySet:
        """The comparison, while this worker holds its lease."""
        token = self.comparison.lease_token
        held = VersionComparison.objects.playing().leased()
        return held.filter(pk=self.comparison.pk, lease_token=token)

    def play(self) -> None:
        """Play sets until the comparison ends, its time is up or a match of a round waits."""
        until = time.monotonic() + SLICE_SECONDS
        makers = [self._maker(self.comparison.version), self._maker(self.comparison.base)]
        is_over = False
        while not is_over and time.monotonic() < until and self.held.allowed().exists():
            is_over = self._store(self._play_set(makers))
        self.release(tries=0)
        if not is_over:
            post(Job.PLAY_COMPARISON, self.comparison.pk)

    def check(self) -> None:
        """Extend the lease from time to time; raises what ends the play between two answers."""
        if is_draining():
            raise PlayInterrupted
        if time.monotonic() - self.extended_at < RENEWAL_SECONDS:
            return
        if not self.held.update(lease_until=Now() + COMPARISON_LEASE):
            raise LeaseExpired
        self.extended_at = time.monotonic()

    def release(self, **columns: Any) -> None:
        """Release the lease before its end, with what else changes in the row."""
        self.held.update(**{"lease_until": None, "lease_token": "", "woken_at": None, **columns})

    def _maker(self, version: BotVersion) -> Callable[[engine.Ruleset, str, bytes], engine.Bot]:
        def make(rules: engine.Ruleset, seat: str, _seed: bytes) -> engine.Bot:
            return InterruptibleBot(process_of(version, rules, seat, self.options), self.check)

        return make

    def _play_set(self, makers: Any) -> tuple[engine.PlayedMatch, ...]:
        comparison, number = self.comparison, len(self.points) + 1
        return engine.play_deal_set(
            engine.RULESETS[comparison.ruleset],
            makers,
            # Without the bot's name, which may be a person's: an erasure need not read them.
            [f"version {each.number}" for each in (comparison.version, comparison.base)],
            bytes.fromhex(comparison.seed),
            f"compare/{number}",
            options=self.options,
        )

    def _store(self, matches: tuple[engine.PlayedMatch, ...]) -> bool:
        """Store a set, once; return whether it is the last. Raises :class:`LeaseExpired`."""
        version_points, base_points = (
            sum(match.points[side] for match in matches) for side in (0, 1)
        )
        forfeits = [
            dict(sum((Counter(match.forfeits[side]) for match in matches), Counter()))
            for side in (0, 1)
        ]
        lines = [json.dumps(match.record, ensure_ascii=False) + "\n" for match in matches]
        with transaction.atomic():
            if not self.held.select_for_update(of=("self",), no_key=True):
                raise LeaseExpired
            self.comparison.played.create(
                number=len(self.points) + 1,
                version_points=version_points,
                base_points=base_points,
                forfeits=forfeits,
                records=zlib.compress("".join(lines).encode()),
            )
            self.points.append((version_points, base_points))
            self.forfeits.append(forfeits)
            self.held.update(lease_until=Now() + COMPARISON_LEASE, tries=0, fault="")
            outcome = self._outcome(len(matches))
            return bool(outcome and _end(self.held, outcome))

    def _outcome(self, records: int) -> str:
        """Return why the comparison ends with the last set of so many records; "" if it goes on."""
        test = test_of_sets(self.comparison.stop, self.points)
        if test.state != OPEN:
            return test.state
        last = self.forfeits[-engine.BENCHED_AFTER :]
        for side in (0, 1):
            # Their margins are all equal, and the test needs a spread: it would never decide.
            lost = [sum(forfeits[side].values()) >= records for forfeits in last]
            if len(lost) == engine.BENCHED_AFTER and all(lost):
                return Outcome.FORFEITS
        return Outcome.UNDECIDED if len(self.points) >= self.comparison.sets else ""
