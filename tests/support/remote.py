"""Bots that run elsewhere, in tests: their tables, and the programs that answer for them."""

import json
from collections.abc import Callable, Mapping
from datetime import timedelta
from typing import Any

from django.db.models.functions import Now

import engine
from tests.clubs import SYSTEM, a_club, new_tournament, the_match
from tournaments.arena.services.arena import store_reply
from tournaments.arena.services.dispatch import play_round
from tournaments.director.services.draws import draw
from tournaments.director.services.entries import enter_newcomers
from tournaments.director.services.tournaments import create_tournament, publish_round
from tournaments.environment import ROOT
from tournaments.models import Bot, BotTurn, BotVersion, Club, Match
from tournaments.results.services.turns import RemoteBot, Turns, WaitingForReply

Make = Callable[[str], engine.Bot]


def a_remote_bot(club: Club, name: str = "Lejano") -> Bot:
    return Bot.objects.get_or_create(
        slug=name.lower(), defaults={"name": name, "kind": Bot.Kind.REMOTE, "club": club}
    )[0]


def a_remote_match(
    *others: str,
    ruleset: str = "parejas-online",
    options: Mapping[str, Any] | None = None,
    **more: Any,
) -> Match:
    """A match asked for: a remote bot called Lejano and another, of a kind, or remote too."""
    club = a_club()
    bots = [a_remote_bot(club)]
    for kind in others or ("simple",):
        if kind == "remote":
            bots.append(a_remote_bot(club, "Otro"))
        else:
            bots.append(Bot.objects.create(name=kind, slug=kind, kind=kind, club=club))
        if kind == Bot.Kind.PROGRAM:
            a_version(bots[-1])
    tournament = create_tournament(
        SYSTEM,
        club,
        "Liga lejana",
        new_tournament(ruleset=ruleset, options=options or {"to": 1}, **more),
    )
    enter_newcomers(SYSTEM, tournament, bots)
    draw(SYSTEM, tournament)
    match = the_match(tournament, 1, 1)
    publish_round(SYSTEM, match.round)
    play_round(SYSTEM, match.round)
    return Match.objects.with_names().get(pk=match.pk)


def a_version(bot: Bot) -> BotVersion:
    """The example bot, trusted, as a version that may play."""
    command = ["python3", str(ROOT / "examples/bots/first_steps.py")]
    return BotVersion.objects.create(
        bot=bot,
        number=1,
        language=BotVersion.Language.COMMAND,
        command=command,
        trusted=True,
        state=BotVersion.State.READY,
    )


def a_turn(club: Club, match: Match, *, messages: list[Any], number: int = 1) -> BotTurn:
    """A turn that waits for the bot Lejano at seat A, longer than any run of the tests lasts."""
    return BotTurn.objects.create(
        match=match,
        bot=a_remote_bot(club),
        seat="A",
        number=number,
        messages=messages,
        asked_at=Now(),
        due_at=Now() + timedelta(days=1),
    )


class Elsewhere:
    """A program that answers turns: one player of its own for each conversation."""

    def __init__(self, make: Make) -> None:
        self.make = make
        self.players: dict[tuple[int, int, str], engine.Player] = {}
        self.heard: list[dict[str, Any]] = []

    def line(self, turn: BotTurn) -> bytes:
        """What it says to a turn."""
        place = (turn.match_id, turn.part, turn.seat)
        answers = []
        for message in turn.messages:
            self.heard.append(message)
            if message["type"] == "hello":
                self.players[place] = engine.Player(self.make, "elsewhere")
            answers.append(self.players[place].receive(message))
        (response,) = filter(None, answers)
        return json.dumps(response).encode()

    def answer_all(self) -> int:
        """Answer every open turn; how many there were."""
        turns = list(BotTurn.objects.open().select_related("bot__club"))
        for turn in turns:
            store_reply(SYSTEM, turn, self.line(turn))
        return len(turns)


class Table:
    """One record of a match, played outside the arena; ``kinds`` says who sits at each seat."""

    def __init__(
        self, match: Match, ruleset: str, options: Mapping[str, Any], part: int = 1
    ) -> None:
        self.match, self.part, self.options = match, part, dict(options)
        self.ruleset = engine.RULESETS[ruleset]
        self.rules = engine.agreed_rules(self.ruleset, self.options, self.ruleset.seat_counts[0])
        self.forfeits: list[engine.Forfeit] = []

    def remote(self, seat: str, again: int = 0) -> RemoteBot:
        bot = a_remote_bot(self.match.tournament.club)
        turns = Turns(self.match, bot, self.part, seat, again)
        return RemoteBot(turns, seat, self.rules, self.options)

    def play(self, make: Callable[[str, int], engine.Bot]) -> dict[str, Any]:
        """Play from the beginning; raises Waiting."""
        seats = self.rules.seats
        with engine.SeatedBots(make, {seat: seat for seat in seats}) as seated:
            bots = seated.bots()
            record = engine.play_match(
                self.ruleset,
                bots,
                b"seed",
                "label",
                seats,
                self.options,
                None,
                seated.after_forfeit,
            )
            for bot in bots.values():
                if isinstance(bot, RemoteBot):
                    bot.bye()
            self.forfeits = seated.forfeits
        return record

    def play_if_it_can(self, make: Callable[[str, int], engine.Bot]) -> dict[str, Any] | None:
        """Play from the beginning; nothing when an answer is awaited."""
        try:
            return self.play(make)
        except WaitingForReply:
            return None

    def play_out(self, make: Callable[[str, int], engine.Bot], there: Elsewhere) -> dict[str, Any]:
        """Play and answer in turn until the record is there."""
        while (record := self.play_if_it_can(make)) is None:
            assert there.answer_all() == 1
        return record
