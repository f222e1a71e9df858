"""The pause of all bots."""

from typing import Final

from django.db import models
from django.db.models import Q
from django.utils.translation import gettext_lazy as _

THE_ARENA: Final = 1
"""The key of the only row."""


class ArenaQuerySet(models.QuerySet["Arena"]):
    """The row of the pause."""

    def paused(self) -> "ArenaQuerySet":
        """Keep the row while the arena is paused."""
        return self.filter(paused_at__isnull=False)


class Arena(models.Model):
    """The pause of the whole service: while it is set, workers claim no match.

    Without a row it was never paused.
    """

    paused_at = models.DateTimeField(_("paused"), null=True, blank=True)
    paused_by = models.CharField(_("paused by"), max_length=200, blank=True)

    objects = ArenaQuerySet.as_manager()

    class Meta:
        verbose_name = _("arena")
        verbose_name_plural = _("arena")
        constraints = (models.CheckConstraint(condition=Q(pk=1), name="there_is_one_arena"),)

    def __str__(self) -> str:
        return str(_("paused") if self.paused_at else _("open"))
