"""Updates the ratings to what the history of accepted results gives.

The stored ratings are compared with the history from its start. The part on which they agree stays;
later stored matches are taken back, and later matches of the history are added. So one new result
costs one match, a correction the matches after it, and both give the same ratings as computing
everything again, to the last bit. The comparison takes no lock; its plan is carried out in one
transaction, unless another process was faster. An interruption leaves the ratings unchanged.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Final

from django.db import transaction
from django.db.models import OuterRef, Subquery

from tournaments.core.jobs import Job, post
from tournaments.domain.ratings import MatchToRate, Ratings
from tournaments.models import RatedMatch, Rating, RatingChange, RatingLedger, Tournament
from tournaments.ratings.queries.history import (
    HISTORY_RULE,
    RULE_STEP,
    Key,
    RatedRow,
    key_of,
    rated_history,
    stale_rulesets,
    versions_of,
)

BATCH: Final = 2000
"""Rows written at once."""


@dataclass(frozen=True, slots=True)
class RefreshSummary:
    """Summary of an update of ratings, counted in matches."""

    ruleset: str
    kept: int
    taken_back: int
    added: int


def refresh_ratings(tournament_pk: int) -> RefreshSummary | None:
    """Update the ratings of a tournament's ruleset; None if nothing has changed."""
    rulesets = Tournament.objects.filter(pk=tournament_pk).values_list("ruleset", flat=True)
    ruleset = rulesets.first()
    if ruleset is None or ruleset not in stale_rulesets():
        return None
    return _refresh(ruleset, keep=True)


def wake_ratings() -> int:
    """Send a message for each ruleset whose ratings are out of date; returns how many."""
    stale = stale_rulesets()
    for ruleset in stale:
        tournament = Tournament.objects.filter(ruleset=ruleset).order_by("pk").first()
        if tournament is not None:
            post(Job.RATE, tournament.pk)
    return len(stale)


def rebuild_ratings(ruleset: str) -> RefreshSummary:
    """Delete the ratings of a ruleset and compute them again from the first match."""
    return _refresh(ruleset, keep=False)


@dataclass(frozen=True, slots=True)
class _Plan:
    """Changes to be made, computed without a lock: valid while the ledger is unchanged."""

    ledger: RatingLedger
    versions: int
    history: Sequence[RatedRow]
    stored: int
    kept: int


def _refresh(ruleset: str, *, keep: bool) -> RefreshSummary:
    """Plan and carry out the changes; repeat when another process was faster."""
    summary = None
    while summary is None:
        summary = _carry_out(_planned(ruleset, keep=keep))
    return summary


def _planned(ruleset: str, *, keep: bool) -> _Plan:
    """Compare the rated matches with the matches that count now."""
    ledger, _ = RatingLedger.objects.get_or_create(ruleset=ruleset)
    versions = versions_of(ruleset)  # before the history, so at worst too old
    history = rated_history(ruleset)
    rated = ledger.rated.order_by("number")
    stored = list(rated.values_list("number", "match", "result", "sides"))
    # Also what agrees was rated by another rule, if that has changed.
    keep = keep and ledger.versions // RULE_STEP == HISTORY_RULE
    agreed = _count_unchanged(stored, history) if keep else 0
    return _Plan(ledger, versions, history, len(stored), agreed)


@transaction.atomic
def _carry_out(plan: _Plan) -> RefreshSummary | None:
    """Change the ratings as planned; None, and no change, when the ledger has changed since."""
    ledgers = RatingLedger.objects.select_for_update(no_key=True)
    ledger = ledgers.get(pk=plan.ledger.pk)
    before = (plan.ledger.matches, plan.ledger.versions)
    if (ledger.matches, ledger.versions) != before:
        return None
    rated = max(ledger.matches, plan.stored)
    if plan.kept < rated:
        _undo_matches(ledger, plan.kept)
    added = plan.history[plan.kept :]
    _rate_matches(ledger, added, after=plan.kept)
    ledger.matches, ledger.versions = len(plan.history), plan.versions
    ledger.save(update_fields=["matches", "versions"])
    return RefreshSummary(ledger.ruleset, plan.kept, rated - plan.kept, len(added))


def _count_unchanged(
    stored: Sequence[tuple[int, int, int, str]], history: Sequence[RatedRow]
) -> int:
    """Return how many matches from the first on were rated as they are now."""
    count = 0
    for rated, row in zip(stored, history, strict=False):
        if rated != (count + 1, row.match_pk, row.result_pk, row.sides_text):
            break
        count += 1
    return count


def _undo_matches(ledger: RatingLedger, count: int) -> None:
    """Undo all matches after the first ``count``: ratings return to their values after them."""
    ledger.rated.filter(number__gt=count).delete()
    last = RatingChange.objects.filter(rating=OuterRef("pk")).order_by("-number")
    # The people whose first match was taken back have no rating left.
    ledger.ratings.filter(changes__isnull=True).delete()
    ledger.ratings.update(
        mu=Subquery(last.values("mu")[:1]),
        variance=Subquery(last.values("variance")[:1]),
        matches=Subquery(last.values("number")[:1]),
    )


def _rate_matches(ledger: RatingLedger, rows: Sequence[RatedRow], *, after: int) -> None:
    """Rate more matches, numbered from ``after`` + 1 on."""
    if not rows:
        return
    people = _LedgerRatings(ledger)
    changes: list[RatingChange] = []
    rated: list[RatedMatch] = []
    for number, row in enumerate(rows, after + 1):
        match = RatedMatch(
            ledger=ledger,
            number=number,
            match_id=row.match_pk,
            result_id=row.result_pk,
            sides=row.sides_text,
            at=row.at,
        )
        rated.append(match)
        changes += people.rate(match, row)
    people.save()
    RatedMatch.objects.bulk_create(rated, batch_size=BATCH)
    RatingChange.objects.bulk_create(changes, batch_size=BATCH)


class _LedgerRatings:
    """The ratings of a ledger in memory, by key."""

    def __init__(self, ledger: RatingLedger) -> None:
        self.ledger = ledger
        self.ratings = Ratings()
        self.index: dict[Key, int] = {}
        self.rows: list[Rating] = []
        self.touched: set[int] = set()
        for row in ledger.ratings.order_by("pk"):
            self.ratings.add_player(row.mu, row.variance, row.matches)
            self._add_row(key_of(row.player_id, row.bot_id), row)
        self.known = len(self.rows)

    def rate(self, match: RatedMatch, row: RatedRow) -> Iterable[RatingChange]:
        """Rate one match, and yield its changes."""
        sides = tuple(tuple(self._index_of(key) for key in side) for side in row.sides)
        people = list(dict.fromkeys(person for side in sides for person in side))
        mu, variance = self.ratings.mu, self.ratings.variance
        before = [(mu[person], variance[person]) for person in people]
        self.ratings.add(MatchToRate(sides, row.marks))
        self.touched.update(people)
        for person, (mu_before, variance_before) in zip(people, before, strict=True):
            yield RatingChange(
                rated=match,
                rating=self.rows[person],
                number=self.ratings.matches[person],
                mu_before=mu_before,
                variance_before=variance_before,
                mu=mu[person],
                variance=variance[person],
            )

    def save(self) -> None:
        """Save the ratings of all who played."""
        for person in self.touched:
            row = self.rows[person]
            row.mu, row.variance = self.ratings.mu[person], self.ratings.variance[person]
            row.matches = self.ratings.matches[person]
        changed = sorted(self.touched)
        old = [self.rows[person] for person in changed if person < self.known]
        new = [self.rows[person] for person in changed if person >= self.known]
        # An update has a CASE branch for each row and column, so its batches are smaller.
        Rating.objects.bulk_update(old, ["mu", "variance", "matches"], batch_size=BATCH // 10)
        Rating.objects.bulk_create(new, batch_size=BATCH)

    def _index_of(self, key: Key) -> int:
        person = self.index.get(key)
        if person is not None:
            return person
        pk = int(key[1:])
        whose = {"player_id": pk} if key[0] == "p" else {"bot_id": pk}
        self.ratings.add_player()
        return self._add_row(key, Rating(ledger=self.ledger, **whose))

    def _add_row(self, key: Key, row: Rating) -> int:
        self.index[key] = len(self.rows)
        self.rows.append(row)
        return self.index[key]
