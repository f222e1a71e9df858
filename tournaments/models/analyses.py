"""Analyses of records: derived rows that can be deleted and computed again from the records."""

from datetime import timedelta
from typing import Final

from django.db import models
from django.db.models import Q
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

import engine
from tournaments.models.bots import Bot
from tournaments.models.leases import LeasedQuerySet
from tournaments.models.people import Club, Player
from tournaments.models.records import Hand, Record

ATTEMPTS: Final = 3
"""How often the analysis of a record may break off without finishing another hand."""

LEASE: Final = timedelta(minutes=3)
"""How long a worker may be silent about a record before another may take it up.

Longer than a task may run, so that the first is dead by then.
"""


class HandAnalysis(models.Model):
    """The analysis of a hand, by the hand's digest: equal hands are analysed once.

    ``answer`` is :meth:`engine.HandAnalysis.to_dict`; a ``code`` says why it is empty. The numbers
    are taken from it: points of the first side less those of the second. While it says that it is
    not ``judged``, it is a first look, and :func:`engine.judge_hand` has still to follow.
    """

    digest = models.CharField(max_length=80)
    version = models.PositiveSmallIntegerField()
    code = models.CharField(max_length=20, blank=True)
    par = models.SmallIntegerField(null=True, blank=True)
    result = models.SmallIntegerField(null=True, blank=True)
    luck = models.SmallIntegerField(null=True, blank=True)
    skill = models.SmallIntegerField(null=True, blank=True)
    answer = models.JSONField()
    made_at = models.DateTimeField(default=timezone.now)

    class Meta:
        verbose_name = _("analysis of a hand")
        verbose_name_plural = _("analyses of hands")
        ordering = ("pk",)
        indexes = (models.Index(fields=("made_at",), name="last_analysis"),)
        constraints = (
            models.UniqueConstraint(fields=("digest", "version"), name="equal_hands_analysed_once"),
            models.CheckConstraint(
                condition=~Q(code="")
                | Q(par__isnull=False, result__isnull=False, luck__isnull=False)
                & Q(skill__isnull=False),
                name="an_analysis_says_something",
            ),
        )

    def __str__(self) -> str:
        return self.digest

    @property
    def hand_analysis(self) -> engine.HandAnalysis:
        """The answer as the engine's object."""
        return engine.HandAnalysis.from_dict(self.answer)


class AnalysisQuerySet(LeasedQuerySet["Analysis"]):
    """Analyses selected by the work they need."""

    patience = timedelta(minutes=5)

    def due(self) -> "AnalysisQuerySet":
        """Keep those waiting, or of an older version, of records that were not superseded."""
        return self.filter(
            Q(state=Analysis.State.WAITING) | ~Q(version=engine.ANALYSIS_VERSION),
            record__state=Record.State.ACCEPTED,
        )


class Analysis(models.Model):
    """Progress of the analysis of an accepted record: ``done`` of its ``hands``.

    ``code`` says why there is nothing to analyse, or why it was given up. A worker holds it until
    ``lease_until`` by the database's clock; ``attempts`` counts those since the last finished hand,
    ``woken_at`` is when a worker was last sent a message.
    """

    class State(models.TextChoices):
        """The progress or outcome."""

        WAITING = "waiting", _("waiting")
        DONE = "done", _("done")
        NOTHING = "nothing_to_analyse", _("nothing to analyse")
        FAILED = "failed", _("given up")

    record = models.OneToOneField(Record, on_delete=models.CASCADE, related_name="analysis")
    state = models.CharField(
        _("state"), max_length=20, choices=State.choices, default=State.WAITING
    )
    code = models.CharField(_("reason"), max_length=20, blank=True)
    version = models.PositiveSmallIntegerField()
    hands = models.PositiveSmallIntegerField(_("hands"), default=0)
    done = models.PositiveSmallIntegerField(_("done"), default=0)
    attempts = models.PositiveSmallIntegerField(default=0)
    lease_until = models.DateTimeField(null=True, blank=True)
    woken_at = models.DateTimeField(null=True, blank=True)
    asked_at = models.DateTimeField(default=timezone.now)

    objects = AnalysisQuerySet.as_manager()

    class Meta:
        verbose_name = _("analysis")
        verbose_name_plural = _("analyses")
        ordering = ("asked_at", "pk")
        constraints = (
            models.CheckConstraint(
                condition=Q(state__in=("waiting", "done")) | ~Q(code=""),
                name="an_analysis_fails_for_a_reason",
            ),
        )

    def __str__(self) -> str:
        return f"{self.record_id}: {self.done}/{self.hands}"


class AnalysedHandQuerySet(models.QuerySet["AnalysedHand"]):
    """Hands selected by whether they count."""

    def counting(self) -> "AnalysedHandQuerySet":
        """Keep the analysed hands of accepted records, in matches whose result counts."""
        return self.filter(
            analysis__code="",
            hand__record__state=Record.State.ACCEPTED,
            hand__record__match__results__counts_from__isnull=False,
            hand__record__match__results__counts_until__isnull=True,
        )


class AnalysedHand(models.Model):
    """Links a hand of a record to its analysis."""

    hand = models.OneToOneField(Hand, on_delete=models.CASCADE, related_name="analysed")
    analysis = models.ForeignKey(HandAnalysis, on_delete=models.CASCADE, related_name="hands")

    objects = AnalysedHandQuerySet.as_manager()

    class Meta:
        verbose_name = _("analysed hand")
        verbose_name_plural = _("analysed hands")
        ordering = ("hand_id",)

    def __str__(self) -> str:
        return f"{self.hand_id}"


class AnalysedSeat(models.Model):
    """The losses and mistakes of one seat in an analysed hand; fields as in the engine's analysis.

    Neither ``player`` nor ``bot`` when the person in the seat is unknown. ``judgements`` and
    ``hand_loss`` are null where the hand is judged by its marks, and until it is judged.
    """

    hand = models.ForeignKey(AnalysedHand, on_delete=models.CASCADE, related_name="seats")
    seat = models.CharField(max_length=1)
    player = models.ForeignKey(
        Player, on_delete=models.CASCADE, related_name="analysed_seats", null=True, blank=True
    )
    bot = models.ForeignKey(
        Bot, on_delete=models.CASCADE, related_name="analysed_seats", null=True, blank=True
    )
    role = models.CharField(max_length=20)
    open_loss = models.PositiveSmallIntegerField()
    fair_loss = models.FloatField()
    choices = models.PositiveSmallIntegerField()
    fit = models.FloatField()
    slips = models.PositiveSmallIntegerField()
    mistakes = models.PositiveSmallIntegerField()
    blunders = models.PositiveSmallIntegerField()
    judgements = models.JSONField(null=True, blank=True)
    hand_loss = models.FloatField(null=True, blank=True)

    class Meta:
        verbose_name = _("analysed seat")
        verbose_name_plural = _("analysed seats")
        ordering = ("hand_id", "seat")
        constraints = (
            models.UniqueConstraint(fields=("hand", "seat"), name="a_seat_is_analysed_once"),
        )

    def __str__(self) -> str:
        return f"{self.hand_id} {self.seat}"


class Review(models.Model):
    """An arbiter's note on having looked at a player's games, over ``hands`` hands."""

    club = models.ForeignKey(Club, on_delete=models.CASCADE, related_name="reviews")
    player = models.ForeignKey(Player, on_delete=models.CASCADE, related_name="reviews")
    hands = models.PositiveIntegerField(_("hands"))
    note = models.TextField(_("note"), max_length=2000, blank=True)
    made_by = models.CharField(_("by"), max_length=200)
    made_at = models.DateTimeField(default=timezone.now)

    class Meta:
        verbose_name = _("review")
        verbose_name_plural = _("reviews")
        ordering = ("-made_at", "-pk")

    def __str__(self) -> str:
        return f"{self.player_id}, {self.made_by}"
