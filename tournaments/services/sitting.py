"""Who sits down at a table of bots, and the play of one record of their match.

The deals follow from the round's seed, and so do the seeds of the house bots; a program plays in
the version that the match has settled on, and of bots that run elsewhere the stored answers are
played again. So an attempt that is repeated plays the same record.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Collection, Iterable, Mapping
from dataclasses import dataclass
from functools import cached_property, partial
from typing import Any, Final, NamedTuple

import engine
from tournaments.models import Bot, BotVersion, Match
from tournaments.models.matches import PLACES, SIDES
from tournaments.services.benching import Chair, Lost, rows_lost
from tournaments.services.boards import deals_of
from tournaments.services.cotos import TAG
from tournaments.services.programs import program_of
from tournaments.services.results import length_of
from tournaments.services.sets import place_of
from tournaments.services.turns import Recorded, RemoteBot, Turns

INFRASTRUCTURE: Final = "infrastructure"

QUICK: Final = (Bot.Kind.RANDOM, Bot.Kind.SIMPLE, Bot.Kind.QUICK)
"""Bots that play a hand in thousandths of a second: nobody has to interrupt them."""

COMPILED: Final = (Bot.Kind.QUICK, Bot.Kind.STRONG, Bot.Kind.DEEP)
"""Bots that wait for a compiler when one of them first sits down in a process."""


class Part(NamedTuple):
    """A record of a match that is to be played: its number, its deals' label, who sits where.

    ``order`` says which side of the match plays each side of the table, ``own`` what the seeds of
    the bots are drawn under. ``lost`` are the hands in a row that each place had lost when it
    began, where that need not be looked up.
    """

    number: int
    label: str
    own: str
    order: tuple[int, ...]
    tags: Mapping[str, str]
    lost: Mapping[str, int] | None = None


class Finished(NamedTuple):
    """A record that has been played, what was lost in it, and who is to be told goodbye."""

    record: dict[str, Any]
    lost: Lost
    leaving: tuple[RemoteBot, ...]


def kinds_at(match_pks: Iterable[int]) -> dict[int, frozenset[str]]:
    """Return which kinds of bots sit at matches, anybody else as the empty word: one query."""
    columns = [name for place in PLACES for name in (f"{place}_id", f"{place}__bot__kind")]
    rows = Match.objects.filter(pk__in=match_pks).order_by().values_list("pk", *columns)
    return {
        pk: frozenset(
            kind or ""
            for entry, kind in zip(found[::2], found[1::2], strict=True)
            if entry is not None
        )
        for pk, *found in rows
    }


def is_quick(kinds: Collection[str]) -> bool:
    """Tell whether nobody but quick bots sits at a match where bots of these kinds do."""
    return bool(kinds) and all(kind in QUICK for kind in kinds)


def warm_up(*match_pks: int, kinds: Mapping[int, Collection[str]] | None = None) -> None:
    """Load what is compiled, if a bot of a due match plays with it: seconds, the first time.

    To be called before the matches are claimed, and outside any transaction. ``kinds`` are those of
    their bots, where they are known.
    """
    kinds = kinds_at(match_pks) if kinds is None else kinds
    compiled = [key for key in match_pks if any(kind in COMPILED for kind in kinds.get(key, ()))]
    if compiled and Match.objects.due().filter(pk__in=compiled).exists():
        engine.warm_bots()


def part_of(match: Match, number: int) -> Part:
    """Return which part of a match is played in its record of this number, from 1."""
    sides = tuple(range(len(match.sides)))
    if match.tournament.deal_sets:
        place = place_of(match, number)
        label = place.label(match)
        own = f"{label}/{place.seating}"
        return Part(number, label, own, place.order, place.tags(match))
    if match.tournament.cotos > 1:
        label = f"{match.label}/{number}"
        return Part(number, label, label, sides, {TAG: str(number)})
    tags = {"boards": " ".join(map(str, match.boards))} if match.boards else {}
    return Part(number, match.label, match.label, sides, tags)


def play_part(match: Match, part: Part, check: Callable[[], None]) -> Finished:
    """Let the bots of a match play one record of it; the record says nothing of time.

    ``check`` is called before slow bots are asked; what it raises ends the play. Raises
    :class:`engine.BotFailure` for what is not a bot's fault, :class:`.turns.Waiting` when a bot
    that runs elsewhere has to answer first.
    """
    table = Table(match, part, check)
    lost = rows_lost(match, part.number) if part.lost is None else part.lost
    who = {seat: chair.place for seat, chair in table.chairs.items()}
    absent = [seat for seat in who if lost.get(who[seat], 0) >= engine.BENCHED_AFTER]
    tournament = match.tournament
    tags = {
        "event": tournament.name,
        "round": str(match.round.number),
        "table": str(match.table),
        **part.tags,
    }
    with engine.SeatedBots(table.bot, who, lost) as seated:
        record = engine.play_match(
            engine.RULESETS[tournament.ruleset],
            seated.bots(),
            bytes.fromhex(match.round.seed),
            part.label,
            [chair.name for chair in table.chairs.values()],
            table.options,
            tags,
            seated.after_forfeit,
            deals_of(match),
            absent,
        )
    benched = [seat for seat in seated.benched if seat not in absent]
    played = len(record["hands"])
    loss = Lost(part.number, played, table.chairs, seated.forfeits, benched, absent)
    return Finished(record, loss, tuple(table.elsewhere.values()))


@dataclass
class Table:
    """The chairs of one record, and the bots that are made for them."""

    match: Match
    part: Part
    check: Callable[[], None]

    def __post_init__(self) -> None:
        tournament = self.match.tournament
        self.options = (
            length_of(self.match).options(tournament.options)
            if self.match.boards
            else dict(tournament.options)
        )
        self.elsewhere: dict[str, RemoteBot] = {}
        self._programs: dict[str, engine.ProcessBot] = {}
        self._seed = bytes.fromhex(self.match.round.seed)

    @cached_property
    def rules(self) -> engine.Ruleset:
        """The rules agreed on, for as many as sit here."""
        match = self.match
        people = sum(map(len, match.names))
        rules = engine.RULESETS[match.tournament.ruleset]
        return engine.agreed_rules(rules, self.options, people)

    @cached_property
    def chairs(self) -> dict[str, Chair]:
        """Who sits where, by seat letter, in the order of the seats."""
        return {seat: self._chair(at, seat) for at, seat in enumerate(self.rules.seats)}

    def _chair(self, at: int, seat: str) -> Chair:
        side = self.part.order[self.rules.side_of(at)]
        player = at // len(self.match.sides)
        entries = self.match.sides[side]
        entry = entries[player] if len(entries) > 1 else entries[0]
        is_partner = len(entries) > 1 and player > 0
        place = f"{SIDES[side]}_partner" if is_partner else SIDES[side]
        if entry.bot is None:
            raise ValueError("only matches between bots are played by workers")
        name = self.match.names_at(side)[player]
        return Chair(seat, place, entry, entry.bot, name)

    def bot(self, seat: str, again: int) -> engine.Bot:
        """Return a bot for a seat at which so many have failed."""
        chair = self.chairs[seat]
        kind = chair.bot.kind
        if kind in engine.HOUSE_BOTS:
            make = partial(engine.HOUSE_BOTS[kind], self._seed_of(seat, again))
            return make() if kind in QUICK else self._watched(make, chair, again)
        if kind == Bot.Kind.PROGRAM:
            return self._watched(partial(self._process, chair), chair, again)
        if kind == Bot.Kind.REMOTE:
            turns = Turns(self.match, chair.bot, self.part.number, seat, again)
            self.elsewhere[seat] = RemoteBot(turns, seat, self.rules, self.options)
            return self.elsewhere[seat]
        raise engine.BotFailure(INFRASTRUCTURE, detail=f"no bot of the house is called {kind}")

    def _seed_of(self, seat: str, again: int) -> bytes:
        """Return the seed of a seat's bot: nothing can be learnt from it about the deals."""
        words = [b"bot", self._seed, self.part.own.encode(), seat.encode()]
        return hashlib.sha256(b"|".join(words + [str(again).encode()] * (again > 0))).digest()

    def _watched(self, make: Callable[[], engine.Bot], chair: Chair, again: int) -> Watched:
        """Return a bot that takes its time; where it meets bots elsewhere, its stored answers."""
        if not any(other.bot.kind == Bot.Kind.REMOTE for other in self.chairs.values()):
            return Watched(make(), self.check)
        turns = Turns(self.match, chair.bot, self.part.number, chair.seat, again)
        return Watched(Recorded(make, turns, chair.seat, self.rules, self.options), self.check)

    def _process(self, chair: Chair) -> engine.Bot:
        version = BotVersion.objects.filter(pk=self.match.versions.get(chair.place)).first()
        if version is None:
            detail = f"{chair.bot.name} has no version that has passed the check"
            raise engine.BotFailure(INFRASTRUCTURE, detail=detail)
        try:
            program = program_of(version)
        except OSError as error:
            raise engine.BotFailure(INFRASTRUCTURE, detail=str(error)) from error
        before = self._programs.get(chair.seat)
        self._programs[chair.seat] = bot = engine.ProcessBot(
            program.words,
            self.rules,
            chair.seat,
            folder=program.folder,
            options=self.options,
            trusted=program.trusted,
            reference=lambda: engine.reference_runs(trusted=program.trusted),
            waited=before.waited if before else 0.0,
        )
        return bot


class Watched:
    """A bot that takes its time: before it is asked, whether to go on at all."""

    def __init__(self, bot: engine.Bot, check: Callable[[], None]) -> None:
        self._bot = bot
        self._check = check

    def choose(self, view: engine.View) -> str:
        """Answer as the bot does. A sandbox that is missing is the machine's fault."""
        self._check()
        try:
            return self._bot.choose(view)
        except engine.SandboxError as error:
            raise engine.BotFailure(INFRASTRUCTURE, detail=str(error)) from error

    def end(self, points: Mapping[str, int], winner: str | None, since: Any = ()) -> None:
        """Tell a bot that listens how a hand ended."""
        if isinstance(self._bot, engine.Listener):
            self._bot.end(points, winner, since)

    def close(self) -> None:
        """Let go what the bot holds."""
        if isinstance(self._bot, engine.Closeable):
            self._bot.close()
