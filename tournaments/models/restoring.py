"""Restore points of tournaments."""

from django.db import models
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from tournaments.models.tournaments import Tournament


class RestorePoint(models.Model):
    """The rows of a tournament before a verb that may be undone.

    ``verb`` is that verb, ``snapshot`` the rows by model, ``used_at`` when the tournament was
    restored to this point.
    """

    tournament = models.ForeignKey(
        Tournament, on_delete=models.CASCADE, related_name="restore_points"
    )
    verb = models.CharField(_("before"), max_length=40)
    round_number = models.PositiveSmallIntegerField(_("round"), null=True, blank=True)
    version = models.PositiveIntegerField()
    snapshot = models.JSONField()
    made_by = models.CharField(_("made by"), max_length=200)
    made_at = models.DateTimeField(default=timezone.now)
    used_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        verbose_name = _("restore point")
        verbose_name_plural = _("restore points")
        ordering = ("tournament_id", "-pk")

    def __str__(self) -> str:
        return f"{self.tournament}: {self.verb}"
