"""Computed ratings: derived rows that can be deleted and computed again from the results."""

from django.db import models
from django.db.models import Q
from django.utils.translation import gettext_lazy as _

from tournaments.domain.ratings import Estimate
from tournaments.models.bots import Bot
from tournaments.models.matches import Match
from tournaments.models.people import Player
from tournaments.models.results import Result


class RatingLedger(models.Model):
    """Progress of the ratings of a ruleset; locked while they are updated.

    ``matches`` is the number of rated matches. ``versions`` is the sum of the versions of the
    ruleset's tournaments at the last update: while it is the same, nothing has changed.
    """

    ruleset = models.CharField(_("ruleset"), max_length=40, unique=True)
    matches = models.PositiveIntegerField(default=0)
    versions = models.PositiveBigIntegerField(default=0)

    class Meta:
        verbose_name = _("rating ledger")
        verbose_name_plural = _("rating ledgers")
        ordering = ("ruleset",)

    def __str__(self) -> str:
        return self.ruleset


class Rating(models.Model):
    """The rating of a player or a bot under one ruleset, with its uncertainty.

    ``mu`` and ``variance`` are the internal numbers (`tournaments.domain.ratings`), stored to the
    last bit; ``matches`` is the number of rated matches.
    """

    ledger = models.ForeignKey(RatingLedger, on_delete=models.CASCADE, related_name="ratings")
    player = models.ForeignKey(
        Player, on_delete=models.CASCADE, related_name="ratings", null=True, blank=True
    )
    bot = models.ForeignKey(
        Bot, on_delete=models.CASCADE, related_name="ratings", null=True, blank=True
    )
    mu = models.FloatField()
    variance = models.FloatField()
    matches = models.PositiveIntegerField(_("matches"))

    class Meta:
        verbose_name = _("rating")
        verbose_name_plural = _("ratings")
        ordering = ("ledger_id", "-mu", "pk")
        constraints = (
            models.UniqueConstraint(fields=("ledger", "player"), name="one_rating_per_player"),
            models.UniqueConstraint(fields=("ledger", "bot"), name="one_rating_per_bot"),
            models.CheckConstraint(
                condition=Q(player__isnull=True, bot__isnull=False)
                | Q(player__isnull=False, bot__isnull=True),
                name="a_rating_is_a_players_or_a_bots",
            ),
            models.CheckConstraint(condition=Q(variance__gt=0), name="no_rating_is_certain"),
        )

    def __str__(self) -> str:
        return f"{self.player or self.bot}: {self.estimate.shown} ± {self.estimate.margin}"

    @property
    def estimate(self) -> Estimate:
        """The rating as it is displayed."""
        return Estimate(self.mu, self.variance**0.5)


class RatedMatch(models.Model):
    """A rated match: its position in the order of rating, and the rated version of its result.

    ``sides`` gives the seats, as players' and bots' keys (``p12+p13/b4+b4``); ``at`` is when its
    round was published.
    """

    ledger = models.ForeignKey(RatingLedger, on_delete=models.CASCADE, related_name="rated")
    number = models.PositiveIntegerField(_("number"))
    match = models.ForeignKey(Match, on_delete=models.CASCADE, related_name="rated")
    result = models.ForeignKey(Result, on_delete=models.CASCADE, related_name="rated")
    sides = models.CharField(max_length=200)
    at = models.DateTimeField()

    class Meta:
        verbose_name = _("rated match")
        verbose_name_plural = _("rated matches")
        ordering = ("ledger_id", "number")
        constraints = (
            models.UniqueConstraint(fields=("ledger", "number"), name="one_rated_match_per_number"),
            models.UniqueConstraint(fields=("ledger", "match"), name="a_match_is_rated_once"),
        )

    def __str__(self) -> str:
        return f"{self.number}. {self.match_id}"


class RatingChange(models.Model):
    """The change of one rating by one match; ``number`` counts that rating's matches from 1."""

    rated = models.ForeignKey(RatedMatch, on_delete=models.CASCADE, related_name="changes")
    rating = models.ForeignKey(Rating, on_delete=models.CASCADE, related_name="changes")
    number = models.PositiveIntegerField(_("number"))
    mu_before = models.FloatField()
    variance_before = models.FloatField()
    mu = models.FloatField()
    variance = models.FloatField()

    class Meta:
        verbose_name = _("rating change")
        verbose_name_plural = _("rating changes")
        ordering = ("rating_id", "number")
        constraints = (
            models.UniqueConstraint(fields=("rating", "number"), name="one_change_per_number"),
            models.UniqueConstraint(fields=("rated", "rating"), name="one_change_per_match"),
        )

    def __str__(self) -> str:
        return f"{self.rating_id}, {self.number}"

    @property
    def before(self) -> Estimate:
        """The rating before the match."""
        return Estimate(self.mu_before, self.variance_before**0.5)

    @property
    def after(self) -> Estimate:
        """The rating after the match."""
        return Estimate(self.mu, self.variance**0.5)
