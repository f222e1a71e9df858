"""Erased players and accounts: numbers and keys, and no name."""

from django.db import models
from django.db.models import Q
from django.utils import timezone
from django.utils.translation import gettext_lazy as _


class Erasure(models.Model):
    """The erasure of a player or an account, with the number used instead of the name.

    ``player_key`` or ``user_key`` is the key of the row. They are no foreign keys: the row of an
    account is deleted, and the list outlives the database when a backup is restored.
    """

    number = models.PositiveIntegerField(_("number"), unique=True)
    player_key = models.PositiveBigIntegerField(null=True, blank=True)
    user_key = models.PositiveBigIntegerField(null=True, blank=True)
    at = models.DateTimeField(_("at"), default=timezone.now)

    class Meta:
        verbose_name = _("erasure")
        verbose_name_plural = _("erasures")
        ordering = ("number",)
        constraints = (
            models.CheckConstraint(
                condition=Q(player_key__isnull=False, user_key__isnull=True)
                | Q(player_key__isnull=True, user_key__isnull=False),
                name="an_erasure_is_of_a_player_or_an_account",
            ),
        )

    def __str__(self) -> str:
        return str(self.number)
