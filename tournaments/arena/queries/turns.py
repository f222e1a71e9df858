"""Turns of remote bots, and files to verify bot rounds."""

import json
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from enum import StrEnum
from typing import Any, Final

from django.db.models import Q
from django.db.models.functions import Now

import engine
from tournaments.core.errors import Reason, Refusal
from tournaments.core.find import find_round, not_found_unless, or_404
from tournaments.core.permissions import Actor, may_change_bot
from tournaments.domain.sides import SIDES
from tournaments.models import Bot, BotTurn, Match, Record, Round
from tournaments.models.matches import at_any_place
from tournaments.models.results import SETTLED_DEPTHS

# --- Turns ----------------------------------------------------------------------------------------
# Open turns and ended matches, fetched by bots that run elsewhere.


POLL_SECONDS_IN_PLAY: Final = 0.2
POLL_SECONDS_IDLE: Final = 5.0
"""Seconds until a bot should poll again (``poll_after``): with matches in play, and without."""

FAREWELLS: Final = timedelta(minutes=10)
"""Time for which the end of a match is reported."""

MAX_TURNS: Final = 200
"""Limit of turns in one answer, those due first."""

Message = dict[str, Any]

BYE: Final[Message] = {"type": "bye"}


class Ending(StrEnum):
    """Why a part of a match is over for a bot."""

    PLAYED = "played"
    DECIDED = "decided"
    """Its result came otherwise: by a ruling, a correction or a forfeit."""
    ABANDONED = "abandoned"
    """It was voided, or is left to the arbiter."""
    POSTPONED = "postponed"
    WITHDRAWN = "withdrawn"
    """The publication of its round was taken back."""


@dataclass(frozen=True, slots=True)
class TurnRow:
    """A question, or the end of a part of a match and ``why`` it ended.

    ``due_at`` is the deadline of the answer.
    """

    pk: int
    match: int
    part: int
    seat: str
    messages: Sequence[Message]
    due_at: datetime
    why: str = ""


@dataclass(frozen=True, slots=True)
class TurnsPage:
    """The open turns of a bot, by deadline, the ends of matches, and the matches under way."""

    bot: Bot
    turns: Sequence[TurnRow]
    ended: Sequence[TurnRow]
    poll_after: float
    matches: Sequence[int]


def turns_page(slug: str, viewer: Actor, *, after_restart: bool = False) -> TurnsPage:
    """Return the open turns of a bot.

    ``after_restart`` sends each turn as to a bot that has just started. Refuses NOT_FOUND to those
    who may not act for the bot.
    """
    bot = find_own_bot(slug, viewer)
    # Read before the ends: a match is either still in play here, or already among them.
    matches = _matches_in_play(bot)
    turns = bot.turns.open().order_by("due_at", "pk")[:MAX_TURNS]
    matches |= {turn.match_id for turn in turns}  # one may have begun in between
    over = bot.turns.filter(number=0, answered_at__gt=Now() - FAREWELLS).order_by("pk")[:MAX_TURNS]
    messages = _messages_after_restart(turns) if after_restart else {}
    return TurnsPage(
        bot,
        tuple(_row(turn, messages.get(turn.pk, turn.messages)) for turn in turns),
        (*(_row(turn, turn.messages, Ending.PLAYED) for turn in over), *_decided_otherwise(bot)),
        POLL_SECONDS_IN_PLAY if matches else POLL_SECONDS_IDLE,
        sorted(matches),
    )


def find_turn(slug: str, pk: int, viewer: Actor) -> BotTurn:
    """Return a turn of a bot that the viewer may act for. Refuses NOT_FOUND."""
    bot = find_own_bot(slug, viewer)
    return or_404(bot.turns.select_related("bot__club").filter(pk=pk).first())


def find_own_bot(slug: str, viewer: Actor) -> Bot:
    """Return a remote bot that the viewer may act for. Refuses NOT_FOUND."""
    bots = Bot.objects.select_related("club").filter(kind=Bot.Kind.REMOTE)
    bot = or_404(bots.filter(slug=slug).first())
    if not may_change_bot(viewer, bot):
        raise Refusal(Reason.NOT_FOUND)
    return bot


def _decided_otherwise(bot: Bot) -> list[TurnRow]:
    """Return a ``bye`` for each part that ends otherwise than by play: one query.

    The arbiter gave the result of its match, or the match was voided or is left to the arbiter; or
    it is postponed, or its round is a draft again: those two are said as long as they last, for
    when they began is in the audit log alone.
    """
    since = Now() - FAREWELLS
    has_result = Q(
        results__live=True, results__depth__in=SETTLED_DEPTHS, results__made_at__gt=since
    )
    is_put_off = Q(state=Match.State.POSTPONED) | Q(round__state=Round.State.DRAFT)
    ends = has_result | Q(abandoned_at__gt=since) | is_put_off
    matches = Match.objects.filter(at_any_place(bot, "__bot")).filter(ends)
    first: dict[tuple[int, int, str], BotTurn] = {}
    turns = bot.turns.filter(match__in=matches).select_related("match__round")
    for turn in turns.defer("messages").order_by("number"):
        first.setdefault((turn.match_id, turn.part, turn.seat), turn)
    ended = [turn for turn in first.values() if turn.number]  # 0: it ended by play
    return [_row(turn, [BYE], _ending_of(turn.match)) for turn in ended]


def _ending_of(match: Match) -> Ending:
    """Return why a match is over that did not end by play."""
    if match.round.state == Round.State.DRAFT:
        return Ending.WITHDRAWN
    if match.state == Match.State.POSTPONED:
        return Ending.POSTPONED
    is_decided = match.state != Match.State.PENDING or match.abandoned_at is None
    return Ending.DECIDED if is_decided else Ending.ABANDONED


def _matches_in_play(bot: Bot) -> set[int]:
    """Return the keys of the matches that a bot is asked to play."""
    matches = Match.objects.requested().filter(at_any_place(bot, "__bot"))
    matches = matches.filter(abandoned_at__isnull=True)
    return set(matches.order_by().values_list("pk", flat=True))


def _row(turn: BotTurn, messages: Sequence[Message], why: str = "") -> TurnRow:
    values = turn.pk, turn.match_id, turn.part, turn.seat
    return TurnRow(*values, messages=messages, due_at=turn.due_at, why=why)


def _messages_after_restart(turns: Iterable[BotTurn]) -> dict[int, Sequence[Message]]:
    """Return the messages for a bot that has just started, by key of the turn; one query."""
    places = {(turn.match_id, turn.part, turn.seat): turn for turn in turns}
    messages: Mapping[tuple[int, int, str], list[Message]] = defaultdict(list)
    rows = BotTurn.objects.filter(match__in={match for match, _, _ in places})
    for row in rows.exclude(number=0).order_by("number"):
        messages[row.match_id, row.part, row.seat] += row.messages
    return {turn.pk: question_after_restart(messages[key]) for key, turn in places.items()}


def question_after_restart(messages: Sequence[Message]) -> list[Message]:
    """Return the last question of a conversation as sent to a bot that has just started.

    It gets the last ``hello``, the deal, and the question with all of its hand (`baza-bot/1`).
    """
    start = max(index for index, message in enumerate(messages) if message["type"] == "hello")
    hello, *rest = messages[start:]
    dealt = [index for index, message in enumerate(rest) if message["type"] == "deal"]
    if not dealt:
        return [hello]
    hand = [message for message in rest[dealt[-1] :] if message["type"] == "ask"]
    since = [pair for message in hand for pair in message["since"]]
    return [hello, rest[dealt[-1]], {**hand[-1], "since": since}]


# --- Round files ----------------------------------------------------------------------------------
# The seed of a bot round and the records dealt from it, for independent verification.


def round_file(slug: str, number: int, viewer: Actor) -> bytes:
    """Return a closed round as JSON lines that `baza verify-round` reads (`baza-round/1`).

    Matches whose tables all play the same deals are left out: these are dealt from the stage's
    seed. Refuses NOT_FOUND, also while the round is not closed.
    """
    round_ = find_round(slug, number, viewer)
    records = list(_records(round_))
    not_found_unless(round_.state == Round.State.CLOSED and bool(records))
    header = engine.round_header(round_.label, bytes.fromhex(round_.seed), len(records))
    lines = [header, *(_line(record) for record in records)]
    return "".join(json.dumps(line, ensure_ascii=False) + "\n" for line in lines).encode()


def _records(round_: Round) -> Iterator[Record]:
    """Yield the accepted records of bots with their matches: one query."""
    matches = Match.objects.filter(round=round_, boards=[])
    records = Record.objects.accepted().filter(match__in=matches, source=Record.Source.BOT)
    with_match = records.select_related("match__round__stage__tournament")
    yield from with_match.order_by("match__table", "coto").defer("verdict")


def _line(record: Record) -> dict[str, object]:
    return {"label": deals_label(record), "record": json.loads(record.text)}


def deals_label(record: Record) -> str:
    """Return the label from which the deals of a bots' record are derived."""
    match = record.match
    if match.tournament.deal_sets:
        sides = sum(getattr(match, f"{side}_id") is not None for side in SIDES)
        return f"{match.label}/{(record.coto - 1) // sides + 1}"
    return f"{match.label}/{record.coto}" if match.tournament.cotos > 1 else match.label
