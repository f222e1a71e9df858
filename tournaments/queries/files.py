"""The files of a tournament that anybody may take away: its rows, its proof, its FIDE reports."""

from __future__ import annotations

from dataclasses import dataclass

from tournaments.domain.file import FileError, rows_to_bytes
from tournaments.domain.messages import message
from tournaments.domain.proof import published
from tournaments.domain.ranking import CannotRank
from tournaments.domain.rows import TournamentRows
from tournaments.domain.trf import losses, rows_to_trf
from tournaments.errors import Reason, Refusal
from tournaments.models import Round, Tournament
from tournaments.permissions import Actor
from tournaments.queries.faults import refused
from tournaments.queries.find import find_tournament, visible
from tournaments.queries.heads import TournamentHead, open_tournament
from tournaments.queries.papers import rows_of
from tournaments.queries.proofs import proof_file, shown


@dataclass(frozen=True, slots=True)
class Report:
    """A stage's FIDE report: what it does not hold, or why there is none (``refusal``)."""

    stage: int
    name: str
    losses: tuple[str, ...]
    refusal: str


@dataclass(frozen=True, slots=True)
class FilesPage:
    """What can be taken away; ``rounds`` are the numbers of those published."""

    head: TournamentHead
    rounds: tuple[int, ...]
    reports: tuple[Report, ...]


def files_page(slug: str, viewer: Actor, language: str) -> FilesPage:
    """Return what a tournament can be taken away as: four queries more than its rows need."""
    this = open_tournament(slug, viewer)
    rows = _published(this.tournament)
    return FilesPage(
        head=this.head,
        rounds=tuple(r.number for stage in rows.stages for r in stage.rounds),
        reports=tuple(
            _report(rows, stage.number, language) for stage in rows.stages if published(stage)
        ),
    )


def tournament_file(slug: str, viewer: Actor) -> bytes:
    """Return the tournament file of what is published; refuses NOT_FOUND."""
    return rows_to_bytes(_published(find_tournament(slug, viewer)))


def proof(slug: str, viewer: Actor, after: int | None = None) -> bytes:
    """Return the proof bundle, of all published rounds or of those up to one; refuses NOT_FOUND."""
    tournament = find_tournament(slug, viewer)
    if after is not None:
        rounds = Round.objects.filter(stage__tournament=tournament, number=after)
        visible(rounds.exclude(state=Round.State.DRAFT).exists())
    return proof_file(tournament, after)


def report(slug: str, viewer: Actor, stage: int | None = None) -> bytes:
    """Return the FIDE report of a stage; refuses NOT_FOUND, NO_REPORT with why there is none."""
    rows = _published(find_tournament(slug, viewer))
    begun = [one.number for one in rows.stages if published(one)]
    if stage is None:
        stage = begun[-1] if begun else None
    visible(stage in begun)
    try:
        return rows_to_trf(rows, stage)
    except FileError as error:
        raise refused(error, Reason.NO_REPORT) from error
    except CannotRank as error:
        raise Refusal(Reason.NO_REPORT, where=f"/stages/{stage}", why=error.code) from error


def _published(tournament: Tournament) -> TournamentRows:
    rounds = Round.objects.filter(stage__tournament=tournament).exclude(state=Round.State.DRAFT)
    return shown(rows_of(tournament), rounds)


def _report(rows: TournamentRows, number: int, language: str) -> Report:
    """Say what the report of a stage would hold."""
    stage = next(stage for stage in rows.stages if stage.number == number)
    lost: tuple[str, ...] = ()
    refusal = ""
    try:
        rows_to_trf(rows, number)
        lost = losses(rows, number)
    except FileError as error:
        refusal = str(refused(error, Reason.NO_REPORT).params["why"])
    except CannotRank as error:
        refusal = error.code
    told = tuple(message(language, f"file.lost.{code}") for code in lost)
    name = stage.name or message(language, f"format.{stage.format}")
    return Report(number, name[:1].upper() + name[1:], told, refusal)
