"""Directing a round over the API: its draft edited, its clock, its check-in, its lots."""

from __future__ import annotations

from tournaments.api.bodies import said
from tournaments.api.organising import acts
from tournaments.api.reports import Body
from tournaments.api.shapes import directing as shapes
from tournaments.api.shapes.organising import HowDrawn, Nothing
from tournaments.domain.rows import Seeding
from tournaments.models import Stage, Tournament
from tournaments.permissions import Actor
from tournaments.queries.find import find_entry, find_match, find_round, find_tournament, found
from tournaments.services import attendance, clock, drafts, draws, lots
from tournaments.services.seeding import set_seeding


@acts(shapes.Afresh, name="open_check_in")
def open_check_in(actor: Actor, body: Body, slug: str) -> Tournament:
    """Open the check-in again."""
    tournament = find_tournament(slug, actor)
    return attendance.open_check_in(actor, tournament, **said(shapes.Afresh, body))


@acts(shapes.Absent, name="close_check_in")
def close_check_in(actor: Actor, body: Body, slug: str) -> Tournament:
    """End the check-in: who has not come is withdrawn, or rests in the coming round."""
    attendance.close_check_in(actor, find_tournament(slug, actor), **said(shapes.Absent, body))
    return find_tournament(slug, actor)


@acts(Nothing, name="draw_lots")
def draw_lots(actor: Actor, _body: Body, slug: str, number: int) -> Tournament:
    """Draw the lots of a round's stage, where they decide what nothing else does."""
    stage = find_round(slug, number, actor).stage
    lots.draw_lots(actor, stage)
    return find_tournament(slug, actor)


@acts(HowDrawn, name="set_seeding")
def choose_seeding(actor: Actor, body: Body, slug: str, number: int) -> Tournament:
    """Choose how a stage is seeded, until it is drawn; what is left out is the usual."""
    wanted = said(HowDrawn, body)
    stage = stage_of(actor, slug, number)
    set_seeding(actor, stage, wanted.get("seeding", Seeding.AUTO.value), wanted.get("seeded", 0))
    return find_tournament(slug, actor)


@acts(shapes.AnotherDraw, name="draw_stage_again")
def draw_stage_again(actor: Actor, body: Body, slug: str, number: int) -> Tournament:
    """Draw a stage again with the next seed, until a round of it is published.

    Number, seed and reason of every draw stay for everybody to see.
    """
    draws.draw_stage_again(actor, stage_of(actor, slug, number), **said(shapes.AnotherDraw, body))
    return find_tournament(slug, actor)


def stage_of(actor: Actor, slug: str, number: int) -> Stage:
    """Return a stage of a tournament that the actor may see; refuses NOT_FOUND."""
    stages = find_tournament(slug, actor).stages.select_related("tournament__club")
    return found(stages.filter(number=number).first())


@acts(shapes.Again, name="draw_round_again")
def draw_again(actor: Actor, body: Body, slug: str, number: int) -> Tournament:
    """Draw a draft again around the tables that are pinned."""
    drafts.draw_again(actor, find_round(slug, number, actor), **said(shapes.Again, body))
    return find_tournament(slug, actor)


@acts(Nothing, name="throw_round_away")
def throw_away(actor: Actor, _body: Body, slug: str, number: int) -> Tournament:
    """Throw a draft away."""
    drafts.throw_away(actor, find_round(slug, number, actor))
    return find_tournament(slug, actor)


@acts(shapes.Two, name="swap_entries")
def swap(actor: Actor, body: Body, slug: str, number: int) -> Tournament:
    """Let two entries of a draft change places."""
    two = said(shapes.Two, body)
    one, other = (find_entry(slug, two[name], actor) for name in ("one", "other"))
    drafts.swap(actor, find_round(slug, number, actor), one, other)
    return find_tournament(slug, actor)


@acts(shapes.Two, name="pair_entries")
def pair(actor: Actor, body: Body, slug: str, number: int) -> Tournament:
    """Seat two entries of a draft that have no table at one."""
    two = said(shapes.Two, body)
    one, other = (find_entry(slug, two[name], actor) for name in ("one", "other"))
    drafts.pair(actor, find_round(slug, number, actor), one, other)
    return find_tournament(slug, actor)


@acts(shapes.Rest, name="rest_entry")
def rest(actor: Actor, body: Body, slug: str, number: int) -> Tournament:
    """Give a bye to an entry of a draft that has no table."""
    wanted = said(shapes.Rest, body)
    entry = find_entry(slug, wanted.pop("entry"), actor)
    drafts.rest(actor, find_round(slug, number, actor), entry, **wanted)
    return find_tournament(slug, actor)


@acts(shapes.Pinned, name="pin_match")
def pin(actor: Actor, body: Body, pk: int) -> Tournament:
    """Keep a table of a draft as it is when the draft is drawn again; or no longer."""
    match = find_match(pk, actor)
    drafts.pin(actor, match, **said(shapes.Pinned, body))
    return find_tournament(match.tournament.slug, actor)


@acts(Nothing, name="part_match")
def part(actor: Actor, _body: Body, pk: int) -> Tournament:
    """Take a table of a draft apart."""
    match = find_match(pk, actor)
    drafts.part(actor, match)
    return find_tournament(match.tournament.slug, actor)


@acts(shapes.Minutes, name="start_clock")
def start_clock(actor: Actor, body: Body, slug: str, number: int) -> Tournament:
    """Start a round's clock."""
    clock.start_clock(actor, find_round(slug, number, actor), **said(shapes.Minutes, body))
    return find_tournament(slug, actor)


@acts(Nothing, name="stop_clock")
def stop_clock(actor: Actor, _body: Body, slug: str, number: int) -> Tournament:
    """Stop a round's clock."""
    clock.stop_clock(actor, find_round(slug, number, actor))
    return find_tournament(slug, actor)


@acts(Nothing, name="resume_clock")
def resume_clock(actor: Actor, _body: Body, slug: str, number: int) -> Tournament:
    """Let a round's clock go on."""
    clock.resume_clock(actor, find_round(slug, number, actor))
    return find_tournament(slug, actor)
