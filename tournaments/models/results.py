"""The results of matches in all their versions, and the disputes about them."""

from typing import Any, Final

from django.db import models
from django.db.models import F, Q
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from tournaments.models.matches import Match


class ResultQuerySet(models.QuerySet["Result"]):
    """Results, the superseded ones included."""

    def live(self) -> "ResultQuerySet":
        """Keep the newest version for each match, whether it counts yet or not."""
        return self.filter(live=True)

    def counting(self) -> "ResultQuerySet":
        """Keep those that count for the standings."""
        return self.filter(counts_from__isnull=False, counts_until__isnull=True)

    def counted_at(self, version: int) -> "ResultQuerySet":
        """Keep those that counted for the standings in that version of the tournament."""
        return self.filter(counts_from__lte=version).filter(
            Q(counts_until__isnull=True) | Q(counts_until__gt=version)
        )


class Result(models.Model):
    """A version of a match's result: never changed, only superseded. One version is live.

    It counts for the standings from the version of the tournament ``counts_from`` until
    ``counts_until``; one that waits for confirmation or is superseded does not. ``depth`` is the
    evidence it is based on; ``record`` is the replayed one; ``hand_scores`` the points of each hand
    when only those were recorded, ``[{"home": 70, "away": 60}, …]`` (with the ``board`` in
    duplicate). ``reported_for`` is the side that reported it, empty when the club did. ``forfeits``
    are the sides that did not play, ``decided`` the side that goes on from a match that ended
    level; ``cut``: time ended the match. ``places`` are those of the sides, in seat order, where
    they were stated; hands are 0 then.
    """

    class Depth(models.TextChoices):
        """The evidence of a result, from the deepest to the shallowest."""

        RECORD = "record", _("record replayed")
        HANDS = "hands", _("scores of the hands")
        SCORE = "score", _("score of the match")
        RULING = "ruling", _("ruling of the arbiter")
        FORFEIT = "forfeit", _("forfeit")

    class Winner(models.TextChoices):
        """The winner of the match."""

        HOME = "home", _("home")
        AWAY = "away", _("away")
        TIE = "tie", _("tie")
        THIRD = "third", _("third")
        FOURTH = "fourth", _("fourth")
        FIFTH = "fifth", _("fifth")
        NOBODY = "nobody", _("nobody")

    match = models.ForeignKey(Match, on_delete=models.CASCADE, related_name="results")
    version = models.PositiveSmallIntegerField(_("version"))
    live = models.BooleanField(_("last word"), default=True)
    counts_from = models.PositiveIntegerField(null=True, blank=True)
    counts_until = models.PositiveIntegerField(null=True, blank=True)
    depth = models.CharField(_("depth"), max_length=8, choices=Depth.choices, default=Depth.RECORD)
    record = models.ForeignKey(
        "tournaments.Record",
        on_delete=models.PROTECT,
        related_name="results",
        null=True,
        blank=True,
    )
    home_hands = models.PositiveIntegerField(_("hands won by home"))
    away_hands = models.PositiveIntegerField(_("hands won by away"))
    home_points = models.PositiveIntegerField(_("points of home"))
    away_points = models.PositiveIntegerField(_("points of away"))
    third_hands = models.PositiveIntegerField(_("hands won by third"), null=True, blank=True)
    third_points = models.PositiveIntegerField(_("points of third"), null=True, blank=True)
    fourth_hands = models.PositiveIntegerField(_("hands won by fourth"), null=True, blank=True)
    fourth_points = models.PositiveIntegerField(_("points of fourth"), null=True, blank=True)
    fifth_hands = models.PositiveIntegerField(_("hands won by fifth"), null=True, blank=True)
    fifth_points = models.PositiveIntegerField(_("points of fifth"), null=True, blank=True)
    places = models.JSONField(_("places at the table"), null=True, blank=True)
    winner = models.CharField(_("winner"), max_length=6, choices=Winner.choices)
    forfeits = models.JSONField(default=list, blank=True)
    decided = models.CharField(max_length=6, blank=True)
    cut = models.BooleanField(_("cut by time"), default=False, db_default=False)
    hand_scores = models.JSONField(default=list, blank=True)
    reported_for = models.CharField(max_length=6, blank=True)
    confirmed_by = models.CharField(_("confirmed by"), max_length=200, blank=True)
    confirmed_at = models.DateTimeField(_("confirmed"), null=True, blank=True)
    reason = models.TextField(_("reason"), blank=True)
    made_by = models.CharField(_("made by"), max_length=200)
    made_at = models.DateTimeField(default=timezone.now)

    objects = ResultQuerySet.as_manager()

    class Meta:
        verbose_name = _("result")
        verbose_name_plural = _("results")
        ordering = ("match_id", "-version")
        constraints = (
            models.UniqueConstraint(fields=("match", "version"), name="one_result_per_version"),
            models.UniqueConstraint(
                fields=("match",), condition=Q(live=True), name="one_live_result_per_match"
            ),
            models.UniqueConstraint(
                fields=("match",),
                condition=Q(counts_from__isnull=False, counts_until__isnull=True),
                name="one_counting_result_per_match",
            ),
            models.CheckConstraint(
                condition=Q(winner="home", home_hands__gt=F("away_hands"))
                | Q(winner="away", home_hands__lt=F("away_hands"))
                | Q(winner="tie", home_hands=F("away_hands"))
                | Q(depth="forfeit")
                | ~Q(decided="")
                | Q(third_hands__isnull=False),
                name="the_winner_has_more_hands",
            ),
            models.CheckConstraint(
                condition=Q(depth="record", record__isnull=False)
                | Q(depth__in=("hands", "score"))
                | Q(depth__in=("ruling", "forfeit")) & ~Q(reason=""),
                name="a_result_has_a_record_or_a_reason",
            ),
            models.CheckConstraint(
                condition=Q(counts_until__isnull=True)
                | Q(counts_from__isnull=False, counts_until__gte=F("counts_from")),
                name="a_result_counts_before_it_ceases",
            ),
        )

    def __str__(self) -> str:
        return f"{self.home_hands}-{self.away_hands}"

    @property
    def counts(self) -> bool:
        """Whether it counts for the standings now."""
        return self.counts_from is not None and self.counts_until is None


class DisputeQuerySet(models.QuerySet["Dispute"]):
    """Disputes selected by whether they wait for the arbiter."""

    def open(self) -> "DisputeQuerySet":
        """Keep those without a ruling."""
        return self.filter(state__in=UNRULED_STATES)

    def unsettled(self) -> "DisputeQuerySet":
        """Keep the open ones, and those with an interim ruling."""
        return self.filter(state__in=UNSETTLED_STATES)


class Dispute(models.Model):
    """A disagreement about a match, open until the arbiter rules.

    ``record`` is the record that contradicted the accepted one, if any, ``result`` the version that
    contradicted the live one, if any. ``reviewed_by`` is the arbiter who has taken it up;
    ``ruling`` is the arbiter's text.
    """

    class State(models.TextChoices):
        """Open, under review, or the kind of its ruling: interim or final."""

        OPEN = "open", _("open")
        UNDER_REVIEW = "review", _("under review")
        INTERIM = "interim", _("result counts for now")
        UPHELD = "upheld", _("result upheld")
        AMENDED = "amended", _("result amended")
        VOIDED = "voided", _("result voided")

    match = models.ForeignKey(Match, on_delete=models.CASCADE, related_name="disputes")
    record = models.ForeignKey(
        "tournaments.Record",
        on_delete=models.PROTECT,
        related_name="disputes",
        null=True,
        blank=True,
    )
    result = models.ForeignKey(
        Result, on_delete=models.SET_NULL, related_name="disputes", null=True, blank=True
    )
    reason = models.TextField(_("reason"))
    opened_by = models.CharField(_("opened by"), max_length=200)
    opened_at = models.DateTimeField(default=timezone.now)
    reviewed_by = models.CharField(_("taken up by"), max_length=200, blank=True)
    reviewed_at = models.DateTimeField(null=True, blank=True)
    state = models.CharField(_("state"), max_length=10, choices=State.choices, default=State.OPEN)
    ruling = models.TextField(_("ruling"), blank=True)
    ruled_by = models.CharField(_("ruled by"), max_length=200, blank=True)
    ruled_at = models.DateTimeField(null=True, blank=True)

    objects = DisputeQuerySet.as_manager()

    class Meta:
        verbose_name = _("dispute")
        verbose_name_plural = _("disputes")
        ordering = ("match_id", "-opened_at", "-pk")
        constraints = (
            models.UniqueConstraint(
                fields=("match",),
                condition=Q(state__in=("open", "review")),
                name="one_open_dispute_per_match",
            ),
            models.CheckConstraint(
                condition=Q(state__in=("open", "review"), ruled_at__isnull=True)
                | (~Q(state__in=("open", "review")) & Q(ruled_at__isnull=False) & ~Q(ruling="")),
                name="a_ruling_has_a_time_and_a_reason",
            ),
        )

    def __str__(self) -> str:
        return f"{self.match}: {self.reason}"

    @property
    def is_open(self) -> bool:
        """Whether no arbiter has ruled on it."""
        return self.state in UNRULED_STATES

    @property
    def is_unsettled(self) -> bool:
        """Whether it waits for its final ruling."""
        return self.state in UNSETTLED_STATES

    @property
    def contradiction(self) -> dict[str, Any]:
        """What contradicts the result, as arguments of a ruling that lets it count instead."""
        return {"record": self.record} if self.record else {"result": self.result}


UNRULED_STATES: Final = (Dispute.State.OPEN, Dispute.State.UNDER_REVIEW)
"""The states of a dispute without a ruling."""

UNSETTLED_STATES: Final = (*UNRULED_STATES, Dispute.State.INTERIM)
"""The states of a dispute without a final ruling."""

SETTLED_DEPTHS: Final = (Result.Depth.RULING, Result.Depth.FORFEIT)
"""The depths of results that only the arbiter gives."""
