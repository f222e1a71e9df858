"""Matches: the entries at a table of a round, and the state of their result."""

from collections.abc import Iterable, Mapping, Sequence
from datetime import date, datetime, timedelta
from typing import Any, Final

from django.db import models
from django.db.models import Exists, F, Q
from django.db.models.functions import Coalesce, TruncDate
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

import engine
from tournaments.domain.rows import Scoring, StageRules
from tournaments.domain.scores import Length, current_names, name_changes
from tournaments.domain.sides import PLACES, PLACES_BY_SIDE, SIDES
from tournaments.models.bots import Arena
from tournaments.models.entries import Entry
from tournaments.models.leases import LeasedQuerySet
from tournaments.models.tournaments import Round, Tournament

ATTEMPTS: Final = 3
"""How often a bot match is tried before it is left to the arbiter."""

LEASE: Final = timedelta(seconds=35)
"""How long a worker may be silent about a bot match before another may try.

While it plays it renews the lease every ten seconds (`results.services.leases`), so that a dead one
is noticed soon.
"""

NAMES: Final = (
    "round__stage__tournament__club",
    *(
        f"{place}__{relation}"
        for place in PLACES
        for relation in ("pair__first", "pair__second", "player", "bot")
        if relation in {"player", "bot"} or place in {"home", "away"}
    ),
)
"""The related rows that the names of a match are made of."""

TIMES: Final = (
    "postponed_to",
    "round__day__starts_at",
    "round__day__play_by",
    "round__stage__tournament__begins_at",
    "round__published_at",
)
"""The columns that say when a match is played: the first that is known, see `first_time`."""


def first_time(times: Iterable[datetime | date | None]) -> datetime | date | None:
    """Return when a match is played, from the values of `TIMES`.

    That is its own new day, else its round's, else the tournament's, else the publication; a date
    where the round has no hour.
    """
    return next((time for time in times if time is not None), None)


def day_of(time: datetime | date) -> date:
    """Return the day of a time in the club's zone; a date is its own day."""
    return timezone.localdate(time) if isinstance(time, datetime) else time


def day_played(prefix: str = "") -> Coalesce:
    """Return an expression for the day on which a match is played, as `day_of` and `first_time`.

    ``prefix`` is the path to the match.
    """
    # All dates: PostgreSQL chooses among values of one type only, and `play_by` has no hour.
    days = [
        F(f"{prefix}{path}") if path.endswith("play_by") else TruncDate(f"{prefix}{path}")
        for path in TIMES
    ]
    return Coalesce(*days)


def at_any_place(value: object, lookup: str = "", prefix: str = "") -> Q:
    """Return the condition that the entry at one of the places of a match has this value.

    ``lookup`` is what of the entry is compared (``__number``), ``prefix`` the path to the match.
    """
    return Q(*((f"{prefix}{place}{lookup}", value) for place in PLACES), _connector=Q.OR)


class MatchQuerySet(LeasedQuerySet["Match"]):
    """Matches selected by the work they need."""

    patience = timedelta(seconds=30)

    def with_names(self) -> "MatchQuerySet":
        """Fetch the entries with their players, and the tournament, along with the matches."""
        return self.select_related(*NAMES)

    def with_rounds(self) -> "MatchQuerySet":
        """Fetch the rounds with their stages, each row once for all its matches.

        Both list the entries of the tournament: joined, a round of 400 matches takes four times as
        long to read.
        """
        rounds = Round.objects.select_related("stage")
        return self.prefetch_related(models.Prefetch("round", rounds))

    def list_with_names(self) -> list["Match"]:
        """Fetch as `with_names` does, but in two queries: faster for one match, or a few.

        Planning the join of twenty-five tables takes the database longer than reading.
        """
        matches = list(self.select_related("round__stage__tournament__club"))
        set_entries(matches)
        return matches

    def undecided(self) -> "MatchQuerySet":
        """Keep those without a result that counts."""
        return self.exclude(state__in=(Match.State.ACCEPTED, Match.State.BYE))

    def unfinished(self) -> "MatchQuerySet":
        """Keep the undecided ones that their round waits for: not the postponed ones."""
        return self.undecided().exclude(state=Match.State.POSTPONED)

    def of_bots(self) -> "MatchQuerySet":
        """Keep the matches in which every seat is a bot's."""
        others = [
            Q(**{place: None}) | Q(**{f"{place}__bot__isnull": False})
            for place in PLACES
            if place not in {"home", "away"}
        ]
        return self.filter(*others, home__bot__isnull=False, away__bot__isnull=False)

    def requested(self) -> "MatchQuerySet":
        """Keep the undecided bot matches of the published rounds that bots were asked to play."""
        return self.of_bots().filter(
            state=Match.State.PENDING,
            round__state=Round.State.PUBLISHED,
            round__play_requested_at__isnull=False,
        )

    def due(self) -> "MatchQuerySet":
        """Keep those that a worker may claim now.

        Not while their round or the arena is paused, or a remote bot has yet to answer.
        """
        open_ = self.requested().unleased().filter(attempts__lt=ATTEMPTS).without_open_question()
        return open_.filter(~Exists(Arena.objects.paused()), round__paused_at__isnull=True)

    def without_open_question(self) -> "MatchQuerySet":
        """Keep those without a question that a remote bot has yet to answer."""
        open_matches = Match.objects.filter(
            bot_turns__asked_at__isnull=False, bot_turns__answered_at__isnull=True
        )
        return self.exclude(pk__in=open_matches.values("pk"))

    def exhausted(self) -> "MatchQuerySet":
        """Keep those that failed as often as they may and were not reported as abandoned yet."""
        return self.requested().unleased().filter(attempts__gte=ATTEMPTS, abandoned_at__isnull=True)


MAX_POINTS: Final = 230
"""Points that one hand can give at most: the pack, the last ten, and every declaration."""


def length_of(tournament: Tournament, rules: StageRules) -> Length:
    """Return the length of the matches of a stage, where its tables play no deals of their own."""
    ruleset, options = engine.RULESETS[tournament.ruleset], tournament.options
    max_points = MAX_POINTS * (2 if ruleset.race_to else 1)
    if "deals" in options:
        deals = rules.length or options["deals"]
        return Length(None, deals, max_points, sets=tournament.deal_sets)
    target = rules.length or options.get("to", ruleset.target)
    return Length(target, None, max_points, tournament.cotos, tournament.deal_sets)


class Match(models.Model):
    """A table of a round. ``home`` is to sit at A (and C); without ``away`` it is a bye.

    Where single players make up pairs, ``home_partner`` and ``away_partner`` sit opposite them;
    where three or more single players sit at a table, ``third``, ``fourth`` and ``fifth`` follow.
    ``bye`` is the kind of a bye. ``lineup`` names who plays for a side instead of its own people:
    ``{"home": {"names": […], "players": […]}}``. ``proposed_day`` is another day that the side
    ``day_proposed_by`` proposes to the other one. ``boards`` are the deals of a duplicate table,
    ``whys`` the reasons of the pairing; ``pinned`` tables stay when the round is drawn again,
    ``edited`` ones were made by hand. ``versions`` says which version of a program plays for a side
    (``{"home": 7}``, keys), settled at the first claim.

    A worker that plays a bot match holds a lease: ``lease_token`` until ``lease_until`` by the
    database's clock. ``attempts`` counts the leases given, ``abandoned_at`` is when they ran out,
    ``woken_at`` when a worker was last sent a message about it.
    """

    class State(models.TextChoices):
        """The state of the result: only ``accepted`` counts; a bye is not played."""

        PENDING = "pending", _("pending")
        REPORTED = "reported", _("to be confirmed")
        ACCEPTED = "accepted", _("accepted")
        DISPUTED = "disputed", _("disputed")
        POSTPONED = "postponed", _("postponed")
        BYE = "bye", _("bye")

    round = models.ForeignKey(Round, on_delete=models.CASCADE, related_name="matches")
    table = models.PositiveSmallIntegerField(_("table"))
    home = models.ForeignKey(Entry, on_delete=models.PROTECT, related_name="home_matches")
    away = models.ForeignKey(
        Entry, on_delete=models.PROTECT, related_name="away_matches", null=True, blank=True
    )
    home_partner = models.ForeignKey(
        Entry, on_delete=models.PROTECT, related_name="home_partner_matches", null=True, blank=True
    )
    away_partner = models.ForeignKey(
        Entry, on_delete=models.PROTECT, related_name="away_partner_matches", null=True, blank=True
    )
    third = models.ForeignKey(
        Entry, on_delete=models.PROTECT, related_name="third_matches", null=True, blank=True
    )
    fourth = models.ForeignKey(
        Entry, on_delete=models.PROTECT, related_name="fourth_matches", null=True, blank=True
    )
    fifth = models.ForeignKey(
        Entry, on_delete=models.PROTECT, related_name="fifth_matches", null=True, blank=True
    )
    state = models.CharField(
        _("state"), max_length=10, choices=State.choices, default=State.PENDING
    )
    bye = models.CharField(max_length=7, blank=True)
    lineup = models.JSONField(default=dict, blank=True)
    boards = models.JSONField(default=list, blank=True)
    whys = models.JSONField(default=list, blank=True)
    pinned = models.BooleanField(_("pinned"), default=False)
    edited = models.BooleanField(_("made by hand"), default=False)
    versions = models.JSONField(default=dict, blank=True)
    postponed_to = models.DateTimeField(_("postponed to"), null=True, blank=True)
    proposed_day = models.DateTimeField(_("proposed day"), null=True, blank=True)
    day_proposed_by = models.CharField(max_length=5, default="", db_default="", blank=True)
    lease_token = models.CharField(max_length=32, blank=True)
    lease_until = models.DateTimeField(null=True, blank=True)
    attempts = models.PositiveSmallIntegerField(default=0)
    abandoned_at = models.DateTimeField(null=True, blank=True)
    woken_at = models.DateTimeField(null=True, blank=True)

    objects = MatchQuerySet.as_manager()

    class Meta:
        verbose_name = _("match")
        verbose_name_plural = _("matches")
        ordering = ("round_id", "table")
        constraints = (
            models.UniqueConstraint(fields=("round", "table"), name="one_match_per_table"),
            models.UniqueConstraint(fields=("round", "home"), name="one_home_match_per_round"),
            models.UniqueConstraint(fields=("round", "away"), name="one_away_match_per_round"),
            models.CheckConstraint(
                condition=Q(away__isnull=True) | ~Q(home=F("away")),
                name="nobody_plays_against_himself",
            ),
            models.CheckConstraint(
                condition=Q(state="bye", away__isnull=True)
                & Q(bye__in=("pairing", "full", "half", "zero"))
                | ~Q(state="bye") & Q(away__isnull=False, bye=""),
                name="a_bye_has_no_opponent",
            ),
            models.CheckConstraint(
                condition=Q(home_partner__isnull=True, away_partner__isnull=True)
                | Q(home_partner__isnull=False, away_partner__isnull=False, third__isnull=True),
                name="partners_come_in_twos",
            ),
            models.CheckConstraint(
                condition=Q(third__isnull=True) | Q(away__isnull=False),
                name="a_third_has_two_others",
            ),
            models.CheckConstraint(
                condition=Q(fifth__isnull=True) | Q(fourth__isnull=False),
                name="a_fifth_has_a_fourth",
            ),
        )

    def __str__(self) -> str:
        return self.label

    @property
    def tournament(self) -> Tournament:
        """The tournament that the match belongs to."""
        return self.round.stage.tournament

    @property
    def plays_at(self) -> datetime | date | None:
        """When it is played (`first_time`); None while the new day of a postponed one is open.

        Reads its round with the round's day.
        """
        if self.state == self.State.POSTPONED and self.postponed_to is None:
            return None
        day = self.round.day
        of_round = (None, None) if day is None else (day.starts_at, day.play_by)
        published_at = self.round.published_at
        return first_time((self.postponed_to, *of_round, self.tournament.begins_at, published_at))

    @property
    def plays_on(self) -> date | None:
        """The day on which it is played, in the club's zone (`plays_at`)."""
        time = self.plays_at
        return None if time is None else day_of(time)

    @property
    def length(self) -> Length:
        """The length of the match."""
        length = length_of(self.tournament, self.round.stage.rules)
        return Length(None, len(self.boards), length.most) if self.boards else length

    @property
    def options(self) -> dict[str, Any]:
        """The options of its records: the tournament's, with the length of its stage or deals."""
        options: dict[str, Any] = self.tournament.options
        has_own_length = self.boards or self.round.stage.rules.length is not None
        return self.length.options(options) if has_own_length else dict(options)

    @property
    def is_of_bots(self) -> bool:
        """Whether every entry at the table is a bot."""
        return self.away is not None and all(
            entry.bot_id is not None for side in self.sides for entry in side
        )

    @property
    def compares_deals(self) -> bool:
        """Whether its deals are compared with other tables, so that a result names each hand."""
        return bool(self.boards) and self.round.stage.rules.scoring is Scoring.COMPARISON

    @property
    def needs_points(self) -> bool:
        """Whether a result has to state the card points: by the tournament or the scoring."""
        return self.round.stage.tournament.points_required or self.round.stage.rules.needs_points

    @property
    def sides(self) -> tuple[tuple[Entry, ...], ...]:
        """The entries at the table by side, in seat order.

        For a match fetched without its entries, all are read at once.
        """
        if not Match.home.is_cached(self):
            set_entries([self])
        sides = ((getattr(self, place) for place in places) for places in PLACES_BY_SIDE)
        entries = (tuple(entry for entry in side if entry is not None) for side in sides)
        return tuple(side for side in entries if side)

    @property
    def names(self) -> tuple[tuple[str, ...], ...]:
        """The names of the players by side in seat order, substitutes included."""
        return tuple(self._names(side, entries) for side, entries in enumerate(self.sides))

    def names_at(self, side: int) -> tuple[str, ...]:
        """Return the names on a side (by its index in `SIDES`), substitutes included."""
        return self._names(side, self.sides[side])

    def _names(self, side: int, entries: tuple[Entry, ...]) -> tuple[str, ...]:
        stands_in = self.lineup.get(SIDES[side])
        if stands_in is not None:
            return tuple(stands_in["names"])
        return tuple(name for entry in entries for name in entry.seat_names)

    def current_names(self, seats: Sequence[str]) -> tuple[str, ...]:
        """Return names at seats, replaced by later corrections of them."""
        people = (player for side in self.sides for entry in side for player in entry.players)
        return current_names(seats, name_changes(people))

    @property
    def label(self) -> str:
        """The label under which its deals are drawn: tournament, round and table."""
        return f"{self.round.label}/{self.table}"


def set_entries(matches: Iterable[Match], entries: Mapping[int, Entry] | None = None) -> None:
    """Set the entries of matches, by primary key; without ``entries`` all are read at once."""
    matches = list(matches)
    if entries is None:
        keys = {getattr(match, f"{place}_id") for match in matches for place in PLACES}
        read = Entry.objects.with_players().filter(pk__in=keys - {None})
        entries = {entry.pk: entry for entry in read.order_by()}
    for match in matches:
        for place in PLACES:
            key = getattr(match, f"{place}_id")
            setattr(match, place, entries[key] if key else None)
