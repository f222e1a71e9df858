"""A tournament from its creation to its end."""

import secrets
from collections.abc import Mapping
from typing import Any, Final

from django.db import transaction
from django.utils import timezone

import engine
from tournaments.audit import write_event
from tournaments.domain.pairing import FORMATS, Pairing, berger
from tournaments.errors import Reason, Refusal
from tournaments.models import Club, Entry, Match, Round, Stage, Tournament
from tournaments.permissions import Actor, may_manage, refuse_unless
from tournaments.services.locks import lock_round, lock_tournament
from tournaments.services.naming import checked_name, free_slug

MOST_TURNS: Final = 4
LEAST_ENTRIES: Final = 2
LONGEST_MATCH: Final = 500
"""Hands that win a match, at most: a record can hold a thousand hands."""


@transaction.atomic
def create_tournament(
    actor: Actor,
    club: Club,
    *,
    name: str,
    ruleset: str = "parejas-online",
    options: Mapping[str, Any] | None = None,
    format: str = "liguilla",  # noqa: A002 - the word of the stage's field
    turns: int = 1,
    slug: str | None = None,
) -> Tournament:
    """Create a tournament of one stage, as a draft that takes entries.

    ``options`` are those of its records (F1): the length of a match and house rules. Refuses
    FORBIDDEN, BAD_NAME, BAD_SLUG, SLUG_TAKEN, UNKNOWN_RULESET, BAD_OPTIONS, UNKNOWN_FORMAT,
    BAD_TURNS.
    """
    refuse_unless(may_manage(actor, club), actor)
    name, options = checked_name(name), dict(options or {})
    _check_game(ruleset, options)
    if format not in FORMATS:
        raise Refusal(Reason.UNKNOWN_FORMAT, text=format)
    if not 1 <= turns <= MOST_TURNS:
        raise Refusal(Reason.BAD_TURNS, most=MOST_TURNS)
    tournament = Tournament.objects.create(
        club=club,
        name=name,
        slug=free_slug(Tournament, name, slug),
        ruleset=ruleset,
        options=options,
    )
    Stage.objects.create(tournament=tournament, number=1, format=format, turns=turns)
    facts = {"ruleset": ruleset, "options": options, "format": format, "turns": turns}
    write_event(actor, "tournament.created", tournament, club=club, tournament=tournament, **facts)
    return tournament


@transaction.atomic
def draw(actor: Actor, tournament: Tournament) -> Tournament:
    """Draw all rounds, each with its secret seed; the tournament runs, its rounds are drafts.

    Refuses FORBIDDEN, NOT_A_DRAFT, TOO_FEW_ENTRIES.
    """
    refuse_unless(may_manage(actor, tournament.club), actor)
    tournament = lock_tournament(tournament)
    refuse_unless_draft(tournament)
    entries = {entry.number: entry for entry in tournament.entries.all()}
    if len(entries) < LEAST_ENTRIES:
        raise Refusal(Reason.TOO_FEW_ENTRIES, least=LEAST_ENTRIES)
    stage = tournament.stages.select_related("tournament").get()
    drawn = berger(len(entries), stage.turns)
    rounds = [_drawn_round(stage, number) for number in range(1, len(drawn) + 1)]
    Round.objects.bulk_create(rounds)
    matches = [
        _drawn_match(round_, pairing, entries)
        for round_, pairings in zip(rounds, drawn, strict=True)
        for pairing in pairings
    ]
    Match.objects.bulk_create(matches)
    tournament.state = Tournament.State.RUNNING
    tournament.save(update_fields=["state"])
    facts: dict[str, Any] = {"entries": len(entries), "rounds": len(drawn), "matches": len(matches)}
    _note(actor, "tournament.drawn", tournament, **facts)
    return tournament


@transaction.atomic
def publish_round(actor: Actor, round_: Round) -> Round:
    """Show a round to everybody, with the commitment to its seed, and take its records.

    Refuses FORBIDDEN, NOT_RUNNING, ROUND_NOT_DRAFT.
    """
    refuse_unless(may_manage(actor, round_.stage.tournament.club), actor)
    round_ = lock_round(round_)
    tournament = round_.stage.tournament
    _refuse_unless_running(tournament)
    if round_.state != Round.State.DRAFT:
        raise Refusal(Reason.ROUND_NOT_DRAFT, round=round_.number)
    round_.state = Round.State.PUBLISHED
    round_.published_at = timezone.now()
    round_.save(update_fields=["state", "published_at"])
    facts = {"round": round_.number, "commitment": round_.commitment}
    _note(actor, "round.published", tournament, round_, **facts)
    return round_


@transaction.atomic
def close_round(actor: Actor, round_: Round) -> Round:
    """End a round whose matches all have their result, and reveal its seed.

    Refuses FORBIDDEN, NOT_RUNNING, ROUND_NOT_OPEN, ROUND_UNFINISHED.
    """
    refuse_unless(may_manage(actor, round_.stage.tournament.club), actor)
    round_ = lock_round(round_)
    tournament = round_.stage.tournament
    _refuse_unless_running(tournament)
    if round_.state != Round.State.PUBLISHED:
        raise Refusal(Reason.ROUND_NOT_OPEN, round=round_.number)
    if unfinished := round_.matches.undecided().count():
        raise Refusal(Reason.ROUND_UNFINISHED, round=round_.number, count=unfinished)
    round_.state = Round.State.CLOSED
    round_.closed_at = timezone.now()
    round_.save(update_fields=["state", "closed_at"])
    facts = {"round": round_.number, "seed": round_.seed}
    _note(actor, "round.closed", tournament, round_, **facts)
    return round_


@transaction.atomic
def finish(actor: Actor, tournament: Tournament) -> Tournament:
    """End a tournament whose rounds are all closed.

    Refuses FORBIDDEN, NOT_RUNNING, TOURNAMENT_UNFINISHED.
    """
    refuse_unless(may_manage(actor, tournament.club), actor)
    tournament = lock_tournament(tournament)
    _refuse_unless_running(tournament)
    rounds = Round.objects.filter(stage__tournament=tournament)
    matches = Match.objects.filter(round__stage__tournament=tournament)
    left = rounds.exclude(state=Round.State.CLOSED).count() or matches.undecided().count()
    if left:
        raise Refusal(Reason.TOURNAMENT_UNFINISHED, count=left)
    tournament.state = Tournament.State.FINISHED
    tournament.save(update_fields=["state"])
    _note(actor, "tournament.finished", tournament)
    return tournament


def refuse_unless_draft(tournament: Tournament) -> None:
    """Raise NOT_A_DRAFT once the rounds are drawn."""
    if tournament.state != Tournament.State.DRAFT:
        raise Refusal(Reason.NOT_A_DRAFT)


def _refuse_unless_running(tournament: Tournament) -> None:
    if tournament.state != Tournament.State.RUNNING:
        raise Refusal(Reason.NOT_RUNNING)


def _check_game(ruleset: str, options: Mapping[str, Any]) -> None:
    """Ask the engine whether pairs can play under this ruleset with these options."""
    if ruleset not in engine.RULESETS or not engine.RULESETS[ruleset].pairs:
        raise Refusal(Reason.UNKNOWN_RULESET, text=ruleset[:60])
    seats = list(engine.RULESETS[ruleset].seats)
    empty = {"format": "baza/1", "ruleset": ruleset, "options": options, "seats": seats}
    try:
        engine.parse_record({**empty, "hands": []})
    except engine.RecordError as error:
        shown = error.fault.path.rpartition("/")[2]
        raise Refusal(Reason.BAD_OPTIONS, text=shown[:60]) from error
    for name, length in options.items():
        if isinstance(length, int) and length > LONGEST_MATCH:
            raise Refusal(Reason.BAD_OPTIONS, text=name)


def _drawn_round(stage: Stage, number: int) -> Round:
    """Make a draft round with a fresh seed and the commitment to it."""
    round_ = Round(stage=stage, number=number, seed=secrets.token_hex(32))
    round_.commitment = engine.commitment(round_.label, bytes.fromhex(round_.seed))
    return round_


def _drawn_match(round_: Round, pairing: Pairing, entries: Mapping[int, Entry]) -> Match:
    """Make the match of a table, or the bye of whoever rests."""
    return Match(
        round=round_,
        table=pairing.table,
        home=entries[pairing.home],
        away=None if pairing.away is None else entries[pairing.away],
        state=Match.State.BYE if pairing.away is None else Match.State.PENDING,
    )


def _note(
    actor: Actor,
    verb: str,
    tournament: Tournament,
    subject: Round | None = None,
    **facts: Any,
) -> None:
    """Write an event of the tournament, about itself or one of its rounds."""
    write_event(
        actor,
        verb,
        subject or tournament,
        club=tournament.club,
        tournament=tournament,
        **facts,
    )
