"""What was said of a tournament, said otherwise; and a draft thrown away."""

from collections.abc import Mapping
from dataclasses import fields
from typing import Any, Final

from django.db import transaction
from django.utils import timezone

from tournaments.audit import deleted_with, write_event
from tournaments.models import Schedule, Tournament
from tournaments.permissions import Actor, may_manage, refuse_unless
from tournaments.queries.state import refuse_closed, tournament_facts
from tournaments.services.locks import bump, lock_tournament
from tournaments.services.naming import checked_name
from tournaments.services.tournaments import Terms, checked_terms
from tournaments.services.visibility import set_visibility

OF_THE_TERMS: Final = tuple(field.name for field in fields(Terms) if field.name != "visibility")
"""What is agreed before the first card."""


@transaction.atomic
def change_tournament(
    actor: Actor, tournament: Tournament, wanted: Mapping[str, Any]
) -> Tournament:
    """Give a tournament another ``name``, other terms (`Terms`), another ``visibility``.

    What is left out stays, and what it is already changes nothing. Its name can change until it is
    over, its terms until its rounds are drawn; its short name never does. Refuses FORBIDDEN,
    BAD_NAME, TOURNAMENT_OVER, ROUNDS_DRAWN, BAD_OPTIONS.
    """
    tournament = lock_tournament(tournament)
    refuse_unless(may_manage(actor, tournament.club), actor)
    said = {name: wanted[name] for name in ("name", *OF_THE_TERMS) if name in wanted}
    if "name" in said:
        said["name"] = checked_name(said["name"])
    before = {name: getattr(tournament, name) for name in said}
    new = {name: value for name, value in said.items() if value != before[name]}
    _refuse_too_late(tournament, new)
    checked_terms(Terms(**{name: new[name] for name in OF_THE_TERMS if name in new}))
    if new:
        for name, value in new.items():
            setattr(tournament, name, value)
        tournament.save(update_fields=list(new))
        bump(tournament)
        was = {name: before[name] for name in new}
        _note(actor, "tournament.changed", tournament, before=was, after=new)
    if "visibility" in wanted:
        tournament = set_visibility(actor, tournament, wanted["visibility"])
    return tournament


@transaction.atomic
def discard_draft(actor: Actor, tournament: Tournament) -> None:
    """Throw a draft away, with its entries, plan, places in seasons and webhooks of its own.

    The club keeps its players and pairs, and the history what was done; the short name is free
    again. Refuses FORBIDDEN, ROUNDS_DRAWN.
    """
    tournament = lock_tournament(tournament)
    refuse_unless(may_manage(actor, tournament.club), actor)
    refuse_closed("discard", tournament_facts(tournament))
    gone = {"slug": tournament.slug, "entries": tournament.entries.count()}
    rows = deleted_with(tournament.entries.all())
    Schedule.objects.filter(tournament=tournament).delete()
    tournament.seasons.all().delete()
    tournament.webhooks.all().delete()
    tournament.restore_points.all().delete()
    tournament.stages.all().delete()
    tournament.entries.all().delete()
    _note(actor, "tournament.discarded", tournament, **gone, rows=rows)
    tournament.slug, tournament.discarded_at = f"~{tournament.pk}", timezone.now()
    tournament.save(update_fields=["slug", "discarded_at"])


def _refuse_too_late(tournament: Tournament, new: Mapping[str, Any]) -> None:
    facts = tournament_facts(tournament)
    if "name" in new:
        refuse_closed("rename", facts)
    if set(new) - {"name"}:
        refuse_closed("change_terms", facts)


def _note(actor: Actor, verb: str, tournament: Tournament, **facts: Any) -> None:
    write_event(actor, verb, tournament, club=tournament.club, tournament=tournament, **facts)
