"""Comparisons of two versions of a bot, and the deal sets that they have played."""

from datetime import timedelta
from typing import Final

from django.db import models
from django.db.models import Exists, F, Q
from django.db.models.functions import Now
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from tournaments.models.bots import Arena, Bot, BotVersion
from tournaments.models.leases import LeasedQuerySet
from tournaments.models.matches import ATTEMPTS, Match

COMPARISON_LEASE: Final = timedelta(seconds=150)
"""How long a worker may be silent about a comparison before another may continue it.

Longer than a program may think about one answer (`engine.bots.limits`): the lease is extended
between two answers.
"""

KEEP_DAYS: Final = 30
"""Days after its end for which a comparison is stored, unless its author keeps it."""


class VersionComparisonQuerySet(LeasedQuerySet["VersionComparison"]):
    """Comparisons selected by the work they need."""

    patience = timedelta(seconds=30)

    def playing(self) -> "VersionComparisonQuerySet":
        """Keep those that have not ended."""
        return self.filter(ended_at__isnull=True)

    def allowed(self) -> "VersionComparisonQuerySet":
        """Keep those that may play now: none while a match of a round waits for a worker.

        So a comparison takes from the rounds of organisers one deal set at most.
        """
        waiting = Exists(Match.objects.due().order_by())
        return self.playing().filter(~waiting, ~Exists(Arena.objects.paused()))

    def due(self) -> "VersionComparisonQuerySet":
        """Keep those that a worker may claim now."""
        return self.allowed().unleased().filter(tries__lt=ATTEMPTS)

    def exhausted(self) -> "VersionComparisonQuerySet":
        """Keep those that broke off as often in a row as they may."""
        return self.playing().unleased().filter(tries__gte=ATTEMPTS)

    def outdated(self) -> "VersionComparisonQuerySet":
        """Keep those that are not stored any longer."""
        return self.filter(kept=False, ended_at__lt=Now() - timedelta(days=KEEP_DAYS))


class VersionComparison(models.Model):
    """Two versions of a bot that play one another in deal sets; no tournament of the club.

    Whether ``version`` is better than ``base`` is decided by the sequential test ``stop``
    (`engine.Sprt` as a mapping), after ``sets`` deal sets at most; their cards follow from
    ``seed``. ``outcome`` is empty until it ends. It is deleted `KEEP_DAYS` days later unless it is
    ``kept``. ``lease_token`` and ``lease_until`` are the lease of the worker that plays, ``tries``
    counts the leases since the last finished set, ``fault`` says why the last one broke off.
    """

    class Outcome(models.TextChoices):
        """Why it has ended."""

        HIGH = "high", _("better than the other")
        LOW = "low", _("not better than the other")
        UNDECIDED = "undecided", _("undecided after all deal sets")
        STOPPED = "stopped", _("stopped by hand")
        FORFEITS = "forfeits", _("ended by faults of a version")
        BROKEN = "broken", _("broken off by the machine")

    bot = models.ForeignKey(Bot, on_delete=models.CASCADE, related_name="comparisons")
    version = models.ForeignKey(BotVersion, on_delete=models.CASCADE, related_name="+")
    base = models.ForeignKey(BotVersion, on_delete=models.CASCADE, related_name="+")
    ruleset = models.CharField(_("ruleset"), max_length=40)
    sets = models.PositiveSmallIntegerField(_("deal sets"))
    stop = models.JSONField()
    seed = models.CharField(max_length=64)
    outcome = models.CharField(_("outcome"), max_length=10, choices=Outcome.choices, blank=True)
    fault = models.TextField(blank=True)
    kept = models.BooleanField(default=False)
    made_at = models.DateTimeField(default=timezone.now)
    ended_at = models.DateTimeField(null=True, blank=True)
    lease_token = models.CharField(max_length=32, blank=True)
    lease_until = models.DateTimeField(null=True, blank=True)
    woken_at = models.DateTimeField(null=True, blank=True)
    tries = models.PositiveSmallIntegerField(default=0)

    objects = VersionComparisonQuerySet.as_manager()

    class Meta:
        verbose_name = _("comparison of versions")
        verbose_name_plural = _("comparisons of versions")
        ordering = ("-pk",)
        constraints = (
            models.UniqueConstraint(
                fields=("bot",), condition=Q(ended_at=None), name="one_comparison_of_a_bot_at_once"
            ),
            models.CheckConstraint(
                condition=~Q(version=F("base")), name="a_version_is_not_compared_with_itself"
            ),
            models.CheckConstraint(
                condition=Q(ended_at__isnull=True, outcome="")
                | Q(ended_at__isnull=False) & ~Q(outcome=""),
                name="a_comparison_ends_with_an_outcome",
            ),
        )

    def __str__(self) -> str:
        return f"{self.bot}: {self.version.number} – {self.base.number}"


class ComparedSet(models.Model):
    """A deal set of a comparison: the points of both versions in all its records.

    ``forfeits`` counts the hands that each lost by faults, by code: those of the version first.
    ``records`` is its records as lines of JSON, compressed by zlib.
    """

    comparison = models.ForeignKey(
        VersionComparison, on_delete=models.CASCADE, related_name="played"
    )
    number = models.PositiveSmallIntegerField(_("number"))
    version_points = models.PositiveSmallIntegerField()
    base_points = models.PositiveSmallIntegerField()
    forfeits = models.JSONField(default=list)
    records = models.BinaryField()

    class Meta:
        verbose_name = _("deal set of a comparison")
        verbose_name_plural = _("deal sets of comparisons")
        ordering = ("comparison_id", "number")
        constraints = (
            models.UniqueConstraint(
                fields=("comparison", "number"), name="a_compared_set_is_played_once"
            ),
        )

    def __str__(self) -> str:
        return f"{self.comparison}, {self.number}"
