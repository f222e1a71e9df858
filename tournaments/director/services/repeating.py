"""Creates a tournament that is played as another one was."""

from collections.abc import Collection, Mapping
from datetime import datetime
from typing import Any

from django.db import transaction

from tournaments.core.errors import Reason, Refusal
from tournaments.core.find import or_404
from tournaments.core.permissions import Actor, may_manage, refuse_unless
from tournaments.director.queries.repeating import repeatable_entries
from tournaments.director.services.entries import Newcomer, store_entries
from tournaments.director.services.settings import (
    STAGE_TIMES,
    TERM_FIELDS,
    NewTournament,
    Terms,
    game_of,
)
from tournaments.director.services.tournaments import create_tournament
from tournaments.domain.file import rules_to_dict
from tournaments.domain.stages import rules_to_begin
from tournaments.models import Entry, Stage, Tournament

COPIED = ("rating", "origin", "apart", "fixed_table")
"""Fields of an entry that the draw considers."""


@transaction.atomic
def repeat_tournament(
    actor: Actor,
    tournament: Tournament,
    name: str,
    *,
    slug: str | None = None,
    begins_at: datetime | None = None,
    place: str = "",
    entries: Collection[int] = (),
) -> Tournament:
    """Create a draft with the game, stages, rules and terms of a tournament.

    ``entries`` are the numbers of those that are entered again, with what the draw considers of
    them. Refuses FORBIDDEN, UNKNOWN_CHOICE for a number that cannot be entered again, and what
    creating and entering refuse (:func:`create_tournament`, :func:`enter_newcomers`).
    """
    refuse_unless(may_manage(actor, tournament.club), actor)
    again = {entry.number: entry for entry in repeatable_entries(tournament)}
    if unknown := set(entries) - again.keys():
        raise Refusal(Reason.UNKNOWN_CHOICE, text=str(min(unknown)))
    announcement = {"begins_at": begins_at, "place": place, "rules_text": tournament.rules_text}
    settings = _settings_of(tournament, announcement)
    new = create_tournament(actor, tournament.club, name, settings, slug=slug)
    _enter(actor, new, [again[number] for number in sorted(entries)])
    new.refresh_from_db()
    return new


def _settings_of(tournament: Tournament, announcement: Mapping[str, Any]) -> NewTournament:
    """Return what a tournament was created with, with another announcement."""
    terms = {name: getattr(tournament, name) for name in TERM_FIELDS}
    terms["confirm_minutes"] = tournament.minutes_to_object
    stages = tournament.stages.order_by("number")
    return NewTournament(
        game=game_of(tournament),
        stages=[
            {"format": stage.format, "rules": _rules_of(stage), "name": stage.name}
            | {name: getattr(stage, name) for name in STAGE_TIMES}
            for stage in stages
        ],
        terms=Terms(**terms, visibility=tournament.visibility),
        announcement={name: value for name, value in announcement.items() if value},
    )


def _rules_of(stage: Stage) -> dict[str, Any]:
    return rules_to_dict(rules_to_begin(stage.rules), stage.kind.rules)


def _enter(actor: Actor, new: Tournament, entries: Collection[Entry]) -> None:
    """Enter the people and bots of entries: people first, as they are stored, by their numbers."""
    before = sorted(entries, key=lambda entry: (entry.bot_id is not None, entry.number))
    newcomers = [_newcomer(entry) for entry in before]
    if not newcomers:
        return
    stored = store_entries(actor, new, newcomers)
    for entry, old in zip(stored, before, strict=True):
        for name in COPIED:
            setattr(entry, name, getattr(old, name))
    Entry.objects.bulk_update(stored, COPIED)


def _newcomer(entry: Entry) -> Newcomer:
    """Return the pair, the player or the bot of an entry."""
    if entry.pair is not None:
        return entry.pair
    return or_404(entry.bot) if entry.player is None else entry.player
