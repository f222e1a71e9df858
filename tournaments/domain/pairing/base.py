"""The interface of every format: the next round with its reasons, and the ranking."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, Final, NamedTuple

from tournaments.domain.pairing.tree import OvertakenMatch
from tournaments.domain.rows import Bye, Entrant, SeatedBy, Stage, StageRules, Table

ANY: Final = 10**6  # no limit: above every number of entrants


class CannotDraw(ValueError):  # noqa: N818 - a refusal is an answer, not an error
    """No round can be drawn; ``code`` says why, ``facts`` the particulars.

    Codes: ``too_few`` (``least``), ``too_many`` (``most``), ``stage_over``, ``waiting`` (a result
    that the draw needs is missing: ``tables``, as (round, table) numbers), ``bad_size``
    (``players`` do not fill the tables; ``nearest`` do),
    ``shared_place`` (``entrants`` share the place that decides who goes into the next stage),
    ``too_many_rounds`` (the stage has ``most`` rounds),
    ``order_missing`` (the seeding is by hand, and nobody has entered the order), ``final_rests``
    (nobody would play the final of a bracket: its ``entrants`` have a bye, or have left).
    """

    def __init__(self, code: str, **facts: Any) -> None:
        super().__init__(code, facts)
        self.code = code
        self.facts = facts


class Pairing(NamedTuple):
    """One meeting of a schedule: ``away`` is ``None`` when home has a bye. Tables count from 1."""

    table: int
    home: int
    away: int | None


Meetings = tuple[Pairing, ...]
"""The meetings of one round of a schedule."""


@dataclass(frozen=True, slots=True)
class PairingReason:
    """The reason of a pairing: a code, whose message is ``pairing.<code>``, and its facts."""

    code: str
    table: int
    entrants: tuple[int, ...] = ()
    facts: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Field:
    """The input of a format: the stage so far, and who is there for its next round.

    ``stage`` holds the published rounds only. ``present`` are those to be paired, in seeding order,
    ``byes`` those who asked for one (not in ``present``), ``pinned_tables`` tables that stay as
    they are (their entrants are in ``present`` too). ``round`` is the number of the round to be
    drawn, running through all stages; ``place`` its number within the stage, from 1. ``standing``
    are the entrants of the stage as they stand in its table, where it is paired by it.
    """

    stage: Stage
    entrants: Mapping[int, Entrant]
    round: int
    present: tuple[int, ...]
    byes: Mapping[int, Bye] = field(default_factory=dict)
    pinned_tables: tuple[Table, ...] = ()
    standing: tuple[int, ...] = ()

    @property
    def place(self) -> int:
        """The number of the round within its stage, from 1."""
        return len(self.stage.rounds) + 1


@dataclass(frozen=True, slots=True)
class Draw:
    """A round as drawn: every entrant who is here is at exactly one table, byes last.

    ``quality`` is what the format minimises, by name, to be shown and compared. ``in_use`` are the
    tables of other stages, where some were renumbered because of them.
    """

    tables: tuple[Table, ...]
    reasons: tuple[PairingReason, ...] = ()
    quality: Mapping[str, int] = field(default_factory=dict)
    in_use: tuple[int, ...] = ()


class SeparateLists(NamedTuple):
    """Lists that the one table of a stage consists of; none where it is one list.

    ``note`` is the code of the sentence that says why a place counts in its own list alone.
    """

    note: str = ""
    lists: tuple[tuple[int, ...], ...] = ()


@dataclass(frozen=True, slots=True)
class Format:
    """A format: pure functions, and the settings that a form must ask for.

    ``draw`` returns the next round. ``rounds`` says how many rounds a number of entrants play under
    these rules, ``None`` while that depends on the results. ``is_over`` is true when nothing is
    left to draw. ``ranking``, where places come from the course of play (who was knocked out when),
    groups the entrants by place, best first; ``None`` ranks by ``order`` alone, and inside the
    groups of ``ranking`` the order decides nothing unless ``ranked_inside``. ``seats`` is how many
    entrants sit at a full table: 2, 3 (at least, by `StageRules.table_size`) or 4 (four single
    players in two pairs). ``settings`` are the fields of `StageRules` that it reads, ``rules`` its
    own defaults. ``all_at_once``: every round can be drawn before the first is played. ``groups``
    says who plays in which group, where a stage has several; each has a table of its own.
    ``is_preset``: who meets whom is fixed by a schedule that no result changes (FIDE C.07, articles
    8 and 15.2). ``to_pair`` says who plays in a round, by its number, where not all entrants of the
    stage do: who is out does not, nor who waits in a tree for a match of another branch.
    ``overtaken`` lists, where matches fill one another, those whose next match was played by the
    other entrant than the result says, as after a late correction. ``same_deals``: every table gets
    the same deals, those of `Table.boards`. ``lists`` says which entrants are hardly, or not at
    all, compared with the others: their places are lists of their own in the one table.
    ``in_brackets``: a seed's number is its place in the tree, so that qualifiers are crossed.
    ``paired_by_place``: the first round follows from the places in seeding order alone, so that the
    seeding has to keep those of one origin apart (the others look at origins when they pair).
    ``is_endless``: rounds go on as long as one likes, so that meeting or a second bye is no
    objection, and the order alone ranks, without match points before it. ``out_is_placed``: who is
    out keeps the place, whatever those play who are still in.
    """

    name: str
    draw: Callable[[Field], Draw]
    rounds: Callable[[int, StageRules], int | None]
    is_over: Callable[[Stage, Mapping[int, Entrant]], bool]
    order: tuple[str, ...]
    settings: tuple[str, ...] = ()
    rules: StageRules = StageRules()
    ranking: Callable[[Stage, Mapping[int, Entrant]], tuple[tuple[int, ...], ...]] | None = None
    ranked_inside: bool = False
    seats: int = 2
    min_entrants: int = 2
    max_entrants: int = ANY
    all_at_once: bool = False
    groups: Callable[[Stage], tuple[tuple[int, ...], ...]] | None = None
    is_preset: bool = False
    to_pair: Callable[[Stage, Mapping[int, Entrant], int], tuple[int, ...]] | None = None
    overtaken: Callable[[Stage, Mapping[int, Entrant]], tuple[OvertakenMatch, ...]] | None = None
    in_brackets: bool = False
    same_deals: bool = False
    lists: Callable[[Stage], SeparateLists] | None = None
    paired_by_place: bool = False
    is_endless: bool = False
    out_is_placed: bool = False

    def is_drawn_ahead(self, rules: StageRules) -> bool:
        """Tell whether every round of a stage is drawn before the first: its format, or a plan."""
        by_plan = "seated_by" in self.settings and rules.seated_by is SeatedBy.PLANNED
        return self.all_at_once or by_plan
