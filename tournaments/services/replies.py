"""What bots that run elsewhere reply to their questions: once, in time, and judged by the engine.

Every turn ends by one conditional change of its row, whoever comes first: the reply, or the sweep
when the time for it is over. So a reply sent twice, or two at once, come to one.
"""

from datetime import timedelta
from typing import Any, Final

from django.db import transaction
from django.db.models import F
from django.db.models.functions import Now

import engine
from tournaments.errors import Reason, Refusal
from tournaments.jobs import Job, post
from tournaments.models import BotTurn, Match
from tournaments.permissions import Actor, may_change_bot, refuse_unless
from tournaments.services.locks import read_again
from tournaments.services.turns import FAREWELL, LIMITS, columns_of

HANG: Final = "hang"
SLOW_START: Final = "slow_start"

UNSWEPT: Final = timedelta(seconds=30)
"""A turn found over for so long was missed by the sweep: the service was down, not the bot."""

KEPT: Final = timedelta(days=1)
"""How long the turns of a match that is decided are kept, for whoever asks again."""

EVIDENCE: Final = 500
"""Bytes of a wrong line that are kept."""

MOST_AT_ONCE: Final = 500
"""Turns that one sweep ends at most."""


@transaction.atomic
def take_reply(actor: Actor, turn: BotTurn, line: bytes) -> BotTurn:
    """Take a bot's line in reply to a turn, and have its match played on.

    A line that is no legal answer is taken as well: it is the turn's failure. The same line again
    changes nothing and is answered alike. Refuses FORBIDDEN, ALREADY_ANSWERED, TOO_LATE.
    """
    refuse_unless(may_change_bot(actor, turn.bot), actor)
    said = _judged(turn.messages[-1], line)
    of_this = BotTurn.objects.filter(pk=turn.pk)
    still_open = of_this.waited_for().filter(due_at__gt=Now())
    if of_this.of_matches_in_play() and still_open.update(**said, answered_at=Now()):
        post(Job.PLAY_MATCH, turn.match_id)
        turn.refresh_from_db()
        return turn
    turn = read_again(BotTurn.objects.select_related("bot"), turn)
    if turn.answered_at is None or turn.failure in {HANG, SLOW_START} or turn.number == FAREWELL:
        raise Refusal(Reason.TOO_LATE)
    if any(getattr(turn, name) != value for name, value in said.items()):
        raise Refusal(Reason.ALREADY_ANSWERED)
    return turn


@transaction.atomic
def expire_due() -> int:
    """End the turns whose time is over, and have their matches played on; answers how many.

    Those that were over long before this sweep are asked once more, with the time for an answer:
    nobody could have answered while the service was down, and it costs nobody's bank anything.
    """
    over = BotTurn.objects.waited_for().of_matches_in_play().filter(due_at__lte=Now())
    missed = over.filter(due_at__lt=Now() - UNSWEPT)
    missed.update(asked_at=Now(), due_at=Now() + _answer_time())
    rows = over.select_for_update(of=("self",), no_key=True, skip_locked=True).order_by("pk")
    ended = 0
    for row in rows[:MOST_AT_ONCE]:
        columns = columns_of(_late(row))
        left = BotTurn.objects.waited_for().filter(pk=row.pk, due_at__lte=Now())
        if left.update(**columns, answered_at=F("due_at")):
            post(Job.PLAY_MATCH, row.match_id)
            ended += 1
    return ended


def forget_old() -> int:
    """Delete the turns of matches that are decided, a day later; answers how many.

    What they did wrong stays with the match, the play with its record.
    """
    decided = BotTurn.objects.filter(match__state__in=(Match.State.ACCEPTED, Match.State.BYE))
    return decided.filter(asked_at__lt=Now() - KEPT).delete()[0]


def _judged(question: dict[str, Any], line: bytes) -> dict[str, Any]:
    """Return what a line comes to, as columns of its turn."""
    if len(line) > LIMITS.line:
        return _wrong(engine.BotFailure("output_flood", limit=LIMITS.line, what="line"), line)
    try:
        return {"say": engine.answer_to(question, line), "failure": ""}
    except engine.BotFailure as failure:
        return _wrong(failure, line)


def _wrong(failure: engine.BotFailure, line: bytes) -> dict[str, Any]:
    failure.evidence = failure.evidence or line[:EVIDENCE].decode(errors="replace")
    return columns_of(failure)


def _late(row: BotTurn) -> engine.BotFailure:
    limit = (row.due_at - row.asked_at).total_seconds()
    code = SLOW_START if row.is_greeting else HANG
    return engine.BotFailure(code, limit=round(limit, 1))


def _answer_time() -> timedelta:
    return timedelta(seconds=LIMITS.move_wall)
