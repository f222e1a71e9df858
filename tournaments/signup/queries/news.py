"""What letters about the requests of a sign-up say now."""

from collections.abc import Mapping
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
        """The days in words, with the place; that of the tournament where none is planned."""
        if self.days:
            return tuple(", ".join(filter(None, (day.when, day.place))) for day in self.days)
        if self.tournament.begins_at is None:
            return ()
        begins = moment_text(self.tournament.begins_at)
        return (", ".join(filter(None, (begins, self.tournament.place))),)


def letters_of(signup: SignUp) -> Mapping[int, LetterFacts]:
    """Return what a letter would say, by key of the request: eight queries.

    None of one that is off the list, nor while the poster of the draft is taken down.
    """
    tournament = signup.tournament
    is_draft = tournament.state == Tournament.State.DRAFT
    if is_draft and tournament.posted_at is None:
        return {}
    days = days_of(tournament)
    moments = [tournament.begins_at, *(moment for day in days for moment in _moments(day))]
    texts = tuple(moment.isoformat() for moment in moments if moment is not None)
    found = {}
    for row in request_rows(signup):
        if row.left_at is not None or not row.is_ticket:
            continue
        news = News(_has_place(row, signup, is_draft), texts, tournament.cancelled_at is not None)
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
    if address.told is None:
        return None
    return News(**{**address.told, "days": tuple(address.told["days"])})


def to_store(news: News) -> dict[str, Any]:
    """Return what a letter said, as `SignUpNews` stores it."""
    return {**asdict(news), "days": list(news.days)}
