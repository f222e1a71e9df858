"""The history taken along: what the API gives out, the command checks without the service."""

import hashlib
import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from tests.conftest import Issue
from tests.support.caller import BASE, Caller, problem
from tests.support.scenes import Scene
from tournaments.cli import main
from tournaments.core.audit import redact_events
from tournaments.core.permissions import Actor
from tournaments.domain.trail.chain import Texts
from tournaments.environment import ROOT
from tournaments.exchange.queries.trails import installation_key
from tournaments.exchange.services.checkpoints import write_checkpoint
from tournaments.models import AuditEvent

Capture = pytest.CaptureFixture[str]


@pytest.fixture
def signed(scene: Scene) -> Scene:
    """A tournament in play, its club's history signed twice."""
    write_checkpoint(scene.club.pk)
    texts = Texts("somebody", "something", {})
    redact_events(Actor.system(), scene.club, {2: texts})
    write_checkpoint(scene.club.pk)
    return scene


def trail(issue: Issue, path: str, folder: Path) -> Path:
    caller = issue()
    answer: Any = caller.client.get(BASE + path, headers=caller.headers)
    assert answer.status_code == 200
    file = folder / "trail.ndjson"
    file.write_bytes(answer.getvalue())
    return file


def of_club(scene: Scene) -> str:
    return f"clubs/{scene.club.slug}/trail/"


def of_tournament(scene: Scene) -> str:
    return f"tournaments/{scene.tournament.slug}/trail/"


def lines(file: Path) -> list[Any]:
    return [json.loads(line) for line in file.read_text(encoding="utf-8").splitlines()]


@pytest.mark.parametrize("path", [of_club, of_tournament])
def test_a_trail_holds_without_the_service(
    signed: Scene, issue: Issue, tmp_path: Path, capsys: Capture, path: Any
) -> None:
    file = trail(issue, path(signed), tmp_path)
    assert main(["verify-audit", str(file), "--key", installation_key()]) == 0
    assert "everything holds" in capsys.readouterr().out
    assert main(["verify-audit", str(file), "--lang", "es"]) == 0
    assert installation_key() in capsys.readouterr().out, "whose key it is, nobody knows"


def test_the_command_needs_no_framework(signed: Scene, issue: Issue, tmp_path: Path) -> None:
    file = trail(issue, of_club(signed), tmp_path)
    script = (
        "import sys; from tournaments.cli import main; code = main(sys.argv[1:]);"
        " sys.exit(3 if 'django' in sys.modules else code)"
    )
    command = [sys.executable, "-c", script, "verify-audit", str(file), "--json"]
    answer = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    assert answer.returncode == 0, answer.stderr
    body = json.loads(answer.stdout)
    assert (body["holds"], body["checkpoints"], body["redacted"]) == (True, 2, [2])


def test_the_trail_of_a_tournament_shows_nothing_of_the_rest(
    signed: Scene, issue: Issue, tmp_path: Path
) -> None:
    trail_lines = lines(trail(issue, of_tournament(signed), tmp_path))
    own_pk = signed.tournament.pk
    events = [line["event"] for line in trail_lines if "event" in line]
    assert {event["tournament"] for event in events} == {own_pk}
    links = [line["link"] for line in trail_lines if "link" in line]
    assert {tuple(sorted(link)) for link in links} == {("digest", "says", "sequence")}
    assert len(events) + len(links) == AuditEvent.objects.count() - trail_lines[0]["start"] + 1


def test_a_trail_that_was_changed_is_found(
    signed: Scene, issue: Issue, tmp_path: Path, capsys: Capture
) -> None:
    file = trail(issue, of_club(signed), tmp_path)
    text = file.read_text(encoding="utf-8")
    file.write_text(text.replace('"actor":"system"', '"actor":"nadie"', 1), encoding="utf-8")
    assert main(["verify-audit", str(file)]) == 2
    assert "not as it was written" in capsys.readouterr().err
    file.write_text("".join(text.splitlines(keepends=True)[:-2]), encoding="utf-8")
    assert main(["verify-audit", str(file)]) == 2
    assert "cut short" in capsys.readouterr().err


def test_a_trail_changed_with_its_hash_is_found(
    signed: Scene, issue: Issue, tmp_path: Path, capsys: Capture
) -> None:

    file = trail(issue, of_club(signed), tmp_path)
    body = lines(file)[:-1]
    target = next(line["event"] for line in body if line.get("event", {}).get("sequence") == 3)
    target["subject"] = "otro"
    raw = "".join(json.dumps(line) + "\n" for line in body)
    end = {"end": True, "count": len(body), "sha256": hashlib.sha256(raw.encode()).hexdigest()}
    file.write_text(raw + json.dumps(end) + "\n", encoding="utf-8")
    assert main(["verify-audit", str(file), "--json"]) == 1
    output = json.loads(capsys.readouterr().out)
    assert (output["first"], output["faults"][0]["code"]) == (3, "edited")
    assert main(["verify-audit", str(file), "--key", "ab" * 32]) == 1
    assert "signed by another key" in capsys.readouterr().out


@pytest.mark.parametrize("text", ["", "{}\n", "nada\n", '{"format":"baza-trail/1"}\n'])
def test_what_is_no_trail_is_refused(tmp_path: Path, capsys: Capture, text: str) -> None:
    file = tmp_path / "other"
    file.write_text(text)
    assert main(["verify-audit", str(file)]) == 2
    assert capsys.readouterr().err


def test_checkpoints_are_published_in_pages(signed: Scene) -> None:
    path = f"clubs/{signed.club.slug}/checkpoints/?page_size=1"
    first = Caller().read(path)
    second = Caller().read(first["next"])
    numbers = [page["results"][0]["number"] for page in (first, second)]
    assert (numbers, second["next"]) == ([1, 2], None)
    assert first["results"][0]["key"] == installation_key()


def test_a_token_without_the_scope_gets_no_trail(signed: Scene, issue: Issue) -> None:
    caller = issue(scopes=("games:read", "tournaments:manage"))
    for path in (of_club(signed), of_tournament(signed)):
        problem(caller.get(path), 404, "not_found")
