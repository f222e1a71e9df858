"""The client of the API against a running service, on a way on which answers are lost."""

from __future__ import annotations

import hashlib
import json
import random
from concurrent.futures import ThreadPoolExecutor
from io import StringIO
from typing import TYPE_CHECKING, Any

import pytest
from django.test import Client as HttpClient
from django.urls import reverse

from baza_client import Client, CutShort, Problem, Transport, Unreachable
from baza_client.client import complete_lines
from engine import write_text
from tests.client.lossy import Fate, LossyWay, every, half_of_the_first
from tests.clubs import SYSTEM, a_club, organiser, user
from tests.domain.test_club_night_standings import TABLE
from tests.support.bot_tables import house_bot
from tests.support.hostile import MOVES, hostile_record
from tests.support.scenes import PAIRS, PLAYERS, Scene, draft, records_of, spoiled
from tournaments.accounts.services.invitations import issue_token
from tournaments.cli import main, submit
from tournaments.core.permissions import Actor
from tournaments.director.services.draws import draw
from tournaments.director.services.substitutions import substitute
from tournaments.director.services.tournaments import publish_round
from tournaments.models import Player, Record, Result, Round

if TYPE_CHECKING:
    from pathlib import Path

    from pytest_django.live_server_helper import LiveServer

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
def night(transactional_db: None) -> Scene:
    """The eight pairs of the sample, all seven rounds published, nothing played."""
    scene = draft(PAIRS, PLAYERS)
    scene.tournament = draw(scene.organiser, scene.tournament)
    for round_ in scene.rounds:
        publish_round(scene.organiser, round_)
    return scene


@pytest.fixture
def token(night: Scene) -> str:
    """A token of the organiser's."""
    scopes = ["games:submit", "games:read"]
    user = night.users["organiser"]
    return issue_token(Actor.system(), night.club, user, name="desk", scopes=scopes)[1]


def impatient(seed: int = 0, attempts: int = 6) -> Transport:
    """A transport that does not really wait."""
    return Transport(attempts=attempts, sleep=lambda _: None, chance=random.Random(seed))


def client(url: str, token: str, seed: int = 0) -> Client:
    return Client(url, token, transport=impatient(seed))


def assert_the_table_is_the_nights(reader: Client, slug: str) -> None:
    counts = ("number", "won", "lost", "match_points")
    names = (*counts, "hands_for", "hands_against", "points_for", "points_against")
    rows = [tuple(getattr(row, name) for name in names) for row in reader.standings(slug)]
    assert rows == list(TABLE)


@pytest.mark.slow
def test_four_clients_play_the_night_back_on_a_lossy_way(
    night: Scene, token: str, live_server: LiveServer
) -> None:
    slug, texts = night.tournament.slug, records_of("records")
    with LossyWay(live_server.url, every(3)) as way, ThreadPoolExecutor(4) as pool:

        def hand_in(seat: int) -> list[str]:
            sender = client(way.url, token, seat)
            return [sender.submit(slug, text).outcome for text in texts[seat::4]]

        outcomes = [outcome for part in pool.map(hand_in, range(4)) for outcome in part]
    assert way.requests > len(texts)
    assert outcomes == ["accepted"] * 28
    assert (Record.objects.count(), Result.objects.count()) == (28, 28)
    assert_the_table_is_the_nights(client(live_server.url, token), slug)


def test_a_record_may_be_a_dictionary(night: Scene, token: str, live_server: LiveServer) -> None:
    sender, slug = client(live_server.url, token), night.tournament.slug
    first, second, third = map(json.loads, records_of("records")[:3])
    assert sender.submit(slug, first).outcome == "accepted"
    assert sender.submit(slug, {**first}).duplicate is False, "the key is the content's"
    assert [line.outcome for line in sender.submit_many(slug, [second, third]).lines] == [
        "accepted"
    ] * 2
    with pytest.raises(Problem) as raised:
        sender.create_tournament(night.club.slug, "De otoño")
    assert raised.value.scope == "tournaments:manage"


def test_a_batch_whose_answer_was_lost_is_carried_out_once(
    night: Scene, token: str, live_server: LiveServer
) -> None:
    slug = night.tournament.slug
    with LossyWay(live_server.url, half_of_the_first) as way:
        batch = client(way.url, token).submit_many(slug, records_of("records"))
    assert way.requests == 2
    assert [line.outcome for line in batch.lines] == ["accepted"] * 28
    assert not batch.repeated  # it was this very call that had them accepted
    assert client(live_server.url, token).submit_many(slug, records_of("records")).repeated
    assert Record.objects.count() == 28
    reader = client(live_server.url, token)
    assert sorted(reader.records(slug)) == sorted(records_of("records"))
    assert_the_table_is_the_nights(reader, slug)


def test_a_refused_batch_mentions_each_line(
    night: Scene, token: str, live_server: LiveServer
) -> None:
    texts = records_of("records")[:4]
    texts[2] = spoiled(texts[2]).text
    answer = client(live_server.url, token).submit_many(night.tournament.slug, texts)
    (bad,) = answer.refused
    assert (bad.line, bad.pointer) == (3, "/hands/0/play")
    assert bad.code.startswith("play.")
    assert Record.objects.count() == 0


def test_a_problem_is_an_exception_with_its_code_and_place(
    night: Scene, token: str, live_server: LiveServer
) -> None:
    sender = client(live_server.url, token)
    with pytest.raises(Problem) as refused:
        sender.submit(night.tournament.slug, spoiled(records_of("records")[0]).text)
    assert refused.value.status == 422
    assert refused.value.pointer == "/hands/0/play"
    with pytest.raises(Problem, match="404 not_found"):
        sender.tournament("nada")


def test_what_the_club_has_put_right_is_submitted_again_as_it_is(
    night: Scene, token: str, live_server: LiveServer
) -> None:
    home = night.matches()[0].home
    assert home.pair
    comes = Player.objects.create(club=night.club, code="J99", name="Nieves Otal")
    played = next(text for text in records_of("records") if home.pair.first.name in text)
    text = played.replace(home.pair.first.name, comes.name)
    sender = client(live_server.url, token)
    for _ in range(2):
        with pytest.raises(Problem, match="422 not_a_participant"):
            sender.submit(night.tournament.slug, text)
    substitute(night.organiser, home, leaves=home.pair.first, comes=comes, from_round=1)
    assert sender.submit(night.tournament.slug, text).outcome == "accepted"


def test_the_bots_of_a_tournament_are_run_by_a_program(live_server: LiveServer) -> None:
    club = a_club()
    organiser(club)
    scopes = ["tournaments:manage", "bots:run", "games:read"]
    sender = client(
        live_server.url, issue_token(SYSTEM, club, user("olga"), name="bots", scopes=scopes)[1]
    )
    slug = sender.create_tournament(club.slug, "Liga de bots", options={"to": 1}, format="ladder")
    sender.enter_bots(slug, [house_bot("random").slug] * 2)
    sender.run_schedule(slug)
    round_ = Round.objects.get()
    sender.pause(slug, 1)
    assert Round.objects.get().paused_at is not None
    sender.resume(slug, 1)
    assert Round.objects.get().paused_at is None
    Round.objects.update(play_requested_at=None)
    sender.play(slug, round_.number)
    assert Round.objects.get().play_requested_at is not None


def test_what_has_not_changed_is_kept(night: Scene, token: str, live_server: LiveServer) -> None:
    answers: list[bytes] = []

    def count_answer(_number: int, answer: bytes) -> bytes:
        answers.append(answer.split(b"\r\n")[0])
        return answer

    with LossyWay(live_server.url, count_answer) as way:
        reader = client(way.url, token)
        first = reader.tournament(night.tournament.slug)
        second = reader.tournament(night.tournament.slug)
    assert first == second
    assert [response.split()[1] for response in answers] == [b"200", b"304"]


def test_who_never_answers_is_unreachable(
    night: Scene, token: str, live_server: LiveServer
) -> None:
    with LossyWay(live_server.url, every(1)) as way:
        silent = Client(way.url, token, transport=impatient(attempts=3))
        with pytest.raises(Unreachable):
            silent.tournament(night.tournament.slug)
    assert way.requests == 3


def test_the_wait_is_what_the_service_says() -> None:
    waited: list[float] = []
    busy = (
        b"HTTP/1.1 429 Slow\r\nRetry-After: 7\r\nContent-Length: 2\r\nConnection: close\r\n\r\n{}"
    )
    ready = b"HTTP/1.1 200 OK\r\nContent-Length: 2\r\nConnection: close\r\n\r\n{}"
    fate: Fate = lambda number, _answer: busy if number < 2 else ready  # noqa: E731
    with LossyWay("http://127.0.0.1:9", every(1)) as nobody, LossyWay(nobody.url, fate) as way:
        transport = Transport(sleep=waited.append, chance=random.Random(1))
        assert Client(way.url, transport=transport).get("clubs/") == {}
    assert waited == [7.0, 7.0]


def test_the_token_goes_to_no_other_service() -> None:
    with pytest.raises(ValueError, match="not of this service"):
        Client("https://club.example", "secret").get("https://other.example/api/v1/clubs/")


@pytest.mark.parametrize("end", [0, 10, 200, -60, -1])
def test_an_export_that_was_cut_short_is_not_taken_for_all(end: int) -> None:
    body = b'{"a":1}\n' * 40
    sha256 = hashlib.sha256(body).hexdigest()
    body += json.dumps({"end": True, "count": 40, "sha256": sha256}).encode() + b"\n"
    assert len(complete_lines(body)) == 40
    with pytest.raises(CutShort):
        complete_lines(body[:end])


# --- baza submit ---------------------------------------------------------------------------------


@pytest.fixture
def call(night: Scene, token: str, live_server: LiveServer, tmp_path: Path, capsys: Any) -> Any:
    """Run `baza submit` with a file of these lines; give its code and what it printed."""
    keys = tmp_path / "token"
    keys.write_text(token + "\n", encoding="utf-8")

    def run(lines: list[str], *more: str) -> tuple[int, str]:
        file = tmp_path / "night.ndjson"
        file.write_text("\n".join(lines), encoding="utf-8")
        arguments = ["submit", str(file), "--to", live_server.url, "--token-file", str(keys), *more]
        code = main(arguments)
        return code, capsys.readouterr().out.replace(str(tmp_path), "")

    return run


def test_the_command_submits_a_night_and_may_be_run_twice(call: Any, night: Scene) -> None:
    lines = records_of("records")
    assert call(lines, "--dry-run") == (
        0,
        "28 in order, 0 already accepted, 0 at fault; nothing was written\n",
    )
    assert Record.objects.count() == 0
    repeat_output = (0, "0 accepted, 28 already accepted, 0 at fault, 0 held back\n")
    assert call(lines) == (0, "28 accepted, 0 already accepted, 0 at fault, 0 held back\n")
    assert call(lines) == repeat_output
    assert (
        call([*lines, "\n"], "--jobs", "2", "--tournament", night.tournament.slug) == repeat_output
    )
    assert call(lines[1:]) == (0, "0 accepted, 27 already accepted, 0 at fault, 0 held back\n")
    assert Record.objects.count() == 28


def test_the_export_is_submitted_again_as_it_is(call: Any, night: Scene) -> None:
    assert call(records_of("records"))[0] == 0
    path = reverse("tournament-records", args=[night.tournament.slug])
    lines = HttpClient().get(path).content.decode().splitlines()
    assert call(lines) == (0, "0 accepted, 28 already accepted, 0 at fault, 0 held back\n")
    assert Record.objects.count() == 28


def test_the_command_prints_no_control_of_what_it_could_not_submit(call: Any) -> None:
    lines = [json.dumps(hostile_record(random.Random(seed))) for seed in range(40)]
    code, output = call(lines)
    assert code == 1
    assert output.count("night.ndjson:") >= 20
    assert not MOVES.search(output)


def test_a_file_of_more_than_a_token_is_refused_and_not_printed(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    keys, file = tmp_path / "keys", tmp_path / "night.ndjson"
    keys.write_text("secret-of-one\nsecret-of-another\n", encoding="utf-8")
    file.write_text("\n".join(records_of("records")), encoding="utf-8")
    assert main(["submit", str(file), "--to", "http://localhost", "--token-file", str(keys)]) == 2
    printed = "".join(capsys.readouterr())
    assert f"{keys}: this is not one token" in printed
    assert "secret" not in printed


def test_a_run_that_was_broken_off_is_taken_up_by_the_same_command(
    call: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(submit, "MAX_LINES", 10)
    send, batches = Client.submit_many, []

    def broken_off(self: Client, slug: str, records: list[bytes], **more: Any) -> Any:
        batches.append(len(records))
        if len(batches) == 3:
            raise KeyboardInterrupt
        return send(self, slug, records, **more)

    with monkeypatch.context() as hand:
        hand.setattr(Client, "submit_many", broken_off)
        assert call(records_of("records")) == (130, "")
    assert Record.objects.count() == 20
    text = "8 accepted, 20 already accepted, 0 at fault, 0 held back\n"
    assert call(records_of("records")) == (0, text)
    assert Record.objects.count() == 28


def test_progress_is_reported_where_it_is_asked_for_and_never_among_the_answers(
    call: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    def run_submit(*more: str, terminal: bool = False) -> str:
        with monkeypatch.context() as screen:
            errors = StringIO()
            errors.isatty = lambda: terminal  # type: ignore[method-assign]
            screen.setattr("sys.stderr", errors)
            assert call(records_of("records"), *more)[1].count("\n") == 1
        return errors.getvalue()

    monkeypatch.setattr(submit, "MAX_LINES", 10)
    lines = run_submit("--progress").splitlines()
    assert [line.split(":")[0] for line in lines] == ["10 of 28", "20 of 28", "28 of 28"]
    assert lines[-1] == "28 of 28: 28 accepted, 0 already accepted, 0 at fault"
    assert run_submit() == ""
    assert run_submit(terminal=True).count("\r") == 3


def as_text(lines: list[str]) -> list[str]:
    """Write records as people type them."""
    return "\n".join(write_text(json.loads(line)) for line in lines).splitlines()


def test_records_in_text_are_submitted_as_they_are(call: Any) -> None:
    lines = records_of("records")[:3]
    text = "3 accepted, 0 already accepted, 0 at fault, 0 held back\n"
    assert call(as_text(lines)) == (0, text)
    assert call(lines)[1].startswith("0 accepted, 3 already accepted")
    assert Record.objects.count() == 3


def test_a_fault_of_a_record_in_text_is_reported_with_its_line_and_column(call: Any) -> None:
    lines = records_of("records")[:2]
    lines[1] = spoiled(lines[1]).text
    text = as_text(lines)
    code, output = call(text)
    assert code == 1
    _file, row, column, rest = output.splitlines()[0].split(":", 3)
    assert rest.startswith(" play.")
    assert int(row) > next(n for n, line in enumerate(text, 1) if n > 2 and line.startswith("["))
    assert int(column) == 1


def test_with_a_text_that_cannot_be_read_nothing_is_sent(call: Any) -> None:
    text = as_text(records_of("records")[:2])
    broken = [*text[:-1], "¿qué?", text[-1]]
    code, output = call(broken)
    assert code == 1
    assert output.startswith(f"/night.ndjson:{len(text)}:1: record.syntax: ")
    assert Record.objects.count() == 0


def test_the_command_names_the_fault_and_its_place(call: Any) -> None:
    lines = records_of("records")[:3]
    lines[1] = spoiled(lines[1]).text
    code, output = call(lines, "--lang", "es")
    assert code == 1
    first, last = output.splitlines()
    assert first.startswith("/night.ndjson:2: play.")
    assert " en /hands/0/play: " in first
    assert last == "0 aceptadas, 0 ya aceptadas antes, 1 con faltas, 2 retenidas"
    assert Record.objects.count() == 0


def test_the_command_says_what_it_cannot_do(call: Any, tmp_path: Path) -> None:
    assert call(["{}"], "--tournament", "nada")[0] == 2
    assert main(["submit", str(tmp_path / "none"), "--to", "http://127.0.0.1:9"]) == 2


def test_a_record_over_several_lines_is_one(call: Any) -> None:
    loose = json.dumps(json.loads(records_of("records")[0]), indent=1, ensure_ascii=False)
    assert call(loose.splitlines())[0] == 0
    assert Record.objects.count() == 1
