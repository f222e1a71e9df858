"""Tournaments, their stages, their rounds, and their restore points."""

from dataclasses import fields

from django.db import models
from django.db.models import Q
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

import engine
from tournaments.domain.file import rules_from_dict, rules_to_dict
from tournaments.domain.names import MAX_ANNOUNCEMENT_LENGTH, MAX_NAME_LENGTH
from tournaments.domain.pairing import FORMATS, Format
from tournaments.domain.rows import StageRules
from tournaments.domain.sides import PLACES
from tournaments.models.people import MAX_TERMS_LENGTH, Club

MAX_LINE_LENGTH = 200
"""Characters of a line that a tournament's page announces."""

MAX_RULES_LENGTH = MAX_TERMS_LENGTH
"""Characters of a club's own rules; chosen: two printed pages."""

_RULES = frozenset(field.name for field in fields(StageRules))


class TournamentManager(models.Manager["Tournament"]):
    """All tournaments but discarded drafts."""

    def get_queryset(self) -> models.QuerySet["Tournament"]:
        """Leave out discarded drafts, which exist only for their history."""
        return super().get_queryset().filter(discarded_at__isnull=True)


class Tournament(models.Model):
    """A tournament of a club under one ruleset.

    ``options`` are the house rules and the length of a match, as in a record (F1); where ``cotos``
    is more than one, a match is won by that number of records, each of that length. ``unit`` is
    what enters: pairs, or single players. ``version`` increases with every change of the standings,
    which are cached under it; it also identifies the results that counted when a round was drawn.
    The slug never changes: the deals of bot rounds are drawn from it.

    A result reported by a side counts once the other side has confirmed it, or
    ``minutes_to_object`` have passed without an objection; with ``confirmation`` off it counts at
    once. Rows of earlier releases have only hours (``confirm_after``), others ``confirm_minutes``.
    ``bye_quota`` is the number of byes an entry may ask for, ``no_show_minutes`` the delay after
    which an absent side forfeits; ``round_minutes`` is proposed for the clock of its rounds.
    ``begins_at``, ``place`` and ``prizes`` are what its page announces, each a line at most.

    Where bots alone play, a match can consist of ``deal_sets`` sets: the same deals once for every
    seating, each in a record of its own. ``stop`` is the sequential test that ends a match as soon
    as it is decided, as the engine's `Sprt` takes it; empty: all sets are played.

    ``announcement`` is what the club tells the hall now, ``announced_at`` since when; earlier ones
    are in the history.

    While ``posted_at`` is set, strangers see the poster of a draft; ``cancelled_at`` says that it
    will not be played, and why. ``rules_text`` are the club's own rules. Amounts of its prizes are
    meant for ``prizes_meant_for`` entries: with fewer they scale down, with more up where
    ``prizes_scale_up``, in steps of ``prizes_unit`` cents.

    Where it is ``open_to_bots``, authors enter their own bots, and no organiser is needed.

    A discarded draft stays as a row without anything below it, ``discarded_at`` saying when,
    because the events of the history name it; only queries over whole databases return it.
    """

    class State(models.TextChoices):
        """A draft still accepts entries; a running one has its rounds drawn."""

        DRAFT = "draft", _("draft")
        RUNNING = "running", _("running")
        FINISHED = "finished", _("finished")

    class Visibility(models.TextChoices):
        """Who sees it once it is no draft: everybody, or the club and its own entries' people."""

        PUBLIC = "public", _("everybody")
        PRIVATE = "private", _("the club and those who play")

    class Unit(models.TextChoices):
        """The kind of its entries."""

        PAIR = "pair", _("pairs")
        PLAYER = "player", _("players")

    club = models.ForeignKey(Club, on_delete=models.PROTECT, related_name="tournaments")
    name = models.CharField(_("name"), max_length=MAX_NAME_LENGTH)
    slug = models.SlugField(_("short name"), unique=True)
    ruleset = models.CharField(_("ruleset"), max_length=40)
    options = models.JSONField(default=dict)
    cotos = models.PositiveSmallIntegerField(_("cotos that win a match"), default=1)
    deal_sets = models.PositiveSmallIntegerField(_("deal sets of a match"), default=0)
    stop = models.JSONField(default=dict, blank=True)
    unit = models.CharField(_("who enters"), max_length=6, choices=Unit.choices, default=Unit.PAIR)
    state = models.CharField(_("state"), max_length=10, choices=State.choices, default=State.DRAFT)
    visibility = models.CharField(
        _("who sees it"),
        max_length=10,
        choices=Visibility.choices,
        default=Visibility.PUBLIC,
        db_default=Visibility.PUBLIC,
    )
    version = models.PositiveIntegerField(default=1)
    confirmation = models.BooleanField(_("the other side confirms"), default=True)
    confirm_after = models.PositiveSmallIntegerField(_("hours to object"), default=48)
    confirm_minutes = models.PositiveIntegerField(_("minutes to object"), null=True, blank=True)
    round_minutes = models.PositiveSmallIntegerField(_("minutes of a round"), null=True, blank=True)
    bye_quota = models.PositiveSmallIntegerField(_("byes one may ask for"), default=1)
    no_show_minutes = models.PositiveSmallIntegerField(_("minutes to wait"), default=15)
    late_minutes = models.PositiveSmallIntegerField(
        _("minutes of lateness that cost a hand"), null=True, blank=True
    )
    grace_minutes = models.PositiveSmallIntegerField(
        _("minutes of grace in the first round"), null=True, blank=True
    )
    self_check_in = models.BooleanField(_("check in by oneself"), default=True)
    points_required = models.BooleanField(
        _("card points are required"), default=False, db_default=False
    )
    sides_agree_days = models.BooleanField(
        _("the sides may agree another day"), default=True, db_default=True
    )
    open_to_bots = models.BooleanField(_("open to bots"), default=False, db_default=False)
    check_in_closed_at = models.DateTimeField(null=True, blank=True)
    announcement = models.CharField(
        _("announcement"), max_length=MAX_ANNOUNCEMENT_LENGTH, default="", db_default="", blank=True
    )
    announced_at = models.DateTimeField(null=True, blank=True)
    discarded_at = models.DateTimeField(null=True, blank=True)
    created_at = models.DateTimeField(default=timezone.now)
    begins_at = models.DateTimeField(_("begins"), null=True, blank=True)
    place = models.CharField(
        _("where it is played"), max_length=MAX_NAME_LENGTH, default="", db_default="", blank=True
    )
    prizes = models.CharField(
        _("prizes"), max_length=MAX_LINE_LENGTH, default="", db_default="", blank=True
    )
    posted_at = models.DateTimeField(_("posted"), null=True, blank=True)
    cancelled_at = models.DateTimeField(_("cancelled"), null=True, blank=True)
    cancel_reason = models.CharField(
        _("reason"), max_length=MAX_LINE_LENGTH, default="", db_default="", blank=True
    )
    rules_text = models.TextField(
        _("rules of the club"), max_length=MAX_RULES_LENGTH, default="", db_default="", blank=True
    )
    prizes_meant_for = models.PositiveSmallIntegerField(
        _("entries that the prizes are meant for"), null=True, blank=True
    )
    prizes_scale_up = models.BooleanField(
        _("prizes rise with more entries"), default=False, db_default=False
    )
    prizes_unit = models.PositiveSmallIntegerField(
        _("step of the amounts"), default=100, db_default=100
    )

    objects = TournamentManager()

    class Meta:
        verbose_name = _("tournament")
        verbose_name_plural = _("tournaments")
        ordering = ("-created_at", "-pk")
        constraints = (
            models.CheckConstraint(
                condition=Q(state__in=("draft", "running", "finished")),
                name="tournament_state_is_known",
            ),
            models.CheckConstraint(
                condition=Q(visibility__in=("public", "private")),
                name="tournament_visibility_is_known",
            ),
            models.CheckConstraint(condition=Q(cotos__gte=1), name="a_match_is_won_by_a_coto"),
            models.CheckConstraint(
                condition=Q(deal_sets=0) | Q(cotos=1),
                name="deal_sets_are_no_cotos",
            ),
        )

    def __str__(self) -> str:
        return self.name

    @property
    def minutes_to_object(self) -> int:
        """The minutes after which a report that nobody objects to counts."""
        return self.confirm_after * 60 if self.confirm_minutes is None else self.confirm_minutes


class Stage(models.Model):
    """A part of a tournament under one format.

    ``settings`` are the stage's rules where they differ from the format's own (`StageRules` in the
    form of a tournament file). Once the stage has begun, ``entrants`` holds the numbers of its
    entries in seeding order, and ``seed`` (32 random bytes in hexadecimal) is the source of its
    random draws; ``lots`` are the numbers drawn for places, by entry number. Where all tables play
    the same deals, these come from ``deal_seed``, bound by ``commitment``; it stays secret until
    all of them have been played.

    ``round_minutes`` is proposed for the clock of its rounds, in place of the tournament's;
    ``warn_minutes`` before the end the clock says so.

    ``draws`` are the draws of the seeding order, the last one in force: ``number``, ``seed``,
    ``commitment``, ``seeding``, ``entrants`` in order, ``at``, the ``reason`` to draw again and, by
    entry number, the ``facts`` that the draw used (missing in draws of earlier versions).
    Restoring never removes one. ``next_seed`` is the seed of the next draw; it is secret until
    then, and bound by `next_commitment`.
    """

    tournament = models.ForeignKey(Tournament, on_delete=models.CASCADE, related_name="stages")
    number = models.PositiveSmallIntegerField(_("number"), default=1)
    name = models.CharField(_("name"), max_length=MAX_NAME_LENGTH, blank=True)
    format = models.CharField(_("format"), max_length=20)
    settings = models.JSONField(default=dict, blank=True)
    entrants = models.JSONField(default=list, blank=True)
    seed = models.CharField(max_length=64, blank=True)
    lots = models.JSONField(default=dict, blank=True)
    deal_seed = models.CharField(max_length=64, blank=True)
    commitment = models.CharField(_("commitment"), max_length=64, blank=True)
    begun_at = models.DateTimeField(_("begun"), null=True, blank=True)
    round_minutes = models.PositiveSmallIntegerField(_("minutes of a round"), null=True, blank=True)
    warn_minutes = models.PositiveSmallIntegerField(
        _("minutes of the warning"), null=True, blank=True
    )
    draws = models.JSONField(default=list, db_default=[], blank=True, editable=False)
    next_seed = models.CharField(
        max_length=64, default="", db_default="", blank=True, editable=False
    )

    class Meta:
        verbose_name = _("stage")
        verbose_name_plural = _("stages")
        ordering = ("tournament_id", "number")
        constraints = (
            models.UniqueConstraint(fields=("tournament", "number"), name="one_stage_per_number"),
            models.CheckConstraint(
                condition=Q(begun_at__isnull=True) | ~Q(seed=""), name="a_stage_begins_with_a_seed"
            ),
        )

    def __str__(self) -> str:
        return f"{self.tournament}, {self.format}"

    @property
    def kind(self) -> Format:
        """The format, which draws and ranks."""
        return FORMATS[self.format]

    @property
    def is_drawn_ahead(self) -> bool:
        """Every round is drawn before the first is played."""
        # Most formats say so without the rules, which are read from the settings at each call
        return self.kind.all_at_once or self.kind.is_drawn_ahead(self.rules)

    @property
    def label(self) -> str:
        """The label under which its deals are drawn and committed to: tournament and stage."""
        return f"{self.tournament.slug}/{self.number}"

    @property
    def next_commitment(self) -> str:
        """SHA-256 that binds the seed of the next draw; empty while there is none."""
        if not self.next_seed:
            return ""
        label = f"{self.label}/draw/{len(self.draws) + 1}"
        return engine.commitment(label, bytes.fromhex(self.next_seed))

    @property
    def drawn(self) -> int | None:
        """The number of entrants in the draw, if others entered later; else None."""
        count = len(self.draws[-1]["entrants"]) if self.draws and self.entrants else None
        return count if count is not None and count < len(self.entrants) else None

    @property
    def planned_rounds(self) -> int | None:
        """The rounds that it is to have; None while that depends on results or on who enters it."""
        if not self.entrants:
            return None
        # The movement of a duplicate is chosen once: a late pair takes an empty seat, or none.
        count = self.drawn if self.kind.same_deals else None
        return self.kind.rounds(count or len(self.entrants), self.rules)

    @property
    def deals_are_open(self) -> bool:
        """Whether its rounds are played and closed to the last, so that the deals may be shown.

        Rounds that are still to be drawn play the same deals, unless the tournament is finished.
        """
        rounds = self.rounds.all()
        is_left = Q(matches__state__in=("pending", "reported", "disputed", "postponed"))
        unfinished = rounds.filter(~Q(state=Round.State.CLOSED) | is_left)
        if not rounds.exists() or unfinished.exists():
            return False
        return self.tournament.state == Tournament.State.FINISHED or not self._lacks_rounds

    @property
    def _lacks_rounds(self) -> bool:
        """Whether rounds are still to be drawn; their number follows from the first one's seats."""
        seats = self.rounds.earliest("number").matches.values_list(*PLACES)
        entrants = sum(entry is not None for match in seats for entry in match)
        planned = self.kind.rounds(entrants, self.rules)
        return planned is not None and self.rounds.count() < planned

    @property
    def keeps_deals_secret(self) -> bool:
        """Whether tables have still to play the deals that others have played."""
        return self.kind.same_deals and not self.deals_are_open

    @property
    def rules(self) -> StageRules:
        """The stage's own rules, with the format's for the rest.

        Rules that this release does not know are left out: a newer release may have stored them
        before an upgrade was taken back.
        """
        known = {name: value for name, value in self.settings.items() if name in _RULES}
        return rules_from_dict(known, self.kind.rules)

    @rules.setter
    def rules(self, rules: StageRules) -> None:
        """Set the rules; those that this release does not know stay for the newer one."""
        unknown = {name: value for name, value in self.settings.items() if name not in _RULES}
        self.settings = rules_to_dict(rules, self.kind.rules) | unknown


class Round(models.Model):
    """A round: its matches are played at the same time.

    ``seed`` (32 random bytes in hexadecimal) is the source of the deals of bot matches. It stays
    secret until the round is closed; ``commitment`` binds it from publication on.
    ``play_requested_at`` is when the bots were asked to play; while ``paused_at`` is set, workers
    claim none of its matches. ``drawn`` stores the input of the draw: the tournament's version, the
    entries present, the requested byes and the pinned tables; of a draft also the change after
    which the service has drawn it ``again``, or it is ``outdated`` (`director.services.drafts`).
    ``minutes`` is the length of the round from ``clock_started_at``, and ``clock_stopped_at`` is
    when the clock was stopped. ``day`` is when it is planned.
    """

    class State(models.TextChoices):
        """A draft is seen by the club alone; records are accepted while published."""

        DRAFT = "draft", _("draft")
        PUBLISHED = "published", _("published")
        CLOSED = "closed", _("closed")

    stage = models.ForeignKey(Stage, on_delete=models.CASCADE, related_name="rounds")
    day = models.ForeignKey(
        "tournaments.Day", on_delete=models.SET_NULL, related_name="rounds", null=True, blank=True
    )
    number = models.PositiveSmallIntegerField(_("number"))
    state = models.CharField(_("state"), max_length=10, choices=State.choices, default=State.DRAFT)
    seed = models.CharField(max_length=64)
    commitment = models.CharField(_("commitment"), max_length=64)
    published_at = models.DateTimeField(_("published"), null=True, blank=True)
    closed_at = models.DateTimeField(_("closed"), null=True, blank=True)
    play_requested_at = models.DateTimeField(null=True, blank=True)
    paused_at = models.DateTimeField(null=True, blank=True)
    drawn = models.JSONField(default=dict, blank=True)
    minutes = models.PositiveSmallIntegerField(_("minutes"), null=True, blank=True)
    clock_started_at = models.DateTimeField(null=True, blank=True)
    clock_stopped_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        verbose_name = _("round")
        verbose_name_plural = _("rounds")
        ordering = ("stage_id", "number")
        constraints = (
            models.UniqueConstraint(fields=("stage", "number"), name="one_round_per_number"),
            models.CheckConstraint(
                condition=Q(state="draft", published_at__isnull=True, closed_at__isnull=True)
                | Q(state="published", published_at__isnull=False, closed_at__isnull=True)
                | Q(state="closed", published_at__isnull=False, closed_at__isnull=False),
                name="round_state_agrees_with_its_times",
            ),
        )

    def __str__(self) -> str:
        return f"{self.stage.tournament}, {_('round')} {self.number}"

    @property
    def label(self) -> str:
        """The label of the commitment: tournament and round."""
        return f"{self.stage.tournament.slug}/{self.number}"

    @property
    def is_outdated(self) -> bool:
        """Whether it is a draft that would be drawn otherwise now."""
        return self.state == self.State.DRAFT and "outdated" in self.drawn


class RestorePoint(models.Model):
    """The rows of a tournament before a verb that may be undone.

    ``verb`` is that verb, ``snapshot`` the rows by model, ``used_at`` when the tournament was
    restored to this point.
    """

    tournament = models.ForeignKey(
        Tournament, on_delete=models.CASCADE, related_name="restore_points"
    )
    verb = models.CharField(_("before"), max_length=40)
    round_number = models.PositiveSmallIntegerField(_("round"), null=True, blank=True)
    version = models.PositiveIntegerField()
    snapshot = models.JSONField()
    made_by = models.CharField(_("made by"), max_length=200)
    made_at = models.DateTimeField(default=timezone.now)
    used_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        verbose_name = _("restore point")
        verbose_name_plural = _("restore points")
        ordering = ("tournament_id", "-pk")

    def __str__(self) -> str:
        return f"{self.tournament}: {self.verb}"
