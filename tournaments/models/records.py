"""Submitted records with their verdicts and hands, and idempotency keys."""

from django.conf import settings
from django.db import models
from django.db.models import Q
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from tournaments.models.matches import NAMES, Match


class RecordQuerySet(models.QuerySet["Record"]):
    """Records selected by state."""

    def accepted(self) -> "RecordQuerySet":
        """Keep those that results were made from and that were not superseded."""
        return self.filter(state=Record.State.ACCEPTED)

    def with_match(self) -> "RecordQuerySet":
        """Fetch the match with its names, round, stage and tournament along with the records."""
        return self.select_related(*(f"match__{path}" for path in NAMES))


class Record(models.Model):
    """A record (F1) submitted for a match, exactly as received, with its verdict (F3).

    ``sha256`` is that of the text; ``digest`` that of the facts, empty when the text could not be
    audited that far. ``home_side`` gives the seats of home: ``AC`` or ``BD``, ``A`` or ``B``, and
    with three players the seats of home, away and third; empty when the names did not match.
    ``code`` is why it was refused or contested, ``params`` the particulars. ``coto`` is its number
    where several make a match, ``said_by`` the sides that have submitted it, ``club`` among them.
    ``redacted_at`` is when a name was removed from the text (docs/operators/privacy.md): text and
    ``sha256`` are then those of the rest, and ``digest``, which covers no names, is unchanged.
    """

    class State(models.TextChoices):
        """The outcome of the submission."""

        ACCEPTED = "accepted", _("accepted")
        REFUSED = "refused", _("refused")
        CONTESTED = "contested", _("contested")
        SUPERSEDED = "superseded", _("superseded")

    class Source(models.TextChoices):
        """The channel of the submission."""

        WEB = "web", _("web page")
        API = "api", _("API")
        BOT = "bot", _("bots")
        IMPORT = "import", _("import")

    match = models.ForeignKey(Match, on_delete=models.CASCADE, related_name="records")
    coto = models.PositiveSmallIntegerField(_("coto"), default=1)
    said_by = models.JSONField(default=list, blank=True)
    state = models.CharField(_("state"), max_length=10, choices=State.choices)
    source = models.CharField(_("source"), max_length=10, choices=Source.choices)
    text = models.TextField(_("text"))
    sha256 = models.CharField(max_length=64)
    digest = models.CharField(_("digest"), max_length=80, blank=True)
    home_side = models.CharField(max_length=4, blank=True)
    verdict = models.JSONField()
    code = models.CharField(_("reason"), max_length=40, blank=True)
    params = models.JSONField(default=dict, blank=True)
    submitted_by = models.ForeignKey(
        settings.AUTH_USER_MODEL,
        on_delete=models.SET_NULL,
        related_name="records",
        null=True,
        blank=True,
    )
    submitter = models.CharField(_("submitted by"), max_length=200)
    created_at = models.DateTimeField(default=timezone.now)
    redacted_at = models.DateTimeField(null=True, blank=True)

    objects = RecordQuerySet.as_manager()

    class Meta:
        verbose_name = _("record")
        verbose_name_plural = _("records")
        ordering = ("match_id", "-created_at", "-pk")
        constraints = (
            models.UniqueConstraint(
                fields=("match", "coto"),
                condition=Q(state="accepted"),
                name="one_accepted_record_per_coto",
            ),
            models.UniqueConstraint(
                fields=("match", "sha256", "code"),
                condition=Q(state="refused"),
                name="one_refused_record_per_text",
            ),
            models.CheckConstraint(
                condition=Q(state="refused") | (~Q(digest="") & ~Q(home_side="")),
                name="a_record_that_counts_was_audited",
            ),
            models.CheckConstraint(
                condition=Q(state__in=("accepted", "superseded")) | ~Q(code=""),
                name="a_record_is_refused_for_a_reason",
            ),
        )

    def __str__(self) -> str:
        return f"{self.match}, {self.sha256[:12]}"


class Hand(models.Model):
    """One hand of an accepted record, as F1 writes it; ``points`` are by side, from the replay."""

    record = models.ForeignKey(Record, on_delete=models.CASCADE, related_name="hands")
    number = models.PositiveSmallIntegerField(_("number"))
    dealer = models.CharField(_("dealer"), max_length=1)
    trump = models.CharField(_("trump"), max_length=2, blank=True)
    deal = models.JSONField(null=True, blank=True)
    play = models.TextField(_("play"), null=True, blank=True)
    points = models.JSONField()
    winner = models.CharField(_("winner"), max_length=2)

    class Meta:
        verbose_name = _("hand")
        verbose_name_plural = _("hands")
        ordering = ("record_id", "number")
        constraints = (
            models.UniqueConstraint(fields=("record", "number"), name="one_hand_per_number"),
            models.CheckConstraint(condition=Q(number__gte=1), name="hands_count_from_one"),
        )

    def __str__(self) -> str:
        return f"{self.record}, {_('hand')} {self.number}"


class Submission(models.Model):
    """A request under an idempotency key, and its answer.

    ``scope`` is the actor (`Actor.scope_name`); ``fingerprint`` is the digest of the request. While
    ``answer`` is missing the request is carried out, until ``locked_until`` at most.
    """

    scope = models.CharField(max_length=40)
    key = models.CharField(max_length=200)
    fingerprint = models.CharField(max_length=64)
    answer = models.JSONField(null=True)
    lock = models.CharField(max_length=32)
    locked_until = models.DateTimeField()
    created_at = models.DateTimeField(default=timezone.now)

    class Meta:
        verbose_name = _("submission")
        verbose_name_plural = _("submissions")
        ordering = ("-created_at", "-pk")
        constraints = (
            models.UniqueConstraint(fields=("scope", "key"), name="one_submission_per_key"),
        )

    def __str__(self) -> str:
        return f"{self.scope} {self.key}"


class EvidenceDay(models.Model):
    """How much evidence of refused and contested records was stored for one sender in a day.

    ``who`` is the actor as for keys; ``texts`` and ``size`` (bytes) count the texts stored whole,
    ``notes`` those recorded by their digest alone.
    """

    who = models.CharField(max_length=40)
    day = models.DateField()
    texts = models.PositiveIntegerField(default=0)
    size = models.PositiveBigIntegerField(default=0)
    notes = models.PositiveIntegerField(default=0)

    class Meta:
        verbose_name = _("evidence of a day")
        verbose_name_plural = _("evidence by days")
        ordering = ("-day", "who")
        constraints = (
            models.UniqueConstraint(fields=("who", "day"), name="one_count_per_sender_and_day"),
        )

    def __str__(self) -> str:
        return f"{self.who} {self.day}"
