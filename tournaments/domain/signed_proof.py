"""Binds the proof of a tournament to the signed history of its club, and checks that.

Before a checkpoint is signed, an event of the verb `SIGNED` states for each changed tournament the
digest of its closed rounds, the seeds of its stages and the digest of all draws. A proof carries
this event with the checkpoint that covers it (docs/programs/tournament-file.md).
"""

import hashlib
from collections.abc import Iterable, Mapping
from typing import Any, Final

from tournaments.domain.file.codec import to_json
from tournaments.domain.proof import (
    DealCommitment,
    SignedState,
    StageDraw,
    digest_of,
    rounds_until,
)
from tournaments.domain.rows import State, TournamentRows
from tournaments.domain.trail.chain import canonical, commitment, link, says
from tournaments.domain.trail.rows import BASELINE

SIGNED: Final = "tournament.signed"
"""The verb of an event that states a tournament, so that the next checkpoint signs it."""

STATED: Final = ("after", "digest", "seeds", "draws")
"""The facts of a statement (`statement_of`)."""

DIFFERING: Final = "differs"
"""The fact of an event that repeats a statement: in which fields the rows differ from it."""

CORRECTING: Final = frozenset(
    {
        "dispute.ruled",
        "entry.expelled",
        "entry.expulsion_revoked",
        "lots.drawn",
        "match.decided",
        "match.forfeited",
        "penalty.given",
        "penalty.revoked",
        "result.corrected",
    }
)
"""Verbs of the events that change the places of a tournament that is over."""

CHANGING: Final = CORRECTING | frozenset(
    {
        # results, restoring
        "record.accepted",
        "result.confirmed",
        "result.reported",
        "tournament.restored",
        # names of the tournament and its entries; erasure writes a baseline
        "entry.renamed",
        "tournament.changed",
        # rules, and the seeding that a draw settles
        "stage.drawn_again",
        "stage.seeding_set",
        "tournament.drawn",
        # who plays, and when
        "act.taken_back",
        "bye.cancelled",
        "bye.requested",
        "check_in.closed",
        "entries.added",
        "entry.came_back",
        "entry.described",
        "entry.late",
        "entry.removed",
        "entry.seated",
        "entry.withdrawn",
        "rounds.replanned",
        "schedule.ran",
    }
)
"""Verbs of the events after which the statement of a tournament may be another."""

RENAMING: Final = ("player.renamed", "players.imported")
"""Verbs that changed names without an event of the tournament, until it got its baseline.

The baseline of migration 0039, by its reason `PLAN_BASELINE`.
"""

PLAN_BASELINE: Final = "rules"

STATED_SETTINGS: Final = frozenset(("name", "options", "ruleset", "places"))
"""Settings that a statement covers, of those that an event of `tournament.changed` may name."""

DRAWS: Final = b"baza-draws/1\n"


def may_change_statement(verb: str, facts: Mapping[str, Any]) -> bool:
    """Return whether the statement of a tournament may be another after an event.

    >>> may_change_statement("tournament.announced", {"text": "Cena a las nueve"})
    False
    >>> may_change_statement("round.drawn", {"round": 4, "draw": 1})  # a stage begins with it
    True
    """
    if verb == BASELINE:
        return facts.get("why") == "erasure"
    if verb == "tournament.changed":  # not what it announces, nor its terms
        return bool(STATED_SETTINGS.intersection(facts.get("after") or ()))
    return verb in CHANGING or (verb == "round.drawn" and "draw" in facts)


def last_closed(rows: TournamentRows) -> int:
    """Return the last round such that it and all published rounds before it are closed; or 0."""
    last = 0
    published = [round_ for stage in rows.stages for round_ in stage.published]
    for round_ in sorted(published, key=lambda round_: round_.number):
        if round_.state is not State.CLOSED:
            break
        last = round_.number
    return last


def statement_of(
    rows: TournamentRows,
    draws: Iterable[StageDraw],
    deals: Iterable[DealCommitment],
    after: int,
) -> dict[str, Any]:
    """Return what an event states of a tournament after a round, in types of JSON.

    Draws of stages that have no round by then, and deals of later rounds, are left out.
    """
    covered = rounds_until(rows, after)
    seeds = {stage.number: stage.seed for stage in covered.stages if stage.rounds}
    return {
        "after": after,
        "digest": digest_of(covered),
        "seeds": {str(number): seed for number, seed in seeds.items()},
        "draws": draws_digest(
            (draw for draw in draws if draw.stage in seeds),
            (deal for deal in deals if deal.stage in seeds and deal.round <= after),
        ),
    }


def draws_digest(draws: Iterable[StageDraw], deals: Iterable[DealCommitment]) -> str:
    """Return ``sha256:`` and the hash of draws and commitments to deals, as the file has them."""
    document = {
        "deals": [to_json(deal) for deal in deals],
        "draws": [to_json(draw) for draw in draws],
    }
    return "sha256:" + hashlib.sha256(DRAWS + canonical(document)).hexdigest()


def matches_checkpoint(signed: SignedState) -> bool:
    """Tell whether the event leads to the digest that its checkpoint signs, and is as chained."""
    event, checkpoint = signed.event, signed.checkpoint
    try:
        is_whole = commitment(event.texts, event.salt) == event.texts_digest
        head = link(signed.before, says(event))
        is_whole = is_whole and head == event.digest
    except ValueError:
        return False
    for content_digest in signed.links:
        head = link(head, content_digest)
    return (
        is_whole
        and bool(event.salt)
        and event.verb == SIGNED
        and checkpoint.club == event.club
        and checkpoint.sequence == event.sequence + len(signed.links)
        and checkpoint.digest == head
    )
