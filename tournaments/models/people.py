"""Clubs and their people: members, players, pairs, tokens of programs, and erasures."""

from django.conf import settings
from django.db import models
from django.db.models import F, Q
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from tournaments.core import keys
from tournaments.domain.names import MAX_NAME_LENGTH, shown_name
from tournaments.domain.roster import MAX_CODE_LENGTH

MAX_PROFILE_LINE = 200  # characters of a line of a club's profile
MAX_TERMS_LENGTH = 4000
"""Characters of a club's own rules, as its profile and each tournament have them."""


class Club(models.Model):
    """A club; every tournament belongs to one.

    ``people_in_search``: search engines may list the pages of its people and pairs.
    """

    name = models.CharField(_("name"), max_length=MAX_NAME_LENGTH)
    slug = models.SlugField(_("short name"), unique=True)
    city = models.CharField(_("city"), max_length=MAX_NAME_LENGTH, blank=True)
    people_in_search = models.BooleanField(
        _("people in search engines"), default=False, db_default=False
    )

    class Meta:
        verbose_name = _("club")
        verbose_name_plural = _("clubs")
        ordering = ("name", "pk")

    def __str__(self) -> str:
        return self.name


class ClubProfile(models.Model):
    """What a club says of itself on its page, apart from name and town; each may be empty.

    ``house_terms`` are the club's own rules as new tournaments propose them.
    """

    club = models.OneToOneField(Club, on_delete=models.CASCADE, related_name="profile")
    address = models.CharField(_("address"), max_length=MAX_PROFILE_LINE, blank=True)
    contact = models.CharField(_("contact"), max_length=MAX_PROFILE_LINE, blank=True)
    opening_hours = models.CharField(_("opening hours"), max_length=MAX_PROFILE_LINE, blank=True)
    news = models.CharField(_("news"), max_length=MAX_PROFILE_LINE, blank=True)
    colour = models.CharField(_("colour"), max_length=7, default="", db_default="", blank=True)
    house_terms = models.TextField(_("house terms"), max_length=MAX_TERMS_LENGTH, blank=True)

    class Meta:
        verbose_name = _("profile of a club")
        verbose_name_plural = _("profiles of clubs")

    def __str__(self) -> str:
        return str(self.club)


class ClubPicture(models.Model):
    """A picture of a club, as WebP; ``digest`` is of its content, for its address."""

    class Kind(models.TextChoices):
        """What is shown where: a logo beside the name, a photograph on posters."""

        LOGO = "logo", _("logo")
        PHOTO = "photo", _("photograph")

    club = models.ForeignKey(Club, on_delete=models.CASCADE, related_name="pictures")
    kind = models.CharField(_("kind"), max_length=5, choices=Kind.choices)
    content = models.BinaryField(_("content"))
    digest = models.CharField(_("digest"), max_length=16)

    class Meta:
        verbose_name = _("picture of a club")
        verbose_name_plural = _("pictures of clubs")
        constraints = (
            models.UniqueConstraint(fields=("club", "kind"), name="one_picture_of_a_kind"),
            models.CheckConstraint(
                condition=Q(kind__in=("logo", "photo")), name="picture_kind_is_known"
            ),
        )

    def __str__(self) -> str:
        return f"{self.get_kind_display()}, {self.club}"


class Membership(models.Model):
    """A user's role in a club: an organiser may do all, an arbiter decides about matches."""

    class Role(models.TextChoices):
        """The two roles."""

        ORGANISER = "organiser", _("organiser")
        ARBITER = "arbiter", _("arbiter")

    user = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="memberships"
    )
    club = models.ForeignKey(Club, on_delete=models.CASCADE, related_name="memberships")
    role = models.CharField(_("role"), max_length=10, choices=Role.choices)

    class Meta:
        verbose_name = _("membership")
        verbose_name_plural = _("memberships")
        ordering = ("club_id", "user_id")
        constraints = (
            models.UniqueConstraint(fields=("club", "user"), name="one_membership_per_club"),
            models.CheckConstraint(
                condition=Q(role__in=("organiser", "arbiter")), name="membership_role_is_known"
            ),
        )

    def __str__(self) -> str:
        return f"{self.user} ({self.get_role_display()}, {self.club})"


def is_one_with(path: str, pk: int) -> Q:
    """Return the condition that a player or pair is this one, or merged into it.

    ``path`` leads to it: ``pair__first``, or empty in a query of players or pairs themselves.
    """
    prefix = f"{path}__" if path else ""
    return Q(**{f"{prefix}pk": pk}) | Q(**{f"{prefix}same_as": pk})


def plays_as(user: object, path: str = "") -> Q:
    """Return the condition that a player is the user's, itself or through the main one."""
    prefix = f"{path}__" if path else ""
    return Q(**{f"{prefix}user": user}) | Q(**{f"{prefix}same_as__user": user})


class Player(models.Model):
    """A person who plays. ``folded`` is the name in compared form; ``user`` the player's account.

    ``earlier`` are names that were corrected, one a line: a record may still use one of them.
    A merged player is the ``same_as`` another one of the club, the main one, which is merged into
    none. Nothing else is rewritten: queries follow the pointer, and taking it off undoes the merge.
    """

    club = models.ForeignKey(Club, on_delete=models.PROTECT, related_name="players")
    code = models.CharField(_("code"), max_length=MAX_CODE_LENGTH)
    name = models.CharField(_("name"), max_length=MAX_NAME_LENGTH)
    folded = models.CharField(max_length=4 * MAX_NAME_LENGTH, editable=False)
    earlier = models.TextField(default="", db_default="", blank=True, editable=False)
    user = models.ForeignKey(
        settings.AUTH_USER_MODEL,
        on_delete=models.SET_NULL,
        related_name="players",
        null=True,
        blank=True,
    )
    same_as = models.ForeignKey(
        "self", on_delete=models.PROTECT, related_name="merged", null=True, blank=True
    )

    class Meta:
        verbose_name = _("player")
        verbose_name_plural = _("players")
        ordering = ("club_id", "code")
        constraints = (
            models.UniqueConstraint(fields=("club", "code"), name="one_player_per_code"),
            models.UniqueConstraint(fields=("club", "folded"), name="one_player_per_name"),
            models.CheckConstraint(
                condition=~Q(same_as=F("pk")), name="a_player_is_not_merged_into_itself"
            ),
        )

    def __str__(self) -> str:
        return self.name

    @property
    def earlier_names(self) -> tuple[str, ...]:
        """The player's names before corrections, the oldest first."""
        return tuple(filter(None, self.earlier.split("\n")))

    @property
    def main(self) -> "Player":
        """The one that it is the same as; itself when it is not merged."""
        return self.same_as or self

    @property
    def main_pk(self) -> int:
        """The key of :attr:`main`, without a query."""
        return self.same_as_id or self.pk


class PairQuerySet(models.QuerySet["Pair"]):
    """Pairs, with their players."""

    def with_players(self) -> "PairQuerySet":
        """Fetch the players too, and the main pairs of merged ones with theirs."""
        return self.select_related("first", "second", "same_as__first", "same_as__second")


class Pair(models.Model):
    """Two players of a club who play together; the first sits at A or B.

    A merged pair is the ``same_as`` another one of the same two people, as a `Player`.
    """

    club = models.ForeignKey(Club, on_delete=models.PROTECT, related_name="pairs")
    code = models.CharField(_("code"), max_length=MAX_CODE_LENGTH)
    name = models.CharField(_("name"), max_length=MAX_NAME_LENGTH)
    folded = models.CharField(max_length=4 * MAX_NAME_LENGTH, editable=False)
    first = models.ForeignKey(Player, on_delete=models.PROTECT, related_name="pairs_as_first")
    second = models.ForeignKey(Player, on_delete=models.PROTECT, related_name="pairs_as_second")
    same_as = models.ForeignKey(
        "self", on_delete=models.PROTECT, related_name="merged", null=True, blank=True
    )

    objects = PairQuerySet.as_manager()

    class Meta:
        verbose_name = _("pair")
        verbose_name_plural = _("pairs")
        ordering = ("club_id", "code")
        constraints = (
            models.UniqueConstraint(fields=("club", "code"), name="one_pair_per_code"),
            models.UniqueConstraint(fields=("club", "folded"), name="one_pair_per_name"),
            models.CheckConstraint(condition=~Q(first=F("second")), name="a_pair_is_two_players"),
            models.CheckConstraint(
                condition=~Q(same_as=F("pk")), name="a_pair_is_not_merged_into_itself"
            ),
        )

    def __str__(self) -> str:
        return self.name

    @property
    def shown_name(self) -> str:
        """Its name on pages: of a pair without one of its own, its players."""
        return shown_name(self.name, (self.first.name, self.second.name))

    @property
    def main_player_pks(self) -> frozenset[int]:
        """The keys of its two players, of merged ones those of the main ones."""
        return frozenset((self.first.main_pk, self.second.main_pk))

    @property
    def main(self) -> "Pair":
        """The one that it is the same as; itself when it is not merged."""
        return self.same_as or self

    @property
    def main_pk(self) -> int:
        """The key of :attr:`main`, without a query."""
        return self.same_as_id or self.pk


class ApiToken(models.Model):
    """An API token of one user in one club; only a digest of its secret is stored."""

    class Scope(models.TextChoices):
        """The permitted uses of a token."""

        SUBMIT = "games:submit", _("submit records")
        READ = "games:read", _("read what members read")
        MANAGE = "tournaments:manage", _("run tournaments")
        BOTS = "bots:run", _("run bot rounds")
        AUDIT = "audit:read", _("read the history")

    user = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="api_tokens"
    )
    club = models.ForeignKey(Club, on_delete=models.CASCADE, related_name="api_tokens")
    name = models.CharField(_("name"), max_length=MAX_NAME_LENGTH)
    key = models.CharField(max_length=16, unique=True)
    digest = models.CharField(max_length=64)
    scopes = models.JSONField(default=list)
    created_at = models.DateTimeField(default=timezone.now)
    expires_at = models.DateTimeField(null=True, blank=True)
    last_used_at = models.DateTimeField(null=True, blank=True)
    revoked_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        verbose_name = _("API token")
        verbose_name_plural = _("API tokens")
        ordering = ("club_id", "-created_at")

    def __str__(self) -> str:
        return f"{self.name} ({self.key}…)"

    @staticmethod
    def digest_of(key: str, secret: str) -> str:
        """Return the digest of a token's secret, keyed with the service's secret key."""
        return keys.digest(f"baza.token.{key}", secret).hex()

    def has_secret(self, secret: str) -> bool:
        """Return in constant time whether this is the secret of the token."""
        return keys.is_digest_of(f"baza.token.{self.key}", secret, self.digest)


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
