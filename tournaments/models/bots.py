"""Bots: programs that play, the versions that authors have submitted, and the pause of all bots."""

from datetime import timedelta
from typing import Final

from django.conf import settings
from django.db import models
from django.db.models import Exists, OuterRef, Q, Subquery
from django.db.models.functions import Now
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from tournaments.domain.names import MAX_NAME_LENGTH
from tournaments.models.people import Club

CLIENT_SILENCE: Final = timedelta(minutes=2)
"""How long the client of a remote bot may not ask for turns and the bot still counts as there."""


class BotQuerySet(models.QuerySet["Bot"]):
    """Bots selected by state."""

    def playable(self) -> "BotQuerySet":
        """Keep those that can be entered: neither retired nor benched, programs once checked."""
        ready = BotVersion.objects.filter(bot=OuterRef("pk"), state=BotVersion.State.READY)
        is_ready = ~Q(kind=Bot.Kind.PROGRAM) | Exists(ready)
        return self.filter(is_ready, retired_at__isnull=True, benched_at__isnull=True)

    def silent(self) -> "BotQuerySet":
        """Keep remote ones whose client has not asked for turns lately, by the database's clock."""
        asks = Q(asked_at__gt=Now() - CLIENT_SILENCE)
        return self.filter(~asks | Q(asked_at__isnull=True), kind=Bot.Kind.REMOTE)

    def in_state(self, state: str) -> "BotQuerySet":
        """Keep those in a state as lists show it.

        A bot is ``retired`` or ``benched``; else ``ready`` as soon as it may play; else in the
        state of its newest version, ``empty`` without one.
        """
        if state == "retired":
            return self.filter(retired_at__isnull=False)
        if state == "benched":
            return self.filter(retired_at__isnull=True, benched_at__isnull=False)
        if state == "ready":
            return self.playable()
        versions = BotVersion.objects.filter(bot=OuterRef("pk"))
        newest = Subquery(versions.order_by("-number").values("state")[:1])
        waits = self.filter(
            ~Exists(versions.filter(state=BotVersion.State.READY)),
            kind=Bot.Kind.PROGRAM,
            retired_at__isnull=True,
            benched_at__isnull=True,
        ).alias(newest=newest)
        if state == "empty":
            return waits.filter(newest__isnull=True)
        return waits.filter(newest=state)


class Bot(models.Model):
    """A program that can be entered in tournaments.

    A house bot, by its kind; a submitted program, which the workers run; or a remote one that
    fetches its turns over the API. ``owner`` is its author, who is responsible for it. It is
    checked and entered for its ``rulesets``, for all of them where it names none. A bot that failed
    too often is benched, ``benched_for`` saying when and where, until it is put back: schedules
    leave it out. A retired one is not entered any more. ``asked_at`` is when the client of a remote
    one last asked for its turns, to half a minute.
    """

    class Kind(models.TextChoices):
        """The house bots, by their names in the engine; and the submitted kinds."""

        RANDOM = "random", _("plays at random")
        SIMPLE = "simple", _("plays by simple rules")
        QUICK = "quick", _("looks ahead a little")
        STRONG = "strong", _("looks ahead")
        DEEP = "deep", _("looks ahead for long")
        PROGRAM = "program", _("program")
        REMOTE = "remote", _("connected over the API")

    name = models.CharField(_("name"), max_length=MAX_NAME_LENGTH)
    slug = models.SlugField(_("short name"), unique=True)
    kind = models.CharField(_("kind"), max_length=10, choices=Kind.choices)
    club = models.ForeignKey(
        Club, on_delete=models.PROTECT, related_name="bots", null=True, blank=True
    )
    owner = models.ForeignKey(
        settings.AUTH_USER_MODEL,
        on_delete=models.SET_NULL,
        related_name="bots",
        null=True,
        blank=True,
    )
    about = models.TextField(_("about"), blank=True)
    rulesets = models.JSONField(default=list, db_default=[], blank=True)
    benched_at = models.DateTimeField(_("benched"), null=True, blank=True)
    benched_for = models.JSONField(default=dict, blank=True)
    retired_at = models.DateTimeField(_("retired"), null=True, blank=True)
    asked_at = models.DateTimeField(_("asked for turns"), null=True, blank=True)

    objects = BotQuerySet.as_manager()

    class Meta:
        verbose_name = _("bot")
        verbose_name_plural = _("bots")
        ordering = ("name", "pk")
        constraints = (
            models.CheckConstraint(
                condition=Q(
                    kind__in=(
                        "random",
                        "simple",
                        "quick",
                        "strong",
                        "deep",
                        "program",
                        "remote",
                    )
                ),
                name="bot_kind_is_known",
            ),
        )

    def __str__(self) -> str:
        return self.name

    def plays(self, ruleset: str) -> bool:
        """Whether it may be entered where this ruleset is played."""
        return not self.rulesets or ruleset in self.rulesets


SUBMITTED_KINDS: Final = (Bot.Kind.PROGRAM, Bot.Kind.REMOTE)
"""The kinds that users submit; all others are the engine's."""


CHECK_LEASE: Final = timedelta(seconds=150)
"""How long a worker may be silent about a check before another may continue it.

Longer than its task may run (`tournaments.people.tasks`), so that the first is dead by then.
"""

CHECK_TRIES: Final = 3
"""How often in a row a check may break off before it has to be requested again."""


class BotVersionQuerySet(models.QuerySet["BotVersion"]):
    """Versions selected by the work they need."""

    def due(self) -> "BotVersionQuerySet":
        """Keep those that wait for a check that a worker may begin or continue now."""
        is_free = Q(check_until__isnull=True) | Q(check_until__lt=Now())
        waits = Q(state=BotVersion.State.CHECKING, check_tries__lt=CHECK_TRIES)
        return self.filter(is_free & waits)


class BotVersion(models.Model):
    """A version of a program, never changed: its source text, or a command of the machine.

    ``sha256`` is that of the text or of the command as JSON. A text is always run in the sandbox;
    only a command that the staff marked ``trusted`` is not. Only versions that passed the check are
    ``ready`` to play. ``report`` is the result of the check so far, an entry for each test (``of``:
    their number; ``output``: what the bot wrote where it failed, by number of the test):
    `tournaments.people.services.programs`. ``check_token`` and ``check_until`` are the lease of the
    worker that checks it, ``check_tries`` how often in a row the check broke off, ``check_fault``
    why.
    """

    class Language(models.TextChoices):
        """The interpreter of the text."""

        PYTHON = "python", "Python"
        PERL = "perl", "Perl"
        COMMAND = "command", _("command")

    class State(models.TextChoices):
        """Whether it passed the check of the protocol."""

        CHECKING = "checking", _("being checked")
        READY = "ready", _("ready")
        REFUSED = "refused", _("does not pass the check")

    bot = models.ForeignKey(Bot, on_delete=models.CASCADE, related_name="versions")
    number = models.PositiveSmallIntegerField(_("number"))
    language = models.CharField(_("language"), max_length=10, choices=Language.choices)
    source = models.TextField(_("text"), blank=True)
    command = models.JSONField(default=list, blank=True)
    trusted = models.BooleanField(default=False)
    sha256 = models.CharField(max_length=64)
    state = models.CharField(
        _("state"), max_length=10, choices=State.choices, default=State.CHECKING
    )
    report = models.JSONField(default=dict, blank=True)
    made_by = models.CharField(_("made by"), max_length=200)
    made_at = models.DateTimeField(default=timezone.now)
    check_token = models.CharField(max_length=32, blank=True)
    check_until = models.DateTimeField(null=True, blank=True)
    check_tries = models.PositiveSmallIntegerField(default=0)
    check_fault = models.TextField(blank=True)
    checked_at = models.DateTimeField(_("checked"), null=True, blank=True)

    objects = BotVersionQuerySet.as_manager()

    class Meta:
        verbose_name = _("version of a bot")
        verbose_name_plural = _("versions of bots")
        ordering = ("bot_id", "-number")
        constraints = (
            models.UniqueConstraint(fields=("bot", "number"), name="one_version_per_number"),
            models.CheckConstraint(
                condition=Q(language="command", source="")
                | ~Q(language="command") & Q(trusted=False) & ~Q(source=""),
                name="a_version_is_a_text_or_a_command",
            ),
        )

    def __str__(self) -> str:
        return f"{self.bot} {self.number}"

    @property
    def is_stuck(self) -> bool:
        """Whether its check broke off as often as it may."""
        return self.state == self.State.CHECKING and self.check_tries >= CHECK_TRIES


ARENA_PK: Final = 1
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
