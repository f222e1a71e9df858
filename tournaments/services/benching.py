"""What bots lose by what they do wrong: hands, and after three in a row the rest of the match.

What they did is kept with the record in which they did it, in one transaction. A bot that loses
the rest of its match is benched: its author is told, and schedules leave it out until it is put
back.
"""

from __future__ import annotations

import json
from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from django.db.models import Count
from django.db.models.functions import Now

import engine
from tournaments.audit import write_event
from tournaments.models import Bot, BotForfeit, Entry, Match
from tournaments.permissions import Actor
from tournaments.services.turns import storable


class Chair(NamedTuple):
    """A seat of a table, and who of the match sits there.

    ``place`` is the match's own word for the entry: ``home``, ``away_partner`` …
    """

    seat: str
    place: str
    entry: Entry
    bot: Bot
    name: str


class Lost(NamedTuple):
    """What the bots of record ``part`` of a match lost of its ``hands``.

    ``benched`` are the seats that lost the rest after the last forfeit, ``absent`` those that lost
    all of it, having been benched before.
    """

    part: int
    hands: int
    chairs: Mapping[str, Chair]
    forfeits: Sequence[engine.Forfeit] = ()
    benched: Sequence[str] = ()
    absent: Sequence[str] = ()


def rows_lost(match: Match, before: int) -> dict[str, int]:
    """Return how many hands in a row each entry had lost when record ``before`` began.

    By place; one query, two where anything was lost.
    """
    rows = list(match.bot_forfeits.filter(part__lt=before))
    if not rows:
        return {}
    starts, total = _starts(match, before)
    lost: dict[str, set[int]] = defaultdict(set)
    for row in rows:
        first = starts[row.part] + row.hand
        lost[row.facts["place"]].update(range(first, first + row.unplayed + 1))
    return {place: _at_the_end(hands, total) for place, hands in lost.items()}


def _starts(match: Match, before: int) -> tuple[dict[int, int], int]:
    """Return how many hands were played before each record, and before the one to come."""
    starts, total = {}, 0
    records = match.records.accepted().filter(coto__lt=before).order_by("coto")
    for part, hands in records.annotate(played=Count("hands")).values_list("coto", "played"):
        starts[part] = total
        total += hands
    return starts, total


def _at_the_end(hands: set[int], total: int) -> int:
    row = 0
    while total - row in hands:
        row += 1
    return row


def keep_forfeits(match: Match, lost: Lost) -> None:
    """Keep what bots did wrong in a record that has just been taken, and bench whoever has to be.

    The match is locked. Of a record that is there already nothing is kept twice.
    """
    if not (lost.forfeits or lost.absent):
        return
    if match.bot_forfeits.filter(part=lost.part).exists():
        return
    rows = [_row(match, lost, forfeit) for forfeit in lost.forfeits]
    rows += [_of_the_absent(match, lost, lost.chairs[seat]) for seat in lost.absent[:1]]
    BotForfeit.objects.bulk_create(rows)
    _tell(match, rows)
    for seat in sorted(lost.benched, key=lambda seat: lost.chairs[seat].bot.pk):
        _bench(match, lost.chairs[seat], rows[-1])


def _row(match: Match, lost: Lost, forfeit: engine.Forfeit) -> BotForfeit:
    error, chair = forfeit.error, lost.chairs[forfeit.seat]
    if isinstance(error, engine.BotFailure):
        facts, reply, stderr = error.facts, error.evidence, error.stderr
    else:
        facts, reply, stderr = {"said": error.token, "legal": error.legal}, error.token, ""
    is_last = forfeit is lost.forfeits[-1] and forfeit.seat in lost.benched
    return BotForfeit(
        match=match,
        bot=chair.bot,
        version_id=match.versions.get(chair.place),
        part=lost.part,
        hand=forfeit.hand,
        seat=forfeit.seat,
        code=forfeit.code,
        facts=_kept(facts) | {"place": chair.place},
        reply=storable(reply),
        legal=" ".join(token or '""' for token in facts.get("legal", ())),
        stderr=storable(stderr),
        play=forfeit.play,
        unplayed=lost.hands - forfeit.hand if is_last else 0,
    )


def _of_the_absent(match: Match, lost: Lost, chair: Chair) -> BotForfeit:
    """Return the row of a record that a benched bot lost whole, for what it was benched for."""
    his = match.bot_forfeits.filter(facts__place=chair.place)
    last = his.order_by("part", "hand").last()
    if last is None:
        raise ValueError(f"{chair.name} is benched for nothing")
    return BotForfeit(
        match=match,
        bot=chair.bot,
        version_id=last.version_id,
        part=lost.part,
        hand=1,
        seat=chair.seat,
        code=last.code,
        facts=last.facts,
        unplayed=lost.hands - 1,
    )


def _kept(facts: Mapping[str, Any]) -> dict[str, Any]:
    """Return facts as the database can keep them."""
    kept: dict[str, Any] = json.loads(storable(json.dumps(dict(facts), ensure_ascii=False)))
    return kept


def _tell(match: Match, rows: Sequence[BotForfeit]) -> None:
    for bot in {row.bot_id: row.bot for row in rows}.values():
        his = [row for row in rows if row.bot_id == bot.pk]
        codes = Counter(row.code for row in his)
        hands = len(his) + sum(row.unplayed for row in his)
        _note("bot.forfeited", bot, match, record=his[0].part, hands=hands, codes=dict(codes))


def _bench(match: Match, chair: Chair, row: BotForfeit) -> None:
    """Bench a bot that is not on the bench."""
    round_, tournament = match.round, match.tournament
    why = {
        "tournament": tournament.slug,
        "round": round_.number,
        "table": match.table,
        "match": match.pk,
        "record": row.part,
        "hand": row.hand,
        "code": row.code,
    }
    free = Bot.objects.filter(pk=chair.bot.pk, benched_at__isnull=True)
    if free.update(benched_at=Now(), benched_for=why):
        _note("bot.benched", chair.bot, match, record=row.part, hand=row.hand, code=row.code)


def _note(verb: str, bot: Bot, match: Match, **facts: Any) -> None:
    tournament = match.tournament
    write_event(
        Actor.system(),
        verb,
        bot,
        club=tournament.club,
        tournament=tournament,
        name=bot.name,
        match=match.label,
        **facts,
    )
