"""The one switch of the arena."""

from typing import Final

from django.db import models
from django.db.models import Q
from django.utils.translation import gettext_lazy as _

THE_ARENA: Final = 1
"""The key of the only row that there is of an arena."""


class ArenaQuerySet(models.QuerySet["Arena"]):
    """The switch, if it is as asked."""

    def paused(self) -> "ArenaQuerySet":
        """Keep the switch while it is paused."""
        return self.filter(paused_at__isnull=False)


class Arena(models.Model):
    """The one switch of the whole service: while it is paused, workers claim no match.

    Without a row it was never touched, and is open.
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
