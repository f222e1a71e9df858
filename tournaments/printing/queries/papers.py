"""Files of papers and the headings of their sheets."""

from dataclasses import dataclass
from typing import Final

from tournaments.director.queries.tournaments import (
    StageHead,
    TournamentHead,
)
from tournaments.domain.messages import message
from tournaments.models import Round
from tournaments.sheets import rows

PAIR_SEATS: Final = ("AC", "BD")
SINGLE_SEATS: Final = ("A", "B", "C", "D", "E")


@dataclass(frozen=True, slots=True)
class PrintFile:
    """Sheets that become one PDF; ``name`` is its file name without the extension."""

    name: str
    title: str
    sheets: tuple[rows.Sheet, ...]


@dataclass(frozen=True, slots=True)
class Addresses:
    """Absolute addresses for QR codes: the page of an entry's table, and the page for its code."""

    table: str
    come: str


def masthead(
    head: TournamentHead,
    language: str,
    stage: StageHead | None = None,
    round_: Round | None = None,
) -> rows.Masthead:
    """Return the heading of a paper; it names the stage where there are several."""
    return rows.Masthead(
        tournament=head.name,
        club=head.club_name,
        stage=stage_title(stage, language) if stage and len(head.stages) > 1 else "",
        round=round_.number if round_ else 0,
        has_draft=round_ is not None and round_.state == Round.State.DRAFT,
    )


def stage_title(stage: StageHead, language: str) -> str:
    """Return the name of a stage, or that of its format."""
    name = stage.name or message(language, f"format.{stage.format}")
    return name[:1].upper() + name[1:]


def print_file(head: TournamentHead, stage: StageHead, kind: str, sheet: rows.Sheet) -> PrintFile:
    """Return a sheet of a stage as a file."""
    return PrintFile(file_name(head, stage, kind), head.name, (sheet,))


def file_name(head: TournamentHead, stage: StageHead, kind: str) -> str:
    """Return the name of a paper's file, with its stage where there are several."""
    part = f"-{stage.number}" if len(head.stages) > 1 else ""
    return f"{head.slug}{part}-{kind}"
