"""The main objects of the API as frozen rows; fields that they do not name are ignored."""

from collections.abc import Mapping
from dataclasses import MISSING, dataclass, fields
from typing import Any, TypeVar

Shape = TypeVar("Shape")


def read(kind: type[Shape], document: Mapping[str, Any]) -> Shape:
    """Converts a JSON object of the API to a row; unknown fields are ignored.

    Raises ValueError when a field is missing that every service of this version sends.
    """
    values = {}
    for field in fields(kind):  # type: ignore[arg-type]  # every shape is a dataclass
        if field.default is MISSING or field.name in document:
            values[field.name] = member(document, field.name)
    return kind(**values)


def member(document: Any, name: str) -> Any:
    """Return a member of a JSON object of the API. Raises ValueError where there is none."""
    if not isinstance(document, Mapping) or name not in document:
        raise ValueError(f"the service does not tell {name!r}")
    return document[name]


@dataclass(frozen=True, slots=True)
class TournamentCard:
    """A tournament in the list."""

    slug: str
    name: str
    club: str
    club_name: str
    state: str
    entries: int
    rounds: int
    rounds_closed: int
    current_round: int | None


@dataclass(frozen=True, slots=True)
class Tournament(TournamentCard):
    """A tournament and how far it has come."""

    ruleset: str
    options: Mapping[str, Any]
    version: int
    matches: int
    decided: int
    disputed: int


@dataclass(frozen=True, slots=True)
class Standing:
    """A line of the table."""

    rank: int
    shared: bool
    number: int
    name: str
    players: list[str]
    played: int
    won: int
    tied: int
    lost: int
    match_points: float
    hands_for: int
    hands_against: int
    points_for: int
    points_against: int


@dataclass(frozen=True, slots=True)
class Accepted:
    """A record that was taken, or was there already.

    ``outcome``: `accepted` counts, `reported` waits for the other side, `confirmed` makes count
    what that one reported, `duplicate` changes nothing.
    """

    record: str
    match: str
    duplicate: bool
    outcome: str
    verdict: Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class LiveEvent:
    """A live event: something changed; ``subject`` has its ``kind``, ``id`` and ``url``.

    ``token`` is where to resume; ``standings`` is true if the table may have changed with it.
    """

    token: str
    type: str
    at: str
    subject: Mapping[str, Any]
    standings: bool = True


@dataclass(frozen=True, slots=True)
class Line:
    """The result of one line of a batch; the place is within the line."""

    line: int
    outcome: str
    status: int
    duplicate: bool
    match: str | None
    record: str | None
    code: str = ""
    reason: str = ""
    detail: str = ""
    pointer: str = ""
    column: int | None = None

    @property
    def is_refused(self) -> bool:
        """Whether the line cannot be accepted."""
        return self.status >= 400


@dataclass(frozen=True, slots=True)
class Batch:
    """The result of a batch of records; with one that is refused, nothing was written.

    ``repeated`` says that all this was done before: the service gave the answer of that time again.
    """

    dry_run: bool
    lines: tuple[Line, ...]
    repeated: bool = False

    @property
    def refused(self) -> tuple[Line, ...]:
        """The lines at fault."""
        return tuple(line for line in self.lines if line.is_refused)
