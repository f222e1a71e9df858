"""Seasons: several tournaments of a club whose best results are added up."""

from django.core.validators import MinValueValidator
from django.db import models
from django.db.models import Q
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from tournaments.domain.names import MAX_NAME_LENGTH
from tournaments.models.people import Club
from tournaments.models.tournaments import Tournament


class Season(models.Model):
    """A season of a club, under one ruleset or any (``ruleset`` empty).

    ``best`` is the number of results that count, ``None`` for all of them; ``scale`` the points of
    a place, unless ``own_scale`` lists them: "25 18 15". With ``mean_of`` the mean of the results
    counts, of at least so many: who has fewer stands below, or with ``missed_as_zero`` has results
    of 0 for them. ``criteria`` places those who are level, in this order: "wins
    last_event", which an empty text means too. ``by`` is the competitor: the entered pair or
    player, or each person alone.
    """

    class Scale(models.TextChoices):
        """The points of a place, as `tournaments.domain.season.PlaceScale`."""

        FIXED = "fixed", _("18, 16, 14, 13, 12 … 1")
        FIXED40 = "fixed40", _("1000, 900, 800, 750 … 1, for forty places")
        LINEAR = "linear", _("from 100 for the first to 1 for the last")
        MILLESIMAL = "millesimal", _("thousandths of those left behind")
        POINTS = "points", _("the match points made")

    class Competitors(models.TextChoices):
        """The competitors of a season."""

        ENTRY = "entry", _("pairs as pairs, players as players")
        PERSON = "person", _("each person, whoever the partner was")

    class State(models.TextChoices):
        """The state; a closed season accepts no more tournaments."""

        OPEN = "open", _("open")
        CLOSED = "closed", _("closed")

    club = models.ForeignKey(Club, on_delete=models.PROTECT, related_name="seasons")
    name = models.CharField(_("name"), max_length=MAX_NAME_LENGTH)
    slug = models.SlugField(_("short name"))
    ruleset = models.CharField(_("ruleset"), max_length=40, blank=True)
    best = models.PositiveSmallIntegerField(
        _("results that count"), null=True, blank=True, validators=[MinValueValidator(1)]
    )
    scale = models.CharField(
        _("what a place is worth"), max_length=10, choices=Scale.choices, default=Scale.FIXED
    )
    own_scale = models.CharField(
        _("own points by place"), max_length=600, blank=True, default="", db_default=""
    )
    mean_of = models.PositiveSmallIntegerField(
        _("mean of at least"), null=True, blank=True, validators=[MinValueValidator(1)]
    )
    missed_as_zero = models.BooleanField(
        _("missed tournaments count zero"), default=False, db_default=False
    )
    criteria = models.CharField(
        _("order of those who are level"), max_length=80, blank=True, default="", db_default=""
    )
    by = models.CharField(
        _("who collects"), max_length=6, choices=Competitors.choices, default=Competitors.ENTRY
    )
    state = models.CharField(_("state"), max_length=6, choices=State.choices, default=State.OPEN)
    created_at = models.DateTimeField(default=timezone.now)
    closed_at = models.DateTimeField(_("closed"), null=True, blank=True)

    class Meta:
        verbose_name = _("season")
        verbose_name_plural = _("seasons")
        ordering = ("club_id", "-created_at", "-pk")
        constraints = (
            models.UniqueConstraint(fields=("club", "slug"), name="one_season_per_slug"),
            models.CheckConstraint(
                condition=Q(best__isnull=True) | Q(best__gte=1), name="a_season_counts_a_result"
            ),
            models.CheckConstraint(
                condition=Q(state="open", closed_at__isnull=True)
                | Q(state="closed", closed_at__isnull=False),
                name="season_state_agrees_with_its_time",
            ),
        )

    def __str__(self) -> str:
        return self.name


class SeasonEvent(models.Model):
    """A tournament of a season: its position in time, and its weight."""

    season = models.ForeignKey(Season, on_delete=models.CASCADE, related_name="events")
    tournament = models.ForeignKey(Tournament, on_delete=models.CASCADE, related_name="seasons")
    order = models.PositiveSmallIntegerField(_("order"))
    weight = models.DecimalField(_("weight"), max_digits=4, decimal_places=2, default=1)

    class Meta:
        verbose_name = _("tournament of a season")
        verbose_name_plural = _("tournaments of a season")
        ordering = ("season_id", "order")
        constraints = (
            models.UniqueConstraint(
                fields=("season", "tournament"), name="one_season_event_per_tournament"
            ),
            models.UniqueConstraint(fields=("season", "order"), name="one_season_event_per_order"),
            models.CheckConstraint(condition=Q(weight__gt=0), name="a_tournament_counts_something"),
        )

    def __str__(self) -> str:
        return f"{self.season}: {self.tournament}"
