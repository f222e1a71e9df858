"""Matches, their results and the disputes about them."""

from datetime import timedelta
from typing import Final

from django.db import models
from django.db.models import F, Q
from django.db.models.functions import Now
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from tournaments.models.tournaments import Entry, Round, Tournament

ATTEMPTS: Final = 3
"""How often a bot match is tried before it is left to the arbiter."""

LEASE: Final = timedelta(seconds=35)
"""How long a worker may take for one bot match before another may try.

Longer than a task may run (CELERY_TASK_TIME_LIMIT), so that the first is dead by then.
"""

PATIENCE: Final = timedelta(seconds=30)
"""How long a message may lie in the queue before the sweep sends another."""


NAMES: Final = (
    "round__stage__tournament__club",
    "home__pair__first",
    "home__pair__second",
    "home__bot",
    "away__pair__first",
    "away__pair__second",
    "away__bot",
)
"""What the names of a match are made of."""


class MatchQuerySet(models.QuerySet["Match"]):
    """Matches by what is to be done with them."""

    def with_names(self) -> "MatchQuerySet":
        """Fetch the entries with their players, and the tournament, along with the matches."""
        return self.select_related(*NAMES)

    def undecided(self) -> "MatchQuerySet":
        """Keep those without a final result."""
        return self.filter(state__in=(Match.State.PENDING, Match.State.DISPUTED))

    def of_bots(self) -> "MatchQuerySet":
        """Keep the matches in which every seat is a bot's."""
        return self.filter(home__bot__isnull=False, away__bot__isnull=False)

    def asked_for(self) -> "MatchQuerySet":
        """Keep the undecided bot matches of the published rounds that bots were asked to play."""
        return self.of_bots().filter(
            state=Match.State.PENDING,
            round__state=Round.State.PUBLISHED,
            round__play_requested_at__isnull=False,
        )

    def leased(self) -> "MatchQuerySet":
        """Keep those that a worker holds at this moment, by the database's clock."""
        return self.filter(lease_until__gte=Now())

    def unleased(self) -> "MatchQuerySet":
        """Keep those that no worker holds at this moment, by the database's clock."""
        return self.filter(Q(lease_until__isnull=True) | Q(lease_until__lt=Now()))

    def due(self) -> "MatchQuerySet":
        """Keep those that a worker may claim now."""
        return self.asked_for().unleased().filter(attempts__lt=ATTEMPTS)

    def unheard(self) -> "MatchQuerySet":
        """Keep those for which no message has been sent lately."""
        return self.filter(Q(woken_at__isnull=True) | Q(woken_at__lt=Now() - PATIENCE))

    def exhausted(self) -> "MatchQuerySet":
        """Keep those that failed as often as they may and nobody has been told of."""
        return self.asked_for().unleased().filter(attempts__gte=ATTEMPTS, abandoned_at__isnull=True)


class Match(models.Model):
    """Two entries at a table in one round; ``home`` is to sit at A and C. Without ``away``: a bye.

    A worker that plays a bot match holds a lease: ``lease_token`` until ``lease_until`` by the
    database's clock. ``attempts`` counts the leases given, ``abandoned_at`` is when they ran out,
    ``woken_at`` when a worker was last sent a message about it.
    """

    class State(models.TextChoices):
        """A bye has nothing to play."""

        PENDING = "pending", _("pending")
        ACCEPTED = "accepted", _("accepted")
        DISPUTED = "disputed", _("disputed")
        BYE = "bye", _("bye")

    round = models.ForeignKey(Round, on_delete=models.CASCADE, related_name="matches")
    table = models.PositiveSmallIntegerField(_("table"))
    home = models.ForeignKey(Entry, on_delete=models.PROTECT, related_name="home_matches")
    away = models.ForeignKey(
        Entry, on_delete=models.PROTECT, related_name="away_matches", null=True, blank=True
    )
    state = models.CharField(
        _("state"), max_length=10, choices=State.choices, default=State.PENDING
    )
    lease_token = models.CharField(max_length=32, blank=True)
    lease_until = models.DateTimeField(null=True, blank=True)
    attempts = models.PositiveSmallIntegerField(default=0)
    abandoned_at = models.DateTimeField(null=True, blank=True)
    woken_at = models.DateTimeField(null=True, blank=True)

    objects = MatchQuerySet.as_manager()

    class Meta:
        verbose_name = _("match")
        verbose_name_plural = _("matches")
        ordering = ("round_id", "table")
        constraints = (
            models.UniqueConstraint(fields=("round", "table"), name="one_match_per_table"),
            models.UniqueConstraint(fields=("round", "home"), name="one_home_match_per_round"),
            models.UniqueConstraint(fields=("round", "away"), name="one_away_match_per_round"),
            models.CheckConstraint(
                condition=Q(away__isnull=True) | ~Q(home=F("away")),
                name="nobody_plays_against_himself",
            ),
            models.CheckConstraint(
                condition=Q(state="bye", away__isnull=True)
                | Q(state__in=("pending", "accepted", "disputed"), away__isnull=False),
                name="a_bye_has_no_opponent",
            ),
        )

    def __str__(self) -> str:
        return self.label

    @property
    def tournament(self) -> Tournament:
        """The tournament that the match belongs to."""
        return self.round.stage.tournament

    @property
    def is_of_bots(self) -> bool:
        """Both entries are bots."""
        return self.home.bot_id is not None and (
            self.away is not None and self.away.bot_id is not None
        )

    @property
    def label(self) -> str:
        """What its deals are drawn under: tournament, round and table."""
        return f"{self.round.label}/{self.table}"


class ResultQuerySet(models.QuerySet["Result"]):
    """Results, the superseded ones included."""

    def live(self) -> "ResultQuerySet":
        """Keep those that count."""
        return self.filter(live=True)


class Result(models.Model):
    """A result of a match: never changed, only followed by another version. One of them is live.

    ``record`` is the one that it was replayed from; without one, the arbiter gave the result and
    ``reason`` says why. ``made_by`` names who did.
    """

    class Winner(models.TextChoices):
        """Who won the match."""

        HOME = "home", _("home")
        AWAY = "away", _("away")
        TIE = "tie", _("tie")

    match = models.ForeignKey(Match, on_delete=models.CASCADE, related_name="results")
    version = models.PositiveSmallIntegerField(_("version"))
    live = models.BooleanField(_("counts"), default=True)
    record = models.ForeignKey(
        "tournaments.Record",
        on_delete=models.PROTECT,
        related_name="results",
        null=True,
        blank=True,
    )
    home_hands = models.PositiveIntegerField(_("hands won by home"))
    away_hands = models.PositiveIntegerField(_("hands won by away"))
    home_points = models.PositiveIntegerField(_("points of home"))
    away_points = models.PositiveIntegerField(_("points of away"))
    winner = models.CharField(_("winner"), max_length=4, choices=Winner.choices)
    reason = models.TextField(_("reason"), blank=True)
    made_by = models.CharField(_("made by"), max_length=200)
    made_at = models.DateTimeField(default=timezone.now)

    objects = ResultQuerySet.as_manager()

    class Meta:
        verbose_name = _("result")
        verbose_name_plural = _("results")
        ordering = ("match_id", "-version")
        constraints = (
            models.UniqueConstraint(fields=("match", "version"), name="one_result_per_version"),
            models.UniqueConstraint(
                fields=("match",), condition=Q(live=True), name="one_live_result_per_match"
            ),
            models.CheckConstraint(
                condition=Q(winner="home", home_hands__gt=F("away_hands"))
                | Q(winner="away", home_hands__lt=F("away_hands"))
                | Q(winner="tie", home_hands=F("away_hands")),
                name="the_winner_has_more_hands",
            ),
            models.CheckConstraint(
                condition=Q(record__isnull=False) | ~Q(reason=""),
                name="a_result_has_a_record_or_a_reason",
            ),
        )

    def __str__(self) -> str:
        return f"{self.home_hands}-{self.away_hands}"


class DisputeQuerySet(models.QuerySet["Dispute"]):
    """Disputes by whether they wait for the arbiter."""

    def open(self) -> "DisputeQuerySet":
        """Keep those that he has not ruled on."""
        return self.filter(state=Dispute.State.OPEN)


class Dispute(models.Model):
    """A disagreement about a match, open until the arbiter rules.

    ``record`` is what contradicted the accepted one, if a record did; ``ruling`` are the arbiter's
    words.
    """

    class State(models.TextChoices):
        """Open, or how it was ruled on."""

        OPEN = "open", _("open")
        UPHELD = "upheld", _("result upheld")
        AMENDED = "amended", _("result amended")
        VOIDED = "voided", _("result voided")

    match = models.ForeignKey(Match, on_delete=models.CASCADE, related_name="disputes")
    record = models.ForeignKey(
        "tournaments.Record",
        on_delete=models.PROTECT,
        related_name="disputes",
        null=True,
        blank=True,
    )
    reason = models.TextField(_("reason"))
    opened_by = models.CharField(_("opened by"), max_length=200)
    opened_at = models.DateTimeField(default=timezone.now)
    state = models.CharField(_("state"), max_length=10, choices=State.choices, default=State.OPEN)
    ruling = models.TextField(_("ruling"), blank=True)
    ruled_by = models.CharField(_("ruled by"), max_length=200, blank=True)
    ruled_at = models.DateTimeField(null=True, blank=True)

    objects = DisputeQuerySet.as_manager()

    class Meta:
        verbose_name = _("dispute")
        verbose_name_plural = _("disputes")
        ordering = ("match_id", "-opened_at", "-pk")
        constraints = (
            models.UniqueConstraint(
                fields=("match",), condition=Q(state="open"), name="one_open_dispute_per_match"
            ),
            models.CheckConstraint(
                condition=Q(state="open", ruled_at__isnull=True)
                | (~Q(state="open") & Q(ruled_at__isnull=False) & ~Q(ruling="")),
                name="a_ruling_has_a_time_and_a_reason",
            ),
        )

    def __str__(self) -> str:
        return f"{self.match}: {self.reason}"
