"""What letters about the requests of a sign-up say now."""

from collections.abc import Iterable, Mapping
from dataclasses import asdict, dataclass
from typing import Any

from tournaments.director.queries.days import DayRow, days_of, moment_text
from tournaments.domain.signup import News
from tournaments.models import SignUp, SignUpNews, Tournament
from tournaments.signup.queries.places import RequestRow, request_rows


@dataclass(frozen=True, slots=True)
class LetterFacts:
    """What a letter about a request says, beside its kind; ``waits`` is 0 for one that is in."""

    tournament: Tournament
    news: News
    names: tuple[str, ...]
    ticket: int
    waits: int
    closed: bool
    days: tuple[DayRow, ...]

    @property
    def when(self) -> tuple[str, ...]:
        """The days in words, with the place."""
        return when_of(self.tournament, self.days)


def when_of(tournament: Tournament, days: Iterable[DayRow]) -> tuple[str, ...]:
    """Return the days in words, with the place; that of the tournament where none is planned."""
    if days:
        return tuple(", ".join(filter(None, (day.when, day.place))) for day in days)
    if tournament.begins_at is None:
        return ()
    begins = moment_text(tournament.begins_at)
    return (", ".join(filter(None, (begins, tournament.place))),)


def news_of(tournament: Tournament, days: Iterable[DayRow], *, is_in: bool) -> News:
    """Return what a letter says of a tournament and its days; no query."""
    moments = [tournament.begins_at, *(moment for day in days for moment in _moments(day))]
    texts = tuple(moment.isoformat() for moment in moments if moment is not None)
    return News(is_in, texts, tournament.cancelled_at is not None)


def letters_of(signup: SignUp) -> Mapping[int, LetterFacts]:
    """Return what a letter would say, by key of the request: eight queries.

    None of one that is off the list, nor while the poster of the draft is taken down.
    """
    tournament = signup.tournament
    is_draft = tournament.state == Tournament.State.DRAFT
    if is_draft and tournament.posted_at is None:
        return {}
    days = days_of(tournament)
    found = {}
    for row in request_rows(signup):
        if row.left_at is not None or not row.is_ticket:
            continue
        news = news_of(tournament, days, is_in=_has_place(row, signup, is_draft))
        waits = 0 if row.is_in else row.rank - (signup.places or 0)
        is_closed = signup.closed_at is not None
        found[row.ticket] = LetterFacts(
            tournament, news, row.names, row.ticket, waits, is_closed, days
        )
    keys = signup.requests.filter(left_at=None).values_list("pk", "ticket", "joined__ticket")
    return {
        pk: found[joined or ticket] for pk, ticket, joined in keys if (joined or ticket) in found
    }


def _moments(day: DayRow) -> tuple[Any, ...]:
    return day.starts_at, day.play_by


def _has_place(row: RequestRow, signup: SignUp, is_draft: bool) -> bool:
    """Whether it is certain of its place: once the list is closed, by its entry."""
    return row.entry is not None or (is_draft and signup.closed_at is None and row.is_in)


def told_in(address: SignUpNews) -> News | None:
    """Return what the last letter to an address said."""
    return None if address.told is None else from_store(address.told)


def from_store(told: Mapping[str, Any]) -> News:
    """Return what was said, as `to_store` gave it."""
    return News(**{**told, "days": tuple(told["days"])})


def to_store(news: News) -> dict[str, Any]:
    """Return what was said, as `SignUpNews` and `PushSubscription` store it."""
    return {**asdict(news), "days": list(news.days)}
