"""The page that lists what can be printed of a tournament."""

from dataclasses import dataclass

from tournaments.core.permissions import Actor
from tournaments.director.queries.tournaments import (
    WAITING_STAGE,
    StageHead,
    TournamentHead,
    open_tournament,
)
from tournaments.domain.pairing import FORMATS
from tournaments.printing.queries.papers import file_name
from tournaments.printing.queries.rounds import rounds_together
from tournaments.standings.queries import crosstables
from tournaments.standings.queries.crosstables import (
    ROUNDS,
    VIEWS,
)


@dataclass(frozen=True, slots=True)
class RoundToPrint:
    """A round with tables to play at."""

    number: int
    state: str


@dataclass(frozen=True, slots=True)
class StageToPrint:
    """What can be printed of a stage; ``view`` is how it is shown beside its standings.

    ``diplomas``: a round of it is closed, so that there are places. ``same_deals``: of a duplicate.
    ``guides`` is the file name of its guide cards, empty where it has none.
    """

    stage: StageHead
    view: str
    diplomas: bool
    same_deals: bool
    guides: str


@dataclass(frozen=True, slots=True)
class PrintPage:
    """What can be printed now; codes and diplomas are for the club's staff alone.

    ``together`` are the rounds of several stages that are played at the same time.
    """

    head: TournamentHead
    rounds: tuple[RoundToPrint, ...]
    together: tuple[int, ...]
    stages: tuple[StageToPrint, ...]
    codes: bool


def print_page(slug: str, viewer: Actor) -> PrintPage:
    """Return what can be printed of a tournament: the head's queries alone."""
    access = open_tournament(slug, viewer)
    numbers = set(access.visible_rounds)
    return PrintPage(
        head=access.head,
        rounds=tuple(
            RoundToPrint(round_.number, round_.state)
            for round_ in reversed(access.rounds)
            if round_.number in numbers and round_.matches
        ),
        together=rounds_together(access),
        stages=tuple(
            StageToPrint(
                stage,
                VIEWS.get(stage.format, ROUNDS),
                diplomas=access.head.may.arbitrate and stage.rounds_closed > 0,
                same_deals=FORMATS[stage.format].same_deals,
                guides=file_name(access.head, stage, "guides")
                if VIEWS.get(stage.format) == crosstables.CARDS
                else "",
            )
            for stage in access.head.stages
            if stage.state != WAITING_STAGE
        ),
        codes=access.head.may.arbitrate and access.head.entries > access.head.bots,
    )
