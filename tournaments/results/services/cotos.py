"""Records of a match of several cotos: one for each, in order, until a side has won enough.

Until then the match has no result and waits to be played on; with the deciding coto it gets one, as
a match of a single record does. Which coto a record is about, its tag ``coto`` says; without that,
it is the one that comes next.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from tournaments.domain.cotos import Coto, coto_of, decided_by, tally
from tournaments.models import Match, Record, Result, Round
from tournaments.models.matches import SIDES
from tournaments.results.services.results import replace_result, withdraw_result

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from tournaments.core.permissions import Actor
    from tournaments.domain.scores import Score

TAG: Final = "coto"
"""The tag of a record that says which coto of its match it is, from 1."""


def accepted_cotos(match: Match) -> tuple[Record, ...]:
    """Return the records that the match has so far, coto by coto."""
    return tuple(match.records.accepted().order_by("coto"))


def cotos_of(records: Iterable[Record]) -> tuple[Coto, ...]:
    """Return how the cotos of accepted records ended."""
    return tuple(coto_of(record.verdict, record.home_side) for record in records)


def standing(match: Match) -> Score | None:
    """Return how a match of several cotos stands by its records; ``None`` without any."""
    records = accepted_cotos(match) if match.tournament.cotos > 1 else ()
    return tally(cotos_of(records), len(match.sides)) if records else None


def coto_rows(cotos: Iterable[Coto]) -> tuple[dict[str, Any], ...]:
    """Return cotos as a result keeps them: the points of each side, and who won it."""
    return tuple(
        {**dict(zip(SIDES, coto.points, strict=False)), "winner": SIDES[coto.winner]}
        for coto in cotos
    )


def settle(
    actor: Actor, match: Match, *, counts: bool, reason: str = "", **more: Any
) -> Result | None:
    """Give a match the result that its cotos come to; without enough of them it is played on.

    What was played after the match was decided is superseded.
    """
    records = accepted_cotos(match)
    end = decided_by(cotos_of(records), match.tournament.cotos)
    if end is None:
        play_on(match)
        return None
    surplus = [record.pk for record in records[end:]]
    match.records.filter(pk__in=surplus).update(state=Record.State.SUPERSEDED)
    cotos = cotos_of(records[:end])
    return replace_result(
        actor,
        match,
        tally(cotos, len(match.sides)),
        depth=Result.Depth.RECORD,
        counts=counts,
        record=records[end - 1],
        reason=reason,
        hand_scores=coto_rows(cotos),
        **more,
    )


def play_on(match: Match) -> None:
    """Let a match wait for its next coto, or to be begun again; what result it had is withdrawn."""
    withdraw_result(match)
    is_late = match.round.state == Round.State.CLOSED and match.postponed_to is not None
    match.state = Match.State.POSTPONED if is_late else Match.State.PENDING
    match.save(update_fields=["state"])


def standing_facts(match: Match, cotos: Sequence[Coto]) -> dict[str, Any]:
    """Return how the match stands, for the event of a coto that does not decide it."""
    score = tally(cotos, len(match.sides))
    names = SIDES[: len(score.hands)]
    return {f"{name}_hands": n for name, n in zip(names, score.hands, strict=True)}
