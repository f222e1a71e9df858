"""The audit log: rows that are only ever added."""

from django.conf import settings
from django.db import models
from django.db.models import Q
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from tournaments.domain.trail import chain
from tournaments.domain.trail.checkpoints import Checkpoint
from tournaments.models.people import ApiToken, Club
from tournaments.models.tournaments import Tournament


class AuditCounter(models.Model):
    """The last sequence number used in a club; locked while the next one is taken.

    ``head`` is the digest of event ``chained``, 64 zeros before the first. Events between
    ``chained`` and ``last`` were written by a release without a chain. ``shown`` is the last event
    that is not of a bot's record: pages of the club are cached under it, as bots play all day.
    """

    club = models.OneToOneField(Club, on_delete=models.CASCADE, primary_key=True)
    last = models.PositiveBigIntegerField(default=0)
    chained = models.PositiveBigIntegerField(default=0, db_default=0)
    shown = models.PositiveBigIntegerField(default=0, db_default=0)
    head = models.CharField(max_length=64, default=chain.FIRST, db_default=chain.FIRST)

    class Meta:
        verbose_name = _("event counter")
        verbose_name_plural = _("event counters")

    def __str__(self) -> str:
        return f"{self.club}: {self.last}"


class AuditEvent(models.Model):
    """One change, numbered within its club from 1 without a gap.

    ``verb`` is a stable code such as ``record.accepted``; ``actor`` the actor's name at that time;
    ``facts`` what changed. ``subject_type`` and ``subject_pk`` name the row concerned.

    ``digest`` ties it to the event before it (docs/operators/audit.md): of ``actor``, ``subject``
    and ``facts`` it covers ``texts_digest``, their hash with a ``salt``, which is empty once they
    were replaced. ``user`` and ``token`` are not covered: they are emptied when an account is
    deleted. Triggers of the database forbid every other change.
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
    salt = models.CharField(max_length=32, default="", db_default="")
    texts_digest = models.CharField(max_length=64, default="", db_default="")
    digest = models.CharField(_("digest"), max_length=64, default="", db_default="")

    class Meta:
        verbose_name = _("event")
        verbose_name_plural = _("events")
        ordering = ("club_id", "sequence")
        constraints = (
            models.UniqueConstraint(fields=("club", "sequence"), name="one_event_per_number"),
            models.CheckConstraint(condition=Q(sequence__gte=1), name="events_count_from_one"),
        )
        indexes = (models.Index(fields=("tournament", "sequence"), name="events_of_a_tournament"),)

    def __str__(self) -> str:
        return f"{self.sequence}. {self.verb} {self.subject}"

    @property
    def texts(self) -> chain.Texts:
        """The texts that may name people."""
        return chain.Texts(self.actor, self.subject, self.facts)

    def to_chain_event(self) -> chain.Event:
        """Return the event in the form that the chain covers."""
        return chain.Event(
            self.club_id,
            self.tournament_id,
            self.sequence,
            self.verb,
            self.subject_type,
            self.subject_pk,
            chain.time_of(self.at),
            self.texts,
            self.salt,
            self.texts_digest,
            self.digest,
        )


class AuditCheckpoint(models.Model):
    """A signed statement of the last event of a club's history; only ever added, and published.

    ``number`` counts those of the club from 1; ``digest`` is that of event ``sequence``, ``before``
    that of the previous checkpoint. ``key`` and ``signature`` are hex digits (Ed25519).
    """

    club = models.ForeignKey(Club, on_delete=models.PROTECT, related_name="checkpoints")
    number = models.PositiveBigIntegerField(_("number"))
    sequence = models.PositiveBigIntegerField()
    digest = models.CharField(_("digest"), max_length=64)
    at = models.DateTimeField(_("at"))
    before = models.CharField(max_length=64)
    key = models.CharField(max_length=64)
    signature = models.CharField(max_length=128)

    class Meta:
        verbose_name = _("checkpoint")
        verbose_name_plural = _("checkpoints")
        ordering = ("club_id", "number")
        constraints = (
            models.UniqueConstraint(fields=("club", "number"), name="one_checkpoint_per_number"),
        )

    def __str__(self) -> str:
        return f"{self.club}: {self.sequence}"

    def to_checkpoint(self) -> Checkpoint:
        """Return the checkpoint as the domain's value."""
        return Checkpoint(
            self.club_id,
            self.number,
            self.sequence,
            self.digest,
            chain.time_of(self.at),
            self.before,
            self.key,
            self.signature,
        )
