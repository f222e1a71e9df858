"""Turns of bots that run elsewhere, and the attempts of workers."""

import json
import os
import socket
from collections.abc import Callable, Collection, Mapping, Sequence
from datetime import timedelta
from typing import Any, Final

from django.db.models import F, Q
from django.db.models.functions import Now

import engine
from tournaments.core.db import replace_unstorable
from tournaments.models import Attempt, Bot, BotTurn, Match

# --- Turns ----------------------------------------------------------------------------------------
# A match with bots that run elsewhere is replayed from the stored answers.
#
# A match is a function of its deals, its seeded bots and the answers of the others. So no worker
# waits for an answer: the first question without one is stored and the match put aside
# (:class:`WaitingForReply`). The answer, or the end of the time for it, has the match played again
# from its beginning, one question further. Answers of programs and of slow bots at such a table are
# stored too, so that each question is asked once.


LIMITS: Final = engine.RemoteLimits()
"""Time limits of every bot that runs elsewhere."""

FAREWELL: Final = 0
"""The number of the last turn, which has no question."""

Message = dict[str, Any]


class WaitingForReply(Exception):  # noqa: N818 - what the match does
    """A match waits for a bot's answer: its question is stored, and no bot is at fault.

    The worker releases its lease without counting an attempt. The answer, or the end of the time
    for it, asks for the match to be played again.
    """


class Turns:
    """The stored turns of a seat in one part (a record) of a match, for one bot at the seat.

    ``failures`` is the number of bots that have failed at the seat before this one: its turns begin
    after the turn at which the last of them failed.
    """

    def __init__(self, match: Match, bot: Bot, part: int, seat: str, failures: int = 0) -> None:
        self._place = {"match": match, "part": part, "seat": seat}
        self._bot = bot
        rows = BotTurn.objects.filter(**self._place, number__gt=FAREWELL)
        self._rows = {row.number: row for row in rows}
        failed = sorted(row.number for row in self._rows.values() if row.failure)
        self._asked = failed[failures - 1] if failures else 0

    def discard_if_changed(self, messages: Sequence[Message]) -> bool:
        """Return whether another question is stored in the place of the next one.

        That is a ``hello`` where the conversation began again; or another question, because the
        bots of a new release play differently: it is deleted with all turns after it.
        """
        row = self._rows.get(self._asked + 1)
        if row is None or row.messages == list(messages):
            return False
        if not row.is_greeting:
            BotTurn.objects.filter(**self._place, number__gt=self._asked).delete()
            self._rows.clear()
        return True

    def next(self) -> BotTurn | None:
        """Return the turn of the next question if it is stored."""
        self._asked += 1
        return self._rows.get(self._asked)

    def store(self, messages: Sequence[Message], **columns: Any) -> BotTurn:
        """Store the turn of this question and return it, or the one that another attempt stored."""
        columns = {"asked_at": Now(), "due_at": Now(), **columns}
        row, _ = BotTurn.objects.get_or_create(
            **self._place,
            number=self._asked,
            defaults={"bot": self._bot, "messages": list(messages), **columns},
        )
        return row

    def store_farewell(self, messages: Sequence[Message]) -> None:
        """Store the last messages, once."""
        values = {"bot": self._bot, "messages": list(messages), "say": engine.SILENCE}
        times = {"asked_at": Now(), "due_at": Now(), "answered_at": Now()}
        BotTurn.objects.get_or_create(**self._place, number=FAREWELL, defaults=values | times)


class RemoteBot:
    """A bot that runs elsewhere: an :class:`engine.Bot` that also receives the results of hands.

    ``rules`` are those of the match, ``options`` those in the ``hello``. It answers from its
    stored turns. A question without a turn is stored and raises :class:`WaitingForReply`; a failed
    turn raises :class:`engine.BotFailure`, on every question until another bot takes the seat.
    """

    def __init__(
        self, turns: Turns, seat: str, rules: engine.Ruleset, options: Mapping[str, Any]
    ) -> None:
        self.failure: engine.BotFailure | None = None
        self._turns = turns
        self._table = rules, seat, options
        self._talk: engine.Conversation | None = None
        self._outbox: list[Message] = []
        self._bank = LIMITS.bank_wall

    def choose(self, view: engine.View) -> str:
        """Return the stored answer; a conversation begins with ``hello``."""
        if self.failure is not None:
            raise self.failure
        talk = self._talk or self._greet()
        messages = self._question_messages(talk, view)
        if self._turns.discard_if_changed(messages):
            messages = self._question_messages(self._greet(), view)
        row = self._ask(messages, LIMITS.move_wall + self._bank)
        self._bank = max(0.0, self._bank - max(0.0, _seconds(row) - LIMITS.move_wall))
        return row.say or engine.SILENCE

    def _greet(self) -> engine.Conversation:
        """Begin a conversation, without messages left over from another one."""
        self._talk, self._outbox = None, []
        talk = engine.Conversation(*self._table, LIMITS)
        self._ask([_json_copy(talk.hello())], LIMITS.start_wall)
        self._talk = talk
        return talk

    def _question_messages(self, talk: engine.Conversation, view: engine.View) -> list[Message]:
        """Return the messages of a question; a new deal refills the time bank."""
        if talk.is_new_deal(view):
            self._bank = LIMITS.bank_wall
        return [*self._outbox, *map(_json_copy, talk.question(view))]

    def end(
        self, points: Mapping[str, int], winner: str | None, since: Sequence[tuple[str, str]]
    ) -> None:
        """Queue the result of a hand for the next question, or for the last messages."""
        if self._talk is not None and self.failure is None:
            self._outbox.append(_json_copy(self._talk.end(points, winner, since)))

    def bye(self) -> None:
        """Store the end of the match, with the queued results."""
        if self._talk is not None and self.failure is None:
            self._turns.store_farewell([*self._outbox, self._talk.bye()])

    def _ask(self, messages: Sequence[Message], allowed: float) -> BotTurn:
        """Return the answered turn; ``allowed`` is the time for a new question in seconds."""
        self._outbox = []
        row = self._turns.next()
        if row is None:
            row = self._turns.store(messages, due_at=Now() + timedelta(seconds=allowed))
        if row.answered_at is None:
            raise WaitingForReply
        if row.failure:
            self.failure = stored_failure(row)
            raise self.failure
        return row


class RecordedBot:
    """A slow bot or program at a table with a bot that runs elsewhere: asked new questions only.

    ``make`` creates it at the first new question; a program then receives the hand so far, as the
    protocol says of a restarted bot.
    """

    def __init__(
        self,
        make: Callable[[], engine.Bot],
        turns: Turns,
        seat: str,
        rules: engine.Ruleset,
        options: Mapping[str, Any],
    ) -> None:
        self._make = make
        self._turns = turns
        self._talk = engine.Conversation(rules, seat, options, LIMITS)
        self._bot: engine.Bot | None = None

    def choose(self, view: engine.View) -> str:
        """Return the stored answer, or ask the bot.

        Raises :class:`engine.BotFailure`, also for failures of the machine.
        """
        messages = [_json_copy(message) for message in self._talk.question(view)]
        self._turns.discard_if_changed(messages)
        row = self._turns.next()
        if row is None:
            row = self._turns.store(messages, answered_at=Now(), **self._answer(view))
        if row.failure:
            raise stored_failure(row)
        return row.say or engine.SILENCE

    def _answer(self, view: engine.View) -> dict[str, Any]:
        """Return the program's answer, or its failure, as columns of a turn."""
        if self._bot is None:
            self._bot = self._make()
        try:
            return {"say": self._bot.choose(view)}
        except engine.BotFailure as failure:
            if not failure.is_bot_fault:
                raise
            return failure_columns(failure)

    def end(
        self, points: Mapping[str, int], winner: str | None, since: Sequence[tuple[str, str]]
    ) -> None:
        """Send the result of a hand to a running program."""
        if self._bot is not None and isinstance(self._bot, engine.Listener):
            self._bot.end(points, winner, since)

    def close(self) -> None:
        """Stop the program if it runs."""
        if self._bot is not None and isinstance(self._bot, engine.Closeable):
            self._bot.close()


def failure_columns(failure: engine.BotFailure) -> dict[str, Any]:
    """Return a failure as columns of a turn."""
    return {
        "failure": failure.code,
        "facts": _json_copy(failure.facts),
        "evidence": replace_unstorable(failure.evidence),
        "stderr": replace_unstorable(failure.stderr),
    }


def stored_failure(row: BotTurn) -> engine.BotFailure:
    """Return the failure stored in a turn."""
    return engine.BotFailure(row.failure, evidence=row.evidence, stderr=row.stderr, **row.facts)


def _seconds(row: BotTurn) -> float:
    """Return the time between question and answer of a turn in seconds."""
    answered = row.answered_at or row.asked_at
    return (answered - row.asked_at).total_seconds()


def _json_copy(message: Mapping[str, Any]) -> Message:
    """Return a message as it comes back from the database: lists for tuples."""
    copy: Message = json.loads(json.dumps(message))
    return copy


# --- Attempts -------------------------------------------------------------------------------------
# An attempt is a row for every lease of a bot match, and how it ended.


Outcome = Attempt.Outcome

MAX_DETAIL_LENGTH = 10_000
"""Characters of an error that are stored: the last ones."""

HARMLESS_OUTCOMES = frozenset((Outcome.PLAYED, Outcome.PARTLY, Outcome.WAITING, Outcome.LATE))
"""Outcomes of attempts without an error."""


def host_name() -> str:
    """Return the host name for attempts."""
    return socket.gethostname()[:180]


def store_attempts(match_pks: Collection[int], token: str) -> None:
    """Store the attempts of leases with one token; earlier ones without an outcome are lost."""
    _mark_lost(Q(match__in=match_pks))
    worker = f"{host_name()}:{os.getpid()}"
    Attempt.objects.bulk_create(
        Attempt(match_id=key, token=token, worker=worker, started_at=Now()) for key in match_pks
    )


def store_outcome(
    match_pks: Collection[int], token: str, outcome: Attempt.Outcome, detail: str = ""
) -> None:
    """Store the outcome of attempts with one token."""
    text = replace_unstorable(detail)[-MAX_DETAIL_LENGTH:]
    attempts = Attempt.objects.filter(match__in=match_pks, token=token)
    attempts.update(outcome=outcome, detail=text, ended_at=Now())


def delete_attempts(match_pks: Collection[int], token: str) -> None:
    """Delete attempts that were released before play."""
    Attempt.objects.filter(match__in=match_pks, token=token, outcome="").delete()


def attempt_outcomes(match_pks: Collection[int]) -> dict[int, set[str]]:
    """Return the outcomes of earlier attempts by match."""
    outcomes: dict[int, set[str]] = {}
    rows = Attempt.objects.filter(match__in=match_pks).order_by()
    for match, outcome in rows.values_list("match", "outcome"):
        outcomes.setdefault(match, set()).add(outcome)
    return outcomes


def mark_lost_attempts() -> int:
    """Mark running attempts with an expired lease as lost; returns how many."""
    is_leased = Q(match__lease_token=F("token"), match__lease_until__gte=Now())
    return _mark_lost(~is_leased)


def _mark_lost(which: Q) -> int:
    under_way = Attempt.objects.filter(which, outcome="")
    keys = list(under_way.values_list("pk", flat=True))
    attempts = Attempt.objects.filter(pk__in=keys, outcome="")
    return attempts.update(outcome=Attempt.Outcome.LOST, ended_at=Now()) if keys else 0
