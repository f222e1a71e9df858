"""Accounts beyond name and password: address, second factor, sign-ins, invitations."""

import secrets
from typing import Final

from django.conf import settings
from django.db import models
from django.db.models import F, Q
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from tournaments.core import keys
from tournaments.domain.names import MAX_NAME_LENGTH
from tournaments.models.people import Club, Player

MAX_AGENT_LENGTH = 200  # characters of the browser's User-Agent header


class NewAddress(models.Model):
    """An e-mail address that its owner has still to confirm by the link sent to it.

    ``User.email`` holds confirmed addresses only.
    """

    user = models.OneToOneField(
        settings.AUTH_USER_MODEL,
        on_delete=models.CASCADE,
        related_name="new_address",
        primary_key=True,
    )
    email = models.EmailField(_("e-mail address"))
    asked_at = models.DateTimeField(default=timezone.now)

    class Meta:
        verbose_name = _("address to be confirmed")
        verbose_name_plural = _("addresses to be confirmed")

    def __str__(self) -> str:
        return self.email


class Mail(models.Model):
    """A mail with a link to be sent at ``next_at``; deleted once sent or given up.

    ``origin`` is the address of the service in the request, ``language`` that of the request; the
    link is made when the mail is sent.
    """

    class Kind(models.TextChoices):
        """The purpose of a mail."""

        ADDRESS = "address"
        PASSWORD = "password"  # noqa: S105 - a word

    user = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="mails"
    )
    kind = models.CharField(max_length=10, choices=Kind.choices)
    origin = models.CharField(max_length=300)
    language = models.CharField(max_length=10, blank=True)
    tries = models.PositiveSmallIntegerField(default=0)
    next_at = models.DateTimeField(default=timezone.now)

    class Meta:
        verbose_name = _("mail")
        verbose_name_plural = _("mails")
        ordering = ("next_at", "pk")
        constraints = (
            models.UniqueConstraint(fields=("user", "kind"), name="one_mail_of_a_kind_waits"),
        )

    def __str__(self) -> str:
        return f"{self.kind} ({self.pk})"


class SecondFactor(models.Model):
    """An authenticator app of a user (RFC 6238). It is in force from ``confirmed_at`` on.

    Its secret is not stored in clear text: it is sealed in ``seed`` under one of the service's keys
    (`tournaments.core.keys`), or, until it is used, follows from the ``seed`` of an earlier release
    and the key of that time.
    ``last_step`` is the newest time step with an accepted code, so that none is accepted twice;
    after ``failures`` wrong codes it is locked until ``closed_until``.
    """

    user = models.OneToOneField(
        settings.AUTH_USER_MODEL,
        on_delete=models.CASCADE,
        related_name="second_factor",
        primary_key=True,
    )
    SALT: Final = "baza.second_factor"
    BYTES: Final = 20  # 160 bits, as RFC 4226 recommends

    seed = models.CharField(max_length=160)
    confirmed_at = models.DateTimeField(null=True, blank=True)
    last_step = models.PositiveBigIntegerField(default=0)
    failures = models.PositiveSmallIntegerField(default=0)
    closed_until = models.DateTimeField(null=True, blank=True)

    class Meta:
        verbose_name = _("second factor")
        verbose_name_plural = _("second factors")

    def __str__(self) -> str:
        return str(self.user)

    @property
    def is_sealed(self) -> bool:
        """Whether the secret is sealed; those of earlier releases were not."""
        return self.seed.startswith(keys.SEAL_PREFIX)

    @property
    def possible_secrets(self) -> tuple[bytes, ...]:
        """The secret shared with the app, or none without its key.

        If it is not sealed: that under each key, the oldest last, as it depends on one of them.
        """
        if not self.is_sealed:
            return tuple(digest[: self.BYTES] for digest in keys.digests(self.SALT, self.seed))
        values = keys.unseal(self.SALT, self.seed)
        return values[:1] if values else ()

    @property
    def secret(self) -> bytes:
        """The secret shared with the app, twenty bytes; none without its key."""
        return next(reversed(self.possible_secrets), b"")

    @staticmethod
    def fresh_seed() -> str:
        """Return the seed of a new secret, sealed under the present key."""
        return keys.seal(SecondFactor.SALT, secrets.token_bytes(SecondFactor.BYTES))


class RecoveryCode(models.Model):
    """A one-time code that replaces a lost phone; only its digest is stored."""

    user = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="recovery_codes"
    )
    digest = models.CharField(max_length=64)
    used_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        verbose_name = _("recovery code")
        verbose_name_plural = _("recovery codes")
        ordering = ("pk",)
        constraints = (
            models.UniqueConstraint(fields=("user", "digest"), name="one_recovery_code_per_digest"),
        )

    def __str__(self) -> str:
        return f"{self.user} ({self.pk})"

    @staticmethod
    def digest_of(user_pk: int, code: str) -> str:
        """Return the digest of a user's code, peppered with the service's own key."""
        return RecoveryCode.digests_of(user_pk, code)[0]

    @staticmethod
    def digests_of(user_pk: int, code: str) -> tuple[str, ...]:
        """Return the digests of a user's code under each key of the service."""
        return tuple(digest.hex() for digest in keys.digests(f"baza.recovery.{user_pk}", code))


class SignIn(models.Model):
    """A session of a user, with only the data that the user needs to recognise it.

    ``address`` is the network address without its last part.
    """

    user = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="sign_ins"
    )
    session_key = models.CharField(max_length=40, unique=True)
    agent = models.CharField(max_length=MAX_AGENT_LENGTH, blank=True)
    address = models.CharField(max_length=45, blank=True)
    began_at = models.DateTimeField(default=timezone.now)
    seen_at = models.DateTimeField(default=timezone.now)

    class Meta:
        verbose_name = _("sign-in")
        verbose_name_plural = _("sign-ins")
        ordering = ("-seen_at", "-pk")

    def __str__(self) -> str:
        return f"{self.user} ({self.address})"


class Invitation(models.Model):
    """A link that grants a role in a club, or links a player to the account that opens it.

    Only a digest of the link's secret is stored. It is valid until ``expires_at``, for
    ``most_uses`` people, unless it was revoked.
    """

    class Role(models.TextChoices):
        """The role that an invitation grants."""

        ORGANISER = "organiser", _("organiser")
        ARBITER = "arbiter", _("arbiter")
        PLAYER = "player", _("player")

    club = models.ForeignKey(Club, on_delete=models.CASCADE, related_name="invitations")
    role = models.CharField(_("role"), max_length=10, choices=Role.choices)
    player = models.ForeignKey(
        Player, on_delete=models.CASCADE, related_name="invitations", null=True, blank=True
    )
    key = models.CharField(max_length=16, unique=True)
    digest = models.CharField(max_length=64)
    note = models.CharField(_("note"), max_length=MAX_NAME_LENGTH, blank=True)
    invited_by = models.ForeignKey(
        settings.AUTH_USER_MODEL,
        on_delete=models.SET_NULL,
        related_name="invitations",
        null=True,
        blank=True,
    )
    created_at = models.DateTimeField(default=timezone.now)
    expires_at = models.DateTimeField()
    most_uses = models.PositiveSmallIntegerField(default=1)
    uses = models.PositiveSmallIntegerField(default=0)
    revoked_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        verbose_name = _("invitation")
        verbose_name_plural = _("invitations")
        ordering = ("club_id", "-created_at", "-pk")
        constraints = (
            models.CheckConstraint(
                condition=Q(role__in=("organiser", "arbiter", "player")),
                name="invitation_role_is_known",
            ),
            models.CheckConstraint(
                condition=Q(role="player", player__isnull=False)
                | (~Q(role="player") & Q(player__isnull=True)),
                name="invitation_names_the_player",
            ),
            models.CheckConstraint(
                condition=Q(uses__lte=F("most_uses")), name="invitation_uses_are_counted"
            ),
        )

    def __str__(self) -> str:
        return f"{self.key} ({self.role})"

    @staticmethod
    def digest_of(key: str, secret: str) -> str:
        """Return the digest of a link's secret, peppered with the service's own key."""
        return keys.digest(f"baza.invitation.{key}", secret).hex()

    def has_secret(self, secret: str) -> bool:
        """Return in constant time whether this is the secret of the link."""
        return keys.is_digest_of(f"baza.invitation.{self.key}", secret, self.digest)

    @property
    def is_open(self) -> bool:
        """Return whether the invitation can still be accepted."""
        return (
            self.revoked_at is None
            and self.uses < self.most_uses
            and self.expires_at > timezone.now()
        )
