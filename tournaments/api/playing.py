"""Bots at play over the API: entered, asked to play, paused, and sent on by their schedule."""

from __future__ import annotations

from tournaments.api.bodies import said
from tournaments.api.organising import acts
from tournaments.api.reports import Body
from tournaments.api.shapes.organising import BotEntries, Nothing
from tournaments.models import Tournament
from tournaments.permissions import Actor
from tournaments.queries.find import find_bot, find_round, find_tournament
from tournaments.services import arena, schedules
from tournaments.services.entries import enter_bots
from tournaments.services.playing import play_round


@acts(BotEntries, name="enter_bots")
def enter(actor: Actor, body: Body, slug: str) -> Tournament:
    """Enter bots of the house or of the club into a draft; the same one as often as it is named."""
    named = said(BotEntries, body)["bots"]
    bots = {name: find_bot(slug, name, actor) for name in dict.fromkeys(named)}
    enter_bots(actor, find_tournament(slug, actor), [bots[name] for name in named])
    return find_tournament(slug, actor)


@acts(Nothing, name="play_round")
def play(actor: Actor, _body: Body, slug: str, number: int) -> Tournament:
    """Have the bots of a published round play; again, those of the matches left undone.

    As pausing them it needs a token with the scope `bots:run` of an organiser.
    """
    play_round(actor, find_round(slug, number, actor))
    return find_tournament(slug, actor)


@acts(Nothing, name="pause_round")
def pause(actor: Actor, _body: Body, slug: str, number: int) -> Tournament:
    """Let the bots of a round finish the matches that they are at, and begin no other."""
    arena.pause_round(actor, find_round(slug, number, actor))
    return find_tournament(slug, actor)


@acts(Nothing, name="resume_round")
def resume(actor: Actor, _body: Body, slug: str, number: int) -> Tournament:
    """Let the bots of a round that was paused play on."""
    arena.resume_round(actor, find_round(slug, number, actor))
    return find_tournament(slug, actor)


@acts(Nothing, name="run_schedule")
def run(actor: Actor, _body: Body, slug: str) -> Tournament:
    """Do at once what the schedule of a tournament of bots would do when it is due.

    What is complete is closed, and the next round drawn, published and played. Needs a token with
    the scopes `tournaments:manage` and `bots:run`.
    """
    schedules.run_now(actor, find_tournament(slug, actor))
    return find_tournament(slug, actor)
