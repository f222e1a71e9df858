"""Makes a draft of a tournament file or a FIDE report: its plan and entries, without results."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any, Final

from django.db import transaction
from django.utils.translation import get_language

import engine
from tournaments import models
from tournaments.core.errors import Reason, Refusal
from tournaments.core.permissions import Actor
from tournaments.director.services.entries import enter_list
from tournaments.director.services.settings import GameSettings, NewTournament, common_unit
from tournaments.director.services.tournaments import create_tournament
from tournaments.domain.file import FileError, rows_from_bytes, rows_to_bytes, rules_to_dict
from tournaments.domain.messages import message
from tournaments.domain.names import fold_name
from tournaments.domain.pairing import FORMATS
from tournaments.domain.roster import RECOGNISE, ListedEntrant, Reading
from tournaments.domain.rows import Entrant, Stage, TournamentRows
from tournaments.domain.stages import rules_to_begin
from tournaments.domain.trf import is_report, read_trf
from tournaments.exchange.queries.exports import file_refusal
from tournaments.models import Club, Pair, Tournament

REPORT_OPTION: Final = "trf"
"""The option in which a report's own facts of the event are kept; none of a record."""


@dataclass(frozen=True, slots=True)
class Outline:
    """A tournament as it is in a file, without its rounds.

    ``stages`` are their names; ``rounds`` the number of those that are left out; ``notes`` what a
    report says and could not be read; ``file`` is the outline as a tournament file.
    """

    rows: TournamentRows
    stages: tuple[str, ...]
    rounds: int
    notes: tuple[str, ...]
    file: str


def read_outline(source: bytes | str) -> Outline:
    """Return the outline of a tournament file or a FIDE report. Refuses BAD_EXPORT."""
    try:
        text = source if isinstance(source, str) else engine.decode_text(source)[0]
        content = text.encode()
        rows, notes = read_trf(content) if is_report(content) else (rows_from_bytes(content), ())
    except UnicodeDecodeError:
        raise file_refusal(FileError("bad_encoding"), Reason.BAD_EXPORT) from None
    except FileError as error:
        raise file_refusal(error, Reason.BAD_EXPORT) from error
    rounds = sum(len(stage.rounds) for stage in rows.stages)
    stages = tuple(
        Stage(stage.number, stage.format, rules_to_begin(stage.rules), name=stage.name)
        for stage in rows.stages
    )
    options = {name: value for name, value in rows.options.items() if name != REPORT_OPTION}
    rows = replace(rows, options=options, stages=stages, penalties=())
    language = get_language()
    texts = tuple(f"{note.facts.get('line', '')}: {note.explain(language)}" for note in notes)
    names = tuple(stage.name or message(language, f"format.{stage.format}") for stage in stages)
    return Outline(rows, names, rounds, texts, rows_to_bytes(rows).decode())


def fitting_rulesets(rows: TournamentRows) -> tuple[str, ...]:
    """Return the rulesets under which the stages and the entries of an outline can be played.

    An entrant without players may be a pair of the club or a person, so that it fits any.
    """
    sizes = {len(entrant.players) for entrant in rows.entrants if entrant.players}
    stages = [
        models.Stage(
            format=stage.format,
            settings=rules_to_dict(stage.rules, FORMATS[stage.format].rules),
        )
        for stage in rows.stages
    ]
    fitting = []
    for name in engine.RULESETS:
        try:
            unit = common_unit(name, stages)
        except Refusal:
            continue
        if sizes <= {2 if unit == Tournament.Unit.PAIR else 1}:
            fitting.append(name)
    return tuple(fitting)


@transaction.atomic
def create_draft(
    actor: Actor, club: Club, outline: Outline, ruleset: str, reading: Reading = RECOGNISE
) -> Tournament:
    """Create a tournament as a draft with the plan and the entries of an outline.

    ``reading`` says which persons names mean that may mean several, by the number of the entry. The
    names are right as they are written: the page has shown them. An entrant without players that
    has the name of a pair of the club is that pair. Refuses as `create_tournament` and
    `enter_list`.
    """
    rows = outline.rows
    options = rows.options if ruleset == rows.ruleset else {}
    new = NewTournament(
        game=GameSettings(ruleset=ruleset, options=options),
        stages=[_planned(stage) for stage in rows.stages],
    )
    tournament = create_tournament(actor, club, rows.name, new)
    if rows.entrants:
        of_pairs = tournament.unit == Tournament.Unit.PAIR
        known = club.pairs.with_players() if of_pairs else ()
        pairs = {pair.folded: pair.main for pair in known}
        listed = [_listed(entrant, pairs) for entrant in rows.entrants]
        written = {line: one.players for line, one in enumerate(listed, 1)}
        enter_list(actor, tournament, listed, replace(reading, lines=written))
    return tournament


def _planned(stage: Stage) -> dict[str, Any]:
    rules = rules_to_dict(stage.rules, FORMATS[stage.format].rules)
    return {"format": stage.format, "name": stage.name, "rules": rules}


def _listed(entrant: Entrant, pairs: Mapping[str, Pair]) -> ListedEntrant:
    """Return an entrant for the list; one without players is a pair of the club, or a person."""
    players = entrant.players or (entrant.name,)
    if not entrant.players and (pair := pairs.get(fold_name(entrant.name))) is not None:
        players = (pair.first.name, pair.second.name)
    name = entrant.name if len(players) > 1 else ""
    return ListedEntrant(players, name, club=entrant.club, rating=int(entrant.rating))
