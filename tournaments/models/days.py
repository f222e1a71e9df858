"""The days of a tournament: what is planned before anything is drawn."""

from datetime import date

from django.db import models
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from tournaments.domain.names import MAX_NAME_LENGTH
from tournaments.models.tournaments import MAX_LINE_LENGTH, Tournament


class Day(models.Model):
    """A day on which rounds of a tournament are played; a round names its day (`Round.day`).

    It begins at ``starts_at``, has to be played by the day ``play_by``, or both. ``place`` is empty
    where the tournament's is meant. It ``holds`` so many rounds of a stage. ``moved_from`` is the
    beginning before the last move, and ``sequence`` counts the changes, for calendars. Undoing a
    draw deletes rounds, never days.
    """

    tournament = models.ForeignKey(Tournament, on_delete=models.CASCADE, related_name="days")
    number = models.PositiveSmallIntegerField(_("number"))
    starts_at = models.DateTimeField(_("begins"), null=True, blank=True)
    place = models.CharField(_("where it is played"), max_length=MAX_NAME_LENGTH, blank=True)
    play_by = models.DateField(_("to be played by"), null=True, blank=True)
    note = models.CharField(_("note"), max_length=MAX_LINE_LENGTH, blank=True)
    holds = models.PositiveSmallIntegerField(_("rounds on this day"), default=1)
    moved_from = models.DateTimeField(_("moved from"), null=True, blank=True)
    sequence = models.PositiveSmallIntegerField(default=0)

    class Meta:
        verbose_name = _("day")
        verbose_name_plural = _("days")
        ordering = ("tournament_id", "number")
        constraints = (
            models.UniqueConstraint(fields=("tournament", "number"), name="one_day_per_number"),
            models.CheckConstraint(
                condition=models.Q(starts_at__isnull=False) | models.Q(play_by__isnull=False),
                name="a_day_begins_or_ends",
            ),
        )

    def __str__(self) -> str:
        return f"{self.tournament}, {self.starts_at or self.play_by}"

    @property
    def due_on(self) -> date:
        """The last day, in the club's zone, on which its matches are to be played."""
        if self.play_by is not None:
            return self.play_by
        assert self.starts_at is not None  # noqa: S101
        return timezone.localdate(self.starts_at)
