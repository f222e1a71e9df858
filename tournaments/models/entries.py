"""Entries of a tournament with their absences, byes, substitutions and penalties."""

import secrets

from django.db import models
from django.db.models import F, Q
from django.utils import timezone
from django.utils.functional import cached_property
from django.utils.translation import gettext_lazy as _

from tournaments.domain.names import MAX_NAME_LENGTH, shown_name
from tournaments.models.bots import Bot
from tournaments.models.people import Pair, Player
from tournaments.models.tournaments import Tournament

CODE_LETTERS = "ABCDEFGHJKMNPQRSTUVWXYZ23456789"
"""Letters of entry codes: none that can be misread."""

CODE_LENGTH = 8  # 31**8, some 10**12: not to be guessed at the rate of tries that is let through


def new_code() -> str:
    """Return a random code, with which an entry checks in and reports."""
    return "".join(secrets.choice(CODE_LETTERS) for _ in range(CODE_LENGTH))


class EntryQuerySet(models.QuerySet["Entry"]):
    """Entries with the related rows of their names."""

    def with_players(self) -> "EntryQuerySet":
        """Fetch pairs, players and bots along with the entries."""
        return self.select_related("pair__first", "pair__second", "player", "bot")


class Entry(models.Model):
    """A pair, a single player or a bot in one tournament.

    ``seats`` is the number of seats it fills at a table: a pair two, a player one, a bot either.
    With ``code`` its people check in and report, without an account. ``apart`` are labels: two
    entries with the same label are not paired. ``joined_round`` is the first round it can play in,
    ``fixed_table`` the table where it sits in every round (0: none). ``request`` is the sign-up
    that it came from; it is stored with the entry in restore points.
    """

    tournament = models.ForeignKey(Tournament, on_delete=models.CASCADE, related_name="entries")
    number = models.PositiveSmallIntegerField(_("number"))
    name = models.CharField(_("name"), max_length=MAX_NAME_LENGTH)
    folded = models.CharField(max_length=4 * MAX_NAME_LENGTH, editable=False)
    pair = models.ForeignKey(
        Pair, on_delete=models.PROTECT, related_name="entries", null=True, blank=True
    )
    player = models.ForeignKey(
        Player, on_delete=models.PROTECT, related_name="entries", null=True, blank=True
    )
    bot = models.ForeignKey(
        Bot, on_delete=models.PROTECT, related_name="entries", null=True, blank=True
    )
    seats = models.PositiveSmallIntegerField(default=2)
    rating = models.FloatField(_("seeding rating"), default=0.0)
    origin = models.CharField(_("club it comes from"), max_length=MAX_NAME_LENGTH, blank=True)
    apart = models.JSONField(_("not to meet"), default=list, blank=True)
    code = models.CharField(_("code"), max_length=12, default=new_code, editable=False)
    joined_round = models.PositiveSmallIntegerField(_("plays from round"), default=1)
    checked_in_at = models.DateTimeField(_("checked in"), null=True, blank=True)
    fixed_table = models.PositiveSmallIntegerField(
        _("table that it keeps"), default=0, db_default=0
    )
    request = models.OneToOneField(
        "tournaments.SignUpRequest",
        on_delete=models.SET_NULL,
        related_name="entry",
        null=True,
        blank=True,
        editable=False,
    )

    objects = EntryQuerySet.as_manager()

    class Meta:
        verbose_name = _("entry")
        verbose_name_plural = _("entries")
        ordering = ("tournament_id", "number")
        constraints = (
            models.UniqueConstraint(fields=("tournament", "number"), name="one_entry_per_number"),
            models.UniqueConstraint(fields=("tournament", "folded"), name="one_entry_per_name"),
            models.UniqueConstraint(fields=("tournament", "pair"), name="one_entry_per_pair"),
            models.UniqueConstraint(fields=("tournament", "player"), name="one_entry_per_player"),
            models.UniqueConstraint(fields=("tournament", "code"), name="one_entry_per_code"),
            models.CheckConstraint(
                condition=Q(pair__isnull=True, player__isnull=True, bot__isnull=False)
                | Q(pair__isnull=False, player__isnull=True, bot__isnull=True, seats=2)
                | Q(pair__isnull=True, player__isnull=False, bot__isnull=True, seats=1),
                name="an_entry_is_a_pair_a_player_or_a_bot",
            ),
            models.CheckConstraint(condition=Q(number__gte=1), name="entries_count_from_one"),
            models.CheckConstraint(
                condition=Q(joined_round__gte=1), name="nobody_plays_before_round_one"
            ),
        )

    def __str__(self) -> str:
        return f"{self.number}. {self.name}"

    @property
    def players(self) -> tuple[Player, ...]:
        """Its players; none for a bot, and none when only the name is known."""
        if self.pair is not None:
            return (self.pair.first, self.pair.second)
        return () if self.player is None else (self.player,)

    @cached_property
    def seat_names(self) -> tuple[str, ...]:
        """The names of its people, in seat order; computed once, as `shown_name`."""
        if self.pair is not None:
            return (self.pair.first.name, self.pair.second.name)
        if self.seats == 1:
            return (self.name if self.player is None else self.player.name,)
        return (f"{self.name} · 1", f"{self.name} · 2")

    @cached_property
    def shown_name(self) -> str:
        """Its name on pages and papers, computed once: a page of rounds shows it once a round."""
        return shown_name(self.name, self.seat_names)


class Absence(models.Model):
    """Rounds in which an entry is not paired: from one round until another, or for good.

    A withdrawal is revoked by setting its end; an expulsion has none.
    """

    class Kind(models.TextChoices):
        """The cause of the absence."""

        NO_SHOW = "no_show", _("did not come")
        WITHDRAWN = "withdrawn", _("withdrawn")
        EXPELLED = "expelled", _("expelled")
        BENCHED = "benched", _("on the bench")

    entry = models.ForeignKey(Entry, on_delete=models.CASCADE, related_name="absences")
    kind = models.CharField(_("kind"), max_length=10, choices=Kind.choices)
    from_round = models.PositiveSmallIntegerField(_("from round"))
    until_round = models.PositiveSmallIntegerField(_("until round"), null=True, blank=True)
    reason = models.TextField(_("reason"), blank=True)
    made_by = models.CharField(_("made by"), max_length=200)
    made_at = models.DateTimeField(default=timezone.now)

    class Meta:
        verbose_name = _("absence")
        verbose_name_plural = _("absences")
        ordering = ("entry_id", "from_round", "pk")
        constraints = (
            models.UniqueConstraint(
                fields=("entry",),
                condition=Q(until_round__isnull=True),
                name="one_open_absence_per_entry",
            ),
            models.CheckConstraint(
                condition=Q(until_round__isnull=True) | Q(until_round__gt=F("from_round")),
                name="an_absence_ends_after_it_begins",
            ),
            models.CheckConstraint(
                condition=~Q(kind="expelled") | Q(until_round__isnull=True),
                name="nobody_returns_from_expulsion",
            ),
        )

    def __str__(self) -> str:
        return f"{self.entry}: {self.get_kind_display()}"


class ByeRequest(models.Model):
    """A bye that an entry requested in one round, and its value."""

    class Kind(models.TextChoices):
        """The value: a win, a tie, nothing."""

        FULL = "full", _("full bye")
        HALF = "half", _("half bye")
        ZERO = "zero", _("bye without points")

    entry = models.ForeignKey(Entry, on_delete=models.CASCADE, related_name="bye_requests")
    round_number = models.PositiveSmallIntegerField(_("round"))
    kind = models.CharField(_("kind"), max_length=4, choices=Kind.choices)
    made_by = models.CharField(_("made by"), max_length=200)
    made_at = models.DateTimeField(default=timezone.now)

    class Meta:
        verbose_name = _("requested bye")
        verbose_name_plural = _("requested byes")
        ordering = ("entry_id", "round_number")
        constraints = (
            models.UniqueConstraint(
                fields=("entry", "round_number"), name="one_bye_request_per_round"
            ),
        )

    def __str__(self) -> str:
        return f"{self.entry}, {_('round')} {self.round_number}: {self.get_kind_display()}"


class Substitution(models.Model):
    """A player who replaces one of a pair, from one round until another."""

    entry = models.ForeignKey(Entry, on_delete=models.CASCADE, related_name="substitutions")
    leaves = models.ForeignKey(Player, on_delete=models.PROTECT, related_name="replaced_in")
    comes = models.ForeignKey(Player, on_delete=models.PROTECT, related_name="substitutions")
    from_round = models.PositiveSmallIntegerField(_("from round"))
    until_round = models.PositiveSmallIntegerField(_("until round"), null=True, blank=True)
    reason = models.TextField(_("reason"), blank=True)
    made_by = models.CharField(_("made by"), max_length=200)
    made_at = models.DateTimeField(default=timezone.now)

    class Meta:
        verbose_name = _("substitution")
        verbose_name_plural = _("substitutions")
        ordering = ("entry_id", "from_round", "pk")
        constraints = (
            models.CheckConstraint(
                condition=~Q(leaves=F("comes")), name="nobody_substitutes_himself"
            ),
            models.CheckConstraint(
                condition=Q(until_round__isnull=True) | Q(until_round__gt=F("from_round")),
                name="a_substitution_ends_after_it_begins",
            ),
        )

    def __str__(self) -> str:
        return f"{self.entry}: {self.comes} ({self.leaves})"


class Penalty(models.Model):
    """Points that an arbiter took from an entry; never changed, only revoked.

    A bonus is negative. Match points have two decimals at most.
    """

    entry = models.ForeignKey(Entry, on_delete=models.CASCADE, related_name="penalties")
    round_number = models.PositiveSmallIntegerField(_("round"))
    match_points = models.DecimalField(_("match points"), max_digits=7, decimal_places=2, default=0)
    hands = models.IntegerField(_("hands"), default=0)
    points = models.IntegerField(_("points"), default=0)
    reason = models.TextField(_("reason"))
    made_by = models.CharField(_("made by"), max_length=200)
    made_at = models.DateTimeField(default=timezone.now)
    revoked_at = models.DateTimeField(null=True, blank=True)
    revoked_by = models.CharField(max_length=200, blank=True)
    revocation = models.TextField(_("why it was revoked"), blank=True)

    class Meta:
        verbose_name = _("penalty")
        verbose_name_plural = _("penalties")
        ordering = ("entry_id", "round_number", "pk")
        constraints = (
            models.CheckConstraint(condition=~Q(reason=""), name="a_penalty_has_a_reason"),
            models.CheckConstraint(
                condition=~Q(match_points=0, hands=0, points=0), name="a_penalty_takes_something"
            ),
        )

    def __str__(self) -> str:
        return f"{self.entry}: {self.reason}"
