"""The prizes of a tournament or a season, by place."""

from django.db import models
from django.db.models import F, Q
from django.utils.translation import gettext_lazy as _

from tournaments.models.seasons import Season
from tournaments.models.tournaments import MAX_LINE_LENGTH, Tournament


class PrizeLine(models.Model):
    """A prize for each of the places ``first`` to ``last``, or for everybody (0 to 0).

    ``times``, in a season: for everybody who came to so many of its tournaments, 0 for all.
    ``raffled``, in a tournament: for one of those present by lot, once it is finished.

    It belongs to a tournament (``stage`` is the number of a stage, None for the final places) or to
    a season. It is money (``cents``, or a ``percent`` of what was taken in), goods (``text``) or
    both, for each entry or each person of it. Who gets it is computed from the standings.
    """

    class Per(models.TextChoices):
        """The unit that gets the prize of a place."""

        ENTRY = "entry", _("each entry")
        PERSON = "person", _("each person")

    tournament = models.ForeignKey(
        Tournament, on_delete=models.PROTECT, related_name="prize_lines", null=True, blank=True
    )
    season = models.ForeignKey(
        Season, on_delete=models.PROTECT, related_name="prize_lines", null=True, blank=True
    )
    stage = models.PositiveSmallIntegerField(_("stage"), null=True, blank=True)
    first = models.PositiveSmallIntegerField(_("from place"))
    last = models.PositiveSmallIntegerField(_("to place"))
    per = models.CharField(_("given to"), max_length=6, choices=Per.choices, default=Per.ENTRY)
    cents = models.PositiveIntegerField(_("amount in cents"), null=True, blank=True)
    percent = models.PositiveSmallIntegerField(_("per cent"), null=True, blank=True)
    times = models.PositiveSmallIntegerField(_("came so many times"), default=0, db_default=0)
    raffled = models.BooleanField(_("raffled"), default=False, db_default=False)
    text = models.CharField(_("prize"), max_length=MAX_LINE_LENGTH, blank=True)
    order = models.PositiveSmallIntegerField(_("order"))

    class Meta:
        verbose_name = _("prize")
        verbose_name_plural = _("prizes")
        ordering = ("order", "pk")
        constraints = (
            models.CheckConstraint(
                condition=Q(tournament__isnull=False, season__isnull=True)
                | Q(tournament__isnull=True, season__isnull=False, stage__isnull=True),
                name="a_prize_is_of_a_tournament_or_a_season",
            ),
            models.CheckConstraint(
                condition=Q(first=0, last=0) | Q(first__gte=1, last__gte=F("first")),
                name="a_prize_is_for_places_in_order",
            ),
            models.CheckConstraint(
                condition=Q(cents__isnull=True) | Q(percent__isnull=True),
                name="a_prize_is_an_amount_or_a_share",
            ),
            models.CheckConstraint(
                condition=Q(percent__isnull=True) | Q(percent__gte=1, percent__lte=100),
                name="a_share_is_at_most_the_whole",
            ),
            models.CheckConstraint(
                condition=Q(cents__isnull=False, cents__gt=0)
                | Q(percent__isnull=False)
                | ~Q(text=""),
                name="a_prize_is_money_or_goods",
            ),
        )

    def __str__(self) -> str:
        return f"{self.tournament or self.season}: {self.first}–{self.last}"
