"""Who did what, and when: rows that are only ever added."""

from django.conf import settings
from django.db import models
from django.db.models import Q
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from tournaments.models.people import ApiToken, Club
from tournaments.models.tournaments import Tournament


class AuditCounter(models.Model):
    """The last sequence number given out in a club; locked while the next one is taken."""

    club = models.OneToOneField(Club, on_delete=models.CASCADE, primary_key=True)
    last = models.PositiveBigIntegerField(default=0)

    class Meta:
        verbose_name = _("event counter")
        verbose_name_plural = _("event counters")

    def __str__(self) -> str:
        return f"{self.club}: {self.last}"


class AuditEvent(models.Model):
    """One change, numbered within its club from 1 without a gap.

    ``verb`` is a stable code such as ``record.accepted``; ``actor`` the name of who did it when it
    was done; ``facts`` what changed. ``subject_type`` and ``subject_pk`` name the row concerned.
    """

    club = models.ForeignKey(Club, on_delete=models.PROTECT, related_name="events")
    tournament = models.ForeignKey(
        Tournament, on_delete=models.PROTECT, related_name="events", null=True, blank=True
    )
    sequence = models.PositiveBigIntegerField(_("number"))
    verb = models.CharField(_("verb"), max_length=40)
    actor = models.CharField(_("by"), max_length=200)
    user = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.SET_NULL, null=True, blank=True
    )
    token = models.ForeignKey(ApiToken, on_delete=models.SET_NULL, null=True, blank=True)
    subject_type = models.CharField(max_length=20)
    subject_pk = models.PositiveBigIntegerField()
    subject = models.CharField(_("subject"), max_length=200)
    facts = models.JSONField(default=dict)
    at = models.DateTimeField(_("at"), default=timezone.now)

    class Meta:
        verbose_name = _("event")
        verbose_name_plural = _("events")
        ordering = ("club_id", "sequence")
        constraints = (
            models.UniqueConstraint(fields=("club", "sequence"), name="one_event_per_number"),
            models.CheckConstraint(condition=Q(sequence__gte=1), name="events_count_from_one"),
        )

    def __str__(self) -> str:
        return f"{self.sequence}. {self.verb} {self.subject}"
