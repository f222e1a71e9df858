"""A client that openapi-python-client generates from the document walks an evening.

It knows the service from `docs/openapi.json` alone; the service is served as in production. Every
answer has the status and the shape that the document says.
"""

from __future__ import annotations

import importlib
import json
import re
import subprocess
import sys
from io import BytesIO
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import pytest

import engine
from tests.clubs import SYSTEM, a_club, club_night_lines, csv, organiser, user
from tests.domain.test_club_night_standings import TABLE
from tests.served import WebServer
from tournaments.accounts.services.invitations import issue_token
from tournaments.environment import ROOT

if TYPE_CHECKING:
    from collections.abc import Iterator

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.slow]

PACKAGE: Final = "generated_baza"


def config() -> str:
    """Return the settings that the API's page gives."""
    page = (ROOT / "docs/programs/api.md").read_text(encoding="utf-8")
    (given,) = re.findall("```yaml\n(.+?)```", page, re.DOTALL)
    return str(given)


@pytest.fixture
def generated(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    settings = tmp_path / "config.yml"
    settings.write_text(config(), encoding="utf-8")
    document = ROOT / "docs/openapi.json"
    run = subprocess.run(
        [
            *(Path(sys.executable).with_name("openapi-python-client"), "generate"),
            *("--path", document, "--config", settings),
            *("--meta", "none", "--output-path", tmp_path / PACKAGE, "--fail-on-warning"),
        ],
        capture_output=True,
        text=True,
        check=False,
    )
    assert run.returncode == 0, run.stdout + run.stderr
    monkeypatch.syspath_prepend(tmp_path)
    yield
    for name in [name for name in sys.modules if name.split(".")[0] == PACKAGE]:
        del sys.modules[name]


@pytest.fixture
def server(child_environment: dict[str, str], tmp_path: Path) -> Iterator[WebServer]:
    with WebServer(child_environment, tmp_path / "granian.log") as service:
        yield service


class Desk:
    """Calls the generated functions as one user; every answer has to be a success."""

    def __init__(self, url: str, token: str) -> None:
        module = importlib.import_module(f"{PACKAGE}.client")
        self.client = module.AuthenticatedClient(base_url=url, token=token, timeout=60)
        self.models: Any = importlib.import_module(f"{PACKAGE}.models")
        self.calls = 0

    def read(self, name: str, *place: object, **more: object) -> Any:
        """Call an operation by its name in the document, such as ``organising.draw``."""
        operation = importlib.import_module(f"{PACKAGE}.api.{name}")
        answer = operation.sync_detailed(*place, client=self.client, **more)
        assert answer.status_code in {200, 201}, (name, answer.content)
        assert answer.parsed is not None, name
        return answer

    def act(self, name: str, *place: object, **more: object) -> Any:
        """Call an operation that takes an idempotency key."""
        self.calls += 1
        return self.read(name, *place, idempotency_key=f"evening-{self.calls}", **more).parsed


def test_a_client_generated_from_the_document_walks_a_whole_evening(
    generated: None, server: WebServer
) -> None:
    club = a_club()
    organiser(club)
    scopes = ["tournaments:manage", "games:submit", "games:read"]
    token = issue_token(SYSTEM, club, user("olga"), name="the desk", scopes=scopes)[1]
    desk = Desk(server.url, token)
    with desk.client:
        walk(desk, club.slug)


def test_it_makes_a_tournament_of_two_stages_once_it_knows_which_scope_was_missing(
    generated: None, server: WebServer
) -> None:
    club = a_club()
    organiser(club)

    def desk_with(*scopes: str) -> Desk:
        token = issue_token(SYSTEM, club, user("olga"), name="the desk", scopes=scopes)[1]
        return Desk(server.url, token)

    reader = desk_with("games:read")
    models = reader.models
    new = models.NewTournament(
        name="Noche de tute",
        cotos=2,
        place="Casa Lac",
        bye_quota=0,
        stages=[
            models.PlannedStage(
                format_="swiss", rules=models.PlannedStageRules.from_dict({"rounds": 3})
            ),
            models.PlannedStage(
                format_="knockout", rules=models.PlannedStageRules.from_dict({"take": 4})
            ),
        ],
    )
    create = importlib.import_module(f"{PACKAGE}.api.organising.create_tournament")
    with reader.client:
        refused = create.sync_detailed(
            club.slug, client=reader.client, body=new, idempotency_key="night"
        )
        told = reader.read("token.read_token").parsed
    assert refused.status_code == 403
    assert refused.parsed.scope == "tournaments:manage"
    desk = desk_with(*told.scopes, refused.parsed.scope)
    with desk.client:
        slug = desk.act("organising.create_tournament", club.slug, body=new).slug
        stages = desk.read("tournaments.read_stages", slug).parsed.stages
        head = desk.read("tournaments.read_tournament", slug).parsed
    assert [stage.format_ for stage in stages] == ["swiss", "knockout"]
    assert (head.cotos, head.place, head.bye_quota) == (2, "Casa Lac", 0)


def walk(desk: Desk, club: str) -> None:
    """Create, change, check in, draw, publish, submit, close, finish."""
    models = desk.models
    new = models.NewTournament(
        name="Noche de tute",
        seeding=models.NewTournamentSeeding.ORDER,
        options=models.NewTournamentOptions.from_dict({"to": 3}),
    )
    place = desk.act("organising.create_tournament", club, body=new).tournament
    slug = place.rstrip("/").rpartition("/")[2]
    lists = models.Lists(players=csv("players.csv").decode(), pairs=csv("pairs.csv").decode())
    desk.act("organising.import_entries", slug, body=lists)
    etag = desk.read("tournaments.read_tournament", slug).headers["ETag"]
    change = models.PatchedChange(name="Noche de tute, con cena")
    changed = desk.read("tournaments.change_tournament", slug, body=change, if_match=etag).parsed
    assert changed.name == "Noche de tute, con cena"
    for number in range(1, 9):
        desk.act("organising.check_in", slug, number)
    drawn = desk.act("organising.draw", slug)
    assert (drawn.round_, [table.table for table in drawn.tables]) == (1, [1, 2, 3, 4])
    for number in range(1, 8):
        desk.act("organising.publish_round", slug, number)
    first, second, *others = club_night_lines()
    record = models.RecordText.from_dict(json.loads(first))
    desk.act("records.submit_record_to_tournament", slug, body=record)
    file = importlib.import_module(f"{PACKAGE}.types").File
    text = file(BytesIO(engine.write_text(json.loads(second)).encode()))
    desk.act("records.submit_record_to_tournament", slug, body=text)
    desk.act("records.submit_lines", slug, body=file(BytesIO("\n".join(others).encode())))
    for number in range(1, 8):
        desk.act("organising.close_round", slug, number)
    desk.act("organising.finish_tournament", slug)
    assert desk.read("tournaments.read_tournament", slug).parsed.state == "finished"
    rows = desk.read("tournaments.read_standings", slug).parsed.rows
    assert [row.points_for for row in rows] == [line[6] for line in TABLE]
