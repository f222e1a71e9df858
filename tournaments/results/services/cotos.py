"""Records of a match of several cotos: one for each, in order, until a side has won enough.

Until then the match has no result and stays open; the deciding coto gives it one, as the record of
a match of one record does. The tag ``coto`` of a record is its number; without the tag it is the
next coto.
"""

from collections.abc import Iterable, Sequence
from typing import Any, Final

from tournaments.core.permissions import Actor
from tournaments.domain.cotos import Coto, coto_of, decided_by, tally
from tournaments.domain.scores import Score
from tournaments.models import Match, Record, Result, Round
from tournaments.models.matches import SIDES
from tournaments.results.services.results import replace_result, withdraw_result

TAG: Final = "coto"
"""The tag of a record with the number of its coto, from 1."""


def accepted_cotos(match: Match) -> tuple[Record, ...]:
    """Return the accepted records of the match, coto by coto."""
    return tuple(match.records.accepted().order_by("coto"))


def cotos_of(records: Iterable[Record]) -> tuple[Coto, ...]:
    """Return how the cotos of accepted records ended."""
    return tuple(coto_of(record.verdict, record.home_side) for record in records)


def standing(match: Match) -> Score | None:
    """Return the score so far of a match of several cotos; ``None`` without records."""
    records = accepted_cotos(match) if match.tournament.cotos > 1 else ()
    return tally(cotos_of(records), len(match.sides)) if records else None


def coto_rows(cotos: Iterable[Coto]) -> tuple[dict[str, Any], ...]:
    """Return cotos in the form of `Result.hand_scores`: the points of each side, and the winner."""
    return tuple(
        {**dict(zip(SIDES, coto.points, strict=False)), "winner": SIDES[coto.winner]}
        for coto in cotos
    )


def settle(
    actor: Actor, match: Match, *, counts: bool, reason: str = "", **more: Any
) -> Result | None:
    """Give a match the result of its cotos; without enough of them the match goes on.

    Records after the deciding coto are superseded.
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
    """Withdraw the result of a match, if any, and let it wait for its next coto."""
    withdraw_result(match)
    is_late = match.round.state == Round.State.CLOSED and match.postponed_to is not None
    match.state = Match.State.POSTPONED if is_late else Match.State.PENDING
    match.save(update_fields=["state"])


def standing_facts(match: Match, cotos: Sequence[Coto]) -> dict[str, Any]:
    """Return the score so far, for the event of a coto that does not decide the match."""
    score = tally(cotos, len(match.sides))
    names = SIDES[: len(score.hands)]
    return {f"{name}_hands": n for name, n in zip(names, score.hands, strict=True)}
