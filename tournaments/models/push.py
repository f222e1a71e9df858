"""Browsers that get messages of a tournament, also while they are closed."""

from typing import Final

from django.conf import settings
from django.db import models
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from tournaments.models.tournaments import Tournament

MAX_ENDPOINT_LENGTH: Final = 1024  # 1 kB, the longest that push services give out


class PushSubscription(models.Model):
    """A browser that gets messages of a tournament: of an entry or request, or those for everybody.

    ``code`` is that of the entry or request, ``user`` the account whose entry it is; with neither,
    the browser follows a public tournament. ``endpoint``, ``p256dh`` and ``auth`` are the address
    and the keys that the browser stated. ``position`` is the number of the last event of the club
    that was looked at, ``told`` what was known by then (`domain.signup.News`).
    """

    tournament = models.ForeignKey(
        Tournament, on_delete=models.CASCADE, related_name="push_subscriptions"
    )
    code = models.CharField(max_length=12, blank=True, editable=False)
    user = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="+", null=True, blank=True
    )
    endpoint = models.CharField(max_length=MAX_ENDPOINT_LENGTH)
    p256dh = models.CharField(max_length=100)
    auth = models.CharField(max_length=30)
    language = models.CharField(max_length=10, blank=True)
    told = models.JSONField()
    position = models.PositiveBigIntegerField()
    made_at = models.DateTimeField(default=timezone.now)

    class Meta:
        verbose_name = _("subscription to messages")
        verbose_name_plural = _("subscriptions to messages")
        ordering = ("tournament_id", "pk")
        constraints = (
            models.UniqueConstraint(
                fields=("tournament", "endpoint"), name="one_subscription_per_browser"
            ),
        )

    def __str__(self) -> str:
        return str(self.tournament)
