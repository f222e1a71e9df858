"""Work of bots: attempts at their matches, their forfeits and turns, and schedules of rounds."""

from typing import Final

from django.conf import settings
from django.db import models
from django.db.models import Q
from django.db.models.functions import Now
from django.utils import timezone
from django.utils.translation import gettext, gettext_noop
from django.utils.translation import gettext_lazy as _

from tournaments.core.errors import sentence_of
from tournaments.domain.timetable import Timetable
from tournaments.models.bots import Bot, BotVersion
from tournaments.models.matches import Match
from tournaments.models.tournaments import Round, Tournament


class Attempt(models.Model):
    """One lease of a bot match: the worker, the times and the outcome.

    ``worker`` is host and process. ``outcome`` is empty while it runs; an attempt whose lease
    expired without a report is marked ``lost`` by the worker that claims the match next. ``detail``
    describes the error.
    """

    STOPPED: Final = gettext_noop("the worker was stopped")
    """The one ``detail`` that is a message of the catalogue.

    That of a refused record is the code of the refusal, others are output of programs.
    """

    class Outcome(models.TextChoices):
        """How an attempt ended."""

        PLAYED = "played", _("played")
        WAITING = "waiting", _("waits for an answer")
        PARTLY = "partly", _("played in part")
        LATE = "late", _("too late")
        LOST = "lost", _("lost")
        REFUSED = "refused", _("refused")
        INFRASTRUCTURE = "infrastructure", _("fault of the machine")
        BROKEN = "broken", _("broken off")

    match = models.ForeignKey(Match, on_delete=models.CASCADE, related_name="bot_attempts")
    token = models.CharField(max_length=32)
    worker = models.CharField(_("worker"), max_length=200)
    started_at = models.DateTimeField(_("begun"))
    ended_at = models.DateTimeField(_("ended"), null=True, blank=True)
    outcome = models.CharField(_("outcome"), max_length=14, choices=Outcome.choices, blank=True)
    detail = models.TextField(_("detail"), blank=True)

    class Meta:
        verbose_name = _("attempt")
        verbose_name_plural = _("attempts")
        ordering = ("match_id", "started_at", "pk")
        constraints = (
            models.UniqueConstraint(fields=("match", "token"), name="one_attempt_per_lease"),
        )

    def __str__(self) -> str:
        return f"{self.match}, {self.worker}"

    @property
    def shown_detail(self) -> str:
        """The detail in the current language, as far as it is a message; a code with its text."""
        if self.outcome == self.Outcome.REFUSED:
            return f"{self.detail}: {sentence_of(self.detail)}"
        return gettext(self.detail) if self.detail == self.STOPPED else self.detail


class BotForfeit(models.Model):
    """A hand of an accepted record that a bot lost by a protocol failure.

    ``code`` is one of the engine's failure codes (`docs/bots/bot-protocol.md`), ``facts`` its
    particulars; ``reply`` is the bot's message, ``legal`` the possible answers, ``stderr`` the end
    of its error output, ``play`` the cards played so far. ``part`` is the number of the record
    within its match. ``unplayed`` hands were lost in one step because the bot was benched.
    """

    match = models.ForeignKey(Match, on_delete=models.CASCADE, related_name="bot_forfeits")
    bot = models.ForeignKey(Bot, on_delete=models.PROTECT, related_name="forfeits")
    version = models.ForeignKey(
        BotVersion, on_delete=models.PROTECT, related_name="forfeits", null=True, blank=True
    )
    part = models.PositiveSmallIntegerField(default=1)
    hand = models.PositiveSmallIntegerField(_("hand"))
    seat = models.CharField(_("seat"), max_length=1)
    code = models.CharField(_("code"), max_length=20)
    facts = models.JSONField(default=dict, blank=True)
    reply = models.TextField(_("reply"), blank=True)
    legal = models.TextField(_("legal"), blank=True)
    stderr = models.TextField(blank=True)
    play = models.TextField(_("play"), blank=True)
    unplayed = models.PositiveSmallIntegerField(default=0)
    made_at = models.DateTimeField(default=timezone.now)

    class Meta:
        verbose_name = _("forfeit of a bot")
        verbose_name_plural = _("forfeits of bots")
        ordering = ("match_id", "part", "hand")
        constraints = (
            models.UniqueConstraint(
                fields=("match", "part", "hand"), name="one_bot_forfeits_a_hand"
            ),
        )

    def __str__(self) -> str:
        return f"{self.bot}: {self.code}"


class BotLog(models.Model):
    """How a program behaved at a place of a match (``home``, ``away_partner`` …), for its author.

    ``times`` counts its answers by the binary digits of their whole milliseconds: ``"3"`` are
    those of 4 to 7. ``stderr`` is the end of its standard error over all records.
    """

    match = models.ForeignKey(Match, on_delete=models.CASCADE, related_name="bot_logs")
    bot = models.ForeignKey(Bot, on_delete=models.CASCADE, related_name="logs")
    place = models.CharField(max_length=12)
    times = models.JSONField(default=dict)
    stderr = models.TextField(blank=True)
    made_at = models.DateTimeField(default=timezone.now)

    class Meta:
        verbose_name = _("log of a bot")
        verbose_name_plural = _("logs of bots")
        ordering = ("match_id", "place")
        indexes = (models.Index(fields=("made_at",), name="logs_by_age"),)
        constraints = (
            models.UniqueConstraint(fields=("match", "place"), name="one_log_at_a_place"),
        )

    def __str__(self) -> str:
        return f"{self.bot}, {self.place}"


class BotTurnQuerySet(models.QuerySet["BotTurn"]):
    """Turns selected by the work they need."""

    def unanswered(self) -> "BotTurnQuerySet":
        """Keep those that have neither been answered nor failed."""
        return self.filter(answered_at__isnull=True)

    def of_matches_in_play(self) -> "BotTurnQuerySet":
        """Keep those of matches without a result, in published rounds.

        Not those of matches that are left to the arbiter: no worker would act on an answer.
        """
        return self.filter(
            match__state=Match.State.PENDING,
            match__round__state=Round.State.PUBLISHED,
            match__abandoned_at__isnull=True,
        )

    def open(self) -> "BotTurnQuerySet":
        """Keep those that can be answered now, by the database's clock."""
        return self.unanswered().of_matches_in_play().filter(due_at__gt=Now())


class BotTurn(models.Model):
    """A question to a bot and its answer: to a remote bot, or to one of its opponents.

    ``number`` counts the questions to a seat within a part (a record) of the match, from 1, a
    ``hello`` included; 0 are the farewells, which get no answer. ``messages`` are those of
    ``baza-bot/1`` since its last answer, the question last. ``say`` is the token it answered
    (``""`` is silence, and a ``ready``), ``failure`` the code of its protocol failure instead, with
    its ``facts``, ``evidence`` and the end of its ``stderr``; both are missing while the answer is
    awaited, until ``due_at`` by the database's clock.
    """

    match = models.ForeignKey(Match, on_delete=models.CASCADE, related_name="bot_turns")
    bot = models.ForeignKey(Bot, on_delete=models.PROTECT, related_name="turns")
    part = models.PositiveSmallIntegerField(default=1)
    seat = models.CharField(_("seat"), max_length=1)
    number = models.PositiveSmallIntegerField(_("number"))
    messages = models.JSONField(default=list)
    say = models.TextField(null=True, blank=True)
    failure = models.CharField(max_length=20, blank=True)
    facts = models.JSONField(default=dict, blank=True)
    evidence = models.TextField(blank=True)
    stderr = models.TextField(blank=True)
    asked_at = models.DateTimeField()
    due_at = models.DateTimeField()
    answered_at = models.DateTimeField(null=True, blank=True)

    objects = BotTurnQuerySet.as_manager()

    class Meta:
        verbose_name = _("turn of a bot")
        verbose_name_plural = _("turns of bots")
        ordering = ("match_id", "part", "pk")
        indexes = (
            models.Index(
                fields=("bot", "due_at"), condition=Q(answered_at=None), name="turns_waited_for"
            ),
            models.Index(
                fields=("bot", "answered_at"), condition=Q(number=0), name="turns_of_farewell"
            ),
            models.Index(fields=("asked_at",), name="turns_by_age"),
        )
        constraints = (
            models.UniqueConstraint(
                fields=("match", "part", "seat", "number"), name="one_question_at_a_time"
            ),
            models.CheckConstraint(
                condition=Q(answered_at__isnull=True, say__isnull=True, failure="")
                | Q(answered_at__isnull=False, say__isnull=False, failure="")
                | Q(answered_at__isnull=False, say__isnull=True) & ~Q(failure=""),
                name="an_answer_says_something_or_fails",
            ),
        )

    def __str__(self) -> str:
        return f"{self.bot}, {self.number}"

    @property
    def is_greeting(self) -> bool:
        """Whether the question is a ``hello``, which the bot answers when it is ready."""
        return bool(self.messages) and self.messages[-1]["type"] == "hello"


class ScheduleQuerySet(models.QuerySet["Schedule"]):
    """Schedules selected by the work they need."""

    def active(self) -> "ScheduleQuerySet":
        """Keep those that are on, of tournaments that are not over; ladders where these are on."""
        schedules = self.filter(is_on=True).exclude(tournament__state=Tournament.State.FINISHED)
        return schedules if settings.LADDERS else schedules.filter(tournament__open_to_bots=False)

    def due(self) -> "ScheduleQuerySet":
        """Keep those on and due, by the database's clock."""
        return self.active().filter(due_at__lte=Now())


class Schedule(models.Model):
    """The times at which rounds of a bot tournament are drawn and played automatically.

    At ``at`` o'clock in ``zone`` (a name of the time-zone database) on ``days`` (0 is Monday) an
    unfinished round is closed, and the next one is drawn, published and played. ``due_at`` is the
    next time; ``last_code`` the outcome of the last time, empty when a round was begun.
    """

    tournament = models.OneToOneField(Tournament, on_delete=models.CASCADE, related_name="schedule")
    is_on = models.BooleanField(_("on"), default=True)
    at = models.TimeField(_("at"))
    zone = models.CharField(_("time zone"), max_length=60, default="Europe/Madrid")
    days = models.JSONField(_("days"), default=list)
    due_at = models.DateTimeField(_("next time"))
    last_at = models.DateTimeField(_("last time"), null=True, blank=True)
    last_code = models.CharField(max_length=40, blank=True)
    last_facts = models.JSONField(default=dict, blank=True)
    made_by = models.CharField(_("made by"), max_length=200)

    objects = ScheduleQuerySet.as_manager()

    class Meta:
        verbose_name = _("schedule")
        verbose_name_plural = _("schedules")
        ordering = ("due_at", "pk")

    def __str__(self) -> str:
        return f"{self.tournament}, {self.at}"

    @property
    def timetable(self) -> Timetable:
        """The times at which it is due."""
        return Timetable(self.at, self.zone, tuple(self.days))
