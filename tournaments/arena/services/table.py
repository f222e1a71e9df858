"""Seats the bots of a match and plays one record; forfeits and penalties of bots."""

from __future__ import annotations

import hashlib
import json
import time
from collections import Counter, defaultdict
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property, partial
from typing import Any, Final, NamedTuple

from django.db.models import Count
from django.db.models.functions import Now

import engine
from tournaments.arena.services.logs import SeatLog
from tournaments.core.audit import write_tournament_event
from tournaments.core.db import replace_unstorable
from tournaments.core.permissions import Actor
from tournaments.domain.sides import PLACES, SIDES
from tournaments.models import Bot, BotForfeit, BotVersion, Entry, Match
from tournaments.people.services.programs import program_of
from tournaments.results.services.results import TAG, place_of
from tournaments.results.services.submission import deals_of
from tournaments.results.services.turns import RecordedBot, RemoteBot, Turns

# --- Benching -------------------------------------------------------------------------------------
# Forfeits of bots: a fault costs a hand, three in a row cost the rest of the match. Forfeits are
# written in the transaction of their record. A bot that loses the rest of its match is benched:
# this is shown publicly, and schedules leave it out until it is put back.


class TableSeat(NamedTuple):
    """A seat of a table, with the entry and bot that sit there.

    ``place`` is the match's column of the entry: ``home``, ``away_partner`` …
    """

    seat: str
    place: str
    entry: Entry
    bot: Bot
    name: str


class LostHands(NamedTuple):
    """The hands that bots lost in record ``part`` of a match, which has ``hands`` hands.

    ``benched`` are the seats that lost the rest after their last forfeit, ``absent`` those that
    lost all of it because they were benched in an earlier record.
    """

    part: int
    hands: int
    chairs: Mapping[str, TableSeat]
    forfeits: Sequence[engine.Forfeit] = ()
    benched: Sequence[str] = ()
    absent: Sequence[str] = ()


def losing_streaks(match: Match, before: int) -> dict[str, int]:
    """Return how many hands in a row each entry had lost when record ``before`` began.

    By place; one query, two if anything was lost.
    """
    rows = list(match.bot_forfeits.filter(part__lt=before))
    if not rows:
        return {}
    starts, total = _hands_before(match, before)
    hands_lost: dict[str, set[int]] = defaultdict(set)
    for row in rows:
        first = starts[row.part] + row.hand
        hands_lost[row.facts["place"]].update(range(first, first + row.unplayed + 1))
    return {place: _streak_at_end(hands, total) for place, hands in hands_lost.items()}


def _hands_before(match: Match, before: int) -> tuple[dict[int, int], int]:
    """Return the number of hands before each record, and before record ``before``."""
    starts, total = {}, 0
    records = match.records.accepted().filter(coto__lt=before).order_by("coto")
    for part, hands in records.annotate(played=Count("hands")).values_list("coto", "played"):
        starts[part] = total
        total += hands
    return starts, total


def _streak_at_end(hands: set[int], total: int) -> int:
    row = 0
    while total - row in hands:
        row += 1
    return row


def store_forfeits(match: Match, loss: LostHands) -> None:
    """Store the forfeits of a record that was just accepted, and bench bots.

    The match is locked. Repeating it for a record stores nothing twice.
    """
    if not (loss.forfeits or loss.absent):
        return
    if match.bot_forfeits.filter(part=loss.part).exists():
        return
    rows = [_forfeit_row(match, loss, forfeit) for forfeit in loss.forfeits]
    rows += [_absence_forfeit(match, loss, loss.chairs[seat]) for seat in loss.absent[:1]]
    BotForfeit.objects.bulk_create(rows)
    _write_forfeited(match, rows)
    for seat in sorted(loss.benched, key=lambda seat: loss.chairs[seat].bot.pk):
        _bench(match, loss.chairs[seat], rows[-1])


def _forfeit_row(match: Match, loss: LostHands, forfeit: engine.Forfeit) -> BotForfeit:
    error, chair = forfeit.error, loss.chairs[forfeit.seat]
    if isinstance(error, engine.BotFailure):
        facts, reply, stderr = error.facts, error.evidence, error.stderr
    else:
        facts, reply, stderr = {"said": error.token, "legal": error.legal}, error.token, ""
    is_last = forfeit is loss.forfeits[-1] and forfeit.seat in loss.benched
    return BotForfeit(
        match=match,
        bot=chair.bot,
        version_id=match.versions.get(chair.place),
        part=loss.part,
        hand=forfeit.hand,
        seat=forfeit.seat,
        code=forfeit.code,
        facts=_storable_facts(facts) | {"place": chair.place},
        reply=replace_unstorable(reply),
        legal=" ".join(token or '""' for token in forfeit.legal),
        stderr=replace_unstorable(stderr),
        play=forfeit.play,
        unplayed=loss.hands - forfeit.hand if is_last else 0,
    )


def _absence_forfeit(match: Match, loss: LostHands, chair: TableSeat) -> BotForfeit:
    """Return the forfeit of a whole record by a benched bot, with the fault that benched it."""
    own_forfeits = match.bot_forfeits.filter(facts__place=chair.place)
    last = own_forfeits.order_by("part", "hand").last()
    if last is None:
        raise ValueError(f"{chair.name} is benched for nothing")
    return BotForfeit(
        match=match,
        bot=chair.bot,
        version_id=last.version_id,
        part=loss.part,
        hand=1,
        seat=chair.seat,
        code=last.code,
        facts=last.facts,
        unplayed=loss.hands - 1,
    )


def _storable_facts(facts: Mapping[str, Any]) -> dict[str, Any]:
    """Return facts as the database can store them."""
    copy: dict[str, Any] = json.loads(
        replace_unstorable(json.dumps(dict(facts), ensure_ascii=False))
    )
    return copy


def _write_forfeited(match: Match, rows: Sequence[BotForfeit]) -> None:
    for bot in {row.bot_id: row.bot for row in rows}.values():
        own_rows = [row for row in rows if row.bot_id == bot.pk]
        codes = Counter(row.code for row in own_rows)
        hands = len(own_rows) + sum(row.unplayed for row in own_rows)
        _write_bot_event(
            "bot.forfeited", bot, match, record=own_rows[0].part, hands=hands, codes=dict(codes)
        )


def _bench(match: Match, chair: TableSeat, row: BotForfeit) -> None:
    """Bench a bot, unless it is benched already."""
    round_, tournament = match.round, match.tournament
    facts = {
        "tournament": tournament.slug,
        "round": round_.number,
        "table": match.table,
        "match": match.pk,
        "record": row.part,
        "hand": row.hand,
        "code": row.code,
    }
    active_bot = Bot.objects.filter(pk=chair.bot.pk, benched_at__isnull=True)
    if active_bot.update(benched_at=Now(), benched_for=facts):
        _write_bot_event(
            "bot.benched", chair.bot, match, record=row.part, hand=row.hand, code=row.code
        )


def _write_bot_event(verb: str, bot: Bot, match: Match, **facts: Any) -> None:
    write_tournament_event(
        Actor.system(), verb, bot, match.tournament, name=bot.name, match=match.label, **facts
    )


# --- Seating --------------------------------------------------------------------------------------
# Seats bots at a table and plays one record of their match. The deals and the seeds of house bots
# follow from the round's seed; a program plays in the version that the match has fixed; for remote
# bots the stored answers are replayed. So a repeated attempt plays the same record.


INFRASTRUCTURE: Final = "infrastructure"

QUICK: Final = (Bot.Kind.RANDOM, Bot.Kind.SIMPLE, Bot.Kind.QUICK)
"""Bots that play a hand in milliseconds, so they are not interrupted."""

COMPILED: Final = (Bot.Kind.QUICK, Bot.Kind.STRONG, Bot.Kind.DEEP)
"""Bots with compiled code: the first one in a process waits for the compiler."""


class RecordToPlay(NamedTuple):
    """A record of a match to be played: its number, the label of its deals, the seating.

    ``order`` gives the side of the match for each side of the table, ``own`` is the label of the
    bots' seeds. ``lost`` are the hands in a row that each place had lost at the start, if known.
    """

    number: int
    label: str
    own: str
    order: tuple[int, ...]
    tags: Mapping[str, str]
    lost: Mapping[str, int] | None = None


class FinishedRecord(NamedTuple):
    """A record that was played, its forfeits, and the remote bots to send the end to.

    ``logs`` are those of its programs, by place.
    """

    record: dict[str, Any]
    lost: LostHands
    remote_bots: tuple[RemoteBot, ...]
    logs: Mapping[str, SeatLog]


def kinds_at(match_pks: Iterable[int]) -> dict[int, frozenset[str]]:
    """Return the kinds of bots in matches, with "" for anybody else: one query."""
    columns = [name for place in PLACES for name in (f"{place}_id", f"{place}__bot__kind")]
    rows = Match.objects.filter(pk__in=match_pks).order_by().values_list("pk", *columns)
    return {
        pk: frozenset(
            kind or ""
            for entry, kind in zip(values[::2], values[1::2], strict=True)
            if entry is not None
        )
        for pk, *values in rows
    }


def is_quick(kinds: Collection[str]) -> bool:
    """Return whether only quick bots play in a match with these kinds."""
    return bool(kinds) and all(kind in QUICK for kind in kinds)


def warm_up(*match_pks: int, kinds: Mapping[int, Collection[str]] | None = None) -> None:
    """Compile the bots of due matches that need it; takes seconds the first time.

    Call it before the matches are claimed, and outside any transaction. ``kinds`` are those of
    their bots, if known.
    """
    kinds = kinds_at(match_pks) if kinds is None else kinds
    compiled = [key for key in match_pks if any(kind in COMPILED for kind in kinds.get(key, ()))]
    if compiled and Match.objects.due().filter(pk__in=compiled).exists():
        engine.warm_bots()


def part_of(match: Match, number: int) -> RecordToPlay:
    """Return the part of a match that its record of this number plays, from 1."""
    sides = tuple(range(len(match.sides)))
    if match.tournament.deal_sets:
        place = place_of(match, number)
        label = place.label(match)
        own_label = f"{label}/{place.seating}"
        return RecordToPlay(number, label, own_label, place.order, place.tags(match))
    if match.tournament.cotos > 1:
        label = f"{match.label}/{number}"
        return RecordToPlay(number, label, label, sides, {TAG: str(number)})
    tags = {"boards": " ".join(map(str, match.boards))} if match.boards else {}
    return RecordToPlay(number, match.label, match.label, sides, tags)


def play_part(match: Match, part: RecordToPlay, check: Callable[[], None]) -> FinishedRecord:
    """Let the bots of a match play one record, which contains no times.

    ``check`` is called before slow bots are asked; an exception from it ends the play. Raises
    :class:`engine.BotFailure` for faults that are not a bot's, :class:`.turns.Waiting` if a remote
    bot has to answer first.
    """
    table = BotTable(match, part, check)
    streaks = losing_streaks(match, part.number) if part.lost is None else part.lost
    places = {seat: chair.place for seat, chair in table.chairs.items()}
    absent = [seat for seat in places if streaks.get(places[seat], 0) >= engine.BENCHED_AFTER]
    tournament = match.tournament
    tags = {
        "event": tournament.name,
        "round": str(match.round.number),
        "table": str(match.table),
        **part.tags,
    }
    with engine.SeatedBots(table.bot, places, streaks) as seated_bots:
        record = engine.play_match(
            engine.RULESETS[tournament.ruleset],
            seated_bots.bots(),
            bytes.fromhex(match.round.seed),
            part.label,
            [chair.name for chair in table.chairs.values()],
            table.options,
            tags,
            seated_bots.after_forfeit,
            deals_of(match),
            absent,
        )
    benched = [seat for seat in seated_bots.benched if seat not in absent]
    hand_count = len(record["hands"])
    loss = LostHands(part.number, hand_count, table.chairs, seated_bots.forfeits, benched, absent)
    return FinishedRecord(record, loss, tuple(table.remote_bots.values()), table.logs())


@dataclass
class BotTable:
    """The chairs of one record, and the bots created for them."""

    match: Match
    part: RecordToPlay
    check: Callable[[], None]

    def __post_init__(self) -> None:
        self.options = self.match.options
        self.remote_bots: dict[str, RemoteBot] = {}
        self._programs: dict[str, engine.ProcessBot] = {}
        self._times: dict[str, Counter[int]] = defaultdict(Counter)
        self._seed = bytes.fromhex(self.match.round.seed)

    @cached_property
    def rules(self) -> engine.Ruleset:
        """The rules with the agreed options, for this number of people."""
        match = self.match
        people = sum(map(len, match.names))
        rules = engine.RULESETS[match.tournament.ruleset]
        return engine.agreed_rules(rules, self.options, people)

    @cached_property
    def chairs(self) -> dict[str, TableSeat]:
        """The chairs by seat letter, in the order of the seats."""
        return {seat: self._chair(index, seat) for index, seat in enumerate(self.rules.seats)}

    def _chair(self, index: int, seat: str) -> TableSeat:
        side = self.part.order[self.rules.side_of(index)]
        player = index // len(self.match.sides)
        entries = self.match.sides[side]
        entry = entries[player] if len(entries) > 1 else entries[0]
        is_partner = len(entries) > 1 and player > 0
        place = f"{SIDES[side]}_partner" if is_partner else SIDES[side]
        if entry.bot is None:
            raise ValueError("only matches between bots are played by workers")
        name = self.match.names_at(side)[player]
        return TableSeat(seat, place, entry, entry.bot, name)

    def bot(self, seat: str, failures: int) -> engine.Bot:
        """Return a bot for a seat; ``failures`` counts the bots that have failed there."""
        chair = self.chairs[seat]
        kind = chair.bot.kind
        if kind in engine.HOUSE_BOTS:
            make = partial(engine.HOUSE_BOTS[kind], self._seed_of(seat, failures))
            return make() if kind in QUICK else self._interruptible(make, chair, failures)
        if kind == Bot.Kind.PROGRAM:
            return self._interruptible(partial(self._process, chair), chair, failures)
        if kind == Bot.Kind.REMOTE:
            turns = Turns(self.match, chair.bot, self.part.number, seat, failures)
            self.remote_bots[seat] = RemoteBot(turns, seat, self.rules, self.options)
            return self.remote_bots[seat]
        raise engine.BotFailure(INFRASTRUCTURE, detail=f"no bot of the house is called {kind}")

    def logs(self) -> dict[str, SeatLog]:
        """Return the logs of the programs, by place; of partners at one place together."""
        logs: dict[str, SeatLog] = {}
        for seat, program in self._programs.items():
            chair, times = self.chairs[seat], self._times[seat]
            before = logs.get(chair.place, SeatLog(chair.bot, {}, ""))
            stderr = before.stderr + program.stderr
            logs[chair.place] = SeatLog(chair.bot, Counter(before.times) + times, stderr)
        return logs

    def _seed_of(self, seat: str, failures: int) -> bytes:
        """Return the seed of a seat's bot, which reveals nothing about the deals."""
        words = [b"bot", self._seed, self.part.own.encode(), seat.encode()]
        return hashlib.sha256(b"|".join(words + [str(failures).encode()] * (failures > 0))).digest()

    def _interruptible(
        self, make: Callable[[], engine.Bot], chair: TableSeat, failures: int
    ) -> InterruptibleBot:
        """Wrap a slow bot; at a table with remote bots, it replays its stored answers."""
        if not any(other.bot.kind == Bot.Kind.REMOTE for other in self.chairs.values()):
            return InterruptibleBot(make(), self.check, self._times[chair.seat])
        turns = Turns(self.match, chair.bot, self.part.number, chair.seat, failures)
        return InterruptibleBot(
            RecordedBot(make, turns, chair.seat, self.rules, self.options), self.check
        )

    def _process(self, chair: TableSeat) -> engine.Bot:
        version = BotVersion.objects.filter(pk=self.match.versions.get(chair.place)).first()
        if version is None:
            detail = f"{chair.bot.name} has no version that has passed the check"
            raise engine.BotFailure(INFRASTRUCTURE, detail=detail)
        before = self._programs.get(chair.seat)
        waited = before.waited if before else 0.0
        self._programs[chair.seat] = bot = process_of(
            version, self.rules, chair.seat, self.options, waited
        )
        return bot


def process_of(
    version: BotVersion,
    rules: engine.Ruleset,
    seat: str,
    options: Mapping[str, Any],
    waited: float = 0.0,
) -> engine.ProcessBot:
    """Return the process of a version at a seat, waited for ``waited`` seconds in this record.

    Raises :class:`engine.BotFailure` where this machine cannot run it.
    """
    try:
        program = program_of(version)
    except OSError as error:
        raise engine.BotFailure(INFRASTRUCTURE, detail=str(error)) from error
    return engine.ProcessBot(
        program.words,
        rules,
        seat,
        folder=program.folder,
        options=options,
        trusted=program.trusted,
        reference=lambda: engine.reference_runs(trusted=program.trusted),
        waited=waited,
    )


class InterruptibleBot:
    """A slow bot that calls ``check`` before each question, to stop if needed.

    ``times`` counts its answers by the binary digits of their milliseconds.
    """

    def __init__(
        self, bot: engine.Bot, check: Callable[[], None], times: Counter[int] | None = None
    ) -> None:
        self._bot = bot
        self._check = check
        self._times: Counter[int] = Counter() if times is None else times

    def choose(self, view: engine.View) -> str:
        """Return the bot's answer; a missing sandbox is a fault of the machine."""
        self._check()
        start = time.monotonic()
        try:
            return self._bot.choose(view)
        except engine.SandboxError as error:
            raise engine.BotFailure(INFRASTRUCTURE, detail=str(error)) from error
        finally:
            self._times[int(1000 * (time.monotonic() - start)).bit_length()] += 1

    def end(self, points: Mapping[str, int], winner: str | None, since: Any = ()) -> None:
        """Send the end of a hand to a bot that listens."""
        if isinstance(self._bot, engine.Listener):
            self._bot.end(points, winner, since)

    def close(self) -> None:
        """Close the bot's resources."""
        if isinstance(self._bot, engine.Closeable):
            self._bot.close()
