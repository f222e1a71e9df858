"""Tournaments, who has entered them, and their stages and rounds."""

from django.db import models
from django.db.models import Q
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from tournaments.domain.names import LONGEST_NAME
from tournaments.models.bots import Bot
from tournaments.models.people import Club, Pair


class Tournament(models.Model):
    """A tournament of a club under one ruleset.

    ``options`` are the house rules and the length of a match, as in a record (F1). ``version`` goes
    up with whatever changes the standings, which are cached under it. The slug never changes: the
    deals of bot rounds are drawn from it.
    """

    class State(models.TextChoices):
        """A draft can still take entries; a running one has its rounds drawn."""

        DRAFT = "draft", _("draft")
        RUNNING = "running", _("running")
        FINISHED = "finished", _("finished")

    club = models.ForeignKey(Club, on_delete=models.PROTECT, related_name="tournaments")
    name = models.CharField(_("name"), max_length=LONGEST_NAME)
    slug = models.SlugField(_("short name"), unique=True)
    ruleset = models.CharField(_("ruleset"), max_length=40)
    options = models.JSONField(default=dict)
    state = models.CharField(_("state"), max_length=10, choices=State.choices, default=State.DRAFT)
    version = models.PositiveIntegerField(default=1)
    created_at = models.DateTimeField(default=timezone.now)

    class Meta:
        verbose_name = _("tournament")
        verbose_name_plural = _("tournaments")
        ordering = ("-created_at", "-pk")
        constraints = (
            models.CheckConstraint(
                condition=Q(state__in=("draft", "running", "finished")),
                name="tournament_state_is_known",
            ),
        )

    def __str__(self) -> str:
        return self.name


class EntryQuerySet(models.QuerySet["Entry"]):
    """Entries with what their names need."""

    def with_players(self) -> "EntryQuerySet":
        """Fetch pairs, their players and bots along with the entries."""
        return self.select_related("pair__first", "pair__second", "bot")


class Entry(models.Model):
    """A pair, or a bot that plays both seats of a side, in one tournament."""

    tournament = models.ForeignKey(Tournament, on_delete=models.CASCADE, related_name="entries")
    number = models.PositiveSmallIntegerField(_("number"))
    name = models.CharField(_("name"), max_length=LONGEST_NAME)
    folded = models.CharField(max_length=4 * LONGEST_NAME, editable=False)
    pair = models.ForeignKey(
        Pair, on_delete=models.PROTECT, related_name="entries", null=True, blank=True
    )
    bot = models.ForeignKey(
        Bot, on_delete=models.PROTECT, related_name="entries", null=True, blank=True
    )

    objects = EntryQuerySet.as_manager()

    class Meta:
        verbose_name = _("entry")
        verbose_name_plural = _("entries")
        ordering = ("tournament_id", "number")
        constraints = (
            models.UniqueConstraint(fields=("tournament", "number"), name="one_entry_per_number"),
            models.UniqueConstraint(fields=("tournament", "folded"), name="one_entry_per_name"),
            models.UniqueConstraint(fields=("tournament", "pair"), name="one_entry_per_pair"),
            models.CheckConstraint(
                condition=Q(pair__isnull=True, bot__isnull=False)
                | Q(pair__isnull=False, bot__isnull=True),
                name="an_entry_is_a_pair_or_a_bot",
            ),
            models.CheckConstraint(condition=Q(number__gte=1), name="entries_count_from_one"),
        )

    def __str__(self) -> str:
        return f"{self.number}. {self.name}"

    @property
    def seat_names(self) -> tuple[str, str]:
        """The names of the two partners, in the order in which they sit."""
        if self.pair is not None:
            return (self.pair.first.name, self.pair.second.name)
        return (f"{self.name} · 1", f"{self.name} · 2")


class Stage(models.Model):
    """A part of a tournament under one format."""

    tournament = models.ForeignKey(Tournament, on_delete=models.CASCADE, related_name="stages")
    number = models.PositiveSmallIntegerField(_("number"), default=1)
    format = models.CharField(_("format"), max_length=20)
    turns = models.PositiveSmallIntegerField(_("turns"), default=1)

    class Meta:
        verbose_name = _("stage")
        verbose_name_plural = _("stages")
        ordering = ("tournament_id", "number")
        constraints = (
            models.UniqueConstraint(fields=("tournament", "number"), name="one_stage_per_number"),
            models.CheckConstraint(condition=Q(turns__gte=1), name="a_stage_has_a_turn"),
        )

    def __str__(self) -> str:
        return f"{self.tournament}, {self.format}"


class Round(models.Model):
    """A round: its matches are played at the same time.

    ``seed`` (32 random bytes in hexadecimal) is what the deals of bot matches are drawn from. It
    stays secret until the round is closed; ``commitment`` binds it from the moment the round is
    published. ``play_requested_at`` says since when the bots have been asked to play.
    """

    class State(models.TextChoices):
        """A draft is seen by the club alone; records are taken while published."""

        DRAFT = "draft", _("draft")
        PUBLISHED = "published", _("published")
        CLOSED = "closed", _("closed")

    stage = models.ForeignKey(Stage, on_delete=models.CASCADE, related_name="rounds")
    number = models.PositiveSmallIntegerField(_("number"))
    state = models.CharField(_("state"), max_length=10, choices=State.choices, default=State.DRAFT)
    seed = models.CharField(max_length=64)
    commitment = models.CharField(_("commitment"), max_length=64)
    published_at = models.DateTimeField(_("published"), null=True, blank=True)
    closed_at = models.DateTimeField(_("closed"), null=True, blank=True)
    play_requested_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        verbose_name = _("round")
        verbose_name_plural = _("rounds")
        ordering = ("stage_id", "number")
        constraints = (
            models.UniqueConstraint(fields=("stage", "number"), name="one_round_per_number"),
            models.CheckConstraint(
                condition=Q(state="draft", published_at__isnull=True, closed_at__isnull=True)
                | Q(state="published", published_at__isnull=False, closed_at__isnull=True)
                | Q(state="closed", published_at__isnull=False, closed_at__isnull=False),
                name="round_state_agrees_with_its_times",
            ),
        )

    def __str__(self) -> str:
        return f"{self.stage.tournament}, {_('round')} {self.number}"

    @property
    def label(self) -> str:
        """What the commitment is made under: tournament and round."""
        return f"{self.stage.tournament.slug}/{self.number}"
