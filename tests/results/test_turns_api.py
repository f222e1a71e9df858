"""Bots that run elsewhere, over the API: what they fetch, what they post, and what comes back."""

from __future__ import annotations

import json
import re
from dataclasses import asdict
from datetime import timedelta
from typing import TYPE_CHECKING, Any

import pytest
from django.db.models.functions import Now

import engine
from tests.clubs import SYSTEM, organiser, user
from tests.support.caller import Caller, problem
from tests.support.remote import Elsewhere, a_remote_match
from tests.support.scene_rows import reuse_rows
from tournaments.accounts.services.invitations import issue_token
from tournaments.arena.queries.turns import turns_page
from tournaments.arena.services.arena import expire_due
from tournaments.arena.services.playing import play_match
from tournaments.environment import ROOT
from tournaments.models import Bot, BotForfeit, BotTurn, Match, Player, Record, Round
from tournaments.results.services.turns import LIMITS

if TYPE_CHECKING:
    from collections.abc import Callable

    from pytest_django.fixtures import DjangoAssertNumQueries

pytestmark = pytest.mark.django_db

TURNS = "bots/lejano/turns/"
READY = '{"type": "ready", "protocol": "baza-bot/1"}'
GUIDE = ROOT / "docs" / "bots" / "bot-protocol.md"


def caller_for(match: Match, name: str = "olga", scopes: tuple[str, ...] = ("bots:run",)) -> Caller:
    club = match.tournament.club
    organiser(club, name)
    _row, text = issue_token(SYSTEM, club, user(name), name=name, scopes=scopes)
    return Caller(text)


@pytest.fixture
def match(db: None) -> Match:
    return of_one_deal()


@reuse_rows()
def of_one_deal() -> Match:
    """A match of a hand between Lejano and a simple bot, laid aside at the first question."""
    return begun("simple", deals=1)


def begun(*others: str, ruleset: str = "habanero", **options: int) -> Match:
    match = a_remote_match(*others, ruleset=ruleset, options=options)
    Round.objects.update(seed="5e" * 32)
    play_match(match.pk)
    return match


@pytest.fixture
def caller(match: Match) -> Caller:
    return caller_for(match)


def only(caller: Caller, path: str = TURNS) -> Any:
    (turn,) = caller.read(path)["turns"]
    return turn


def post(caller: Caller, turn: Any, line: object) -> Any:
    """Post a line; what the answer says, or its problem's code."""
    body = line if isinstance(line, str | bytes) else json.dumps(line)
    response = caller.submit(f"{TURNS}{turn['id']}/", body, key=None)
    document = json.loads(response.content)
    return document if response.status_code == 200 else (response.status_code, document["code"])


def first_question(caller: Caller, match: Match) -> Any:
    """Say that it is ready; the first question."""
    post(caller, only(caller), READY)
    play_match(match.pk)
    return only(caller)


def first_legal(turn: Any) -> dict[str, Any]:
    question = turn["messages"][-1]
    return {"id": question["id"], "say": question["legal"][0]}


def play_out(match: Match, caller: Caller, say: Callable[[Any], Any]) -> None:
    """Fetch, answer and have the match played on until it is over."""
    while turns := caller.read(TURNS)["turns"]:
        for turn in turns:
            assert post(caller, turn, say(turn))["failure"] == ""
        play_match(match.pk)


def test_a_match_is_played_over_the_api_to_a_record_that_counts(
    match: Match, caller: Caller
) -> None:
    remote_host = Elsewhere(lambda seat: engine.Sensible(seat.encode()))
    play_out(match, caller, lambda turn: remote_host.line(BotTurn.objects.get(pk=turn["id"])))
    record = Record.objects.get(match=match)
    assert record.state == "accepted"
    assert engine.audit(record.text).valid
    page = caller.read(TURNS)
    (ended,) = page["ended"]
    assert [message["type"] for message in ended["messages"]] == ["end", "bye"]
    assert page["turns"] == []
    assert page["poll_after"] == 5


def test_two_bots_elsewhere_play_each_other_a_turn_at_a_time(db: None) -> None:
    match = begun("remote", deals=1)
    remote_host = Elsewhere(lambda seat: engine.Sensible(seat.encode()))
    while remote_host.answer_all():
        play_match(match.pk)
    assert Record.objects.get(match=match).state == "accepted"
    assert {seat for _match, _part, seat in remote_host.players} == {"A", "B"}


@pytest.mark.slow
def test_in_deal_sets_every_record_has_conversations_of_its_own(db: None) -> None:
    match = a_remote_match("simple", ruleset="habanero", options={"deals": 1}, deal_sets=1)
    remote_host = Elsewhere(lambda seat: engine.Sensible(seat.encode()))
    play_match(match.pk)
    while remote_host.answer_all():
        play_match(match.pk)
    assert Record.objects.filter(match=match, state="accepted").count() == 2
    assert {(part, seat) for _match, part, seat in remote_host.players} == {(1, "A"), (2, "B")}


def test_the_page_of_turns_costs_the_same_however_many_wait(
    match: Match, django_assert_max_num_queries: DjangoAssertNumQueries
) -> None:
    turn = BotTurn.objects.get()
    for part in range(2, 30):
        turn.pk, turn.part = None, part
        turn.save()
    viewer = organiser(match.tournament.club)
    with django_assert_max_num_queries(6):
        assert len(turns_page("lejano", viewer).turns) == 29
    with django_assert_max_num_queries(7):
        turns_page("lejano", viewer, after_restart=True)


def test_several_matches_wait_at_once_those_due_first_before_others(db: None) -> None:
    first = begun("simple", deals=1)
    second = Match.objects.get(pk=first.pk)
    Round.objects.filter(pk=second.round_id).update(play_requested_at=Now())
    caller = caller_for(first)
    turn = BotTurn.objects.get()
    later = BotTurn.objects.create(
        match=first,
        bot=turn.bot,
        part=2,
        seat="A",
        number=1,
        messages=turn.messages,
        asked_at=Now(),
        due_at=Now() + timedelta(hours=1),
    )
    page = caller.read(TURNS)
    assert [row["id"] for row in page["turns"]] == [turn.pk, later.pk]
    assert [row["part"] for row in page["turns"]] == [1, 2]


def test_asking_again_costs_nothing_while_nothing_has_changed(match: Match, caller: Caller) -> None:
    tag = caller.get(TURNS).headers["ETag"]
    assert caller.get(TURNS, **{"If-None-Match": tag}).status_code == 304
    post(caller, only(caller), READY)
    tag = caller.get(TURNS).headers["ETag"]
    assert caller.read(TURNS)["turns"] == []
    assert caller.get(TURNS, **{"If-None-Match": tag}).status_code == 304
    play_match(match.pk)
    assert caller.get(TURNS, **{"If-None-Match": tag}).status_code == 200


def test_an_answer_may_be_sent_again_and_gets_the_same_answer(match: Match, caller: Caller) -> None:
    turn = first_question(caller, match)
    body = post(caller, turn, first_legal(turn))
    assert body["say"] == turn["messages"][-1]["legal"][0]
    assert post(caller, turn, first_legal(turn)) == body
    play_match(match.pk)
    assert post(caller, turn, first_legal(turn)) == body
    other = {**first_legal(turn), "say": "1x"}
    assert post(caller, turn, other) == (409, "already_answered")


def test_what_is_no_legal_answer_is_taken_for_what_it_is(match: Match, caller: Caller) -> None:
    turn = first_question(caller, match)
    body = post(caller, turn, {"id": 1, "say": "1x"})
    assert (body["say"], body["failure"]) == (None, "illegal_play")
    assert body["message"].startswith("answered '1x', and legal was ")
    assert post(caller, turn, {"id": 1, "say": "1x"}) == body
    assert post(caller, turn, first_legal(turn)) == (409, "already_answered")
    play_match(match.pk)
    forfeit = BotForfeit.objects.get(match=match)
    assert (forfeit.bot.slug, forfeit.code, forfeit.reply) == (
        "lejano",
        "illegal_play",
        '{"id": 1, "say": "1x"}',
    )
    assert Record.objects.get(match=match).state == "accepted"


CRASH = {"failure": "crash", "ending": "code 1", "stderr": "IndexError: no such card"}


def test_a_bot_that_has_ended_is_reported_by_its_client(match: Match, caller: Caller) -> None:
    turn = first_question(caller, match)
    body = post(caller, turn, CRASH)
    assert (body["say"], body["failure"]) == (None, "crash")
    assert body["message"] == "ended in the middle of the match (exit code 1)"
    assert post(caller, turn, CRASH) == body
    assert post(caller, turn, first_legal(turn)) == (409, "already_answered")
    play_match(match.pk)
    forfeit = BotForfeit.objects.get(match=match)
    assert (forfeit.code, forfeit.reply, forfeit.stderr) == ("crash", "", CRASH["stderr"])
    legal = turn["messages"][-1]["legal"]
    assert forfeit.legal == " ".join(token or '""' for token in legal)


def test_a_bot_that_has_ended_before_it_was_ready_died_at_its_start(
    match: Match, caller: Caller
) -> None:
    assert post(caller, only(caller), CRASH)["failure"] == "died_at_start"
    play_match(match.pk)
    assert BotForfeit.objects.get(match=match).legal


@pytest.mark.parametrize(
    "changes",
    [
        {"failure": "hang"},
        {"failure": 1},
        {"ending": "exit"},
        {"ending": None},
        {"stderr": 7},
        {"say": "As"},
    ],
)
def test_a_report_that_is_none_is_a_malformed_answer(
    changes: dict[str, Any], match: Match, caller: Caller
) -> None:
    turn = first_question(caller, match)
    assert post(caller, turn, {**CRASH, **changes})["failure"] == "malformed_answer"


def test_what_could_be_said_is_listed_where_nothing_was_said_in_time(
    match: Match, caller: Caller
) -> None:
    turn = first_question(caller, match)
    BotTurn.objects.unanswered().update(due_at=Now() - timedelta(seconds=1))
    assert expire_due() == 1
    play_match(match.pk)
    forfeit = BotForfeit.objects.get(match=match)
    assert forfeit.code == "hang"
    assert forfeit.legal == " ".join(token or '""' for token in turn["messages"][-1]["legal"])


def test_a_line_that_is_too_long_is_not_read_to_its_end(match: Match, caller: Caller) -> None:
    body = post(caller, first_question(caller, match), b" " * (LIMITS.line + 1))
    assert body["failure"] == "output_flood"


def test_what_is_not_json_by_its_own_word_is_refused_and_costs_nothing(
    match: Match, caller: Caller
) -> None:
    turn = only(caller)
    response = caller.submit(f"{TURNS}{turn['id']}/", READY, key=None, content_type="text/plain")
    problem(response, 415, "unsupported_media_type")
    assert post(caller, turn, READY)["failure"] == ""


def test_an_answer_after_its_time_is_too_late(match: Match, caller: Caller) -> None:
    turn = only(caller)
    BotTurn.objects.update(due_at=Now() - timedelta(seconds=1))
    assert caller.read(TURNS)["turns"] == []
    assert post(caller, turn, READY) == (409, "too_late")
    assert expire_due() == 1
    assert post(caller, turn, READY) == (409, "too_late")
    play_match(match.pk)
    assert BotForfeit.objects.get(match=match).code == "slow_start"


def test_the_turns_of_an_entry_that_was_taken_out_are_over(match: Match, caller: Caller) -> None:
    turn = only(caller)
    Match.objects.filter(pk=match.pk).update(state=Match.State.ACCEPTED)
    assert caller.read(TURNS)["turns"] == []
    assert post(caller, turn, READY) == (409, "too_late")


def test_strangers_see_no_turns_and_answer_none(match: Match, caller: Caller) -> None:
    turn = only(caller)
    path = f"{TURNS}{turn['id']}/"
    for program in (caller_for(match, "otra", ("games:submit",)), Caller()):
        problem(program.get(TURNS), 404, "not_found")
    problem(Caller().submit(path, READY, key=None), 401, "sign_in")
    without = caller_for(match, "otra", ("games:submit",))
    problem(without.submit(path, READY, key=None), 404, "not_found")


def test_a_bot_is_spoken_for_by_its_author_and_finds_no_turns_of_others(match: Match) -> None:
    author = user("autora")
    Bot.objects.filter(slug="lejano").update(owner=author)
    club = match.tournament.club
    Player.objects.create(club=club, code="J99", name="Autora", folded="autora", user=author)
    other = Bot.objects.create(name="Suyo", slug="suyo", kind=Bot.Kind.REMOTE, club=club)
    _row, text = issue_token(SYSTEM, club, author, name="su bot", scopes=("bots:run",))
    caller = Caller(text)
    turn = only(caller)
    problem(caller.get("bots/suyo/turns/"), 404, "not_found")
    Bot.objects.filter(pk=other.pk).update(owner=author)
    assert caller.read("bots/suyo/turns/")["turns"] == []
    misplaced = caller.submit(f"bots/suyo/turns/{turn['id']}/", READY, key=None)
    problem(misplaced, 404, "not_found")
    assert post(caller, turn, READY)["failure"] == ""


def test_a_client_without_memory_gets_turns_whole(match: Match, caller: Caller) -> None:
    turn = first_question(caller, match)
    post(caller, turn, first_legal(turn))
    play_match(match.pk)
    assert [message["type"] for message in only(caller)["messages"]] == ["ask"]
    whole = only(caller, TURNS + "?whole=1")
    assert [message["type"] for message in whole["messages"]] == ["hello", "deal", "ask"]
    problem(caller.get(TURNS + "?wait=20"), 400, "bad_parameter")


# --- The guide ----------------------------------------------------------------------------------


class Scribe:
    """Writes a conversation down as the guide prints it: numbers of its own, no times."""

    def __init__(self, caller: Caller) -> None:
        self.caller = caller
        self.lines: list[str] = []
        self.turns: list[int] = []

    def fetch(self) -> Any:
        """Fetch the turns."""
        page = self.caller.read(TURNS)
        self.lines.append("GET /api/v1/bots/lejano/turns/")
        self.note(200, page)
        return page["turns"][0] if page["turns"] else None

    def post(self, turn: Any, line: dict[str, Any]) -> None:
        """Post a line."""
        response = self.caller.submit(f"{TURNS}{turn['id']}/", json.dumps(line), key=None)
        self.lines.append(f"POST /api/v1/bots/lejano/turns/{self.number(turn['id'])}/")
        self.lines.append(f"  {json.dumps(line, ensure_ascii=False)}")
        body = json.loads(response.content)
        self.note(response.status_code, body)

    def note(self, status: int, body: Any) -> None:
        """Note an answer."""
        for row in (body, *body.get("turns", ()), *body.get("ended", ())):
            if "id" in row:
                row["id"] = self.number(row["id"])
            if "match" in row:
                row["match"] = 17
            if "matches" in row:
                row["matches"] = [17] * len(row["matches"])
            if "due_at" in row:
                row["due_at"] = "2026-11-21T21:00:30Z"
            if "messages" in row:
                row["messages"] = [
                    {name: message[name] for name in PRINTED if name in message}
                    for message in row["messages"]
                ]
        self.lines.append(f"  {status} {json.dumps(body, ensure_ascii=False)}")

    def number(self, pk: int) -> int:
        """Return the number that a turn has in the guide."""
        if pk not in self.turns:
            self.turns.append(pk)
        return 301 + self.turns.index(pk)


PRINTED = ("type", "id", "legal")
"""The fields of a message that the guide shows; `…` stands for the others."""


def meant(line: str) -> tuple[str, Any]:
    """What a line says, the order of a message's fields aside."""
    before, brace, fields = line.replace(", …}", "}").partition("{")
    return before, json.loads(brace + fields) if brace else None


@pytest.mark.slow
def test_the_guide_shows_what_is_said_over_the_api(match: Match, caller: Caller) -> None:
    scribe = Scribe(caller)

    def turn_of(value: Any) -> Any:
        return {**value, "id": scribe.turns[value["id"] - 301]}

    step: Callable[[], Any] = lambda: turn_of(scribe.fetch())  # noqa: E731
    scribe.post(step(), json.loads(READY))
    play_match(match.pk)
    turn = step()
    scribe.post(turn, first_legal(turn))
    play_match(match.pk)
    scribe.lines.append("…")
    play_out(match, caller, first_legal)
    assert scribe.fetch() is None
    section = GUIDE.read_text(encoding="utf-8").partition("## Over the API")[2]
    (printed,) = re.findall(r"```text\n(.*?)```", section, re.DOTALL)[:1] or [""]
    lines = [meant(line) for line in scribe.lines]
    assert [meant(line) for line in printed.splitlines()] == lines, "\n".join(scribe.lines)


def test_the_guide_shows_every_limit_of_a_bot_that_runs_elsewhere() -> None:
    section = GUIDE.read_text(encoding="utf-8").partition("## Over the API")[2]
    occurrences = re.findall(r"^\| `(\w+)` \| (\d+) \|", section, re.MULTILINE)
    assert {name: float(value) for name, value in occurrences} == asdict(LIMITS)
