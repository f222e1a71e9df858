"""The facts that decide which verbs are open, and the answer."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Any

DRAFT, RUNNING, FINISHED = "draft", "running", "finished"
"""States of a tournament."""
PUBLISHED, CLOSED = "published", "closed"
"""States of a round, besides `DRAFT`."""
PENDING, REPORTED, ACCEPTED = "pending", "reported", "accepted"
DISPUTED, POSTPONED, BYE = "disputed", "postponed", "bye"
"""States of a match."""
UNDER_REVIEW, INTERIM = "review", "interim"
"""States of a dispute: an arbiter has taken it up; its result counts for now."""
EXPELLED, BENCHED = "expelled", "benched"
"""Kinds of an absence that does not end by a return of the entry."""


@dataclass(frozen=True, slots=True)
class ClosedReason:
    """Why a verb is closed: code (`tournaments.core.errors`) and parameters of the refusal."""

    code: str
    facts: Mapping[str, Any] = field(default_factory=lambda: MappingProxyType({}))


@dataclass(frozen=True, slots=True)
class Role:
    """The role of the asker: their ``rights`` in the club, by the names of `domain.rights.TABLE`.

    ``side`` is the side they play on in a match (``home``, ``away``, ``third``), ``own`` says that
    they speak for an entry.
    """

    rights: frozenset[str] = frozenset()
    side: str = ""
    own: bool = False


@dataclass(frozen=True, slots=True)
class Verbs:
    """The open verbs, and the reason for each ``closed`` one; ``may[verb]`` is true if it is open.

    Iterating yields the open verbs in their published order.
    """

    all: tuple[str, ...]
    closed: Mapping[str, ClosedReason]

    def __getitem__(self, verb: str) -> bool:
        if verb not in self.all:
            raise KeyError(verb)
        return verb not in self.closed

    def __iter__(self) -> Iterator[str]:
        return (verb for verb in self.all if verb not in self.closed)


@dataclass(frozen=True, slots=True)
class TournamentFacts:
    """A tournament: its ``state``, how many are entered, and what it still waits for.

    ``min_entries`` and ``max_entries`` entries fit its first stage. ``open_rounds`` are not closed,
    in order, each with how many matches it has without a result that counts; ``undecided`` is that
    number over all rounds. ``to_draw`` are the numbers of the stages that can get another round
    now, ``shown`` says that a round was published, ``drawn`` that a stage was drawn, even if that
    was undone. ``asked``: people have signed up or paid.
    """

    state: str
    entries: int = 0
    min_entries: int = 2
    max_entries: int = 2000
    open_rounds: tuple[tuple[int, int], ...] = ()
    undecided: int = 0
    to_draw: tuple[int, ...] = ()
    takes_latecomers: bool = False
    check_in_closed: bool = False
    posted: bool = False
    cancelled: bool = False
    shown: bool = False
    drawn: bool = False
    asked: bool = False


@dataclass(frozen=True, slots=True)
class SignUpFacts:
    """The sign-up for a tournament: its ``state``, whether it is posted, cancelled and closed.

    ``is_time`` says that its form on the web is open by the clock, ``full`` that no more may wait,
    ``contacts_kept`` that the deletion of the contacts was put off.
    """

    state: str
    posted: bool = False
    cancelled: bool = False
    closed: bool = False
    is_time: bool = False
    full: bool = False
    contacts_kept: bool = False


@dataclass(frozen=True, slots=True)
class RequestFacts:
    """A request for a place, in a tournament in its ``state``.

    ``left`` or joined to another it waits no more; ``entered``: it has an entry; ``renamed``: its
    people have changed a name. ``of_one``: it looks for a partner.
    """

    state: str
    cancelled: bool = False
    left: bool = False
    entered: bool = False
    renamed: bool = False
    of_one: bool = False


@dataclass(frozen=True, slots=True)
class MoneyFacts:
    """The money of a request in cents: what is still ``owed``, and what was ``taken`` from it."""

    owed: int = 0
    taken: int = 0


@dataclass(frozen=True, slots=True)
class CashFacts:
    """A line of the cash book: ``reversed`` by another line, or one that ``reverses`` another."""

    reversed: bool = False
    reverses: bool = False


@dataclass(frozen=True, slots=True)
class RoundFacts:
    """A round: ``unfinished`` matches hold it open, of them ``disputed`` wait for a ruling.

    ``bots`` says that it has matches between bots; ``clock`` is ``running``, ``stopped`` or empty.
    ``earlier_draft`` is the number of the first round before it that is a draft, 0 if none is;
    ``outdated`` says that it is a draft that would be drawn otherwise now, ``cancelled`` that its
    tournament will not be played, ``planned`` that its stage draws all rounds at once, ``begun``
    that it or a later one has play.
    """

    tournament: str
    number: int
    state: str
    unfinished: int = 0
    disputed: int = 0
    bots: bool = False
    paused: bool = False
    clock: str = ""
    earlier_draft: int = 0
    outdated: bool = False
    cancelled: bool = False
    planned: bool = False
    begun: bool = False


@dataclass(frozen=True, slots=True)
class MatchFacts:
    """A match: the states of its tournament, its round and itself, and its last result.

    ``has_result``, ``reported_for`` (the side that reported it) and ``is_level`` speak of that
    result, as does ``settled``: the arbiter gave it. ``in_brackets`` says that one side has to go
    on; where it is ``planned`` who meets whom, a late entry takes no place. ``in_play``: some of
    several cotos are there. ``dispute`` is the state of the one that waits for its last ruling
    (``open``, ``review``, ``interim``), taken up by ``reviewed_by``.
    ``waited`` says that absent players were waited for long enough: ``wait`` minutes.
    ``typed_only``: its result is typed, and no record is taken.
    ``sides_agree_days``: its two sides may agree another day, which ``day_proposed_by`` proposes.
    """

    tournament: str
    round: int
    round_state: str
    state: str
    has_result: bool = False
    reported_for: str = ""
    is_level: bool = False
    settled: bool = False
    in_brackets: bool = False
    planned: bool = False
    in_play: bool = False
    of_bots: bool = False
    typed_only: bool = False
    dispute: str = ""
    reviewed_by: str = ""
    waited: bool = False
    wait: int = 0
    sides_agree_days: bool = False
    day_proposed_by: str = ""


@dataclass(frozen=True, slots=True)
class EntryFacts:
    """An entry: ``away`` is the kind of its open absence, ``can_join`` that it could come back.

    ``is_drawn`` says that a draw or a published round names it. ``self_check_in`` and
    ``check_in_closed`` are the tournament's.
    """

    tournament: str
    name: str = ""
    away: str = ""
    of_people: bool = False
    can_join: bool = True
    is_drawn: bool = True
    self_check_in: bool = True
    check_in_closed: bool = False


@dataclass(frozen=True, slots=True)
class StageFacts:
    """A stage: ``drawn`` says that its entrants have an order, ``shown`` that it was published."""

    tournament: str
    drawn: bool = False
    shown: bool = False


@dataclass(frozen=True, slots=True)
class SeasonFacts:
    """A season: its ``state`` is ``open`` or ``closed``."""

    state: str


@dataclass(frozen=True, slots=True)
class PointFacts:
    """A restore point: what going back to it would lose, or bring back.

    ``live`` are the matches with play, by label, that it would lose; ``redrawn`` the numbers of the
    stages that have been drawn again since.
    """

    live: tuple[str, ...] = ()
    redrawn: tuple[int, ...] = ()


Facts = (
    TournamentFacts
    | SignUpFacts
    | RequestFacts
    | MoneyFacts
    | CashFacts
    | StageFacts
    | RoundFacts
    | MatchFacts
    | EntryFacts
    | SeasonFacts
    | PointFacts
)
