"""Matches that one side, or both, did not play."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from django.db import transaction

from tournaments.domain.scores import Score
from tournaments.errors import Reason, Refusal
from tournaments.models import Match, Result
from tournaments.models.matches import SIDES
from tournaments.permissions import Actor
from tournaments.queries.state import match_facts, refuse_closed
from tournaments.services.locks import lock_match
from tournaments.services.matches import effect_on_places, refuse_unless_arbiter, settle_interim
from tournaments.services.naming import checked_reason
from tournaments.services.results import note, replace_result, score_facts

NO_SHOW: Final = "no_show"
"""The reason of a forfeit by absence, as it is kept; pages word it."""


@transaction.atomic
def forfeit(actor: Actor, match: Match, sides: Iterable[str], *, reason: str) -> Result:
    """Give a match as lost by some of its sides, or by all of them: then nobody has won it.

    No hands and no points are counted for anybody; what it is worth is the stage's to say
    (`Scale.forfeit_win`, `forfeit_loss`). What was reported before is kept and counts no more.
    Refuses FORBIDDEN, OWN_TABLE, REASON_MISSING, NOTHING_TO_PLAY, ALREADY_DISPUTED,
    ROUND_NOT_OPEN, UNKNOWN_SIDE, BOTS_ARE_THERE.
    """
    refuse_unless_arbiter(actor, match)
    reason = checked_reason(reason)
    match = lock_match(match)
    refuse_closed("forfeit", match_facts(match))
    return _forfeited(actor, match, _absent(match, sides), reason)


@transaction.atomic
def no_show(actor: Actor, match: Match, sides: Iterable[str]) -> Result:
    """Give a match as lost by those who have not come, once they were waited for long enough.

    The time runs from when the round's clock was started, or else from its publication, and stands
    still with the clock. Refuses as :func:`forfeit`, and HAS_RESULT, ROUND_NOT_OPEN,
    NO_SHOW_TOO_EARLY.
    """
    refuse_unless_arbiter(actor, match)
    match = lock_match(match)
    refuse_closed("no_show", match_facts(match))
    return _forfeited(actor, match, _absent(match, sides), NO_SHOW)


def _absent(match: Match, sides: Iterable[str]) -> tuple[str, ...]:
    """Return the sides that do not play, in their order."""
    named, there = set(sides), SIDES[: len(match.sides)]
    if not named or not named <= set(there):
        raise Refusal(Reason.UNKNOWN_SIDE, text=", ".join(sorted(named - set(there)))[:60])
    absent = tuple(side for side in there if side in named)
    entries = [entry for side in absent for entry in match.sides[SIDES.index(side)]]
    if any(entry.bot_id is not None for entry in entries):
        raise Refusal(Reason.BOTS_ARE_THERE)
    return absent


def _forfeited(actor: Actor, match: Match, absent: tuple[str, ...], reason: str) -> Result:
    nothing = (0,) * len(match.sides)
    score = Score.of(nothing, nothing)
    before = match.results.live().first()
    facts = {} if before is None else effect_on_places(match, score, forfeits=absent)
    result = replace_result(
        actor, match, score, depth=Result.Depth.FORFEIT, reason=reason, forfeits=absent
    )
    facts |= {
        "reason": reason,
        "forfeits": list(absent),
        "before": score_facts(before),
        "after": score_facts(result),
    }
    note(actor, "match.forfeited", result, match, **facts)
    settle_interim(actor, match, reason, before=score_facts(before))
    return result
